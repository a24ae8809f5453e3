package sanitize

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// observed is a kernel with an Observe before every access that the checks
// have to see: all of threadgroup memory, and of device memory where the kernel
// can write. What it only reads needs no observer.
func observed(k *ir.Kernel) *ir.Kernel {
	u := analysis.InThreadgroup(k)
	can, to := analysis.Writable(k), u.Destinations()
	return machine.Instrumented(k, func(in *ir.Instr) bool {
		if !in.Op.Info().Effects.Has(ir.Reads | ir.Writes) {
			return false
		}
		switch in.Mem.Space {
		case syntax.Thread:
			return false
		case syntax.Threadgroup:
			return true
		case syntax.Device:
			if object := to[in.Mem.Base]; object < 0 || can[object] {
				return true
			}
		}
		return !analysis.Aligned(k, in)
	})
}

// observer sees one access before it is made.
type observer struct {
	of        *checker
	access    *machine.MemoryAccess
	object    int    // that it goes to, -1 if that is not known in advance
	unit      int64  // bytes, a multiple of which lie before it and are accessed
	does      string // "read", "write" or "atomic access"
	reads     bool
	writes    bool
	atomic    bool
	site      uint32
	operation string // of an atomic access
	count     int64  // of consecutive elements
	align     int64  // of the access, if it is to be checked, or 1
	inLine    bool   // it writes elements side by side, most likely
	values    []func(m *machine.Machine) machine.Elements
}

// observe compiles an observeOp.
func (p *checker) observe(c *codegen.Compiler, in *ir.Instr) {
	if in.Mem.Space == syntax.Thread {
		observePrivate(c, in)
		return
	}
	if p.leads == nil {
		p.leads = c.U.Destinations()
	}
	o := &observer{of: p, access: c.Access(in), object: max(p.leads[in.Mem.Base], -1), site: uint32(len(p.Sites)),
		count: int64(machine.ObservationOf(in).Count), align: 1}
	for o.unit = o.access.Size; o.unit < int64(in.Mem.Align) && o.count*o.access.Size&o.unit == 0; {
		o.unit *= 2
	}
	if !analysis.Aligned(c.P.Kernel, in) {
		o.align = int64(in.Mem.Align)
	}
	o.access.Write = in.Fn != "load"
	switch in.Fn {
	case "load":
		o.does, o.reads = "read", true
	case "store":
		o.does, o.writes = "write", true
	default:
		o.does, o.reads, o.writes, o.atomic = "atomic access", true, true, true
		p.named(o, machine.ObservationOf(in).Atomic)
	}
	for _, r := range in.Args {
		if c.P.Options.SameValue {
			o.values = append(o.values, c.Values(r, false, machine.Encode32(in.From)))
		} else {
			c.Consumed(r)
		}
	}
	o.inLine = o.writes && !o.reads && o.count == 1 && o.align == 1 && in.Mem.VectorBytes == 0 &&
		c.Consecutive(o.access)
	p.Sites = append(p.Sites, o)
	p.observers[in] = o
	p.Cells.note(in.Mem.Space, o)
	c.Do(o.see)
}

// see records what the active lanes are about to access. An address out of
// range is left to the access itself.
func (o *observer) see(m *machine.Machine) {
	if m.FirstActive() < 0 {
		return
	}
	if mem := o.whole(m); mem != nil && o.known(m, shadowOf(mem)) {
		return
	}
	if o.access.Uniform {
		mem, off := o.access.One(m, 0)
		o.together(m, mem, off)
		return
	}
	if o.inLine && m.P.Does(machine.PassFreshWrites) && o.freshWrites(m) {
		return
	}
	mem, ok := o.access.Many(m, 0)
	if !ok {
		for l, on := range m.Mask {
			if on != 0 {
				at, off := o.access.Lane(m, l, 0)
				o.lane(m, at, off, l)
			}
		}
		return
	}
	switch s, aligned := shadowOf(mem), o.aligned(m); {
	case s == nil && aligned:
		return
	case s != nil && aligned && !o.atomic && o.count*o.access.Size&(1<<s.log-1) == 0 &&
		o.access.In.Mem.VectorBytes == 0:
		o.each(m, s, int(o.count*o.access.Size>>s.log))
		return
	}
	for l, on := range m.Mask {
		if on != 0 {
			o.lane(m, mem, m.Addr[l], l)
		}
	}
}

// aligned reports whether all active lanes have the alignment that the access needs.
func (o *observer) aligned(m *machine.Machine) bool {
	if o.align == 1 {
		return true
	}
	bits := int64(0)
	for l, off := range m.Addr[:len(m.Mask)] {
		bits |= off & int64(int32(m.Mask[l]))
	}
	return bits&(o.align-1) == 0
}

// whole is the object that all lanes access, nil if it is not known in advance.
func (o *observer) whole(m *machine.Machine) *machine.Memory {
	if o.object < 0 {
		return nil
	}
	return &m.Objects[o.object]
}

