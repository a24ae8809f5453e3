package spec_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"metalconform/suite"
	"metalconform/suite/spec"
)

// Places that are drawn are below their end and never the same, some are missing where that may be, and a half's
// finite numbers are numbers of a half in every family.
func TestFills(t *testing.T) {
	family, err := new(spec.Limits).Read(fstest.MapFS{"f.star": {Data: []byte(`kernel(
    name = "f", args = [input("all", i32, "n", fill = distinct("n")), input("some", i32, "n", fill = distinct("2 * n", missing = -1)), input("x", f16, "n"), input("begin", u32, 40, fill = offsets("n")), output("y", f32, "n")],
    threads = "n", threads_per_threadgroup = 32, base = {"n": 200}, oracle = lambda x: x,
)`)}}, "f.star")
	if err != nil {
		t.Fatal(err)
	}
	at := suite.Shape{"n": 200}
	for _, in := range family.Kernels[0].Sweep.Inputs {
		x := make([]float64, 200)
		if fill := in.Fills["x"]; fill != nil {
			fill(rand.New(rand.NewPCG(1, 2)), at, x)
		}
		finite := !slices.ContainsFunc([]string{"inf_", "nan_", "masked_"},
			func(prefix string) bool { return strings.HasPrefix(in.Name, prefix) })
		if beyond := slices.ContainsFunc(x, func(x float64) bool { return !(math.Abs(x) <= 65504) }); beyond == finite {
			t.Errorf("%s has numbers that a half has not: %t", in.Name, beyond)
		}
	}
	drawn := func(name string, n int) []float64 {
		x := make([]float64, n)
		family.Kernels[0].Sweep.Inputs[0].Fills[name](rand.New(rand.NewPCG(1, 2)), at, x)
		slices.Sort(x)
		return x
	}
	all := drawn("all", 200)
	for i, x := range all {
		if x != float64(i) {
			t.Fatalf("200 places of 200 are not each one: %v", all)
		}
	}
	some := drawn("some", 200)
	missing := slices.IndexFunc(some, func(x float64) bool { return x >= 0 })
	if missing < 30 || missing > 70 || len(slices.Compact(slices.Clone(some))) != 201-missing || some[199] >= 400 {
		t.Errorf("of 200 places below 400, %d missing: %v", missing, some)
	}
	begin := make([]float64, 40)
	family.Kernels[0].Sweep.Inputs[0].Fills["begin"](rand.New(rand.NewPCG(1, 2)), at, begin)
	if !slices.IsSorted(begin) || begin[0] != 0 || begin[39] != 200 || len(slices.Compact(slices.Clone(begin))) > 36 {
		t.Errorf("beginnings of 39 parts of 200, some of them empty: %v", begin)
	}
	defer func() {
		if got := fmt.Sprint(recover()); got != "f.star:2:63: distinct: 201 elements, and 200 integers below the "+
			"end: want as many, or missing = what stands for none" {
			t.Errorf("more places than there are: %s", got)
		}
	}()
	drawn("all", 201)
}
