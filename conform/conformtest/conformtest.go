// Package conformtest judges Metal kernels under go test.
//
//	func TestKernels(t *testing.T) {
//		conformtest.Run(t, os.DirFS("shaders"), kernels...)
//	}
//
// Each case is a subtest of its name, so that go test's -run selects cases. What fails has the command that
// repeats it. A case of which nothing can be said, such as infinities in fast math, is skipped. A kernel all of
// whose cases are skipped fails. Beside go test's own there are flags: -conform.seed N draws other inputs,
// -conform.full judges the full sweep, and -conform.metal runs on the GPU.
package conformtest

import (
	"flag"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"sync"
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
	var judged tally
	t.Cleanup(func() {
		for _, kernel := range judged.none() {
			t.Errorf("%s: no case could be judged", kernel)
		}
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
			judged.add(name, result.Status)
			if result.Status == conform.Skip {
				t.Skip(result.Reason)
			}
		})
	}
}

// tally counts the cases of each kernel that were judged.
type tally struct {
	mutex  sync.Mutex
	judged map[string]int
}

func (c *tally) add(name string, s conform.Status) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.judged == nil {
		c.judged = map[string]int{}
	}
	kernel, _, _ := strings.Cut(name, "/")
	if s == conform.Skip {
		c.judged[kernel] += 0
	} else {
		c.judged[kernel]++
	}
}

// none has the kernels with cases of which no case was judged.
func (c *tally) none() []string {
	var kernels []string
	for kernel, n := range c.judged {
		if n == 0 {
			kernels = append(kernels, kernel)
		}
	}
	slices.Sort(kernels)
	return kernels
}

// problems are what is wrong with a case, and the command that repeats it; none if it conforms or is skipped.
func problems(test string, r conform.Result, o conform.Options) []string {
	if r.Status == conform.Pass || r.Status == conform.Skip {
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
