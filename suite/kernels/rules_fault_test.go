package kernels

import (
	"fmt"
	"io"
	"slices"
	"testing"

	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// faultStudy is what the rules make of seeded faults.
type faultStudy struct {
	faults []*seededFault
	// without are the rejections of the same cases without the fault, by name,
	// for the seed judged last.
	without map[string]rejections
	seed    uint64
}

// seededFault is a fault with what was found of it, seed by seed.
type seededFault struct {
	fault
	source   *suite.Shaders
	listed   []suite.Case
	found    [judges]int // seeds for which the rule rejects a case
	detected [judges]int // and accepts the same case without the fault
	// seeds for which values alone convict: any but a fault of the launch or a write outside the outputs
	visible   int
	suiteOnly int // seeds for which only the suite rejects
}

// seeded puts each fault in the sources of ours.
func seeded(tb testing.TB, faults []fault) []*seededFault {
	var list []*seededFault
	for _, f := range faults {
		file, cases := f.cases(tb)
		list = append(list, &seededFault{fault: f, source: f.seed(tb, file), listed: valued(cases)})
	}
	return list
}

// studySteps bounds what a threadgroup executes: many times what any does in the
// quick sweep, so that a loop without end takes no minute.
const studySteps = 1 << 24

// nextSeed judges all faults on the inputs of the next seed.
func (s *faultStudy) nextSeed(tb testing.TB) {
	s.seed++
	runner := sim.New(sim.Semantics{Steps: studySteps})
	tb.Cleanup(func() { runner.Close() })
	checking := sim.New(sim.Semantics{Steps: studySteps, Check: true})
	tb.Cleanup(func() { checking.Close() })
	s.baseline(experiment{Runner: &keeper{Runner: runner}, shaders: ours(tb), seed: s.seed})
	inParallel(len(s.faults), func(i int) {
		f := s.faults[i]
		f.run(experiment{Runner: &keeper{Runner: runner}, shaders: f.source, seed: s.seed},
			experiment{Runner: &keeper{Runner: checking}, shaders: f.source, seed: s.seed}, s.without)
	})
}

// baseline judges the cases of all faults without a fault.
func (s *faultStudy) baseline(e experiment) {
	cases := map[string]suite.Case{}
	for _, f := range s.faults {
		for _, c := range f.listed {
			cases[c.Name] = c
		}
	}
	var names []string
	for name := range cases {
		names = append(names, name)
	}
	slices.Sort(names)
	verdicts := make([]rejections, len(names))
	inParallel(len(names), func(i int) { verdicts[i] = e.run(cases[names[i]]).rejections })
	s.without = map[string]rejections{}
	for i, name := range names {
		s.without[name] = verdicts[i]
	}
}

// run tries the fault in its cases until more of them can change nothing. What the
// suite accepts there it judges again with its launches observed, as conform run
// does from the beginning, in the first inputs of each sweep: they tell all that
// does not depend on values.
func (f *seededFault) run(e, checking experiment, without map[string]rejections) {
	var found, told rejections
	visible := false
	for _, c := range f.listed {
		o := e.run(c)
		for i, rejected := range o.rejections {
			found[i] = found[i] || rejected
			told[i] = told[i] || rejected && !without[c.Name][i]
		}
		visible = visible || slices.ContainsFunc(o.result.Failures, ofValues)
		if visible && !slices.Contains(told[:], false) {
			break
		}
	}
	for _, c := range f.listed {
		if found[conformance] {
			break
		}
		if c.Input.Name == c.Kernel.Sweep.Inputs[0].Name {
			found[conformance] = checking.run(c).rejections[conformance]
		}
	}
	for i := range judges {
		f.found[i] += count(found[i])
		f.detected[i] += count(told[i])
	}
	f.visible += count(visible)
	f.suiteOnly += count(found[conformance] && !slices.Contains(found[:rigorous], true))
}

// ofValues reports whether a failure can be seen in the values of an output.
func ofValues(f suite.Failure) bool {
	switch f.Check {
	case suite.CheckBound, suite.CheckStatistical, suite.CheckExact, suite.CheckNonFinite, suite.CheckUnwritten,
		suite.CheckUntouched:
		return true
	}
	return false
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// missed are the faults that the suite misses for more seeds than a common rule
// that tells them from the kernel without: one that rejects that, too, has found
// nothing.
func (s *faultStudy) missed() []string {
	var names []string
	for _, f := range s.faults {
		if slices.Max(f.detected[:rigorous]) > f.found[conformance] {
			names = append(names, f.String())
		}
	}
	return names
}

// write prints how many faults each rule catches, by family and by classic
// mistake. what the faults are stands in the title.
func (s *faultStudy) write(w io.Writer, what string) error {
	of := familyOf()
	var rows [][]string
	for _, family := range All() {
		if len(family.Kernels) > 0 {
			rows = append(rows,
				s.row(family.Name, found, func(f *seededFault) bool { return of[f.kernel] == family.Name }))
		}
	}
	every := func(*seededFault) bool { return true }
	visible := func(f *seededFault) bool { return f.visible > 0 }
	rows = append(rows, s.row("all", found, every), s.row("of those visible in values", found, visible),
		s.row("of those, told from the kernel without", detected, visible))
	for _, c := range classics() {
		if is := func(f *seededFault) bool { return f.classic() == c.name }; slices.ContainsFunc(s.faults, is) {
			rows = append(rows, s.row(c.name, found, is))
		}
	}
	fmt.Fprintf(w, "\n%s that each rule catches, in the cases of the quick sweep that they name, mean of %d seeds, "+
		"simulator\n\n", what, s.seed)
	if err := writeTable(w, append([]string{"", "faults"}, ruleNames()...), rows); err != nil {
		return err
	}
	fmt.Fprintln(w)
	for _, f := range s.faults {
		switch {
		case f.suiteOnly == int(s.seed) && f.visible > 0:
			fmt.Fprintf(w, "only the suite catches %s\n", f)
		case f.found[conformance] == 0:
			fmt.Fprintf(w, "the suite accepts %s\n", f)
		}
	}
	for _, name := range s.missed() {
		fmt.Fprintf(w, "the suite misses %s, which a common rule catches\n", name)
	}
	return nil
}

func found(f *seededFault) [judges]int    { return f.found }
func detected(f *seededFault) [judges]int { return f.detected }

// row counts the faults of a group that each rule catches, in the mean over
// seeds.
func (s *faultStudy) row(name string, caught func(*seededFault) [judges]int, in func(*seededFault) bool) []string {
	var sums [judges]int
	n := 0
	for _, f := range s.faults {
		if !in(f) {
			continue
		}
		n++
		for i, k := range caught(f) {
			sums[i] += k
		}
	}
	cells := []string{name, fmt.Sprint(n)}
	for _, sum := range sums {
		cells = append(cells, fmt.Sprintf("%.4g", float64(sum)/float64(s.seed)))
	}
	return cells
}

// familyOf are the families of the kernels.
func familyOf() map[string]string {
	of := map[string]string{}
	for _, f := range All() {
		for _, k := range f.Kernels {
			of[k.Name] = f.Name
		}
	}
	return of
}
