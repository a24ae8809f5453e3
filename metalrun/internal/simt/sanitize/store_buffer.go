package sanitize

import (
	"bytes"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
)

// delayedStores gives each fiber of a schedule a copy of some objects, so that what it
// stores is seen by others only after a barrier whose flags name that memory: of the
// threadgroup by all, of a simdgroup by its threads.
type delayedStores struct {
	p        *machine.Program
	machines []*machine.Machine
	objects  []*delayedObject // as the threadgroup sees them
	unit     int              // bytes that are stored together
}

// delayedObject is an object as a threadgroup, a simdgroup or a thread sees it.
type delayedObject struct {
	object int
	mem    machine.Memory
	seen   []byte           // by all parts when they last saw the same
	parts  []*delayedObject // simdgroups, or threads; none where all see the same
}

func newDelayedStores(p *machine.Program, machines []*machine.Machine, how trialPolicy) *delayedStores {
	l := &delayedStores{p: p, machines: machines, unit: max(how.unit, 1)}
	each := 1 // fibers of a simdgroup
	if how.single {
		each = machine.Simdgroup
	}
	for _, object := range how.late {
		all := &delayedObject{object: object, mem: machines[0].Objects[object]}
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
func (o *delayedObject) add() *delayedObject {
	if o.seen == nil {
		o.seen = make([]byte, len(o.mem.Bytes))
	}
	part := &delayedObject{object: o.object, mem: machine.CopyMemory(o.mem.Bytes)}
	part.mem.ReadOnly, part.mem.Before = o.mem.ReadOnly, o.mem.Before
	o.parts = append(o.parts, part)
	return part
}

// Enter gives the fibers their copies, once the memory of the threadgroup is prepared.
func (l *delayedStores) Enter() {
	for _, o := range l.objects {
		fiber := 0
		o.eachLeaf(func(leaf *delayedObject) {
			l.machines[fiber].Objects[o.object] = leaf.mem
			fiber++
		})
		o.refresh()
	}
}

// Leave lets all that the threadgroup has stored be seen, and gives the fibers the
// shared objects back.
func (l *delayedStores) Leave() {
	for _, o := range l.objects {
		o.merge(l.unit)
		for _, m := range l.machines {
			m.Objects[o.object] = o.mem
		}
	}
}

// Merge lets all fibers see what each has stored, where a barrier of the threadgroup
// orders it.
func (l *delayedStores) Merge(barrier *ir.Instr) {
	for _, o := range l.objects {
		if o.ordered(l.p.Kernel, barrier) {
			o.merge(l.unit)
		}
	}
}

// MergeSimdgroup does so for the threads of a simdgroup after what they did together.
func (l *delayedStores) MergeSimdgroup(i int, in *ir.Instr) {
	if in.Op != ir.Barrier {
		return
	}
	for _, o := range l.objects {
		if o.ordered(l.p.Kernel, in) {
			o.parts[i].merge(l.unit)
		}
	}
}

func (o *delayedObject) ordered(k *ir.Kernel, barrier *ir.Instr) bool {
	if o.object < analysis.FirstThreadgroup {
		return orders(k, barrier, deviceMemory)
	}
	return orders(k, barrier, ThreadgroupMemory)
}

func (o *delayedObject) eachLeaf(visit func(leaf *delayedObject)) {
	if len(o.parts) == 0 {
		visit(o)
	}
	for _, p := range o.parts {
		p.eachLeaf(visit)
	}
}

// merge takes in what the parts have stored, and lets them see it.
func (o *delayedObject) merge(unit int) {
	o.gather(unit)
	o.refresh()
}

// gather takes in what the parts have stored.
func (o *delayedObject) gather(unit int) {
	for _, p := range o.parts {
		p.gather(unit)
		copyChanges(o.mem.Bytes, p.mem.Bytes, o.seen, unit)
	}
}

// refresh lets all parts see what is there.
func (o *delayedObject) refresh() {
	copy(o.seen, o.mem.Bytes)
	for _, p := range o.parts {
		copy(p.mem.Bytes, o.mem.Bytes)
		p.refresh()
	}
}

// copyChanges copies to dst the units of src that differ from before.
func copyChanges(dst, src, before []byte, unit int) {
	// A multiple of every unit. Most pages are alike. 64 and 16,384 bytes take as long in a sample of the launches of
	// the quick sweep (BenchmarkAblation).
	const page = 1 << 10
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
