package kernels

import (
	"math"
	"slices"
	"testing"

	"metalconform/oracles"
	"metalconform/suite"
	"metalconform/suite/kernels/kerneltest"
)

// inexact are the kernels without a family of inputs for which the oracle allows
// no error, and why.
var inexact = map[string]string{
	"attn_online_f32":              divides,
	"attn_scores_batched":          charged,
	"attn_scores_tiled":            charged,
	"attn_softmax_batched":         divides,
	"attn_values_batched":          charged,
	"attn_values_tiled":            charged,
	"compute_decay_beta":           divides,
	"conv1d_step":                  divides,
	"fused_gate_up_swiglu":         divides,
	"gated_delta_net_chunk_o_bf16": "its scale 1/√K is no power of two for the only K",
	"gated_delta_net_chunkwise":    "its budget goes by the norms of a chunk",
	"gated_rms_norm":               divides,
	"mla_sdpa_folded":              divides,
	"mla_sdpa_tile_accumulate":     "it sums exponentials",
	"mla_sdpa_tile_finalize":       divides,
	"moe_normalize_weights":        divides,
	"moe_softmax_topk":             divides,
	"rms_norm_apply":               divides,
	"rms_norm_apply_bf16":          divides,
	"rms_norm_bf16_fused_n_tokens": divides,
	"rms_norm_per_head_n_tokens":   divides,
	"rms_norm_qk":                  divides,
	"rope_n_tokens":                "sine and cosine are allowed an error everywhere",
	"sigmoid_gate":                 divides,
	"swiglu_fused":                 divides,
	"swiglu_fused_batched":         divides,
	"swiglu_fused_vec4":            divides,
	"yarn_rope_apply":              "sine and cosine are allowed an error everywhere",
}

const (
	charged = "the running error bound of a dot product charges exact roundings too"
	divides = "a division, a root or an exponential is allowed an error everywhere"
)

// TestExactFamilies checks that in the family "exact" of a kernel, or without
// one in "integers" or "any", the oracle allows no error in any element of the
// first probe: there a wrong index shows bit for bit. In other shapes a scale
// need not be a power of two.
func TestExactFamilies(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	shaders := ours(t)
	for _, f := range All() {
		for _, k := range f.Kernels {
			t.Run(k.Name, func(t *testing.T) {
				t.Parallel()
				reason, excused := inexact[k.Name]
				name := exactFamily(k)
				certain := name != ""
				for _, c := range probes(func(c suite.Case) bool {
					return c.Kernel.Name == k.Name && isFirstProbe(c) && c.Input.Name == name
				}) {
					asked, err := kerneltest.Ask(shaders, c, 1)
					if err != nil {
						t.Fatal(err)
					}
					for _, a := range asked.Answers {
						for i := range a.Want {
							certain = certain && (a.Exact || a.Bound(i) == 0)
						}
					}
				}
				switch {
				case excused && certain:
					t.Errorf("the family %s is exact, though %s", name, reason)
				case !excused && !certain:
					t.Errorf("no family is exact, %q is not", name)
				}
			})
		}
	}
}

// exactFamily is the family that has to be exact, "" if there is none.
func exactFamily(k suite.Kernel) string {
	for _, name := range []string{"exact", "integers", "any"} {
		if slices.ContainsFunc(k.Sweep.Inputs, func(in suite.Input) bool { return in.Name == name }) {
			return name
		}
	}
	return ""
}

// alwaysFinite are floating-point inputs without a family that puts in one NaN, or
// one infinity, and why.
var alwaysFinite = map[string]string{
	"attn_scores_batched/scores":          overwritten,
	"attn_scores_tiled/scores":            overwritten,
	"kv_cache_append_n_tokens/k_cache":    overwritten,
	"kv_cache_append_n_tokens/v_cache":    overwritten,
	"mla_kv_cache_append/latent_cache":    overwritten,
	"mla_kv_cache_append/rope_k_cache":    overwritten,
	"gated_delta_net_step/conv_out":       regions,
	"gated_delta_net_sequential/conv_out": regions,
	"gated_delta_net_chunkwise/conv_out":  regions,
}

const (
	overwritten = "it is never read"
	regions     = "its regions q, k and v have families of their own"
)

// TestNonFiniteFamilies checks that one element that is NaN, and one that is
// infinite, is tried in every floating-point input. Of the experts of a combine
// kernel, which all are the same, 0, 4 and 15 stand for all.
func TestNonFiniteFamilies(t *testing.T) {
	alike := slices.DeleteFunc(expertNames(), func(name string) bool {
		return slices.Contains([]string{"expert_out0", "expert_out4", "expert_out15"}, name)
	})
	for _, f := range All() {
		for _, k := range f.Kernels {
			for _, a := range k.Args {
				_, float := a.Type.Format()
				if !a.Buffer() || !float || a.Role == suite.RoleOut || alwaysFinite[k.Name+"/"+a.Name] != "" ||
					slices.Contains(alike, a.Name) {
					continue
				}
				for _, name := range []string{"nan_" + a.Name, "inf_" + a.Name} {
					if !slices.ContainsFunc(k.Sweep.Inputs, func(in suite.Input) bool { return in.Name == name }) {
						t.Errorf("%s has no family %s", k.Name, name)
					}
				}
			}
		}
	}
}

// partly are the kernels in whose families cancelling_1e3 and cancelling_1e6 not
// all sums cancel: prefixes of one that does, and the tokens after the first.
var partly = []string{
	"chunk_local_cumsum_g_f32", "gated_delta_net_f32", "gated_delta_net_step", "gated_delta_net_sequential",
	"gated_delta_net_chunkwise",
}

// TestConditioned checks that the sums which these families make cancel are
// those of their kernels. A budget charges one of the roundings of each term at
// least, so that a bound is no less than about u·κ of its result.
func TestConditioned(t *testing.T) {
	shaders := ours(t)
	kappas := map[string]float64{"cancelling_1e3": 1e3, "cancelling_1e6": 1e6}
	type sums struct{ kernel, family string }
	best := map[sums]float64{} // part of the elements of an output
	for _, c := range probes(func(c suite.Case) bool {
		return kappas[c.Input.Name] > 0 && (isFirstProbe(c) || !testing.Short())
	}) {
		asked, err := kerneltest.Ask(shaders, c, 1)
		if err != nil {
			t.Fatal(err)
		}
		of := sums{c.Kernel.Name, c.Input.Name}
		best[of] = max(best[of], 0)
		for _, a := range asked.Answers {
			cancel := 0
			for i, want := range a.Want {
				least := oracles.F32.UnitRoundoff() * kappas[c.Input.Name] / 4 * math.Abs(want)
				if bound := a.Bound(i); bound >= least && !math.IsInf(bound, 1) {
					cancel++
				}
			}
			best[of] = max(best[of], float64(cancel)/float64(len(a.Want)))
		}
	}
	for of, part := range best {
		if part == 0 || part < 0.3 && !slices.Contains(partly, of.kernel) {
			t.Errorf("%s: of %s, a part of %.2g has its condition", of.kernel, of.family, part)
		}
	}
}
