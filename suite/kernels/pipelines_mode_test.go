package kernels

import (
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// TestPipelinesInModes judges the first case of a pipeline in relaxed and fast math, with the
// bounds of both: from end to end it conforms. That two launches of different kernels have
// the same bits no mode but safe lets them promise: that is said, and were it asked for
// nevertheless, the line would be named and what the compiler does there.
func TestPipelinesInModes(t *testing.T) {
	if testing.Short() {
		t.Skip("three pipelines in two modes")
	}
	runner := &keeper{Runner: sim.New(sim.Semantics{})}
	t.Cleanup(func() { runner.Close() })
	s := ours(t)
	modes := []metalrun.Math{{Mode: metalrun.MathRelaxed, FastFunctions: true},
		{Mode: metalrun.MathFast, FastFunctions: true}}
	judge := func(c suite.Case) []suite.Result {
		return verdicts(t, runner, suite.Options{Shaders: s, Seed: 1, Parallel: 1, Adversaries: adversaries(1)},
			s.InModes([]suite.Case{c}, nil, modes)...)
	}
	for _, name := range []string{"attention_three_kernels", "moe_layer"} {
		for _, r := range judge(firstPipeline(name)) {
			if r.Status != suite.Pass || !strings.HasSuffix(r.Case, suite.MathPart+r.Math) {
				t.Errorf("%s in %s math: %s", r.Case, r.Math, r.Text())
			}
		}
	}
	c := firstPipeline("dequant_matvec_4bit_v3_n_tokens_token_by_token")
	for _, r := range judge(c) {
		if r.Status != suite.Skip || !strings.Contains(r.Reason, equalBits.Why) {
			t.Errorf("%s: %s", r.Case, r.Text())
		}
	}
	asked := *c.Pipeline
	asked.Math, c.Pipeline = nil, &asked
	r := judge(c)[0]
	if r.Status != suite.Fail || r.Failures[0].Check != suite.CheckEqual || r.Relies == nil ||
		r.Relies.Kind != "partial sums of a loop" || r.Relies.File != "quant.metal" {
		t.Errorf("two sums in their own orders: %s, relying on %v", r.Text(), r.Relies)
	}
}

// firstPipeline is the first case of the quick sweep of a pipeline.
func firstPipeline(pipeline string) suite.Case {
	return casesWhere(func(c suite.Case) bool {
		return c.Pipeline != nil && c.Pipeline.Name == pipeline && launched(c)
	})[0]
}
