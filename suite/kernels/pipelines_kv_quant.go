package kernels

import (
	"slices"

	"metalconform/suite"
)

func kvQuantPipelines() []suite.Pipeline { return []suite.Pipeline{positionByPosition()} }

// positionByPosition is the invariant between the two byte kernels of a quantised
// cache: a position of a run has the bits that it has alone.
func positionByPosition() suite.Pipeline {
	run, single := dequantizeRun(), dequantizeBytes()
	exact := func(shapes []suite.Shape) []suite.Shape {
		var kept []suite.Shape
		for _, s := range shapes {
			kept = append(kept, s.With(suite.Shape{spare: 0}))
		}
		return without(kept, spare)
	}
	small := func(s suite.Shape) bool { return s[nTokens]*s[perHead]*s[numKVHeads] <= 1<<14 }
	sweep := exact(run.Sweep.Shapes)
	axes := slices.DeleteFunc(slices.Clone(run.Axes), func(a suite.Axis) bool { return a == spare })
	return suite.Pipeline{
		Name:    "tq_dequantize_hb_kv_seq_position_by_position",
		Doc:     "Each position of tq_dequantize_hb_kv_seq has the bits that tq_dequantize_hb_kv gives it.",
		Axes:    axes,
		Kernels: []string{run.Name, single.Name},
		Math:    equalBits,
		Buffers: slices.Concat(run.Args[:2], suite.Args{
			suite.Out("alone", suite.F32, nTokens, numKVHeads, perHead),
		}),
		Check: func(s suite.Shape) error { return run.Check(s.With(suite.Shape{spare: 0})) },
		Sweep: suite.Sweep{
			Shapes: slices.DeleteFunc(slices.Clone(sweep), func(s suite.Shape) bool { return !small(s) }),
			Full:   slices.DeleteFunc(slices.Clone(sweep), small),
			Probes: exact(run.Sweep.Probes),
			Refused: exact(slices.DeleteFunc(slices.Clone(run.Sweep.Refused),
				func(s suite.Shape) bool { return s[spare] < 0 })),
			Inputs: inputsNamed(run.Sweep.Inputs, "normal", "wide", "subnormal", "zeros", "inf_norms", "counting",
				"encoded"),
		},
		Run: func(c *suite.PipelineRun) {
			heads, n, dim := c.Shape[numKVHeads], c.Shape[nTokens], c.Shape[perHead]
			c.Launch(suite.Step{Kernel: run.Name, Shape: suite.Shape{spare: 0}, Buffers: renamed("dst", "together")})
			for t := range n {
				c.Launch(suite.Step{
					Kernel: single.Name, Shape: suite.Shape{spare: 0, readPos: c.Shape[startPos] + t},
					Buffers: renamed("dst", "alone"),
					Windows: map[string]suite.Range{"dst": row(t, heads*dim)},
				})
			}
			// The run is head by head, the positions alone one after the other.
			values := c.Values("together")
			byPosition := make([]float64, len(values))
			for i, x := range values {
				h, t, d := i/(n*max(dim, 1)), i/max(dim, 1)%n, i%dim
				byPosition[(t*heads+h)*dim+d] = x
			}
			c.Store("run", suite.F32, byPosition)
			c.Equal("alone", "run")
		},
	}
}
