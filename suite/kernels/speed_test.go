package kernels

import (
	"maps"
	"os"
	"testing"

	"metalconform/suite"
)

// speedCase is a kernel at one shape, and a baseline to compare the simulator
// with: the same kernel in C, in fixtures/baseline.
type speedCase struct {
	kernel   string
	baseline string
	shape    suite.Shape
	elements suite.Extent // what times are divided by: multiply-adds, or elements where there are none
	opencl   openCL
	tested   suite.Shape // axes that are shorter where only bits and instructions count
	bits     int         // of a weight, which is a macro of the baseline's beside the axes
}

// openCL is the kernel in OpenCL, for PoCL: a program of fixtures/baseline. The zero value is none.
type openCL struct {
	program       string
	group, groups string // work-items of a group and groups, as expressions of the axes in C
	buffers       string // initialisers of the buffers: written or not, and bytes
}

// speedCases are a kernel for each family, at shapes of real models, the products
// of all widths of weights, and the router of the experts, which is the work of one
// thread.
func speedCases() []speedCase {
	return []speedCase{
		{kernel: "gated_delta_net_f32", baseline: "delta_net.c",
			shape:    suite.Shape{nSeqs: 1, tokens: 1024, hk: 32, hv: 32, dk: 128, dv: 128, split: 0},
			elements: suite.Product(tokens, hv, dk, dv),
			opencl: openCL{"delta_net.cl", "Dv", "Hv",
				"{0, 4*T*Hk*Dk}, {0, 4*T*Hk*Dk}, {0, 4*T*Hv*Dv}, {0, 4*T*Hv}, {0, 4*T*Hv}, {0, 4*Hv*Dv*Dk}, {1, " +
					"4*T*Hv*Dv}, {1, 4*Hv*Dv*Dk}"},
			tested: suite.Shape{tokens: 8, hk: 4, hv: 4}},
		matvecSpeed("dequant_matvec_4bit_v3", 4), matvecSpeed("dequant_matvec_8bit_v3", 8),
		matvecSpeed("dequant_matvec_2bit", 2),
		{kernel: "attn_online_f32", baseline: "attention.c",
			shape: suite.Shape{tokens: 1, positions: 16384, queryHeads: 64, keyHeads: 2, channels: 128, mapping: 0,
				causal: 1, startPos: 16383},
			elements: suite.Product(suite.Fixed(2), tokens, positions, queryHeads, channels),
			tested:   suite.Shape{positions: 128, queryHeads: 16, startPos: 127}},
		{kernel: "rms_norm_bf16_fused_n_tokens", baseline: "norm.c",
			shape:    suite.Shape{nTokens: 4096, dim: 4096},
			elements: suite.Product(nTokens, dim),
			tested:   suite.Shape{nTokens: 64}},
		{kernel: "moe_softmax_topk", baseline: "moe.c",
			shape:    suite.Shape{nTokens: 1024, nExperts: 512, k: 10},
			elements: suite.Product(nTokens, nExperts, k),
			tested:   suite.Shape{nTokens: 4}},
		{kernel: "swiglu_fused_batched", baseline: "moe_swiglu.c",
			shape:    suite.Shape{slots: 2048, dim: 2048},
			elements: suite.Product(slots, dim),
			tested:   suite.Shape{slots: 8}},
		{kernel: "mla_sdpa_tile_accumulate", baseline: "mla.c",
			shape: suite.Shape{numHeads: 128, kvLoraRank: 512, qkRope: 64, cacheLen: 1024, tile: 1024, empty: 0,
				carried: 0, spare: 0},
			elements: suite.Func(func(s suite.Shape) int {
				return s[numHeads] * s[cacheLen] * (2*s[kvLoraRank] + s[qkRope])
			}),
			tested: suite.Shape{numHeads: 16, cacheLen: 128, tile: 128}},
		{kernel: "tq_dequantize_hb_kv_seq", baseline: "kv_quant.c",
			shape: cachePoint(suite.Shape{startPos: 0, nTokens: 32768, codebookBits: 5, cacheCapacity: 32768,
				spare: 0}, 2, 256),
			elements: suite.Product(numKVHeads, nTokens, perHead),
			tested:   suite.Shape{nTokens: 64}},
	}
}

// matvecSpeed is a product of a matrix of so many bits a weight.
func matvecSpeed(kernel string, bits int) speedCase {
	return speedCase{kernel: kernel, baseline: "quant.c", bits: bits,
		shape:    suite.Shape{outDim: 8192, inDim: 2048, groupSize: 64},
		elements: suite.Product(outDim, inDim),
		opencl: openCL{"quant.cl", "256", "out_dim/8",
			"{0, out_dim*in_dim*weight_bits/8}, {0, 2*out_dim*in_dim/group_size}, {0, 2*out_dim*in_dim/group_size}, " +
				"{0, 4*in_dim}, {1, 4*out_dim}"},
		tested: suite.Shape{outDim: 512}}
}

// BenchmarkSpeed compares the simulator on one thread and on two, with the
// processor's vector instructions and without, with baselines in C, which need
// gcc, and in OpenCL on one thread of PoCL, which needs its headers and libraries too.
// All of them run in turns, and the best time of each counts, so that other work on
// the machine disturbs no side more than another. A result line gives times in
// nanoseconds per element and their ratios. After the last one comes a table of all
// kernels, with what was measured before, and on which machine. The figures are
// information: no ratio fails. -update keeps them for the next time, with -reason as
// the machine's name.
//
// A kernel and its baseline have to compute the same bits.
func BenchmarkSpeed(b *testing.B) {
	var rows []speedRow
	for _, c := range speedCases() {
		b.Run(c.kernel, func(b *testing.B) {
			r := newRace(b, c)
			for b.Loop() {
				r.round(b)
			}
			row := speedRow{speedCase: c, best: r.best}
			row.report(b)
			rows = append(rows, row)
		})
	}
	before := readSpeeds(b)
	if err := writeSpeeds(os.Stdout, rows, before); err != nil {
		b.Fatal(err)
	}
	if *update {
		keepSpeeds(b, before, rows)
	}
}

// TestBaselines checks that both forms of each baseline compute the bits of
// the kernel: only then do their times compare.
func TestBaselines(t *testing.T) {
	if testing.Short() {
		t.Skip("builds C programs")
	}
	if _, ok := compiler(); !ok {
		t.Skip("no gcc: nothing to compare with")
	}
	for _, c := range speedCases() {
		t.Run(c.kernel, func(t *testing.T) {
			c.shape = maps.Clone(c.shape)
			maps.Copy(c.shape, c.tested)
			newRace(t, c).round(t)
		})
	}
}
