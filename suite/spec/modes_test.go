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

// inMode is a kernel of one line, with what it has to compute, and what is said of it in relaxed and in fast
// math: nothing where it conforms, or a part of the choice that it relies on or of the failure. In safe math each
// conforms.
type inMode struct {
	name          string
	body          string // of x[i], z[i] to y[i]
	oracle        string
	inputs        string // fills of x and z
	relaxed, fast string
}

const (
	wholeNumbers = `{"x": choice(*[float(i) for i in range(1, 120)]), "z": choice(3, 5, 7, 11, 41, 47)}`
	someNumbers  = `{"x": normal, "z": scaled(normal, 1e-3)}`
	magicNumbers = `{"x": uniform(-100, 100), "z": uniform(0.1, 3)}`
	zerosOfBoth  = `{"x": choice(0.0, -0.0, 1, -1)}`
	quotients    = "accuracy of /" // fast division, of which a product with the reciprocal is one
	lostTerms    = "cancelling of terms"
	noNaN        = "fast math has no NaN"
)

var inModes = []inMode{
	{"quotient_floor", "y[i] = floor(x[i] / z[i]);", "floor(x / z)", wholeNumbers, quotients, quotients},
	{"quotient_modulo", "y[i] = x[i] - z[i] * floor(x[i] / z[i]);", "x - z * floor(x / z)", wholeNumbers, "of", "of"},
	{"quotient_cast", "y[i] = float(int(x[i] / z[i]));", "floor(x / z)", wholeNumbers, quotients, quotients},
	{"quotient_whole", "const float q = x[i] / z[i]; y[i] = q == floor(q) ? 1.0f : 0.0f;",
		"where(x == z * floor(x / z), 1, 0)", wholeNumbers, quotients, quotients},
	{"quotient_floor_between", "y[i] = floor((x[i] + 0.5f) / z[i]);", "floor(x / z)", wholeNumbers, "", ""},
	{"quotient_rounded", "y[i] = rint(x[i] / z[i]);", "rint(x / z)", wholeNumbers, "", ""},
	{"root_cast", "y[i] = float(int(sqrt(x[i] * x[i])));", "x", wholeNumbers, "accuracy of sqrt", "accuracy of sqrt"},
	{"root_of_a_square", "y[i] = floor(sqrt(x[i]));", "floor(sqrt(x))",
		`{"x": choice(*[float(i * i) for i in range(1, 120)])}`, "accuracy of sqrt", "accuracy of sqrt"},
	{"remainder", "y[i] = fmod(x[i], z[i]);", "x - z * floor(x / z)", `{"x": uniform(0, 20), "z": uniform(0.5, 3)}`,
		"", ""},
	{"angle", "y[i] = atan2(x[i], z[i]);", "atan2(x, z)", `{"x": normal, "z": normal}`, "", ""},
	{"sum_and_what_it_lost", "const float a = x[i], b = z[i], s = a + b, c = s - a; y[i] = (a - (s - c)) + (b - c);",
		"x + z - f32(x + z)", someNumbers, lostTerms, lostTerms},
	{"loaded_twice", "const float s = x[i] + z[i]; y[i] = s - x[i];", "f32(x + z) - x",
		`{"x": uniform(1, 2), "z": scaled(uniform(1, 2), 1e-6)}`, lostTerms, lostTerms},
	{"written_in_between", "const float s = x[i] + z[i]; y[i] = 0.0f; y[i] = s * 2.0f - x[i] * 2.0f;", "2 * z",
		`{"x": uniform(1, 2), "z": uniform(1, 2)}`, "", ""},
	{"magic_number", "y[i] = (x[i] + 12582912.0f) - 12582912.0f;", "rint(x)", `{"x": uniform(-100, 100)}`, lostTerms,
		lostTerms},
	{"magic_factor", "y[i] = ((x[i] + 12582912.0f) - 12582912.0f) * z[i];", "rint(x) * z", magicNumbers, lostTerms,
		lostTerms},
	{"magic_sign", "const float m = copysign(8388608.0f, x[i]); y[i] = ((x[i] + m) - m) * z[i];", "rint(x) * z",
		magicNumbers, "of a", "of a"},
	{"magic_variable", "float t = x[i] * z[i]; t -= 12582912.0f; t += 12582912.0f; y[i] = t / 3.0f;", "rint(x * z) / 3",
		magicNumbers, lostTerms, lostTerms},
	{"magic_product_and_sum", "y[i] = (fma(x[i], z[i], 12582912.0f) - 12582912.0f) * 0.1f;", "rint(x * z) * 0.1",
		magicNumbers, "of a", "of a"},
	{"magic_sixteenths", "y[i] = ((x[i] + 786432.0f) - 786432.0f) * z[i];", "rint(x * 16) / 16 * z", magicNumbers,
		lostTerms, lostTerms},
	{"magic_floor", "float r = (x[i] + 12582912.0f) - 12582912.0f; r = r > x[i] ? r - 1.0f : r; y[i] = r * z[i];",
		"floor(x) * z", magicNumbers, lostTerms, lostTerms},
	{"magic_rest", "y[i] = (x[i] - ((x[i] + 12582912.0f) - 12582912.0f)) * z[i];", "(x - rint(x)) * z", magicNumbers,
		lostTerms, lostTerms},
	{"magic_bits", "const int q = as_type<int>(x[i] + 12582912.0f) - 0x4b400000; y[i] = float(q) * z[i];",
		"rint(x) * z", magicNumbers, "", ""},
	{"magic_half", "const half h = half(x[i]); y[i] = float((h + 1536.0h) - 1536.0h) * z[i];", "rint(f16(x)) * z",
		magicNumbers, lostTerms, lostTerms},
	{"magic_half_bits", "const half h = half(x[i]); y[i] = float(as_type<short>(h + 1536.0h) - 0x6600) * z[i];",
		"rint(f16(x)) * z", magicNumbers, "", ""},
	{"magic_bfloat", "const bfloat h = bfloat(x[i] / 4.0f); y[i] = float((h + 192.0bf) - 192.0bf) * z[i];",
		"rint(bf16(x / 4)) * z", magicNumbers, lostTerms, lostTerms},
	{"sum_with_a_round_number", "y[i] = (x[i] + 16384.0f) * z[i];", "(x + 16384) * z", magicNumbers, "", ""},
	{"mean_about_a_round_number",
		"float s = 0.0f; for (uint j = 0; j < 64; j++) s += x[j] + 1024.0f; y[i] = s / 64.0f - 1024.0f;",
		"0 * x + sum(x[:64]) / 64", magicNumbers, "", ""},
	{"product_and_what_it_lost", "const float p = x[i] * z[i]; y[i] = fma(x[i], z[i], -p);", "x * z - f32(x * z)",
		`{"x": uniform(1, 2), "z": uniform(1, 2)}`, "", ""},
	{"sign_of_a_sum", "y[i] = copysign(1.0f, x[i] + 0.0f);", "where(x < 0, -1, 1)", zerosOfBoth,
		"leaving out of a zero", "leaving out of a zero"},
	{"sign_of_a_product", "y[i] = signbit(x[i] * z[i]) ? -1.0f : 1.0f;", "where(z < 0, -1, 1)",
		`{"x": choice(0.0, 1, 2), "z": choice(-1, 1)}`, "sign of a zero", "sign of a zero"},
	{"sign_of_an_angle", "y[i] = atan2(x[i] * z[i], -1.0f);", "where(z < 0, -3.14159265358979, 3.14159265358979)",
		`{"x": choice(0.0), "z": choice(-1, 1)}`, "of", "of"},
	{"sign_by_a_comparison", "const float p = x[i] * z[i]; y[i] = copysign(1.0f, p < 0.0f ? -1.0f : 1.0f);",
		"where(x * z < 0, -1, 1)", zerosOfBoth[:len(zerosOfBoth)-1] + `, "z": choice(-1, 1)}`, "", ""},
	{"sum_within_the_range", "y[i] = (x[i] - z[i]) + x[i];", "x - z + x",
		`{"x": uniform(2e38, 3e38), "z": uniform(2e38, 3e38)}`, lostTerms, lostTerms},
	{"mean_within_the_range", "y[i] = x[i] * 0.5f + z[i] * 0.5f;", "(x + z) / 2",
		`{"x": uniform(2e38, 3e38), "z": uniform(2e38, 3e38)}`, "factoring of a sum", "factoring of a sum"},
	{"quotient_of_a_quotient", "y[i] = x[i] / (z[i] / x[i]);", "x / (z / x)",
		`{"x": uniform(1e25, 2e25), "z": uniform(1e20, 2e20)}`, "joining of quotients", "joining of quotients"},
	{"norms_within_the_range", "y[i] = x[i] / z[i] / z[i];", "x / z / z",
		`{"x": uniform(1e30, 2e30), "z": uniform(1e20, 2e20)}`, "", "joining of quotients"},
	{"sums_in_one_order", "float s = 0.0f, t = 0.0f; for (uint j = 0; j < 150; j++) s += x[j]; for (uint j = 0; j < " +
		"150; j += 2) { t += x[j]; t += x[j + 1]; } y[i] = s == t ? z[i] : 0.0f;",
		"z", someNumbers, "of a", "of a"},
	{"products_compared",
		"const float p = x[i] * z[i]; const float q = z[i] * x[i]; const float d = p - q; y[i] = d < 0.0f || d > " +
			"0.0f ? 1.0f : 0.0f;", "0 * x", someNumbers, "fusing of product and sum", "fusing of product and sum"},
	{"products_nearly_equal",
		"const float p = x[i] * z[i]; const float q = z[i] * x[i]; const float d = p - q; y[i] = fabs(d) > 1e-6f ? " +
			"1.0f : 0.0f;", "0 * x", someNumbers, "", ""},
	{"nan_asked_for", "y[i] = isnan(x[i]) ? 0.0f : x[i];", "where(x != x, 0, x)", `{"x": choice(1, 2, NaN)}`, "",
		noNaN},
	{"nan_unlike_itself", "y[i] = x[i] != x[i] ? 0.0f : x[i];", "where(x != x, 0, x)", `{"x": choice(1, 2, NaN)}`, "",
		noNaN},
	{"finite_less_itself", "const float q = exp(x[i]); y[i] = q - q == 0.0f ? q : 0.0f;", "where(x > 50, 0, exp(x))",
		`{"x": choice(1, 2, 100)}`, "", "fast math has no"},
	{"nan_dropped", "y[i] = fmax(x[i], 0.0f);", "where(x > 0, x, 0)", `{"x": choice(1, -2, NaN)}`, "", noNaN},
	{"nan_passed_on", "y[i] = x[i] * 2.0f;", "x * 2", `{"x": choice(1, -2, NaN)}`, "", ""},
	{"nan_by_its_bits", "y[i] = (as_type<uint>(x[i]) & 0x7fffffffu) > 0x7f800000u ? 0.0f : x[i];",
		"where(x != x, 0, x)", `{"x": choice(1, 2, NaN)}`, "", ""},
	{"narrow_between", "threadgroup half t[32]; t[i % 32] = half(x[i] / 4.0f); y[i] = float(t[i % 32]) * z[i];",
		"x * z / 4", `{"x": choice(*[4.0 * i for i in range(2049, 4096, 2)]), "z": choice(3, 5, 7, 11, 41, 47)}`,
		"", ""},
	{"larger_of_subnormals", "y[i] = max(x[i], z[i]);", "maximum(x, z)", `{"x": subnormal, "z": subnormal}`, "", ""},
}

