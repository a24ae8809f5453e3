package sanitize

import (
	"sort"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Where a thread's array is read before it is written is looked up only once it is
// known to matter, because observing private memory costs more than all else.

// privateReads observes the private memory of a threadgroup's threads.
type privateReads struct {
	machine.NoObserver
	written []bool        // per word of a lane, as private memory lies
	objects []privatePart // by their words
	first   map[int]Party // by object: the first read of what its thread had not written
}

// privatePart is where an object of private memory begins.
type privatePart struct{ word, object int }

// firstReads runs a launch again to find these reads, once for all objects.
func (t *Checked) firstReads() map[int]Party {
	if t.reads == nil {
		t.reads = t.findFirstReads()
	}
	return t.reads
}

func (t *Checked) findFirstReads() map[int]Party {
	t.restore(t.Before)
	q := t.P.Again(func(o *machine.Options) { o.Check, o.Private = false, true })
	m := machine.NewMachine(q, t.Launch, t.Buffers, t.Launch.PerGroup.Count())
	reads := &privateReads{written: make([]bool, len(m.Private)), objects: privateParts(q), first: map[int]Party{}}
	m.State[sanitizeSlot] = reads
	m.Observe(reads, 0)
	again := &Checked{P: q, Want: t.Want, Launch: t.Launch}
	if err := again.Groups(m); err != nil { // a fault has been reported already
		new(launchResult).end(err)
	}
	return reads.first
}

// observedPrivately is a kernel with an observeOp before every access to
// private memory.
func observedPrivately(k *ir.Kernel) *ir.Kernel {
	return machine.Instrumented(k, func(in *ir.Instr) bool {
		return (in.Op == ir.Load || in.Op == ir.Store) && in.Mem.Space == syntax.Thread
	})
}

// Enter forgets what threads have written.
func (r *privateReads) Enter(*machine.Machine) { clear(r.written) }

// observePrivate compiles an observeOp of private memory.
func observePrivate(c *codegen.Compiler, in *ir.Instr) {
	a := c.PrivateAccess(in)
	for _, r := range in.Args {
		c.Consumed(r)
	}
	bytes := int64(machine.ObservationOf(in).Count) * a.Size
	c.Do(func(m *machine.Machine) {
		reads := m.State[sanitizeSlot].(*privateReads)
		if a.Uniform {
			off := a.One(m, 0)
			for l := range m.Addr {
				m.Addr[l] = off
			}
		} else {
			a.Many(m, 0)
		}
		for l, on := range m.Mask {
			if on == 0 {
				continue
			}
			for w := m.Addr[l] / 4; w*4 < m.Addr[l]+bytes; w++ {
				reads.see(m, in, int(w), l)
			}
		}
	})
}

// see records an access to a word of one lane.
func (r *privateReads) see(m *machine.Machine, in *ir.Instr, word, lane int) {
	at := word*m.Stride + lane
	if in.Fn == "store" {
		r.written[at] = true
		return
	}
	if r.written[at] {
		return
	}
	object := r.objectOf(word)
	if _, ok := r.first[object]; !ok {
		r.first[object] = party(m, in.Pos, "read", lane)
	}
}

// privateParts are the objects of private memory, which lie there in order.
func privateParts(p *machine.Program) []privatePart {
	var list []privatePart
	for i, o := range p.Kernel.Objects {
		if o.Space == syntax.Thread {
			list = append(list, privatePart{p.PrivateBase[i], i})
		}
	}
	return list
}

// objectOf is the object that a word of private memory belongs to.
func (r *privateReads) objectOf(word int) int {
	behind := sort.Search(len(r.objects), func(i int) bool { return r.objects[i].word > word })
	return r.objects[behind-1].object
}
