package suite

import (
	"context"
	"math"
	"testing"
)

// TestPipelineStatistical checks which stages the statistical bound judges: those
// that got nothing but what a random family filled. The oracle's bound of that
// kind is so sharp that each of them fails it.
func TestPipelineStatistical(t *testing.T) {
	first := func(c *PipelineRun) { c.Launch(Step{Kernel: "product"}) }
	onX := func(x string) func(*PipelineRun) {
		return func(c *PipelineRun) {
			c.Launch(Step{Kernel: "twin",
				Buffers: map[string]string{"x": x, "y": "again", "copy": "copied", "hits": "fresh"}})
		}
	}
	for _, test := range []struct {
		name   string
		random bool // the family
		run    func(*PipelineRun)
		stage  string // that fails; "" for none
	}{
		{"what the family filled", true, first, "stage 1, product"},
		{"a family that is not random", false, first, ""},
		{"a copy of it", true, func(c *PipelineRun) { c.Copy("x", "same"); c.Copy("hits", "fresh"); onX("same")(c) },
			"stage 1, twin"},
		{"what the host made of it", true, func(c *PipelineRun) {
			c.Store("made", F32, c.Values("x"))
			c.Copy("hits", "fresh")
			onX("made")(c)
		}, ""},
		{"what a stage wrote", true, func(c *PipelineRun) { c.Copy("hits", "fresh"); quiet(c); onX("y")(c) }, ""},
		{"a state that a stage changed", true, func(c *PipelineRun) { quiet(c); c.Copy("hits", "fresh"); onX("x")(c) },
			""},
		{"beside what a stage wrote", true, func(c *PipelineRun) { c.Copy("hits", "fresh"); quiet(c); onX("x")(c) },
			"stage 2, twin"},
	} {
		t.Run(test.name, func(t *testing.T) {
			ch := twins(test.run)
			ch.Sweep.Inputs[0].Random = test.random
			c := pipelineCases(ch)[0]
			for _, k := range c.kernels {
				k.Oracle = sharp
			}
			var r Result
			opts := Options{Shaders: shadersOf(t, map[string]string{"product.metal": "kernel product\nkernel twin"})}
			if err := Run(context.Background(), twinRunner(runProduct), opts, []Case{c},
				func(got Result) { r = got }); err != nil {
				t.Fatal(err)
			}
			switch {
			case test.stage == "" && r.Status != Pass:
				t.Errorf("%s: %s", r.Status, r.Text())
			case test.stage != "" &&
				(r.Status != Fail || r.Failures[0].Check != CheckStatistical || r.Failures[0].Stage != test.stage):
				t.Errorf("%s: %s, want %s to fail by %s", r.Status, r.Text(), test.stage, CheckStatistical)
			}
		})
	}
}

// quiet is a stage that reads what the host has stored, and is not judged by the
// statistical bound for that.
func quiet(c *PipelineRun) {
	c.Store("stored", F32, c.Values("x"))
	c.Launch(Step{Kernel: "product", Buffers: map[string]string{"x": "stored"}})
}

// sharp is the product's oracle with a statistical bound that no rounding is
// within.
func sharp(p *Problem) Answers {
	answers := productOracle(p)
	y := answers["y"]
	y.Sigma, y.Systematic = make([]float64, len(y.Want)), make([]float64, len(y.Want))
	for i := range y.Sigma {
		y.Sigma[i] = math.SmallestNonzeroFloat64
	}
	answers["y"] = y
	return answers
}
