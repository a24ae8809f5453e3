package kernels

import (
	"slices"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// exactDevice is what exact execution runs on.
func exactDevice() *suite.Exact {
	return suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
		return sim.New(sim.Exactly(a))
	})
}

// TestFormulas holds a sample of cases of every kernel and pipeline to the two questions of
// exact execution: in exact arithmetic each computes what its definition says, to 2⁻²⁰ of the bound,
// and no value is further from that than a device may be. A short run
// takes a smaller sample.
func TestFormulas(t *testing.T) {
	every, least, seen := 60, 60, map[string]int{}
	if testing.Short() {
		every, least = 400, 40
	}
	sample := casesWhere(func(c suite.Case) bool {
		if !inTime(c) {
			return false
		}
		seen[c.Kernel.Name]++
		return seen[c.Kernel.Name]%every == 1
	})
	answered, asked := map[string]bool{}, map[string]bool{}
	opts := suite.Options{Shaders: ours(t), Seed: 1, Exact: exactDevice()}
	err := suite.Run(t.Context(), sim.New(sim.Semantics{}), opts, sample, func(r suite.Result) {
		if r.Status != suite.Pass {
			t.Errorf("%s: %s: %s", r.Case, r.Status, r.Text())
		}
		for _, o := range r.Outputs {
			if slices.Contains([]string{"f32", "f16", "bf16"}, o.Type) && o.Elements > 0 {
				asked[r.Kernel] = true
			}
			for _, m := range o.Metrics {
				answered[r.Kernel] = answered[r.Kernel] || m.Key == "rounding"
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(answered) < least {
		t.Errorf("%d of %d kernels with floating outputs have been asked", len(answered), len(asked))
	}
}

// formulaFaults are wrong formulas that no bound tells from rounding, as far as the cases
// named go: most are off by a part in a million or less.
var formulaFaults = []fault{
	{kernel: "compute_decay_beta", name: "softplus is the identity above 20", edits: []edit{
		{"kernel void compute_decay_beta", "max(x, 0.0f) + log_1p(exp(-abs(x)))",
			"x > 20.0f ? x : max(x, 0.0f) + log_1p(exp(-abs(x)))"}}},
	{kernel: "swiglu_fused", name: "silu is the identity above 17", edits: []edit{
		{"", "return x * sigmoid(x);", "return x > 17.0f ? x : x * sigmoid(x);"}}},
	{kernel: "mla_sdpa_folded", name: "weights below 1e-9 dropped", in: "input=scores_rising", edits: []edit{
		{"", "score <= LOWEST ? 0.0f : exp(score - highest)",
			"score < highest - 20.7f ? 0.0f : exp(score - highest)"}}},
	{kernel: "attn_softmax_batched", name: "terms of the sum below 1e-8 dropped", edits: []edit{
		{"const float weight = exp(row[p] - largest);", "sum += weight;", "sum += weight < 1e-8f ? 0.0f : weight;"}}},
	{kernel: "rms_norm_bf16_fused_n_tokens", name: "eps off by 10 %", in: "n_tokens=3/dim=1009/input=normal",
		edits: []edit{
			{"kernel void rms_norm_bf16_fused_n_tokens", "float(dim) + eps", "float(dim) + 1.1f * eps"}}},
	{kernel: "gated_delta_net_chunk_o_bf16", name: "exponential off by 1e-6",
		in: "B=1/T=64/Hg=1/H=2/K=128/V=64/BT=64/input=normal", edits: []edit{
			{"", "const float out = exp(g[token])", "const float out = 1.000001f * exp(g[token])"}}},
	{kernel: "gated_delta_net_chunk_o_bf16", name: "log2 e to six digits",
		in: "B=1/T=64/Hg=1/H=2/K=128/V=64/BT=64/input=normal", edits: []edit{
			{"", "const float out = exp(g[token])", "const float out = exp2(1.44270f * g[token])"}}},
	{kernel: "moe_softmax_topk", name: "probabilities divided by 1 + 1e-8 more", in: "n_experts=65/k=5/input=normal",
		edits: []edit{{"const float p = exp(row[e] - largest);", "sum += p;", "sum += p * 1.00000001f + 1e-9f;"}}},
}

// TestFormulaFaults seeds formulas that are wrong by so little that every other check takes them for
// rounding.
func TestFormulaFaults(t *testing.T) {
	for i, f := range formulaFaults {
		if testing.Short() && i > 0 {
			break
		}
		t.Run(f.kernel+"/"+f.name, func(t *testing.T) {
			t.Parallel()
			file, cases := f.cases(t)
			seeded := f.seed(t, file)
			caught := map[suite.Check]int{}
			opts := suite.Options{Shaders: seeded, Seed: 1, Exact: exactDevice(), Parallel: 1}
			err := suite.Run(t.Context(), sim.New(sim.Semantics{}), opts, cases, func(r suite.Result) {
				for _, x := range r.Failures {
					caught[x.Check]++
				}
			})
			if err != nil {
				t.Fatal(err)
			}
			if caught[suite.CheckFormula] == 0 || len(caught) > 1 {
				t.Errorf("%d cases fail by these checks: %v; want formula alone", len(cases), caught)
			}
		})
	}
}
