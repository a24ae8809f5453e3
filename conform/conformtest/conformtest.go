// Package conformtest judges Metal kernels under go test.
//
//	func TestKernels(t *testing.T) {
//		conformtest.Run(t, os.DirFS("shaders"), kernels...)
//	}
//
// Each case is a subtest of its name, so that go test's -run selects cases. What fails has the command that
// repeats it. Beside go test's own there are flags: -conform.seed N draws other inputs, -conform.full judges the
// full sweep, and -conform.metal runs on the GPU.
package conformtest

import (
	"flag"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"testing"

	"metalconform/conform"
)

var options conform.Options

func init() {
	flag.Uint64Var(&options.Seed, "conform.seed", 1, "draw inputs of kernels from seed `N`")
	flag.BoolVar(&options.Full, "conform.full", false, "judge kernels by the full sweep")
	flag.BoolVar(&options.Metal, "conform.metal", false, "run kernels on the GPU, and not on the simulator")
}

// Run judges the kernels that the .metal files of a directory have.
func Run(t *testing.T, shaders fs.FS, kernels ...conform.Kernel) {
	t.Helper()
	if len(kernels) == 0 {
		t.Fatal("no kernel is specified: there is nothing to judge")
	}
	judge, err := conform.NewJudge(shaders, kernels, options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := judge.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, name := range judge.Cases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			result, err := judge.Case(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			for _, w := range result.Warnings {
				t.Log("warning:", w)
			}
			for _, text := range problems(t.Name(), result, options) {
				t.Error(text)
			}
		})
	}
}

// problems are what is wrong with a case, and the command that repeats it; none if it conforms. A
// case that could not be judged has not passed.
func problems(test string, r conform.Result, o conform.Options) []string {
	if r.Status == conform.Pass {
		return nil
	}
	var list []string
	if r.Reason != "" {
		list = append(list, fmt.Sprintf("%s: %s", r.Status, r.Reason))
	}
	if r.Crash != nil {
		list = append(list, fmt.Sprintf("%v; please report it with\n%s", r.Crash, r.Crash.Stack))
	}
	for _, f := range r.Failures {
		list = append(list, f.String())
	}
	return append(list, "repeat: "+command(test, o))
}

// command repeats one subtest.
func command(test string, o conform.Options) string {
	parts := strings.Split(test, "/")
	for i, part := range parts {
		parts[i] = "^" + regexp.QuoteMeta(part) + "$"
	}
	text := fmt.Sprintf("go test -run '%s'", strings.Join(parts, "/"))
	if o.Seed != 1 {
		text += fmt.Sprintf(" -conform.seed %d", o.Seed)
	}
	if o.Full {
		text += " -conform.full"
	}
	if o.Metal {
		text += " -conform.metal"
	}
	return text
}
