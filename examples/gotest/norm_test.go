package kernels

import (
	"math"
	"os"
	"testing"

	"metalconform/conform"
	"metalconform/conform/conformtest"
)

// The definition may be Go, too: a function of the inputs that gives each output by name.
func TestAddNorm(t *testing.T) {
	conformtest.Run(t, os.DirFS("shaders"), conform.Kernel{
		Name: "add_norm",
		Args: []conform.Arg{
			conform.In("x", conform.F16, "rows", "n"), conform.In("residual", conform.F16, "rows", "n"),
			conform.In("w", conform.F32, "n"),
			conform.Out("y", conform.F16, "rows", "n"), conform.Out("sum", conform.F16, "rows", "n"),
			conform.Struct("args", conform.Const("n", conform.U32, "n"),
				conform.Const("eps", conform.F32, 1e-5)).As("NormArgs"),
		},
		Threadgroups:          conform.Sizes{"rows"},
		ThreadsPerThreadgroup: conform.Sizes{64},
		Base:                  conform.Shape{"rows": 2, "n": 100},
		Vary:                  conform.Points{"rows": {1, 3}, "n": {1, 63, 64, 65, 500}},
		Settings:              map[string][]float64{"eps": {0.1}},
		Oracle: func(p *conform.Problem) conform.Answers {
			sum, y := added(p.Values("x"), p.Values("residual")), []float64{}
			for i, v := range sum {
				y = append(y, v/rms(sum, i, p.Shape["n"], p.Scalar("eps"))*p.Values("w")[i%p.Shape["n"]])
			}
			return conform.Answers{"sum": conform.Definition(sum...), "y": conform.Definition(y...)}
		},
	})
}

func added(x, y []float64) []float64 {
	sum := make([]float64, len(x))
	for i := range x {
		sum[i] = x[i] + y[i]
	}
	return sum
}

// rms is the root of the mean square of the row that element i is in.
func rms(x []float64, i, n int, eps float64) float64 {
	row, squares := x[i/n*n:i/n*n+n], 0.0
	for _, v := range row {
		squares += v * v
	}
	return math.Sqrt(squares/float64(n) + eps)
}
