package judge

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
)

// definitions have kernels that are written in several ways below: a row each of sums, softmax, normalised rows,
// products with a matrix, a share and an activation, and the sum once more for a kernel that may keep its values in
// half.
const definitions = `
def rows(name, oracle, y = None, **more):
    kernel(
        name = name,
        args = [input("x", f32, "rows", "n"), input("w", f32, "n"), y or output("y", f32, "rows", "n"), scalar("n", u32, "n")],
        threadgroups = "rows", threads_per_threadgroup = 32,
        base = {"rows": 2, "n": 40}, vary = {"n": [33, 700]},
        inputs = [family("normal", random = True), family("far", {"x": scaled(normal, 30)}, random = True)],
        oracle = oracle, **more
    )

rows("total", lambda x, w: sum(x, axis = -1), output("y", f32, "rows"))
rows("narrow", lambda x, w: sum(x, axis = -1), output("y", f32, "rows"), intermediates = f16)
rows("weights", lambda x, w: softmax(x))
rows("centred", lambda x, w: x + 1000 - mean(x + 1000, axis = -1, keepdims = True))
rows("spread", lambda x, w: var(x + w, axis = -1), output("y", f32, "rows"))
rows("product", lambda x, w: x @ w, output("y", f32, "rows"))
rows("share", lambda x, w: x[:, 0] / x[:, 0] * w[0], output("y", f32, "rows"))
rows("gate", lambda x, w: silu(x) * w)
`

// body is a kernel with arguments as in definitions, of one simdgroup to a row.
func body(name, text string) string {
	return "#include <metal_stdlib>\nusing namespace metal;\nkernel void " + name +
		`(device const float* x0 [[buffer(0)]], device const float* w [[buffer(1)]],
			device float* y0 [[buffer(2)]], constant uint& n [[buffer(3)]],
    uint row [[threadgroup_position_in_grid]], uint lane [[thread_index_in_simdgroup]])
{
    device const float* x = x0 + row * n;
    device float* y = y0 + row * n;
` + text + "\n}\n"
}

