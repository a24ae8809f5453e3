package simt

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/internal/simt/machine"
)

// settledForms are kernels, and whether a launch settles any of their instructions.
var settledForms = []struct {
	name, text string
	settled    bool
}{
	{"argument", "out[i] = p[0] * 3 + group;", true},
	{"extent of the grid", "out[i] = grid + 1 + group;", true},
	{"in a loop", "uint v = group; for (uint k = 0; k < group; k++) v += p[1] * 5; out[i] = v;", true},
	{"in a branch", "if (group > 1) out[i] = p[0] * 7 + i; else out[i] = p[1] * 9;", true},
	{"actual size of the threadgroup", "out[i] = size * 3;", false},
	{"position of the threadgroup", "out[i] = group * 3;", false},
	{"variable", "uint v = 2; if (group > 0) v = p[0]; out[i] = v * 3;", false},
	{"memory that is written", "out[i] = w[0] * 3;", false},
	{"condition", "if (p[0] == 2) out[i] = p[1] + group; else out[i] = group;", true},
	{"condition that does not hold", "if (p[0] == 3) out[i] = p[1] + group; else out[i] = group + 1;", true},
	{"function that is left", "out[i] = chosen(p[0], i) + chosen(p[1], group);", true},
	{"function that is left in a loop", "out[i] = found(p[0], i) + found(p[1], group);", true},
	{"function that some threads leave", "out[i] = p[0] == 2 ? mixed(i, p[1]) : 9;", true},
	{"loop that is left",
		"uint v = 0; for (uint k = 0; k < 9; k++) { if (p[0] == 2) { v += i; if (k == group) break; } v += p[1]; } " +
			"out[i] = v;", true},
	{"turn that is left", "uint v = 0; for (uint k = i; k < 60; k += 7) { if (p[1] == 3 && k % 2 == 0) continue; v " +
		"+= k; } out[i] = v;", true},
	{"kernel that is left", "out[i] = 1; if (p[0] == 2) { out[i] = group; return; } out[i] = 7;", true},
	{"later threadgroups alone", "out[i] = i; if (group > 250) { if (p[0] == 2) out[i] = p[1] * i; else out[i] = 0; }",
		true},
	{"later threadgroups, a look later",
		"uint v = 0; for (uint k = 0; k * p[0] < 40; k++) v += k; out[i] = v; if (group > 60) { if (p[0] == 2) " +
			"out[i] = p[1] * i; }", true},
	{"some threadgroups alone", "uint v = i; if (group % 9 == 1) { if (p[1] > p[0]) v = p[1] * 3; } out[i] = v + p[0];",
		true},
}

func settledKernel(text string) string {
	return `#include <metal_stdlib>
using namespace metal;
static uint chosen(uint which, uint v) {
    if (which == 3) return v * 3;
    if (which == 2) { if (v > 9) return v + 5; return v; }
    return 0;
}
static uint found(uint step, uint v) {
    for (uint k = 0; k < 12; k += step) { if (step == 3 && k * 3 > v) return k; }
    return v;
}
static uint mixed(uint v, uint which) {
    if (v % 3 == 1) return v * which;
    if (which == 3) return 4;
    return 5;
}
kernel void f(device uint* out, device const uint* w, constant uint* p, uint i [[thread_position_in_grid]], uint group [[threadgroup_position_in_grid]],
              uint size [[threads_per_threadgroup]], uint grid [[threads_per_grid]]) {
    ` + text + `
}`
}

// TestSettled compares launches with the definition, where buffers share bytes, too.
func TestSettled(t *testing.T) {
	for _, f := range settledForms {
		t.Run(f.name, func(t *testing.T) {
			agreeSettled(t, f.text, f.settled)
		})
	}
}

// agreeSettled compares launches of a kernel, and how much they execute where something is settled and where it is not.
func agreeSettled(t *testing.T, text string, settled bool) {
	t.Helper()
	const threads, group = 1199, 4 // so many threadgroups that the body changes; the last one is smaller
	k := lower(t, settledKernel(text))
	buffers := func() map[int][]byte {
		return map[int][]byte{0: make([]byte, 4*threads), 1: littleEndian([]uint32{11}),
			2: littleEndian([]uint32{2, 3})}
	}
	want := buffers()
	if err := eval.Run(k, eval.Launch{Threads: [3]int{threads, 1, 1}, ThreadsPerThreadgroup: [3]int{group, 1, 1},
		Buffers: want, Steps: 1 << 20}); err != nil {
		t.Fatal(err)
	}
	p := Compile(k, machine.Options{Workers: 1})
	if settles := p.Invariants > 0; settles != settled {
		t.Errorf("settles something: %v", settles)
	}
	var executed []int64
	for _, more := range []int{1, 8} { // bindings of buffer 1
		b := buffers()
		var n atomic.Int64
		l := Launch{Threads: machine.Size{threads, 1, 1}, PerGroup: machine.Size{group, 1, 1}, Executed: &n,
			Buffers: []machine.Buffer{{Index: 0, Bytes: b[0]}, {Index: 2, Bytes: b[2]}, {Index: 1, Bytes: b[1]}}}
		if more != 1 {
			l.Buffers = append(l.Buffers, machine.Buffer{Index: more, Bytes: b[1]})
		}
		if err := p.Run(l); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(words(want[0]), words(b[0])); diff != "" {
			t.Errorf("out (-want +got):\n%s", diff)
		}
		executed = append(executed, n.Load())
	}
	if executed[0] != executed[1] {
		t.Errorf("%d instructions, and %d where nothing is settled", executed[0], executed[1])
	}
}

