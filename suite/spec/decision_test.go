package spec_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
)

// deciding are kernels of x, u and v to y that decide, each with other texts of the same and with faults: what is
// put in place of a part of the body, as FROM => TO.
var deciding = []struct {
	name, args, inputs, base, threads string
	body, oracle                      string
	same, faults                      []string
}{
	{"accept", `input("x", f32, "n"), input("u", f32, "n"), input("v", f32, "n"), output("y", u32, "n")`,
		`"u": uniform(0.01, 1), "v": uniform(0.01, 1), "x": uniform(0, 1)`, `{"n": 300}`, "n",
		"y[i] = x[i] < u[i] / v[i] ? 1 : 0;", "lambda x, u, v: where(x < u / v, 1, 0)",
		[]string{"x[i] < u[i] / v[i] => x[i] * v[i] < u[i]", "u[i] / v[i] => u[i] * (1.0f / v[i])"},
		[]string{"x[i] < u => x[i] < 1.001f * u", "u[i] / v[i] => u[i] / v[i] * 1.0003f"}},
	{"gate", `input("x", f32, "n"), output("y", f32, "n")`, `"x": uniform(-2, 2)`, `{"n": 300}`, "n",
		"y[i] = x[i] > 0.5f ? x[i] : 0.0f;", "lambda x: where(x > 0.5, x, 0)",
		[]string{"x[i] > 0.5f ? => x[i] - 0.5f > 0.0f ?"}, []string{"> => >=", "0.5f => 0.50001f"}},
	{"near_zero", `input("x", f32, "n"), output("y", f32, "n")`, `"x": uniform(-1, 1)`, `{"n": 300}`, "n",
		"y[i] = fabs(x[i]) < 0.0009765625f ? 7.0f : 1.0f;", "lambda x: where(abs(x) < 0.0009765625, 7, 1)",
		[]string{"fabs(x[i]) < 0.0009765625f => x[i] < 0.0009765625f && x[i] > -0.0009765625f"},
		[]string{"< => <=", "0.0009765625f => 0.00098f"}},
	{"codes", `input("x", f32, "n"), output("y", i8, "n")`, `"x": uniform(-100, 100)`, `{"n": 300}`, "n",
		"y[i] = char(clamp(rint(x[i]), -127.0f, 127.0f));", "lambda x: clip(rint(x), -127, 127)",
		[]string{"rint(x[i]) => (x[i] + 12582912.0f) - 12582912.0f"},
		[]string{"rint => round", "rint(x[i]) => floor(x[i] + 0.5f)"}},
	{"bucket", `input("x", f32, "n"), output("y", i32, "n")`, `"x": uniform(0, 1)`, `{"n": 300}`, "n",
		"y[i] = int(floor(x[i] * 16.0f));", "lambda x: floor(x * 16)",
		[]string{"floor(x[i] * 16.0f) => trunc(x[i] / 0.0625f)"},
		[]string{"floor(x[i] * 16.0f) => ceil(x[i] * 16.0f) - 1.0f", "16.0f) => 16.0f + 1e-4f)"}},
	{"histogram", `input("x", f32, "n"), output("y", u32, 8)`, `"x": uniform(0, 1)`, `{"n": 200}`, "8",
		"uint c = 0; for (uint j = 0; j < 200; j++) c += min(int(x[j] * 8.0f), 7) == int(i) ? 1 : 0; y[i] = c;",
		"lambda x: bincount(minimum(floor(x * 8), 7), 8)",
		[]string{"int(x[j] * 8.0f) => int(x[j] / 0.125f)"}, []string{"int(x[j] * 8.0f) => int(ceil(x[j] * 8.0f)) - 1"}},
	{"largest", `input("x", f32, "rows", "n"), output("y", u32, "rows")`, `"x": normal`, `{"rows": 5, "n": 100}`,
		"rows",
		"uint b = 0; for (uint j = 1; j < 100; j++) if (x[i * 100 + j] > x[i * 100 + b]) b = j; y[i] = b;",
		"lambda x: argmax(x, 1)",
		[]string{"if (x[i * 100 + j] > x[i * 100 + b]) b = j; => b = x[i * 100 + j] - x[i * 100 + b] > 0.0f ? j : b;"},
		[]string{"> x[i * 100 + b] => > x[i * 100 + b] * 1.0005f", "> x[i * 100 + b] => > x[i * 100 + b] + 1e-3f"}},
	{"drawn", `input("x", f32, "rows", "n"), input("u", f32, "rows"), output("y", u32, "rows")`,
		`"x": uniform(0.1, 1), "u": uniform(0, 1)`, `{"rows": 5, "n": 60}`, "rows",
		"float s = 0; for (uint j = 0; j < 60; j++) s += x[i * 60 + j]; float t = u[i] * s, c = 0; uint k = 0; for " +
			"(uint j = 0; j < 60; j++) { c += x[i * 60 + j]; if (c > t) { k = j; break; } } y[i] = k;",
		"lambda x, u: argmax(cumsum(x, 1) > (u * sum(x, 1))[:, None], 1)",
		[]string{"if (c > t) { k = j; break; } => k += c <= t ? 1 : 0;"}, []string{"u[i] * s => u[i] * s * 1.004f"}},
	{"dropped", `input("x", f32, "rows", "n"), output("y", f32, "rows")`, `"x": uniform(-1, 1)`, `{"rows": 6, "n": 32}`,
		"rows",
		"float s = 0; for (uint j = 0; j < 32; j++) s += x[i * 32 + j] * x[i * 32 + j]; y[i] = s < 10.5f ? 0.0f : " +
			"sqrt(s);", "lambda x: where(sum(x * x, 1) < 10.5, 0, sqrt(sum(x * x, 1)))",
		[]string{"s < 10.5f ? 0.0f : sqrt(s) => sqrt(s) * float(s >= 10.5f)"}, []string{"10.5f => 10.51f"}},
}

