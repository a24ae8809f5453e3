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
	New      []Change // fail or could not be judged, and did not in the baseline, or not in this way, or were not there
	Fixed    []Change // failed or could not be judged, and do not fail any more
	Other    []Change // of the verdict, such as pass to skip
	Worse    []Change // have a larger error, and the verdict that they had
	Better   []Change // have a smaller one
	Added    []string // cases that the baseline lacks
	Removed  []string // cases that the run lacks
	Lost     []string // kernels and pipelines that the baseline judged and the run did not, unless a waiver says so

	judged   map[string]bool // kernels and pipelines, in the baseline
	problems map[string]bool // of the baseline, by their identities
	fresh    map[string]bool // the cases of New
}

// Change is a case in both runs.
type Change struct {
	Case, Kernel string
	Was, Is      suite.Status // Was is empty for a case that the baseline lacks
	Before       float64      // error as a fraction of its bound
	After        float64
	By           []string // checks that it fails and did not fail, where it failed before
}

// An error has changed if it did so by a tenth and by a thousandth of its bound.
const (
	leastRatio = 1.1
	leastStep  = 1e-3
)

// Compare is what run changes against a baseline.
func Compare(baseline, run Run) *Comparison {
	c := &Comparison{Baseline: baseline.Header, judged: told(baseline.Results), problems: map[string]bool{}, fresh: map[string]bool{}}
	for _, p := range (View{Run: baseline}).Problems() {
		c.problems[p.identity()] = true
	}
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
		c.sort(Change{Case: r.Case, Kernel: r.Kernel, Was: was.Status, Is: r.Status, Before: finite(was.ErrorRatio), After: finite(r.ErrorRatio), By: newChecks(was, r)})
	}
	for _, x := range c.New {
		c.fresh[x.Case] = true
	}
	c.lose(baseline, run)
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

// lose lists the kernels and pipelines that are not judged any more.
func (c *Comparison) lose(baseline, run Run) {
	judged, waived := told(run.Results), map[string]bool{}
	for _, r := range run.Results {
		waived[r.Kernel] = waived[r.Kernel] || r.Waiver != nil
	}
	seen := map[string]bool{}
	for _, r := range baseline.Results {
		name := r.Kernel
		if _, selected := run.find(name); selected && run.part() && !slices.ContainsFunc(run.Results, func(r suite.Result) bool { return r.Kernel == name }) {
			continue // another shard has its cases
		}
		if c.judged[name] && !judged[name] && !waived[name] && !seen[name] {
			seen[name] = true
			c.Lost = append(c.Lost, name)
		}
	}
}

// newChecks are what a case fails by that failed before, and did not fail by then.
func newChecks(was, is suite.Result) []string {
	if !fails(was.Status) || !fails(is.Status) {
		return nil
	}
	before := failedBy(was)
	return slices.DeleteFunc(failedBy(is), func(check string) bool { return slices.Contains(before, check) })
}

// failedBy are the checks that a case fails, each with the stage and the output.
func failedBy(r suite.Result) []string {
	if r.Status == suite.Error || len(r.Failures) == 0 {
		return []string{string(r.Status)}
	}
	var list []string
	for _, f := range r.Failures {
		text := string(f.Check)
		if name := f.Element(); f.Arg != "" {
			name.Index = nil
			text += " of " + name.String()
		} else if f.Stage != "" {
			text += " in " + f.Stage
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// knows reports whether the baseline has a problem of the run, too.
func (c *Comparison) knows(p Problem) bool {
	if p.Kind == ProblemKernel {
		return !c.judged[p.Name]
	}
	return c.problems[p.identity()]
}

// sort enters a case in the list that it belongs to, if any.
func (c *Comparison) sort(x Change) {
	switch {
	case fails(x.Is) && (!fails(x.Was) || len(x.By) > 0):
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
