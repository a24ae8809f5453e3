package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
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
			c.compute64(r, a.Load64(extra))
		} else {
			c.loadOne(a, r, extra)
		}
	}
}

// loadOne compiles a load from one address for all threads.
func (c *Compiler) loadOne(a *machine.MemoryAccess, r ir.Reg, extra int64) {
	decode, size := machine.Decode32(a.In.From), int(a.Size)
	if c.Uniform(r) && decode == nil && c.loadFixed(a, r, extra) {
		return
	}
	shift, fast := a.InWords(extra)
	if signed := a.In.Mem.IndexSigned; fast && c.Uniform(r) {
		c.protect(r)
		d := c.Define(r).Index
		c.emit(machine.Instr{Load: &machine.WordLoad{Access: a, Extra: extra, Into: d}, Do: func(m *machine.Machine) {
			mem := &m.Objects[a.Object]
			words, i := mem.Words, mem.Word(machine.WordIndex(m.Uni32[a.Scalar], signed)+shift)
			if uint64(i) >= uint64(len(words)) {
				a.One(m, extra)
			}
			m.Uni32[d] = words[i]
		}})
		return
	}
	if a.LoadsWord(decode) && c.Uniform(r) {
		c.loadWord(a, r, extra)
		return
	}
	c.compute(r, func(m *machine.Machine, d []uint32) {
		mem, off := a.One(m, extra)
		v := uint32(mem.Raw(off, size))
		if decode != nil {
			v = decode(v)
		}
		machine.Fill(d, v)
	})
}

// loadFixed compiles a load of a word at a fixed offset of a known object and
// reports whether it is one.
func (c *Compiler) loadFixed(a *machine.MemoryAccess, r ir.Reg, extra int64) bool {
	at := a.In.Mem.Disp + extra
	if a.Size != 4 || !a.Fixed || a.In.Mem.Index != ir.None || at < 0 || at%4 != 0 {
		return false
	}
	c.protect(r)
	d, i := c.Define(r).Index, at/4
	c.Do(func(m *machine.Machine) {
		mem := &m.Objects[a.Object]
		at := mem.Word(i)
		if uint64(at) >= uint64(len(mem.Words)) {
			a.One(m, extra)
		}
		m.Uni32[d] = mem.Words[at]
	})
	return true
}

// loadWord compiles such a load. Whatever is wrong with the address is left to
// the general path to report.
func (c *Compiler) loadWord(a *machine.MemoryAccess, r ir.Reg, extra int64) {
	c.protect(r)
	d, mem, shift := c.Define(r).Index, a.In.Mem, (a.In.Mem.Disp+extra)/4
	c.emit(machine.Instr{Load: &machine.WordLoad{Access: a, Extra: extra, Into: d}, Do: func(m *machine.Machine) {
		if from, at, ok := a.Whence(m); ok && at&3 == 0 {
			i := machine.WordIndex(m.Uni32[a.Scalar], mem.IndexSigned) + at>>2 + shift
			if uint64(i) < uint64(len(from.Words)) {
				m.Uni32[d] = from.Words[i]
				return
			}
		}
		from, off := a.One(m, extra)
		m.Uni32[d] = uint32(from.Raw(off, 4))
	}})
}

