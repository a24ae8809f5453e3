package kernels

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"metalconform/suite"
)

// definedByOthers are the scalars that the catalogue defines by others, which no host
// may choose freely.
func definedByOthers() map[string]string {
	defined := map[string]string{}
	note := func(reason string, kernel string, scalars ...string) {
		for _, s := range scalars {
			defined[kernel+" "+s] = reason
		}
	}
	for _, k := range []string{"attn_scores_batched", "attn_scores_tiled"} {
		note("num_seq_tgs = seq_len", k, "seq_len", "num_seq_tgs")
	}
	for _, k := range []string{"attn_scores_tiled", "attn_values_tiled"} {
		note("kv_dim = num_kv_heads · head_dim", k, "kv_dim", "num_kv_heads", "head_dim")
	}
	for _, k := range []string{"dequant_matvec_4bit_batched", "dequant_matvec_4bit_v3_experts",
		"dequant_matvec_4bit_v3_n_tokens", "dequant_matvec_8bit_v3_n_tokens"} {
		note("num_row_tiles = ⌈out_dim/8⌉", k, "num_row_tiles")
	}
	for _, k := range []string{"gated_delta_net_step", "gated_delta_net_sequential", "gated_delta_net_chunkwise"} {
		note("num_v_heads = k_heads_per_v · key_total/128", k, "k_heads_per_v", "key_total", "num_v_heads")
	}
	for _, k := range []string{"chunk_local_cumsum_g_f32", "chunk_tri_solve_invert_f32", "gated_delta_net_kkt_bf16",
		"gated_delta_net_recompute_wu_bf16", "gated_delta_net_chunk_inter_state_bf16", "gated_delta_net_chunk_o_bf16"} {
		note("BT = 64 and NT = T/64", k, "T", "BT", "NT")
	}
	note("BK = 64", "gated_delta_net_kkt_bf16", "BK")
	note("K = 128", "gated_delta_net_chunk_inter_state_bf16", "K")
	note("K = 128, BK and BV are constants", "gated_delta_net_chunk_o_bf16", "K", "BK", "BV")
	note("reserved", "gated_delta_net_f32", "reserved_6", "reserved_7")
	return defined
}

// TestEveryArgumentIsIndependent demands that no scalar of a kernel can be had from the
// others: in the quick sweep are two launches that agree in all scalars but it. A kernel
// that computes it, or that ignores it because another one gives the same number, is then
// wrong in one of them.
func TestEveryArgumentIsIndependent(t *testing.T) {
	defined := definedByOthers()
	for _, family := range All() {
		for _, k := range family.Kernels {
			launches := scalarsOf(family.Name, k)
			for _, name := range slices.Sorted(maps.Keys(launches[0])) {
				reason, byOthers := defined[k.Name+" "+name]
				switch free := variesAlone(launches, name); {
				case !free && !byOthers:
					t.Errorf("%s: the other scalars give %s in every launch of the quick sweep", k.Name, name)
				case free && byOthers:
					t.Errorf("%s: %s varies alone, and is said to be defined by others: %s", k.Name, name, reason)
				}
			}
		}
	}
}

// scalarsOf are the scalars of each launch of a kernel's quick sweep.
func scalarsOf(family string, k suite.Kernel) []map[string]float64 {
	launches := []map[string]float64{}
	for _, c := range suite.Cases([]suite.Family{{Name: family, Kernels: []suite.Kernel{k}}}, suite.Quick) {
		if c.Input.Name != "refused" {
			launches = append(launches, c.Scalars()...)
		}
	}
	return launches
}

// variesAlone reports whether two launches agree in all scalars but one.
func variesAlone(launches []map[string]float64, name string) bool {
	values := map[string]float64{}
	for _, l := range launches {
		others := maps.Clone(l)
		delete(others, name)
		key := fmt.Sprint(others) // in the order of the names
		if x, ok := values[key]; ok && x != l[name] {
			return true
		}
		values[key] = l[name]
	}
	return false
}
