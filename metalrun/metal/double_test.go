//go:build linux && metaldouble

package metal_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/metal"
	"metalconform/metalrun/metal/fake"
)

// newRunner opens the runner under test. Command faults puts others in its place.
var newRunner = metal.New

// open is a runner on the double, under a plan of what goes wrong. In the end nothing
// of it is left.
func open(t *testing.T, plan string) metalrun.Runner {
	t.Helper()
	before := fake.Live()
	fake.Plan("")
	r, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	fake.Plan(plan)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		fake.Plan("")
		if n := fake.Live() - before; n != 0 {
			t.Errorf("%d objects of Metal are left", n)
		}
	})
	return r
}

func analyse(t *testing.T, text string, opts metalrun.CompileOptions) *metalrun.Program {
	t.Helper()
	p, err := metalrun.Analyse(metalrun.SourceText("k.metal", text), opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// kernel is an entry point of a source, which is released in the end.
func kernel(t *testing.T, r metalrun.Runner, text, name string, opts metalrun.CompileOptions) metalrun.Kernel {
	t.Helper()
	l, err := r.Compile(analyse(t, text, opts))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Release)
	k, err := l.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func words(x ...uint32) []byte {
	var data []byte
	for _, v := range x {
		data = binary.LittleEndian.AppendUint32(data, v)
	}
	return data
}

func whole(index int, data []byte) metalrun.Binding {
	return metalrun.Binding{Index: index, Data: data, Length: len(data)}
}

// count adds 1 to every word, and the plan's faults have its name.
const count = "kernel void count(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 1; }\n" +
	"kernel void other(device uint *x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] += 2; }\n"

func counting(data []byte) metalrun.Dispatch {
	return metalrun.Dispatch{
		Bindings: []metalrun.Binding{whole(0, data)},
		Threads:  metalrun.Size{X: len(data) / 4, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 1, Y: 1, Z: 1},
	}
}

// TestDispatch has every kind of binding and both kinds of grid, with an extent of its
// own in each direction.
func TestDispatch(t *testing.T) {
	const source = `kernel void where(device uint *out [[buffer(5)]], constant uint *p [[buffer(3)]],
		device const uint *in [[buffer(1)]],
  constant uint &add [[buffer(0)]], device uint *none [[buffer(7)]], device uint *nowhere [[buffer(8)]],
  threadgroup uint *s [[threadgroup(2)]], threadgroup uint *u [[threadgroup(1)]],
  uint3 at [[thread_position_in_grid]], uint3 n [[threads_per_grid]], uint3 per [[threads_per_threadgroup]],
	uint3 of [[threadgroups_per_grid]]) {
  s[0] = 100 * at.z + 10 * at.y + at.x;
  u[4] = in[0];
  uint i = (at.z * n.y + at.y) * n.x + at.x;
  out[i] = s[0] + 1000 * p[1] + 100000 * add + 1000000 * u[4];
  if (i == 0) { out[60] = per.x + 10 * per.y + 100 * per.z; out[61] = of.x + 10 * of.y + 100 * of.z; }
}`
	r := open(t, "")
	k := kernel(t, r, source, "where", metalrun.CompileOptions{})
	for _, d := range []metalrun.Dispatch{
		{Threads: metalrun.Size{X: 3, Y: 4, Z: 5}, ThreadsPerThreadgroup: metalrun.Size{X: 1, Y: 1, Z: 1}},
		{Threadgroups: metalrun.Size{X: 3, Y: 2, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 1, Y: 2, Z: 5}},
	} {
		out := bytes.Repeat([]byte{0xa5}, 16+62*4+8)
		in := append(bytes.Repeat([]byte{1}, 8), words(4)...)
		d.Bindings = []metalrun.Binding{
			{Index: 5, Data: out, Offset: 16, Length: 62 * 4},
			{Index: 1, Data: in, Offset: 8, Length: 4},
			{Index: 3, Data: words(9, 3), Offset: 0, Length: 8, Inline: true},
			{Index: 0, Data: append(make([]byte, 5000), words(7)...), Offset: 5000, Length: 4, Inline: true},
			{Index: 7, Data: nil},
			{Index: 8, Data: words(1, 2), Offset: 8},
		}
		d.ThreadgroupMemory = []int{0, 20, 4}
		if d.Threads.X == 0 { // one thread writes what all its group reads: give each its own
			d.ThreadsPerThreadgroup = metalrun.Size{X: 1, Y: 1, Z: 1}
			d.Threadgroups = metalrun.Size{X: 3, Y: 4, Z: 5}
		}
		outcome, err := k.Run(d)
		if err != nil {
			t.Fatal(err)
		}
		if outcome.Duration <= 0 || outcome.Clock != "" {
			t.Errorf("it took %v by the clock %q", outcome.Duration, outcome.Clock)
		}
		var want []uint32
		for z := range uint32(5) {
			for y := range uint32(4) {
				for x := range uint32(3) {
					want = append(want, 100*z+10*y+x+1000*3+100000*7+1000000*4)
				}
			}
		}
		want = append(want, 111, 543)
		if diff := cmp.Diff(words(want...), out[16:16+62*4]); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", d.Threads, diff)
		}
		if !bytes.Equal(out[:16], bytes.Repeat([]byte{0xa5}, 16)) ||
			!bytes.Equal(out[16+62*4:], bytes.Repeat([]byte{0xa5}, 8)) {
			t.Error("bytes around the window have changed")
		}
	}
}

// TestGroups has threadgroups of several threads.
func TestGroups(t *testing.T) {
	r := open(t, "")
	k := kernel(t, r,
		`kernel void k(device uint *x [[buffer(0)]], uint3 per [[threads_per_threadgroup]],
			uint3 grid [[threads_per_grid]], uint3 at [[thread_position_in_threadgroup]],
			uint i [[thread_index_in_threadgroup]]) {
  x[i] = 100000 * grid.x + 10000 * per.x + 1000 * per.y + 100 * per.z + at.x + 4 * at.y + 12 * at.z; }`, "k",
		metalrun.CompileOptions{})
	if k.MaxThreads() != 1024 {
		t.Errorf("MaxThreads() = %d", k.MaxThreads())
	}
	data := make([]byte, 4*24)
	one, per := metalrun.Size{X: 1, Y: 1, Z: 1}, metalrun.Size{X: 4, Y: 3, Z: 2}
	for _, d := range []metalrun.Dispatch{{Threadgroups: one, ThreadsPerThreadgroup: per},
		{Threads: per, ThreadsPerThreadgroup: per}} {
		clear(data)
		d.Bindings = []metalrun.Binding{whole(0, data)}
		if _, err := k.Run(d); err != nil {
			t.Fatal(err)
		}
		for i := range uint32(24) {
			if got := binary.LittleEndian.Uint32(data[4*i:]); got != 443200+i {
				t.Fatalf("thread %d writes %d, want %d", i, got, 443200+i)
			}
		}
	}
}

// TestConstants specialises with a value of every type.
func TestConstants(t *testing.T) {
	const source = `constant float f [[function_constant(0)]]; constant int i [[function_constant(1)]];
		constant uint u [[function_constant(2)]];
constant short s [[function_constant(3)]]; constant ushort us [[function_constant(4)]]; constant char c [[function_constant(5)]];
constant uchar uc [[function_constant(6)]]; constant bool b [[function_constant(7)]]; constant long l [[function_constant(8)]]; constant ulong ul [[function_constant(900)]];
kernel void k(device float *x [[buffer(0)]]) { x[0] = f; x[1] = i; x[2] = u; x[3] = s; x[4] = us; x[5] = c; x[6] = uc; x[7] = b; x[8] = l; x[9] = ul; }`
	r := open(t, "")
	k := kernel(t, r, source, "k", metalrun.CompileOptions{FunctionConstants: map[int]any{
		0: float32(1.5), 1: int32(-2), 2: uint32(3), 3: int16(-4), 4: uint16(5), 5: int8(-6), 6: uint8(7), 7: true,
		8: int64(-9), 900: uint64(10),
	}})
	data := make([]byte, 40)
	d := counting(data)
	d.Threads.X = 1
	if _, err := k.Run(d); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float32{1.5, -2, 3, -4, 5, -6, 7, 1, -9, 10} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:])); got != want {
			t.Errorf("constant %d is %v, want %v", i, got, want)
		}
	}
}

