package reports

import (
	"fmt"
	"io"
	"strings"
)

// Text writes a run for a terminal: the verdict first, then what it is about, what
// is wrong, what has changed, and the table.
func Text(w io.Writer, v View) error {
	s := DefaultStyle
	s.Colour = v.Colour
	var b strings.Builder
	t := NewTable(v.Results, v.Metrics)
	if err := s.Verdict(&b, t, v.shard().Cases, v.Elapsed()); err != nil {
		return err
	}
	b.WriteString(strings.Join(about(v.Header), "\n") + "\n")
	for _, text := range v.warnings() {
		fmt.Fprintf(&b, "%s\n", s.paint(red, text))
	}
	b.WriteByte('\n')
	if err := s.Failures(&b, t); err != nil {
		return err
	}
	if err := s.Warnings(&b, t); err != nil {
		return err
	}
	if v.Against != nil {
		s.comparison(&b, *v.Against)
	}
	if err := s.Rows(&b, t); err != nil {
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
	if h.Commit != "" {
		text += ", commit " + h.Commit
	}
	if h.Shard != nil {
		text += fmt.Sprintf(", shard %d of %d", h.Shard.Index, h.Shard.Of)
	}
	return []string{machine, text}
}

// warnings are what a reader has to know of a run beside its cases: declarations
// that are out of date, and what the files lack.
func (r Run) warnings() []string {
	list := append([]string(nil), r.Stale()...)
	for _, f := range r.Flaws {
		text := f.Error()
		if f.File != "" {
			text = "left out: " + text
		}
		list = append(list, text)
	}
	return list
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
		{"new failures", c.New}, {"fixed", c.Fixed}, {"other verdicts", c.Other}, {"worse", c.Worse}, {"better", c.Better},
	} {
		var lines []string
		for _, x := range g.list {
			lines = append(lines, x.String())
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

// String is the case with its verdicts and errors in both runs.
func (x Change) String() string {
	switch {
	case x.Was == "":
		return fmt.Sprintf("%s: %s, not in the baseline", x.Case, x.Is)
	case x.Was != x.Is:
		return fmt.Sprintf("%s: %s, was %s; %s of bound, was %s", x.Case, x.Is, x.Was, Figure(x.After), Figure(x.Before))
	}
	return fmt.Sprintf("%s: %s of bound, was %s", x.Case, Figure(x.After), Figure(x.Before))
}

// comparison writes the first of every group.
func (s Style) comparison(b *strings.Builder, c Comparison) {
	fmt.Fprintf(b, "against %s\n", c.against())
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
	b.WriteByte('\n')
}

// against names the baseline and says whether anything changed.
func (c Comparison) against() string {
	text := "the baseline"
	if c.Baseline.Commit != "" {
		text += ", commit " + c.Baseline.Commit
	}
	if len(c.groups()) == 0 {
		text += ": no change"
	}
	return text
}
