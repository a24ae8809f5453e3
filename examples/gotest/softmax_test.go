package kernels

import (
	"math"
	"os"
	"testing"

	"metalconform/conform"
	"metalconform/conform/conformtest"
)

func TestSoftmax(t *testing.T) {
	const rows, n = conform.Axis("rows"), conform.Axis("n")
	conformtest.Run(t, os.DirFS("shaders"), conform.Kernel{
		Name:                  "softmax_rows",
		Args:                  []conform.Arg{conform.In("scores", conform.F32, rows, n), conform.Out("weights", conform.F32, rows, n), conform.Const("n", conform.U32, n)},
		Threadgroups:          []conform.Extent{rows},
		ThreadsPerThreadgroup: []conform.Extent{conform.Fixed(32)},
		Base:                  conform.Shape{rows: 3, n: 77},
		Vary:                  []conform.Variation{conform.Vary(rows, 1, 5), conform.Vary(n, 1, 31, 32, 33, 1000)},
		Oracle: func(p *conform.Problem) conform.Answers {
			return conform.Answers{"weights": conform.Definition(softmax(p.Values("scores"), p.Shape[n])...)}
		},
	})
}

// softmax is e^x over its sum, row by row.
func softmax(x []float64, n int) []float64 {
	y := make([]float64, len(x))
	for first := 0; first < len(x); first += n {
		row, largest, sum := x[first:first+n], math.Inf(-1), 0.0
		for _, v := range row {
			largest = math.Max(largest, v)
		}
		for i, v := range row {
			y[first+i] = math.Exp(v - largest)
			sum += y[first+i]
		}
		for i := range row {
			y[first+i] /= sum
		}
	}
	return y
}
