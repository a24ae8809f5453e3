package conformtest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"metalconform/conform"

	"github.com/google/go-cmp/cmp"
)

// A specification of a file runs as tests do, and what fails says how to repeat it.
func TestRun(t *testing.T) {
	dir := os.DirFS("../../examples/starlark")
	kernels, err := conform.Starlark(dir, "softmax.star")
	if err != nil {
		t.Fatal(err)
	}
	Run(t, dir, kernels...)
}

func TestProblems(t *testing.T) {
	failed := conform.Result{Status: conform.Fail, Failures: []conform.Failure{{Text: "off by much"}}, Reason: "why"}
	got := problems("TestK/k/n=3/input=a.b", failed, conform.Options{Seed: 7, Full: true, Metal: true})
	want := []string{"fail: why", "off by much",
		`repeat: go test -run '^TestK$/^k$/^n=3$/^input=a\.b$' -conform.seed 7 -conform.full -conform.metal`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
	if got := problems("T", conform.Result{Status: conform.Pass}, conform.Options{Seed: 1}); len(got) > 0 {
		t.Errorf("of what passes: %v", got)
	}
	last := func(s []string) string { return s[len(s)-1] }
	if got := last(problems("T", conform.Result{Status: conform.Skip, Reason: "absent"},
		conform.Options{Seed: 1})); !strings.HasSuffix(got, "-run '^T$'") {
		t.Errorf("of what was not judged: %v", slices.Clip([]string{got}))
	}
}
