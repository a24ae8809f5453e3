package kernels

import (
	"math"
	"slices"
	"strings"
	"testing"

	"metalconform/suite"
)

// Where the sizes of the quick sweep end, unless they reach 2³¹ or the largest that the
// host accepts: above 2¹⁶, or below that.
const (
	oneResult = "a result takes all of it"
	oneRow    = "it is between the parts of one row, or of one head"
	readAlone = "an element that is read belongs to a row of it"
	isFlag    = "0 or 1"
	constant  = "only one value is accepted"

	headChannels = "channels of a head"
	headState    = "each head has a state of 64 KiB, and each token needs the one before"
	headsOfToken = "the heads of a token lie between those of its neighbours"
	wholeGroup   = "a group is part of a row, with one scale"
	wholeRow     = "the longest row that the host accepts, as one group"
	blobParts    = "words, scales and biases grow apart"
	tableSize    = "which of three tables"
)

// above16Bits are integer arguments that go beyond 16 bits but not to 2³¹.
var above16Bits = map[string]string{
	"rms_norm_sum_sq dim":                           oneResult,
	"rms_norm_bf16_fused_n_tokens dim":              oneResult,
	"rms_norm_per_head_n_tokens head_dim":           oneResult,
	"rms_norm_qk key_offset_per_token":              oneRow,
	"attn_scores_batched head_dim":                  oneResult,
	"attn_scores_tiled head_dim":                    oneResult,
	"attn_softmax_batched seq_len":                  oneResult,
	"attn_values_batched seq_len":                   oneResult,
	"attn_values_tiled seq_len":                     oneResult,
	"attn_values_batched head_dim":                  oneRow,
	"attn_values_tiled head_dim":                    oneRow,
	"attn_online_f32 S":                             oneResult,
	"split_q_gate head_dim":                         oneRow,
	"gated_delta_net_f32 T":                         oneResult,
	"conv1d_step conv_dim":                          oneRow,
	"conv1d_state_update conv_dim":                  oneRow,
	"dequant_matvec_4bit in_dim":                    oneResult,
	"dequant_matvec_4bit group_size":                oneResult,
	"dequant_matvec_4bit_fast in_dim":               oneResult,
	"dequant_matvec_4bit_fast_n_tokens in_dim":      oneResult,
	"fused_gate_up_swiglu in_dim":                   oneResult,
	"embed_gather_4bit group_size":                  wholeGroup,
	"bf16_matvec in_dim":                            oneResult,
	"bf16_matmul_n_tokens in_dim":                   oneResult,
	"dequant_matvec_4bit_v3_experts input_stride":   readAlone,
	"weighted_sum K":                                oneResult,
	"mla_split_q_kv qk_nope":                        oneRow,
	"mla_split_q_kv qk_rope":                        oneRow,
	"mla_split_q_kv kv_lora_rank":                   oneRow,
	"mla_sdpa_folded kv_lora_rank":                  oneResult,
	"mla_sdpa_folded qk_rope_head_dim":              oneResult,
	"mla_sdpa_tile_accumulate kv_lora_rank":         oneResult,
	"mla_sdpa_tile_accumulate qk_rope_head_dim":     oneResult,
	"mla_out_per_head_4bit kv_lora_rank":            oneResult,
	"mla_out_per_head_4bit group_size":              oneResult,
	"tq_dequantize_kv head_dim":                     oneRow,
	"tq_dequantize_hb_kv head_dim":                  oneRow,
	"tq_dequantize_hb_kv_seq head_dim":              oneRow,
	"gated_delta_net_chunk_inter_state_bf16 B":      "2²⁹: at 2³⁰ the states take 2⁴⁶ bytes",
	"gated_delta_net_chunk_o_bf16 B":                "2²⁹: at 2³⁰ the states take 2⁴⁶ bytes",
	"chunk_local_cumsum_g_f32 NT":                   "T/64",
	"chunk_tri_solve_invert_f32 NT":                 "T/64",
	"gated_delta_net_kkt_bf16 NT":                   "T/64",
	"gated_delta_net_recompute_wu_bf16 NT":          "T/64",
	"gated_delta_net_chunk_o_bf16 NT":               "T/64",
	"dequant_matvec_4bit_v3_n_tokens num_row_tiles": "⌈out_dim/8⌉",
	"dequant_matvec_8bit_v3_n_tokens num_row_tiles": "⌈out_dim/8⌉",
	"dequant_matvec_4bit_batched num_row_tiles":     "⌈out_dim/8⌉",
	"attn_scores_tiled num_kv_heads":                "2²⁶ heads of 36 channels",
	"attn_scores_batched heads_per_kv":              "2²⁹: the number of heads",
	"attn_values_batched heads_per_kv":              "2²⁸: 2³² − 256 outputs of 16 channels",
	"attn_values_tiled num_kv_heads":                "2²⁸: 2³² − 256 outputs of 16 channels",
	"gated_delta_net_chunk_o_bf16 scale_bits":       "the bits of a scale below 1",
	"gated_delta_net_f32 Hk":                        "half of the value heads",
}

