package reports

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/reports/statistics"
	"metalconform/suite"
	"metalconform/suite/mutate"
)

// MutationTable sums up mutants.
type MutationTable struct {
	Total     Score
	Families  []Score
	Kernels   []Score // by what leads to the edits: a kernel, or a declaration that several share
	Operators []Score
	Killers   []Killer // most kills first
	Survivors []mutate.Mutant
	Broken    []mutate.Mutant
}

// Score counts mutants by their fates.
type Score struct {
	Name     string
	Fates    map[mutate.Fate]int
	Runaways int // of the killed
}

// Killer is a check with the mutants that it killed.
type Killer struct {
	Check suite.Check
	Count int
}

// Judged is the number of mutants that count: those that were launched and
// computed something else, as far as anybody knows.
func (s Score) Judged() int { return s.Fates[mutate.Killed] + s.Fates[mutate.Survived] }

// All is the number of mutants.
func (s Score) All() int {
	n := 0
	for _, count := range s.Fates {
		n += count
	}
	return n
}

// Value is the part of the judged mutants that was killed, NaN of none.
func (s Score) Value() float64 { return float64(s.Fates[mutate.Killed]) / float64(s.Judged()) }

// Interval is the 95 % interval of the score of all mutants, if those judged are
// a sample of them: that of Wilson.
func (s Score) Interval() (low, high float64) {
	z := statistics.NormalQuantile(0.975)
	n, p := float64(s.Judged()), s.Value()
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	reach := z / (1 + z*z/n) * math.Sqrt(p*(1-p)/n+z*z/(4*n*n))
	return middle - reach, middle + reach
}

func (s *Score) add(m mutate.Mutant) {
	s.Fates[m.Fate]++
	if m.Check == suite.CheckRunaway {
		s.Runaways++
	}
}

// NewMutationTable sums up mutants.
func NewMutationTable(mutants []mutate.Mutant) MutationTable {
	t := MutationTable{Total: Score{Fates: map[mutate.Fate]int{}}}
	families, kernels, operators := &scores{}, &scores{}, &scores{}
	killers := map[suite.Check]int{}
	for _, m := range mutants {
		t.Total.add(m)
		families.of(m.Family).add(m)
		kernels.of(mutated(m)).add(m)
		operators.of(m.Operator).add(m)
		switch m.Fate {
		case mutate.Killed:
			killers[m.Check]++
		case mutate.Survived:
			t.Survivors = append(t.Survivors, m)
		case mutate.Broken:
			t.Broken = append(t.Broken, m)
		}
	}
	t.Families, t.Kernels, t.Operators = families.list(), kernels.list(), operators.list()
	for _, check := range slices.Sorted(maps.Keys(killers)) {
		t.Killers = append(t.Killers, Killer{check, killers[check]})
	}
	slices.SortStableFunc(t.Killers, func(a, b Killer) int { return cmp.Compare(b.Count, a.Count) })
	return t
}

// mutated names the row of a mutant: the one kernel that leads to its edit, or
// the declaration that several lead to.
func mutated(m mutate.Mutant) string {
	if len(m.Kernels) == 1 {
		return m.Kernels[0]
	}
	return fmt.Sprintf("%s (%d kernels)", m.Function, len(m.Kernels))
}

// scores are scores by name, in order of first appearance.
type scores struct {
	index map[string]*Score
	order []*Score
}

func (s *scores) of(name string) *Score {
	if s.index[name] == nil {
		if s.index == nil {
			s.index = map[string]*Score{}
		}
		s.index[name] = &Score{Name: name, Fates: map[mutate.Fate]int{}}
		s.order = append(s.order, s.index[name])
	}
	return s.index[name]
}

func (s *scores) list() []Score {
	list := make([]Score, len(s.order))
	for i, p := range s.order {
		list[i] = *p
	}
	return list
}

// MutationSummary writes the score and what the mutants came to. sampled says that
// they were drawn from more.
func (s Style) MutationSummary(w io.Writer, t MutationTable, sampled bool) error {
	total := t.Total
	var b strings.Builder
	if total.Judged() == 0 {
		b.WriteString("no mutant was judged\n")
	} else {
		fmt.Fprintf(&b, "score %s: %d of %s killed, %s\n", percent(total.Value()), total.Fates[mutate.Killed],
			printable.Count(total.Judged(), "mutant"), s.survived(total.Fates[mutate.Survived]))
	}
	if sampled && total.Judged() > 0 {
		low, high := total.Interval()
		fmt.Fprintf(&b, "\ta sample: of all mutants %s to %s with a confidence of 95 %%\n", percent(low), percent(high))
	}
	fmt.Fprintf(&b, "\tnot counted: %d equivalent, %d duplicate, %d invalid; %d in all\n",
		total.Fates[mutate.Equivalent], total.Fates[mutate.Duplicate], total.Fates[mutate.Invalid], total.All())
	if n := len(t.Broken); n > 0 {
		fmt.Fprintf(&b, "\t%s\n", s.paint(red,
			fmt.Sprintf("%d could not be judged, the first %s: %s", n, t.Broken[0].ID, t.Broken[0].Reason)))
	}
	var killers []string
	for _, k := range t.Killers {
		killers = append(killers, fmt.Sprintf("%s %d", k.Check, k.Count))
	}
	if len(killers) > 0 {
		fmt.Fprintf(&b, "\tkilled by %s\n", strings.Join(killers, ", "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (s Style) survived(n int) string {
	text := fmt.Sprintf("%d survived", n)
	if n == 0 {
		return s.paint(green, text)
	}
	return s.paint(yellow, text)
}

// MutationRows writes the scores of families, kernels and operators.
func (s Style) MutationRows(w io.Writer, t MutationTable) error {
	for _, part := range []struct {
		head string
		rows []Score
	}{{"family", t.Families}, {"kernel", t.Kernels}, {"operator", t.Operators}} {
		rows := [][]string{{part.head, "mutants", "equivalent", "duplicate", "invalid", "killed", "ran away",
			"survived", "score"}}
		for _, r := range part.rows {
			row := []string{r.Name, fmt.Sprint(r.All())}
			for _, f := range []mutate.Fate{mutate.Equivalent, mutate.Duplicate, mutate.Invalid, mutate.Killed} {
				row = append(row, fmt.Sprint(r.Fates[f]))
			}
			row = append(row, fmt.Sprint(r.Runaways), fmt.Sprint(r.Fates[mutate.Survived]), percent(r.Value()))
			rows = append(rows, row)
		}
		if _, err := io.WriteString(w, align(rows)+"\n"); err != nil {
			return err
		}
	}
	return nil
}

// Mutant writes a survivor with its diff.
func (s Style) Mutant(w io.Writer, m mutate.Mutant) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s, %s in %s\n", s.paint(yellow, string(m.Fate)), m.ID, m.Operator, m.Function)
	for line := range strings.Lines(m.Diff) {
		colour := green
		if line[0] == '-' {
			colour = red
		}
		fmt.Fprintf(&b, "\t%s\n", s.paint(colour, strings.TrimSuffix(line, "\n")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// percent is a part of one, to a tenth of a per cent; nothing for NaN.
func percent(x float64) string {
	if math.IsNaN(x) {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*x)
}
