package spec_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/spec"
)

// hostFaults are edits of the kernels in examples/starlark/hosts.metal, each of something that the
// specification of one kernel says, and the check that has to see it.
var hostFaults = []struct {
	kernel, name, old, new string
	check                  suite.Check
}{
	{"view_scale", "rows without their stride", "at.y * view.stride", "at.y * view.n", suite.CheckBound},
	{"view_scale", "the first element forgotten", "x[view.first + ", "x[", suite.CheckBound},
	{"view_scale", "a struct of another layout", "    ulong pad;\n", "", suite.CheckFormula},
	{"view_scale", "a struct of another name", "View", "Views", suite.CheckArguments},
	{"view_scale", "an index of its own", "[[buffer(3)]]", "[[buffer(2)]]", suite.CheckArguments},
	{"add_offset", "a sum of 32 bits", "long(x[i]) + params[1]", "long(x[i] + int(params[1]))", suite.CheckExact},
	{"add_offset", "the other scalar", "params[1]", "params[0]", suite.CheckExact},
	{"halve", "a neighbour, which is another where both are one buffer", "y[i] = x[i] * 0.5f;\n    }",
		"y[i] = x[i] * 0.5f;\n        if (i == 0 && n > 1) { y[n - 1] = x[n - 1] * 0.5f; }\n    }",
		suite.Check("race")},
	{"tile_sums", "the bias of both builds", "has_bias ? bias[i] : 0.0f", "has_bias ? bias[i] : 1.0f",
		suite.CheckFormula},
	{"tile_sums", "tiles of the test's size", "j < TILE;", "j < 4;", suite.CheckFormula},
	{"collect", "a place too far", "= i;\n", "= i + 1;\n", suite.CheckExact},
	{"collect", "a count of all", "if (flags[i]) {\n", "if (i >= 0) {\n", suite.CheckExact},
	{"decay", "a state that stays", "    state[i] = held[i];\n", "", suite.CheckFormula},
	{"decay", "more threadgroup memory than there is", "held[i]", "held[i + 1]", suite.CheckFault},
	{"look_up", "another table", "1.5f};", "1.4999f};", suite.CheckTables},
	{"look_up", "bits of another place", "i % 4 * 2", "i % 4", suite.CheckFormula},
	{"spread_points", "another codebook", "0x01060903", "0x01060902", suite.CheckTables},
	{"spread_points", "bytes from the other end", "8 * (i % 4)", "(24 - 8 * (i % 4))", suite.CheckFormula},
	{"from_f8", "subnormals of another exponent", "-9)", "-10)", suite.CheckFormula},
	{"from_f8", "a largest number in place of NaN", "== 127", "== 128", suite.CheckNonFinite},
	{"negate_f16", "all by way of bytes", "y[i] = -x[i];", "y[i] = T(char(-x[i]));", suite.CheckFormula},
	{"paged_rows", "the table forgotten", "blocks[at.y / 4] * 4", "at.y / 4 * 4", suite.CheckBound},
	{"store_keys", "a slot that is dropped, too", "slot[at.z] < 0", "slot[at.z] <= 0", suite.CheckBound},
	{"store_keys", "columns behind the last", "at.x >= columns", "at.x > columns", suite.Check("race")},
	{"coarse_root", "no step at all", "/ 3.0f;", "/ 3.05f;", suite.CheckBound},
}

// TestHosts judges what hosts do beside binding buffers one after the other, and a fault in each.
func TestHosts(t *testing.T) {
	dir := os.DirFS("../../examples/starlark")
	family, err := new(spec.Limits).Read(dir, "hosts.star")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../../examples/starlark/hosts.metal")
	if err != nil {
		t.Fatal(err)
	}
	source := string(text)
	for _, r := range judged(t, family, source, "") {
		if r.Status != suite.Pass {
			t.Errorf("as it is: %s: %s", r.Case, r.Text())
		}
	}
	for i, fault := range hostFaults {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(fault.kernel+": "+fault.name, func(t *testing.T) {
			t.Parallel()
			begin := strings.Index(source, " "+strings.TrimSuffix(fault.kernel, "_f16"))
			edited := source[:begin] + strings.Replace(source[begin:], fault.old, fault.new, 1)
			if fault.old == "View" || edited == source {
				edited = strings.ReplaceAll(source, fault.old, fault.new)
			}
			if edited == source {
				t.Fatalf("the source has no %q", fault.old)
			}
			found := map[suite.Check]bool{}
			for _, r := range judged(t, family, edited, fault.kernel) {
				for _, f := range r.Failures {
					found[f.Check] = true
				}
			}
			if !found[fault.check] {
				t.Errorf("found by %v, want %s", found, fault.check)
			}
		})
	}
}

// judged are the results of a kernel's cases, or of all, on a source.
func judged(t *testing.T, family suite.Family, source, kernel string) []suite.Result {
	t.Helper()
	return judgedOn(t, sim.Semantics{Check: true}, family, source, kernel)
}

// judgedOn is the same on a device of other semantics.
func judgedOn(t *testing.T, device sim.Semantics, family suite.Family, source, kernel string) []suite.Result {
	t.Helper()
	return judgedIn(t, nil, device, family, source, kernel)
}

// judgedIn is the same in modes of mathematics; with none, as it is declared.
func judgedIn(t *testing.T, maths []metalrun.Math, device sim.Semantics, family suite.Family,
	source, kernel string) []suite.Result {
	t.Helper()
	shaders, err := suite.OpenShaders(fstest.MapFS{"hosts.metal": {Data: []byte(source)}}, metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	exact := suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
		return sim.New(sim.Exactly(a))
	})
	var cases []suite.Case
	for _, c := range suite.Cases([]suite.Family{family}, suite.Quick) {
		if kernel == "" || c.Kernel.Name == kernel {
			cases = append(cases, c)
		}
	}
	cases = shaders.InModes(cases, nil, maths)
	var results []suite.Result
	err = suite.Run(context.Background(), sim.New(device), suite.Options{Shaders: shaders, Seed: 1, Exact: exact,
		Today: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}, cases, func(r suite.Result) {
		results = append(results, r)
	})
	if err != nil {
		t.Fatal(err)
	}
	return results
}
