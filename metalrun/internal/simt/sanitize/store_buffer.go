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
	stale  []bool           // blocks that parts may see in another way since
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
		o.seen = bytes.Clone(o.mem.Bytes)
		o.stale = make([]bool, (len(o.seen)+blockSize-1)/blockSize)
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
		o.compare(o.mem.Bytes, func(int) {})
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

// blockSize is what is compared and copied at once, in bytes: a multiple of every unit. Most blocks are alike. 64 and
// 16,384 bytes take as long in a sample of the launches of the quick sweep (BenchmarkAblation).
const blockSize = 1 << 10

// blockOf is a block of some bytes.
func blockOf(b []byte, n int) []byte { return b[n*blockSize : min((n+1)*blockSize, len(b))] }

// gather takes in what the parts have stored.
func (o *delayedObject) gather(unit int) {
	for _, p := range o.parts {
		p.gather(unit)
		for n, stale := range p.stale {
			o.stale[n] = o.stale[n] || stale
		}
		o.compare(p.mem.Bytes, func(n int) {
			copyChanges(blockOf(o.mem.Bytes, n), blockOf(p.mem.Bytes, n), blockOf(o.seen, n), unit)
		})
	}
}

// compare visits the blocks of some bytes that differ from what all parts saw, and has them refreshed.
func (o *delayedObject) compare(b []byte, visit func(n int)) {
	if bytes.Equal(b, o.seen) {
		return
	}
	for n := range o.stale {
		if !bytes.Equal(blockOf(b, n), blockOf(o.seen, n)) {
			o.stale[n] = true
			visit(n)
		}
	}
}

// refresh lets all parts see what is there, in blocks that are stale.
func (o *delayedObject) refresh() {
	for n, stale := range o.stale {
		if stale {
			o.show(n)
		}
	}
}

// show lets all parts see what is in a block.
func (o *delayedObject) show(n int) {
	if len(o.parts) == 0 {
		return
	}
	now := blockOf(o.mem.Bytes, n)
	copy(blockOf(o.seen, n), now)
	o.stale[n] = false
	for _, p := range o.parts {
		copy(blockOf(p.mem.Bytes, n), now)
		p.show(n)
	}
}

// copyChanges copies to dst the units of src that differ from before.
func copyChanges(dst, src, before []byte, unit int) {
	for at := 0; at < len(src); at += unit {
		next := min(at+unit, len(src))
		if !bytes.Equal(src[at:next], before[at:next]) {
			copy(dst[at:next], src[at:next])
		}
	}
}
