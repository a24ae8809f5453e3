package suite

import (
	"fmt"
	"slices"
)

// Expectation is a failure that is known: every case that it is about has to
// fail, by one check and no other; a pipeline in one stage or invariant and no other,
// where it names one.
type Expectation struct {
	Entry
	Scope
	Check Check
}

// unmet is the entry as the result of a case that it does not fit has it.
func (x Expectation) unmet(conforms bool) *UnmetExpectation {
	return &UnmetExpectation{Entry: x.Entry, Check: x.Check, Stage: x.Stage.Text, Conforms: conforms}
}

// expect turns a failure that is declared into the verdict [Expected], and
// anything else of such a case into a failure. A case that was not judged stays
// what it is.
func (d *Declarations) expect(c Case, r *Result) {
	if r.Status == Skip || r.Status == Error {
		return
	}
	for _, x := range d.Expectations {
		if !x.about(c) {
			continue
		}
		other := func(f Failure) bool { return f.Check != x.Check || !x.holds(f) }
		switch {
		case len(r.Failures) == 0:
			r.FailBy([]Failure{{Check: CheckExpected, Expected: x.unmet(true)}})
		case slices.ContainsFunc(r.Failures, other):
			r.FailBy(append(r.Failures, Failure{Check: CheckExpected, Expected: x.unmet(false)}))
		default:
			r.Status = Expected
			r.recordUse(x.Entry, fmt.Sprintf("expected to fail by %s", x.unmet(false).what()))
		}
		return
	}
}
