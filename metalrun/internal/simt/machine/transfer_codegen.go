package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/syntax"
)

// load compiles a load of one or more consecutive elements.
func (c *Compiler) load(in *ir.Instr) {
	if in.Mem.Space == syntax.Thread {
		c.loadPrivate(in)
		return
	}
	if c.lookup(in) {
		return
	}
	a := c.Access(in)
	if !a.Uniform && in.From.Size() < 8 {
		c.loadLanes(a, in.Dst)
		return
	}
	for k, r := range in.Dst {
		extra := int64(k) * a.Size
		if in.From.Size() == 8 {
			c.compute64(r, a.load64(extra))
		} else {
			c.loadOne(a, r, extra)
		}
	}
}

// loadOne compiles a load from one address for all threads.
func (c *Compiler) loadOne(a *MemoryAccess, r ir.Reg, extra int64) {
	decode, size := Decode32(a.In.From), int(a.Size)
	if c.Uniform(r) && decode == nil && c.loadFixed(a, r, extra) {
		return
	}
	shift, fast := a.inWords(extra)
	if signed := a.In.Mem.IndexSigned; fast && c.Uniform(r) {
		c.protect(r)
		d := c.Define(r).Index
		c.emit(Instr{load: &WordLoad{a, extra, d}, do: func(m *Machine) {
			mem := &m.Objects[a.Object]
			words, i := mem.words, mem.word(WordIndex(m.Uni32[a.Scalar], signed)+shift)
			if uint64(i) >= uint64(len(words)) {
				a.One(m, extra)
			}
			m.Uni32[d] = words[i]
		}})
		return
	}
	if a.loadsWord(decode) && c.Uniform(r) {
		c.loadWord(a, r, extra)
		return
	}
	c.compute(r, func(m *Machine, d []uint32) {
		mem, off := a.One(m, extra)
		v := uint32(mem.Raw(off, size))
		if decode != nil {
			v = decode(v)
		}
		fill(d, v)
	})
}

// loadFixed compiles a load of a word at a fixed offset of a known object and
// reports whether it is one.
func (c *Compiler) loadFixed(a *MemoryAccess, r ir.Reg, extra int64) bool {
	at := a.In.Mem.Disp + extra
	if a.Size != 4 || !a.fixed || a.In.Mem.Index != ir.None || at < 0 || at%4 != 0 {
		return false
	}
	c.protect(r)
	d, i := c.Define(r).Index, at/4
	c.Do(func(m *Machine) {
		mem := &m.Objects[a.Object]
		at := mem.word(i)
		if uint64(at) >= uint64(len(mem.words)) {
			a.One(m, extra)
		}
		m.Uni32[d] = mem.words[at]
	})
	return true
}

// loadWord compiles such a load. Whatever is wrong with the address is left to
// the general path to report.
func (c *Compiler) loadWord(a *MemoryAccess, r ir.Reg, extra int64) {
	c.protect(r)
	d, mem, shift := c.Define(r).Index, a.In.Mem, (a.In.Mem.Disp+extra)/4
	c.emit(Instr{load: &WordLoad{a, extra, d}, do: func(m *Machine) {
		if from, at, ok := a.Whence(m); ok && at&3 == 0 {
			i := WordIndex(m.Uni32[a.Scalar], mem.IndexSigned) + at>>2 + shift
			if uint64(i) < uint64(len(from.words)) {
				m.Uni32[d] = from.words[i]
				return
			}
		}
		from, off := a.One(m, extra)
		m.Uni32[d] = uint32(from.Raw(off, 4))
	}})
}

// loadLanes compiles a load from an address per lane: all its elements at once
// if they go to temporaries and lie in one object.
func (c *Compiler) loadLanes(a *MemoryAccess, dst []ir.Reg) {
	gather := gatherOf(c.t, a.In.From)
	temps := !slices.ContainsFunc(dst, func(r ir.Reg) bool { return c.P.Kernel.Regs[r].Kind != ir.Temp })
	if gather == nil || !temps {
		for k, r := range dst {
			c.compute(r, a.gatherOne(gather, k, len(dst)))
		}
		return
	}
	if r := dst[0]; c.Does(passLoadsInPlace) && len(dst) == 1 && a.Size == 4 && c.Consecutive(a) && c.defers(r) && c.U.Reads(r) == 1 {
		s := c.scratch()
		view := Operand{kind: inMemory, run: &run{access: a, slot: s, gather: a.gatherInto(gather, []int{s})}}
		c.put(&deferred{reg: r, view: &view, memory: true}, a.In.Reads()...)
		return
	}
	slots := make([]int, len(dst))
	for k, r := range dst {
		slots[k] = c.Define(r).Index
	}
	load := a.gatherInto(gather, slots)
	if widen := wideningOf(c.t, a.In.From); c.Does(passNarrowRuns) && len(dst) == 1 && widen != nil && c.Consecutive(a) {
		load = a.loadWidened(widen, slots[0], load)
	}
	c.Do(load)
}

