package simt

import "metalconform/metalrun/internal/ir"

// lateMemory gives each strand of a schedule a copy of some objects, so that what it
// stores is seen by others only after a barrier whose flags name that memory. A nil one
// has no objects.
type lateMemory struct {
	machines []*machine
	objects  []lateObject
}

type lateObject struct {
	object int
	shared memory
	copies []memory // by strand
	seen   []byte   // contents of all copies after the last such barrier
}

func newLateMemory(machines []*machine, objects []int) *lateMemory {
	l := &lateMemory{machines: machines}
	for _, object := range objects {
		o := lateObject{object: object, shared: machines[0].objects[object]}
		for range machines {
			o.copies = append(o.copies, copyMemory(o.shared.bytes))
		}
		o.seen = make([]byte, len(o.shared.bytes))
		l.objects = append(l.objects, o)
	}
	return l
}

// leave gives the strands the shared objects back, for what prepares a threadgroup.
func (l *lateMemory) leave() {
	if l == nil {
		return
	}
	for _, o := range l.objects {
		for _, m := range l.machines {
			m.objects[o.object] = o.shared
		}
	}
}

// enter gives the strands their copies.
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

// refresh lets all strands see what is shared.
func (o *lateObject) refresh() {
	copy(o.seen, o.shared.bytes)
	for _, c := range o.copies {
		copy(c.bytes, o.shared.bytes)
	}
}

// merge lets all strands see what each has stored, if a barrier orders it; nil is the end
// of the threadgroup, after which all is seen.
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
			for at, b := range c.bytes {
				if b != o.seen[at] {
					o.shared.bytes[at] = b
				}
			}
		}
		o.refresh()
	}
}