// TestSettledArgument writes what a constant argument shares with another buffer: every threadgroup
// has to see what the one before has left.
func TestSettledArgument(t *testing.T) {
	const groups = 4
	b := littleEndian([]uint32{0})
	p := Compile(lower(t, settledKernel("out[0] = p[0] * 2 + 1;")), machine.Options{Workers: 1})
	l := Launch{Threads: machine.Size{groups, 1, 1}, PerGroup: machine.Size{1, 1, 1},
		Buffers: []machine.Buffer{{Index: 0, Bytes: b}, {Index: 1, Bytes: make([]byte, 4)}, {Index: 2, Bytes: b}}}
	if err := p.Run(l); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint32{15}, words(b)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestFlattened counts the branches and functions that are left once threadgroups have run.
func TestFlattened(t *testing.T) {
	const groups = machine.FirstSpecialisation
	for _, f := range []struct {
		text   string
		remain int
	}{
		{"if (p[0] == 2) out[i] = p[1] + group; else out[i] = group;", 0},
		{"out[i] = chosen(p[1], i) + chosen(p[1], group);", 0},
		{"out[i] = chosen(p[0], group);", 2}, // the function and its inner branch
		{"if (group > 0) out[i] = 3; else out[i] = 4;", 1},
	} {
		p := Compile(lower(t, settledKernel(f.text)), machine.Options{})
		buffers, _ := machine.Bind([]machine.Buffer{{Index: 0, Bytes: make([]byte, 4*groups)},
			{Index: 1, Bytes: make([]byte, 4)}, {Index: 2, Bytes: littleEndian([]uint32{2, 3})}})
		l := &machine.Dispatch{Groups: machine.Size{groups, 1, 1}, Threads: machine.Size{groups, 1, 1},
			PerGroup: machine.Size{1, 1, 1}}
		m := machine.NewMachine(p.Program, l, buffers, 1)
		for i := range groups {
			if err := m.RunGroup(i); err != nil {
				t.Fatal(err)
			}
		}
		if n := countDecisions(m.Body); n != f.remain {
			t.Errorf("%s: %d branches and functions are left, want %d", f.text, n, f.remain)
		}
	}
}

func countDecisions(l machine.List) (n int) {
	for _, x := range l {
		switch x := x.(type) {
		case *machine.UniformIf:
			n += 1 + countDecisions(x.Then) + countDecisions(x.Alse)
		case *machine.Block:
			n += 1 + countDecisions(x.Body)
		}
	}
	return n
}

// TestTightLoops tells loops that are tight from others; launches of all of them agree with the definition.
func TestTightLoops(t *testing.T) {
	for _, f := range []struct {
		name, text string
		tight      bool
	}{
		{"test on a product", "uint v = 0; for (uint k = 0; k * 3 < group; k++) v += k * i; out[i] = v;", true},
		{"no body", "uint k = 0; while (k * k < group) k++; out[i] = k + i;", true},
		{"what the launch settles", "uint v = 0; for (uint k = 0; k * p[0] < group; k++) v += p[1] * i; out[i] = v;",
			false},
		{"branch in the body",
			"uint v = 0; for (uint k = 0; k * 3 < group; k++) { if (i % 2 == 0) v += k; } out[i] = v;", false},
		{"each thread for itself", "uint v = 0; for (uint k = 0; k * 3 < i; k++) v += k; out[i] = v;", false},
		{"left in its body",
			"uint v = 0; for (uint k = 0; k * 3 < group; k++) { v += i; if (v > 50) break; } out[i] = v;", false},
	} {
		t.Run(f.name, func(t *testing.T) {
			p := Compile(lower(t, settledKernel(f.text)), machine.Options{})
			tight := slices.ContainsFunc(p.Body,
				func(n machine.Node) bool { _, is := n.(*machine.TightLoop); return is })
			if tight != f.tight {
				t.Errorf("tight: %v", tight)
			}
			agreeSettled(t, f.text, p.Invariants > 0)
		})
	}
}
