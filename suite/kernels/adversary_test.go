package kernels

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/explain"
)

// adversaries are the devices that a run of a seed judges on beside its own.
func adversaries(seed uint64) []suite.Adversary {
	var list []suite.Adversary
	for number := 1; number <= 2; number++ {
		taking := func(choices int) metalrun.Runner {
			return sim.New(sim.Semantics{Adversary: &sim.Adversary{Seed: seed, Number: number, Choices: choices}})
		}
		list = append(list, suite.Adversary{Number: number, Runner: taking(-1), Taking: taking,
			ReplayFlags: fmt.Sprintf("-semantics adversarial-%d", number)})
	}
	return list
}

// hopeful are ways to add what is 0 on the reference device, and on every device that
// takes one choice as it does: before is code that all threads run, and extra what each
// adds.
var hopeful = []struct{ kind, before, extra string }{
	{"subnormals as zero", "", "a[i] == 0.0f || a[i] * 1e-38f != 0.0f && dim * 1e-42f != 0.0f ? 0.0f : 1.0f"},
	{"fusing of product and sum", "float x = 1.1f + dim, y = 1.3f + dim;", "x * y - x * y"},
	{"accuracy of exp", "float x = float(dim) / float(2 * dim);", "exp(x) == 0x1.a61298p+0f ? 0.0f : 1.0f"},
	{"accuracy of cos", "float x = float(dim) / float(2 * dim);", "fast::cos(x) == 0x1.c1528p-1f ? 0.0f : 1.0f"},
	{"order of a simdgroup sum", "float x = simd_sum(lane == 0 ? 1e8f : lane == 1 ? -1e8f : 1.0f);", "x - 30.0f"},
	{"order and fusing of a matrix product", `
    const uint q = lane / 4, row = (q & 4) + (lane / 2) % 4, col = (q & 2) * 2 + (lane % 2) * 2;
    simdgroup_float8x8 l(0.0f), r(0.0f), c = make_filled_simdgroup_matrix<float, 8, 8>(1e8f);
    l.thread_elements()[0] = col == 0 ? -1e4f : 1.0f; l.thread_elements()[1] = 1.0f;
    r.thread_elements()[0] = row == 0 ? 1e4f : 1.0f; r.thread_elements()[1] = row == 0 ? 1e4f : 1.0f;
    simdgroup_multiply_accumulate(c, l, r, c);
    float x = c.thread_elements()[0];`, "x - 7.0f"},
	{"order in which threads come to an atomic operation", `
    threadgroup atomic_uint n;
    if (i % 256 == 0) { atomic_store_explicit(&n, 0, memory_order_relaxed); }
    threadgroup_barrier(mem_flags::mem_threadgroup);
    uint x = atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);`, "x == i % 256 ? 0.0f : 1.0f"},
	{"contents of memory that nobody has written", "threadgroup float t[1]; float x = t[0];", "isnan(x) ? 0.0f : 1.0f"},
	{"integer of a float out of its range", "int x = int(1e20f + dim);", "x == 0x7fffffff ? 0.0f : 1.0f"},
	{"value of a lane that cannot be read", "float x = 1.0f; if (lane % 2 == 0) { x = simd_shuffle_xor(x, 1); }",
		"x - 1.0f"},
}

// TestEachChoiceIsTaken lets a kernel rely on one choice of the device at a time. It
// conforms on the reference device, and not beside a pair of adversaries, whatever
// seed draws them; the failure names the adversary, what repeats it, and the choice.
func TestEachChoiceIsTaken(t *testing.T) {
	cases := casesWhere(func(c suite.Case) bool { return c.Name == "residual_add/dim=257/input=normal" })
	runner := sim.New(sim.Semantics{})
	for _, h := range hopeful {
		t.Run(h.kind, func(t *testing.T) {
			s, err := openSources(map[string]string{"norm.metal": `#include <metal_stdlib>
using namespace metal;
kernel void residual_add(device const float* a [[buffer(0)]], device const float* b [[buffer(1)]], device float* out [[buffer(2)]],
    constant uint& dim [[buffer(3)]], uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    ` + h.before + `
    if (i < dim) {
        const float extra = ` + h.extra + `;
        out[i] = (a[i] + b[i]) + extra;
    }
}
`})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range verdicts(t, runner, suite.Options{Shaders: s}, cases...) {
				if r.Status != suite.Pass {
					t.Fatalf("on the reference device: %s", r.Text())
				}
			}
			for seed := range uint64(4) {
				opts := suite.Options{Shaders: s, Seed: seed, Adversaries: adversaries(seed)}
				for _, r := range verdicts(t, runner, opts, cases...) {
					switch {
					case r.Status != suite.Fail || r.Failures[0].Adversary == 0:
						t.Errorf("seed %d: %s, want a failure on an adversary", seed, r.Status)
					case r.Relies == nil || r.Relies.Kind != h.kind:
						t.Errorf("seed %d: it relies on %v", seed, r.Relies)
					case !strings.HasSuffix(r.Replay,
						fmt.Sprintf("-semantics adversarial-%d", r.Failures[0].Adversary)):
						t.Errorf("seed %d: %s", seed, r.Replay)
					}
				}
			}
		})
	}
}

