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

// what is the failure in words.
func (x Expectation) what() string {
	if x.Stage.Regexp == nil {
		return string(x.Check)
	}
	return fmt.Sprintf("%s in %s", x.Check, x.Stage.text())
}

// Checks are all checks that a case can be expected to fail.
func Checks() []Check {
	return []Check{
		CheckBound, CheckStatistical, CheckExact, CheckNonFinite, CheckUnwritten, CheckDeterminism, CheckUntouched,
		CheckReadOnly, CheckGuard, CheckFault, CheckArguments, CheckTables, CheckEqual, CheckRefusal,
	}
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
			r.fail([]Failure{{Check: CheckExpected, Message: fmt.Sprintf("conforms, and is expected to fail by %s (%s): the entry is no longer needed for it", x.what(), x.because())}})
		case slices.ContainsFunc(r.Failures, other):
			r.fail(append(r.Failures, Failure{Check: CheckExpected, Message: fmt.Sprintf("is expected to fail by %s only (%s)", x.what(), x.because())}))
		default:
			r.Status = Expected
			r.recordUse(x.Entry, fmt.Sprintf("expected to fail by %s", x.what()))
		}
		return
	}
}
