package kernels

import (
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// BenchmarkChecks shows what the checks, exact execution and the counts of a forecast cost: for each kernel the time of
// all launches of the quick sweep as they are, and when observed, executed exactly and counted, as multiples of that.
// Of each launch the shortest of b.N counts. The last row is for all kernels that were timed: -bench
// 'Checks/^(attn_.*|all)$' chooses some.
func BenchmarkChecks(b *testing.B) {
	costs := map[string]checksCost{}
	for _, f := range All() {
		for _, k := range f.Kernels {
			k.Oracle = func(*suite.Problem) suite.Answers { return nil } // nothing is judged
			alone := []suite.Family{{Name: f.Name, Kernels: []suite.Kernel{k}}}
			b.Run(k.Name, func(b *testing.B) {
				cases := suite.Cases(alone, suite.Quick)
				c := checksCost{
					plain:    shortest(b, sim.Semantics{}, cases),
					observed: shortest(b, sim.Semantics{Check: true}, cases),
					exact:    shortest(b, sim.Semantics{Exact: true}, cases),
					counted:  shortest(b, sim.Semantics{Profile: true}, cases),
				}
				costs[k.Name] = c
				c.report(b)
			})
		}
	}
	b.Run("all", func(b *testing.B) {
		var all checksCost
		for _, c := range costs {
			all.plain, all.observed = all.plain+c.plain, all.observed+c.observed
			all.exact, all.counted = all.exact+c.exact, all.counted+c.counted
		}
		all.report(b)
	})
}

// checksCost is how long launches take as they are, observed, executed exactly, and counted, in nanoseconds.
type checksCost struct{ plain, observed, exact, counted int64 }

func (c checksCost) report(b *testing.B) {
	b.ReportMetric(float64(c.plain)/1e6, "ms")
	b.ReportMetric(float64(c.observed)/float64(c.plain), "x-observed")
	b.ReportMetric(float64(c.exact)/float64(c.plain), "x-exact")
	b.ReportMetric(float64(c.counted)/float64(c.plain), "x-counted")
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
