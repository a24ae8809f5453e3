package kernels

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// BenchmarkChecks shows what the checks and exact execution cost: the time of all launches of the
// quick sweep, observed and executed exactly, as multiples of that of the same launches
// as they are. Of each launch the shortest of b.N counts.
func BenchmarkChecks(b *testing.B) {
	type row struct {
		kernel                 string
		plain, observed, exact int64
	}
	var rows []row
	total := row{kernel: "all"}
	for _, f := range All() {
		for _, k := range f.Kernels {
			k.Oracle = func(*suite.Problem) suite.Answers { return nil } // nothing is judged
			alone := []suite.Family{{Name: f.Name, Kernels: []suite.Kernel{k}}}
			cases := suite.Cases(alone, suite.Quick)
			r := row{kernel: k.Name}
			r.plain = shortest(b, sim.Semantics{}, cases)
			r.observed = shortest(b, sim.Semantics{Check: true}, cases)
			r.exact = shortest(b, sim.Semantics{Exact: true}, cases)
			total.plain, total.observed, total.exact = total.plain+r.plain, total.observed+r.observed, total.exact+r.exact
			rows = append(rows, r)
		}
	}
	slices.SortFunc(rows, func(x, y row) int {
		return cmp.Compare(float64(y.observed)/float64(y.plain), float64(x.observed)/float64(x.plain))
	})
	text := "\n"
	for _, r := range append(rows, total) {
		text += fmt.Sprintf("%-46s %8.2f ms  %8.2f ms observed  %5.1f x  %8.2f ms exact  %5.1f x\n", r.kernel, float64(r.plain)/1e6,
			float64(r.observed)/1e6, float64(r.observed)/float64(r.plain), float64(r.exact)/1e6, float64(r.exact)/float64(r.plain))
	}
	b.Log(text)
	b.ReportMetric(float64(total.observed)/float64(total.plain), "x-observed")
	b.ReportMetric(float64(total.exact)/float64(total.plain), "x-exact")
	b.ReportMetric(0, "ns/op")
}

// shortest is the sum of the shortest times of the cases' launches, in
// nanoseconds.
func shortest(b *testing.B, s sim.Semantics, cases []suite.Case) int64 {
	runner := sim.New(s)
	defer runner.Close()
	opts := suite.Options{Shaders: ours(b), Parallel: 1}
	var sum int64
	for _, c := range cases {
		var least int64
		for i := range b.N {
			ns := verdicts(b, runner, opts, c)[0].NS
			if i == 0 || ns < least {
				least = ns
			}
		}
		sum += least
	}
	return sum
}