// TestDecisions judges them: inputs near decisions catch every fault, no others do, and no other text of the same
// kernel is rejected.
func TestDecisions(t *testing.T) {
	for _, k := range deciding {
		file := fmt.Sprintf(`kernel(name = "k", args = [%s], threads = %q, threads_per_threadgroup = 32, base = %s, `+
			`inputs = [family("some", {%s})], oracle = %s)`, k.args, k.threads, k.base, k.inputs, k.oracle)
		family, err := new(spec.Limits).Read(fstest.MapFS{"decisions.star": {Data: []byte(file)}}, "decisions.star")
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range append([]string{" => "}, k.same...) {
			for _, r := range decided(t, family, k.args, changed(k.body, change)) {
				if r.Status != suite.Pass {
					t.Errorf("%s, %s: %s is rejected: %s", k.name, change, r.Case, r.Text())
				}
			}
		}
		for _, change := range k.faults {
			by := map[bool]int{}
			for _, r := range decided(t, family, k.args, changed(k.body, change)) {
				if r.Status == suite.Fail {
					by[strings.Contains(r.Case, "input=decisions")]++
				}
			}
			if by[true] == 0 || by[false] > 0 {
				t.Errorf("%s, %s: %d cases near decisions fail and %d others", k.name, change, by[true], by[false])
			}
		}
	}
}

