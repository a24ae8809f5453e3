package kernels

import (
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"
)

// BenchmarkKernels times the largest case of each kernel's quick sweep, under
// the case's name: one operation is generating, launching and judging, and
// kernel-ns/op is what the launches took of it.
func BenchmarkKernels(b *testing.B) {
	keeper := &keeper{Runner: metalrun.NewSimulator(metalrun.Semantics{})}
	b.Cleanup(func() { keeper.Close() })
	opts := suite.Options{Shaders: ours(b), Parallel: 1}
	cases := suite.Cases(All(), suite.Quick)
	for _, f := range All() {
		for _, k := range f.Kernels {
			c := largest(cases, k.Name)
			b.Run(c.Name, func(b *testing.B) {
				var ns int64
				for b.Loop() {
					for _, r := range verdicts(b, keeper, opts, c) {
						if r.Status != suite.Pass {
							b.Fatal(r.Message)
						}
						ns += r.NS
					}
				}
				b.ReportMetric(float64(ns)/float64(b.N), "kernel-ns/op")
			})
		}
	}
}

// largest is the accepted case of a kernel with the most elements.
func largest(cases []suite.Case, kernel string) suite.Case {
	var found suite.Case
	most := 0
	for _, c := range cases {
		if c.Kernel.Name != kernel || c.Kernel.Check(c.Shape) != nil {
			continue
		}
		n := 0
		for _, a := range c.Kernel.Args {
			if a.Buffer() {
				n += a.Count(c.Shape)
			}
		}
		if n > most {
			found, most = c, n
		}
	}
	return found
}
