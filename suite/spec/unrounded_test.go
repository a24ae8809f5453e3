package spec_test

import (
	"fmt"
	"testing"

	"metalconform/suite"
)

// byAccident are definitions that are 0 or a number of f32 in some family, though they round nothing, with a kernel and
// a fault.
var byAccident = []struct{ name, args, inputs, oracle, body, fault string }{
	{"softplus_less_its_middle", `input("x", f32, "n"), output("y", f32, "n")`, `{"x": subnormal}`,
		"lambda x: log(1 + exp(x)) - log(2)", "y[i] = log(1.0f + exp(x[i])) - log(2.0f);", "log(2.0f) => 0.69f"},
	{"by_parts", `input("x", f32, "n"), output("y", f32, "n")`, `{"x": subnormal}`,
		"lambda x: log(1 + exp(x)) - log(2)",
		"float e = exp(x[i]); y[i] = (log(7.0f + 7.0f * e) - log(7.0f)) - log(2.0f);", "log(2.0f) => 0.6931f"},
	{"divergence", `input("p", f32, "n"), input("q", f32, "n"), output("y", f32, "n")`,
		`{"p": every(0.3), "q": every(0.3)}`,
		"lambda p, q: p * (log(p) - log(q))", "y[i] = p[i] * log(p[i] / q[i] * 1.0f);", "* 1.0f => * 1.001f"},
	{"divergence_from_the_mean", `input("p", f32, "n"), input("q", f32, "n"), output("y", f32, "n")`,
		`{"p": every(0.3), "q": every(0.3)}`, "lambda p, q: where(p > 0, p * log(2 * p / (p + q)), 0)",
		"y[i] = p[i] > 0.0f ? p[i] * (log(p[i]) - log(0.5f * (p[i] + q[i]))) : 0.0f;", "0.5f => 0.4995f"},
}

// TestUnrounded judges them.
func TestUnrounded(t *testing.T) {
	for _, k := range byAccident {
		file := fmt.Sprintf(`kernel(name = "k", args = [%s], threads = "n", threads_per_threadgroup = 32, `+
			`base = {"n": 64}, inputs = [family("some", %s)], oracle = %s)`, k.args, k.inputs, k.oracle)
		for change, want := range map[string]suite.Status{" => ": suite.Pass, k.fault: suite.Fail} {
			for _, r := range decided(t, integerFamily(t, file), k.args, changed(k.body, change)) {
				if r.Status != want {
					t.Errorf("%s, %s: %s is %s, want %s: %s", k.name, change, r.Case, r.Status, want, r.Text())
				}
			}
		}
	}
}