// TestDecisionsAreBounded has definitions that decide thousands of times: one that takes much is asked less often,
// since what all questions of a case may take does not grow with it.
func TestDecisionsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("a definition of thousands of decisions is asked a hundred times")
	}
	const most = 1 << 26
	for steps, often := range map[int]bool{1: true, 6000: false} {
		file := fmt.Sprintf(`def f(x):
    y = x
    for i in range(%d):
        y = where(y > 0.5 + i, y, y + 1e-6)
    return y
kernel(name = "k", args = [input("x", f32, "n"), output("y", f32, "n")], threads = "n", threads_per_threadgroup = 32, base = {"n": 8}, inputs = [family("some", {"x": uniform(0, 1)})], oracle = f)`, steps)
		family, err := new(spec.Limits).Read(fstest.MapFS{"decisions.star": {Data: []byte(file)}}, "decisions.star")
		if err != nil {
			t.Fatal(err)
		}
		questions, work, longest := 0, int64(0), int64(0)
		for i := range family.Kernels {
			k := &family.Kernels[i]
			definition := k.Oracle
			k.Oracle = func(p *suite.Problem) suite.Answers {
				answers := definition(p)
				if p.Passing {
					questions, work, longest = questions+1, work+p.Work, max(longest, p.Work)
				}
				return answers
			}
		}
		cases := 0
		for _, r := range decided(t, family, `input("x", f32, "n"), output("y", f32, "n")`, "y[i] = x[i];") {
			if strings.Contains(r.Case, "input=decisions") {
				cases++
			}
		}
		if cases == 0 || questions == 0 || work > int64(cases)*(most+10*longest) || often != (questions > 100*cases) {
			t.Errorf("%d steps: %d cases ask %d questions, which take %d operations, %d the longest", steps, cases,
				questions, work, longest)
		}
	}
}

// changed is a text with a change made.
func changed(text, change string) string {
	from, to, _ := strings.Cut(change, " => ")
	return strings.Replace(text, from, to, 1)
}

// decided judges a kernel of such arguments.
func decided(t *testing.T, family suite.Family, args, body string) []suite.Result {
	var list []string
	for n, a := range strings.Split(args, "), ") {
		parts := strings.Split(strings.TrimSuffix(strings.SplitN(a, "(", 2)[1], ")"), ", ")
		of := map[string]string{"f32": "float", "f16": "half", "u32": "uint", "i32": "int", "i8": "char", "u8": "uchar",
			"i64": "long", "u64": "ulong", "bf16": "bfloat", "u16": "ushort", "i16": "short"}[parts[1]]
		if strings.HasPrefix(a, "input") {
			of = "const " + of
		}
		list = append(list, fmt.Sprintf("device %s *%s [[buffer(%d)]]", of, strings.Trim(parts[0], `"`), n))
	}
	source := "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(" + strings.Join(list, ", ") +
		", uint i [[thread_position_in_grid]]) { " + body + " }\n"
	return judgedIn(t, []metalrun.Math{{Mode: metalrun.MathSafe}}, sim.Semantics{}, family, source, "")
}

// TestDecides tells definitions that decide from others by their text.
func TestDecides(t *testing.T) {
	for text, want := range map[string]bool{
		"oracle = lambda x: x * 2": false, "oracle = lambda x: softmax(x)": false,
		"oracle = lambda x: where(x > 1, x, 0)":             true,
		"oracle = lambda x, n: where(arange(n) >= 3, x, 0)": false, "oracle = lambda x: i32(x)": true,
		"oracle = lambda x: bf16(x)":                    false,
		"oracle = lambda x, n: x * (2 if n > 3 else 1)": false, "oracle = helper": true,
		"oracle = lambda x: f(x)": true, "oracle = made(3)": true, "oracle = lambda x: maximum(x, 0)": false,
	} {
		file := "def helper(x):\n    y = floor(x)\n    return y\ndef f(x): return helper(x) + 1\n" +
			"def made(k): return lambda x: rint(x * k)\n" +
			`kernel(name = "k", args = [input("x", f32, "n"), output("y", f32, "n")], threads = "n", ` +
			`threads_per_threadgroup = 32, base = {"n": 64}, ` + text + ")"
		family, err := new(spec.Limits).Read(fstest.MapFS{"k.star": {Data: []byte(file)}}, "k.star")
		if err != nil {
			t.Fatal(err)
		}
		if got := family.Kernels[0].Sweep.Decides; got != want {
			t.Errorf("%s: decides is %t", text, got)
		}
	}
}
