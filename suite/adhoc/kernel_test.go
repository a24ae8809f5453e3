package adhoc

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"

	"github.com/google/go-cmp/cmp"
)

const preamble = "#include <metal_stdlib>\nusing namespace metal;\n"

// kernelsOf are the kernels of a source with what is given.
func kernelsOf(t *testing.T, text string, given Spec) []Kernel {
	t.Helper()
	p, err := metalrun.Analyse(metalrun.SourceText("a.metal", preamble+text), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := Kernels(p, &given)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The launches of a kernel differ along what it can tell apart, and say what they
// take for granted.
func TestLaunches(t *testing.T) {
	for _, c := range []struct {
		name, text string
		given      Spec
		guessed    [][]string
		stated     []string // of each launch
	}{
		{"no position", "kernel void f(device float *x) { x[0] = 1; }", Spec{},
			[][]string{{"-grid 1", "-threads 1", "-elements 1024", "-range 0.5,1.5", "-seed 1"}}, nil},
		{"elementwise", "kernel void f(device float *x, constant uint &n, uint i [[thread_position_in_grid]]) { if " +
			"(i < n) x[i] = 1; }", Spec{},
			[][]string{
				{"-grid 1", "-threads 256", "-elements 1024", "-arg n=64", "-range 0.5,1.5", "-seed 1"},
				{"-grid 4", "-threads 256", "-elements 1024", "-arg n=64", "-range 0.5,1.5", "-seed 1"},
				{"-total 939", "-threads 256", "-elements 1024", "-arg n=64", "-range 0.5,1.5", "-seed 1"},
			}, nil},
		{"two of three axes",
			"kernel void f(device float *x, uint3 i [[thread_position_in_grid]]) { x[i.y * 64 + i.z] = 1; }", Spec{},
			[][]string{
				{"-grid 1", "-threads 1,16,16", "-elements 1024", "-range 0.5,1.5", "-seed 1"},
				{"-grid 1,3,2", "-threads 1,16,16", "-elements 1024", "-range 0.5,1.5", "-seed 1"},
				{"-total 1,43,27", "-threads 1,16,16", "-elements 1024", "-range 0.5,1.5", "-seed 1"},
			}, nil},
		{"threadgroup memory",
			`kernel void f(device float *x, threadgroup float *a, threadgroup half *b,
				uint r [[threadgroup_position_in_grid]],
			uint t [[thread_index_in_threadgroup]]) { a[t] = 1; b[t] = 1; x[r * 256 + t] = a[t]; }`,
			Spec{Memory: map[int]int{1: 1024}},
			[][]string{
				{"-grid 1", "-threads 256", "-elements 1024", "-local 0=31744", "-range 0.5,1.5", "-seed 1"},
				{"-grid 4", "-threads 256", "-elements 1024", "-local 0=31744", "-range 0.5,1.5", "-seed 1"},
			}, []string{"-local 1=1024"}},
		{"one simdgroup", "kernel void f(device float *x) { x[simd_sum(1) > 0] = 1; }", Spec{},
			[][]string{{"-grid 1", "-threads 32", "-elements 1024", "-range 0.5,1.5", "-seed 1"}}, nil},
		{"size of the source",
			"[[max_total_threads_per_threadgroup(96)]] kernel void f(device float *x, uint t " +
				"[[thread_index_in_threadgroup]]) { x[t] = 1; }", Spec{},
			[][]string{{"-grid 1", "-threads 96", "-elements 1024", "-range 0.5,1.5", "-seed 1"}}, nil},
		{"members and constants", `constant uint w [[function_constant(0)]];
			constant bool on [[function_constant(1)]];
			constant float b [[function_constant(2)]]; constant uint c [[function_constant(3)]];
			constant uint d = is_function_constant_defined(c) ? c : 1;
			struct P { uint n; float s; }; kernel void f(device float *x, constant P &p) { x[p.n] = on ? p.s * w : b + d; }`,
			Spec{Args: map[string]float64{"p.n": 5}, Constants: map[string]string{"0": "7"}, Outputs: []string{"x"},
				Size: 9},
			[][]string{{"-grid 1", "-threads 1", "-elements 1024", "-arg p.s=1", "-range 0.5,1.5", "-seed 1",
				"-constant on=true", "-constant b=1"}},
			[]string{"-output x", "-arg p.n=5", "-constant w=7"}},
		{"all stated",
			"kernel void f(device float *x, constant int *t, uint i [[thread_position_in_grid]]) { x[i] = t[1]; }",
			Spec{Args: map[string]float64{"x": 512, "t[1]": 3}, Elements: 16, Size: 8, Floats: &Interval{-1, 1},
				Seed:    new(uint64(7)),
				Threads: metalrun.Size{X: 300, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 128, Y: 1, Z: 1}},
			[][]string{nil}, []string{"-total 300", "-threads 128", "-arg x=512", "-elements 16", "-size 8",
				"-range -1,1", "-seed 7", "-arg t[1]=3"}},
		{"indices",
			"struct B { half d; uchar q[16]; }; kernel void f(device B *x, device float *y) { y[x[0].q[0]] = 1; }",
			Spec{},
			[][]string{{"-grid 1", "-threads 1", "-elements 1024", "-size 64", "-range 0.5,1.5", "-seed 1"}}, nil},
		{"integers and booleans", "kernel void f(device int *x, device const bool *b) { x[0] = b[0]; }", Spec{},
			[][]string{{"-grid 1", "-threads 1", "-elements 1024", "-size 64", "-seed 1"}}, nil},
		{"nothing drawn", "kernel void f(device atomic_int *x, constant uint *n) { atomic_store_explicit(x, n[0], " +
			"memory_order_relaxed); }", Spec{},
			[][]string{{"-grid 1", "-threads 1", "-elements 1024", "-size 64"}}, nil},
		{"arrays of any length behind structs", `struct B { uint n; float4 s; float data[1]; };
			kernel void f(device B &x, device const B &y, uint i [[thread_position_in_grid]]) { if (i < y.n) x.data[i] = y.data[i]; }`,
			Spec{Args: map[string]float64{"y.data": 30}, Outputs: []string{"x"},
				Threads: metalrun.Size{X: 5, Y: 1, Z: 1}},
			[][]string{{"-threads 256", "-elements 1024", "-arg y.n=64", "-arg y.s=1", "-size 64", "-range 0.5,1.5",
				"-seed 1"}},
			[]string{"-total 5", "-output x", "-arg y.data=30"}},
		{"pointers to one struct and to lists",
			`struct P { uint n; float s; }; kernel void f(device float *x, constant P *p,
				device const uint *list, device const P *many, uint i [[thread_position_in_grid]]) {
			if (i < list[1]) x[many[i].n] = p->s * p->n; }`,
			Spec{Args: map[string]float64{"p.n": 5}, Threads: metalrun.Size{X: 5, Y: 1, Z: 1}},
			[][]string{{"-threads 256", "-elements 1024", "-arg p.s=1", "-size 64", "-range 0.5,1.5", "-seed 1"}},
			[]string{"-total 5", "-arg p.n=5"}},
		{"sizes of buffers", `struct P { uint n; float data[1]; }; struct S { uint x, y; }; typedef float list[1];
			kernel void f(device list &x, device const P &y, constant S &s, constant uint4 &more, uint i [[thread_position_in_grid]]) {
			if (i < 1 + (s.x - 0 - 4) / 4) x[i] = i < 1 + (s.y - 4 - 4) / 4 ? y.data[i] : 0; else x[min(i, more.y / 4 - 1)] = 1; }`,
			Spec{Args: map[string]float64{"y.data": 30}, Threads: metalrun.Size{X: 5, Y: 1, Z: 1}},
			[][]string{{"-threads 256", "-elements 1024", "-arg y.n=64", "-arg s.x=4096", "-arg s.y=124",
				"-arg more=64", "-arg more[1]=4096", "-range 0.5,1.5", "-seed 1"}},
			[]string{"-total 5", "-arg y.data=30"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kernelsOf(t, c.text, c.given)[0]
			launches := k.Launches(k.Threadgroups(max(k.Info.MaxThreads, 1))[0])
			var guessed [][]string
			for _, l := range launches {
				guessed = append(guessed, l.Guessed)
				if diff := cmp.Diff(c.stated, l.Given); diff != "" {
					t.Errorf("given (-want +got):\n%s", diff)
				}
			}
			if diff := cmp.Diff(c.guessed, guessed); diff != "" {
				t.Errorf("guessed (-want +got):\n%s", diff)
			}
		})
	}
}

// An array of any length follows its struct in one buffer, which is as long as the struct at least, and grows by what
// an access needs behind the struct.
func TestTail(t *testing.T) {
	k := kernelsOf(t, `struct B { uint n; float4 s; float data[1]; };
		kernel void f(device B &x, device const B &y) { x.data[0] = y.data[y.n]; }`,
		Spec{Floats: &Interval{2, 3}, Args: map[string]float64{"y.n": 7, "y.s": 9, "y.data": 5, "x.data": 1}})[0]
	at := func(b metalrun.Binding, offset int) float64 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b.Data[offset:])))
	}
	d := k.Launches(metalrun.Size{X: 1, Y: 1, Z: 1})[0].Dispatch()
	if len(d.Bindings) != 2 || d.Bindings[0].Length != 48 || d.Bindings[1].Length != 64 {
		t.Fatalf("got %d buffers, the first two of %d and %d bytes, want 2 of 48 and 64", len(d.Bindings),
			d.Bindings[0].Length, d.Bindings[1].Length)
	}
	y := d.Bindings[1]
	if n := binary.LittleEndian.Uint32(y.Data); n != 7 || at(y, 16) != 9 {
		t.Errorf("got y.n = %d, y.s = %v, want 7 and 9", n, at(y, 16))
	}
	for i := range 5 {
		if x := at(y, 32+4*i); !(2 <= x && x < 3) {
			t.Errorf("y.data[%d] = %v", i, x)
		}
	}
	delete(k.spec.Args, "y.data")
	fault := &metalrun.Fault{Kind: metalrun.OutOfRange,
		Access: &metalrun.Access{Object: metalrun.Object{Table: "buffer", Index: 1}, Offset: 32 + 4*4096, Bytes: 4}}
	if !k.Grow(fault) || k.Learnt()["y.data"] < 4097 {
		t.Errorf("after an access to element 4096: %v", k.Learnt())
	}
}