// TestOptions looks at what the compiler is told, on macOS 15 and before.
func TestOptions(t *testing.T) {
	for _, test := range []struct {
		plan            string
		opts            metalrun.CompileOptions
		version         uint
		mode, functions uint
		want            string
	}{
		{"", metalrun.CompileOptions{}, 3<<16 + 1, 0, 1, ""},
		{"", metalrun.CompileOptions{LanguageVersion: 320, MathMode: metalrun.MathRelaxed, FastFunctions: true},
			3<<16 + 2, 1, 0, ""},
		{"", metalrun.CompileOptions{MathMode: metalrun.MathFast}, 3<<16 + 1, 2, 1, ""},
		{"macos14", metalrun.CompileOptions{}, 3<<16 + 1, 0, 1, ""},
		{"macos14", metalrun.CompileOptions{MathMode: metalrun.MathFast, FastFunctions: true}, 3<<16 + 1, 2, 0, ""},
		{"macos14", metalrun.CompileOptions{FastFunctions: true}, 0, 0, 0, "macOS 15"},
	} {
		r := open(t, test.plan)
		l, err := r.Compile(analyse(t, count, test.opts))
		if err == nil {
			l.Release()
			version, mode, functions, _ := fake.Options()
			if version != test.version || mode != test.mode || functions != test.functions {
				t.Errorf("%s %+v: version %#x, mode %d, functions %d", test.plan, test.opts, version, mode, functions)
			}
		}
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s %+v: %v, want %q", test.plan, test.opts, err, test.want)
		}
	}
}

