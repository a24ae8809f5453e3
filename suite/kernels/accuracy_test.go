package kernels

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/oracles"
)

// TestAccuraciesAgree holds the limits of functions that the oracles charge to those
// that the simulator's adversary spends: two tables of one specification, of which
// neither knows the other. No device may exceed what a bound allows, and the worst of
// them has to come near it.
func TestAccuraciesAgree(t *testing.T) {
	relative := func(name string) func(f oracles.Accuracy, x, exact float64) float64 {
		return func(f oracles.Accuracy, x, exact float64) float64 { return f.Relative(name, x) * math.Abs(exact) }
	}
	for _, fn := range []struct {
		name, call string
		from, to   float64
		exact      func(x float64) float64
		bound      func(f oracles.Accuracy, x, exact float64) float64
	}{
		{"exp", "exp(x)", -20, 20, math.Exp, relative("exp")},
		{"rsqrt", "rsqrt(x)", 0.1, 30, func(x float64) float64 { return 1 / math.Sqrt(x) }, relative("rsqrt")},
		{"division", "divide(1.7f, x)", 0.1, 30, func(x float64) float64 { return float64(float32(1.7)) / x },
			relative("divide")},
		{"log of a large number", "log(x)", 2.1, 50, math.Log, func(f oracles.Accuracy, x, exact float64) float64 {
			return f.Log(x, x, math.Abs(exact))
		}},
		{"log near 1", "log(x)", 0.5, 2, math.Log, func(f oracles.Accuracy, x, exact float64) float64 {
			return f.Log(x, x, math.Abs(exact))
		}},
		{"sin", "sin(x)", -3, 3, math.Sin, func(f oracles.Accuracy, x, exact float64) float64 {
			return f.Turn("sin", x, exact)
		}},
		{"cos", "cos(x)", -3, 3, math.Cos, func(f oracles.Accuracy, x, exact float64) float64 {
			return f.Turn("cos", x, exact)
		}},
	} {
		for _, class := range []oracles.Functions{oracles.Precise, oracles.Fast} {
			t.Run(fmt.Sprintf("%s %s", class, fn.name), func(t *testing.T) {
				t.Parallel()
				const devices, n = 24, 32 * 8
				in := make([]byte, 4*n)
				for i := range n {
					binary.LittleEndian.PutUint32(in[4*i:],
						math.Float32bits(float32(fn.from+(fn.to-fn.from)*(float64(i)+0.37)/n)))
				}
				var worst float64
				for seed := range uint64(devices) {
					out := runFunction(t, fmt.Sprintf("%s::%s", class, fn.call),
						sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Choices: -1}}, in)
					for i := range n {
						x, got := floatAt(in, i), floatAt(out, i)
						exact := fn.exact(x)
						bound := fn.bound(oracles.Accuracy{Functions: class}, x, exact)
						if err := math.Abs(got - exact); !(err <= bound) {
							t.Fatalf("device %d: %g at %g, want %g within %g", seed, got, x, exact, bound)
						} else {
							worst = max(worst, err/bound)
						}
					}
				}
				if worst < 0.7 {
					t.Errorf("the worst device comes to %.2g of what a bound allows", worst)
				}
			})
		}
	}
}

func floatAt(b []byte, i int) float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
}

// runFunction evaluates an expression of x for all of in.
func runFunction(t *testing.T, expression string, s sim.Semantics, in []byte) []byte {
	t.Helper()
	text := "#include <metal_stdlib>\nusing namespace metal;\n" +
		"kernel void f(device const float* in [[buffer(0)]], device float* out [[buffer(1)]], uint i " +
		"[[thread_position_in_grid]])\n" +
		"{ float x = in[i]; out[i] = " + expression + "; }\n"
	p, err := metalrun.Analyse(metalrun.SourceText("function.metal", text), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	library, err := sim.New(s).Compile(p)
	if err != nil {
		t.Fatal(err)
	}
	k, err := library.Kernel("f")
	if err != nil {
		t.Fatal(err)
	}
	out := make([]byte, len(in))
	_, err = k.Run(metalrun.Dispatch{
		Bindings: []metalrun.Binding{{Index: 0, Data: in, Length: len(in)},
			{Index: 1, Data: out, Length: len(out)}},
		Threadgroups:          metalrun.Size{X: len(in) / 4 / 32, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
