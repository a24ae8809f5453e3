package oracles_test

import (
	"fmt"
	"strings"

	"metalconform/oracles"
)

// A norm: what the kernel has to compute, how far an f32 kernel that adds in this
// order may be off, and what each part of it costs.
func ExampleRMSNorm() {
	x := []float64{1, 2, 3, 4.5}
	weight := []float64{1, 1, 0.5, 1.25}
	a := oracles.RMSNorm(x, weight, 1e-6, oracles.Contract{
		Sums: map[string]oracles.Schedule{"square": oracles.Sequential()},
	})
	for i, want := range a.Want {
		fmt.Printf("%.7f within %.1e = %s\n", want, a.Bound(i), sum(a.Parts(i)))
	}
	// Output:
	// 0.3417430 within 5.1e-08 = 1e-08 mean square + 4.1e-08 rsqrt
	// 0.6834861 within 1.0e-07 = 2e-08 mean square + 8.1e-08 rsqrt
	// 0.5126146 within 1.1e-07 = 1.5e-08 mean square + 6.1e-08 rsqrt + 3.1e-08 products
	// 1.9223046 within 5.2e-07 = 5.7e-08 mean square + 2.3e-07 rsqrt + 2.3e-07 products
}

// A sum in several orders: the more additions a term passes, the larger the bound. A
// kernel that declares no order is held to the worst.
func ExampleMatVec() {
	const n = 1024
	w, x := make([]float64, n), make([]float64, n)
	for i := range n {
		w[i], x[i] = 1+float64(i%7)/8, oracles.F32.Round(float64(i%5)/3+0x1p-10)
	}
	for _, order := range []oracles.Schedule{oracles.Halved(256), oracles.Strided(256, 1), oracles.Sequential(),
		oracles.AnyOrder()} {
		a := oracles.MatVec(w, x, n, 1, oracles.Contract{Sums: map[string]oracles.Schedule{"row": order}})
		fmt.Printf("%.3f within %.1e, %s\n", a.Want[0], a.Bound(0), order)
	}
	// Output:
	// 938.749 within 6.1e-04, 256 lanes, then a tree
	// 938.749 within 2.3e-03, 256 lanes
	// 938.749 within 2.9e-02, sequential
	// 938.749 within 5.7e-02, any order
}

// A statistical bound: what the roundings of random inputs add up to stays far
// below their worst case.
func ExampleAnswer_Statistical() {
	const n = 4096
	w, x := make([]float64, n), make([]float64, n)
	seed := uint32(1)
	for i := range n {
		seed = seed*1664525 + 1013904223
		w[i], x[i] = float64(seed>>16)/(1<<15)-1, float64(seed&0xffff)/(1<<15)-1
	}
	a := oracles.MatVec(w, x, n, 1, oracles.Contract{
		Sums: map[string]oracles.Schedule{"row": oracles.Strided(32, 1)},
	})
	likely, ok := a.Statistical(0)
	fmt.Printf("rigorous    %.1e = %s\n", a.Bound(0), sum(a.Parts(0)))
	fmt.Printf("statistical %.1e = %s, derived: %v\n", likely, sum(a.StatisticalParts(0)), ok)
	// Output:
	// rigorous    7.4e-04 = 0.00074 row sum
	// statistical 5.8e-05 = 5.8e-05 roundings (8.3σ), derived: true
}

// The sums that an element depends on, and how much of its bound is theirs.
func ExampleTrace() {
	x := []float64{1, 2, 3, 4, 5, 6, 7, 8.5}
	sums := oracles.Trace(func(t *oracles.SumTracer) oracles.Answer {
		return oracles.SoftmaxRows(x, 4, 4, oracles.Contract{Tracer: t})
	}, 5)
	for _, s := range sums {
		fmt.Printf("%s %v of %d, %.0f %% of the bound\n", s.Name, s.Found, s.Formed, 100*s.Share)
	}
	// Output:
	// denominator [1] of 2, 16 % of the bound
}

// sum spells a bound as the sum of what adds to it.
func sum(parts []oracles.Part) string {
	var list []string
	for _, p := range parts {
		if p.Error != 0 {
			list = append(list, fmt.Sprintf("%.2g %s", p.Error, p.Label))
		}
	}
	return strings.Join(list, " + ")
}
