package reports

import (
	"math"
	"slices"

	"metalconform/metalrun"
	"metalconform/reports/statistics"
	"metalconform/suite"
)

// quantities are what is compared of counted work. Bytes of constant memory and of arrays
// of a thread are none: compilers keep most of both in registers.
var quantities = []struct {
	name string
	of   func(metalrun.Work) int64
}{
	{"launches", func(w metalrun.Work) int64 { return w.Launches }},
	{"instructions", func(w metalrun.Work) int64 { return w.Instructions }},
	{"operations", metalrun.Work.Operations},
	{"device bytes", func(w metalrun.Work) int64 { return w.Device }},
	{"threadgroup bytes", func(w metalrun.Work) int64 { return w.Shared }},
	{"atomics", func(w metalrun.Work) int64 { return w.Atomics }},
	{"barriers", func(w metalrun.Work) int64 { return w.Barriers }},
}

// works has a row for each kernel whose work was counted in both runs.
func (c *Comparison) works(before map[string]suite.Result, head []suite.Result) []ComparedRow {
	var names []string
	pairs := map[string][]pair{}
	for _, r := range head {
		was, ok := before[r.Case]
		if !ok || was.Work == nil || r.Work == nil {
			continue
		}
		if pairs[r.Kernel] == nil {
			names = append(names, r.Kernel)
		}
		pairs[r.Kernel] = append(pairs[r.Kernel], pair{was, r})
	}
	var rows []ComparedRow
	for _, name := range names {
		rows = append(rows, work(name, pairs[name], c.Policy))
	}
	return rows
}

// work compares what a kernel did in all cases that were counted in both runs. Counts are
// exact, so that no test is needed; how they hang together with the time of a GPU is
// not known, so that only a gross change counts.
func work(name string, pairs []pair, p Policy) ComparedRow {
	row := ComparedRow{Aspect: Counted, Name: name, Family: pairs[0].head.Family,
		Samples: [2]int{len(pairs), len(pairs)}, Verdict: statistics.Unchanged}
	var base, head metalrun.Work
	for _, x := range pairs {
		base.Add(*x.base.Work)
		head.Add(*x.head.Work)
	}
	if base == head {
		row.Why = "the same work"
		return row
	}
	least := p.work(row.Family)
	for _, q := range quantities {
		was, is := q.of(base), q.of(head)
		if was == 0 && is == 0 {
			continue
		}
		m := Measure{Of: q.name, Base: float64(was), Head: float64(is), P: 1, Verdict: statistics.Unchanged,
			least: least}
		factor := m.Head / m.Base
		m.Change = suite.Value(factor)
		m.Low, m.High = m.Change, m.Change
		switch {
		case was == 0: // of nothing there is no factor
			if math.Log1p(waiting(q.name, m.Head, base)) >= least {
				m.P, m.Verdict = 0, statistics.Regressed
			}
		case factor > 1 && hidden(q.name, m.Head, base):
		case math.Log(factor) >= least:
			m.P, m.Verdict = 0, statistics.Regressed
		case math.Log(factor) <= -least:
			m.P, m.Verdict = 0, statistics.Improved
		}
		row.Measures = append(row.Measures, m)
	}
	return row
}

// operationsPerByte is how many operations a thread does at least in the time of a byte of device memory: GPUs of
// Apple do some tens.
const operationsPerByte = 4

// hidden reports whether so much arithmetic takes no time beside the device memory that is read and written anyway.
func hidden(quantity string, n float64, base metalrun.Work) bool {
	const lanes = 32
	switch most := operationsPerByte * float64(base.Device); quantity {
	case "operations":
		return n <= most
	case "instructions":
		return n*lanes <= most
	}
	return false
}

// waiting is the share of a kernel's instructions whose time the first barriers or atomics take, each that of a few.
// What else takes the place of nothing shows elsewhere.
func waiting(quantity string, n float64, base metalrun.Work) float64 {
	const instructions, lanes = 4, 32
	switch all := float64(max(base.Instructions, 1)); quantity {
	case "barriers":
		return instructions * n / all
	case "atomics":
		return instructions * n / lanes / all
	}
	return 0
}

// counts reports whether a measure is one of counted work.
func (m Measure) counts() bool {
	return slices.ContainsFunc(quantities, func(q struct {
		name string
		of   func(metalrun.Work) int64
	}) bool {
		return q.name == m.Of
	})
}