// TestPreprocessed compiles what no run-time compiler without our files could.
func TestPreprocessed(t *testing.T) {
	files := map[string]string{
		"dir/main.metal": "#define header \"a.h\"\n#include header\n#if __has_include(\"b.h\") && defined(FROM_B)\n" +
			"kernel void k(device uint *x [[buffer(0)]]) { x[0] = FACTOR * FROM_B; }\n#endif\n",
		"dir/a.h": "#ifndef A\n#define A\n#include \"b.h\"\n#endif\n",
		"dir/b.h": "#ifndef B\n#define B\n#include \"a.h\"\n#define FROM_B 3\n#endif\n",
	}
	p, err := metalrun.Analyse(metalrun.Source{Name: "dir/main.metal", Files: files},
		metalrun.CompileOptions{Macros: map[string]string{"FACTOR": "7", "UNUSED": "caf\xe9"}})
	if err != nil {
		t.Fatal(err)
	}
	l, err := open(t, "").Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	k, err := l.Kernel("k")
	if err != nil {
		t.Fatal(err)
	}
	data := words(0)
	if _, err := k.Run(counting(data)); err != nil || !bytes.Equal(data, words(21)) {
		t.Errorf("x[0] = %v, %v, want 21", data, err)
	}
}

// TestCompilerErrors has the compiler refuse what our front end lets pass, in the words
// of two systems.
func TestCompilerErrors(t *testing.T) {
	const source = "#define ADD(x) \\\n  x += 1\n\n" +
		"kernel void k(device uint *x [[buffer(0)]]) { ADD(x[0]); uint strange = x[0]; }\n"
	for _, plan := range []string{"reject=strange", "reject=strange oldlog"} {
		_, err := open(t, plan).Compile(analyse(t, source, metalrun.CompileOptions{}))
		want := metalrun.Diagnostics{{Position: metalrun.Position{File: "k.metal", Line: 4, Col: 63}, Code: "metal",
			Message: "use of undeclared identifier 'strange'"}}
		var got metalrun.Diagnostics
		if !errors.As(err, &got) {
			t.Errorf("%s: %v is no diagnostic", plan, err)
		} else if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", plan, diff)
		}
	}
	_, err := open(t, "reject=strange mutelog").Compile(analyse(t, source, metalrun.CompileOptions{}))
	const mute = "compiling k.metal: Compiler encountered an internal error (MTLLibraryErrorDomain, code 3)"
	if err == nil || !strings.Contains(err.Error(), mute) {
		t.Errorf("a log without positions: %v", err)
	}
	l, err := open(t, "warnings").Compile(analyse(t, source, metalrun.CompileOptions{}))
	if err != nil {
		t.Fatalf("warnings beside a library: %v", err)
	}
	l.Release()
}

