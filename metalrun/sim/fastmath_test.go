package sim_test

import (
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// builds are kernels of one simdgroup that are only right as long as no compiler does to them
// what the mode permits: in[lane] is 1, 2, … 32 tenths. choice is what some device of the
// first seeds does to them, at line 9, and is not listed in the mode before.
var builds = []struct {
	name, mode, before, body, choice string
}{
	{"compensated sum", "relaxed", "safe",
		"float s = 1e7f, c = 0; for (int i = 0; i < 32; i++) { float d = in[3] - c, t = s + d;\nc = (t - s) - d;\n" +
			"s = t; } out[lane] = s;", "cancelling of terms in a sum"},
	{"sum of two", "relaxed", "safe", "float a = 1e4f, s = a + in[lane];\nout[lane] = (s - a) - in[lane];",
		"cancelling of terms in a sum"},
	{"rounding by a magic number", "relaxed", "safe", "float x = in[lane];\nout[lane] = x + 12582912.0f - 12582912.0f;",
		"cancelling of terms in a sum"},
	{"split in halves", "relaxed", "safe", "float x = in[lane], t = 4097 * x;\nout[lane] = t - (t - x);",
		"cancelling of terms in a sum"},
	{"whole quotient", "relaxed", "safe", "float x = lane;\nout[lane] = floor(x * 41 / 41);",
		"quotient by a reciprocal"},
	{"order of a sum", "relaxed", "safe", "float x = in[lane];\nout[lane] = x + 1e8f + x * x;", "order of a sum"},
	{"order of a product", "relaxed", "safe",
		"float x = in[lane];\nout[lane] = x * 1e30f * (x * 1e-30f) * (x * 1e-30f) * 1e30f;", "order of a product"},
	{"sums of a loop", "relaxed", "safe", "float s = 0; for (int i = 0; i < 32; i++)\ns += in[i] * 1.1f;\n" +
		"out[lane] = s;", "partial sums of a loop"},
	{"product across statements", "relaxed", "safe", "float x = in[lane], p = x * x;\nfloat d = p - x;\nout[lane] = d;",
		"fusing of product and sum"},
	{"fraction", "relaxed", "safe", "float x = in[lane] * in[12];\nout[lane] = x - floor(x);",
		"fusing of a product that others read"},
	{"guard", "fast", "relaxed", "float x = lane == 3 ? as_type<float>(0x7fc00000) : in[lane];\n" +
		"out[lane] = isnan(x) ? 0 : x;", "NaN taken for impossible"},
	{"negated comparison", "fast", "relaxed", "float x = lane == 3 ? as_type<float>(0x7fc00000) : in[lane];\n" +
		"out[lane] = !(x < 2) ? 1 : 0;", "NaN taken for impossible"},
	{"first maximum", "fast", "relaxed", "float m = as_type<float>(0xff800000 + (lane >> 16));\n" +
		"out[lane] = m == -INFINITY ? 0 : 1;", "infinity taken for impossible"},
	{"mask", "fast", "relaxed", "float s = lane > 9 ? -INFINITY : in[lane & 7];\nout[lane] = exp(s - 1);",
		"NaN or infinity in fast math"},
	{"reciprocal root", "relaxed", "safe", "float x = in[lane];\nout[lane] = x / sqrt(x * 3);",
		"quotient by a reciprocal root"},
	{"logarithm of an exponential", "relaxed", "safe", "float x = in[lane];\nout[lane] = log(exp(x * 50));",
		"joining of functions"},
	{"zero", "fast", "relaxed", "float x = in[lane] * 1e38f * 1e5f;\nout[lane] = x * 0;", "leaving out of a zero"},
}

// TestBuilds shows that an adversary finds each of them, that it takes no choice which the
// mode does not permit, and that the bits of safe math are those without any mode.
func TestBuilds(t *testing.T) {
	for _, c := range builds {
		t.Run(c.name, func(t *testing.T) {
			build := func(mode string, a *sim.Adversary) (metalrun.Kernel, [32]float32) {
				k := openKernel(t, "#pragma METAL fp math_mode("+mode+")\n"+c.body, sim.Semantics{Adversary: a})
				return k, runOpen(t, k)
			}
			_, want := build("safe", nil)
			if _, got := build(c.mode, nil); viewedAs(got) != viewedAs(want) {
				t.Fatal("the mode alone changes results")
			}
			k, _ := build(c.before, nil)
			if from, to := listed(k, c.choice); from < to {
				t.Errorf("%s math has the choice: %s", c.before, c.choice)
			}
			k, _ = build(c.mode, nil)
			from, to := listed(k, c.choice)
			if from == to {
				t.Fatalf("no choice %q at line 9 among %v", c.choice, k.(metalrun.Chooser).Choices())
			}
			for seed := range uint64(8) {
				for number := 1; number <= 2; number++ {
					_, without := build(c.mode, &sim.Adversary{Seed: seed, Number: number, Choices: from})
					k, with := build(c.mode, &sim.Adversary{Seed: seed, Number: number, Choices: to})
					if viewedAs(with) != viewedAs(without) {
						if !k.(metalrun.Chooser).Deviates() {
							t.Error("the device deviates and does not say so")
						}
						return
					}
				}
			}
			t.Errorf("no device does it")
		})
	}
}

// listed are the numbers of the first choice of a kind at line 9 and of the first behind the
// last, alike if there is none.
func listed(k metalrun.Kernel, kind string) (from, to int) {
	for i, c := range k.(metalrun.Chooser).Choices() {
		if c.Subject == kind && c.Position.Line == 9 {
			if to == 0 {
				from = i
			}
			to = i + 1
		}
	}
	return from, to
}

func viewedAs(x [32]float32) string { return string(viewed(x)) }

// finite are kernels in fast math, and what the check says of them where they are not
// finite, and matters.
var finite = []struct{ name, body, want string }{
	{"mask", "float s = lane > 9 ? -INFINITY : in[lane & 7];\nout[lane] = exp(s - 1);",
		"open.metal:9:19: fastmath: fast math has no -Inf: what becomes of it in a difference (it comes from " +
			"open.metal:8:20) is unspecified and reaches byte 42 of buffer(1) \"out\""},
	{"mask in a variable", "float s = in[lane]; if (lane > 9) s = -INFINITY;\nout[lane] = exp(s);",
		"open.metal:9:13: fastmath: fast math has no -Inf: what becomes of it in exp (it comes from open.metal:8:37)"},
	{"finite mask", "float s = lane > 9 ? -1e30f : in[lane & 7];\nout[lane] = exp(s - 1);", ""},
	{"first maximum", "float m = -INFINITY; for (int i = 0; i < 32; i++)\nm = max(m, in[i]);\nout[lane] = m;",
		"open.metal:9:5: fastmath: fast math has no -Inf: what becomes of it in max"},
	{"first of all", "float m = in[0]; for (int i = 0; i < 32; i++)\nm = max(m, in[i]);\nout[lane] = m;", ""},
	{"overflow", "float x = in[lane];\nout[lane] = exp(x * 1e3f);",
		"open.metal:9:13: fastmath: fast math has no +Inf: what becomes of it in exp"},
	{"overflow of a product", "float x = in[lane];\nout[lane] = x * 1e38f * 10;",
		"open.metal:9:11: fastmath: fast math has no +Inf: what becomes of it in a store"},
	{"quotient by zero", "float x = in[lane] - in[lane];\nout[lane] = x / x < 2;",
		"open.metal:9:15: fastmath: fast math has no NaN: what becomes of it in a quotient"},
	{"discarded", "float x = 1 / (in[lane] - in[lane]);\nout[lane] = lane < 32 ? 1 : x;", ""},
	{"moved only", "float x = 1; if (lane > 9) x = -INFINITY;\nout[lane] = simd_shuffle_xor(x, 1);", ""},
	{"in safe math", "float s = 1; if (lane > 9) s = -INFINITY;\n{\n#pragma METAL fp math_mode(safe)\n" +
		"out[lane] = exp(s - 1); }", ""},
}

// TestFinite runs them, observed.
func TestFinite(t *testing.T) {
	for _, c := range finite {
		t.Run(c.name, func(t *testing.T) {
			k := openKernel(t, "#pragma METAL fp math_mode(fast)\n"+c.body, sim.Semantics{Check: true})
			var in, out [32]float32
			for i := range in {
				in[i] = float32(i+1) / 10
			}
			outcome, err := k.Run(metalrun.Dispatch{
				Bindings:     []metalrun.Binding{bind(0, bytesOf(in[:])), bind(1, bytesOf(out[:]))},
				Threadgroups: metalrun.Size{X: 1, Y: 1, Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
			})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range outcome.Findings {
				got = append(got, f.String())
			}
			if (len(got) > 0) != (c.want != "") || len(got) > 1 || len(got) == 1 && !strings.HasPrefix(got[0], c.want) {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}
