package sanitize

import (
	"slices"

	"metalconform/metalrun/internal/simt/machine"
)

// Atomics need no order among each other where they come to the same in any: counts may be added to by whoever comes
// first. A store beside an addition does not: what is added before it is lost. Metal orders the two no more than
// plain accesses, so they are held against each other like those. No such pair is undefined, so that
// it is a finding only if results change with the order.

// commute reports whether two operations on a cell come to the same in either order.
func commute(a, b string) bool {
	if a == "sub" {
		a = "add"
	}
	if b == "sub" {
		b = "add"
	}
	return a == b && !slices.Contains([]string{"store", "exchange", "compare_exchange"}, a)
}

// combines reports whether an operation makes something of what it finds, whatever that is.
func combines(operation string) bool {
	return slices.Contains([]string{"add", "sub", "and", "or", "xor", "min", "max"}, operation)
}

// arrival is where operations of one name have come.
type arrival struct {
	object, cell int
	operation    string
}

// arrivals are the last of these and the last of another thread. Stores that nothing of another name came before,
// since what orders them, give a cell what it begins with.
type arrivals struct {
	last, other record
	begin       bool
}

// mostArrivals bounds the cells in which atomics are told apart.
const mostArrivals = 1 << 16

// named gives the observer of an atomic access its operation.
func (p *checker) named(o *observer, operation string) {
	o.operation = operation
	if !slices.Contains(p.atomics, operation) {
		p.atomics = append(p.atomics, operation)
	}
	for _, other := range p.atomics {
		p.hasty = p.hasty || other != operation && !commute(other, operation) || operation == "store"
	}
}

// inTurn holds an atomic access to a cell against those of other threads that nothing orders.
func (o *observer) inTurn(m *machine.Machine, s *shadow, cell, l int) {
	w, alone := sanitizerOf(m), true
	c := &w.Clock
	for _, operation := range o.of.atomics {
		a := w.arrivals[arrival{s.object, cell, operation}]
		if a == nil {
			continue
		}
		for _, r := range [...]*record{&a.last, &a.other} {
			if operation != "store" && c.open(r, s.scope) {
				alone = false
			}
			if commute(o.operation, operation) || c.ordered(r, s.scope, l) || w.reported(o, s, r) {
				continue
			}
			if a.begin && combines(o.operation) || !o.of.telling() {
				o.disorder(m, s, cell, l, r)
			}
		}
	}
	o.arrive(m, s, arrival{s.object, cell, o.operation}, l, alone)
}

// arrive records an atomic access.
func (o *observer) arrive(m *machine.Machine, s *shadow, at arrival, l int, alone bool) {
	w := sanitizerOf(m)
	a := w.arrivals[at]
	if a == nil {
		if len(w.arrivals) == mostArrivals {
			return
		}
		if w.arrivals == nil {
			w.arrivals = map[arrival]*arrivals{}
		}
		a = &arrivals{}
		w.arrivals[at] = a
	}
	now := record{w.Clock.Now, o.site<<threadBits | uint32(l)}
	if a.last.when < w.Clock.epoch[s.scope] || a.last.thread() != l {
		a.other = a.last
	}
	a.last, a.begin = now, o.operation == "store" && alone
}

// disorder reports two atomic operations whose order decides what is left.
func (o *observer) disorder(m *machine.Machine, s *shadow, cell, l int, prev *record) {
	theirs := o.of.Sites[prev.site()]
	o.report(m, s, cell, l, prev, Finding{disorder: true, Party: Party{Does: "atomic " + o.operation},
		Other: &Party{Does: "atomic " + theirs.operation}},
		", and what is left hangs on which comes first")
}

// gradeDisorder keeps the pairs of atomics whose order decides results. Where results tell the order of atomics
// anyway, as tickets do, only a store that gives a cell what it begins with is known to be meant to come first.
func (r *raceTrials) gradeDisorder() {
	changed := graded(r.orderly) == GradeWrong
	r.w.Findings.List = slices.DeleteFunc(r.w.Findings.List, func(f Finding) bool { return f.disorder && !changed })
	for i := range r.w.Findings.List {
		if f := &r.w.Findings.List[i]; f.disorder {
			f.Grade, f.Trials = GradeWrong, r.orderly
		}
	}
}

// note keeps what a run in another order came to. One that does not end, since a thread waits for another, shows
// nothing.
func (r *raceTrials) note(what string, out launchResult) {
	if out.fault == r.first.fault {
		r.orderly = append(r.orderly, Trial{what, r.changes(r.w, r.first, out)})
	}
}
