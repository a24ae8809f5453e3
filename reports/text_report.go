package reports

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"metalconform/reports/statistics"
)

// Text writes a run for a terminal: the verdict first, then what it is about, what
// is wrong, what has changed, and the table.
func Text(w io.Writer, v View) error {
	s := DefaultStyle
	s.Colour = v.Colour
	var b strings.Builder
	t := v.Table()
	if err := s.Verdict(&b, t, v.shard().Cases, v.Elapsed()); err != nil {
		return err
	}
	b.WriteString(strings.Join(about(v.Header), "\n") + "\n")
	for _, text := range v.flaws() {
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
	if h.Options.Exact {
		text += ", -exact"
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
		var lines []string
		for _, x := range g.list {
			lines = append(lines, x.String())
		}
		groups = append(groups, changeGroup{g.title, lines})
	}
	gone := slices.Clone(c.Lost)
	for _, v := range c.Vanished {
		gone = append(gone, v.String())
	}
	groups = append(groups, changeGroup{"not judged any more", gone})
	for _, g := range rowGroups {
		var lines []string
		for _, r := range c.Rows {
			if r.Aspect == g.aspect && r.Verdict == g.verdict && r.tells() {
				lines = append(lines, r.String())
			}
		}
		groups = append(groups, changeGroup{g.title, lines})
	}
	groups = append(groups, changeGroup{"added", c.Added}, changeGroup{"removed", c.Removed})
	kept := groups[:0]
	for _, g := range groups {
		if len(g.lines) > 0 {
			kept = append(kept, g)
		}
	}
	return kept
}

// rowGroups are the rows of a comparison that readers meet, with what they are called.
var rowGroups = []struct {
	title   string
	aspect  Aspect
	verdict statistics.Verdict
}{
	{"less accurate", Accuracy, statistics.Regressed},
	{"more accurate", Accuracy, statistics.Improved},
	{"perhaps of another accuracy", Accuracy, statistics.Inconclusive},
	{"slower", Speed, statistics.Regressed},
	{"faster", Speed, statistics.Improved},
	{"perhaps of another speed", Speed, statistics.Inconclusive},
	{"slower by counted work", Counted, statistics.Regressed},
	{"less work", Counted, statistics.Improved},
	{"slower by forecast", Expected, statistics.Regressed},
	{"faster by forecast", Expected, statistics.Improved},
	{"perhaps of another speed by forecast", Expected, statistics.Inconclusive},
}

// String is the case with its verdicts and errors in both runs.
func (x Change) String() string {
	switch {
	case x.Was == "":
		return fmt.Sprintf("%s: %s, not in the baseline", x.Case, x.Is)
	case len(x.By) > 0:
		return fmt.Sprintf("%s: %s by %s, was %s by other checks; %s of bound, was %s", x.Case, x.Is,
			strings.Join(x.By, ", "), x.Was, Figure(x.After), Figure(x.Before))
	case x.Was != x.Is:
		return fmt.Sprintf("%s: %s, was %s; %s of bound, was %s", x.Case, x.Is, x.Was, Figure(x.After),
			Figure(x.Before))
	}
	return fmt.Sprintf("%s: %s of bound, was %s", x.Case, Figure(x.After), Figure(x.Before))
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
		fmt.Fprintf(b, "%s: %d\n", g.title, len(g.lines))
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
