package against_test

import (
	"os"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite/adhoc"
	"metalconform/suite/against"
)

// fixtures are a source and the library that was built from it.
const fixtures = "../../metalrun/internal/air/testdata/fixture"

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// compare compares the fixture's library with a text.
func compare(t *testing.T, text string) map[string]against.Result {
	t.Helper()
	library, err := metalrun.Analyse(metalrun.SourceText("fixture.metallib", read(t, fixtures+".metallib")),
		metalrun.CompileOptions{})
	if err != nil {
		t.Fatal(err)
	}
	source, err := metalrun.Analyse(metalrun.SourceText("fixture.metal", text), library.Options())
	if err != nil {
		t.Fatal(err)
	}
	c := against.Comparer{Source: source, Library: library, Alone: true, Spec: &adhoc.Spec{},
		Reference: sim.New(sim.Semantics{}), Built: sim.New(sim.Semantics{DefaultBuild: true}),
		Exact: sim.New(sim.Semantics{Exact: true}), Checked: sim.New(sim.Semantics{Check: true})}
	results := map[string]against.Result{}
	if err := c.Compare(func(r against.Result) error { results[r.Kernel] = r; return nil }); err != nil {
		t.Fatal(err)
	}
	return results
}

func TestCompare(t *testing.T) {
	text := read(t, fixtures+".metal")
	for _, test := range []struct {
		name, old, replaced string
		kernel              string
		outcome             against.Outcome
		reason              string
	}{
		{"the source", "", "", "axpy", against.Same, ""},
		{"a constant", "v * 0.5f", "v * 0.5001f", "axpy", against.Stale, "beyond what rounding allows"},
		{"an element of a table", "{3, -1, 7, 0}", "{3, -1, 8, 0}", "gather", against.Stale, "out["},
		{"a case of a helper", "x * 3", "x * 5", "gather", against.Stale, "out["},
		{"a transposed tile", "b, 8, ulong2(0), true", "b, 8, ulong2(0), false", "tile", against.Stale, "c["},
		{"another order of a sum", "v * p.a + y[i]", "y[i] + v * p.a", "axpy", against.Same, ""},
		{"a quotient instead of a product", "v * 0.5f", "v / 2.0f", "axpy", against.Same, ""},
		{"what the build folds", "v * p.a + y[i]", "v * 0.1f * p.a * 10.0f + y[i]", "axpy", against.Rewritten, ""},
		{"rounding alone", "v * p.a + y[i]", "pow(v, 3.0f) / (v * v) * p.a + y[i]", "axpy", against.Rounded, ""},
		{"a type", "device int *out", "device short *out", "gather", against.Changed, "type of out"},
		{"an index", "c [[buffer(2)]]", "c [[buffer(3)]]", "tile", against.Changed, "buffer 3"},
		{"a member", "    float a;", "    float a, b;", "axpy", against.Changed, "type of p"},
		{"another kernel", "kernel void tile", "kernel void tiles", "tile", against.Missing, ""},
		{"a kernel that is not built", "kernel void tile", "kernel void tiles", "tiles", against.Unbuilt, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			edited := strings.Replace(text, test.old, test.replaced, 1)
			if edited == text && test.old != "" {
				t.Fatalf("the source has no %s", test.old)
			}
			r := compare(t, edited)[test.kernel]
			if r.Outcome != test.outcome || !strings.Contains(r.Reason, test.reason) {
				t.Errorf("%+v: want %s: %s", r, test.outcome, test.reason)
			}
		})
	}
}