// Each fault loses accuracy in float alone, so that nothing else here sees it; each alternative is a way to write the
// same that people choose, and loses nothing that matters.
func TestAccuracy(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"f.star": {Data: []byte(definitions)}}, "f.star")
	if err != nil {
		t.Fatal(err)
	}
	bounded := func(m sim.Semantics) metalrun.Runner {
		m.Steps = 1 << 18
		return sim.New(m)
	}
	j := New([]suite.Family{family}, Devices{
		Analyse: metalrun.Analyse, Runner: bounded(sim.Semantics{Check: true}),
		Counter: bounded(sim.Semantics{Count: true}),
		Exact: suite.NewExact(1, func(a metalrun.Arithmetic) metalrun.Runner {
			return bounded(sim.Exactly(a))
		}),
		Adversaries: func(uint64) []suite.Adversary { return nil },
	}, 5, 1<<40)
	for _, test := range []struct {
		name, kernel, text string
		lossy              bool
	}{
		{"a large number added and taken away", "total",
			"float s = 0; for (uint i = lane; i < n; i += 32) { s += (x[i] + 1e3f) - 1e3f; } s = simd_sum(s); if " +
				"(lane == 0) { y0[row] = s; }", true},
		{"a sum beside a large number", "total",
			"float s = 4096; for (uint i = lane; i < n; i += 32) { s += x[i]; } s = simd_sum(s - 4096); if (lane == " +
				"0) { y0[row] = s; }", true},
		{"the mean of squares less the square of the mean", "spread",
			"float s = 0, q = 0; for (uint i = lane; i < n; i += 32) { float v = x[i] + w[i] + 500; s += v; q += v * " +
				"v; } s = simd_sum(s) / n; q = simd_sum(q) / n; if (lane == 0) { y0[row] = q - s * s; }", true},
		{"exponentials of differences of large numbers", "weights",
			"float m = -MAXFLOAT; for (uint i = lane; i < n; i += 32) { m = max(m, x[i]); } m = simd_max(m); float s " +
				"= 0; for (uint i = lane; i < n; i += 32) { s += exp(x[i] * 1000 / 1000 + 3000 - (m + 3000)); } s = " +
				"simd_sum(s); for (uint i = lane; i < n; i += 32) { y[i] = exp((x[i] + 3000) - (m + 3000)) / s; }",
			true},
		{"a product by parts of a square", "product",
			"float s = 0; for (uint i = lane; i < n; i += 32) { float a = x[i] + 512 * w[i]; s += (a * a - x[i] * " +
				"x[i] - 262144 * w[i] * w[i]) / 1024; } s = simd_sum(s); if (lane == 0) { y0[row] = s; }", true},
		{"an activation near one", "gate",
			"for (uint i = lane; i < n; i += 32) { y[i] = (x[i] / (1 + exp(-x[i])) + 256) * w[i] - 256 * w[i]; }",
			true},

		{"a loop over a row", "total",
			"if (lane == 0) { float s = 0; for (uint i = 0; i < n; i++) { s += x[i]; } y0[row] = s; }", false},
		{"from the other end", "total",
			"if (lane == 0) { float s = 0; for (uint i = n; i > 0; i--) { s += x[i - 1]; } y0[row] = s; }", false},
		{"blocks of lanes", "total",
			"float s = 0; for (uint i = lane; i < n; i += 32) { s += x[i]; } s = simd_sum(s); if (lane == 0) { " +
				"y0[row] = s; }", false},
		{"with compensation", "total",
			"float s = 0, c = 0; for (uint i = lane; i < n; i += 32) { float v = x[i] - c, t = s + v; c = (t - s) - " +
				"v; s = t; } s = simd_sum(s); if (lane == 0) { y0[row] = s; }", false},
		{"in half, as declared", "narrow",
			"half s = 0; for (uint i = lane; i < n; i += 32) { s += half(x[i]); } s = simd_sum(s); if (lane == 0) { " +
				"y0[row] = s; }", false},
		{"online softmax", "weights",
			"float m = -MAXFLOAT, s = 0; for (uint i = lane; i < n; i += 32) { float to = max(m, x[i]); s = s * " +
				"exp(m - to) + exp(x[i] - to); m = to; } float all = simd_max(m); s = simd_sum(s * exp(m - all)); " +
				"for (uint i = lane; i < n; i += 32) { y[i] = exp(x[i] - all) / s; }", false},
		{"softmax in powers of two", "weights",
			"float m = -MAXFLOAT; for (uint i = lane; i < n; i += 32) { m = max(m, x[i] * M_LOG2E_F); } m = " +
				"simd_max(m); float s = 0; for (uint i = lane; i < n; i += 32) { s += exp2(x[i] * M_LOG2E_F - m); } " +
				"s = 1 / simd_sum(s); for (uint i = lane; i < n; i += 32) { y[i] = exp2(x[i] * M_LOG2E_F - m) * s; }",
			false},
		{"as the definition cancels", "centred",
			"float s = 0; for (uint i = lane; i < n; i += 32) { s += x[i] + 1000; } s = simd_sum(s) / n; for (uint i " +
				"= lane; i < n; i += 32) { y[i] = x[i] + 1000 - s; }", false},
		{"running mean and squares", "spread",
			"if (lane == 0) { float mean = 0, m = 0; for (uint i = 0; i < n; i++) { float v = x[i] + w[i], d = v - " +
				"mean; mean += d / (i + 1); m += d * (v - mean); } y0[row] = m / n; }", false},
		{"four sums", "product",
			"float4 s = 0; for (uint i = lane; i < n / 4; i += 32) { s = fma(((device const packed_float4*)x)[i], " +
				"((device const packed_float4*)w)[i], s); } float r = s.x + s.y + s.z + s.w; for (uint i = n / 4 * 4 " +
				"+ lane; i < n; i += 32) { r += x[i] * w[i]; } r = simd_sum(r); if (lane == 0) { y0[row] = r; }",
			false},
		{"roundings where the definition has none", "share", "if (lane == 0) { y0[row] = w[0] * x[0] * (1 / x[0]); }",
			false},
		{"a logistic function by tanh", "gate",
			"for (uint i = lane; i < n; i += 32) { y[i] = 0.5f * x[i] * (1 + precise::tanh(0.5f * x[i])) * w[i]; }",
			false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if testing.Short() && test.name != "a sum beside a large number" && test.name != "online softmax" {
				t.Skip("one of each is enough for a short run")
			}
			for seed := range uint64(2) {
				v := j.Verdict(context.Background(),
					Request{Source: body(test.kernel, test.text), Kernel: test.kernel, Seed: seed + 1})
				alone := !slices.ContainsFunc(v.Findings, func(f Finding) bool { return f.Kind != Accuracy })
				if v.Error != "" || !alone || v.Conforms == test.lossy {
					t.Fatalf("seed %d: %+v", seed+1, v)
				}
				if test.lossy &&
					(v.Findings[0].Check != Lossy || !strings.Contains(v.Findings[0].Text, "bits of accuracy beyond")) {
					t.Errorf("seed %d: %+v", seed+1, v.Findings[0])
				}
			}
		})
	}
}
