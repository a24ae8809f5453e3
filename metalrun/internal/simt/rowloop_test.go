package simt

import (
	"encoding/binary"
	"errors"
	"math"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/internal/ir/irtest"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/profile"
)

// weightedRows is a kernel around one loop: p holds the number of rows, their
// distance, and how many threads take part.
func weightedRows(loop string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void f(device float* out, device const float* weights, device const float* rows, constant uint* p,
              uint i [[thread_position_in_grid]]) {
    const uint n = p[0], stride = p[1];
    if (i >= p[2]) return;
    float v = 0;
    uint t = 0;
    ` + loop + `
    out[i] = v + t;
}`
}

// runForms are loops over rows of memory, and whether one call can do all turns.
var runForms = []struct {
	name, loop string
	recognised bool
}{
	{"index of 64 bits", "for (; t < n; t++) v += weights[t] * rows[ulong(t) * stride + i];", true},
	{"index of 32 bits", "for (; t < n; t++) v += weights[t] * rows[t * stride + i];", true},
	{"both", "for (; t < n; t++) v += weights[t] * (rows + ulong(t) * 2)[t * stride + i];", true},
	{"pointer", "for (; t < n; t++) { device const float* row = rows + ulong(t) * stride; v += row[i] * weights[t]; }",
		true},
	{"signed", "for (int k = 0; k < int(n); k++) v += weights[k] * rows[long(k) * stride + i];", true},
	{"descending", "for (; t < n; t++) v += weights[t] * rows[ulong(7) * stride - ulong(t) * stride + i];", true},
	{"first turn later", "for (t = 2; t < n; t++) v += weights[t] * rows[ulong(t) * stride + i];", true},
	{"twice", "for (uint k = 0; k < n; k++) v += weights[k] * rows[k + i]; for (; t < n; t++) v += weights[t] * " +
		"rows[t * stride + i];", true},
	{"in a branch", "if (i & 2) for (uint k = 0; k < n; k++) v += weights[k] * rows[ulong(k) * stride + i];", true},
	{"sum that may wrap", "for (; t < n; t++) v += weights[t] * rows[ulong(t + stride) + i];", false},
	{"signed as unsigned", "for (int k = 0; k < int(n); k++) v += weights[k] * rows[ulong(uint(k)) * stride + i];",
		false},
	{"square", "for (; t < n; t++) v += weights[t] * rows[ulong(t) * t + i];", false},
	{"moving weights", "for (; t < n; t++) v += (weights + ulong(t))[t] * rows[ulong(t) * stride + i];", false},
	{"indirect", "for (; t < n; t++) v += weights[t] * rows[ulong(weights[t]) * stride + i];", false},
}

// A runLaunch is a launch of a kernel with such buffers.
type runLaunch struct {
	name                     string
	n, stride, active        uint32
	threads, group           int
	weightWords, memoryWords int
	steps                    int64
}

// runLaunches have outcomes without a fault and with one.
var runLaunches = []runLaunch{
	{name: "whole", n: 7, stride: 8, active: 99, threads: 8, group: 8, weightWords: 16, memoryWords: 128},
	{name: "no turn", n: 0, stride: 8, active: 99, threads: 8, group: 8, weightWords: 16, memoryWords: 128},
	{name: "one turn", n: 1, stride: 8, active: 99, threads: 8, group: 8, weightWords: 16, memoryWords: 8},
	{name: "one row again and again", n: 5, stride: 0, active: 99, threads: 8, group: 8, weightWords: 16,
		memoryWords: 128},
	{name: "overlapping rows", n: 6, stride: 3, active: 99, threads: 8, group: 8, weightWords: 16, memoryWords: 128},
	{name: "smaller threadgroup at the edge", n: 6, stride: 20, active: 99, threads: 20, group: 8, weightWords: 16,
		memoryWords: 256},
	{name: "some threads", n: 6, stride: 8, active: 5, threads: 8, group: 8, weightWords: 16, memoryWords: 128},
	{name: "rows end with the memory", n: 7, stride: 8, active: 99, threads: 8, group: 8, weightWords: 7,
		memoryWords: 56},
	{name: "last row too long", n: 7, stride: 8, active: 99, threads: 8, group: 8, weightWords: 7, memoryWords: 55},
	{name: "last row out of range", n: 7, stride: 8, active: 99, threads: 8, group: 8, weightWords: 7, memoryWords: 48},
	{name: "first row out of range", n: 7, stride: 8, active: 99, threads: 8, group: 8, weightWords: 7, memoryWords: 7},
	{name: "weights out of range", n: 7, stride: 8, active: 99, threads: 8, group: 8, weightWords: 6, memoryWords: 128},
	{name: "index that wraps", n: 5, stride: 1 << 30, active: 99, threads: 8, group: 8, weightWords: 7,
		memoryWords: 128},
	{name: "index that descends", n: 5, stride: math.MaxUint32, active: 99, threads: 8, group: 8, weightWords: 7,
		memoryWords: 128},
	{name: "step budget", n: 7, stride: 8, active: 99, threads: 8, group: 8, weightWords: 16, memoryWords: 128,
		steps: 30},
	{name: "step budget for more", n: 7, stride: 8, active: 99, threads: 8, group: 8, weightWords: 16, memoryWords: 128,
		steps: 180},
}

func (l runLaunch) buffers() map[int][]byte {
	return map[int][]byte{0: make([]byte, 4*l.threads), 1: floats(l.weightWords), 2: floats(l.memoryWords),
		3: littleEndian([]uint32{l.n, l.stride, l.active})}
}

func (l runLaunch) Run(p *Program) (out []uint32, err error) {
	out, _, err = l.count(p)
	return out, err
}

// count runs it, and gives what a program with Options.Count has counted.
func (l runLaunch) count(p *Program) (out []uint32, counts []profile.Counted, err error) {
	launch := l.launch()
	err = p.Run(launch)
	for _, c := range launch.Work.Counts() {
		counts = append(counts, profile.Counted{Threads: c.Threads, Simdgroups: c.Simdgroups})
	}
	return words(launch.Buffers[0].Bytes), counts, err
}

// launch gives buffers to a launch.
func (l runLaunch) launch() Launch {
	launch, b := Launch{Threads: machine.Size{l.threads, 1, 1}, PerGroup: machine.Size{l.group, 1, 1},
		Work: &profile.Work{}}, l.buffers()
	for i := range len(b) {
		launch.Buffers = append(launch.Buffers, machine.Buffer{Index: i, Bytes: b[i]})
	}
	return launch
}

func (l runLaunch) define(k *ir.Kernel) (out []uint32, err error) {
	b := l.buffers()
	err = eval.Run(k, eval.Launch{Threads: [3]int{l.threads, 1, 1}, ThreadsPerThreadgroup: [3]int{l.group, 1, 1},
		Buffers: b, Steps: int(l.steps)})
	return words(b[0]), err
}

// TestRunLoop runs the loops as they are compiled, turn by turn, and by
// definition.
func TestRunLoop(t *testing.T) {
	for i, form := range runForms {
		text := weightedRows(form.loop)
		recognised(t, form.name, text, form.recognised)
		for j, l := range runLaunches {
			if testing.Short() && (i+j)%4 != 0 {
				continue
			}
			t.Run(form.name+"/"+l.name, func(t *testing.T) { l.agree(t, text) })
		}
	}
}

// recognised checks whether one call can do turns of a loop of a kernel, counted or not.
func recognised(t *testing.T, form, text string, want bool) {
	t.Helper()
	for _, count := range []bool{false, true} {
		if _, changed := plain(Compile(lower(t, text), machine.Options{Count: count}).Body); changed != want {
			t.Errorf("%s: done by one call: %v; counted: %v", form, changed, count)
		}
	}
}

// agree launches a kernel as it is compiled, with loops that go turn by turn, and
// by definition.
func (l runLaunch) agree(t *testing.T, text string) {
	t.Helper()
	got, err := l.alike(t, text)
	l.defined(t, text, got, err)
}

// alike is agree without the definition, and gives the outcome. Threadgroups go one after the other, as in the
// definition: some loops reach into the next one's row.
func (l runLaunch) alike(t *testing.T, text string) (got []uint32, gotErr error) {
	t.Helper()
	for _, count := range []bool{true, false} {
		p := bothWays(t, text, machine.Options{Steps: l.steps, Count: count, Workers: 1})
		var counts []profile.Counted
		got, counts, gotErr = l.count(p.compiled)
		want, wantCounts, wantErr := l.count(p.plain)
		if diff := cmp.Diff(fault(wantErr), fault(gotErr)); diff != "" {
			t.Fatalf("(-turn by turn +got):\n%s", diff)
		}
		if !slices.Equal(want, got) {
			t.Errorf("(-turn by turn +got):\n%s", cmp.Diff(want, got))
		}
		if gotErr == nil && !reflect.DeepEqual(wantCounts, counts) {
			t.Errorf("counts (-turn by turn +got):\n%s", cmp.Diff(wantCounts, counts))
		}
	}
	return got, gotErr
}

// defined compares an outcome with the definition's.
func (l runLaunch) defined(t *testing.T, text string, got []uint32, gotErr error) {
	t.Helper()
	if l.steps != 0 {
		return // the definition counts other steps
	}
	defined, err := l.define(lower(t, text))
	if (err != nil) != (gotErr != nil) {
		t.Fatalf("the definition fails with %v, the executor with %v", err, gotErr)
	}
	if err == nil && !slices.Equal(defined, got) {
		t.Errorf("(-definition +got):\n%s", cmp.Diff(defined, got))
	}
}

// TestRunLoopDimensions runs a loop with threadgroups of two dimensions, in
// which the lanes are not consecutive.
func TestRunLoopDimensions(t *testing.T) {
	var results [][]uint32
	for _, size := range []machine.Size{{4, 1, 1}, {4, 2, 1}} {
		out := make([]byte, 4*4)
		err := Compile(lower(t, weightedRows(runForms[0].loop)), machine.Options{}).Run(Launch{Threads: size,
			PerGroup: size, Buffers: []machine.Buffer{
				{Index: 0, Bytes: out}, {Index: 1, Bytes: floats(16)}, {Index: 2, Bytes: floats(128)},
				{Index: 3, Bytes: littleEndian([]uint32{7, 8, 99})}}})
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, words(out))
	}
	if diff := cmp.Diff(results[0], results[1]); diff != "" {
		t.Errorf("(-one dimension +two):\n%s", diff)
	}
}

// plain is a list in which loops go iteration by iteration and one thread by rows, and whether some loop did
// not.
func plain(nodes machine.List) (turnByTurn machine.List, changed bool) {
	for _, n := range nodes {
		switch l := n.(type) {
		case *machine.RunLoop:
			n, changed = l.Loop, true
		case *machine.GatheredLoop:
			n, changed = l.Loop, true
		case *machine.DotLoop:
			n, changed = l.Loop, true
		case *machine.AddLoop:
			n, changed = l.Loop, true
		case *machine.WeightLoop:
			body, _ := plain(l.Body)
			copy(l.Body, body)
			n, changed = l.Loop, true
		case *machine.WideLoop:
			n, changed = l.Loop, true
		case machine.ToSingleLane:
			n = machine.ToSingleLane{Branch: l.Branch}
		case *machine.Branch:
			b := *l
			b.Then, changed = plain(l.Then)
			n = &b
		}
		turnByTurn = append(turnByTurn, n)
	}
	return turnByTurn, changed
}

// fault is what an error says of a kernel; the zero fault if there is none.
func fault(err error) machine.Fault {
	var f *machine.Fault
	if errors.As(err, &f) {
		return *f
	}
	return machine.Fault{}
}

// lower is the kernel of a program.
// lower is the kernel of a text. Tests launch one kernel many times, so the last one is kept.
func lower(t *testing.T, text string) *ir.Kernel {
	t.Helper()
	lowered.Lock()
	defer lowered.Unlock()
	if lowered.kernel == nil || lowered.text != text {
		lowered.text, lowered.kernel = text, irtest.Lower(t, text)
		clear(lowered.pairs)
	}
	return lowered.kernel
}

// lowered is the last kernel that was lowered, and the programs made of it.
var lowered struct {
	sync.Mutex
	text   string
	kernel *ir.Kernel
	pairs  map[machine.Options]pair
}

// pair is a kernel as it is compiled, and with loops that go turn by turn.
type pair struct{ compiled, plain *Program }

// bothWays compiles a kernel.
func bothWays(t *testing.T, text string, o machine.Options) pair {
	t.Helper()
	k := lower(t, text)
	lowered.Lock()
	defer lowered.Unlock()
	p, ok := lowered.pairs[o]
	if !ok {
		p = pair{Compile(k, o), Compile(k, o)}
		p.plain.Body, _ = plain(p.plain.Body)
		if lowered.pairs == nil {
			lowered.pairs = map[machine.Options]pair{}
		}
		lowered.pairs[o] = p
	}
	return p
}

// floats are n different floats of both signs, whose sums are rounded.
func floats(n int) []byte {
	w := make([]uint32, n)
	for i := range w {
		w[i] = math.Float32bits(float32(i%13-6) / 7 * float32(1+i%5))
	}
	return littleEndian(w)
}

func littleEndian(w []uint32) (b []byte) {
	for _, x := range w {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}