// TestRefusals has Metal answer nil, or no kernel, wherever it may.
func TestRefusals(t *testing.T) {
	constants := metalrun.CompileOptions{FunctionConstants: map[int]any{0: true}}
	for _, test := range []struct {
		plan string
		opts metalrun.CompileOptions
		want string
	}{
		{"refuse=newLibraryWithSource:options:error:", metalrun.CompileOptions{},
			"device unusable: it refuses even the smallest kernel (compiling control.metal: Metal gave no reason), " +
				"after compiling k.metal: Metal gave no reason"},
		{"refuse=newFunctionWithName:", metalrun.CompileOptions{}, "device unusable: it refuses even the smallest " +
			"kernel (control.metal has no kernel control), after k.metal has no kernel count"},
		{"refuse=newFunctionWithName:constantValues:error:", constants, "specialising count: Metal gave no reason"},
		{"refuse=newComputePipelineStateWithFunction:error:", metalrun.CompileOptions{},
			"device unusable: it refuses even the smallest kernel (building a pipeline of control: Metal gave no " +
				"reason), after building a pipeline of count: Metal gave no reason"},
		{"vertex@count", metalrun.CompileOptions{}, "k.metal has no kernel count: the function of that name is none"},
		{"refuse=newBufferWithBytes:length:options:", metalrun.CompileOptions{}, "device refused 8 bytes for buffer 0"},
		{"refuse=commandBufferWithDescriptor:", metalrun.CompileOptions{}, "device refused a command buffer"},
		{"refuse=computeCommandEncoder", metalrun.CompileOptions{}, "device refused a command encoder"},
		{"refuse=contents", metalrun.CompileOptions{}, "device has no contents of buffer 0"},
		{"status=5", metalrun.CompileOptions{},
			"launch lost: running count: command buffer ended in status 5 without an error"},
	} {
		t.Run(test.plan, func(t *testing.T) {
			r := open(t, test.plan)
			l, err := r.Compile(analyse(t, count, test.opts))
			if err == nil {
				defer l.Release()
				var k metalrun.Kernel
				if k, err = l.Kernel("count"); err == nil {
					_, err = k.Run(counting(words(1, 2)))
				}
			}
			if err == nil || err.Error() != test.want {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
	if _, err := newUnder("refuse=newCommandQueue"); err == nil || err.Error() != "device refused a command queue" {
		t.Errorf("no queue: %v", err)
	}
}

// newUnder opens a runner that may fail; what it leaves counts as a failure too.
func newUnder(plan string) (metalrun.Runner, error) {
	before := fake.Live()
	fake.Plan(plan)
	defer fake.Plan("")
	r, err := newRunner()
	if n := fake.Live() - before; err != nil && n != 0 {
		return r, fmt.Errorf("%d objects of Metal are left by %w", n, err)
	}
	return r, err
}

// TestFailures has command buffers fail: whose fault it is, and that the device then
// takes nothing more from this process.
func TestFailures(t *testing.T) {
	for _, test := range []struct {
		plan        string
		fault, lost bool
		over        bool // nothing more is launched
		want        string
	}{
		{"error=Timeout@count", true, false, true, "Caused GPU Timeout Error"},
		{"error=Hang@count", true, false, true, "Caused GPU Hang Error"},
		{"error=PageFault@count", true, false, true, "Caused GPU Address Fault Error"},
		{"error=StackOverflow@count", true, false, true, "Stack Overflow"},
		{"error=ImpactingInteractivity@count", true, false, true, "Impacting Interactivity"},
		{"error=ImpactingInteractivity@count underlying", true, false, true, "Impacting Interactivity"},
		{"error=InnocentVictim@count", false, true, true, "victim"},
		{"error=InnocentVictim@count underlying", false, true, true, "victim"},
		{"error=SubmissionsIgnored@count", false, true, true, "prior/excessive"},
		{"error=Internal@count", false, true, true, "Internal Error"},
		{"error=OutOfMemory@count", false, false, false, "Insufficient Memory"},
		{"error=OutOfMemory@count underlying", false, false, false, "Insufficient Memory"},
		{"error=2@count", true, false, true, "code 2"},
		{"error=3@count", true, false, true, "code 3"},
		{"error=4@count", false, true, true, "code 4"},
		{"error=8@count", false, false, false, "code 8"},
		{"error=11@count", false, true, true, "code 11"},
		{"error=12@count", true, false, true, "code 12"},
	} {
		t.Run(test.plan, func(t *testing.T) {
			r := open(t, test.plan)
			k, other := kernel(t, r, count, "count", metalrun.CompileOptions{}),
				kernel(t, r, count, "other", metalrun.CompileOptions{})
			data := words(1, 2)
			_, err := k.Run(counting(data))
			var fault *metalrun.Fault
			if got := errors.As(err, &fault); got != test.fault || errors.Is(err, metalrun.ErrLost) != test.lost ||
				err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: fault %v, lost %v", err, got, errors.Is(err, metalrun.ErrLost))
			}
			if fault != nil && (fault.Position != metalrun.Position{File: "k.metal", Line: 1, Col: 1} ||
				fault.Kernel != "count") {
				t.Errorf("fault %+v", fault)
			}
			if !bytes.Equal(data, words(1, 2)) {
				t.Errorf("a launch that failed has written %v", data)
			}
			sends := fake.Sends()
			_, err = other.Run(counting(data))
			switch {
			case !test.over && (err != nil || !bytes.Equal(data, words(3, 4))):
				t.Errorf("the next launch: %v, %v", data, err)
			case test.over && (!errors.Is(err, metalrun.ErrLost) || !strings.Contains(err.Error(), test.want)):
				t.Errorf("the next launch: %v", err)
			case test.over && fake.Sends() != sends:
				t.Errorf("the next launch has sent %d messages", fake.Sends()-sends)
			}
		})
	}
}

// TestFault runs a kernel that leaves its buffer.
func TestFault(t *testing.T) {
	k := kernel(t, open(t, ""), "\nkernel void k(device uint *x [[buffer(0)]]) { x[1000] = 1; }", "k",
		metalrun.CompileOptions{})
	_, err := k.Run(counting(words(1)))
	var fault *metalrun.Fault
	if !errors.As(err, &fault) || fault.Line != 2 || !strings.Contains(fault.Message, "Address Fault") {
		t.Errorf("%v is no fault of line 2", err)
	}
}

func TestClocks(t *testing.T) {
	for _, plan := range []string{"zerotimes", "reversedtimes"} {
		outcome, err := kernel(t, open(t, plan), count, "count", metalrun.CompileOptions{}).Run(counting(words(1)))
		if err != nil || outcome.Duration <= 0 || outcome.Clock != metalrun.HostClock {
			t.Errorf("%s: %v by the clock %q, %v", plan, outcome.Duration, outcome.Clock, err)
		}
	}
}

// TestChecks refuses what Metal would end the process for.
func TestChecks(t *testing.T) {
	const source = `#include <metal_stdlib>
using namespace metal;
kernel void k(device float4 *x [[buffer(0)]], constant ushort *c [[buffer(1)]],
	threadgroup uint *s [[threadgroup(0)]]) { threadgroup uint own[1000]; own[0] = c[0]; s[0] = own[0]; x[0] = s[0]; }
kernel void w(device uint *x [[buffer(0)]]) { x[0] = simd_sum(x[0]); }`
	for _, test := range []struct {
		plan    string
		x, c, s int
		unbound bool
		want    string
	}{
		{"", 16, 4, 16, false, ""},
		{"", 8, 4, 16, false, "buffer 0: offset 8 of x has to be a multiple of 16"},
		{"", 16, 2, 16, false, "buffer 1: offset 2 of c has to be a multiple of 4"},
		{"family=0", 16, 4, 16, false, "buffer 1: offset 4 of c has to be a multiple of 32"},
		{"family=0", 16, 32, 16, false, ""},
		{"", 16, 4, 28769, false, "threadgroup memory of 32784 bytes in all, 4000 declared in k: the device has 32768"},
		{"", 16, 4, 28768, false, ""},
		{"family=3", 16, 4, 16000, false, "the device has 16352"},
		{"", 16, 4, 16, true, "buffer 1: nothing is bound to c"},
	} {
		before := fake.Live()
		fake.Plan(test.plan)
		r, err := newRunner()
		if err != nil {
			t.Fatal(err)
		}
		l, err := r.Compile(analyse(t, source, metalrun.CompileOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		k, err := l.Kernel("k")
		if err != nil {
			t.Fatal(err)
		}
		one := metalrun.Size{X: 1, Y: 1, Z: 1}
		d := metalrun.Dispatch{Threads: one, ThreadsPerThreadgroup: one, ThreadgroupMemory: []int{test.s},
			Bindings: []metalrun.Binding{
				{Index: 0, Data: make([]byte, 64), Offset: test.x, Length: 16},
				{Index: 1, Data: make([]byte, 64), Offset: test.c, Length: 8},
			}}
		if test.unbound {
			d.Bindings = d.Bindings[:1]
		}
		if _, err := k.Run(d); (err == nil) != (test.want == "") ||
			err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v", test, err)
		}
		l.Release()
		r.Close()
		if fake.Live() != before {
			t.Errorf("%+v: %d objects are left", test, fake.Live()-before)
		}
	}
	r := open(t, "width=16")
	l, err := r.Compile(analyse(t, source, metalrun.CompileOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if _, err := l.Kernel("w"); !errors.Is(err, metalrun.ErrUnsupported) ||
		!strings.Contains(err.Error(), "w works in simdgroups of 32 threads, the device has 16") {
		t.Errorf("simdgroups of 16: %v", err)
	}
	if _, err := l.Kernel("k"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"absent", "caf\xe9", "k\x00"} {
		if _, err := l.Kernel(name); err == nil || !strings.Contains(err.Error(), "k.metal: no kernel is named") {
			t.Errorf("kernel %q: %v", name, err)
		}
	}
}

// TestFeatures has devices of several families, and one that lacks a single feature:
// they refuse the kernels that need it, for that reason, and no others.
func TestFeatures(t *testing.T) {
	all := metalrun.Features()
	for _, test := range []struct {
		plan  string
		lacks []metalrun.Feature
	}{
		{"family=8", nil},
		{"", []metalrun.Feature{metalrun.LongAtomics}},
		{"family=0", nil},
		{"paravirtual", []metalrun.Feature{metalrun.Bfloat, metalrun.QuadSums, metalrun.SimdShuffles, metalrun.SimdSums,
			metalrun.SimdMatrices, metalrun.FloatAtomics, metalrun.LongAtomics}},
		{"family=9 lack=bfloat", []metalrun.Feature{metalrun.Bfloat}},
	} {
		r, err := newUnder(test.plan)
		if err != nil {
			t.Fatal(err)
		}
		fake.Plan(test.plan)
		var lacks []metalrun.Feature
		for _, f := range all {
			err := f.Try(r)
			if errors.Is(err, metalrun.ErrUnsupported) {
				lacks = append(lacks, f)
			} else if err != nil {
				t.Errorf("%s: %s: %v", test.plan, f, err)
			}
		}
		if diff := cmp.Diff(test.lacks, lacks); diff != "" {
			t.Errorf("%s lacks (-want +got):\n%s", test.plan, diff)
		}
		if err := metalrun.CheckRounding(r); err != nil {
			t.Errorf("%s: %v", test.plan, err)
		}
		r.Close()
		fake.Plan("")
	}
	r := open(t, "lack=bfloat")
	l, err := r.Compile(analyse(t,
		"#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device bfloat *x [[buffer(0)]]) { x[0] = "+
			"bfloat(simd_sum(float(x[0]))); }\n", metalrun.CompileOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	const want = "not supported by this device: k uses bfloat: building a pipeline of k: Encountered unlowered " +
		"function call to air.unknown (AGXMetal, code 2)"
	if _, err := l.Kernel("k"); err == nil || err.Error() != want {
		t.Errorf("%v, want %q", err, want)
	}
}

// TestWedged has a device that refuses every kernel from some number of pipelines on: that is no feature which it
// lacks.
func TestWedged(t *testing.T) {
	const source = "#include <metal_stdlib>\nusing namespace metal;\n" +
		"kernel void sums(device float *x [[buffer(0)]]) { x[0] = simd_sum(x[0]); }\n" +
		"kernel void plain(device float *x [[buffer(0)]]) { x[0] = 1.0f; }\n"
	r := open(t, "pipelines=1")
	l, err := r.Compile(analyse(t, source, metalrun.CompileOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	if _, err := l.Kernel("sums"); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"sums", "plain"} {
		_, err := l.Kernel(name)
		if !errors.Is(err, metalrun.ErrUnusable) || errors.Is(err, metalrun.ErrUnsupported) ||
			!strings.Contains(err.Error(), "it refuses even the smallest kernel") {
			t.Errorf("%s after the end of all pipelines: %v", name, err)
		}
	}
	fake.Plan("pipelines=1") // which the control kernel takes, and so the trial of the feature is refused
	_, err = kernelOf(t, r, "#include <metal_stdlib>\nusing namespace metal;\n"+
		"kernel void large(device float *x [[buffer(0)]]) { threadgroup float s[9000]; s[0] = simd_sum(x[0]); "+
		"x[0] = s[0]; }")
	if !errors.Is(err, metalrun.ErrUnusable) {
		t.Errorf("a device that breaks after a refusal: %v", err)
	}
	fake.Plan("mutelog reject=simd_sum") // a compiler that fails without a word about the source, of one kernel alone
	if _, err := r.Compile(analyse(t, source, metalrun.CompileOptions{})); err == nil ||
		errors.Is(err, metalrun.ErrUnusable) {
		t.Errorf("a source that is refused: %v", err)
	}
	fake.Plan("refuse=newLibraryWithSource:options:error:")
	if _, err := r.Compile(analyse(t, source, metalrun.CompileOptions{})); !errors.Is(err, metalrun.ErrUnusable) {
		t.Errorf("no source is taken: %v", err)
	}
}

// kernelOf asks for the kernel large of a source.
func kernelOf(t *testing.T, r metalrun.Runner, source string) (metalrun.Kernel, error) {
	t.Helper()
	l, err := r.Compile(analyse(t, source, metalrun.CompileOptions{}))
	if err != nil {
		return nil, err
	}
	t.Cleanup(l.Release)
	return l.Kernel("large")
}

// TestThreads has a pipeline that takes smaller threadgroups than the language, as registers limit it.
func TestThreads(t *testing.T) {
	const source = "kernel void count(device uint *x [[buffer(0)]]) { x[0] = 1; }\n" +
		"[[max_total_threads_per_threadgroup(512)]] kernel void own(device uint *x [[buffer(0)]]) { x[0] = 1; }\n"
	r := open(t, "threads=256@own threads=832")
	for _, test := range []struct {
		kernel      string
		threads     int
		unsupported bool
		want        string
	}{
		{"count", 832, false, ""},
		{"count", 833, true, "it runs count in threadgroups of at most 832 threads, and this launch has 833"},
		{"count", 1024, true, "at most 832 threads"},
		{"count", 1025, false, "at most 1024"},
		{"own", 256, false, ""},
		{"own", 257, true, "it runs own in threadgroups of at most 256 threads"},
		{"own", 513, false, "own sets its own limit of 512"},
	} {
		k := kernel(t, r, source, test.kernel, metalrun.CompileOptions{})
		d := counting(words(1, 2))
		d.ThreadsPerThreadgroup.X = test.threads
		_, err := k.Run(d)
		if errors.Is(err, metalrun.ErrUnsupported) != test.unsupported || (err == nil) != (test.want == "") ||
			err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s in threadgroups of %d: %v, want %q", test.kernel, test.threads, err, test.want)
		}
	}
	got := kernel(t, r, source, "count", metalrun.CompileOptions{}).(metalrun.Reflector).Pipeline()
	if want := (metalrun.Pipeline{Threads: 832, Width: 32}); got != want {
		t.Errorf("pipeline %+v, want %+v", got, want)
	}
}

// TestWarnings keeps what the compiler says of a source that it takes.
func TestWarnings(t *testing.T) {
	const source = "kernel void k(device float *x [[buffer(0)]]) {\n" +
		"#pragma METAL fp math_mode(safe)\nx[0] = 1.0f; }\n"
	for plan, want := range map[string]string{"": "", "warnings": "unused variable 'x'",
		"pragma=warning": "program_source:2:16: warning: unknown pragma ignored"} {
		l, err := open(t, plan).Compile(analyse(t, source, metalrun.CompileOptions{}))
		if err != nil {
			t.Fatal(err)
		}
		if got := l.(metalrun.Warner).Warnings(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", plan, got, want)
		}
		l.Release()
	}
	fast := metalrun.CompileOptions{MathMode: metalrun.MathFast, FastFunctions: true}
	_, err := open(t, "pragma=error").Compile(analyse(t, source, fast))
	var list metalrun.Diagnostics
	if !errors.As(err, &list) || list[0].Line != 2 {
		t.Errorf("an unknown pragma that is an error: %v", err)
	}
	l, err := open(t, "pragma=error").Compile(analyse(t, source, metalrun.CompileOptions{}))
	if err != nil {
		t.Fatalf("an unknown pragma that says what holds anyway: %v", err)
	}
	l.Release()
	if _, err := open(t, "pragma=warning").Compile(analyse(t, source, fast)); !errors.Is(err,
		metalrun.ErrUnsupported) || !strings.Contains(err.Error(), "which its compiler ignores: warning: unknown") {
		t.Errorf("a pragma that is ignored: %v", err)
	}
}

// TestMethods has the types of the system's methods, which a file of a Mac is to bring home.
func TestMethods(t *testing.T) {
	list, err := open(t, "").(metalrun.Inspector).Methods()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range list {
		if m.Differs != "" { // of types that are Apple's: see package fake
			t.Errorf("[%s %s]: %s", m.Class, m.Name, m.Differs)
		}
	}
	i := slices.IndexFunc(list, func(m metalrun.Method) bool {
		return m.Class == "FakeDevice" && m.Name == "newBufferWithLength:options:"
	})
	if len(list) < 40 || i < 0 || !strings.HasPrefix(list[i].Encoding, "@") || list[i].Differs != "" {
		t.Errorf("%d methods, number %d", len(list), i)
	}
}

// TestEmptyBinding has an argument whose pointee is larger than what stands for nothing.
func TestEmptyBinding(t *testing.T) {
	k := kernel(t, open(t, ""), "struct s { float x[40]; };\n"+
		"kernel void k(device s *p [[buffer(0)]], device uint *n [[buffer(1)]]) { if (n[0]) p[0].x[0] = 1.0f; "+
		"n[0] = 7; }",
		"k", metalrun.CompileOptions{})
	d, n := counting(words(0)), words(0)
	d.Bindings = []metalrun.Binding{{Index: 0}, whole(1, n)}
	if _, err := k.Run(d); err != nil || !bytes.Equal(n, words(7)) {
		t.Errorf("%v, %v", n, err)
	}
}

// TestWhole has a launch of which only the end is to run.
func TestWhole(t *testing.T) {
	k := kernel(t, open(t, ""), count, "count", metalrun.CompileOptions{})
	skips, before := counting(words(1, 2)), counting(words(1, 2))
	skips.Skip, before.Bindings[0].Before = 1, 16
	for _, d := range []metalrun.Dispatch{skips, before} {
		if _, err := k.Run(d); !errors.Is(err, metalrun.ErrWhole) {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

// TestStrings has text that is no UTF-8 where Foundation would make nil of it.
func TestStrings(t *testing.T) {
	r := open(t, "")
	_, err := r.Compile(analyse(t,
		"kernel void k(device uint *x [[buffer(0)]]) { static_assert(true, \"caf\xe9\"); x[0] = 1; }",
		metalrun.CompileOptions{}))
	if err == nil || !strings.Contains(err.Error(), "source k.metal is not UTF-8 text") {
		t.Errorf("Latin-1 in a source: %v", err)
	}
}

// TestLifetimes closes and releases more than once, and in any order.
func TestLifetimes(t *testing.T) {
	before := fake.Live()
	fake.Plan("")
	r, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	if n := fake.Live() - before; n != 3 { // device, its architecture, queue
		t.Errorf("an open runner has %d objects", n)
	}
	l, err := r.Compile(analyse(t, count, metalrun.CompileOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := l.Kernel("count"); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	for range 2 {
		l.Release()
	}
	if n := fake.Live() - before; n != 0 {
		t.Errorf("%d objects are left", n)
	}
	if _, err := l.Kernel("count"); err == nil || !strings.Contains(err.Error(), "has been released") {
		t.Errorf("a kernel of a released library: %v", err)
	}
}

// TestBound repeats launches on buffers that stay where they are.
func TestBound(t *testing.T) {
	k := kernel(t, open(t, ""), count, "count", metalrun.CompileOptions{})
	data := words(10, 20)
	if _, err := k.Run(counting(data)); err != nil {
		t.Fatal(err)
	}
	if _, _, _, options := fake.Options(); options != 1 {
		t.Errorf("error options %d of a launch that is judged, want 1", options)
	}
	b, err := k.(metalrun.Binder).Bind(counting(data))
	if err != nil {
		t.Fatal(err)
	}
	live := fake.Live()
	for n := range 3 {
		if _, err := b.Run(n + 1); err != nil {
			t.Fatal(err)
		}
	}
	if fake.Live() != live {
		t.Errorf("three runs have made %d objects", fake.Live()-live)
	}
	if _, _, _, options := fake.Options(); options != 0 {
		t.Errorf("error options %d of a launch that is timed, want none", options)
	}
	if !bytes.Equal(data, words(11, 21)) {
		t.Errorf("%v before it is read", data)
	}
	if err := b.Read(); err != nil || !bytes.Equal(data, words(17, 27)) {
		t.Errorf("%v, %v, want 17 and 27", data, err)
	}
	if _, err := b.Run(0); err == nil {
		t.Error("no launch is one")
	}
	b.Release()
	b.Release()
	fake.Plan("error=Hang@count")
	if b, err = k.(metalrun.Binder).Bind(counting(data)); err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	var fault *metalrun.Fault
	if _, err := b.Run(1); !errors.As(err, &fault) {
		t.Errorf("a hang: %v", err)
	}
	if _, err := b.Run(1); !errors.Is(err, metalrun.ErrLost) {
		t.Errorf("after a hang: %v", err)
	}
}

// TestSequence repeats dispatches that share a buffer.
func TestSequence(t *testing.T) {
	r := open(t, "")
	k := kernel(t, r,
		"kernel void add(device uint *x [[buffer(0)]], device uint *y [[buffer(1)]], constant uint &n [[buffer(2)]],\n"+
			"uint i [[thread_position_in_grid]]) { y[i] += n * x[i]; }\n", "add", metalrun.CompileOptions{})
	x, y, z := words(1, 2), words(10, 20), words(0, 0)
	add := func(from, to []byte, n uint32) metalrun.Dispatch {
		d := counting(from)
		d.Bindings = []metalrun.Binding{whole(0, from), whole(1, to),
			{Index: 2, Data: words(n), Length: 4, Inline: true}}
		return d
	}
	b, err := k.(metalrun.Binder).Bind(add(x, y, 3), add(y, z, 1))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Release()
	if _, err := b.Run(2); err != nil {
		t.Fatal(err)
	}
	if err := b.Read(); err != nil {
		t.Fatal(err)
	}
	// y is 13, 26 after the first time and 16, 32 after the second.
	if want := words(1, 2, 16, 32, 29, 58); !bytes.Equal(slices.Concat(x, y, z), want) {
		t.Errorf("%v, want %v", slices.Concat(x, y, z), want)
	}
	wrong := add(x, y, 1)
	wrong.Bindings[1].Length = 99
	if _, err := k.(metalrun.Binder).Bind(add(x, y, 1), wrong); err == nil {
		t.Error("the second dispatch is not checked")
	}
}

// TestCondition is what the system says of its heat and its power.
func TestCondition(t *testing.T) {
	for plan, want := range map[string]metalrun.Condition{
		"":                   {},
		"thermal=2":          {Thermal: metalrun.ThermalSerious},
		"thermal=1 lowpower": {Thermal: metalrun.ThermalFair, LowPower: true},
	} {
		if got, err := open(t, plan).(metalrun.Monitor).Condition(); got != want || err != nil {
			t.Errorf("%q: %+v, %v, want %+v", plan, got, err, want)
		}
	}
}

func TestDevices(t *testing.T) {
	for _, test := range []struct{ plan, name, detail, want string }{
		{"", "Double of Metal", "applegpu_double, macOS ", ""},
		{"nodefault", "Double of Metal", "applegpu_double, macOS ", ""},
		{"macos13", "Double of Metal", "macOS ", ""},
		{"refuse=architecture", "Double of Metal", "macOS ", ""},
		{"paravirtual", "Apple Paravirtual device", "applegpu_double, macOS ", ""},
		{"nodevice", "", "", "no Metal device"},
		{"corrupt", "", "", "device unusable: self-test: thread 0 writes 6, want 7"},
		{"error=Hang", "", "", "device unusable: self-test: "},
		{"otherdevice", "", "",
			"device unusable: Metal here is not the one that this program was written for: [FakeOtherDevice " +
				"newBufferWithLength:options:]: argument 1 is sent as uint, the method takes I"},
	} {
		before := fake.Live()
		r, err := newUnder(test.plan)
		if err != nil || test.want != "" {
			if test.want == "" || err == nil || !strings.HasPrefix(err.Error(), test.want) ||
				errors.Is(err, metalrun.ErrNoDevice) != (test.plan == "nodevice") {
				t.Errorf("%s: %v, want %q", test.plan, err, test.want)
			}
			continue
		}
		d := r.Device()
		if d.Backend != "metal" || d.Clock != metalrun.GPUClock || d.Name != test.name ||
			!strings.HasPrefix(d.Detail, test.detail) || len(d.Detail) < len(test.detail)+3 {
			t.Errorf("%s: %+v", test.plan, d)
		}
		r.Close()
		if n := fake.Live() - before; n != 0 {
			t.Errorf("%s: %d objects are left", test.plan, n)
		}
	}
}

// TestGoroutines shares a runner.
func TestGoroutines(t *testing.T) {
	r := open(t, "")
	l, err := r.Compile(analyse(t, count, metalrun.CompileOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Release()
	var wg sync.WaitGroup
	for g := range uint32(8) {
		wg.Go(func() {
			k, err := l.Kernel("count")
			if err != nil {
				t.Error(err)
				return
			}
			for range 20 {
				data := words(g, g+1)
				if _, err := k.Run(counting(data)); err != nil || !bytes.Equal(data, words(g+1, g+2)) {
					t.Errorf("%v, %v", data, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestNoLibrary is a machine without Metal's libraries.
func TestNoLibrary(t *testing.T) {
	if os.Getenv("NO_DOUBLE") != "" {
		_, err := newRunner()
		fmt.Println(errors.Is(err, metalrun.ErrNoDevice))
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNoLibrary$")
	cmd.Env = append(os.Environ(), "NO_DOUBLE=1", "METAL_DOUBLE_LIBRARY=")
	out, err := cmd.CombinedOutput()
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		t.Skip("this program is emulated")
	case err != nil || !strings.HasPrefix(string(out), "true"):
		t.Errorf("%s, %v", out, err)
	}
}
