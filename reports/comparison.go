package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"metalconform/internal/printable"
	"metalconform/reports/statistics"
	"metalconform/suite"
)

// Set is what a comparison is of.
type Set struct {
	Run
	Times Times
}

// Comparison is what a run, the head, changes against another, its base.
type Comparison struct {
	Base, Head Header
	Policy     Policy
	Differs    []string // settings that the two do not share
	Apart      []string // those for which no times are compared
	// fail or could not be judged, and did not in the base, or not in this way, or were not there
	New      []Change
	Fixed    []Change      // failed or could not be judged, and do not fail any more
	Other    []Change      // of the verdict, such as pass to skip
	Added    []string      // cases that the base lacks
	Removed  []string      // cases that the head lacks
	Lost     []string      // kernels and pipelines that the base judged and the head did not, unless a waiver says so
	Vanished []Vanished    // cases that the head did not judge, of others
	Rows     []ComparedRow // verdicts, accuracy and times, what changed the most first
	Tests    int           // that the chances of rows are adjusted for

	Crashed  error // mistakes of this program in judging either, a line each; nil: none
	Together bool  // both were judged in one process, and differ in their shaders alone

	unforecast string          // why no forecasts are compared, if there are any
	judged     map[string]bool // kernels and pipelines, in the base
	problems   map[string]bool // of the base, by their identities
	fresh      map[string]bool // the cases of New
}

// Vanished are the cases of a kernel or pipeline that the base judged and the head did not, where it judged others.
type Vanished struct {
	Kernel string   `json:"kernel"`
	Cases  []string `json:"cases"`
}

// String names the first of them.
func (v Vanished) String() string {
	return fmt.Sprintf("%s of %s, such as %s", printable.Count(len(v.Cases), "case"), v.Kernel, v.Cases[0])
}

// Change is a case in both runs.
type Change struct {
	Case, Kernel string
	Was, Is      suite.Status // Was is empty for a case that the baseline lacks
	Before       float64      // error as a fraction of its bound
	After        float64
	By           []string // checks that it fails and did not fail, where it failed before
}

// Compare is what head changes against base, by a policy.
func Compare(base, head Set, p Policy) *Comparison {
	c := &Comparison{Base: base.Header, Head: head.Header, Policy: p, judged: told(base.Results),
		problems: map[string]bool{}, fresh: map[string]bool{}}
	for _, q := range (View{Run: base.Run}).Problems() {
		c.problems[q.identity()] = true
	}
	before := map[string]suite.Result{}
	for _, r := range base.Results {
		before[r.Case] = r
	}
	there := map[string]bool{}
	for _, r := range head.Results {
		there[r.Case] = true
		was, ok := before[r.Case]
		if !ok {
			c.Added = append(c.Added, r.Case)
		}
		c.sort(Change{Case: r.Case, Kernel: r.Kernel, Was: was.Status, Is: r.Status, Before: finite(was.ErrorRatio),
			After: finite(r.ErrorRatio), By: newChecks(was, r, p.Compared)})
	}
	for _, x := range c.New {
		c.fresh[x.Case] = true
	}
	c.lose(base.Run, head.Run)
	c.vanish(base.Run, head.Run)
	for _, r := range base.Results {
		if !there[r.Case] {
			c.Removed = append(c.Removed, r.Case)
		}
	}
	for _, list := range [][]Change{c.New, c.Fixed} {
		slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(b.step(), a.step()) })
	}
	c.Differs = unlike(base.Header, head.Header)
	c.Rows = append(c.verdicts(base.Results, head.Results), c.accuracies(before, head.Results)...)
	c.Rows = append(c.Rows, c.speeds(base, head)...)
	c.Rows = append(c.Rows, c.works(before, head.Results)...)
	forecasts := c.forecasts(before, head.Results)
	if len(forecasts) == 0 {
		c.unforecast = unforecast(base.Results, head.Results)
	}
	c.Rows = append(c.Rows, forecasts...)
	c.Tests = judge(c.Rows, p)
	sortRows(c.Rows)
	return c
}

// unlike says which settings that figures depend on two runs do not share.
func unlike(base, head Header) []string {
	settings := func(h Header) Header {
		return Header{Device: h.Device, Host: Host{OS: h.Host.OS, Arch: h.Host.Arch}, Options: h.Options}
	}
	return differences(settings(base), settings(head))
}

