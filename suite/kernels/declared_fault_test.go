package kernels

import (
	"fmt"
	"testing"
	"time"

	"metalconform/suite"
)

// TestDeclarationsHideNoFault pastes each declaration that the failures of archived faults print. The kernel fails
// under it all the same: a declaration is for a kernel that is right and loses digits. Of faults that are nothing but
// such a loss it is the description, and they conform under it. The test takes one fault of each check, and with
// -archives those that match.
func TestDeclarationsHideNoFault(t *testing.T) {
	if testing.Short() {
		t.Skip("TestRemedy has the rules")
	}
	archives := firstOfKind(seededArchives(t), func(a seededArchive) string { return fmt.Sprint(a.check, a.declared) })
	run, exact := newSeededRun(t), exactDevice()
	for _, a := range archives {
		t.Run(a.name, func(t *testing.T) {
			t.Parallel()
			if a.missed != "" {
				t.Skip("the quick sweep misses it: " + a.missed)
			}
			s, _ := a.open(t)
			opts := suite.Options{Shaders: s, Parallel: 1, Adversaries: run.adversaries, Strict: true, Exact: exact,
				Today: time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)}
			hidden := false
			for _, r := range verdicts(t, run.observing, opts, s.InModes(a.cases, nil, a.math)...) {
				for _, f := range r.Failures {
					if f.Remedy == nil || !a.silenced(t, s, run, *f.Remedy) {
						continue
					}
					if hidden = true; !a.declared {
						t.Errorf("%s prints a declaration that hides the fault:\n%s\n%s", r.Case,
							f.Remedy.TOML(), r.Text())
					}
				}
			}
			if a.declared && !hidden {
				t.Error("no declaration describes the fault")
			}
		})
	}
}

// silenced reports whether the fault's cases, and one of each family, conform under a declaration.
func (a *seededArchive) silenced(t *testing.T, s *suite.Shaders, run *seededRun, r suite.Remedy) bool {
	t.Helper()
	opts := suite.Options{Shaders: s, Parallel: 1, Adversaries: run.adversaries, Strict: true}
	if r.Table != nil {
		opts.Declared = &suite.Declarations{Tables: []suite.DeclaredTable{{
			Name: r.Table.Name, Constant: r.Table.Constant,
			Entry: suite.Entry{Expires: time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC)}}}}
	}
	again := alternative{archive: a.archive, declared: r.Contract}
	named := map[string]bool{}
	for _, c := range a.cases {
		named[c.Name] = true
	}
	probe := sampled(a.kernel)
	cases := again.cases(t, func(c suite.Case) bool { return named[c.Name] || probe(c) })
	for _, r := range verdicts(t, run.observing, opts, s.InModes(cases, nil, a.math)...) {
		if r.Status != suite.Pass {
			return false
		}
	}
	return true
}
