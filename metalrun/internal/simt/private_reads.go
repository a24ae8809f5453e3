package simt

import (
	"sort"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Where a thread's array is read before it is written is looked up only once it is
// known to matter, because observing private memory costs more than all else.

// privateReads observes the private memory of a threadgroup's threads.
type privateReads struct {
	written []bool        // per word of a lane, as private memory lies
	objects []privatePart // by their words
	first   map[int]Party // by object: the first read of what its thread had not written
}

// privatePart is where an object of private memory begins.
type privatePart struct{ word, object int }

// firstReads runs a launch again to find these reads, once for all objects.
func (t *checked) firstReads() map[int]Party {
	if t.reads == nil {
		t.reads = t.findFirstReads()
	}
	return t.reads
}

func (t *checked) findFirstReads() map[int]Party {
	t.restore(t.before)
	o := t.p.given
	o.Check, o.private = false, true
	q := Compile(t.p.source, o)
	m := newMachine(q, t.launch, t.buffers, t.launch.PerGroup.count())
	m.reads = &privateReads{written: make([]bool, len(m.private)), objects: q.privateParts(), first: map[int]Party{}}
	again := &checked{p: q, launch: t.launch}
	if err := again.groups(m); err != nil { // a fault has been reported already
		new(outcome).end(err)
	}
	return m.reads.first
}

// observedPrivately is a kernel with an observeOp before every access to
// private memory.
func observedPrivately(k *ir.Kernel) *ir.Kernel {
	return instrumented(k, func(in *ir.Instr) bool {
		return (in.Op == ir.Load || in.Op == ir.Store) && in.Mem.Space == syntax.Thread
	})
}

// observePrivate compiles an observeOp of private memory.
func (c *compiler) observePrivate(in *ir.Instr) {
	a := c.privateAccess(in)
	for _, r := range in.Args {
		c.consumed(r)
	}
	bytes := int64(observationOf(in).count) * a.size
	c.do(func(m *machine) {
		if a.uniform {
			off := a.one(m, 0)
			for l := range m.addr {
				m.addr[l] = off
			}
		} else {
			a.many(m, 0)
		}
		for l, on := range m.mask {
			if on == 0 {
				continue
			}
			for w := m.addr[l] / 4; w*4 < m.addr[l]+bytes; w++ {
				m.reads.see(m, in, int(w), l)
			}
		}
	})
}

// see records an access to a word of one lane.
func (r *privateReads) see(m *machine, in *ir.Instr, word, lane int) {
	at := word*m.stride + lane
	if in.Fn == "store" {
		r.written[at] = true
		return
	}
	if r.written[at] {
		return
	}
	object := r.objectOf(word)
	if _, ok := r.first[object]; !ok {
		r.first[object] = m.party(in.Pos, "read", lane)
	}
}

// privateParts are the objects of private memory, which lie there in order.
func (p *Program) privateParts() []privatePart {
	var list []privatePart
	for i, o := range p.kernel.Objects {
		if o.Space == syntax.Thread {
			list = append(list, privatePart{p.privateBase[i], i})
		}
	}
	return list
}

// objectOf is the object that a word of private memory belongs to.
func (r *privateReads) objectOf(word int) int {
	behind := sort.Search(len(r.objects), func(i int) bool { return r.objects[i].word > word })
	return r.objects[behind-1].object
}
