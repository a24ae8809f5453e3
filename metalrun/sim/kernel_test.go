package sim_test

import (
	"errors"
	"fmt"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// TestExhausted tells a launch that uses up its steps from one that ends in
// another fault.
func TestExhausted(t *testing.T) {
	const source = `kernel void turns(device uint *out [[buffer(0)]], constant uint &n [[buffer(1)]]) {
  for (uint i = 0; i < n; i++) { out[0] += out[i / 64]; }
}`
	for _, test := range []struct {
		iterations       byte
		steps            int64
		fails, exhausted bool
	}{{100, 0, false, false}, {100, 100, true, true}, {200, 0, true, false}, {200, 100, true, true}} {
		for _, check := range []bool{false, true} {
			k := kernel(t, sim.New(sim.Semantics{Steps: test.steps, Check: check}),
				metalrun.SourceText("turns.metal", source), "turns")
			_, err := k.Run(metalrun.Dispatch{
				Threadgroups: metalrun.Size{X: 1, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 1, Y: 1, Z: 1},
				Bindings: []metalrun.Binding{{Index: 0, Data: make([]byte, 8), Length: 8},
					{Index: 1, Data: []byte{test.iterations, 0, 0, 0}, Length: 4, Inline: true}},
			})
			var fault *metalrun.Fault
			if fails := errors.As(err, &fault); fails != test.fails || fails && fault.Hangs() != test.exhausted {
				t.Errorf("%d iterations in %d steps, checked %v: %v, want a fault: %v, for lack of steps: %v",
					test.iterations,
					test.steps, check, err, test.fails, test.exhausted)
			}
		}
	}
}

// TestTooMuchThreadgroupMemory is told of a kernel before it is launched, as Metal makes no pipeline of one
// that declares more than the GPU has.
func TestTooMuchThreadgroupMemory(t *testing.T) {
	const source = `kernel void most(device float *out [[buffer(0)]]) { threadgroup float a[8192]; a[0] = 1; out[0] = a[0]; }
kernel void more(device float *out [[buffer(0)]]) { threadgroup float a[8193]; a[0] = 1; out[0] = a[0]; }`
	program, err := metalrun.Analyse(metalrun.SourceText("memory.metal", source), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	library, err := sim.New(sim.Semantics{}).Compile(program)
	if err != nil {
		t.Fatal(err)
	}
	defer library.Release()
	for name, want := range map[string]string{"most": "<nil>",
		"more": "32772 bytes of threadgroup memory exceed the limit of 32768"} {
		if _, err := library.Kernel(name); fmt.Sprint(err) != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
}
