package kernels

import (
	"slices"

	"metalconform/suite"
)

func quantPipelines() []suite.Pipeline {
	return []suite.Pipeline{
		tokenByToken(dequantMatvec4V3(), dequantMatvec4V3Tokens(), "x"),
		tokenByToken(dequantMatvec4Fast(), dequantMatvec4FastTokens(), "x"),
		tokenByToken(dequantMatvec8V3(), dequantMatvec8V3Tokens(), "x"),
		tokenByToken(bf16Matvec(), bf16Matmul(), "input"),
	}
}

// tokenByToken is the invariant between a product of one token and its partner for
// several: each token has the bits that it has alone. The buffers of the two
// stand at the same bindings; that of the token is called x in the first.
func tokenByToken(single, several suite.Kernel, x string) suite.Pipeline {
	at := slices.IndexFunc(single.Args, func(a suite.Arg) bool { return a.Name == x })
	tokens, together := several.Args[at].Name, several.Args[at+1].Name
	sweep := several.Sweep
	small := func(s suite.Shape) bool { return s[nTokens]*s[outDim]*s[inDim] <= 1<<15 }
	pipeline := suite.Pipeline{
		Name:    several.Name + "_token_by_token",
		Doc:     "Each token of " + several.Name + " has the bits that " + single.Name + " gives it.",
		Axes:    several.Axes,
		Kernels: []string{several.Name, single.Name},
		Math:    equalBits,
		Check:   several.Check,
		Sweep: suite.Sweep{
			Shapes:  slices.DeleteFunc(slices.Clone(sweep.Shapes), func(s suite.Shape) bool { return !small(s) }),
			Full:    slices.DeleteFunc(slices.Clone(sweep.Shapes), small),
			Probes:  sweep.Probes,
			Refused: sweep.Refused[:1],
			Inputs:  sweep.Inputs,
		},
	}
	for _, a := range several.Args {
		if a.Role == suite.RoleIn {
			pipeline.Buffers = append(pipeline.Buffers, a)
		}
	}
	alone := several.Args[at+1]
	alone.Name = "alone"
	pipeline.Buffers = append(pipeline.Buffers, alone)
	pipeline.Run = func(c *suite.PipelineRun) {
		c.Launch(suite.Step{Kernel: several.Name, Buffers: renamed(together, "together")})
		for t := range c.Shape[nTokens] {
			c.Launch(suite.Step{
				Kernel:  single.Name,
				Buffers: renamed(x, tokens, single.Args[at+1].Name, "alone"),
				Windows: map[string]suite.Range{x: row(t, c.Shape[inDim]),
					single.Args[at+1].Name: row(t, c.Shape[outDim])},
			})
		}
		c.Equal("alone", "together")
	}
	return pipeline
}
