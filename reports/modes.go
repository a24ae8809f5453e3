package reports

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Modes compares the arithmetic in which kernels were built: kernel × mode.
type Modes struct {
	Names []string // in order of first appearance
	Rows  []ModeRow
}

// ModeRow is a kernel in all modes.
type ModeRow struct {
	Kernel string
	In     []ModeCell // by mode
}

// ModeCell are the cases of a kernel in one mode. Errors are the largest of a case in units
// of u·Σ|terms|; of results that are no sums, of u·|want|.
type ModeCell struct {
	Count  map[suite.Status]int
	Judged int     // cases with an error to measure
	Median float64 // of their errors
	Worst  float64 // of them
}

// loses is the factor by which errors have to grow for a kernel to be named.
const loses = 4

// NewModes sums results up by the mode that their kernels were built in; nil if that is one.
func NewModes(results []suite.Result) *Modes {
	m := &Modes{}
	for _, r := range results {
		if name := modeOf(r); !slices.Contains(m.Names, name) {
			m.Names = append(m.Names, name)
		}
	}
	if len(m.Names) < 2 {
		return nil
	}
	scaled, _ := metrics.All().Find(metrics.Scaled)
	index := map[string]int{}
	errors := map[*ModeCell][]float64{}
	for _, r := range results {
		if r.Pipeline {
			continue // which are built in one mode only
		}
		i, ok := index[r.Kernel]
		if !ok {
			i = len(m.Rows)
			index[r.Kernel] = i
			m.Rows = append(m.Rows, ModeRow{r.Kernel, make([]ModeCell, len(m.Names))})
		}
		c := &m.Rows[i].In[slices.Index(m.Names, modeOf(r))]
		if c.Count == nil {
			c.Count = map[suite.Status]int{}
		}
		c.Count[r.Status]++
		if x, ok := scaled.Of(r.Outputs); ok && r.Elements > 0 && !flushes(r) {
			errors[c] = append(errors[c], x)
		}
	}
	for c, list := range errors {
		slices.Sort(list)
		c.Judged, c.Median, c.Worst = len(list), list[len(list)/2], list[len(list)-1]
	}
	return m
}

// modeOf is the mode that a case's kernel was built in.
func modeOf(r suite.Result) string { return cmp.Or(r.Math, "safe") }

// flushes reports whether a case's inputs are subnormal: what is flushed is no matter of the
// order in which numbers are added.
func flushes(r suite.Result) bool {
	return slices.Contains(suite.NameAxes(r.Case), suite.AxisValue{Axis: "input", Value: "subnormal"})
}

// among says in which modes kernels were judged: " in safe and fast math"; nothing if that is one.
func (m *Modes) among() string {
	if m == nil {
		return ""
	}
	last := len(m.Names) - 1
	return fmt.Sprintf(" in %s and %s math", strings.Join(m.Names[:last], ", "), m.Names[last])
}

// alone says in which mode a kernel fails if it passes in another one: " in fast math only"; else nothing.
func (m *Modes) alone(kernel string) string {
	if m == nil {
		return ""
	}
	i := slices.IndexFunc(m.Rows, func(r ModeRow) bool { return r.Kernel == kernel })
	if i < 0 {
		return ""
	}
	var failing []string
	passes := false
	for j, c := range m.Rows[i].In {
		if c.Count[suite.Fail]+c.Count[suite.Error] > 0 {
			failing = append(failing, m.Names[j])
		}
		passes = passes || c.Count[suite.Fail]+c.Count[suite.Error] == 0 && c.Count[suite.Pass] > 0
	}
	if len(failing) != 1 || !passes {
		return ""
	}
	return " in " + failing[0] + " math only"
}

// Verdict is the worst of the cases, and how many were not judged if some were.
func (c ModeCell) Verdict() string {
	status := Row{Count: c.Count}.Status()
	all := 0
	for _, n := range c.Count {
		all += n
	}
	skipped := c.Count[suite.Skip]
	switch {
	case all == 0:
		return "–"
	case status == suite.Skip:
		return "not judged"
	}
	if skipped > 0 {
		return fmt.Sprintf("%s of %d", status, all-skipped)
	}
	return string(status)
}

// Lost are the kernels whose errors grow by more than a factor of four from the first mode
// to another, in sentences, those that lose the most first.
func (m *Modes) Lost() []string {
	type loss struct {
		factor float64
		text   string
	}
	var list []loss
	for _, r := range m.Rows {
		first := r.In[0]
		for i, c := range r.In[1:] {
			if first.Judged == 0 || c.Judged == 0 {
				continue
			}
			// Half a unit is what a single rounding may cost: nothing is lost below it.
			factor := max(c.Worst/max(first.Worst, 0.5), c.Median/max(first.Median, 0.5))
			if factor > loses {
				list = append(list,
					loss{factor,
						fmt.Sprintf("%s loses a factor of %s in %s math: median %s, worst %s u·Σ|terms|; in %s "+
							"%s and %s",
							r.Kernel, Figure(factor), m.Names[i+1], Figure(c.Median), Figure(c.Worst), m.Names[0],
							Figure(first.Median), Figure(first.Worst))})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b loss) int { return cmp.Compare(b.factor, a.factor) })
	lines := make([]string, len(list))
	for i, l := range list {
		lines[i] = l.text
	}
	return lines
}

// Heads are what stands above the cells.
func (m *Modes) Heads() []string {
	list := []string{"kernel"}
	for _, name := range m.Names {
		list = append(list, name, "median", "worst")
	}
	return list
}

// Cells are those of a row below the heads.
func (m *Modes) Cells(r ModeRow) []string {
	list := []string{r.Kernel}
	for _, c := range r.In {
		median, worst := "–", "–"
		if c.Judged > 0 {
			median, worst = Figure(c.Median), Figure(c.Worst)
		}
		list = append(list, c.Verdict(), median, worst)
	}
	return list
}

// modesMean says what the figures of the table are.
const modesMean = "median and worst of the cases' largest errors in units of u·Σ|terms|"

// Modes writes the table of modes. It writes nothing if there is one mode.
func (s Style) Modes(w io.Writer, t Table) error {
	if t.Modes == nil {
		return nil
	}
	rows := [][]string{t.Modes.Heads()}
	for _, r := range t.Modes.Rows {
		rows = append(rows, t.Modes.Cells(r))
	}
	text := "\nby mode of floating-point mathematics: " + modesMean + "\n\n" + align(rows)
	for _, line := range t.Modes.Lost() {
		text += line + "\n"
	}
	_, err := io.WriteString(w, text)
	return err
}

// modesSection appends the table to a page.
func (p *page) modesSection(m *Modes) {
	if m == nil {
		return
	}
	row := func(cells []string) string {
		escaped := make([]string, len(cells))
		for i, cell := range cells {
			escaped[i] = Inline(cell)
		}
		return "| " + strings.Join(escaped, " | ") + " |\n"
	}
	var items []string
	for _, r := range m.Rows {
		items = append(items, row(m.Cells(r)))
	}
	rule := "| --- |" + strings.Repeat(" --- | ---: | ---: |", len(m.Names)) + "\n"
	p.folded("By mode", capital(modesMean)+".\n\n"+row(m.Heads())+rule, items, "kernels")
	items = nil
	for _, line := range m.Lost() {
		items = append(items, "- "+Inline(line)+"\n")
	}
	p.folded("What modes cost", "", items, "kernels")
}
