package html

import (
	"cmp"
	"fmt"
	"slices"

	"metalconform/reports"
	"metalconform/reports/statistics"
	"metalconform/suite"
)

// front is the first page.
type front struct {
	Banner   banner
	Tiles    []tile
	About    [][2]string // what the run was
	Problems []string
	Warnings []string
	Failures []failureRow
	More     int // failures of other kinds that are not shown
	Failing  int // cases
	Against  string
	Changes  []changes
	Summary  []string // of the changes
	Matrix   []matrixRow
	Shown    string         // how many kernels have pages; "" if all do
	Modes    *reports.Modes // nil for one
	Families []familyRow
	Figures  *gallery
	Skips    []reports.Skip
	Notes    []reports.Note
	Kernel   func(name string) string // page of a kernel
}

// banner answers whether the kernels conform.
type banner struct {
	Class, Glyph, Verdict, Detail string
}

// tile is a count of cases with one verdict.
type tile struct {
	Verdict verdict
	Count   int
	Means   string
}

// failureRow is a case that failed, and how many more of its kernel say the same.
type failureRow struct {
	Case, Page   string
	Verdict      verdict
	Check, What  string
	Element      *element // nil if it is about none
	At, AtPage   string   // of a finding in the source
	Also         int
	AlsoSelected string // their list
}

// changes is one of the lists of a comparison.
type changes struct {
	Title string
	Bad   bool
	Count int
	Rows  []changeRow
	Cases []string
}

type changeRow struct {
	Case, Page    string
	Was, Is       *verdict
	Before, After float64
	Same          bool // the verdict
}

// What the front page shows of each list.
const (
	mostFailures = 10
	mostChanges  = 8
)

func (s *site) frontPage(w writer) error {
	f := front{
		Banner: s.banner(), Tiles: s.tiles(), About: s.about(), Matrix: s.matrix(""), Families: s.familyRows(),
		Skips: s.table.Skips, Notes: s.table.Notes, Modes: s.table.Modes,
		Kernel:  func(name string) string { return s.names.kernel[name] },
		Failing: s.table.Count(suite.Fail) + s.table.Count(suite.Error), Figures: s.pictures("", false),
	}
	if n := len(s.table.Rows); n > len(s.shown) {
		f.Shown = fmt.Sprintf("%s of %s have pages and figures of their own, those that fail first",
			reports.Grouped(len(s.shown)), reports.Number(n, "kernel"))
	}
	for _, p := range s.table.Problems {
		if !p.Known {
			f.Problems = append(f.Problems, p.Whole())
		}
	}
	for _, flaw := range s.Flaws {
		if s.Live && flaw.Open {
			continue
		}
		f.Warnings = append(f.Warnings, "left out: "+flaw.Error())
	}
	for _, n := range s.table.Warnings {
		f.Warnings = append(f.Warnings, fmt.Sprintf("%s: %s (%s)", n.Kernel, n.Text, reports.Number(n.Cases, "case")))
	}
	indices := s.indices()
	for _, x := range s.table.Failures[:min(mostFailures, len(s.table.Failures))] {
		f.Failures = append(f.Failures, s.failureRow(indices[x.Case], x.Also))
	}
	f.More = len(s.table.Failures) - len(f.Failures)
	if c := s.View.Against; c != nil {
		f.Against = cmp.Or(c.Base.Commit, "an earlier run")
		f.Changes = s.changes(*c, indices)
		for _, g := range f.Changes {
			f.Summary = append(f.Summary, fmt.Sprintf("%s: %s", g.Title, reports.Grouped(g.Count)))
		}
		if n := c.Count(reports.Accuracy, statistics.Regressed); n > 0 {
			f.Summary = append(f.Summary, fmt.Sprintf("Less accurate: %s", reports.Number(n, "kernel")))
		}
	}
	return s.render(w, "index.html", "front", f.Banner.Verdict, nil, f)
}

// running reports whether cases are still to come.
func (s *site) running() bool { return s.Live && s.Ending == nil }

// progress says how far the run is.
func (s *site) progress() string {
	return fmt.Sprintf("%s of %s", reports.Grouped(s.table.Cases()), reports.Number(s.Planned, "case"))
}

// banner is the verdict on the run, with how much was judged.
func (s *site) banner() banner {
	t := s.table
	took := ""
	if s.Ending != nil {
		took = ", judged in " + reports.Duration(s.Elapsed())
	}
	b := banner{Detail: fmt.Sprintf("%s of %s, %s%s.", reports.Number(t.Cases(), "case"), t.Subjects(),
		reports.Number(elements(t), "element"), took)}
	if s.running() {
		t.Lacks = nil // they are still to come
	}
	verdict := t.Verdict()
	b.Verdict = verdict.String()
	switch {
	case verdict.Outcome == reports.Failed:
		b.Class, b.Glyph = "fail", "✗"
	case s.running():
		b.Class, b.Glyph, b.Verdict = "open", "…", "Running: "+s.progress()
		b.Detail = "No failure so far: " + b.Detail
		return b
	case verdict.Outcome == reports.NotJudged:
		b.Class, b.Glyph = "open", "!"
	case t.Cases() == t.Count(suite.Skip):
		b.Class, b.Glyph = "open", "–"
	default:
		b.Class, b.Glyph = "pass", "✓"
	}
	if s.running() {
		b.Detail += " Running: " + s.progress() + "."
	}
	return b
}

