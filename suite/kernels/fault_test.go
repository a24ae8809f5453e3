package kernels

import (
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/shaders"
	"metalconform/suite"
)

// TestFaults seeds one fault at a time in our shaders. The quick sweep of the
// kernel has to fail, in a message that names the element, its error as a
// multiple of the bound and the command that repeats it. That the shaders pass
// without the fault is TestSimulator's business. It tries every second fault of
// a kernel, a short run every third kernel's first, and with -archives all.
func TestFaults(t *testing.T) {
	runner := sim.New(sim.Semantics{})
	t.Cleanup(func() { runner.Close() })
	if raceDetector && testing.Short() {
		t.Skip("a wrong kernel may race, and the detector blames the simulator for it")
	}
	tried := map[string]int{}
	for _, f := range faults() {
		tried[f.kernel]++
		n := tried[f.kernel]
		if testing.Short() && !(n == 1 && len(tried)%3 == 1) || *chosen == "" && n%2 == 0 {
			continue
		}
		t.Run(f.kernel+"/"+strings.ReplaceAll(f.name, " ", "_"), func(t *testing.T) {
			t.Parallel()
			file, cases := f.cases(t)
			seeded := f.seed(t, file)
			r, ok := firstFailure(t, runner, seeded, cases)
			if !ok {
				t.Fatalf("none of %d cases fails", len(cases))
			}
			f.explained(t, r)
		})
	}
}

// fault is one wrong edit of a kernel.
type fault struct {
	kernel string
	name   string
	edits  []edit
	in     string      // part of the names of the cases that it shows in; all if empty
	check  suite.Check // that has to catch it
}

// edit replaces old, which the source has once after the text called after.
type edit struct{ after, old, new string }

// cases are the fault's cases and the file that the kernel is in.
func (f fault) cases(t testing.TB) (file string, cases []suite.Case) {
	t.Helper()
	for _, c := range quickCases() {
		if c.Pipeline == nil && c.Kernel.Name == f.kernel && strings.Contains(c.Name, f.in) {
			file = c.Family + ".metal"
			cases = append(cases, c)
		}
	}
	if len(cases) == 0 {
		t.Fatalf("no case of %s has %q in its name", f.kernel, f.in)
	}
	return file, cases
}

// seed is the kernel's file with the fault in it, which has to compile.
func (f fault) seed(t testing.TB, file string) *suite.Shaders {
	t.Helper()
	s, err := f.shaders(file)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shaders are the kernel's file with the fault in it. Each edit has to find its
// place exactly once.
func (f fault) shaders(file string) (*suite.Shaders, error) {
	text, err := fs.ReadFile(shaders.FS, file)
	if err != nil {
		return nil, err
	}
	source := string(text)
	for _, e := range f.edits {
		start := strings.Index(source, e.after)
		if start < 0 {
			return nil, fmt.Errorf("%s has no %q", file, e.after)
		}
		rest := source[start:]
		if n := strings.Count(rest, e.old); n == 0 || e.after == "" && n > 1 {
			return nil, fmt.Errorf("%s has %q %d times after %q, want it once", file, e.old, n, e.after)
		}
		source = source[:start] + strings.Replace(rest, e.old, e.new, 1)
	}
	s, err := openSources(map[string]string{file: source})
	if err != nil {
		return nil, err
	}
	_, _, err = s.Find(f.kernel)
	return s, err
}

// firstFailure is the first case that does not pass.
func firstFailure(t *testing.T, runner metalrun.Runner, s *suite.Shaders, cases []suite.Case) (suite.Result, bool) {
	t.Helper()
	keeper := &keeper{Runner: runner}
	opts := suite.Options{Shaders: s, Parallel: 1}.Within(cases)
	for _, c := range cases {
		for _, r := range verdicts(t, keeper, opts, c) {
			if r.Status != suite.Pass {
				return r, true
			}
		}
	}
	return suite.Result{}, false
}

// explained checks that a failure tells its reader what to look at.
func (f fault) explained(t *testing.T, r suite.Result) {
	t.Helper()
	if r.Status != suite.Fail {
		t.Fatalf("got status %s, want %s: %s", r.Status, suite.Fail, r.Text())
	}
	caught := slices.IndexFunc(r.Failures, func(x suite.Failure) bool { return x.Check == f.check })
	if caught < 0 {
		t.Fatalf("not caught by the check %q: %s", f.check, r.Text())
	}
	x := r.Failures[caught]
	switch {
	case f.check == suite.CheckFault:
		if x.At == nil || x.At.Line == 0 {
			t.Errorf("the failure names no place in the source: %s", x)
		}
	case x.Index == nil || x.Arg == "":
		t.Errorf("the failure names no element: %s", x)
	case f.check != suite.CheckUnwritten && (x.Got == nil || x.Want == nil):
		t.Errorf("the failure does not say by how much: %s", x)
	}
	if want := "conform run -run '^" + regexp.QuoteMeta(r.Case) + "$'"; !strings.HasPrefix(r.Replay, want) {
		t.Errorf("replay command is %q, want it to begin with %q", r.Replay, want)
	}
}
