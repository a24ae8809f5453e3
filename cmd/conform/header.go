package main

import (
	"cmp"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/metalrun/probe"
	"metalconform/reports"
	"metalconform/suite"
)

// header is the first line of results.jsonl.
func (f runFlags) header(d metalrun.Device, started time.Time, cases []suite.Case, source *suite.Shaders) reports.Header {
	h := reports.Header{
		Conform: release(),
		Started: started.UTC(),
		Commit:  cmp.Or(f.commit, commitOfCI(os.Getenv), commit()),
		Device:  reports.NewDevice(d),
		Host:    reports.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, CPUs: cpus()},
		Options: reports.Options{
			Run: f.run.String(), Sweep: f.sweep.value, Seed: uint64(f.seed), Semantics: f.envelope.String(), Adversaries: f.adversarial(d), Math: mathsOf(cases),
			Checks: f.checks.on && f.checks.schedule == 0, Flags: f.selection.options(source, nil).ReplayFlags, Repeat: f.repeated(), Exact: f.exact.given() || f.spec.given(),
			Accuracies: f.accuracies.Device(),
		},
		Root: cmp.Or(f.shaders, "shaders"),
	}
	h.Describe(cases, source, namesOf(f.spec.catalogue()))
	return h
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

// examine enters what a GPU can do, and which files do not compile.
func examine(h *reports.Header, r metalrun.Runner, source *suite.Shaders, judged []suite.Case) (err error) {
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

// commitOfCI is the commit that a CI machine says it builds, or "".
func commitOfCI(env func(string) string) string {
	for _, name := range []string{"GITHUB_SHA", "CI_COMMIT_SHA", "BUILDKITE_COMMIT", "CIRCLE_SHA1", "BITBUCKET_COMMIT", "GIT_COMMIT"} {
		if sha := env(name); sha != "" {
			return sha
		}
	}
	return ""
}
