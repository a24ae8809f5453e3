package machine

import (
	"fmt"
	"slices"
	"strings"
)

// Pass is a step of the compiler, or of the machine, that saves time and changes no result. Each can be left out.
type Pass uint8

// The passes in the order of the compiler: on the IR, on values and registers, on expressions, on memory, on loops and
// branches, for one thread, of the code that is run, with exact values, observed, and in the processor.
const (
	PassFollowCopies Pass = iota
	PassNarrowIndices
	PassLaunchInvariant
	passSpecialise
	PassSimdgroupUniform
	PassElementNumbers
	PassPending
	PassFusedProducts
	PassBitFields
	PassLookup
	PassAffine
	PassOffsets
	PassPowerDivisors
	PassExtrema
	PassBroadcast
	PassNarrowRuns
	PassLoadsInPlace
	PassStoresInPlace
	PassStream
	PassPrefetch
	passBroadcastGather
	PassRowsInPlace
	PassNarrowRows
	PassRowLoop
	PassRunLoop
	PassGatheredLoop
	PassAddLoop
	PassWeightLoop
	PassDotLoop
	PassWideLoop
	PassExactRowLoop
	PassCountedLoop
	PassFusedTest
	PassTripCount
	PassDeadCounter
	passWholeBranch
	PassSingleLaneMode
	PassSingleLaneBranches
	PassScalarInterpreter
	PassArgmin
	PassTightLoop
	passSuperinstructions
	passBytecode
	PassCopyOnWrite
	PassAlikeBalls
	PassFreshWrites
	passMachinePool
	PassPagePool
	PassVectors
	PassLongVectors
	PassExactVectors
	passes int = iota
)