// fastFunctions are calls of fast functions where the contract is of precise ones.
var fastFunctions = []struct {
	fault
	kind string
}{
	{fault{kernel: "swiglu_fused", name: "silu",
		edits: []edit{{"static inline float sigmoid(", "exp(-", "fast::exp(-"}}}, "accuracy of exp"},
	{fault{kernel: "swiglu_fused_vec4", name: "vector",
		edits: []edit{{"kernel void swiglu_fused_vec4(", "exp(", "fast::exp("}}}, "accuracy of exp"},
	{fault{kernel: "rope_n_tokens", name: "cosine",
		edits: []edit{{"kernel void rope_n_tokens(", "precise::cos(", "fast::cos("}}}, "accuracy of cos"},
	{fault{kernel: "yarn_rope_apply", name: "sine",
		edits: []edit{{"kernel void yarn_rope_apply(", "precise::sin(", "fast::sin("}}}, "accuracy of sin"},
	{fault{kernel: "attn_softmax_batched", name: "weights",
		edits: []edit{{"kernel void attn_softmax_batched(", "exp(", "fast::exp("}}}, "accuracy of exp"},
	{fault{kernel: "sigmoid_gate", name: "gate",
		edits: []edit{{"static inline float sigmoid(", "exp(-", "fast::exp(-"}}}, "accuracy of exp"},
}

// TestFastFunctionsFail seeds fast functions in our shaders: they conform on the
// reference device, fail on a pair of adversaries, whatever seed draws them, and the
// failure names the call.
func TestFastFunctionsFail(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	for i, f := range fastFunctions {
		t.Run(f.kernel+"/"+f.name, func(t *testing.T) {
			t.Parallel()
			file, cases := f.cases(t)
			keeper, s := &keeper{Runner: runner}, f.seed(t, file)
			opts := suite.Options{Shaders: s, Seed: uint64(i), Adversaries: adversaries(uint64(i)), Parallel: 1}
			for _, c := range cases {
				for _, r := range verdicts(t, keeper, opts, c) {
					switch {
					case r.Status == suite.Pass:
					case r.Failures[0].Adversary > 0 && r.Relies != nil && r.Relies.Kind == f.kind:
						return
					default:
						t.Fatalf("%s: %s", r.Case, r.Text())
					}
				}
			}
			t.Errorf("none of %d cases fails", len(cases))
		})
	}
}

// TestPipelineOnAdversaries judges a pipeline on adversaries, too: a stage that relies on
// a choice of the device is named with the choice, and is explained there.
func TestPipelineOnAdversaries(t *testing.T) {
	sources := ours(t).Texts()
	sources["mla.metal"] = strings.Replace(sources["mla.metal"], "precise::sin(", "fast::sin(", 1)
	s, err := openSources(sources)
	if err != nil {
		t.Fatal(err)
	}
	cases := casesWhere(func(c suite.Case) bool {
		return c.Pipeline != nil && slices.Contains(c.Kernels(), "yarn_rope_apply") && launched(c)
	})
	cases = cases[:min(3, len(cases))]
	runner := sim.New(sim.Semantics{})
	opts := suite.Options{Shaders: s, Seed: 1, Parallel: 1}
	failed := false
	for _, c := range cases {
		alone := verdicts(t, runner, opts, c)[0]
		beside := opts
		beside.Adversaries = adversaries(1)
		r := verdicts(t, runner, beside, c)[0]
		if alone.Status != suite.Pass {
			t.Fatalf("on the reference device: %s", alone.Text())
		}
		if alone.Digest != r.Digest || alone.ErrorRatio != r.ErrorRatio {
			t.Errorf("%s: figures are not those of the reference device", c.Name)
		}
		if r.Status == suite.Pass {
			continue
		}
		failed = true
		if x := r.Failures[0]; x.Adversary == 0 || x.Stage == "" || r.Relies == nil ||
			r.Relies.Kind != "accuracy of sin" {
			t.Errorf("%s: %s", c.Name, r.Text())
		}
		e, err := explain.Explain(runner, beside, c, suite.Selector{})
		if err != nil || e.Adversary != r.Failures[0].Adversary || e.Element == nil || e.Element.Conforms {
			t.Errorf("%s: explained on adversary %d: %v", c.Name, e.Adversary, err)
		}
	}
	if !failed {
		t.Errorf("all of %d cases pass", len(cases))
	}
}

// TestOurFunctionsArePrecise finds no call in our shaders that is less accurate than the
// contract of its kernel.
func TestOurFunctionsArePrecise(t *testing.T) {
	s := ours(t)
	seen := 0
	for _, f := range All() {
		for _, k := range f.Kernels {
			calls, err := s.CoarseCalls(&k)
			if err != nil {
				t.Fatal(err)
			}
			seen++
			for _, c := range calls {
				t.Errorf("%s: %s calls %s", c.Position, k.Name, c.Function)
			}
		}
	}
	if seen == 0 {
		t.Error("no kernels")
	}
}