// known records an access to an object that is shadowed as a whole, and reports
// whether that is enough: it reads, and all of the object is written.
func (o *observer) known(m *machine.Machine, s *shadow) bool {
	if s == nil {
		return o.align == 1
	}
	if !s.coarse.on {
		return false
	}
	if o.reads {
		s.touch(&sanitizerOf(m).Clock, false)
	}
	if o.writes {
		s.touch(&sanitizerOf(m).Clock, true)
	}
	return !o.writes && o.align == 1 && s.full(&sanitizerOf(m).Clock)
}

// together records all active lanes at one address. The first and the last reader
// stand for the others.
func (o *observer) together(m *machine.Machine, mem *machine.Memory, off int64) {
	if o.writes {
		for l, on := range m.Mask {
			if on != 0 {
				o.lane(m, mem, off, l)
			}
		}
		return
	}
	first, last := m.FirstActive(), len(m.Mask)-1
	for m.Mask[last] == 0 {
		last--
	}
	o.lane(m, mem, off, first)
	if last != first {
		o.lane(m, mem, off, last)
	}
}

// lane records one lane's access.
func (o *observer) lane(m *machine.Machine, mem *machine.Memory, off int64, l int) {
	if off&(o.align-1) != 0 {
		at := machine.Access{Object: m.ObjectOf(mem), Offset: off, Bytes: o.count * o.access.Size, Size: mem.Size}
		f := m.Fault(machine.Misaligned, o.access.In.Pos, l,
			"misaligned %s of %s, which is no multiple of their alignment of %d", o.does, at, o.align)
		f.Access = &at
		panic(f)
	}
	if s := shadowOf(mem); s != nil {
		if o.atomic && o.of.hasty {
			o.inTurn(m, s, int(off>>s.log), l)
		}
		end := min(off+o.count*o.access.Size, mem.Size)
		o.cells(m, s, int(off>>s.log), int((end+1<<s.log-1)>>s.log), l)
		if vector := int64(o.access.In.Mem.VectorBytes); o.writes && vector > 0 {
			o.rest(m, s, off, vector, l)
		}
	}
}

// cells records one lane's access to cells. What a barrier of the threadgroup
// orders, as most is, is told at once.
func (o *observer) cells(m *machine.Machine, s *shadow, first, end, l int) {
	c := &sanitizerOf(m).Clock
	now, epoch, simdgroupEpoch := record{c.Now, o.site<<threadBits | uint32(l)}, c.epoch[s.scope],
		c.simdgroupEpoch[s.scope][l/machine.Simdgroup]
	for cell := first; cell < end; cell++ {
		if last := s.last(cell); last.when < c.group || last.when >= epoch {
			o.afterWrite(m, s, cell, l)
		}
		switch {
		case o.writes:
			if s.apart {
				o.afterReads(m, s, cell, l)
			}
			written := &s.toWrite(cell)[cell&(pageCells-1)]
			s.wrote(c, written)
			*written = now
		case s.apart:
			if kept := &s.toRead(cell)[cell&(pageCells-1)]; !enough(kept, &now, epoch, simdgroupEpoch) {
				s.read(c, kept, &now)
			}
		}
	}
}

// each records an access of each active lane to so many cells. What is ordered at sight, since no thread
// of this launch or only this one has touched the cell, takes no call.
func (o *observer) each(m *machine.Machine, s *shadow, cells int) {
	switch {
	case o.reads:
		o.eachRead(m, s, cells)
	case !s.apart && cells == 1:
		o.singleWrites(m, s)
	default:
		o.eachWrite(m, s, cells)
	}
}

// eachRead is each for reads, which are told apart or not. Lanes come one after the other for the first cell of each,
// then for the second.
func (o *observer) eachRead(m *machine.Machine, s *shadow, cells int) {
	c, writes, reads := &sanitizerOf(m).Clock, s.writes, s.reads
	known := s.scope == deviceMemory && !s.undefined // what nobody has written holds something
	group, epoch := c.group, c.epoch[s.scope]
	now, site, since := record{when: c.Now}, o.site<<threadBits, epoch-group
	mask := m.Mask
	addr := m.Addr[:len(mask)]
	for further := range cells {
		for l, a := range addr {
			cell := int(a>>s.log) + further
			if cell >= s.cells || mask[l] == 0 {
				continue
			}
			at, i := cell>>pageLog, cell&(pageCells-1)
			if p := writes[at]; p == nil {
				if !known {
					o.afterWrite(m, s, cell, l)
				}
			} else if w := &p[i]; w.when-group >= since && (w.when > 0 || !known) &&
				!w.own(group, l) { // not before the last barrier
				o.afterWrite(m, s, cell, l)
			}
			if !s.apart {
				continue
			}
			p := reads[at]
			if p == nil {
				p = s.toRead(cell)
			}
			now.who = site | uint32(l)
			switch kept := &p[i]; {
			case !kept[0].made(), kept[0].when-group < since: // a barrier lies between them
				kept[0] = now
			case !enough(kept, &now, epoch, c.simdgroupEpoch[s.scope][l/machine.Simdgroup]):
				s.read(c, kept, &now)
			}
		}
	}
}

