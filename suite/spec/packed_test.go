package spec_test

import (
	"fmt"
	"testing"

	"metalconform/suite"
)

// ofParts are kernels whose integers have parts that floats decide, each with other texts of the same and with faults,
// as FROM => TO.
var ofParts = []struct {
	name, args, inputs, base, threads string
	body, oracle                      string
	same, faults                      []string
}{
	{"nibbles", `input("x", f32, "n", 8), output("y", u32, "n")`, "normal", `{"n": 200}`, "n",
		"uint w = 0; for (uint j = 0; j < 8; j++) { uint q = uint(clamp(rint(x[8 * i + j] * 0.3f + 8.0f), 0.0f, " +
			"15.0f)); w |= q << (4 * j); } y[i] = w;", "lambda x: packed(clip(rint(x * f32(0.3) + 8), 0, 15), 4)",
		[]string{"w |= q << (4 * j) => w += q * (1u << (4 * j))",
			"rint(x[8 * i + j] * 0.3f + 8.0f) => rint(fma(x[8 * i + j], 0.3f, 8.0f))"},
		[]string{"(4 * j) => (28 - 4 * j)", "8.0f) => 8.01f)"}},
	{"bytes", `input("x", f32, "n", 4), output("y", u32, "n")`, "uniform(-0.2, 1.2)", `{"n": 200}`, "n",
		"uint4 q = uint4(rint(saturate(float4(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3])) * 255.0f)); " +
			"y[i] = q.x | q.y << 8 | q.z << 16 | q.w << 24;", "lambda x: packed(rint(clip(x, 0, 1) * 255), 8)",
		[]string{"uint4 q = uint4(rint(saturate(float4(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3])) * " +
			"255.0f)); " +
			"y[i] = q.x | q.y << 8 | q.z << 16 | q.w << 24; => y[i] = " +
			"pack_float_to_unorm4x8(float4(x[4 * i], x[4 * i + 1], x[4 * i + 2], x[4 * i + 3]));"},
		[]string{"255.0f)); => 256.0f));", "q.z << 16 => q.w << 16"}},
	{"histogram", `input("x", f32, "n"), inout("y", u32, 8, fill = every(0))`, "uniform(0, 1)", `{"n": 200}`, "n",
		"atomic_fetch_add_explicit((device atomic_uint*)y + min(uint(x[i] * 7.3f), 7u), 1u, memory_order_relaxed);",
		"lambda x, y: u32(y + bincount(minimum(floor(x * f32(7.3)), 7), 8))",
		[]string{"min(uint(x[i] * 7.3f), 7u) => clamp(int(x[i] * 7.3f), 0, 7)"}, []string{"7.3f => 7.5f", "7u => 6u"}},
	{"largest_key", `input("x", f32, "n"), inout("y", f32, 1, fill = every(0))`, "normal", `{"n": 200}`, "n",
		"atomic_fetch_max_explicit((device atomic_uint*)y, as_type<uint>(fabs(x[i]) * 0.3f), memory_order_relaxed);",
		"lambda x, y: maximum(y, max(abs(x) * f32(0.3)))",
		[]string{"(device atomic_uint*)y, as_type<uint> => (device atomic_int*)y, as_type<int>"},
		[]string{"0.3f => 0.300001f"}},
	{"bfloat_by_bits", `input("x", f32, "n"), output("y", bf16, "n")`, "normal", `{"n": 200}`, "n",
		"uint b = as_type<uint>(x[i] * 0.3f); b += 0x7fff + ((b >> 16) & 1); y[i] = as_type<bfloat>(ushort(b >> 16));",
		"lambda x: x * f32(0.3)",
		[]string{"0x7fff + ((b >> 16) & 1) => ((b & 0x1ffff) == 0x18000 || (b & 0xffff) > 0x8000) ? 0x10000 : 0"},
		[]string{"b += 0x7fff => b += 0x3fff", "0.3f => 0.301f"}},
}

const packed = `def packed(q, bits):
    w = 0
    for j in range(q.shape[-1]):
        w = w + q[:, j] * 2 ** (bits * j)
    return u32(w)
`

// TestParts judges them.
func TestParts(t *testing.T) {
	for _, k := range ofParts {
		file := packed + fmt.Sprintf(`kernel(name = "k", args = [%s], threads = %q, threads_per_threadgroup = 32, `+
			`base = %s, inputs = [family("some", {"x": %s}, random = True)], oracle = %s)`, k.args, k.threads, k.base,
			k.inputs, k.oracle)
		for _, change := range append([]string{" => "}, k.same...) {
			for _, r := range decided(t, integerFamily(t, file), k.args, changed(k.body, change)) {
				if r.Status != suite.Pass {
					t.Errorf("%s, %s: %s is rejected: %s", k.name, change, r.Case, r.Text())
				}
			}
		}
		for _, change := range k.faults {
			failed := 0
			for _, r := range decided(t, integerFamily(t, file), k.args, changed(k.body, change)) {
				if r.Status == suite.Fail {
					failed++
				}
			}
			if failed == 0 {
				t.Errorf("%s, %s: passes", k.name, change)
			}
		}
	}
}

// TestSignsOfZeros: a definition that only changes signs says which zeros are negative.
func TestSignsOfZeros(t *testing.T) {
	const args = `input("x", f32, "n"), output("y", f32, "n")`
	for _, k := range []struct {
		oracle, body string
		want         suite.Status
	}{
		{"-x", "y[i] = -x[i];", suite.Pass}, {"-x", "y[i] = x[i] * -1.0f;", suite.Pass},
		{"-x", "y[i] = 0.0f - x[i];", suite.Fail}, {"-flip(x)", "y[i] = -x[63 - i];", suite.Pass},
		{"-x + 0", "y[i] = 0.0f - x[i];", suite.Pass}, {"x - 2 * x", "y[i] = 0.0f - x[i];", suite.Pass},
	} {
		file := fmt.Sprintf(`kernel(name = "k", args = [%s], threads = "n", threads_per_threadgroup = 32, `+
			`base = {"n": 64}, inputs = [family("zeros", {"x": choice(0.0, -0.0, 1)})], oracle = lambda x: %s)`,
			args, k.oracle)
		for _, r := range decided(t, integerFamily(t, file), args, k.body) {
			if r.Status != k.want {
				t.Errorf("%s by %s is %s: %s", k.oracle, k.body, r.Status, r.Text())
			}
		}
	}
}
