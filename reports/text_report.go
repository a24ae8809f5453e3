package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/reports/statistics"
	"metalconform/suite"
)

// Text writes a run for a terminal: the verdict first, then what it is about, what
// is wrong, what has changed, and the table.
func Text(w io.Writer, v View) error {
	s := DefaultStyle
	s.Colour = v.Colour
	var b strings.Builder
	t := v.Table()
	if err := cmp.Or(s.Verdict(&b, t), s.Scope(&b, t, v.shard().Cases, v.Elapsed())); err != nil {
		return err
	}
	b.WriteString(strings.Join(about(v.Header), "\n") + "\n")
	for _, text := range v.lacks() {
		fmt.Fprintf(&b, "%s\n", s.paint(red, text))
	}
	b.WriteByte('\n')
	if err := s.Failures(&b, t); err != nil {
		return err
	}
	if err := s.Warnings(&b, t); err != nil {
		return err
	}
	if err := s.Changes(&b, v); err != nil {
		return err
	}
	if err := s.Rows(&b, t); err != nil {
		return err
	}
	if err := s.Modes(&b, t); err != nil {
		return err
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// QuietText writes the verdict and what fails, and nothing else.
func QuietText(w io.Writer, v View) error {
	s, t := DefaultStyle, v.Table()
	s.Colour = v.Colour
	return cmp.Or(s.Verdict(w, t), s.Failures(w, t))
}

// about says in two lines what a run was.
func about(h Header) []string {
	device := h.Device.Name
	if h.Device.Detail != "" {
		device += " (" + h.Device.Detail + ")"
	}
	machine := fmt.Sprintf("%s: %s; %s", h.Device.Backend, device, h.Host)
	text := fmt.Sprintf("%s sweep, seed %d", h.Options.Sweep, h.Options.Seed)
	if h.Options.Run != "" {
		text += ", cases with " + h.Options.Run
	}
	if h.Options.Flags != "" {
		text += ", " + h.Options.Flags
	}
	if h.Options.Repeat > 0 {
		text += fmt.Sprintf(", -repeat %d", h.Options.Repeat)
	}
	if h.Commit != "" {
		text += ", commit " + h.Commit
	}
	if h.Shard != nil {
		text += fmt.Sprintf(", shard %d of %d", h.Shard.Index, h.Shard.Of)
	}
	return []string{machine, text}
}

// changeGroup is one of the lists of a comparison under its title.
type changeGroup struct {
	title string
	count int // of what the lines are about
	lines []string
}

// groups are the lists of a comparison that are not empty, as text.
func (c Comparison) groups() []changeGroup {
	var groups []changeGroup
	for _, g := range []struct {
		title string
		list  []Change
	}{
		{"new failures", c.New}, {"fixed", c.Fixed}, {"other verdicts", c.Other},
	} {
		groups = append(groups, changeGroup{g.title, len(g.list), changeLines(g.list)})
	}
	gone := slices.Clone(c.Lost)
	for _, v := range c.Vanished {
		gone = append(gone, v.String())
	}
	groups = append(groups, changeGroup{"no longer judged", len(gone), gone})
	for _, g := range rowGroups {
		var lines []string
		for _, r := range c.Rows {
			if r.Aspect == g.aspect && r.Verdict == g.verdict && r.tells() {
				lines = append(lines, r.String())
			}
		}
		groups = append(groups, changeGroup{g.title, len(lines), lines})
	}
	groups = append(groups, changeGroup{"added", len(c.Added), caseLines(c.Added)},
		changeGroup{"removed", len(c.Removed), caseLines(c.Removed)})
	kept := groups[:0]
	for _, g := range groups {
		if len(g.lines) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// mostAlike is how many cases of a kernel that changed in the same way are listed one by one.
const mostAlike = 3

// changeLines has a line for each change, and one for many of a kernel that are alike.
func changeLines(list []Change) []string {
	type kind struct {
		kernel  string
		was, is suite.Status
	}
	alike := map[kind]int{}
	own := func(x Change) bool { return len(x.By) > 0 || x.errors() != "" } // says something of its own
	for _, x := range list {
		if !own(x) {
			alike[kind{x.Kernel, x.Was, x.Is}]++
		}
	}
	var lines []string
	for _, x := range list {
		k := kind{x.Kernel, x.Was, x.Is}
		switch n := alike[k]; {
		case own(x):
			lines = append(lines, x.String())
		case n < 0:
		case n <= mostAlike:
			lines = append(lines, x.String())
		default:
			lines = append(lines, fmt.Sprintf("%s: %s, was %s, in %s", x.Kernel, x.Is, x.Was, printable.Count(n,
				"case")))
			alike[k] = -1
		}
	}
	return lines
}

// caseLines has a line for each case, and one for many of a kernel.
func caseLines(names []string) []string {
	of := map[string]int{}
	kernel := func(name string) string {
		before, _, _ := strings.Cut(name, "/")
		return before
	}
	for _, name := range names {
		of[kernel(name)]++
	}
	var lines []string
	for _, name := range names {
		k := kernel(name)
		switch n := of[k]; {
		case n < 0:
		case n <= mostAlike:
			lines = append(lines, name)
		default:
			lines = append(lines, fmt.Sprintf("%s of %s, such as %s", printable.Count(n, "case"), k, name))
			of[k] = -1
		}
	}
	return lines
}

// rowGroups are the rows of a comparison that readers meet, with what they are called.
var rowGroups = []struct {
	title   string
	aspect  Aspect
	verdict statistics.Verdict
}{
	{"less accurate", Accuracy, statistics.Regressed},
	{"more accurate", Accuracy, statistics.Improved},
	{"accuracy not decided", Accuracy, statistics.Inconclusive},
	{"slower", Speed, statistics.Regressed},
	{"faster", Speed, statistics.Improved},
	{"speed not decided", Speed, statistics.Inconclusive},
	{"slower by counted work", Counted, statistics.Regressed},
	{"less work", Counted, statistics.Improved},
	{"slower by forecast", Expected, statistics.Regressed},
	{"faster by forecast", Expected, statistics.Improved},
}

// String is the case with its verdicts and errors in both runs.
func (x Change) String() string {
	text := fmt.Sprintf("%s: %s", x.Case, x.Is)
	switch {
	case x.Was == "":
		return text + ", not in the baseline"
	case len(x.By) > 0:
		text += " for another reason than before: " + strings.Join(x.By, ", ")
	case x.Was != x.Is:
		text += fmt.Sprintf(", was %s", x.Was)
	}
	return text + x.errors()
}

// errors are the errors in both runs, where both are fractions of a bound.
func (x Change) errors() string {
	judged := func(s suite.Status) bool { return s != suite.Skip && s != suite.Error }
	if !judged(x.Was) || !judged(x.Is) || Unbounded(x.Before) || Unbounded(x.After) || x.Before == x.After {
		return ""
	}
	return fmt.Sprintf("; %s of bound, was %s", Figure(x.After), Figure(x.Before))
}

// Changes writes what has changed since the baseline, the first of every group. It
// writes nothing if there is none.
func (s Style) Changes(w io.Writer, v View) error {
	if v.Against == nil {
		return nil
	}
	var b strings.Builder
	fmt.Fprintf(&b, "against %s\n", v.Against.against())
	s.groups(&b, v.Against)
	b.WriteByte('\n')
	_, err := io.WriteString(w, b.String())
	return err
}

// groups writes the first of every group.
func (s Style) groups(b *strings.Builder, c *Comparison) {
	for _, g := range c.groups() {
		fmt.Fprintf(b, "%s: %d\n", g.title, g.count)
		for i, line := range g.lines {
			if i == s.MaxFailures {
				fmt.Fprintf(b, "\tand %d more\n", len(g.lines)-i)
				break
			}
			fmt.Fprintf(b, "\t%s\n", line)
		}
	}
}

// name names the baseline.
func (c Comparison) name() string {
	if c.Base.Commit != "" {
		return "the baseline, commit " + c.Base.Commit
	}
	return "the baseline"
}

// against names the baseline and says whether anything changed.
func (c Comparison) against() string {
	text := c.name()
	if len(c.groups()) == 0 {
		text += ": no change"
	}
	return text
}
