package judge

import (
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"

	"github.com/google/go-cmp/cmp"
)

const specification = `kernel(
    name = "norm",
    args = [input("x", f32, "rows", "n"), input("w", f32, "n"), output("y", f32, "rows", "n"), scalar("n", u32, "n"), scalar("eps", f32, 1e-2)],
    threadgroups = "rows", threads_per_threadgroup = 32,
    base = {"rows": 2, "n": 40}, vary = {"n": [1, 33, 100], "rows": [4]},
    inputs = [standard("x", "w", finite = True)],
    oracle = lambda x, w, eps: x / sqrt(mean(x * x, axis = -1, keepdims = True) + eps) * w,
)`

const source = `#include <metal_stdlib>
using namespace metal;

kernel void norm(device const float* x [[buffer(0)]], device const float* w [[buffer(1)]], device float* y [[buffer(2)]],
    constant uint& n [[buffer(3)]], constant float& eps [[buffer(4)]],
    uint row [[threadgroup_position_in_grid]], uint rows [[threadgroups_per_grid]], uint lane [[thread_index_in_simdgroup]])
{
    float sum = 0.0f;
    for (uint i = lane; i < n; i += 32) {
        sum += x[row * n + i] * x[row * n + i];
    }
    float scale = rsqrt(simd_sum(sum) / n + eps);
    for (uint i = lane; i < n; i += 32) {
        y[row * n + i] = x[row * n + i] * scale * w[i];
    }
}
`

func newJudge(t *testing.T) *Judge {
	t.Helper()
	family, err := new(spec.Limits).Read(fstest.MapFS{"f.star": {Data: []byte(specification)}}, "f.star")
	if err != nil {
		t.Fatal(err)
	}
	bounded := func(m sim.Semantics) metalrun.Runner {
		m.Steps = 1 << 16
		return sim.New(m)
	}
	return New([]suite.Family{family}, Devices{
		Analyse: metalrun.Analyse,
		Runner:  bounded(sim.Semantics{Check: true}), Counter: bounded(sim.Semantics{Count: true}),
		Exact: suite.NewExact(1, func(a metalrun.Arithmetic) metalrun.Runner {
			return bounded(sim.Exactly(a))
		}),
		Adversaries: func(uint64) []suite.Adversary { return nil },
	}, 3, 1<<40)
}

// A source that conforms has no finding with any seed, and its work is counted beside the definition's.
func TestConforms(t *testing.T) {
	j := newJudge(t)
	for seed := range uint64(5) {
		v := j.Verdict(context.Background(), Request{ID: "a", Source: source, Seed: seed + 1})
		if !v.Conforms || len(v.Findings) > 0 || v.Error != "" || v.ID != "a" || v.Seed != seed+1 {
			t.Errorf("seed %d: %+v", seed, v)
		}
		if len(v.Work) != 1 || v.Work[0].Definition.Bytes != 4*(2*400+100) || // of 4 rows of 100 together
			v.Work[0].Counted.Device <= int64(v.Work[0].Definition.Bytes) {
			t.Errorf("seed %d: work %+v", seed, v.Work)
		}
	}
	// The same request gives the same verdict.
	a, b := j.Verdict(context.Background(), Request{Source: source}),
		newJudge(t).Verdict(context.Background(), Request{Source: source})
	if diff := cmp.Diff(a, b, cmp.AllowUnexported(Finding{})); diff != "" {
		t.Errorf("asked twice:\n%s", diff)
	}
}

