package kernels

import (
	"maps"
	"strings"
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// TestPipelineFaults seeds one fault at a time between the stages of a pipeline:
// every stage still computes what it should from what it gets, so that only the
// pipeline's own invariant can fail.
func TestPipelineFaults(t *testing.T) {
	keeper := &keeper{Runner: sim.New(sim.Semantics{})}
	t.Cleanup(func() { keeper.Close() })
	shaders := ours(t)
	tried := map[string]bool{}
	for _, f := range pipelineFaults() {
		if testing.Short() && (raceDetector || tried[f.pipeline] || len(tried)%3 == 2) {
			continue
		}
		tried[f.pipeline] = true
		t.Run(f.pipeline+"/"+strings.ReplaceAll(f.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			r := verdicts(t, keeper, suite.Options{Shaders: shaders, Parallel: 1}, f.seeded(t))[0]
			if r.Status != suite.Fail {
				t.Fatalf("got %s, want %s: %s", r.Status, suite.Fail, r.Text())
			}
			if got := r.Failures[0].Stage; got != f.invariant {
				t.Errorf("caught by %q, want %q: %s", got, f.invariant, r.Text())
			}
		})
	}
}

// pipelineFault is a change of the steps that launch a kernel.
type pipelineFault struct {
	pipeline, name string
	kernel         string
	alter          func(*suite.PipelineRun, *suite.Step)
	invariant      string // that has to fail
	in             string // part of the name of the case that it shows in
}

// seeded is the first case of the pipeline that the fault shows in.
func (f pipelineFault) seeded(t *testing.T) suite.Case {
	t.Helper()
	families := All()
	for i := range families {
		for j := range families[i].Pipelines {
			pipeline := &families[i].Pipelines[j]
			if pipeline.Name == f.pipeline {
				pipeline.Alter = func(c *suite.PipelineRun, s *suite.Step) {
					if s.Kernel == f.kernel {
						f.alter(c, s)
					}
				}
			}
		}
	}
	for _, c := range suite.Cases(families, suite.Quick) {
		if c.Kernel.Name == f.pipeline && strings.Contains(c.Name, f.in) && strings.HasSuffix(c.Name, "/input=normal") {
			return c
		}
	}
	t.Fatalf("no case of %s has %q in its name", f.pipeline, f.in)
	return suite.Case{}
}

// onCopy binds an argument to a copy of its buffer, so that what the stage
// writes is lost.
func onCopy(arg string) func(*suite.PipelineRun, *suite.Step) {
	return func(c *suite.PipelineRun, s *suite.Step) {
		from := arg
		if name, ok := s.Buffers[arg]; ok {
			from = name
		}
		c.Copy(from, "lost")
		rebind(s, arg, "lost")
	}
}

// bound binds an argument to another buffer.
func bound(arg, buffer string) func(*suite.PipelineRun, *suite.Step) {
	return func(_ *suite.PipelineRun, s *suite.Step) { rebind(s, arg, buffer) }
}

func rebind(s *suite.Step, arg, buffer string) {
	buffers := maps.Clone(s.Buffers)
	if buffers == nil {
		buffers = map[string]string{}
	}
	buffers[arg] = buffer
	s.Buffers = buffers
}

func pipelineFaults() []pipelineFault {
	moved := func(arg string) func(*suite.PipelineRun, *suite.Step) {
		return func(_ *suite.PipelineRun, s *suite.Step) {
			w := s.Windows[arg]
			s.Windows[arg] = suite.Range{First: 0, End: w.End - w.First}
		}
	}
	return []pipelineFault{
		{"dequant_matvec_4bit_v3_n_tokens_token_by_token", "input of another token", "dequant_matvec_4bit_v3",
			moved("x"), "alone = together", "n_tokens=3"},
		{"bf16_matmul_n_tokens_token_by_token", "input of another token", "bf16_matvec", moved("input"),
			"alone = together", "n_tokens=3"},
		{"attention_three_kernels", "softmax left out", "attn_softmax_batched", onCopy("scores"), "end to end", ""},
		{"attention_three_kernels", "values taken from the keys", "attn_values_batched", bound("V_cache", "K"),
			"end to end", ""},
		{"attention_three_kernels", "other queries in one pass", "attn_online_f32",
			func(_ *suite.PipelineRun, s *suite.Step) { s.Shape[mapping] = 1 }, "online = three kernels", ""},
		{"mla_tiled_is_folded", "cache of another head", "mla_sdpa_tile_accumulate",
			func(c *suite.PipelineRun, s *suite.Step) {
				x := c.Values("latent_cache")
				c.Store("moved", suite.F32, append(x[len(x)/2:], x[:len(x)/2]...))
				rebind(s, "latent_cache", "moved")
			}, "tiled = folded", ""},
		{"mla_decode_step", "key left as it is", "yarn_rope_apply",
			func(c *suite.PipelineRun, s *suite.Step) {
				if s.Buffers["x"] == "k_pe" {
					onCopy("x")(c, s)
				}
			}, "end to end", ""},
		{"mla_decode_step", "other scale of scores", "mla_sdpa_folded",
			func(_ *suite.PipelineRun, s *suite.Step) { s.Set = map[string]float64{"softmax_scale": 0.0722} },
			"end to end", ""},
		{"gated_delta_net_step_split_launches", "state not carried", "gated_delta_net_step",
			func(_ *suite.PipelineRun, s *suite.Step) {
				if s.Buffers["state"] == "state_split" {
					rebind(s, "state", "state")
				}
			}, "output = output_split", ""},
		{"gated_delta_net_chunks_are_recurrence", "second run from the end of the first", "gated_delta_net_chunkwise",
			bound("state", "state_gated_delta_net_step"),
			"output_gated_delta_net_step ~ output_gated_delta_net_chunkwise", "n_tokens=33"},
		{"linear_attention_block", "state of the convolution not carried", "conv1d_state_update", onCopy("conv_state"),
			"end to end", "per_run=2"},
		{"linear_attention_block", "state of the delta rule not carried", "gated_delta_net_step", onCopy("state"),
			"end to end", "per_run=2"},
		{"linear_attention_block", "gate and decay exchanged", "gated_delta_net_step",
			func(_ *suite.PipelineRun, s *suite.Step) {
				rebind(s, "g_decay", "beta_gate")
				rebind(s, "beta_gate", "g_decay")
			}, "end to end", ""},
		{"moe_layer", "weights not normalised", "moe_normalize_weights", onCopy("weights"), "end to end", ""},
		{"moe_layer", "up taken for gate", "fused_gate_up_swiglu", bound("gate_W", "up_W"), "end to end", ""},
		{"moe_layer", "sum of experts lost", "moe_bucket_accumulate", onCopy("out_sum"), "end to end", ""},
		{"chunk_gated_delta_rule", "log-decays not summed", "gated_delta_net_chunk_o_bf16", bound("g", "g"),
			"end to end", ""},
		{"chunk_gated_delta_rule", "values before the update", "gated_delta_net_chunk_o_bf16", bound("v_new", "u"),
			"end to end", ""},
		{"chunk_gated_delta_rule", "matrix not inverted", "gated_delta_net_recompute_wu_bf16", bound("A", "A"),
			"end to end", ""},
		{"chunk_gated_delta_rule", "heads repeated in blocks", "repeat_tiled_f32",
			func(_ *suite.PipelineRun, s *suite.Step) { s.Kernel = "repeat_block_f32" }, "end to end",
			"Hg=2/H=4/V=64/mapping=1"},
	}
}
