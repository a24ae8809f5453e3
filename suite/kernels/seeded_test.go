package kernels

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// TestSeededFaults tries faults of the fixtures: the cases of each fail by the check
// that it names, at the lines that it names. Where no other check is to see the
// fault, none does. That the cases pass without it is TestSimulator's business; a fault of a
// mode passes in safe math. It tries the first fault of each check in each kernel, a
// short run the first of each check, and with -archives those that match. A fault that
// the quick sweep misses is skipped: BenchmarkArchives tries it in all cases.
func TestSeededFaults(t *testing.T) {
	if raceDetector && testing.Short() {
		t.Skip("a wrong kernel may race, and the detector blames the simulator for it")
	}
	archives := firstOfKind(seededArchives(t), func(a seededArchive) string {
		if testing.Short() {
			return string(a.check)
		}
		return fmt.Sprint(a.cases[0].Kernel.Name, a.check, len(a.math) > 0)
	})
	run := newSeededRun(t)
	for _, a := range archives {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			if a.missed != "" {
				t.Skip("the quick sweep misses it: " + a.missed)
			}
			a.try(t, run)
		})
	}
}

// seededRun judges as conform run does without flags: on the reference device,
// observed, and what passes there on two adversaries.
type seededRun struct {
	observing, plain metalrun.Runner
	adversaries      []suite.Adversary
}

func newSeededRun(t testing.TB) *seededRun {
	device := func(s sim.Semantics) metalrun.Runner {
		s.Steps = studySteps
		runner := &keeper{Runner: sim.New(s)}
		t.Cleanup(func() { runner.Close() })
		return runner
	}
	r := &seededRun{observing: device(sim.Semantics{Check: true}), plain: device(sim.Semantics{})}
	for number := 1; number <= 2; number++ {
		taking := func(choices int) metalrun.Runner {
			return device(sim.Semantics{Adversary: &sim.Adversary{Seed: 1, Number: number, Choices: choices}})
		}
		r.adversaries = append(r.adversaries, suite.Adversary{Number: number, Runner: taking(-1), Taking: taking})
	}
	return r
}

// results judges cases of a kernel.
func (r *seededRun) results(t testing.TB, s *suite.Shaders, cases ...suite.Case) []suite.Result {
	t.Helper()
	return verdicts(t, r.observing, suite.Options{Shaders: s, Parallel: 1, Adversaries: r.adversaries, Strict: true},
		cases...)
}

// try judges the fault's cases and, where no other check is to see the fault, judges
// them again without observing launches.
func (a *seededArchive) try(t *testing.T, run *seededRun) {
	t.Helper()
	s, sources := a.open(t)
	want, cases := a.places(t, sources), a.made(t, s)
	for _, r := range run.results(t, s, s.InModes(cases, nil, a.math)...) {
		switch {
		case a.note != "":
			a.noted(t, r, want)
		case a.relies != "":
			a.relied(t, r, want)
		default:
			a.reported(t, r, want)
		}
	}
	if len(a.math) > 0 {
		for _, r := range run.results(t, s, cases...) {
			if r.Status != suite.Pass {
				t.Errorf("in safe math, want a pass: %s", r.Text())
			}
		}
	}
	if !a.only || !a.check.Info().Observed {
		return
	}
	for _, r := range verdicts(t, run.plain, suite.Options{Shaders: s, Parallel: 1}, cases...) {
		if r.Status != suite.Pass {
			t.Errorf("with the checks of launches switched off, want a pass: %s", r.Text())
		}
	}
}

// places are what the report may name: one line, or those of two parties, each
// FILE:LINE, in sorted order, as a race has no first party; nil for any.
func (a *seededArchive) places(t *testing.T, sources map[string]string) [][]string {
	t.Helper()
	lines := func(texts ...string) []string {
		var out []string
		for _, text := range texts {
			line, err := a.line(sources, text)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, line)
		}
		slices.Sort(out)
		return out
	}
	switch {
	case a.at == "":
		return nil
	case len(a.others) == 0:
		return [][]string{lines(a.at)}
	}
	var out [][]string
	for _, other := range a.others {
		out = append(out, lines(a.at, other))
	}
	return out
}

// noted checks a result that has to pass with a note on a place.
func (a *seededArchive) noted(t *testing.T, r suite.Result, places [][]string) {
	t.Helper()
	if r.Status != suite.Pass {
		t.Fatalf("%s, want a pass: %s", r.Status, r.Text())
	}
	line := places[0][0]
	if !slices.ContainsFunc(r.Notes,
		func(n string) bool { return strings.HasPrefix(n, line+":") && strings.Contains(n, a.note) }) {
		t.Errorf("no note says %q of %s: %q", a.note, line, r.Notes)
	}
}

// reported checks a result that has to fail by the fault's check and name places.
func (a *seededArchive) reported(t *testing.T, r suite.Result, places [][]string) {
	t.Helper()
	if r.Status != suite.Fail {
		t.Fatalf("%s: %s, want a failure of the check %q", r.Case, r.Status, a.check)
	}
	var named [][]string
	for _, f := range r.Failures {
		switch {
		case f.Check == a.check:
			named = append(named, placesOf(f))
		case a.only:
			t.Errorf("the check %q reports the fault too: %s", f.Check, f)
		}
	}
	right := func(got []string) bool {
		return places == nil || slices.ContainsFunc(places, func(want []string) bool { return slices.Equal(want, got) })
	}
	if !slices.ContainsFunc(named, right) {
		t.Errorf("the check %q names %v, want one of %v:\n%s", a.check, named, places, r.Text())
	}
}

// relied checks a result that has to fail for what a compiler may do in a line.
func (a *seededArchive) relied(t *testing.T, r suite.Result, places [][]string) {
	t.Helper()
	if !slices.ContainsFunc(r.Failures, func(f suite.Failure) bool { return f.Check == a.check }) {
		t.Fatalf("%s: %s, want a failure of the check %q: %s", r.Case, r.Status, a.check, r.Text())
	}
	got := ""
	if r.Relies != nil {
		got = fmt.Sprintf("%s:%d %s", r.Relies.File, r.Relies.Line, r.Relies.Kind)
	}
	if want := places[0][0] + " " + a.relies; got != want {
		t.Errorf("%s relies on %q, want %q", r.Case, got, want)
	}
}

// placesOf are the lines that a failure names, both parties' of a finding, sorted.
func placesOf(f suite.Failure) []string {
	if f.At == nil {
		return nil
	}
	out := []string{fmt.Sprintf("%s:%d", f.At.File, f.At.Line)}
	if f.Other != nil {
		out = append(out, fmt.Sprintf("%s:%d", f.Other.File, f.Other.Line))
	}
	slices.Sort(out)
	return out
}