// Buffers hold what their types and what is given say.
func TestData(t *testing.T) {
	k := kernelsOf(t, `struct P { uint n; half s; };
		kernel void f(device float *x, device const uchar *q, device const bool *b, device atomic_int *a, constant P &p, constant short *t, device void *v, device P &r, constant uchar3 &w) {}`,
		Spec{Elements: 100, Size: 10, Floats: &Interval{-2, -1},
			Args: map[string]float64{"p.s": -0.5, "t[3]": -4, "v": 7, "w[1]": 2}})[0]
	d := k.Launches(metalrun.Size{X: 1, Y: 1, Z: 1})[0].Dispatch()
	data := map[int][]byte{}
	for _, b := range d.Bindings {
		data[b.Index] = b.Data
	}
	for i := range 100 {
		if x := math.Float32frombits(binary.LittleEndian.Uint32(data[0][4*i:])); !(-2 <= x && x < -1) {
			t.Fatalf("x[%d] = %v", i, x)
		}
	}
	for i := 0; i < 100; i += 10 {
		ten := slices.Sorted(slices.Values(data[1][i : i+10]))
		if diff := cmp.Diff([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, ten); diff != "" {
			t.Fatalf("q[%d:%d] (-want +got):\n%s", i, i+10, diff)
		}
	}
	if slices.Max(data[2]) != 1 || slices.Min(data[2]) != 0 {
		t.Errorf("booleans from %d to %d", slices.Min(data[2]), slices.Max(data[2]))
	}
	if slices.Max(data[3]) != 0 {
		t.Error("atomics do not begin at zero")
	}
	for index, want := range map[int][]byte{4: {10, 0, 0, 0, 0, 0xb8, 0, 0},
		5: {10, 0, 10, 0, 10, 0, 0xfc, 0xff, 10, 0}, 8: {10, 2, 10}} {
		if diff := cmp.Diff(want, data[index][:len(want)]); diff != "" {
			t.Errorf("buffer %d (-want +got):\n%s", index, diff)
		}
	}
	var sizes []int
	for _, b := range d.Bindings {
		sizes = append(sizes, b.Length)
	}
	if diff := cmp.Diff([]int{400, 100, 100, 400, 8, 200, 28, 8, 4}, sizes); diff != "" {
		t.Errorf("bytes (-want +got):\n%s", diff)
	}
	first := map[int][]byte{}
	for i, b := range data {
		first[i] = slices.Clone(b)
		clear(b) // as a kernel may that casts const away, too
	}
	for _, b := range k.Launches(metalrun.Size{X: 1, Y: 1, Z: 1})[0].Dispatch().Bindings {
		if diff := cmp.Diff(first[b.Index], b.Data); diff != "" {
			t.Errorf("buffer %d a second time (-first +second):\n%s", b.Index, diff)
		}
	}
}

// What is passed as the size of a buffer follows its length, unless it is stated.
func TestSizesOfBuffers(t *testing.T) {
	for _, c := range []struct {
		given Spec
		want  uint32
	}{{Spec{}, 4096}, {Spec{Args: map[string]float64{"x": 10}}, 40}, {Spec{Args: map[string]float64{"s.n": 12}}, 12}} {
		k := kernelsOf(t,
			`struct S { uint n; }; kernel void f(device float *x, constant S &s,
				uint i [[thread_position_in_grid]]) `+
				`{ if (i < s.n / 4) x[i] = 1; }`, c.given)[0]
		d := k.Launches(metalrun.Size{X: 1, Y: 1, Z: 1})[0].Dispatch()
		if got := binary.LittleEndian.Uint32(d.Bindings[1].Data); got != c.want {
			t.Errorf("%v: size %d, want %d", c.given.Args, got, c.want)
		}
	}
}

// A long buffer repeats its beginning up to the end.
func TestPeriod(t *testing.T) {
	k := kernelsOf(t, "kernel void f(device packed_half3 *x) {}", Spec{Elements: 5*period + 3})[0]
	data := k.Launches(metalrun.Size{X: 1, Y: 1, Z: 1})[0].Dispatch().Bindings[0].Data
	if len(data) != 6*(5*period+3) {
		t.Fatalf("%d bytes", len(data))
	}
	for i := range data {
		if data[i] != data[i%(6*period)] {
			t.Fatalf("byte %d differs from the one a period before", i)
		}
	}
}

func TestInvalidSpec(t *testing.T) {
	const text = preamble + "constant bool on [[function_constant(0)]]; kernel void f(device float *x, constant uint " +
		"&n) { x[n] = on; }"
	p, err := metalrun.Analyse(metalrun.SourceText("a.metal", text), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		given Spec
		want  string
	}{
		{Spec{Args: map[string]float64{"n": 1.5}}, "n is an integer and cannot be 1.5"},
		{Spec{Args: map[string]float64{"x": 1 << 28}},
			"x is a buffer of float: 2.68435456e+08 is no number of elements"},
		{Spec{Args: map[string]float64{"x": -1}}, "x is a buffer of float: -1 is no number of elements"},
		{Spec{Constants: map[string]string{"on": "2"}}, `function constant on of type bool cannot be "2"`},
	} {
		list, _, err := Kernels(p, &c.given)
		if err == nil {
			err = list[0].Mistake()
		}
		var invalid *InvalidSpec
		if !errors.As(err, &invalid) || err.Error() != c.want {
			t.Errorf("%v: error %v, want %s", c.given, err, c.want)
		}
	}
}

func TestKnows(t *testing.T) {
	k := kernelsOf(t,
		"struct alignas(16) P { uint n; half2 h; union { int i; float f; } u; uint twice() const { return 2 * n; } "+
			"}; kernel void f(device float *x, constant P &p, constant int *t, threadgroup int *m) {}", Spec{})[0]
	for name, want := range map[string]bool{"x": true, "p.n": true, "t": true, "t[12]": true, "p.h": true,
		"p.h[1]": true, "p.h[2]": false, "p.n[0]": false, "p.u": true, "p.u.i": false, "p": false, "n": false,
		"x[1]": false, "t[]": false, "t[-1]": false, "m": false} {
		if got := k.Knows(name); got != want {
			t.Errorf("knows %s: %v, want %v", name, got, want)
		}
	}
	if diff := cmp.Diff([]string{"0"}, k.Memory()); diff != "" {
		t.Errorf("memory (-want +got):\n%s", diff)
	}
}

// TestLists has buffers of scalars, which the source indexes by numbers alone, and lengths that a launch
// has shown to be too short.
func TestLists(t *testing.T) {
	const source = `kernel void pick(device const uint* params [[buffer(0)]],
		device const uint* index [[buffer(1)]], device float* y [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    if (i < params[0] * params[1]) {
        y[index[i] + params[ 2u ]] = params[0];
    }
}
`
	program, err := metalrun.Analyse(metalrun.SourceText("pick.metal", source),
		metalrun.CompileOptions{LanguageVersion: metalrun.DefaultVersion})
	if err != nil {
		t.Fatal(err)
	}
	kernels, _, err := Kernels(program, &Spec{Args: map[string]float64{"params[1]": 7}})
	if err != nil {
		t.Fatal(err)
	}
	k := kernels[0]
	words := map[string][3]uint32{}
	for i, b := range k.Launches(metalrun.Size{X: 1, Y: 1, Z: 1})[0].Dispatch().Bindings {
		for j := range 3 {
			w := words[k.params[i].Name]
			w[j] = binary.LittleEndian.Uint32(b.Data[4*j:])
			words[k.params[i].Name] = w
		}
	}
	if got, want := words["params"], [3]uint32{defaultSize, 7, defaultSize}; got != want {
		t.Errorf("params hold %v, want %v", got, want)
	}
	if got := words["index"]; got == [3]uint32{defaultSize, defaultSize, defaultSize} {
		t.Errorf("index, which has more than numbers for indices, holds %v", got)
	}
	if !k.Knows("params[2]") || k.Knows("index[2]") {
		t.Error("params has elements to be stated, and index has none")
	}
	leaves := func(index int, at int64) *metalrun.Fault {
		return &metalrun.Fault{Kind: metalrun.OutOfRange,
			Access: &metalrun.Access{Object: metalrun.Object{Table: "buffer", Index: index}, Offset: at, Bytes: 4}}
	}
	grown := k.Grow(leaves(2, 4*defaultElements))
	n, _ := k.count(k.params[2])
	if !grown || n <= defaultElements {
		t.Errorf("y has %d elements after a launch that needed %d", n, defaultElements+1)
	}
	misaligned := leaves(2, 4*defaultElements)
	misaligned.Kind = metalrun.Misaligned
	for name, fault := range map[string]*metalrun.Fault{
		"beyond what a guess may take": leaves(2, mostBytes), "for an access before it": leaves(2, -4),
		"for a misaligned access": misaligned,
	} {
		if k.Grow(fault) {
			t.Errorf("y grows %s", name)
		}
	}
}

// What buffers of guessed sizes take together is bounded, at first, as they grow, and where one element of each is
// more; so is what is stated.
func TestBytesTogether(t *testing.T) {
	many := func(typ string) string {
		args := make([]string, 31)
		for i := range args {
			args[i] = fmt.Sprintf("device %s *b%d [[buffer(%d)]]", typ, i, i)
		}
		return "struct S { int a[100000]; }; struct L { int a[1000000]; }; kernel void f(" + strings.Join(args, ", ") +
			") {}"
	}
	k := kernelsOf(t, many("S"), Spec{})[0]
	if n := k.bytes(false); n > firstBytes {
		t.Errorf("%d bytes at first, want at most %d", n, firstBytes)
	}
	for i := range k.params {
		at := &metalrun.Access{Object: metalrun.Object{Table: "buffer", Index: i}, Offset: mostBytes - 1<<20, Bytes: 4}
		k.Grow(&metalrun.Fault{Kind: metalrun.OutOfRange, Access: at})
	}
	if n := k.bytes(false); n <= mostBytes || n > mostTogether {
		t.Errorf("%d bytes once all have grown, want more than %d and at most %d", n, mostBytes, mostTogether)
	}
	if why := k.Unfilled(); why != "" {
		t.Error(why)
	}
	large := kernelsOf(t, many("L"), Spec{})[0]
	if why := large.Unfilled(); !strings.Contains(why, "124000000 bytes together") {
		t.Errorf("an element of each: got %q", why)
	}
	stated := kernelsOf(t, many("L"), Spec{Elements: 10})[0]
	if err := stated.Mistake(); err == nil ||
		!strings.Contains(err.Error(), "take 1240000000 bytes together, want at most 1073741824") {
		t.Errorf("stated: got %v", err)
	}
}

// Where a kernel compares a position with nothing, a host may launch one threadgroup, as long as there are several
// along another axis. Elements lie as close as what is stored, in one of the guesses in which strides lie apart; and
// all lengths are one if one of them is.
func TestOtherGuesses(t *testing.T) {
	const text = `#include <metal_stdlib>
using namespace metal;
struct P { int n, m; ulong nb0, nb1; };
kernel void f(constant P &p [[buffer(0)]], device const float4 *x [[buffer(1)]], device char *y [[buffer(2)]], uint3 g [[threadgroup_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
    if (int(g.y) >= p.m) return;
    for (int i = t; i < p.n; i += 32) *(device half *)(y + (g.x + g.y) * p.nb1 + i * p.nb0) = half(x[i].x);
}`
	p, err := metalrun.Analyse(metalrun.SourceText("a.metal", text), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	list, _, err := Kernels(p, &Spec{})
	if err != nil {
		t.Fatal(err)
	}
	k, of := &list[0], metalrun.Size{X: 32, Y: 1, Z: 1}
	launches := k.Launches(of)
	var grids []string
	for _, l := range launches[len(launches)-1].Unguarded([3]bool{true, true, true}) {
		grids = append(grids, l.Grid())
	}
	if diff := cmp.Diff([]string{"-grid 1,2"}, grids); diff != "" {
		t.Errorf("grids (-want +got):\n%s", diff)
	}
	var elements []string
	for _, o := range k.Otherwise(of) {
		for _, flag := range o.Stated {
			if o.Apart && strings.HasPrefix(flag, "-arg p.nb0=") && !slices.Contains(elements, flag) {
				elements = append(elements, flag)
			}
		}
	}
	if diff := cmp.Diff([]string{"-arg p.nb0=8", "-arg p.nb0=2"}, elements); diff != "" {
		t.Errorf("bytes between elements (-want +got):\n%s", diff)
	}
	alike := k.Lengths()[0].Alike()
	if n, m := alike.spec.guesses["p.n"], alike.spec.guesses["p.m"]; n != 13 || m != 13 {
		t.Errorf("lengths of %v and %v, want 13", n, m)
	}
}
