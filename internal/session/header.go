package session

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"metalconform/internal/exit"
	"metalconform/internal/git"
	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/metalrun/probe"
	"metalconform/reports"
	"metalconform/suite"
)

// RunFacts is what the header of a run has beside the selection.
type RunFacts struct {
	Commit string // of the kernels; "" for the one that CI, the build or the repository names
	Repeat int    // launches of a case, 0 for one
}

// Header is the first line of results.jsonl.
func (s Selection) Header(j RunFacts, d metalrun.Device, started time.Time, cases []suite.Case,
	source *suite.Shaders) reports.Header {
	h := reports.Header{
		Conform: Release(),
		Started: started.UTC(),
		Commit:  s.commit(j.Commit),
		Device:  reports.NewDevice(d),
		Host:    reports.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: cpus()},
		Options: reports.Options{
			Run: s.Run.String(), Sweep: s.Sweep.Value, Seed: uint64(s.Seed), Semantics: s.Semantics.String(),
			Adversaries: s.adversarial(d), Math: mathsOf(cases),
			Checks: s.Checks.Enabled && s.Checks.schedule == 0, Flags: s.Options(source, nil).ReplayFlags,
			Repeat: j.Repeat, Exact: s.exactness().On(),
			Accuracies: s.Accuracies.Device(),
		},
		Root: cmp.Or(s.Shaders, "shaders"),
	}
	h.Describe(cases, source, s.Spec.Taken())
	return h
}

// commit is the commit of the kernels: the one that is given, or that CI says it builds. Without these, our own kernels
// are those of this program's commit, and others are those of their repository, if they are as the commit has them.
func (s Selection) commit(given string) string {
	own := Commit
	if s.Shaders != "" {
		own = func() string { return git.Head(context.Background(), s.Shaders) }
	}
	if known := cmp.Or(given, CommitOfCI(os.Getenv)); known != "" {
		return known
	}
	return own()
}

// Asked says in a line in which build, on which devices and as to what the cases are judged.
func (s Selection) Asked(d metalrun.Device, cases []suite.Case) string {
	math := mathsOf(cases)
	if i := strings.LastIndex(math, ", "); i >= 0 {
		math = math[:i] + " and" + math[i+1:]
	}
	if len(s.unsaid()) > 0 && strings.Contains(math, " and ") {
		math += " math (conform.toml may name one)"
	} else {
		math += " math"
	}
	devices := "one device"
	if n := s.adversarial(d); n > 0 {
		devices += " and " + printable.Count(n, "adversary")
	}
	questions := "accuracy"
	if s.exactness().On() {
		questions = "formula, rounding, " + questions
	}
	if s.Checks.Enabled && d.Clock == metalrun.HostClock {
		questions += ", undefined behaviour"
	}
	return fmt.Sprintf("judged in %s on %s: %s", math, devices, questions)
}

// mathsOf are the modes that cases are built in.
func mathsOf(cases []suite.Case) string {
	var names []string
	for _, c := range cases {
		if name := c.Math.String(); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// Examine enters what a GPU can do, and which files do not compile.
func Examine(h *reports.Header, r metalrun.Runner, source *suite.Shaders, judged []suite.Case) (err error) {
	if r.Device().Clock == metalrun.GPUClock {
		if h.Probe, err = probe.Device(r); err != nil {
			return exit.With(exit.Device, err)
		}
	}
	broken, err := source.Compile(r, judged)
	if err != nil {
		return exit.With(exit.Device, err)
	}
	h.Broken(broken, source)
	return nil
}

// CommitOfCI is the commit that a CI machine says it builds, or "".
func CommitOfCI(env func(string) string) string {
	for _, name := range []string{"GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "BITBUCKET_COMMIT",
		"GIT_COMMIT"} {
		if sha := env(name); sha != "" {
			return sha
		}
	}
	return ""
}