// elements are all that were judged.
func elements(t reports.Table) int {
	n := 0
	for _, r := range t.Rows {
		n += r.Judged - r.Open
	}
	return n
}

// tiles count the verdicts that there are, and passes and failures always.
func (s *site) tiles() []tile {
	means := map[suite.Status]string{
		suite.Pass: "every element within its bound", suite.Fail: "not what the contract promises",
		suite.Error:    "could not be judged",
		suite.Expected: "fail, as is declared", suite.Waived: "declared to be let through",
		suite.Skip: "nothing to judge", reports.Known: "as in the baseline",
	}
	var list []tile
	for _, status := range []suite.Status{suite.Fail, suite.Error, reports.Known, suite.Pass, suite.Expected,
		suite.Waived, suite.Skip} {
		n := s.table.Count(status)
		if n > 0 || status == suite.Pass || status == suite.Fail {
			list = append(list, tile{newVerdict(status), n, means[status]})
		}
	}
	return list
}

// about says what the run was, by what.
func (s *site) about() [][2]string {
	h := s.Header
	device := h.Device.Name
	if h.Device.Detail != "" {
		device += " (" + h.Device.Detail + ")"
	}
	list := [][2]string{
		{"device", h.Device.Backend + ": " + device},
		{"host", h.Host.String()},
		{"kernels", h.Root},
		{"commit", h.Commit},
		{"sweep", fmt.Sprintf("%s, seed %d", h.Options.Sweep, h.Options.Seed)},
		{"cases", h.Options.Run},
		{"flags", h.Options.Flags},
		{"conform", h.Conform},
	}
	if h.Options.Repeat > 0 {
		list = append(list, [2]string{"launches", fmt.Sprintf("%d of each case", h.Options.Repeat)})
	}
	if h.Options.Exact {
		list = append(list, [2]string{"exact execution", "formula and rounding are judged apart from the bound"})
	}
	if !h.Started.IsZero() {
		list = append(list, [2]string{"started", h.Started.UTC().Format("2006-01-02 15:04 UTC")})
	}
	if h.Shard != nil {
		list = append(list, [2]string{"shard", fmt.Sprintf("%d of %d", h.Shard.Index, h.Shard.Of)})
	}
	kept := list[:0]
	for _, x := range list {
		if x[1] != "" {
			kept = append(kept, x)
		}
	}
	return kept
}

// failureRow shows the case of an index in Results by its worst failure.
func (s *site) failureRow(index, also int) failureRow {
	r := s.Results[index]
	row := failureRow{Case: r.Case, Page: s.casePage(index), Verdict: newVerdict(r.Status), Also: also,
		What: r.Headline()}
	row.AlsoSelected = s.names.kernel[r.Kernel] + "#status=fail"
	if f := gravest(r); f != nil {
		row.Check = string(f.Check)
		row.Element = s.element(r, *f)
		if f.At != nil {
			row.At, row.AtPage = fmt.Sprintf("%s:%d", f.At.File, f.At.Line), s.lineAnchor(f.At.File, f.At.Line)
		}
	}
	return row
}

// gravest is the failure of a case that is shown for all: the one that is the
// furthest from its bound. nil if there is none.
func gravest(r suite.Result) *suite.Failure {
	var worst *suite.Failure
	for i := range r.Failures {
		if f := &r.Failures[i]; worst == nil || f.ErrorRatio > worst.ErrorRatio {
			worst = f
		}
	}
	return worst
}

// casePage is where a case is shown: its own page, or its row on its kernel's,
// or the kernel's page for one that has neither.
func (s *site) casePage(index int) string {
	if page, ok := s.names.paged[index]; ok {
		return page
	}
	r := s.Results[index]
	if !s.unlisted[index] {
		return fmt.Sprintf("%s#c%d", s.names.kernel[r.Kernel], index)
	}
	return s.names.kernel[r.Kernel]
}

// changes are the lists of a comparison that are not empty.
func (s *site) changes(c reports.Comparison, indices map[string]int) []changes {
	var groups []changes
	for _, g := range []struct {
		title string
		bad   bool
		list  []reports.Change
	}{
		{"New failures", true, c.New}, {"Fixed", false, c.Fixed}, {"Other verdicts", false, c.Other},
	} {
		if len(g.list) == 0 {
			continue
		}
		group := changes{Title: g.title, Bad: g.bad, Count: len(g.list)}
		for _, x := range g.list[:min(mostChanges, len(g.list))] {
			row := changeRow{Case: x.Case, Page: s.casePage(indices[x.Case]), Before: x.Before, After: x.After,
				Same: x.Was == x.Is}
			is := newVerdict(x.Is)
			if row.Is = &is; x.Was != "" {
				was := newVerdict(x.Was)
				row.Was = &was
			}
			group.Rows = append(group.Rows, row)
		}
		groups = append(groups, group)
	}
	gone := slices.Clone(c.Lost)
	for _, v := range c.Vanished {
		gone = append(gone, v.String())
	}
	for _, g := range []struct {
		title string
		bad   bool
		cases []string
	}{{"Not judged any more", true, gone}, {"Added cases", false, c.Added}, {"Removed cases", false, c.Removed}} {
		if n := len(g.cases); n > 0 {
			groups = append(groups, changes{Title: g.title, Bad: g.bad, Count: n, Cases: g.cases[:min(mostChanges, n)]})
		}
	}
	return groups
}
