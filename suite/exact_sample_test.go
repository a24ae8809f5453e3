package suite

import (
	"math"
	"strings"
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/oracles"
)

// turningSource turns a pair of numbers by an eighth of a circle in each step, a little smaller, and adds
// an input. What is left of an error gets smaller, but sizes of errors add up to √2 times as much each time.
const turningSource = `#include <metal_stdlib>
using namespace metal;

kernel void turning(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& steps [[buffer(2)]], uint i [[thread_position_in_grid]])
{
    float p = 1.0f, q = 0.0f;
    for (uint t = 0; t < steps; t++) {
        const float c = 0.70710677f * exp(-0.001f), was = p;
        p = c * (p - q) + x[t * 32 + i];
        q = c * (was + q);
        y[t * 32 + i] = p;
    }
}
`

// turning is its specification, without a contract.
func turning() Kernel {
	const steps = Axis("steps")
	return Kernel{
		Name: "turning", Axes: []Axis{steps},
		Args: Args{In("x", F32, steps, Fixed(32)), Out("y", F32, steps, Fixed(32)), Const("steps", U32, steps)},
		Grid: Grid{Threads: []Extent{Fixed(32)}, Of: []Extent{Fixed(32)}},
		Sweep: Sweep{Probes: []Shape{{steps: 300}},
			Inputs: []Input{{Name: "normal", Fills: Fills{"x": Normal}, Random: true}}},
		Oracle: func(p *Problem) Answers {
			x := p.Values("x")
			y, c := make([]float64, len(x)), float64(float32(0.70710677))*math.Exp(float64(float32(-0.001)))
			for i := range 32 {
				first, second := 1.0, 0.0
				for t := i; t < len(x); t += 32 {
					first, second = float64(c*(first-second))+x[t], float64(c*(first+second))
					y[t] = first
				}
			}
			return Answers{"y": {Want: y, Plain: true}}
		},
	}
}

// TestLikelyErrors judges a recurrence whose errors no bound follows: nothing is left open, the kernel
// conforms on a device that takes against it, and one digit of a literal late in the recurrence shows.
func TestLikelyErrors(t *testing.T) {
	if testing.Short() {
		t.Skip("a thousand steps, seventeen times")
	}
	k := turning()
	run := func(s sim.Semantics, source string) Result {
		return exactResults(t, sim.New(s), source, k)[0]
	}
	taking := sim.Semantics{Adversary: &sim.Adversary{Seed: 3, Number: 1, Choices: -1}}
	if r := run(taking, turningSource); r.Status != Pass || r.Open != 0 {
		t.Errorf("%s, %d elements open", r.Text(), r.Open)
	}
	for _, fault := range []struct {
		old, new string
		check    Check
	}{
		{"y[t * 32 + i] = p;", "y[t * 32 + i] = t > 290 ? p * 1.000001f : p;", CheckFormula},
		{"y[t * 32 + i] = p;", "y[t * 32 + i] = t > 290 ? p * 1.01f : p;", CheckBound},
	} {
		source := strings.Replace(turningSource, fault.old, fault.new, 1)
		found := ""
		for _, f := range run(sim.Semantics{}, source).Failures {
			found += " " + string(f.Check)
			if f.Check == fault.check && f.Check == CheckBound && !strings.Contains(f.String(), labelSampled) {
				t.Errorf("%s: %s does not say that its bound is a likely one", fault.new, f)
			}
		}
		if !strings.Contains(found, string(fault.check)) {
			t.Errorf("%s: found%s, want %s", fault.new, found, fault.check)
		}
	}
}

// TestSampleQuantile integrates the tails of Student's distribution: that many root mean squares are
// exceeded as rarely as a contract's statistical bound, and fewer would not do.
func TestSampleQuantile(t *testing.T) {
	tails := func(q float64) float64 { // in 1/x, from 0 to 1/q
		const steps, k = 2000, samples
		half, whole := math.Gamma(k/2.0), math.Gamma((k+1)/2.0)
		sum := 0.0
		for i := range steps {
			u := (float64(i) + 0.5) / steps / q
			sum += math.Pow(1+1/(k*u*u), -(k+1)/2.0) / (u * u)
		}
		return 2 * sum / steps / q * whole / (half * math.Sqrt(k*math.Pi))
	}
	most := oracles.FalseAlarms / (oracles.Nights * oracles.NightlyElements)
	if p := tails(sampleQuantile); p > most {
		t.Errorf("exceeded with a probability of %.3g, want %.3g", p, most)
	}
	if p := tails(sampleQuantile - 0.2); p <= most {
		t.Errorf("%v would be enough: %.3g", sampleQuantile-0.2, p)
	}
}