// eachWrite is each for writes.
func (o *observer) eachWrite(m *machine.Machine, s *shadow, cells int) {
	c, addr, writes, reads := &sanitizerOf(m).Clock, m.Addr[:len(m.Mask)], s.writes, s.reads
	group, epoch := c.group, c.epoch[s.scope]
	now := record{when: c.Now}
	for l, on := range m.Mask {
		if on == 0 {
			continue
		}
		now.who = o.site<<threadBits | uint32(l)
		first := int(addr[l] >> s.log)
		for cell := first; cell < min(first+cells, s.cells); cell++ {
			at, i := cell>>pageLog, cell&(pageCells-1)
			p := writes[at]
			if p == nil {
				p = s.toWrite(cell)
			}
			written := &p[i]
			if w := written.when; w > 0 && w-group >= epoch-group && !written.own(group, l) {
				o.afterWrite(m, s, cell, l)
			}
			if s.apart {
				if p := reads[at]; p != nil {
					if kept := &p[i]; kept[0].made() &&
						!(c.clearlyOrdered(&kept[0], epoch, l) && c.clearlyOrdered(&kept[1], epoch, l)) {
						o.afterReads(m, s, cell, l)
					}
				}
			}
			s.wrote(c, written)
			*written = now
		}
	}
}

// clearlyOrdered is a quick test for an access that happens before what a lane does now: there is no access, or a
// barrier of the threadgroup follows it, or the lane made it.
func (c *Clock) clearlyOrdered(r *record, epoch uint32, l int) bool {
	return !r.made() || r.when >= c.group && (r.when < epoch || r.thread() == l)
}

// afterWrite checks that the last write happens before an access.
func (o *observer) afterWrite(m *machine.Machine, s *shadow, cell, l int) {
	c, written := &sanitizerOf(m).Clock, s.last(cell)
	if !c.ordered(&written, s.scope, l) && !sanitizerOf(m).reported(o, s, &written) &&
		!(o.atomic && o.of.Sites[written.site()].atomic) {
		o.clash(m, s, cell, l, &written)
	}
	if o.reads && !s.written(c, cell) {
		sanitizerOf(m).uninitialisedRead(m, o, s, l)
	}
}

// afterReads checks that the reads happen before a write.
func (o *observer) afterReads(m *machine.Machine, s *shadow, cell, l int) {
	p := s.reads[cell>>pageLog]
	if p == nil {
		return
	}
	for _, r := range p[cell&(pageCells-1)] {
		if !sanitizerOf(m).Clock.ordered(&r, s.scope, l) && !sanitizerOf(m).reported(o, s, &r) &&
			!(o.atomic && o.of.Sites[r.site()].atomic) {
			o.clash(m, s, cell, l, &r)
		}
	}
}

// rest checks the other components of a vector to which a component is stored: the
// store may write them back.
func (o *observer) rest(m *machine.Machine, s *shadow, off, vector int64, l int) {
	base := off &^ (vector - 1)
	for cell := int(base >> s.log); cell < int((base+vector)>>s.log) && cell < s.cells; cell++ {
		prev := s.last(cell)
		if at := int64(cell) << s.log; at >= off && at < off+o.count*o.access.Size || !prev.made() {
			continue
		}
		if other := o.of.Sites[prev.site()]; other.access.In.Mem.VectorBytes > 0 &&
			!sanitizerOf(m).Clock.ordered(&prev, s.scope, l) {
			o.clash(m, s, cell, l, &prev)
		}
	}
}

// sameValue reports whether two stores write the same value, so that their order
// does not matter.
func (o *observer) sameValue(m *machine.Machine, s *shadow, cell, l int, prev *record) bool {
	if other := o.of.Sites[prev.site()]; len(o.values) == 0 || other.atomic || !other.writes {
		return false
	}
	size := o.access.Size
	first := int64(cell) << s.log &^ (size - 1)
	for at := first; at < int64(cell+1)<<s.log; at += size {
		if !o.sameElement(m, s, at, l, prev) {
			return false
		}
	}
	return true
}

// sameElement reports whether they do so in an element.
func (o *observer) sameElement(m *machine.Machine, s *shadow, at int64, l int, prev *record) bool {
	mine, _ := o.stored(m, at, l)
	if prev.site() == int(o.site) && prev.thread() < l && m.Mask[prev.thread()] != 0 {
		if theirs, now := o.stored(m, at, prev.thread()); now { // not in memory yet
			return theirs == mine
		}
	}
	mem := &m.Objects[s.object]
	return mem.Raw(at, int(o.access.Size)) == mine
}

// stored is what a lane is about to store in an element; ok is false if
// it stores elsewhere.
func (o *observer) stored(m *machine.Machine, at int64, l int) (value uint64, ok bool) {
	off := m.Addr[l]
	if o.access.Uniform {
		_, off = o.access.One(m, 0)
	}
	k := (at - off) / o.access.Size
	if at < off || k >= o.count {
		return 0, false
	}
	v := o.values[k](m)
	return v.At(l) & (1<<(8*o.access.Size) - 1), true
}
