package conformtest

import (
	"os"
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
	for _, status := range []conform.Status{conform.Pass, conform.Skip} {
		if got := problems("T", conform.Result{Status: status}, conform.Options{Seed: 1}); len(got) > 0 {
			t.Errorf("of %s: %v", status, got)
		}
	}
}

// A kernel of which no case was judged has not passed.
func TestNone(t *testing.T) {
	var c tally
	c.add("absent/n=3", conform.Skip)
	c.add("fast/n=3", conform.Skip)
	c.add("fast/n=4", conform.Pass)
	c.add("wrong/n=3", conform.Fail)
	if diff := cmp.Diff([]string{"absent"}, c.none()); diff != "" {
		t.Errorf("kernels without a judged case (-want +got):\n%s", diff)
	}
}