// intermediates is the format that a kernel of that name rounds to on its way.
func intermediates(name string) string {
	if strings.HasPrefix(name, "narrow_") {
		return "f16"
	}
	return "f32"
}

// TestModes judges kernels that count on what safe math promises, and others beside them that look alike and do
// not: a failure names the line, and what the compiler may do there.
func TestModes(t *testing.T) {
	var shader, file strings.Builder
	shader.WriteString("#include <metal_stdlib>\nusing namespace metal;\n")
	file.WriteString("NaN = float(\"nan\")\n")
	for i, k := range inModes {
		if testing.Short() && i%4 != 0 {
			shader.WriteString("\n") // lines stay
			continue
		}
		fmt.Fprintf(&shader,
			"kernel void %s(device const float *x [[buffer(0)]], device const float *z [[buffer(1)]], device float "+
				"*y [[buffer(2)]], uint i [[thread_position_in_grid]]) { %s }\n", k.name, k.body)
		fmt.Fprintf(&file,
			"kernel(name = %q, args = [input(\"x\", f32, \"n\"), input(\"z\", f32, \"n\"), output(\"y\", f32, "+
				"\"n\")], threads = \"n\", threads_per_threadgroup = 32, base = {\"n\": 160},\n"+
				"    inputs = [family(\"some\", %s)], intermediates = %s, oracle = lambda x, z: %s)\n", k.name,
			k.inputs,
			intermediates(k.name), k.oracle)
	}
	family, err := new(spec.Limits).Read(fstest.MapFS{"modes.star": {Data: []byte(file.String())}}, "modes.star")
	if err != nil {
		t.Fatal(err)
	}
	shaders, err := suite.OpenShaders(fstest.MapFS{"modes.metal": {Data: []byte(shader.String())}}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	opts := suite.Options{Shaders: shaders, Seed: 1,
		Exact: suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
			return sim.New(sim.Exactly(a))
		})}
	for n := range 16 {
		taking := func(choices int) metalrun.Runner {
			return sim.New(sim.Semantics{Check: true,
				Adversary: &sim.Adversary{Seed: 1, Number: n + 1, Choices: choices}})
		}
		opts.Adversaries = append(opts.Adversaries, suite.Adversary{Number: n + 1, Runner: taking(-1), Taking: taking})
	}
	cases := shaders.InModes(suite.Cases([]suite.Family{family}, suite.Quick), nil, metalrun.Maths())
	said := map[string]string{}
	err = suite.Run(t.Context(), sim.New(sim.Semantics{Check: true}), opts, cases, func(r suite.Result) {
		text := r.Text()
		if r.Relies != nil {
			text = fmt.Sprintf("relies on %s at line %d: %s", r.Relies.Kind, r.Relies.Line, text)
		}
		if r.Status == suite.Pass || r.Unjudged != nil && r.Status == suite.Error {
			text = ""
		}
		said[r.Case] = text
	})
	if err != nil {
		t.Fatal(err)
	}
	for line, k := range inModes {
		if testing.Short() && line%4 != 0 {
			continue
		}
		name := k.name + "/n=160/input=some"
		for mode, want := range map[string]string{"": "", "/math=relaxed": k.relaxed, "/math=fast": k.fast} {
			got, judged := said[name+mode]
			place := want == "" || strings.Contains(got, fmt.Sprintf("line %d:", line+3)) ||
				strings.Contains(got, fmt.Sprintf("modes.metal:%d:", line+3))
			if !judged || (want == "") != (got == "") || !strings.Contains(got, want) || !place {
				t.Errorf("%s%s: %q, want %q", name, mode, got, want)
			}
		}
	}
}