// passList describes the passes. The gain is how much more CPU time a workload takes without the pass: that of the
// workload that gains most, as BenchmarkAblation measured it. A pass that gains less than 3 % everywhere goes.
var passList = [passes]PassInfo{
	PassFollowCopies: {
		"follow_copies", "reads a value where it was copied from",
		"16 %", "rms_norm_per_head_n_tokens",
	},
	PassNarrowIndices: {
		"narrow_indices", "computes indices of 64 bits in 32 where the result is the same",
		"339 %", "mla_sdpa_tile_accumulate",
	},
	PassLaunchInvariant: {
		"launch_invariant", "computes once in a launch what is the same all through it",
		"46 %", "tq_dequantize_hb_kv_seq",
	},
	passSpecialise: {
		"specialise", "drops branches that the launch has decided from the body of later threadgroups",
		"15 %", "tq_dequantize_hb_kv_seq",
	},
	PassSimdgroupUniform: {
		"simdgroup_uniform", "keeps one value for each simdgroup where its threads agree",
		"339 %", "attn_online_f32",
	},
	PassElementNumbers: {
		"element_numbers", "keeps pointers as numbers of elements of an object",
		"129 %", "gated_delta_net_sequential",
	},
	PassPending: {
		"pending", "evaluates an expression where its only reader is",
		"612 %", "gated_delta_net_f32",
	},
	PassFusedProducts: {
		"fused_products", "makes one loop of a product and the sum or product that reads it",
		"420 %", "gated_delta_net_f32",
	},
	PassBitFields: {
		"bit_fields", "makes one loop of the shift, mask and conversion of a bit field",
		"12 %", "dequant_matvec_4bit",
	},
	PassLookup: {
		"lookup", "makes one loop of a mask and the word of a constant table that it chooses",
		"13 %", "tq_dequantize_hb_kv_seq",
	},
	PassAffine: {
		"affine", "makes one loop of a scaled and shifted weight, its factor and the sum",
		"15 %", "dequant_matvec_2bit",
	},
	PassOffsets: {
		"offsets", "adds a uniform part of an index where memory is accessed",
		"7 %", "dequant_matvec_2bit",
	},
	PassPowerDivisors: {
		"power_divisors", "divides by a uniform power of two by a shift or a mask",
		"169 %", "embed_gather_4bit",
	},
	PassExtrema: {
		"extrema", "reduces a simdgroup to its least or greatest value by whole rows",
		"35 %", "kernel_soft_max_f32_4",
	},
	PassBroadcast: {
		"broadcast", "gives all lanes one lane's value without looking at each",
		"26 %", "attn_online_f32",
	},
	PassNarrowRuns: {
		"narrow_runs", "decodes narrow elements at consecutive indices in one pass",
		"37 %", "rms_norm_bf16_fused_n_tokens",
	},
	PassLoadsInPlace: {
		"loads_in_place", "lets arithmetic read memory at consecutive indices in place",
		"124 %", "mla_sdpa_tile_accumulate",
	},
	PassStoresInPlace: {
		"stores_in_place", "computes results at consecutive indices where they are to lie",
		"148 %", "rms_norm_bf16_fused_n_tokens",
	},
	PassStream: {
		"stream", "writes large buffers that the kernel never reads past the caches",
		"12 %", "residual_add_n_tokens",
	},
	PassPrefetch: {
		"prefetch", "brings near what an access reads next if it strides further than a page",
		"15 %", "gated_delta_net_f32",
	},
	passBroadcastGather: {
		"broadcast_gather", "gathers once for all simdgroups that read the same elements",
		"16 %", "dequant_matvec_2bit",
	},
	PassRowsInPlace: {
		"rows_in_place", "lets arithmetic read and write elements of private arrays in place",
		"549 %", "gated_delta_net_f32",
	},
	PassNarrowRows: {
		"narrow_rows", "reads narrow elements of private arrays row by row",
		"147 %", "kernel_mul_mm_q4_0_f32",
	},
	PassRowLoop: {
		"row_loop", "does a loop down the rows of a private array in one call",
		"324 %", "gated_delta_net_f32",
	},
	PassRunLoop: {
		"run_loop", "sums weighted runs of memory in one call",
		"123 %", "mla_sdpa_tile_accumulate",
	},
	PassGatheredLoop: {
		"gathered_loop", "sums products of a shared row and each lane's own row in one call",
		"214 %", "attn_online_f32",
	},
	PassAddLoop: {
		"add_loop", "adds a weighted run of memory to the rows of a private array in one call",
		"216 %", "attn_online_f32",
	},
	PassWeightLoop: {
		"weight_loop", "does a loop around such a loop, whose weights are those of a simdgroup's lanes",
		"89 %", "attn_online_f32",
	},
	PassDotLoop: {
		"dot_loop", "sums products of two strided runs of memory in one call",
		"189 %", "mla_sdpa_tile_accumulate",
	},
	PassWideLoop: {
		"wide_loop", "does several iterations of a loop over consecutive elements at once",
		"22 %", "attn_softmax_batched",
	},
	PassExactRowLoop: {
		"exact_row_loop", "is row_loop for exact execution",
		"396 %", "gated_delta_net_f32, exact",
	},
	PassCountedLoop: {
		"counted_loop", "runs a loop with a uniform counter without masks",
		"432 %", "gated_delta_net_f32, exact",
	},
	PassFusedTest: {
		"fused_test", "makes one loop of a loop's test and the change of its mask",
		"316 %", "mla_sdpa_tile_accumulate",
	},
	PassTripCount: {
		"trip_count", "computes how many iterations all lanes take, and skips their tests",
		"246 %", "mla_sdpa_tile_accumulate",
	},
	PassDeadCounter: {
		"dead_counter", "leaves a loop without the last step of a counter that nothing reads",
		"14 %", "tq_dequantize_hb_kv_seq",
	},
	passWholeBranch: {
		"whole_branch", "copies no masks where all lanes come to a branch",
		"9 %", "attn_scores_tiled",
	},
	PassSingleLaneMode: {
		"single_lane_mode", "goes on with one lane where one thread is left",
		"5387 %", "moe_softmax_topk, exact",
	},
	PassSingleLaneBranches: {
		"single_lane_branches", "branches and loops without masks in single-lane mode",
		"40 %", "moe_softmax_topk, under an adversary",
	},
	PassScalarInterpreter: {
		"scalar_interpreter", "runs common arithmetic of one thread in an interpreter of scalars",
		"1495 %", "moe_softmax_topk, exact",
	},
	PassArgmin: {
		"argmin", "makes one instruction of a search for the least or greatest element",
		"165 %", "moe_softmax_topk, exact",
	},
	PassTightLoop: {
		"tight_loop", "runs a loop that all threads leave together, without branches in it, in a form of its own",
		"10 %", "kernel_gated_delta_net_f32_4",
	},
	passSuperinstructions: {
		"superinstructions", "calls functions that know where operands are, and bytecode in one call",
		"56 %", "tq_dequantize_hb_kv_seq",
	},
	passBytecode: {
		"bytecode", "runs uniform and simdgroup-uniform operations in one loop",
		"13 %", "tq_dequantize_hb_kv_seq",
	},
	PassCopyOnWrite: {
		"copy_on_write", "lets exact registers share rows of private memory until one changes",
		"12 %", "gated_delta_net_sequential, exact",
	},
	PassAlikeBalls: {
		"alike_balls", "computes exact values once where all lanes have the same",
		"42 %", "rms_norm_bf16_fused_n_tokens, exact",
	},
	PassFreshWrites: {
		"fresh_writes", "observes a row of first writes at once",
		"12 %", "compute_decay_beta, observed",
	},
	passMachinePool: {
		"machine_pool", "takes the rows of a machine from earlier launches",
		"5 %", "gated_delta_net_f32, observed",
	},
	PassPagePool: {
		"page_pool", "takes the pages of shadow memory from earlier launches",
		"10 %", "gated_delta_net_f32, observed",
	},
	PassVectors: {
		"vectors", "uses the processor's vector instructions for lanes",
		"959 %", "gated_delta_net_f32",
	},
	PassLongVectors: {
		"long_vectors", "uses vectors of 512 bits",
		"47 %", "attn_softmax_batched",
	},
	PassExactVectors: {
		"exact_vectors", "uses vector instructions for exact values",
		"314 %", "gated_delta_net_f32, exact",
	},
}

// PassInfo describes a pass.
type PassInfo struct {
	Name     string
	Does     string // a sentence without its subject
	Gain     string // largest measured gain
	Workload string // that had it
}

// Passes is a set of passes.
type Passes uint64

// PassList describes all passes, in the order of the compiler.
func PassList() []PassInfo { return slices.Clone(passList[:]) }

// ParsePasses reads names with commas between them.
func ParsePasses(list string) (set Passes, err error) {
	for name := range strings.SplitSeq(list, ",") {
		if name == "" {
			continue
		}
		i := slices.IndexFunc(passList[:], func(p PassInfo) bool { return p.Name == name })
		if i < 0 {
			return 0, fmt.Errorf("no pass is called %q", name)
		}
		set |= 1 << i
	}
	return set, nil
}

// Has reports whether the set has a pass.
func (s Passes) Has(p Pass) bool { return s>>p&1 != 0 }

// And are these passes and another one.
func (s Passes) And(p Pass) Passes { return s | 1<<p }

// Does reports whether a pass is not left out.
func (p *Program) Does(pass Pass) bool { return !p.Options.Without.Has(pass) }
