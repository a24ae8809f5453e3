package kernels

import (
	"fmt"
	"slices"

	"metalconform/suite"
)

// Axes, spelled as the catalogue spells the dimensions.
const (
	// Heads and tokens.
	dk      suite.Axis = "Dk"
	dv      suite.Axis = "Dv"
	hk      suite.Axis = "Hk"
	hv      suite.Axis = "Hv"
	tokens  suite.Axis = "T"
	nSeqs   suite.Axis = "n_seqs"
	seq     suite.Axis = "seq"
	hg      suite.Axis = "hg"
	h       suite.Axis = "h"
	k       suite.Axis = "k"
	nTokens suite.Axis = "n_tokens"
	convDim suite.Axis = "conv_dim" // channels of the causal convolution

	// The chunk pipeline.
	batches       suite.Axis = "B"
	valueHeads    suite.Axis = "H"
	keyChannels   suite.Axis = "K"
	valueChannels suite.Axis = "V"
	blockTokens   suite.Axis = "BT" // tokens of a chunk

	// Rows and matrices.
	dim       suite.Axis = "dim"
	outDim    suite.Axis = "out_dim"
	inDim     suite.Axis = "in_dim"
	groupSize suite.Axis = "group_size"
	vocab     suite.Axis = "vocab"
	length    suite.Axis = "n"

	perHead    suite.Axis = "head_dim"
	numKHeads  suite.Axis = "num_k_heads"
	numVHeads  suite.Axis = "num_v_heads"
	keyDim     suite.Axis = "key_dim"
	valueDim   suite.Axis = "value_dim"
	valueTotal suite.Axis = "value_total" // elements after the keys of a token's row
	keyGap     suite.Axis = "key_gap"     // elements between its queries and its keys

	// Attention.
	queryHeads suite.Axis = "H"
	keyHeads   suite.Axis = "Hg"
	channels   suite.Axis = "D"
	positions  suite.Axis = "S"
	seqLen     suite.Axis = "seq_len"
	spare      suite.Axis = "spare" // rows or columns after those that count
	kvDim      suite.Axis = "kv_dim"
	kvStart    suite.Axis = "kv_start"
	rotaryDim  suite.Axis = "rotary_dim"
	startPos   suite.Axis = "start_pos"
	causal     suite.Axis = "causal"
	mapping    suite.Axis = "mapping" // 0 block, 1 tiled

	// Experts.
	nExperts   suite.Axis = "n_experts"
	slots      suite.Axis = "K"
	hiddenDim  suite.Axis = "hidden_dim"
	bucketSize suite.Axis = "bucket_size"

	kActive     suite.Axis = "k_active"
	wByteOff    suite.Axis = "w_byte_off"
	sByteOff    suite.Axis = "s_byte_off"
	bByteOff    suite.Axis = "b_byte_off"
	inputStride suite.Axis = "input_stride" // elements from an expert's input to the next; 0: all share one

	// Latent attention.
	numHeads   suite.Axis = "num_heads"
	kvLoraRank suite.Axis = "kv_lora_rank"
	qkRope     suite.Axis = "qk_rope_head_dim"
	cacheLen   suite.Axis = "cache_len"
	qkNope     suite.Axis = "qk_nope"
	qkPe       suite.Axis = "qk_rope"
	nope       suite.Axis = "nope"
	vHeadDim   suite.Axis = "v_head_dim"
	perHeadKV  suite.Axis = "kv_b_per_head" // rows of kv_b_proj
	capacity   suite.Axis = "cap"           // rows of a cache
	pos        suite.Axis = "pos"
	yarnFactor suite.Axis = "factor" // of YaRN

	threads suite.Axis = "threads" // of a threadgroup, where the kernel leaves their number open

	// Ways of launching, 0 for the plain one.

	split   suite.Axis = "split"   // tokens of the first of two launches that carry the state; 0: one launch
	tile    suite.Axis = "tile"    // positions of one launch; 0: a single launch of no position
	empty   suite.Axis = "empty"   // which launch has no position, from 1; 0: none
	carried suite.Axis = "carried" // 1: the first launch goes on from a state in the buffers
)

// concat is slices.Concat for shapes. It is called from a hundred tables, which need no copy of it.
//
//go:noinline
func concat(lists ...[]suite.Shape) []suite.Shape { return slices.Concat(lists...) }

// point is the shape with the values of axes in order.
//
//go:noinline
func point(axes []suite.Axis, values ...int) suite.Shape {
	if len(axes) != len(values) {
		panic("kernels: a point needs a value for each axis")
	}
	s := suite.Shape{}
	for i, a := range axes {
		s[a] = values[i]
	}
	return s
}

// width is the number of threads of a threadgroup: the usual one, or what a setting of [widths] gives.
func width(usual int) suite.Func {
	return func(s suite.Shape) int {
		if n, given := s[threads]; given {
			return n
		}
		return usual
	}
}

// widths are settings at all shapes with each of the numbers of threads that a contract allows besides the usual one.
// Names of cases say no width otherwise.
func widths(shapes []suite.Shape, numbers ...int) (settings []suite.Setting) {
	for _, n := range numbers {
		for _, s := range shapes {
			settings = append(settings, suite.Setting{Name: fmt.Sprintf("threads_%d", n),
				Shape: s.With(suite.Shape{threads: n})})
		}
	}
	return settings
}