// verdicts has a row for each kernel of either run.
func (c *Comparison) verdicts(base, head []suite.Result) []ComparedRow {
	var rows []ComparedRow
	index := map[string]int{}
	for side, results := range [][]suite.Result{base, head} {
		for _, r := range results {
			i, ok := index[r.Kernel]
			if !ok {
				i = len(rows)
				index[r.Kernel] = i
				rows = append(rows,
					ComparedRow{Aspect: Verdicts, Name: r.Kernel, Family: r.Family, Verdict: statistics.Unchanged,
						Measures: []Measure{{Of: "failing", P: 1, Verdict: statistics.Unchanged}}})
			}
			rows[i].Samples[side]++
			if fails(r.Status) {
				*[]*float64{&rows[i].Measures[0].Base, &rows[i].Measures[0].Head}[side]++
			}
		}
	}
	set := func(kernel string, v statistics.Verdict) {
		if m := &rows[index[kernel]].Measures[0]; rank(v) > rank(m.Verdict) {
			m.Verdict, m.P = v, 0
		}
	}
	for _, x := range c.Fixed {
		set(x.Kernel, statistics.Improved)
	}
	for _, x := range c.New {
		set(x.Kernel, statistics.Regressed)
	}
	for _, name := range c.Lost {
		set(name, statistics.Regressed)
		rows[index[name]].Why = "no longer judged"
	}
	for _, v := range c.Vanished {
		set(v.Kernel, statistics.Regressed)
		rows[index[v.Kernel]].Why = "no longer judged: " + v.String()
	}
	for i := range rows {
		m := &rows[i].Measures[0]
		m.Change = suite.Value(m.Head - m.Base)
		m.Low, m.High = m.Change, m.Change
	}
	return rows
}

// accuracies has a row for each kernel that has errors to compare.
func (c *Comparison) accuracies(before map[string]suite.Result, head []suite.Result) []ComparedRow {
	var names []string
	pairs := map[string][]pair{}
	for _, r := range head {
		was, ok := before[r.Case]
		if !ok || was.Status != suite.Pass || r.Status != suite.Pass || r.Elements == 0 {
			continue
		}
		if pairs[r.Kernel] == nil {
			names = append(names, r.Kernel)
		}
		pairs[r.Kernel] = append(pairs[r.Kernel], pair{was, r})
	}
	var rows []ComparedRow
	for _, name := range names {
		rows = append(rows, accuracy(name, pairs[name], c.Base.Options.Seed == c.Head.Options.Seed, c.Policy))
	}
	return rows
}

// speeds has a row for each case that both sets have times of, if they are comparable.
func (c *Comparison) speeds(base, head Set) []ComparedRow {
	if len(base.Times.Seconds) == 0 || len(head.Times.Seconds) == 0 {
		return nil
	}
	if c.Apart = base.Times.apart(head.Times); len(c.Apart) > 0 {
		return nil
	}
	families := map[string]string{}
	for _, r := range head.Results {
		families[r.Case] = r.Family
	}
	var rows []ComparedRow
	for _, name := range slices.Sorted(maps.Keys(head.Times.Seconds)) {
		if was := base.Times.Seconds[name]; len(was) > 0 {
			rows = append(rows, speed(name, families[name], was, head.Times.Seconds[name], base.Times.Self[name],
				c.Policy))
		}
	}
	return rows
}

// Regressions are the rows that fail by the policy.
func (c *Comparison) Regressions() []ComparedRow {
	var list []ComparedRow
	for _, r := range c.Rows {
		if r.Verdict == statistics.Regressed && slices.Contains(c.Policy.Fail, r.Aspect) &&
			(r.Aspect != Speed || Gated(c.Head.Device)) {
			list = append(list, r)
		}
	}
	return list
}

// Count is the number of rows of an aspect with a verdict.
func (c *Comparison) Count(a Aspect, v statistics.Verdict) int {
	n := 0
	for _, r := range c.Rows {
		if r.Aspect == a && r.Verdict == v {
			n++
		}
	}
	return n
}

