package metalrun_test

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/metal"
	"metalconform/metalrun/sim"
)

// onEachRunner calls test with the simulator and with Metal, which have to
// behave alike. Without a Metal device that part is skipped, or fails if
// CONFORM_REQUIRE_GPU=1.
func onEachRunner(t *testing.T, test func(t *testing.T, r metalrun.Runner)) {
	t.Run("simulator", func(t *testing.T) { test(t, sim.New(sim.Semantics{})) })
	t.Run("metal", func(t *testing.T) {
		r, err := metal.New()
		if errors.Is(err, metalrun.ErrNoDevice) && os.Getenv("CONFORM_REQUIRE_GPU") != "1" {
			t.Skip(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		test(t, r)
	})
}

// analysed is a source that the front end accepts.
func analysed(t *testing.T, src metalrun.Source, opts metalrun.CompileOptions) *metalrun.Program {
	t.Helper()
	p, err := metalrun.Analyse(src, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// compile prepares the kernel called name.
func compile(t *testing.T, r metalrun.Runner, src metalrun.Source, opts metalrun.CompileOptions,
	name string) metalrun.Kernel {
	t.Helper()
	library, err := r.Compile(analysed(t, src, opts))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(library.Release)
	kernel, err := library.Kernel(name)
	if err != nil {
		t.Fatal(err)
	}
	return kernel
}

const addSource = `#include <metal_stdlib>
#include "scale.h"
using namespace metal;
struct Params { uint n; float bias; };
kernel void add(device const float *a [[buffer(0)]],
                device float *out [[buffer(2)]],
                constant Params &p [[buffer(1)]],
                uint i [[thread_position_in_grid]]) {
  if (i < p.n) { out[i] = SCALE * a[i] + p.bias; }
}`

// Quoted includes, SetBytes, offsets and guards, and both kinds of grid.
func TestRunnerBindings(t *testing.T) { onEachRunner(t, testBindings) }

func testBindings(t *testing.T, r metalrun.Runner) {
	src := metalrun.Source{Name: "add.metal",
		Files: map[string]string{"add.metal": addSource, "scale.h": "#pragma once\n#define SCALE 2.0f\n"}}
	kernel := compile(t, r, src, metalrun.CompileOptions{}, "add")
	const n, guard = 37, 64
	for _, d := range []metalrun.Dispatch{
		{Threads: metalrun.Size{X: n, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1}},
		{Threadgroups: metalrun.Size{X: 2, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1}},
	} {
		in := make([]float32, n)
		for i := range in {
			in[i] = float32(i)
		}
		data := make([]byte, 4*n+2*guard)
		for i := range data {
			data[i] = 0xa5
		}
		params := binary.LittleEndian.AppendUint32(nil, n)
		params = append(params, floatBytes(0.5)...)
		d.Bindings = []metalrun.Binding{
			{Index: 0, Data: floatBytes(in...), Length: 4 * n},
			{Index: 1, Data: params, Length: len(params), Inline: true},
			{Index: 2, Data: data, Offset: guard, Length: 4 * n},
		}
		outcome, err := kernel.Run(d)
		if err != nil {
			t.Fatal(err)
		}
		want := make([]float32, n)
		for i := range want {
			want[i] = 2*float32(i) + 0.5
		}
		if diff := cmp.Diff(floatBytes(want...), data[guard:guard+4*n]); diff != "" {
			t.Errorf("%+v (-want +got):\n%s", d.Threads, diff)
		}
		if g := strings.Repeat("\xa5", guard); string(data[:guard]) != g || string(data[guard+4*n:]) != g {
			t.Errorf("%+v: guard bytes changed", d.Threads)
		}
		if outcome.Duration <= 0 {
			t.Errorf("%+v: it took %v", d.Threads, outcome.Duration)
		}
	}
}

func floatBytes(x ...float32) []byte {
	var data []byte
	for _, v := range x {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// Function constants, macros and threadgroup memory.
func TestRunnerOptions(t *testing.T) { onEachRunner(t, testOptions) }

func testOptions(t *testing.T, r metalrun.Runner) {
	src := metalrun.SourceText("reverse.metal", `#include <metal_stdlib>
using namespace metal;
constant uint add [[function_constant(3)]];
kernel void reverse(device uint *x [[buffer(0)]], threadgroup uint *s [[threadgroup(1)]],
                    uint i [[thread_position_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
  s[i] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = FACTOR * s[n - 1 - i] + add;
}`)
	opts := metalrun.CompileOptions{Macros: map[string]string{"FACTOR": "10"},
		FunctionConstants: map[int]any{3: uint32(7)}}
	kernel := compile(t, r, src, opts, "reverse")
	if n := kernel.MaxThreads(); n < 32 || n > 1024 {
		t.Errorf("MaxThreads() = %d", n)
	}
	data := []byte{1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0}
	_, err := kernel.Run(metalrun.Dispatch{
		Bindings:              []metalrun.Binding{{Index: 0, Data: data, Length: len(data)}},
		ThreadgroupMemory:     []int{0, len(data)},
		Threadgroups:          metalrun.Size{X: 1, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 3, Y: 1, Z: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]byte{37, 0, 0, 0, 27, 0, 0, 0, 17, 0, 0, 0}, data); diff != "" {
		t.Errorf("reverse (-want +got):\n%s", diff)
	}
}

// What has to be refused before it reaches a device.
func TestRunnerErrors(t *testing.T) { onEachRunner(t, testErrors) }

func testErrors(t *testing.T, r metalrun.Runner) {
	library, err := r.Compile(analysed(t, metalrun.SourceText("empty.metal", "#include <metal_stdlib>\n"),
		metalrun.CompileOptions{}))
	if err != nil {
		t.Fatal(err)
	}
	defer library.Release()
	if _, err := library.Kernel("absent"); !failsWith(err, "absent") {
		t.Errorf("absent kernel: %v", err)
	}

	kernel := compile(t, r, metalrun.SourceText("nop.metal",
		"kernel void nop(threadgroup int *s [[threadgroup(0)]]) { *s = 0; }"), metalrun.CompileOptions{}, "nop")
	one := metalrun.Size{X: 1, Y: 1, Z: 1}
	for want, d := range map[string]metalrun.Dispatch{
		"at most":            {Threadgroups: one, ThreadsPerThreadgroup: metalrun.Size{X: 2048, Y: 1, Z: 1}},
		"threadgroup memory": {Threadgroups: one, ThreadsPerThreadgroup: one, ThreadgroupMemory: []int{1 << 20}},
		"setBytes": {Threadgroups: one, ThreadsPerThreadgroup: one,
			Bindings: []metalrun.Binding{{Data: make([]byte, 5000), Length: 5000, Inline: true}}},
	} {
		if _, err := kernel.Run(d); !failsWith(err, want) {
			t.Errorf("Run: %v, want an error with %q", err, want)
		}
	}
}

// failsWith reports whether err says want, or is nil if want is empty.
func failsWith(err error, want string) bool {
	if want == "" || err == nil {
		return err == nil && want == ""
	}
	return strings.Contains(err.Error(), want)
}

// TestDevice says of each device what it measures and what it observes.
func TestDevice(t *testing.T) {
	onEachRunner(t, func(t *testing.T, r metalrun.Runner) {
		d := r.Device()
		if want := map[string]metalrun.Clock{"metal": metalrun.GPUClock,
			"simulator": metalrun.HostClock}[d.Backend]; d.Clock != want || d.Observes {
			t.Errorf("%+v: want the clock %q, and nothing observed", d, want)
		}
	})
	if !sim.New(sim.Semantics{Check: true}).Device().Observes {
		t.Error("a simulator that checks does not say so")
	}
}
