package trend

import (
	"slices"
	"strings"

	"metalconform/reports"
)

// lineage is one kernel over the nights of a series.
type lineage struct {
	name   string
	nights []*Kernel // one for each night; nil where the kernel was not judged
}

// byKernel collects the kernels of a series, in order of their names.
func byKernel(nights []Night) []lineage {
	index := map[string]int{}
	var list []lineage
	for i := range nights {
		for k := range nights[i].Kernels {
			one := &nights[i].Kernels[k]
			at, ok := index[one.Kernel]
			if !ok {
				at = len(list)
				index[one.Kernel] = at
				list = append(list, lineage{one.Kernel, make([]*Kernel, len(nights))})
			}
			list[at].nights[i] = one
		}
	}
	slices.SortStableFunc(list, func(a, b lineage) int { return strings.Compare(a.name, b.name) })
	return list
}

// seen is whether a case passed on a night.
type seen struct {
	night  int
	passes bool
}

// verdictSteps finds the nights on which cases began to fail or to pass. Cases whose verdicts changed in the same way
// on the same night make one step. A verdict that differs for a single night from the nights around it is no step; a
// verdict that differs on the last night is a step until then.
func (l lineage) verdictSteps() []Step {
	type place struct {
		first int
		worse bool
	}
	names, histories := l.verdicts()
	var order []place
	steps := map[place]*Step{}
	for c, h := range histories {
		for i := 1; i < len(h); i++ {
			if i+1 < len(h) && h[i+1].passes == h[i-1].passes {
				h[i].passes = h[i-1].passes
			}
			if h[i].passes == h[i-1].passes {
				continue
			}
			at := place{h[i].night, !h[i].passes}
			s := steps[at]
			if s == nil {
				order = append(order, at)
				s = &Step{
					Aspect: reports.Verdicts, Name: l.name, Measure: "failing",
					Last: h[i-1].night, First: at.first, Worse: at.worse,
				}
				steps[at] = s
			}
			s.Cases = append(s.Cases, names[c])
		}
	}
	var list []Step
	for _, at := range order {
		s := steps[at]
		slices.Sort(s.Cases)
		if n := float64(len(s.Cases)); s.Worse {
			s.After = n
		} else {
			s.Before = n
		}
		list = append(list, *s)
	}
	return list
}

// verdicts returns the names of the cases that did not pass on some night, and for each of them the nights that had it.
// Most cases pass on all nights: they are left out, so that a year of nights takes little memory.
func (l lineage) verdicts() (names []string, histories [][]seen) {
	index := map[string]int{}
	for _, k := range l.nights {
		if k == nil {
			continue
		}
		for _, v := range k.NotPassed {
			name := k.Name(v.Case)
			if _, ok := index[name]; !ok {
				index[name] = len(names)
				names = append(names, name)
			}
		}
	}
	histories = make([][]seen, len(names))
	if len(names) == 0 {
		return nil, nil
	}
	known := map[*Sweep][]watched{}
	for i, k := range l.nights {
		if k == nil {
			continue
		}
		list, ok := known[k.Sweep]
		if !ok {
			list = k.watched(index)
			known[k.Sweep] = list
		}
		rest := k.NotPassed
		for _, w := range list {
			for len(rest) > 0 && rest[0].Case < w.number {
				rest = rest[1:]
			}
			fails := len(rest) > 0 && rest[0].Case == w.number
			histories[w.index] = append(histories[w.index], seen{i, !fails})
		}
	}
	return names, histories
}

// watched is a case of a sweep that is in an index of names.
type watched struct{ number, index int }

// watched finds the cases of a sweep that an index has, in order.
func (s *Sweep) watched(index map[string]int) []watched {
	var list []watched
	for _, shape := range s.Shapes {
		for i, input := range shape.Inputs {
			if at, ok := index[shape.Prefix+input]; ok {
				list = append(list, watched{shape.First + i, at})
			}
		}
	}
	return list
}