// judgedInFastMath are kernels of x to y for the definitions named, of which fast math leaves every element to be
// judged; off is an error in them.
var judgedInFastMath = []struct{ oracle, body, right, off string }{
	{"where(x > 0, -inf, 0)", "y[i] = x[i] > 0 ? -INFINITY : OFF;", "0", "1e-7f"}, // the zeros beside a mask
	{"exp(x) / sum(exp(x))", "float m = -FLT_MAX/2, s = 0; for (uint j = 0; j < 64; j++) { float n = max(m, x[j]); s " +
		"= s * exp(m - n) + exp(x[j] - n); m = n; } y[i] = exp(x[i] - m) / (s * OFF);", "1", "1.001f"},
	// Multiplied out, the power of a small distance would be a sum of powers of what lies far out.
	{"sum(power(square(x[None, :] - x[:, None]) + 0.0009765625, -1.5), 1)",
		"float s = 0; for (uint j = 0; j < 64; j++) { float d = x[j] - x[i], r = d * d + 0.0009765625f; s += rsqrt(r " +
			"* r * r); } y[i] = s * OFF;", "1", "1.001f"},
	{"exp(x) / sum(exp(x))", "float m = -FLT_MAX, s = 0; for (uint j = 0; j < 64; j++) { float n = max(m, x[j]); s = " +
		"s * exp(m - n) + exp(x[j] - n); m = n; } y[i] = exp(x[i] - m) / (s * OFF);", "1", "1.001f"},
	{"exp(x) / sum(exp(x))",
		"float m = -FLT_MAX/2, s = 0; for (uint j = 0; j < 64; j++) { float n = max(m, x[j]); s = s * exp2((m - n) * " +
			"M_LOG2E_F) + exp2((x[j] - n) * M_LOG2E_F); m = n; } y[i] = exp2((x[i] - m) * M_LOG2E_F) / (s * OFF);", "1",
		"1.001f"},
}

