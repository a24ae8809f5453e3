package html

import (
	"fmt"
	"math"
	"strings"

	"metalconform/reports"
	"metalconform/suite/mutate"
)

// mutantsBody is the page of mutants.
type mutantsBody struct {
	Header     reports.MutationHeader
	Score      string
	Interval   string // of all mutants, if those judged are a sample; else empty
	Total      reports.Score
	Missing    int // mutants that an unfinished log lacks
	Parts      []scorePart
	Killers    []reports.Killer
	Survivors  []mutant
	Broken     []mutate.Mutant
	Equivalent int
	Duplicate  int
	Invalid    int
}

// scorePart is a table of scores.
type scorePart struct {
	Head string
	Rows []scoreRow
}

// scoreRow is a score with its parts.
type scoreRow struct {
	Name                              string
	All, Killed, Survived, Equivalent int
	Value                             string
	Share                             int
}

// mutant is a survivor.
type mutant struct {
	mutate.Mutant
	Source string // its line
	Lines  []diffLine
}

// diffLine is a line of a diff.
type diffLine struct{ Kind, Text string }

func (s *site) mutantsPage(w writer) error {
	if s.Mutants == nil {
		return nil
	}
	t := reports.NewMutationTable(s.Mutants.Mutants)
	b := mutantsBody{
		Header: s.Mutants.MutationHeader, Score: percent(t.Total.Value()), Total: t.Total, Killers: t.Killers,
		Broken:     t.Broken,
		Equivalent: t.Total.Fates[mutate.Equivalent], Duplicate: t.Total.Fates[mutate.Duplicate],
		Invalid: t.Total.Fates[mutate.Invalid],
		Missing: max(s.Mutants.MutationHeader.Mutants-len(s.Mutants.Mutants), 0),
	}
	if low, high := t.Total.Interval(); s.Mutants.Sample > 0 && t.Total.Judged() > 0 {
		b.Interval = fmt.Sprintf("%s to %s", percent(low), percent(high))
	}
	for _, part := range []struct {
		head string
		rows []reports.Score
	}{{"family", t.Families}, {"kernel", t.Kernels}, {"operator", t.Operators}} {
		b.Parts = append(b.Parts, newScorePart(part.head, part.rows))
	}
	for _, m := range t.Survivors {
		b.Survivors = append(b.Survivors, mutant{m, s.lineAnchor(m.File, m.Line), diff(m.Diff)})
	}
	return s.render(w, "mutants.html", "mutants", "Mutants", nil, b)
}

func newScorePart(head string, scores []reports.Score) scorePart {
	part := scorePart{Head: head}
	for _, x := range scores {
		row := scoreRow{
			Name: x.Name, All: x.All(), Killed: x.Fates[mutate.Killed], Survived: x.Fates[mutate.Survived],
			Equivalent: x.Fates[mutate.Equivalent], Value: percent(x.Value()),
		}
		if !math.IsNaN(x.Value()) {
			row.Share = int(100 * x.Value())
		}
		part.Rows = append(part.Rows, row)
	}
	return part
}

// diff is a diff by lines.
func diff(text string) []diffLine {
	var list []diffLine
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		kind := ""
		switch {
		case strings.HasPrefix(line, "-"):
			kind = "minus"
		case strings.HasPrefix(line, "+"):
			kind = "plus"
		}
		list = append(list, diffLine{kind, line})
	}
	return list
}

// percent is a part of one to a tenth of a per cent; a dash for NaN.
func percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}
