package sanitize

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// clash reports a race: an access of lane l and an earlier one that nothing orders.
func (o *observer) clash(m *machine.Machine, s *shadow, cell, l int, prev *record) {
	if !sanitizerOf(m).Findings.full() && o.writes && o.sameValue(m, s, cell, l, prev) {
		return
	}
	rest, vector := "", 0
	if other := o.of.Sites[prev.site()]; o.writes && other.writes && o.access.In.Mem.VectorBytes > 0 &&
		other.access.In.Mem.VectorBytes > 0 {
		rest, vector = ": a store to a component may write the whole vector", o.access.In.Mem.VectorBytes
	}
	o.report(m, s, cell, l, prev, Finding{Party: Party{Does: o.does}, Other: &Party{Does: o.of.Sites[prev.site()].does},
		vector: vector}, rest)
}

// report adds a race to the findings, if there is room for it and it is none of those.
func (o *observer) report(m *machine.Machine, s *shadow, cell, l int, prev *record, f Finding, rest string) {
	raced, other := pairOf(o, s, prev), o.of.Sites[prev.site()]
	sanitizerOf(m).pairs[raced.at()] = raced
	if sanitizerOf(m).Findings.full() ||
		!sanitizerOf(m).Findings.fresh(findingKey{Race, o.access.In.Pos, other.access.In.Pos, s.object}) {
		return
	}
	does, theirs := f.Does, partyOf(m, prev)
	theirs.Pos, theirs.Does = other.access.In.Pos, f.Other.Does
	first, size := m.Objects[s.object].Before+int64(cell)<<s.log, int64(1)<<s.log
	where := fmt.Sprintf("byte %d", first)
	if size > 1 {
		where = fmt.Sprintf("bytes %d to %d", first, first+size-1)
	}
	of, among := m.P.ObjectAt(s.object), among(m, prev, l)
	f.Check, f.Grade, f.Party, f.Other, f.Object, f.Among, f.object = Race, GradeUndefined,
		party(m, o.access.In.Pos, does, l), &theirs, &of, among, s.object
	f.Msg = fmt.Sprintf("%s and %s of %s of %s by %s are not ordered%s; %s", does, theirs.Does, where, of,
		among.parties(), rest, o.remedy(m, s, prev, l))
	sanitizerOf(m).Findings.List = append(sanitizerOf(m).Findings.List, f)
}

// among is the least group that an earlier access and one of lane l share.
func among(m *machine.Machine, prev *record, l int) Scope {
	switch {
	case prev.when < sanitizerOf(m).Clock.group:
		return Threadgroups
	case prev.thread()/machine.Simdgroup == l/machine.Simdgroup:
		return Threads
	}
	return Simdgroups
}

// parties names the two.
func (s Scope) parties() string {
	if s == Threads {
		return "two threads of one simdgroup"
	}
	return "two " + string(s)
}

// partyOf is the thread that made an access.
func partyOf(m *machine.Machine, r *record) Party {
	l := m.Launch
	group := machine.Position(l.Skip+sanitizerOf(m).Clock.number(r), l.Groups)
	size := l.Extent(group)
	return Party{Thread: machine.Position(r.thread(), size), Group: group}
}

// remedy says what would order an access of lane l after another one.
func (o *observer) remedy(m *machine.Machine, s *shadow, prev *record, l int) string {
	between := prev.when < sanitizerOf(m).Clock.group
	switch atomics := o.atomic && o.of.Sites[prev.site()].atomic; {
	case atomics && prev.site() == int(o.site):
		return "let one thread store, or let something decide that no order changes, such as the largest value"
	case atomics && between:
		return "nothing orders the threadgroups of a launch: split it, or let the host prepare the memory"
	}
	if o.writes && prev.site() == int(o.site) {
		return "let one thread write, or each to its own element, or use an atomic"
	}
	if between {
		return "nothing orders the threadgroups of a launch: give each its own memory, use atomics, or split the launch"
	}
	text := fmt.Sprintf("a threadgroup_barrier with mem_flags::mem_%s between them would order them", s.scope)
	if prev.thread()/machine.Simdgroup == l/machine.Simdgroup {
		text = fmt.Sprintf("a threadgroup_barrier with mem_flags::mem_%s between them would order them, or a "+
			"simdgroup_barrier if no other simdgroup takes part", s.scope)
	}
	if o.updates(o.of.Sites[prev.site()]) {
		text += "; if threads add to the same element, use an atomic operation such as atomic_fetch_add_explicit"
	}
	if pos := sanitizerOf(m).passed[s.scope]; pos.Line > 0 {
		text += fmt.Sprintf(" (the one at %s does not name %s memory)", pos, s.scope)
	}
	return text
}

// updates reports whether two accesses are those of one statement that reads an element and writes it again.
func (o *observer) updates(other *observer) bool {
	a, b := o.access.In.Pos, other.access.In.Pos
	return o.writes != other.writes && a.File == b.File && a.Line == b.Line
}

// orders reports whether the flags of a barrier name a kind of memory.
func orders(k *ir.Kernel, barrier *ir.Instr, s memoryScope) bool {
	const device, threadgroup = 1, 2 // as Metal numbers mem_flags
	flag := uint64(threadgroup)
	if s == deviceMemory {
		flag = device
	}
	return k.Regs[barrier.Args[0]].Bits&flag != 0
}
