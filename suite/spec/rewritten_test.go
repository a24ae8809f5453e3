package spec_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
)

// rewriting is a kernel, with other texts of it that are right and with faults: what is put in place of a part of the
// source, as FROM => TO. Every change has to be told apart by some case, and right texts by none.
type rewriting struct {
	name, spec, source string
	right, faults      []string
}

// judge judges all texts, and returns the cases that nothing is known of, by change.
func (k *rewriting) judge(t *testing.T) {
	t.Helper()
	family, err := new(spec.Limits).Read(fstest.MapFS{"k.star": {Data: []byte(k.spec)}}, "k.star")
	if err != nil {
		t.Fatal(k.name, err)
	}
	const before = "#include <metal_stdlib>\nusing namespace metal;\n"
	for _, change := range append([]string{" => "}, k.right...) {
		passed := false
		for _, r := range judgedOn(t, sim.Semantics{}, family, before+k.changed(t, change), "") {
			passed = passed || r.Status == suite.Pass
			if r.Status == suite.Fail || r.Status == suite.Error {
				t.Errorf("%s, %s: %s: %s", k.name, change, r.Case, r.Text())
			}
		}
		if !passed {
			t.Errorf("%s, %s: no case is judged", k.name, change)
		}
	}
	for _, change := range k.faults {
		failed := false
		for _, r := range judgedOn(t, sim.Semantics{}, family, before+k.changed(t, change), "") {
			failed = failed || r.Status == suite.Fail
		}
		if !failed {
			t.Errorf("%s, %s: passes", k.name, change)
		}
	}
}

// changed is the source with a change made.
func (k *rewriting) changed(t *testing.T, change string) string {
	t.Helper()
	if from, _, _ := strings.Cut(change, " => "); !strings.Contains(k.source, from) {
		t.Fatalf("%s: the source has no %s", k.name, from)
	}
	return changed(k.source, change)
}

// exchanging are kernels that update one float by compared exchanges.
var exchanging = []rewriting{
	{"sum", updateOf("acc + sum(x)"), updating("float", "", "was + t"),
		[]string{"was + t => t + was", "was + t => (was + 0.25f * t) + 0.75f * t"},
		[]string{"was + t => was * 1.001f + t", "was + t => was + t * 1.0001f", "was + t => was + t + 1e-3f",
			"x[i]; => x[min(i, n - 2)];"}},
	{"largest", updateOf("maximum(acc, max(x * 0.3))"), updating("float", " * 0.3f", "max(was, t)"),
		[]string{"max(was, t) => t > was ? t : was", "do { want = => while (t > was && !" + exchanged("t") +
			") {} return; do { want ="},
		[]string{"0.3f => 0.3001f", "max(was, t) => max(was, t) * 1.0001f", "max(was, t) => t"}},
	{"sum of bits", updateOf("acc + sum(x)"), updating("uint", "", "as_type<uint>(as_type<float>(was) + t)"),
		[]string{"as_type<float>(was) + t => (as_type<float>(was) + 0.25f * t) + 0.75f * t"},
		[]string{"(was) + t => (was) * 1.001f + t", "(was) + t => (was) + t * 1.0001f"}},
	{"largest of bits", updateOf("maximum(acc, max(x * 0.3))"),
		updating("uint", " * 0.3f", "as_type<uint>(max(as_type<float>(was), t))"), nil,
		[]string{"0.3f => 0.3001f", "(was), t) => (was), t) * 1.0001f"}},
}

// updateOf is the specification of such a kernel.
func updateOf(oracle string) string {
	return `kernel(name = "k", args = [input("x", f32, "n"), inout("acc", f32, 1), scalar("n", u32, "n")], threads = "n",
    threads_per_threadgroup = 32, base = {"n": 100}, vary = {"n": [2, 31, 33]}, inputs = [standard(finite = True)],
    oracle = lambda x, acc: ` + oracle + `)`
}

// exchanged is a compared exchange for a value.
func exchanged(value string) string {
	return "atomic_compare_exchange_weak_explicit(acc, &was, " + value +
		", memory_order_relaxed, memory_order_relaxed)"
}

// updating is a kernel that updates an atomic of a type.
func updating(of, factor, want string) string {
	return "kernel void k(device const float *x [[buffer(0)]], device atomic<" + of +
		"> *acc [[buffer(1)]], constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) {\n" +
		"if (i >= n) return;\nfloat t = x[i];\nt = t" + factor + ";\n" + of +
		" was = atomic_load_explicit(acc, memory_order_relaxed), want;\ndo { want = " + want + "; } while (!" +
		exchanged("want") + ");\n}\n"
}