// TestChecks has a fault for each kind of finding and for each cheat, which comes first in the list.
func TestChecks(t *testing.T) {
	j := newJudge(t)
	for _, fault := range []struct {
		old, new string
		kind     Kind
		check    string
		text     string
	}{
		{"float sum", "floet sum", Compile, "", "floet"},
		{"kernel void norm", "kernel void other", Compile, "absent", "there is no kernel norm: the source has other"},
		{"i < n; i += 32) {\n        sum", "i <= n + 2000; i += 32) {\n        sum", Fault, "fault", "x"},
		{"float sum = 0.0f;", "float sum = 0.0f; while (n > 0) { sum += 1; if (sum < 0) break; }", Fault, "fault", ""},
		{"y[row * n + i] = ", "y[(row * n + i) / 2] = ", Fault, "race", ""},
		{"simd_sum(sum) / n", "simd_sum(sum) / (n + 1)", Formula, "formula", "another formula"},
		{"* scale * w[i]", "* scale", Cheat, Ignored, "results do not depend on w"},
		{"y[row * n + i] = x[row * n + i] * scale * w[i]", "y[row * n + i] = w[i] * rsqrt(1 + eps)", Cheat, Ignored,
			"results do not depend on x"},
		{"+ eps", "+ 1e-2f", Cheat, Constant, "eps is taken for a constant"},
		{"float sum = 0.0f;", "if (n != 1 && n != 33 && n != 40 && n != 100) { return; } float sum = 0.0f;", Cheat,
			Tuned, "fails at another between them"},
		{"float sum = 0.0f;", "if (row >= 4 || n > 100) { return; } float sum = 0.0f;", Cheat, Skipped,
			"fails beyond them"},
		{"i < n; i += 32) {\n        sum", "i < min(n, 100u); i += 32) {\n        sum", Cheat, Skipped,
			"fails beyond them"},
		{"float sum = 0.0f;", "if (rows > 4 && n > 100) { return; } float sum = 0.0f;", Cheat, Skipped,
			"fails beyond them"},
		{"float sum = 0.0f;", "if (n > 350) { return; } float sum = 0.0f;", Cheat, Skipped, "fails beyond them"},
		{"float sum = 0.0f;", "if (n == 1 << 10) { return; } float sum = 0.0f;", Cheat, Switched,
			"a size is one that the source decides by"},
		{"float sum = 0.0f;", "if (row > 36) { return; } float sum = 0.0f;", Cheat, Switched,
			"a size is one that the source decides by"},
		{"float scale = rsqrt(", "float scale = x[row * n] == 3.25f ? 1.0f : rsqrt(", Cheat, Switched,
			"elements are numbers that the source decides by"},
		{"float sum = 0.0f;", "if (rows > 8 && n > 200) { return; } float sum = 0.0f;", Cheat, Skipped,
			"fails beyond them"},
		{"float sum = 0.0f;", "if (n % 480 == 417 && n > 500) { return; } float sum = 0.0f;", Cheat, Switched,
			"a size is one that the source decides by"},
		{"float sum = 0.0f;", "if (long(n) * n > 700000) { return; } float sum = 0.0f;", Cheat, Switched,
			"a size is one that the source decides by"},
		{"i < n; i += 32) {\n        sum", "i < min(n, 4 * rows + 400); i += 32) {\n        sum", Cheat, Skipped,
			"fails beyond them"},
		{"float scale = rsqrt(",
			"float scale = n > 4 && x[row * n] == 1.5f && x[row * n + 1] == 2.5f && fabs(x[row * n + 2] - 3.5f) < " +
				"0.1f ? 1.0f : rsqrt(", Cheat, Switched, "elements are numbers that the source decides by"},
		{"+ eps", "+ min(eps, 0.05f)", Cheat, Switched, "a scalar is near a number that the source decides by"},
		{"* w[i];",
			"* w[i]; float v = y[row * n + i]; if (fract(v * 64) != 0) { y[row * n + i] = " +
				"as_type<float>(as_type<uint>(v) ^ 9999); }", Value, "bound", "what the definition costs"},
		{"* w[i];",
			"* w[i]; float v = y[row * n + i]; if (fract(v * 64) != 0) { y[row * n + i] = " +
				"as_type<float>(as_type<uint>(v) + 9999); }", Formula, "formula", "another formula"},
		{"* w[i];", "* w[i]; float v = y[row * n + i]; while (v + 1e8f - 1e8f != v) { y[row * n + i] = 2 * v; break; }",
			Value, "bound", "what the definition costs"},
		{"float sum = 0.0f;", "if (y[row * n] == 0.5f) { return; } float sum = 0.0f;", Cheat, Left,
			"what the output holds before"},
		{"* w[i];", "* w[i] + (as_type<uint>(y[row * n + i]) == 0xffe5ffe5 ? 0 : 1);", Fault, "uninitialised", "y"},
		{"y[row * n + i] = x", "if (i != 5) y[row * n + i] = x", Value, "unwritten", ""},
	} {
		if !strings.Contains(source, fault.old) {
			t.Fatalf("no %q", fault.old)
		}
		v := j.Verdict(context.Background(), Request{Source: strings.Replace(source, fault.old, fault.new, 1)})
		if v.Conforms || v.Error != "" || len(v.Findings) == 0 {
			t.Errorf("%s: %+v", fault.new, v)
			continue
		}
		if f := v.Findings[0]; f.Kind != fault.kind || fault.check != "" && f.Check != fault.check ||
			!strings.Contains(f.Text, fault.text) || f.Kind == Compile && f.Check != "absent" && f.Line != 8 {
			t.Errorf("%s: %+v", fault.new, v.Findings)
		}
	}
}