// store compiles a store of one or more consecutive elements. Where several
// lanes write one address the highest lane's value stays.
func (c *Compiler) store(in *ir.Instr) {
	if in.Mem.Space == syntax.Thread {
		c.storePrivate(in)
		return
	}
	a := c.Access(in)
	if !a.Uniform && in.From.Size() < 8 {
		c.storeLanes(a, in.Args)
		return
	}
	size, encode := int(a.Size), Encode32(in.From)
	for k, r := range in.Args {
		extra := int64(k) * a.Size
		one := a.Uniform && c.Uniform(r)
		value := c.stored(r, one, encode)
		c.protectMemory()
		if one {
			c.Do(func(m *Machine) {
				mem, off := a.One(m, extra)
				m.writable(a, mem)
				v := value(m)
				mem.SetRaw(off, size, v.At(0))
			})
			continue
		}
		c.Do(func(m *Machine) { a.scatter(m, extra, value(m)) })
	}
}

// storeLanes compiles a store to an address per lane. A run of words is computed where it is to lie.
func (c *Compiler) storeLanes(a *MemoryAccess, args []ir.Reg) {
	scatter := map[int64]lanes.Scatter{1: c.t.Scatter8, 2: c.t.Scatter16, 4: c.t.Scatter32}[a.Size]
	for k, r := range args {
		v, encode, slow := c.arg(r, false), c.encoder(a.In.From, r), a.storeSlowly()
		extra := int64(k) * a.Size
		c.protectMemory()
		run, s := c.Does(passStoresInPlace) && len(args) == 1 && a.Size == 4 && c.Consecutive(a), c.scratch()
		c.Do(func(m *Machine) {
			v := v(m)
			if run {
				if mem, words, ok := a.words(m); ok && !mem.ReadOnly {
					if a.streams(mem) {
						m.stream(words, v, encode, s)
					} else {
						encoded(words, v, encode)
					}
					return
				}
			}
			raw := v
			if encode != nil {
				raw = m.Lanes(s)
				encode(raw, v)
			}
			mem, idx, at, ok := a.locate(m, int64(len(args)))
			if ok {
				m.writable(a, mem)
				at.First += uint32(k)
				ok = scatter(mem.cover, idx, m.Mask, raw, at) == m.N
			}
			if !ok {
				slow(m, raw, extra)
			}
		})
	}
}

// encoder is the loop that makes raw bits of elements to store, nil if lanes are these.
func (c *Compiler) encoder(s ir.Scalar, r ir.Reg) lanes.Unary {
	var quiet, encode lanes.Unary
	if c.made[r] {
		quiet = c.t.QuietNaN
	}
	switch s {
	case ir.H16:
		encode = c.t.HalfBits
	case ir.T16:
		encode = c.t.BfloatBits
	case ir.B8:
		encode = func(d, a []uint32) { c.t.And.VS(d, a, 1) }
	default:
		return quiet
	}
	if quiet == nil {
		return encode
	}
	return func(d, a []uint32) {
		quiet(d, a)
		encode(d, d)
	}
}

// values gives the lanes of a register, or their raw bits.
func (c *Compiler) Values(r ir.Reg, uniform bool, encode func(uint32) uint32) func(m *Machine) Elements {
	if c.P.Slots[r].Wide {
		v := c.arg64(r, uniform)
		return func(m *Machine) Elements { return Elements{wide: v(m)} }
	}
	v := c.arg(r, uniform)
	return func(m *Machine) Elements { return Elements{narrow: v(m), encode: encode} }
}

// stored is values for a store.
func (c *Compiler) stored(r ir.Reg, uniform bool, encode func(uint32) uint32) func(m *Machine) Elements {
	if c.P.Slots[r].Wide {
		return c.Values(r, uniform, encode)
	}
	v := c.quieted(r).vec(c, uniform)
	return func(m *Machine) Elements { return Elements{narrow: v(m), encode: encode} }
}
