package mutation

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// formOf is the form of the entry point called k, or of another.
func formOf(t testing.TB, text, kernel string) form {
	t.Helper()
	f, err := open(t, text).form(kernel)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestPrinted checks that every kernel of the catalogue is the same when its file
// is parsed and printed.
func TestPrinted(t *testing.T) {
	files, err := filepath.Glob("../../shaders/*.metal")
	if err != nil || len(files) == 0 {
		t.Fatal("no shaders")
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		source := open(t, string(text))
		printed := open(t, source.text)
		infos, err := source.program.Kernels()
		if err != nil || len(infos) == 0 {
			t.Fatalf("%s: %d kernels, %v", file, len(infos), err)
		}
		for _, info := range infos {
			want, err := source.form(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := printed.form(info.Name)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.digests, want.digests) {
				t.Errorf("%s: %s is another kernel when printed", file, info.Name)
			}
		}
	}
}

// TestProofs has for each proof a pair that it holds of and one that it just
// fails.
func TestProofs(t *testing.T) {
	tests := []struct {
		a, b  string
		proof Proof
	}{
		{"out[i] = x[i];", "out[i] = x[i];", Identical},
		{"out[i] = x[i];", "\n\nout[ i ] = (x[i]);", Identical},
		{"float y = x[0]; out[i] = y;", "float renamed = x[0]; out[i] = renamed;", Identical},
		{"out[i] = 2.0f * 3.0f;", "out[i] = 6.0f;", Identical},
		{"float a = x[0], b = x[1]; out[i] = a - b;", "float b = x[1], a = x[0]; out[i] = a - b;", Identical},
		{"float a = 0, b = 0; a += x[0]; b += x[1]; if (a < b) { out[i] = a; }",
			"float a = 0, b = 0; b += x[1]; a += x[0]; if (a < b) { out[i] = a; }", Identical},
		{"float a = x[0]; float b = simd_sum(a); float c = simd_max(a); out[i] = b + c;",
			"float a = x[0]; float c = simd_max(a); float b = simd_sum(a); out[i] = b + c;", Identical},
		{"float a = 0; a += x[0]; a *= x[1]; out[i] = a;", "float a = 0; a *= x[1]; a += x[0]; out[i] = a;", ""},
		{"float a = 0; for (uint j = 0; j < n; j++) { a += x[j]; out[j] = a; }",
			"float a = 0; for (uint j = 0; j < n; j++) { out[j] = a; a += x[j]; }", ""},
		{"float a = 0; if (lane == 0) { a = x[0]; } out[i] = a;",
			"float a = 0; out[i] = a; if (lane == 0) { a = x[0]; }", ""},
		{"float a = simd_sum(x[i]); if (lane < n) { out[i] = a; }", "if (lane < n) { out[i] = simd_sum(x[i]); }", ""},
		{"float a = x[0] * z; out[i] = a + x[1];", "out[i] = x[0] * z + x[1];", ""}, // which may be contracted
		{"out[i] = x[i]; out[0] = 1.0f;", "out[0] = 1.0f; out[i] = x[i];", ""},
		{"out[0] = 1.0f; out[i] = x[i];", "float y = x[i]; out[0] = 1.0f; out[i] = y;", ""},
		{"float y = x[0]; out[i] = 1.0f;", "out[i] = 1.0f;", ""}, // a read that may fault
		{"out[i] = exp(x[i]);", "out[i] = fast::exp(x[i]);", ""},
		{"threadgroup_barrier(mem_flags::mem_threadgroup);", "threadgroup_barrier(mem_flags::mem_device);", ""},
		{"for (uint j = 0; j < n; j++) { out[j] = 1.0f; }", "for (uint j = 0; j < n; j++) { out[j] = 1.0f; break; }",
			""},

		{"out[i] = x[0] + x[1];", "out[i] = x[1] + x[0];", Commuted},
		{"out[i] = x[0] * x[1] + z;", "out[i] = z + x[1] * x[0];", Commuted},
		{"out[i] = fma(x[0], x[1], z);", "out[i] = fma(x[1], x[0], z);", Commuted},
		// contraction takes the first product
		{"out[i] = x[0] * x[1] + z * x[2];", "out[i] = z * x[2] + x[0] * x[1];", ""},
		{"out[min(n, lane)] = z;", "out[min(lane, n)] = z;", Commuted},
		{"out[i] = fma(x[0], x[1], z);", "out[i] = fma(x[0], z, x[1]);", ""},
		{"out[i] = x[0] - x[1];", "out[i] = x[1] - x[0];", ""},
		{"out[i] = x[0] + (x[1] + z);", "out[i] = (x[0] + x[1]) + z;", ""},
		{"out[i] = max(x[0], x[1]);", "out[i] = max(x[1], x[0]);", ""}, // of 0 and -0 either may be the larger

		{"if (n > 0) { out[i] = z; }", "if (n != 0) { out[i] = z; }", Unsigned},
		{"if (n <= 0) { out[i] = z; }", "if (n == 0) { out[i] = z; }", Unsigned},
		{"if (n > 1) { out[i] = z; }", "if (n != 1) { out[i] = z; }", ""},
		{"if (int(n) > 0) { out[i] = z; }", "if (int(n) != 0) { out[i] = z; }", ""},
		{"if (z > 0) { out[i] = z; }", "if (z != 0) { out[i] = z; }", ""},

		{"threadgroup float a[32]; a[lane] = z; out[i] = a[0];", "threadgroup float a[33]; a[lane] = z; out[i] = a[0];",
			Roomier},
		{"threadgroup float a[32]; a[lane] = z; out[i] = a[0];", "threadgroup float a[31]; a[lane] = z; out[i] = a[0];",
			""},
		// 32 KB are all there is
		{"threadgroup float a[8192]; a[lane] = z; out[i] = a[0];",
			"threadgroup float a[8193]; a[lane] = z; out[i] = a[0];", ""},
		// one more is set
		{"float a[3] = {}; a[n] = z; out[i] = a[0];", "float a[4] = {}; a[n] = z; out[i] = a[0];", ""},
	}
	for _, test := range tests {
		a, b := formOf(t, body(test.a), "k"), formOf(t, body(test.b), "k")
		if got, _ := a.equal(b); got != test.proof {
			t.Errorf("%s\n%s\n\tproof %q, want %q", test.a, test.b, got, test.proof)
		}
	}
}

const shared = `#include <metal_stdlib>
using namespace metal;
constant constexpr uint WIDTH = 4;
static inline float twice(float v) { return v * 2.0f; }
static inline float thrice(float v) { return twice(v) + v; }
static inline float unused(float v) { return v + 1.0f; }
template <uint N> kernel void repeated(device float* out [[buffer(0)]]) { out[N] = 1.0f; }
template [[host_name("repeated_2")]] kernel void repeated<2>(device float* out [[buffer(0)]]);
kernel void a(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i] = twice(out[i]); }
kernel void b(device float* out [[buffer(0)]], uint i [[thread_position_in_grid]]) { out[i * WIDTH] = thrice(out[i]); }
`

// TestReach follows names from entry points to what they use, and no further.
func TestReach(t *testing.T) {
	want := map[string]string{"WIDTH": "b", "twice": "a b", "thrice": "b", "repeated": "repeated_2", "a": "a", "b": "b"}
	got := map[string]string{}
	for _, m := range open(t, shared).Mutants([]string{"a", "b", "repeated_2"}, Operators()) {
		got[m.Function] = strings.Join(m.Kernels, " ")
	}
	if len(got) != len(want) {
		t.Errorf("mutants of %v, want %v", got, want)
	}
	for name, kernels := range want {
		if got[name] != kernels {
			t.Errorf("%s is led to by %q, want %q", name, got[name], kernels)
		}
	}
}

// TestCompare decides on mutants without a run.
func TestCompare(t *testing.T) {
	text := body("threadgroup float a[32]; a[lane] = z; out[i] = a[0] + float(x[i]); if (n > 0) { out[0] = fma(x[0], " +
		"x[0], z) / z; }")
	found := map[string]Comparison{}
	for _, m := range open(t, text).Mutants([]string{"k"}, Operators()) {
		c, err := m.Compare()
		if err != nil {
			t.Fatal(err)
		}
		found[m.Change] = c
	}
	for change, proof := range map[string]Proof{
		"threadgroup float a[«32 → 33»];":              Roomier,
		"out[i] = a[0] + «float(x[i]) → x[i]»;":        Identical,
		"out[0] = fma(x[0], «x[0], z → z, x[0]») / z;": "",
		"out[i] = a[0] «+ → -» float(x[i]);":           "",
	} {
		c, ok := found[change]
		if !ok {
			t.Errorf("no mutant %s", change)
		}
		if c.Equal != proof || c.Refused != nil {
			t.Errorf("%s: %q, refused %v, want %q", change, c.Equal, c.Refused, proof)
		}
	}
	if c := found["out[0] = fma(x[0], x[0], z) «/ → %» z;"]; c.Refused == nil {
		t.Error("a remainder of floats is accepted")
	}
}

// TestKey checks that keys outlive edits elsewhere, and IDs do not.
func TestKey(t *testing.T) {
	names := func(text string) (ids, keys []string) {
		for _, m := range open(t, text).Mutants([]string{"b"}, Operators()) {
			ids, keys = append(ids, m.ID), append(keys, m.Key)
		}
		return ids, keys
	}
	ids, keys := names(shared)
	moved := strings.Replace(shared, "static inline float unused",
		"// a comment\nstatic inline float further(float v) { return v - 1.0f; }\nstatic inline float unused", 1)
	movedIDs, movedKeys := names(moved)
	if !slices.Equal(keys, movedKeys) {
		t.Errorf("keys\n%q\nbecome\n%q", keys, movedKeys)
	}
	if slices.Equal(ids, movedIDs) {
		t.Error("IDs do not say where the edits are")
	}
}
