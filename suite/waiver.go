package suite

import (
	"fmt"
	"slices"
)

// Waiver puts up with errors over the bound up to a stated factor, or with a
// case that cannot be judged at all. It is about cases of kernels: a chain ends
// at its first failure, so that what follows would go unjudged; it may be
// expected to fail.
type Waiver struct {
	Entry
	Cases   Pattern
	Output  string  // "": any
	Element []int   // the only one that may exceed its bound; nil: any
	Factor  float64 // error over bound, rigorous or statistical
	Skip    bool    // the case is not launched; no factor
}

// about are the cases that the waiver may change.
func (w Waiver) about(cases []Case) []Case {
	return slices.DeleteFunc(w.Cases.Of(cases), func(c Case) bool { return c.Chain != nil })
}

// skip ends a case that is not to be launched.
func (d *Declarations) skip(c Case, r *Result) bool {
	w, ok := d.skips(c)
	if ok {
		r.because(Waived, "not judged: %s", w.because())
		r.rests(w.Entry, "not judged")
	}
	return ok
}

// skips is the waiver that keeps a case from being launched.
func (d *Declarations) skips(c Case) (Waiver, bool) {
	if d == nil {
		return Waiver{}, false
	}
	for _, w := range d.Waivers {
		if w.Skip && c.Chain == nil && w.Cases.MatchString(c.Name) {
			return w, true
		}
	}
	return Waiver{}, false
}

// waive takes the failures that are waived from the verdict: it is [Waived] if
// there are no others. The result keeps them all in the first case, and the
// others alone in the second.
func (d *Declarations) waive(c Case, r *Result) {
	if r.Status != Fail || c.Chain != nil {
		return
	}
	var rest []Failure
	for _, f := range r.Failures {
		i := slices.IndexFunc(d.Waivers, func(w Waiver) bool { return w.Cases.MatchString(c.Name) && w.covers(f) })
		if i < 0 {
			rest = append(rest, f)
			continue
		}
		r.rests(d.Waivers[i].Entry, fmt.Sprintf("errors up to %g times the bound are waived", d.Waivers[i].Factor))
	}
	if len(rest) == 0 {
		r.Status = Waived
	} else {
		r.fail(rest)
	}
}

// covers reports whether the waiver puts up with a failure. The failure's figure
// is that of its worst element.
func (w Waiver) covers(f Failure) bool {
	switch {
	case w.Skip, f.Check != CheckBound && f.Check != CheckStatistical:
		return false
	case w.Output != "" && w.Output != f.Arg:
		return false
	case w.Element != nil && (f.Count != 1 || !slices.Equal(w.Element, f.Index)):
		return false
	}
	return f.Over <= w.Factor
}
