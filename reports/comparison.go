package reports

import (
	"cmp"
	"slices"

	"metalconform/suite"
)

// Comparison is what a run changes against a baseline, case by case. Lists begin
// with the largest change.
type Comparison struct {
	Baseline Header
	New      []Change // fail or could not be judged, and did not fail in the baseline or were not there
	Fixed    []Change // failed or could not be judged, and do not fail any more
	Other    []Change // of the verdict, such as pass to skip
	Worse    []Change // have a larger error, and the verdict that they had
	Better   []Change // have a smaller one
	Added    []string // cases that the baseline lacks
	Removed  []string // cases that the run lacks
}

// Change is a case in both runs.
type Change struct {
	Case, Kernel string
	Was, Is      suite.Status // Was is empty for a case that the baseline lacks
	Before       float64      // error as a fraction of its bound
	After        float64
}

// An error has changed if it did so by a tenth and by a thousandth of its bound.
const (
	leastRatio = 1.1
	leastStep  = 1e-3
)

// Compare is what run changes against a baseline.
func Compare(baseline, run Run) *Comparison {
	c := &Comparison{Baseline: baseline.Header}
	before := map[string]suite.Result{}
	for _, r := range baseline.Results {
		before[r.Case] = r
	}
	there := map[string]bool{}
	for _, r := range run.Results {
		there[r.Case] = true
		was, ok := before[r.Case]
		if !ok {
			c.Added = append(c.Added, r.Case)
		}
		c.sort(Change{Case: r.Case, Kernel: r.Kernel, Was: was.Status, Is: r.Status, Before: finite(was.ErrorRatio), After: finite(r.ErrorRatio)})
	}
	for _, r := range baseline.Results {
		if !there[r.Case] {
			c.Removed = append(c.Removed, r.Case)
		}
	}
	for _, list := range [][]Change{c.New, c.Fixed, c.Worse, c.Better} {
		slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(b.step(), a.step()) })
	}
	return c
}

// sort enters a case in the list that it belongs to, if any.
func (c *Comparison) sort(x Change) {
	switch {
	case fails(x.Is) && !fails(x.Was):
		c.New = append(c.New, x)
	case fails(x.Was) && !fails(x.Is):
		c.Fixed = append(c.Fixed, x)
	case x.Was == "":
	case x.Was != x.Is:
		c.Other = append(c.Other, x)
	case larger(x.Before, x.After):
		c.Worse = append(c.Worse, x)
	case larger(x.After, x.Before):
		c.Better = append(c.Better, x)
	}
}

// fails reports whether a verdict fails a run.
func fails(s suite.Status) bool { return s == suite.Fail || s == suite.Error }

// larger reports whether an error has grown.
func larger(before, after float64) bool {
	return after > leastRatio*before && after-before > leastStep
}

// step is how far the error moved.
func (x Change) step() float64 { return max(x.After-x.Before, x.Before-x.After) }
