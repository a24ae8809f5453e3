package simt

import (
	"bytes"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
)

// lateMemory gives each strand of a schedule a copy of some objects, so that what it
// stores is seen by others only after a barrier whose flags name that memory: of the
// threadgroup by all, of a simdgroup by its threads. A nil one has no objects.
type lateMemory struct {
	p        *Program
	machines []*machine
	objects  []*lateObject // as the threadgroup sees them
	unit     int           // bytes that are stored together
}

// lateObject is an object as a threadgroup, a simdgroup or a thread sees it.
type lateObject struct {
	object int
	mem    memory
	seen   []byte        // by all parts when they last saw the same
	parts  []*lateObject // simdgroups, or threads; none where all see the same
}

func newLateMemory(p *Program, machines []*machine, how manner) *lateMemory {
	l := &lateMemory{p: p, machines: machines, unit: max(how.unit, 1)}
	each := 1 // strands of a simdgroup
	if how.single {
		each = Simdgroup
	}
	for _, object := range how.late {
		all := &lateObject{object: object, mem: machines[0].objects[object]}
		for first := 0; first < len(machines); first += each {
			part := all.add()
			for range min(each, len(machines)-first) {
				if how.single {
					part.add()
				}
			}
		}
		l.objects = append(l.objects, all)
	}
	return l
}

// add gives an object a part that sees it on its own.
func (o *lateObject) add() *lateObject {
	if o.seen == nil {
		o.seen = make([]byte, len(o.mem.bytes))
	}
	part := &lateObject{object: o.object, mem: copyMemory(o.mem.bytes)}
	part.mem.readOnly, part.mem.before = o.mem.readOnly, o.mem.before
	o.parts = append(o.parts, part)
	return part
}

// enter gives the strands their copies, once the memory of the threadgroup is prepared.
func (l *lateMemory) enter() {
	if l == nil {
		return
	}
	for _, o := range l.objects {
		strand := 0
		o.eachLeaf(func(leaf *lateObject) {
			l.machines[strand].objects[o.object] = leaf.mem
			strand++
		})
		o.refresh()
	}
}

// leave lets all that the threadgroup has stored be seen, and gives the strands the
// shared objects back.
func (l *lateMemory) leave() {
	if l == nil {
		return
	}
	for _, o := range l.objects {
		o.merge(l.unit)
		for _, m := range l.machines {
			m.objects[o.object] = o.mem
		}
	}
}

// merge lets all strands see what each has stored, where a barrier of the threadgroup
// orders it.
func (l *lateMemory) merge(barrier *ir.Instr) {
	if l == nil {
		return
	}
	for _, o := range l.objects {
		if o.ordered(l.p.kernel, barrier) {
			o.merge(l.unit)
		}
	}
}

// mergeSimdgroup does so for the threads of a simdgroup after what they did together.
func (l *lateMemory) mergeSimdgroup(i int, in *ir.Instr) {
	if l == nil || in.Op != ir.Barrier {
		return
	}
	for _, o := range l.objects {
		if o.ordered(l.p.kernel, in) {
			o.parts[i].merge(l.unit)
		}
	}
}

func (o *lateObject) ordered(k *ir.Kernel, barrier *ir.Instr) bool {
	if o.object < analysis.FirstThreadgroup {
		return orders(k, barrier, deviceMemory)
	}
	return orders(k, barrier, threadgroupMemory)
}

func (o *lateObject) eachLeaf(visit func(leaf *lateObject)) {
	if len(o.parts) == 0 {
		visit(o)
	}
	for _, p := range o.parts {
		p.eachLeaf(visit)
	}
}

// merge takes in what the parts have stored, and lets them see it.
func (o *lateObject) merge(unit int) {
	o.gather(unit)
	o.refresh()
}

// gather takes in what the parts have stored.
func (o *lateObject) gather(unit int) {
	for _, p := range o.parts {
		p.gather(unit)
		copyChanges(o.mem.bytes, p.mem.bytes, o.seen, unit)
	}
}

// refresh lets all parts see what is there.
func (o *lateObject) refresh() {
	copy(o.seen, o.mem.bytes)
	for _, p := range o.parts {
		copy(p.mem.bytes, o.mem.bytes)
		p.refresh()
	}
}

// copyChanges copies to dst the units of src that differ from before.
func copyChanges(dst, src, before []byte, unit int) {
	const page = 1 << 10 // a multiple of every unit: most are alike
	for first := 0; first < len(src); first += page {
		end := min(first+page, len(src))
		if bytes.Equal(src[first:end], before[first:end]) {
			continue
		}
		for at := first; at < end; at += unit {
			next := min(at+unit, end)
			if !bytes.Equal(src[at:next], before[at:next]) {
				copy(dst[at:next], src[at:next])
			}
		}
	}
}