// lose lists the kernels and pipelines that are no longer judged.
func (c *Comparison) lose(baseline, run Run) {
	judged, waived := told(run.Results), map[string]bool{}
	for _, r := range run.Results {
		waived[r.Kernel] = waived[r.Kernel] || r.Waiver != nil
	}
	seen := map[string]bool{}
	for _, r := range baseline.Results {
		name := r.Kernel
		if _, selected := run.find(name); selected && run.part() &&
			!slices.ContainsFunc(run.Results, func(r suite.Result) bool { return r.Kernel == name }) {
			continue // another shard has its cases
		}
		if c.judged[name] && !judged[name] && !waived[name] && !seen[name] {
			seen[name] = true
			c.Lost = append(c.Lost, name)
		}
	}
}

// vanish lists the cases that are no longer judged, of kernels that are. Runs of which one was asked for less, by
// another selection or sweep or as a shard, differ by that. Where elements have to be compared, a case of which less
// than half as many are decided counts as not judged.
func (c *Comparison) vanish(baseline, run Run) {
	if run.part() || baseline.Options.Run != run.Options.Run || baseline.Options.Sweep != run.Options.Sweep ||
		run.Ending == nil {
		return
	}
	judged := told(run.Results)
	now := map[string]suite.Result{}
	for _, r := range run.Results {
		now[r.Case] = r
	}
	index := map[string]int{}
	for _, r := range baseline.Results {
		is := now[r.Case]
		less := c.Policy.Compared && !fails(is.Status) && 2*decided(is) < decided(r)
		if !tells(r) || !judged[r.Kernel] || is.Waiver != nil || tells(is) && !less {
			continue
		}
		i, ok := index[r.Kernel]
		if !ok {
			i = len(c.Vanished)
			index[r.Kernel] = i
			c.Vanished = append(c.Vanished, Vanished{Kernel: r.Kernel})
		}
		c.Vanished[i].Cases = append(c.Vanished[i].Cases, r.Case)
	}
}

// decided is the number of elements of a case that were compared with what is known of them.
func decided(r suite.Result) int {
	n := r.Elements - r.Open
	if r.Unjudged != nil {
		n -= r.Unjudged.Held
	}
	return n
}

// newChecks are what a case fails by that failed before, and did not fail by then, or by less. If elements have to be
// compared, nobody knows whether it is the same where none were.
func newChecks(was, is suite.Result, compared bool) []string {
	if !fails(was.Status) || !fails(is.Status) {
		return nil
	}
	if compared && (is.Status == suite.Error || was.Elements == 0 || is.Elements == 0) {
		return failedBy(is)
	}
	before := failedBy(was)
	list := slices.DeleteFunc(failedBy(is), func(check string) bool { return slices.Contains(before, check) })
	for _, f := range is.Failures {
		i := slices.IndexFunc(was.Failures, func(o suite.Failure) bool { return failureKey(o) == failureKey(f) })
		if i >= 0 && worse(was.Failures[i], f) && !slices.Contains(list, failureKey(f)) {
			list = append(list, failureKey(f)+", by more")
		}
	}
	return list
}

// growth that makes a failure another one: rounding may move it a little.
const worseFailure = 1.1

// worse reports whether a failure is of more elements than the same one was, or further off.
func worse(was, is suite.Failure) bool {
	share := func(f suite.Failure) float64 { return float64(f.Count) / float64(max(f.Of, 1)) }
	return share(is) > worseFailure*share(was) || finite(is.ErrorRatio) > worseFailure*finite(was.ErrorRatio)
}

// failedBy are the checks that a case fails, each with the stage and the output.
func failedBy(r suite.Result) []string {
	if r.Status == suite.Error || len(r.Failures) == 0 {
		return []string{string(r.Status)}
	}
	var list []string
	for _, f := range r.Failures {
		text := failureKey(f)
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return list
}

// failureKey is what makes a failure the same in two runs: its check, with the stage and the output.
func failureKey(f suite.Failure) string {
	text := string(f.Check)
	if name := f.Element(); f.Arg != "" {
		name.Index = nil
		text += " of " + name.String()
	} else if f.Stage != "" {
		text += " in " + f.Stage
	}
	return text
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
	}
}

// fails reports whether a verdict fails a run.
func fails(s suite.Status) bool { return s == suite.Fail || s == suite.Error }

// step is how far the error moved.
func (x Change) step() float64 { return max(x.After-x.Before, x.Before-x.After) }