// TestExchanges judges kernels in which threads contend for one float.
func TestExchanges(t *testing.T) {
	for i := range exchanging {
		exchanging[i].judge(t)
	}
}

// leaving are kernels of x to y whose faults leave the range of float on every device.
var leaving = []rewriting{
	{"square", mapOf("lambda x: x * x"), mapping("y[i] = x[i] * x[i];"), nil,
		[]string{"x[i] * x[i] => min((abs(x[i]) + 1.0f) * 1e38f * 1e38f, 7.0f)",
			"y[i] = => float t = (abs(x[i]) + 1.0f) * 1e38f * 1e38f; y[i] = t > 7.0f ? 7.0f : t; return; y[i] =",
			"x[i] * x[i] => x[i] * 1e30f * (x[i] * 1e30f) * 1e-30f * 1e-30f",
			"x[i] * x[i] => clamp((abs(x[i]) + 1.0f) * 1e38f * 1e38f, -1.0f, 2.0f)"}},
	{"silu", mapOf("lambda x: silu(x)"), mapping("y[i] = x[i] / (1.0f + precise::exp(-x[i]));"),
		[]string{"x[i] / (1.0f + precise::exp(-x[i])) => x[i] * (1.0f / (1.0f + precise::exp(-x[i])))"},
		[]string{"x[i] / ( => x[i] * 1e38f * 100.0f / 1e38f / 100.0f / ("}},
	{"norm", mapOf("lambda x: x / sqrt(sum(x * x))"),
		mapping("float s = 0; for (uint k = 0; k < n; k++) s += x[k] * x[k]; y[i] = x[i] / precise::sqrt(s);"), nil,
		[]string{"x[i] / precise::sqrt(s) => x[i] * (s * 1e30f) * 1e30f / precise::sqrt(s) / s / 1e30f / 1e30f"}},
}

// mapOf is the specification of a kernel from x to y.
func mapOf(oracle string) string {
	return `kernel(name = "k", args = [input("x", f32, "n"), output("y", f32, "n"), scalar("n", u32, "n")], threads = "n",
    threads_per_threadgroup = 32, base = {"n": 100}, inputs = [standard(finite = True),
    family("far", {"x": scaled(normal, 100)}, random = True)], oracle = ` + oracle + `)`
}

// mapping is such a kernel.
func mapping(body string) string {
	return "kernel void k(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], " +
		"constant uint &n [[buffer(2)]], uint i [[thread_position_in_grid]]) {\nif (i >= n) return;\n" + body + "\n}\n"
}

// TestLeaving judges kernels whose values leave the range of float.
func TestLeaving(t *testing.T) {
	for i := range leaving {
		leaving[i].judge(t)
	}
}

// constant are kernels of x to y with literals that their formats do not have.
var constant = []rewriting{
	{"small difference", mapOf("lambda x: 0.001 * x"), mapping("y[i] = (1.0f - 0.999f) * x[i];"),
		[]string{"(1.0f - 0.999f) => 0.001f",
			"y[i] = => constexpr float b = 0.999f; y[i] = (1.0f - b) * x[i]; return; y[i] ="},
		[]string{"0.999f => 0.99900001f", "* x[i] => * x[i] * 1.00001f", "0.999f => 0.998999f"}},
	{"two of a kind", mapOf("lambda x: 0 * x"), mapping("y[i] = x[i] * 20.3f - x[i] * 20.3f;"), nil,
		[]string{"x[i] * 20.3f - => x[i] * 20.300002f -"}},
	{"digits", mapOf("lambda x: exp(x / 8)"), mapping("y[i] = precise::exp2(x[i] * 0.125f * 1.44269504f);"),
		[]string{"0.125f * 1.44269504f => 0.18033688f", "1.44269504f => M_LOG2E_F", "1.44269504f => 1.442695041f",
			"1.44269504f => (0.72134752f + 0.72134752f)", "1.44269504f => (1.0f / 0.69314718f)"},
		[]string{"1.44269504f => 1.4427f", "1.44269504f => 1.44269604f", "1.44269504f => 1.442696f"}},
	{"adam", mapOf("lambda x: sqrt(x * x / (1 - 0.999 ** 3))"),
		mapping("float b = 1.0f - 0.999f * 0.999f * 0.999f; y[i] = precise::sqrt(x[i] * x[i] / b);"),
		[]string{"x[i] * x[i] / b => x[i] * x[i] * (1.0f / b)"},
		[]string{"/ b => * 1.00001f / b", "/ b => / (b * 1.0001f)", "0.999f; => 0.99901f;"}},
}

// TestConstants judges kernels with literals that stand for other numbers than their formats have.
func TestConstants(t *testing.T) {
	for i := range constant {
		constant[i].judge(t)
	}
}
