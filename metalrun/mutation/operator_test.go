package mutation

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

// body puts statements in an entry point with something to edit.
func body(statements string) string {
	return `#include <metal_stdlib>
using namespace metal;
kernel void k(
    device float* out [[buffer(0)]], device const float* x [[buffer(1)]], constant uint& n [[buffer(2)]], constant float& z [[buffer(3)]],
    threadgroup float* shared [[threadgroup(0)]], uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
` + statements + "\n}\n"
}

func open(t testing.TB, text string) *Unit {
	t.Helper()
	p, err := metalrun.Analyse(metalrun.SourceText("k.metal", text), metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return Open(p)
}

func operatorsCalled(names ...string) []Operator {
	return slices.DeleteFunc(Operators(), func(o Operator) bool { return !slices.Contains(names, o.Name) })
}

// TestOperators counts the mutants of each operator by hand.
func TestOperators(t *testing.T) {
	tests := []struct {
		operator, body string
		want           []string
	}{
		{"arithmetic", "out[i] = x[i] + x[0] * 2.0f;", []string{"out[i] = x[i] «+ → -» x[0] * 2.0f;",
			"out[i] = x[i] + x[0] «* → /» 2.0f;", "out[i] = x[i] + «x[0] * 2.0f → (x[0] + 2.0f)»;"}},
		{"arithmetic", "out[i % n] = x[i / n] - 1.0f;", []string{
			"out[i «% → /» n] = x[i / n] - 1.0f;", "out[i % n] = x[i / n] «- → +» 1.0f;",
			"out[i % n] = x[i «/ → *» n] - 1.0f;", "out[i % n] = x[i «/ → %» n] - 1.0f;",
		}},
		{"operand", "out[i] = -x[i] * x[0] - x[1];", []string{
			"out[i] = -x[i] * x[0] «- x[1] →»;", "out[i] = -x[i] «* x[0] →» - x[1];",
			"out[i] = «-x[i] * →» x[0] - x[1];", "out[i] = «- →»x[i] * x[0] - x[1];",
		}},
		{"bits", "out[i & 3] = x[~i << 1] + (i | n) + (i ^ n) + (i >> 2);", []string{
			"out[i «& → |» 3] = x[~i << 1] + (i | n) + (i ^ n) + (i >> 2);",
			"out[i «& 3 →»] = x[~i << 1] + (i | n) + (i ^ n) + (i >> 2);",
			"out[i & 3] = x[~i «<< → >>» 1] + (i | n) + (i ^ n) + (i >> 2);",
			"out[i & 3] = x[~i «<< 1 →»] + (i | n) + (i ^ n) + (i >> 2);",
			"out[i & 3] = x[«~ →»i << 1] + (i | n) + (i ^ n) + (i >> 2);",
			"out[i & 3] = x[~i << 1] + (i «| → &» n) + (i ^ n) + (i >> 2);",
			"out[i & 3] = x[~i << 1] + (i | n) + (i «^ → &» n) + (i >> 2);",
			"out[i & 3] = x[~i << 1] + (i | n) + (i ^ n) + (i «>> → <<» 2);",
			"out[i & 3] = x[~i << 1] + (i | n) + (i ^ n) + (i «>> 2 →»);",
		}},
		{"logic", "if (i < n && !(i == 3 || lane == 0)) { out[i] = 1.0f; }", []string{
			"if (i < n «&& → ||» !(i == 3 || lane == 0)) {", "if (i < n && «! →»(i == 3 || lane == 0)) {",
			"if (i < n && !(i == 3 «|| → &&» lane == 0)) {",
		}},
		{"assignment", "out[i] += 1.0f; out[i] *= 2.0f; for (uint j = 0; j < n; j++) {} i >>= 1;", []string{
			"out[i] «+= → -=» 1.0f;", "out[i] «+= → =» 1.0f;", "out[i] «*= → /=» 2.0f;", "out[i] «*= → =» 2.0f;",
			"for (uint j = 0; j < n; j«++ → --») {}", "i «>>= → <<=» 1;", "i «>>= → =» 1;",
		}},
		{"comparison", "if (i < n) { out[i] = lane == 0 ? 1.0f : 2.0f; }",
			[]string{"if (i «< → <=» n) {", "if (i «< → >=» n) {", "out[i] = lane «== → !=» 0 ? 1.0f : 2.0f;"}},
		{"comparison", "while (i <= n) { i = i > 4 ? i : i + (i >= 2); }", []string{
			"while (i «<= → <» n) {", "while (i «<= → >» n) {", "i = i «> → >=» 4 ? i : i + (i >= 2);",
			"i = i «> → <=» 4 ? i : i + (i >= 2);",
			"i = i > 4 ? i : i + (i «>= → >» 2);", "i = i > 4 ? i : i + (i «>= → <» 2);",
		}},
		{"condition", "if (i < n) { out[i] = i == 0 ? 1.0f : 2.0f; } else { out[i] = 3.0f; }", []string{
			"if («i < n → true») {", "if («i < n → false») {", "out[i] = «i == 0 ? 1.0f : 2.0f → 1.0f»;",
			"out[i] = «i == 0 ? 1.0f : →» 2.0f;",
		}},
		{"bound", "for (uint j = lane; j < n; j += 32) { out[j] = 1.0f; }", []string{
			"for (uint j = lane«→ + 1»; j < n; j += 32) {", "for (uint j = lane; j < n«→ - 1»; j += 32) {",
			"for (uint j = lane; j < n; j += 32«→ + 1») {",
		}},
		{"constant", "out[0] = 0.0f; out[2u] = 3.5f; out[i] = INFINITY; bool b = true;", []string{
			"out[«0 → 1»] = 0.0f;", "out[0] = «0.0f → 1.0f»;",
			"out[«2u → 3u»] = 3.5f;", "out[«2u → 1u»] = 3.5f;", "out[2u] = «3.5f → 0.0f»;",
			"out[2u] = «3.5f → 3.5035f»;",
			"out[i] = «INFINITY → 1e3f»;", "bool b = «true → false»;",
		}},
		{"index", "out[i] = x[i * 2] + x[0];",
			[]string{"out[i«→ + 1»] = x[i * 2] + x[0];", "out[i«→ - 1»] = x[i * 2] + x[0];",
				"out[i] = x[i * 2«→ + 1»] + x[0];", "out[i] = x[i * 2«→ - 1»] + x[0];"}},
		{"statement", "float y = 1.0f; y = x[i]; if (i >= n) { return; } for (uint j = 0; j < n; j++) { out[j] = y; }",
			[]string{
				"«y = x[i] →»;", "«if (i >= n) { return; } → ;»", "«return →»;",
				"«for (uint j = 0; j < n; j++) { out[j] = y; } → ;»", "«out[j] = y →»;",
			}},
		{"statement", "if (i < n) { out[i] = 1.0f; } else { out[0] = 2.0f; }", []string{
			"«} else { out[0] = 2.0f; } → }»", "«if (i < n) { out[i] = 1.0f; } else { out[0] = 2.0f; } → ;»",
			"«out[i] = 1.0f →»;", "«out[0] = 2.0f →»;",
		}},
		{"order", "float y = 0.0f; y = x[i]; out[i] = y; shared[lane] = 1.0f;",
			[]string{"«y = x[i]; out[i] = y; → out[i] = y; y = x[i];»"}},
		{"order", "if (i >= n) { return; } out[i] = 1.0f;",
			[]string{"«if (i >= n) { return; } out[i] = 1.0f; → out[i] = 1.0f; if (i >= n) { return; }»"}},
		{"barrier", "shared[lane] = x[i]; threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device); " +
			"float y = 0.0f;", []string{
			"«shared[lane] = x[i]; threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device); → " +
				"threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device); shared[lane] = x[i];»",
			"«threadgroup_barrier(mem_flags::mem_threadgroup | mem_flags::mem_device) →»;",
			"«threadgroup_barrier → simdgroup_barrier»(mem_flags::mem_threadgroup | mem_flags::mem_device);",
			"threadgroup_barrier(mem_flags::mem_threadgroup «| mem_flags::mem_device →»);",
			"threadgroup_barrier(mem_flags::«mem_threadgroup | mem_flags::mem_device → mem_device»);",
		}},
		{"barrier", "simdgroup_barrier(mem_flags::mem_device);", []string{
			"«simdgroup_barrier(mem_flags::mem_device) →»;", "simdgroup_barrier(mem_flags::«mem_device → mem_none»);",
			"simdgroup_barrier(mem_flags::«mem_device → mem_threadgroup»);",
		}},
		{"cast", "out[i] = float(bfloat(x[i])) + (float)half(x[0]) + as_type<float>(n);", []string{
			"out[i] = «float(bfloat(x[i])) → bfloat(x[i])» + (float)half(x[0]) + as_type<float>(n);",
			"out[i] = float(«bfloat(x[i]) → x[i]») + (float)half(x[0]) + as_type<float>(n);",
			"out[i] = float(bfloat(«x[i] → as_type<float>(as_type<uint>(float(x[i])) & 0xffff0000u)»)) + " +
				"(float)half(x[0]) + as_type<float>(n);",
			"out[i] = float(bfloat(x[i])) + «(float) →»half(x[0]) + as_type<float>(n);",
			"out[i] = float(bfloat(x[i])) + (float)«half(x[0]) → x[0]» + as_type<float>(n);",
			"out[i] = float(bfloat(x[i])) + (float)half(«x[0] → as_type<float>(as_type<uint>(float(x[0])) & " +
				"0xffffe000u)») + as_type<float>(n);",
		}},
		{"precision", "float y = x[i]; threadgroup float a[4]; const uint j = 0; float2 v;", []string{
			"«float → half» y = x[i];", "float y = «x[i] → float(bfloat(x[i]))»;", "threadgroup «float → half» a[4];",
			"«float2 → half2» v;",
		}},
		{"precision", "float a[4]; a[lane & 3] = x[i]; out[i] = x[0];", []string{
			"«float → half» a[4];", "a[lane & 3] = «x[i] → float(bfloat(x[i]))»;",
		}},
		{"precision", "float2 v; v.yx = x[i]; v.y -= x[0];", []string{
			"«float2 → half2» v;",
			"«v.yx = x[i]; v.y -= x[0]; → v.yx = float2(bfloat2(x[i])); v.y = float(bfloat(v.y - x[0]));»",
		}},
		{"precision", "float y = 0.0f, w = z; if (i < n) { y += w * x[i] + w; out[i] = y; }", []string{
			"«float → half» y = 0.0f, w = z;",
			"«float y = 0.0f, w = z; if (i < n) { y += w * x[i] + w; out[i] = y; } → float y = float(bfloat(0.0f)), " +
				"w = float(bfloat(z)); if (i < n) { y = float(bfloat(y + (w * x[i] + w))); out[i] = y; }»",
		}},
		{"function", "out[i] = precise::exp(max(x[i], x[0])) + fma(z, z, x[2]) + simd_sum(z);", []string{
			"out[i] = precise::«exp → exp2»(max(x[i], x[0])) + fma(z, z, x[2]) + simd_sum(z);",
			"out[i] = «precise → fast»::exp(max(x[i], x[0])) + fma(z, z, x[2]) + simd_sum(z);",
			"out[i] = «precise::exp(max(x[i], x[0])) → max(x[i], x[0])» + fma(z, z, x[2]) + simd_sum(z);",
			"out[i] = precise::exp(«max → min»(x[i], x[0])) + fma(z, z, x[2]) + simd_sum(z);",
			"out[i] = precise::exp(max(x[i], x[0])) + «fma(z, z, x[2]) → (z * z + x[2])» + simd_sum(z);",
			"out[i] = precise::exp(max(x[i], x[0])) + fma(z, z, x[2]) + «simd_sum → simd_max»(z);",
			"out[i] = precise::exp(max(x[i], x[0])) + fma(z, z, x[2]) + «simd_sum → quad_sum»(z);",
			"out[i] = precise::exp(max(x[i], x[0])) + fma(z, z, x[2]) + «simd_sum(z) → z»;",
		}},
		{"argument", "out[i] = fma(x[0], x[1], x[2]);", []string{"out[i] = fma(«x[0], x[1] → x[1], x[0]», x[2]);",
			"out[i] = fma(x[0], «x[1], x[2] → x[2], x[1]»);"}},
		{"initial", "float y = x[i]; const float c = x[0]; float w = 1.0f; device float* p = out + i;", []string{
			"float y «= x[i] →»;", "float y = «x[i] → 0»;", "const float c = «x[0] → 0»;", "float w «= 1.0f →»;",
			"device float *p «= out + i →»;",
		}},
	}
	met := map[string]bool{}
	for _, test := range tests {
		met[test.operator] = true
		var got []string
		for _, m := range open(t, body(test.body)).Mutants([]string{"k"}, operatorsCalled(test.operator)) {
			got = append(got, m.Change)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", test.operator, test.body, diff)
		}
	}
	for _, o := range Operators() {
		if !met[o.Name] {
			t.Errorf("no test for operator %s", o.Name)
		}
	}
}

// TestUndo checks that the mutants of a unit leave it as it was, and that each is
// what its diff says.
func TestUndo(t *testing.T) {
	u := open(t,
		body("float y = 0.0f; for (uint j = 0; j < n; j++) { y += x[j]; } if (lane == 0) { out[i] = max(y, 1.0f); }"))
	mutants := u.Mutants([]string{"k"}, Operators())
	if after := Open(u.program).text; after != u.text {
		t.Errorf("the tree prints as\n%s\nafter all edits, want\n%s", after, u.text)
	}
	ids, texts := map[string]bool{}, map[string]bool{u.text: true}
	for _, m := range mutants {
		text := m.Source().Files["k.metal"]
		if ids[m.ID] || ids[m.Key] {
			t.Errorf("%s: two mutants of one name", m.ID)
		}
		ids[m.ID], ids[m.Key] = true, true
		if text == u.text {
			t.Errorf("%s is the original", m.ID)
		}
		texts[text] = true
		for line := range strings.Lines(m.Diff) {
			if in := map[byte]string{'-': u.text, '+': text}[line[0]]; !strings.Contains(in, line[1:]) {
				t.Errorf("%s: the diff has %q, which is in no such source", m.ID, line)
			}
		}
	}
	if len(mutants) < 25 {
		t.Errorf("%d mutants, want more", len(mutants))
	}
}
