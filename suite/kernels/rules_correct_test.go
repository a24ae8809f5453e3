package kernels

import (
	"fmt"
	"io"
	"math"
	"sync"

	"metalconform/suite"
)

// correctStudy is what the rules make of kernels that conform.
type correctStudy struct {
	seeds    uint64
	mu       sync.Mutex
	families map[string]*correctRow
	usual    correctRow // the first inputs of every sweep, of all families
	// bf16 are the outputs in bf16, apart from the others of their families: most
	// of their error is the rounding of the exact value, and so is most of the
	// bound.
	bf16 usages
}

// correctRow is a family, or all of them.
type correctRow struct {
	usages
	cases  int
	alarms [judges]int // cases that a rule rejects
}

func newCorrectStudy() *correctStudy {
	s := &correctStudy{families: map[string]*correctRow{}}
	for _, f := range All() {
		if len(f.Kernels) > 0 {
			s.families[f.Name] = &correctRow{}
		}
	}
	return s
}

// add takes in a case. Several may do so at once.
func (s *correctStudy) add(c suite.Case, o outcome) {
	row := correctRow{cases: 1}
	var narrow usages
	for _, t := range o.outputs {
		if t.arg.Type == suite.BF16 && !t.answer.Exact {
			narrow.add(t, c.Input.Random)
		} else {
			row.usages.add(t, c.Input.Random)
		}
	}
	for i, rejected := range o.rejections {
		if rejected {
			row.alarms[i]++
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.families[c.Family].join(&row)
	s.bf16.join(narrow)
	if c.Input.Name == c.Kernel.Sweep.Inputs[0].Name {
		s.usual.join(&row)
	}
}

func (r *correctRow) join(o *correctRow) {
	r.usages.join(o.usages)
	r.cases += o.cases
	for i, n := range o.alarms {
		r.alarms[i] += n
	}
}

// write prints two tables: what errors use of their bounds, and the cases that
// each rule rejects.
func (s *correctStudy) write(w io.Writer) error {
	var use, alarms [][]string
	var all correctRow
	for _, f := range All() {
		r, ok := s.families[f.Name]
		if !ok {
			continue
		}
		all.join(r)
		use = append(use, r.use(f.Name))
		alarms = append(alarms, r.rejected(f.Name))
	}
	use = append(use, all.use("all but bf16"), s.bf16.use("outputs in bf16"))
	alarms = append(alarms, all.rejected("all"), s.usual.rejected("first inputs of each sweep"))
	fmt.Fprintf(w, "\nShare of the bounds that errors use, quick sweep, %d seeds, simulator\n\n", s.seeds)
	if err := writeTable(w, []string{"family", "elements judged", "with a positive bound", "median", "largest",
		"of random inputs", "median of rigorous", "median of statistical", "largest"}, use); err != nil {
		return err
	}
	fmt.Fprint(w, "\nCases of conforming kernels that each rule rejects: false alarms\n\n")
	return writeTable(w, append([]string{"family", "cases"}, ruleNames()...), alarms)
}

func (r *usages) use(name string) []string {
	return []string{
		name, fmt.Sprint(r.elements), fmt.Sprint(r.rigorous.count), fraction(r.rigorous.median()),
		fraction(r.rigorous.largest),
		fmt.Sprint(r.statistical.count), fraction(r.random.median()), fraction(r.statistical.median()),
		fraction(r.statistical.largest),
	}
}

func (r *correctRow) rejected(name string) []string {
	cells := []string{name, fmt.Sprint(r.cases)}
	for _, n := range r.alarms {
		cells = append(cells, fmt.Sprint(n))
	}
	return cells
}

// fraction is a share of a bound in three digits, none where there are no
// elements.
func fraction(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return fmt.Sprintf("%.3g", x)
}