func TestJudgedInFastMath(t *testing.T) {
	for _, k := range judgedInFastMath {
		family, err :=
			new(spec.Limits).Read(fstest.MapFS{"fast.star": {Data: []byte(`kernel(name = "k",
	args = [input("x", f32, "n"), output("y", f32, "n")],
	threads = "n", threads_per_threadgroup = 32, base = {"n": 64},
    inputs = [family("some", {"x": choice(-1, 1)})], oracle = lambda x: ` + k.oracle + `)`)}}, "fast.star")
		if err != nil {
			t.Fatal(err)
		}
		for text, want := range map[string]suite.Status{k.right: suite.Pass, k.off: suite.Fail} {
			body := strings.Replace(k.body, "OFF", text, 1)
			source := "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device const float *x " +
				"[[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]]) { " + body + " }\n"
			for _, r := range judgedIn(t, []metalrun.Math{{Mode: metalrun.MathFast, FastFunctions: true}},
				sim.Semantics{}, family, source, "") {
				if r.Status != want || r.Unjudged != nil {
					t.Errorf("%s: %s, %v not judged, want %s", body, r.Status, r.Unjudged, want)
				}
			}
		}
	}
}

// roundedBySums are kernels of x and z to y that round by a magic number, with the definition in which that rounding
// stands, and a change of their source that makes it another.
var roundedBySums = []struct{ oracle, body, from, to string }{
	{"rint(x) * z", "y[i] = ((x[i] + 12582912.0f) - 12582912.0f) * z[i];", "12582912", "6291456"}, // halves are left
	{"rint(x) * z", "y[i] = ((x[i] + 12582912.0f) - 12582912.0f) * z[i];", "12582912", "8388608"}, // and below it, too
	{"rint(x) * z", "y[i] = ((x[i] + 12582912.0f) - 12582912.0f) * z[i];", "* z[i]", "* z[i] * 1.000001f"},
	{"rint(x) * z", "y[i] = rint(x[i]) * z[i];", "rint(x[i])", "((x[i] + 0.25f + 12582912.0f) - 12582912.0f)"},
	{"rint(x) * z", "const int q = as_type<int>(x[i] + 12582912.0f) - 0x4b400000; y[i] = float(q) * z[i];",
		"0x4b400000", "0x4b400001"},
	{"floor(x) * z", "float r = (x[i] + 12582912.0f) - 12582912.0f; r = r > x[i] ? r - 1.0f : r; y[i] = r * z[i];",
		"r > x[i]", "r > x[i] + 0.5f"},
}