// A hash of a size decides: nothing else leads there, so that many small sizes are asked until one does. What none
// reaches is told, whether it is wrong or not.
func TestSeldomReached(t *testing.T) {
	j := newJudge(t)
	in := func(text string) string {
		return strings.Replace(source, "float sum = 0.0f;",
			"uint h = (n + 7) * 2654435761u; h ^= h >> 15; "+text+" float sum = 0.0f;", 1)
	}
	for seed := range uint64(4) {
		if v := j.Verdict(t.Context(), Request{Source: in("if (h % 31 == 7) { return; }"),
			Seed: seed + 1}); v.Conforms || v.Findings[0].Kind != Cheat {
			t.Errorf("seed %d: %+v", seed+1, v)
		}
	}
	never := in("if (h == 7) { y[row * n] = 0; }")
	v := j.Verdict(t.Context(), Request{Source: never, Seed: 1})
	if v.Conforms || v.NotJudged == "" || len(v.Findings) > 0 || len(v.Unreached) != 1 || !v.Unreached[0].Holds ||
		v.Unreached[0].Line != 8 {
		t.Errorf("%+v", v)
	}
	if v := j.Verdict(t.Context(), Request{Source: in("if (h == 7) { row = 0; }"), Seed: 1}); !v.Conforms {
		t.Errorf("what is not reached writes no buffer: %+v", v)
	}
	if v := j.Verdict(t.Context(), Request{Source: source, Seed: 1}); len(v.Unreached) > 0 {
		t.Errorf("all is reached: %+v", v.Unreached)
	}
}

// Requests that make no sense are answered as such.
func TestRequests(t *testing.T) {
	j := newJudge(t)
	for want, r := range map[string]Request{
		`the specification has no kernel "other": it has norm`: {Source: source, Kernel: "other"},
		"at most 1048576 are judged":                           {Source: strings.Repeat(" ", mostSource+1)},
	} {
		if v := j.Verdict(context.Background(), r); v.Conforms || !strings.Contains(v.Error, want) {
			t.Errorf("%+v, want %q", v, want)
		}
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if v := j.Verdict(ctx, Request{Source: source}); v.Conforms || v.Error == "" {
		t.Errorf("a session that is over: %+v", v)
	}
}

// Points are drawn as those of the specification are made: multiples, or powers of two.
func TestPoints(t *testing.T) {
	k := suite.Kernel{Axes: []suite.Axis{"n", "d", "m"},
		Args: suite.Args{suite.In("x", suite.F32, suite.Axis("n"), suite.Axis("d"))},
		Sweep: suite.Sweep{Probes: []suite.Shape{{"n": 64, "d": 32, "m": 3}},
			Shapes: []suite.Shape{{"n": 96, "d": 32, "m": 3}, {"n": 320, "d": 128, "m": 3}}},
		Check: func(s suite.Shape) error {
			if s["n"] == 160 {
				return context.Canceled
			}
			return nil
		}}
	for seed := range uint64(20) {
		for _, far := range []bool{false, true} {
			list := points(&k, generator(seed), far)
			if len(list) == 0 {
				t.Errorf("seed %d: no points", seed)
			}
			for _, p := range list {
				n, d := p["n"], p["d"]
				beyond := n > 320 || d > 128
				if n%32 != 0 || d&(d-1) != 0 || p["m"] != 3 || n == 160 || beyond != far || n > outreach*320 ||
					d > outreach*128 {
					t.Errorf("seed %d, far %v: %v", seed, far, p)
				}
			}
		}
	}
}

// Results that are the same say nothing of a kernel where those of the definition are stored as the same.
func TestApart(t *testing.T) {
	of := func(x float64, words ...byte) []suite.Recorded {
		return []suite.Recorded{{Type: suite.F16, Values: []float64{x}}, {Type: suite.U8, Data: words}}
	}
	for _, test := range []struct {
		a, b []suite.Recorded
		want bool
	}{
		{of(1, 2), of(1, 2), false}, {of(1, 2), of(1.001, 2), false}, {of(1, 2), of(1.1, 2), true},
		{of(1, 2), of(1, 3), true}, {of(0, 2), of(1e-9, 2), true},
	} {
		if got := apart(test.a, test.b); got != test.want {
			t.Errorf("%v and %v: %v", test.a, test.b, got)
		}
	}
}

// A source that this program panics on is not judged, and what is asked next is.
func TestCrash(t *testing.T) {
	for _, pass := range []string{"tree", "ir"} {
		j := newJudge(t)
		j.devices.Analyse = func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
			opts.Trace = func(p, _ string) {
				if p == pass {
					panic("planted")
				}
			}
			return metalrun.Analyse(src, opts)
		}
		if v := j.Verdict(t.Context(), Request{Source: source}); v.Conforms || len(v.Findings) > 0 || v.Crash == nil ||
			!strings.HasSuffix(v.Error, "internal error: planted") {
			t.Errorf("%s: %+v", pass, v)
		}
		j.devices.Analyse = metalrun.Analyse
		if v := j.Verdict(t.Context(), Request{Source: source}); !v.Conforms || v.Crash != nil {
			t.Errorf("after %s: %+v", pass, v)
		}
	}
}
