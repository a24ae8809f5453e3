package spec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// patterned are the elements of an argument with a fill, in a kernel with axes t = 2 and n = 3.
func patterned(t *testing.T, fill, extents string) (x []float64, mistake string) {
	t.Helper()
	family, err := new(spec.Limits).Read(fstest.MapFS{"f.star": {Data: []byte(`kernel(name = "f",
	args = [input("x", f32, ` + extents +
		`, fill = ` + fill + `), output("y", f32, "n")], threads = "n", threads_per_threadgroup = 32,
    base = {"t": 2, "n": 3}, oracle = lambda x: x)`)}}, "f.star")
	if err != nil {
		return nil, err.Error()
	}
	defer func() {
		if p := recover(); p != nil {
			mistake = fmt.Sprint(p)
		}
	}()
	at := suite.Shape{"t": 2, "n": 3}
	a, _ := family.Kernels[0].Args.Find("x")
	x = make([]float64, a.Count(at))
	family.Kernels[0].Sweep.Inputs[0].Fills["x"](rand.New(rand.NewPCG(1, 2)), at, x)
	return x, ""
}

// TestPatterns fills arguments by functions of indices.
func TestPatterns(t *testing.T) {
	inf := math.Inf(-1)
	for _, test := range []struct {
		fill, extents string
		want          []float64
	}{
		{`causal("t", "n")`, `"t", "n"`, []float64{0, inf, inf, 0, 0, inf}},
		{`causal("t", "n", start = "n - t", masked = -1e4)`, `"t", "n"`, []float64{0, 0, -1e4, 0, 0, 0}},
		{`causal("t", "t")`, `2, "t", "t"`, []float64{0, inf, 0, 0, 0, inf, 0, 0}},
		{`banded("n", "n", 2)`, `"n", "n"`, []float64{0, inf, inf, 0, 0, inf, inf, 0, 0}},
		{`indexed("t", "n", lambda i, j: 10 * i + j)`, `"t", "n"`, []float64{0, 1, 2, 10, 11, 12}},
		{`indexed("n", lambda i, n: where(i == n - 1, 7, -i))`, `"t", "n"`, []float64{0, -1, 7, 0, -1, 7}},
		{`indexed("n", lambda i: 5)`, `"n"`, []float64{5, 5, 5}},
	} {
		got, mistake := patterned(t, test.fill, test.extents)
		shown := strings.ReplaceAll(fmt.Sprint(got), "-0", "0")
		if diff := cmp.Diff(fmt.Sprint(test.want), shown); diff != "" || mistake != "" {
			t.Errorf("%s: %s -want +got:\n%s", test.fill, mistake, diff)
		}
	}
	for fill, want := range map[string]string{
		`causal("t", "t")`:                       "a pattern of [2 2] elements does not fill 6",
		`indexed("t", lambda i: "x")`:            "the function returns string, want a number or a tensor",
		`indexed("t", lambda i, k: i)`:           "the parameter k is no axis",
		`indexed("t", "n", lambda i: i)`:         "a function of 1 indices for 2 extents",
		`indexed("t", "n")`:                      "want a function of indices at the end",
		`causal("t")`:                            "missing argument for columns",
		`indexed("n", lambda i: tensor([1, 2]))`: "f.star:",
	} {
		if _, mistake := patterned(t, fill, `"t", "n"`); !strings.Contains(mistake, want) {
			t.Errorf("%s: %q, want %q", fill, mistake, want)
		}
	}
}
