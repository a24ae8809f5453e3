package simt

import (
	"bytes"

	"metalconform/metalrun/internal/ir"
)

// lateMemory gives each strand of a schedule a copy of some objects, so that what it
// stores is seen by others only after a barrier whose flags name that memory. A nil one
// has no objects.
type lateMemory struct {
	machines []*machine
	objects  []lateObject
	unit     int
}

type lateObject struct {
	object int
	shared memory
	copies []memory // by strand
	seen   []byte   // contents of all copies after the last such barrier
}

func newLateMemory(machines []*machine, how manner) *lateMemory {
	l := &lateMemory{machines: machines, unit: max(how.unit, 1)}
	for _, object := range how.late {
		o := lateObject{object: object, shared: machines[0].objects[object]}
		for range machines {
			c := copyMemory(o.shared.bytes)
			c.readOnly, c.before = o.shared.readOnly, o.shared.before
			o.copies = append(o.copies, c)
		}
		o.seen = make([]byte, len(o.shared.bytes))
		l.objects = append(l.objects, o)
	}
	return l
}

// enter gives the strands their copies, once the memory of the threadgroup is prepared.
func (l *lateMemory) enter() {
	if l == nil {
		return
	}
	for _, o := range l.objects {
		for i, m := range l.machines {
			m.objects[o.object] = o.copies[i]
		}
		o.refresh()
	}
}

// leave lets all that the threadgroup has stored be seen, and gives the strands the
// shared objects back.
func (l *lateMemory) leave() {
	if l == nil {
		return
	}
	l.merge(nil)
	for _, o := range l.objects {
		for _, m := range l.machines {
			m.objects[o.object] = o.shared
		}
	}
}

// refresh lets all strands see what is shared.
func (o *lateObject) refresh() {
	copy(o.seen, o.shared.bytes)
	for _, c := range o.copies {
		copy(c.bytes, o.shared.bytes)
	}
}

// merge lets all strands see what each has stored, where the barrier orders it; nil is
// the end of the threadgroup, which orders all.
func (l *lateMemory) merge(barrier *ir.Instr) {
	if l == nil {
		return
	}
	for i := range l.objects {
		o := &l.objects[i]
		scope := threadgroupMemory
		if o.object < firstThreadgroup {
			scope = deviceMemory
		}
		if barrier != nil && !orders(l.machines[0].p.kernel, barrier, scope) {
			continue
		}
		for _, c := range o.copies {
			copyChanges(o.shared.bytes, c.bytes, o.seen, l.unit)
		}
		o.refresh()
	}
}

// copyChanges copies to dst the units of src that differ from before.
func copyChanges(dst, src, before []byte, unit int) {
	const page = 1 << 10 // a multiple of every unit: most are alike
	for at := 0; at < len(src); at += page {
		end := min(at+page, len(src))
		if bytes.Equal(src[at:end], before[at:end]) {
			continue
		}
		for ; at < end; at += unit {
			next := min(at+unit, end)
			if !bytes.Equal(src[at:next], before[at:next]) {
				copy(dst[at:next], src[at:next])
			}
		}
		at = end - page
	}
}
