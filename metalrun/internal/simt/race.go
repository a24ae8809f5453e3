package simt

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
)

// clash reports a race: an access of lane l and an earlier one that nothing orders.
func (o *observer) clash(m *machine, s *shadow, cell, l int, prev *record) {
	full := m.sanitizer.findings.full()
	if !full && o.writes && o.sameValue(m, s, cell, l, prev) {
		return
	}
	raced, other := pairOf(o, s, prev), m.p.sites[prev.site()]
	m.sanitizer.pairs[raced.at()] = raced
	if full || !m.sanitizer.findings.fresh(findingKey{Race, o.access.in.Pos, other.access.in.Pos, s.object}) {
		return
	}
	theirs := m.partyOf(prev)
	theirs.Pos, theirs.Does = other.access.in.Pos, other.does
	first, size := m.objects[s.object].before+int64(cell)<<s.log, int64(1)<<s.log
	where := fmt.Sprintf("byte %d", first)
	if size > 1 {
		where = fmt.Sprintf("bytes %d to %d", first, first+size-1)
	}
	rest, vector := "", 0
	if o.writes && other.writes && o.access.in.Mem.VectorBytes > 0 && other.access.in.Mem.VectorBytes > 0 {
		rest, vector = ": a store to a component may write the whole vector", o.access.in.Mem.VectorBytes
	}
	of, among := m.p.objectAt(s.object), m.among(prev, l)
	m.sanitizer.findings.list = append(m.sanitizer.findings.list, Finding{
		Check: Race,
		Msg: fmt.Sprintf("%s and %s of %s of %s by %s are not ordered%s; %s",
			o.does, other.does, where, of, among.parties(), rest, o.remedy(m, s, prev, l)),
		Party: m.party(o.access.in.Pos, o.does, l),
		Other: &theirs, Object: &of, Among: among, Grade: GradeUndefined, object: s.object, vector: vector,
	})
}

// among is the least group that an earlier access and one of lane l share.
func (m *machine) among(prev *record, l int) Scope {
	switch {
	case prev.group() != m.sanitizer.clock.group:
		return Threadgroups
	case prev.thread()/Simdgroup == l/Simdgroup:
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
func (m *machine) partyOf(r *record) Party {
	l := m.launch
	group := position(l.Skip+int(r.group()-m.sanitizer.clock.first), l.Groups)
	size := l.extent(group)
	return Party{Thread: position(r.thread(), size), Group: group}
}

// remedy says what would order an access of lane l after another one.
func (o *observer) remedy(m *machine, s *shadow, prev *record, l int) string {
	if o.writes && prev.site() == int(o.site) {
		return "let one thread write, or each to its own element, or use an atomic"
	}
	if prev.group() != m.sanitizer.clock.group {
		return "nothing orders the threadgroups of a launch: give each its own memory, use atomics, or split the launch"
	}
	text := fmt.Sprintf("a threadgroup_barrier with mem_flags::mem_%s between them would order them", s.scope)
	if prev.thread()/Simdgroup == l/Simdgroup {
		text = fmt.Sprintf("a threadgroup_barrier with mem_flags::mem_%s between them would order them, or a simdgroup_barrier if no other simdgroup takes part", s.scope)
	}
	if pos := m.sanitizer.passed[s.scope]; pos.Line > 0 {
		text += fmt.Sprintf(" (the one at %s does not name %s memory)", pos, s.scope)
	}
	return text
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