// below16Bits are those that do not even do that.
var below16Bits = map[string]string{
	"gated_delta_net_step k_heads_per_v":       headState,
	"gated_delta_net_step key_total":           headState,
	"gated_delta_net_step n_tokens":            headState,
	"gated_delta_net_step num_v_heads":         headState,
	"gated_delta_net_sequential k_heads_per_v": headState,
	"gated_delta_net_sequential key_total":     headState,
	"gated_delta_net_sequential n_tokens":      headState,
	"gated_delta_net_sequential num_v_heads":   headState,
	"gated_delta_net_chunkwise k_heads_per_v":  headState,
	"gated_delta_net_chunkwise key_total":      headState,
	"gated_delta_net_chunkwise n_tokens":       headState,
	"gated_delta_net_chunkwise num_v_heads":    headState,

	"chunk_local_cumsum_g_f32 H":                headsOfToken,
	"chunk_tri_solve_invert_f32 H":              headsOfToken,
	"gated_delta_net_kkt_bf16 H":                headsOfToken,
	"gated_delta_net_kkt_bf16 Hg":               headsOfToken,
	"gated_delta_net_recompute_wu_bf16 H":       headsOfToken,
	"gated_delta_net_recompute_wu_bf16 Hg":      headsOfToken,
	"gated_delta_net_chunk_inter_state_bf16 H":  headsOfToken,
	"gated_delta_net_chunk_inter_state_bf16 Hg": headsOfToken,
	"gated_delta_net_chunk_inter_state_bf16 T":  headState,
	"gated_delta_net_chunk_inter_state_bf16 NT": headState,
	"gated_delta_net_chunk_o_bf16 H":            headsOfToken,
	"gated_delta_net_chunk_o_bf16 Hg":           headsOfToken,

	"chunk_local_cumsum_g_f32 BT":               constant,
	"chunk_tri_solve_invert_f32 BT":             constant,
	"gated_delta_net_kkt_bf16 BT":               constant,
	"gated_delta_net_kkt_bf16 BK":               constant,
	"gated_delta_net_recompute_wu_bf16 BT":      constant,
	"gated_delta_net_chunk_inter_state_bf16 BT": constant,
	"gated_delta_net_chunk_inter_state_bf16 K":  constant,
	"gated_delta_net_chunk_o_bf16 BT":           constant,
	"gated_delta_net_chunk_o_bf16 BK":           constant,
	"gated_delta_net_chunk_o_bf16 BV":           constant,
	"gated_delta_net_chunk_o_bf16 K":            constant,
	"gated_delta_net_f32 reserved_6":            constant,
	"gated_delta_net_f32 reserved_7":            constant,

	"yarn_rope_apply rotary_dim":                   headChannels,
	"mla_q_prime_4bit nope":                        headChannels,
	"mla_q_prime_4bit group_size":                  wholeGroup,
	"dequant_matvec_4bit_fast group_size":          wholeGroup,
	"dequant_matvec_4bit_fast_n_tokens group_size": wholeGroup,
	"fused_gate_up_swiglu group_size":              wholeGroup,
	"dequant_matvec_4bit_v3_experts out_dim":       blobParts,
	"dequant_matvec_4bit_v3_experts num_row_tiles": blobParts,
	"mla_sdpa_tile_accumulate is_first_tile":       isFlag,
	"dequant_matvec_4bit_v3 group_size":            wholeRow,
	"dequant_matvec_4bit_v3_n_tokens group_size":   wholeRow,
	"dequant_matvec_4bit_v4 group_size":            wholeRow,
	"dequant_matvec_4bit_v5 group_size":            wholeRow,
	"dequant_matvec_2bit group_size":               wholeRow,
	"dequant_matvec_8bit_v3 group_size":            wholeRow,
	"dequant_matvec_8bit_v3_n_tokens group_size":   wholeRow,
	"dequant_matvec_4bit_batched group_size":       wholeRow,
	"dequant_matvec_4bit_v3_experts group_size":    wholeRow,
	"tq_dequantize_hb_kv codebook_bits":            tableSize,
	"tq_dequantize_hb_kv_seq codebook_bits":        tableSize,
}