// loadLanes compiles a load from an address per lane: all its elements at once
// if they go to temporaries and lie in one object.
func (c *Compiler) loadLanes(a *machine.MemoryAccess, dst []ir.Reg) {
	gather := machine.GatherOf(c.t, a.In.From)
	temps := !slices.ContainsFunc(dst, func(r ir.Reg) bool { return c.P.Kernel.Regs[r].Kind != ir.Temp })
	if gather == nil || !temps {
		for k, r := range dst {
			c.compute(r, a.GatherOne(gather, k, len(dst)))
		}
		return
	}
	if r := dst[0]; c.Does(machine.PassLoadsInPlace) && len(dst) == 1 && a.Size == 4 && c.Consecutive(a) &&
		c.defers(r) && c.U.Reads(r) == 1 {
		s := c.scratch()
		view := machine.Operand{Kind: machine.InMemory,
			Run: &machine.Run{Access: a, Predictor: c.predictor(), Slot: s, Gather: a.GatherInto(gather, []int{s})}}
		c.put(&machine.Pending{Reg: r, View: &view, Memory: true}, a.In.Reads()...)
		return
	}
	slots := make([]int, len(dst))
	for k, r := range dst {
		slots[k] = c.Define(r).Index
	}
	load := a.GatherInto(gather, slots)
	if widen := machine.WideningOf(c.t, a.In.From); c.Does(machine.PassNarrowRuns) && len(dst) == 1 && widen != nil &&
		c.Consecutive(a) {
		load = a.LoadWidened(widen, slots[0], c.predictor(), load)
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
	size, encode := int(a.Size), machine.Encode32(in.From)
	for k, r := range in.Args {
		extra := int64(k) * a.Size
		one := a.Uniform && c.Uniform(r)
		value := c.stored(r, one, encode)
		c.protectMemory()
		if one {
			c.Do(func(m *machine.Machine) {
				mem, off := a.One(m, extra)
				m.Writable(a, mem)
				v := value(m)
				mem.SetRaw(off, size, v.At(0))
			})
			continue
		}
		c.Do(func(m *machine.Machine) { a.Scatter(m, extra, value(m)) })
	}
}

// storeLanes compiles a store to an address per lane. A run of words is computed where it is to lie.
func (c *Compiler) storeLanes(a *machine.MemoryAccess, args []ir.Reg) {
	scatter := map[int64]lanes.Scatter{1: c.t.Scatter8, 2: c.t.Scatter16, 4: c.t.Scatter32}[a.Size]
	for k, r := range args {
		v, encode, slow := c.arg(r, false), c.encoder(a.In.From, r), a.StoreSlowly()
		extra := int64(k) * a.Size
		c.protectMemory()
		predictor := c.predictor()
		run, s := c.Does(machine.PassStoresInPlace) && len(args) == 1 && a.Size == 4 && c.Consecutive(a), c.scratch()
		c.Do(func(m *machine.Machine) {
			v := v(m)
			if run {
				if mem, words, ok := a.Words(m); ok && !mem.ReadOnly {
					if a.Streams(mem) {
						m.Stream(words, v, encode, s)
					} else {
						m.Prefetch(predictor, words)
						machine.Encoded(words, v, encode)
					}
					return
				}
			}
			raw := v
			if encode != nil {
				raw = m.Lanes(s)
				encode(raw, v)
			}
			mem, idx, at, ok := a.Locate(m, int64(len(args)))
			if ok {
				m.Writable(a, mem)
				at.First += uint32(k)
				ok = scatter(mem.Cover, idx, m.Mask, raw, at) == m.N
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
	if c.Made[r] {
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

// Values gives the lanes of a register, or their raw bits.
func (c *Compiler) Values(r ir.Reg, uniform bool,
	encode func(uint32) uint32) func(m *machine.Machine) machine.Elements {
	if c.P.Slots[r].Wide {
		v := c.arg64(r, uniform)
		return func(m *machine.Machine) machine.Elements { return machine.Elements{Wide: v(m)} }
	}
	v := c.arg(r, uniform)
	return func(m *machine.Machine) machine.Elements { return machine.Elements{Narrow: v(m), Encode: encode} }
}

// stored is values for a store.
func (c *Compiler) stored(r ir.Reg, uniform bool,
	encode func(uint32) uint32) func(m *machine.Machine) machine.Elements {
	if c.P.Slots[r].Wide {
		return c.Values(r, uniform, encode)
	}
	v := vec(c.quieted(r), c, uniform)
	return func(m *machine.Machine) machine.Elements { return machine.Elements{Narrow: v(m), Encode: encode} }
}
