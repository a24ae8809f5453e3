package suite

import (
	"fmt"
	"slices"
)

// Waiver puts up with errors over the bound up to a stated factor, or with a
// case that cannot be judged at all.
//
// A pipeline goes on after a failure that is waived: later stages get what was
// written, and are judged by that. The bounds that the failed stage passes on to
// invariants stay those of its contract, so an invariant that its errors break needs a
// waiver of its own.
type Waiver struct {
	Entry
	Scope
	Output  string  // "": any
	Element []int   // the only one that may exceed its bound; nil: any
	Factor  float64 // error over bound, rigorous or statistical
	Skip    bool    // the case is not launched; no factor
}

// skip ends a case that is not to be launched.
func (d *Declarations) skip(c Case, r *Result) bool {
	w, ok := d.skips(c)
	if !ok {
		return false
	}
	r.Status, r.Waiver = Waived, &w.Entry
	r.recordUse(w.Entry, "not judged")
	return true
}

// Skips reports whether a waiver keeps a case from being launched.
func (d *Declarations) Skips(c Case) bool {
	_, ok := d.skips(c)
	return ok
}

// skips is the waiver that keeps a case from being launched.
func (d *Declarations) skips(c Case) (Waiver, bool) {
	return d.waiver(func(w Waiver) bool { return w.Skip && w.about(c) })
}

// waives is the waiver that puts up with a failure of a case, which has others beside it. That a value is wrong is one
// fact: formula and rounding are waived with the bound of the same output.
func (d *Declarations) waives(c Case, f Failure, beside []Failure) (Waiver, bool) {
	return d.waiver(func(w Waiver) bool {
		return w.about(c) && (w.covers(f) || w.names(f) && f.accompanies(beside, w.covers))
	})
}

// waiver is the first waiver that does.
func (d *Declarations) waiver(does func(Waiver) bool) (Waiver, bool) {
	if d == nil {
		return Waiver{}, false
	}
	if i := slices.IndexFunc(d.Waivers, does); i >= 0 {
		return d.Waivers[i], true
	}
	return Waiver{}, false
}

// waive takes the failures that are waived from the verdict: it is [Waived] if
// there are no others. The result keeps them all in the first case, and the
// others alone in the second.
func (d *Declarations) waive(c Case, r *Result) {
	if r.Status != Fail {
		return
	}
	var rest []Failure
	for _, f := range r.Failures {
		w, ok := d.waives(c, f, r.Failures)
		if !ok {
			rest = append(rest, f)
			continue
		}
		r.recordUse(w.Entry, fmt.Sprintf("errors up to %g times the bound are waived", w.Factor))
	}
	if len(rest) == 0 {
		r.Status = Waived
	} else {
		r.FailBy(rest)
	}
}

// covers reports whether the waiver puts up with a failure. The failure's figure
// is that of its worst element.
func (w Waiver) covers(f Failure) bool {
	return (f.Check == CheckBound || f.Check == CheckStatistical) && f.ErrorRatio <= w.Factor && w.names(f)
}

// names reports whether the waiver is about the elements of a failure.
func (w Waiver) names(f Failure) bool {
	return !w.Skip && w.holds(f) && (w.Output == "" || w.Output == f.Arg) &&
		(w.Element == nil || f.Count == 1 && slices.Equal(w.Element, f.Index))
}

// accompanies reports whether a failure by exact execution has one of the same output beside it that is such: both say
// that the values are wrong.
func (f Failure) accompanies(beside []Failure, such func(Failure) bool) bool {
	return (f.Check == CheckFormula || f.Check == CheckRounding) && slices.ContainsFunc(beside, func(g Failure) bool {
		return g.Arg == f.Arg && g.Stage == f.Stage && g.Adversary == f.Adversary && such(g)
	})
}

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
		meant := func(f Failure) bool { return f.Check == x.Check && x.holds(f) }
		other := func(f Failure) bool { return !meant(f) && !f.accompanies(r.Failures, meant) }
		switch {
		case len(r.Failures) == 0 && d.Lenient:
		case len(r.Failures) == 0:
			r.FailBy([]Failure{{Check: CheckExpected, Expected: x.unmet(true)}})
		case slices.ContainsFunc(r.Failures, other):
			r.FailBy(append(r.Failures, Failure{Check: CheckExpected, Expected: x.unmet(false)}))
		default:
			r.Status = Expected
			r.recordUse(x.Entry, "expected to fail "+x.unmet(false).what())
		}
		return
	}
}