func TestRoundedBySums(t *testing.T) {
	for _, k := range roundedBySums {
		family, err :=
			new(spec.Limits).Read(fstest.MapFS{"sums.star": {Data: []byte(`kernel(name = "k",
	args = [input("x", f32, "n"), input("z", f32, "n"), output("y", f32, "n")],
	threads = "n", threads_per_threadgroup = 32, base = {"n": 64},
    inputs = [family("some", ` + magicNumbers + `)], oracle = lambda x, z: ` + k.oracle + `)`)}}, "sums.star")
		if err != nil {
			t.Fatal(err)
		}
		for body, want := range map[string]suite.Status{k.body: suite.Pass,
			strings.ReplaceAll(k.body, k.from, k.to): suite.Fail} {
			source := "#include <metal_stdlib>\nusing namespace metal;\n" +
				"kernel void k(device const float *x [[buffer(0)]], device const float *z [[buffer(1)]], device " +
				"float *y [[buffer(2)]], uint i [[thread_position_in_grid]]) { " + body + " }\n"
			for _, r := range judgedIn(t, []metalrun.Math{{Mode: metalrun.MathSafe}}, sim.Semantics{}, family, source,
				"") {
				if r.Status != want || r.Unjudged != nil {
					t.Errorf("%s: %s, %v not judged, want %s", body, r.Status, r.Unjudged, want)
				}
			}
		}
	}
}