// TestEveryArgumentTakesItsEnds demands that each integer argument goes to the ends of
// its type in the quick sweep, where a count in 16, 24 or 31 bits goes wrong, or to the
// largest value that the host accepts: or says why not.
func TestEveryArgumentTakesItsEnds(t *testing.T) {
	all := largestScalars()
	for _, k := range allKernels() {
		for _, f := range integerScalars(k) {
			name := k.Name + " " + f.Name
			most := all[name].value
			_, above := above16Bits[name]
			_, below := below16Bits[name]
			switch ended := most >= positionEnd || isLimit(k, f, all[name].at); {
			case ended && (above || below):
				t.Errorf("%s goes to %.0f, which is its end: no reason is needed", name, most)
			case !ended && !above && !below:
				t.Errorf("%s goes to %.0f, and the host accepts more", name, most)
			case above && most <= math.MaxUint16:
				t.Errorf("%s goes to %.0f, which 16 bits can count", name, most)
			}
		}
	}
}

// allKernels are the kernels of the catalogue with their families' names.
func allKernels() []suite.Kernel {
	var all []suite.Kernel
	for _, f := range All() {
		all = append(all, f.Kernels...)
	}
	return all
}

// integerScalars are the scalars of a kernel that count.
func integerScalars(k suite.Kernel) []suite.Field {
	var list []suite.Field
	for _, a := range k.Args {
		fields := a.Fields
		if a.Role == suite.RoleConst {
			fields = []suite.Field{{Name: a.Name, Type: a.Type, Value: a.Value}}
		}
		for _, f := range fields {
			if _, float := f.Type.Format(); !float {
				list = append(list, f)
			}
		}
	}
	return list
}

// largest is the largest value of a scalar in the quick sweep, and the case that has it.
type largest struct {
	value float64
	at    suite.Case
}

// largestScalars are the largest values of each kernel's scalars, by kernel and scalar.
func largestScalars() map[string]largest {
	most := map[string]largest{}
	for _, c := range casesWhere(func(c suite.Case) bool { return c.Pipeline == nil && c.Input.Name != "refused" }) {
		for _, values := range c.Scalars() {
			for name, x := range values {
				name = c.Kernel.Name + " " + name
				if m, ok := most[name]; !ok || x > m.value {
					most[name] = largest{x, c}
				}
			}
		}
	}
	return most
}

// isLimit reports whether the host refuses more than a case has of a scalar, for being
// too much. Of a large one it may accept a little more: what the last threadgroup lacks.
func isLimit(k suite.Kernel, f suite.Field, c suite.Case) bool {
	a, ok := f.Value.(suite.Axis)
	if !ok {
		return false
	}
	s := c.Whole()
	steps := []int{1, 2, 4, 8, 16, 64, 256, s[a]}
	if s[a] > 1<<20 {
		steps = []int{s[a] / 64, s[a]}
	}
	tooMuch := false
	for _, more := range steps {
		err := k.Check(s.With(suite.Shape{a: s[a] + more}))
		if err == nil {
			return false
		}
		tooMuch = tooMuch || slices.ContainsFunc([]string{"at most", "below", "more than", "must be 0"},
			func(text string) bool { return strings.Contains(err.Error(), text) })
	}
	return tooMuch
}
