package machine

import (
	"metalconform/metalrun/internal/ir"
)

// soloOp is what an instruction for one thread does. Comparisons come in the order of the jumps
// for where they do not hold.
type soloOp uint8

const (
	soloEnd soloOp = iota
	soloJump
	soloAgain
	soloAddAgain
	soloAddAgainULt // and a comparison begins the turn
	soloSearchAgain // and what follows is a search
	soloSearching   // what follows is one
	soloUnless
	soloEq
	soloNe
	soloULt
	soloULe
	soloSLt
	soloSLe
	soloSLtQ
	soloSLeQ
	soloEqF
	soloNeF
	soloFLt
	soloFLe
	soloUnlessEq
	soloUnlessNe
	soloUnlessULt
	soloUnlessULe
	soloUnlessSLt
	soloUnlessSLe
	soloUnlessSLtQ
	soloUnlessSLeQ
	soloUnlessEqF
	soloUnlessNeF
	soloUnlessFLt
	soloUnlessFLe
	soloUnlessFLtPair // of elements of arrays of the thread, by 32-bit indices alone
	soloUnlessFLePair
	soloCopy
	soloConvert
	soloAdd
	soloSub
	soloMul
	soloShl
	soloLShr
	soloAShr
	soloAnd
	soloOr
	soloXor
	soloAddQ
	soloSubQ
	soloMulQ
	soloShlQ
	soloLShrQ
	soloAShrQ
	soloAddF
	soloSubF
	soloMulF
	soloDivF
	soloLoad         // of a known object
	soloStore        //
	soloLoadOwn      // of an array of the thread
	soloStoreOwn     //
	soloLoadElement  // likewise, by a 32-bit index alone
	soloStoreElement //
	soloLoadWord     // of a known object, 32 bits, by a 32-bit index without sign or none
	soloNote         // the outcome of a branch
	soloTally        // that a block of instructions begins
	soloCalls        // what an extension does
	soloForks        // likewise, and it may go on elsewhere
	SoloJoin         // where execute may end
)

// run executes the program to its end.
func (s *Solo) Run(m *Machine) {
	if m.Alone == nil {
		m.Alone = new([MaxSolo]uint64)
	}
	r := m.Alone
	copy(r[:], s.initial)
	for _, in := range s.given {
		switch at := in.from; {
		case at.Varying && at.Wide:
			r[in.register] = m.Wide(at.Index)[0]
		case at.Varying:
			r[in.register] = uint64(m.Lanes(at.Index)[0])
		case at.Wide:
			r[in.register] = m.Uni64[at.Index]
		default:
			r[in.register] = uint64(m.Uni32[at.Index])
		}
	}
	for _, begins := range s.Begins {
		begins(m)
	}
	s.Execute(m, 0, -1)
}

// execute executes instructions from one on, to the end or to the end of a branch.
func (s *Solo) Execute(m *Machine, from, until int) {
	r, code := m.Alone, s.Code
	private, stride, executed := m.Private, m.Stride, int64(0)
	for i := from; ; {
		in := &code[i]
		i++
		executed++
		switch in.Op {
		case soloEnd:
			m.Executed += executed
			return
		case soloJump:
			i = int(in.At)
		case soloAgain, soloAddAgain, soloAddAgainULt, soloSearchAgain:
			if in.Op != soloAgain {
				r[in.D] = uint64(uint32(r[in.A]) + uint32(r[in.B]))
			}
			turn := &s.Turns[in.At]
			if m.Steps >= turn.cost && m.patience >= turn.cost {
				m.Steps -= turn.cost
				m.patience -= turn.cost
			} else {
				m.Executed, executed = m.Executed+executed, 0 // the turn may be the last
				m.spend(turn.pos, turn.cost)
			}
			if turn.runs != nil {
				m.take(turn.runs, 1)
			}
			switch i = int(turn.top); in.Op {
			case soloAddAgainULt:
				if r[turn.a] < r[turn.b] {
					i++
				}
			case soloSearchAgain:
				turn.Search.Run(m, s, turn)
			}
		case soloSearching:
			turn := &s.Turns[in.At]
			turn.Search.Run(m, s, turn)
		case soloUnless:
			if !(r[in.A] != 0) {
				i = int(in.At)
			}
		case soloUnlessEq:
			if !(r[in.A] == r[in.B]) {
				i = int(in.At)
			}
		case soloUnlessNe:
			if !(r[in.A] != r[in.B]) {
				i = int(in.At)
			}
		case soloUnlessULt:
			if !(r[in.A] < r[in.B]) {
				i = int(in.At)
			}
		case soloUnlessULe:
			if !(r[in.A] <= r[in.B]) {
				i = int(in.At)
			}
		case soloUnlessSLt:
			if !(int32(r[in.A]) < int32(r[in.B])) {
				i = int(in.At)
			}
		case soloUnlessSLe:
			if !(int32(r[in.A]) <= int32(r[in.B])) {
				i = int(in.At)
			}
		case soloUnlessSLtQ:
			if !(int64(r[in.A]) < int64(r[in.B])) {
				i = int(in.At)
			}
		case soloUnlessSLeQ:
			if !(int64(r[in.A]) <= int64(r[in.B])) {
				i = int(in.At)
			}
		case soloUnlessEqF:
			if !(Float(r[in.A]) == Float(r[in.B])) {
				i = int(in.At)
			}
		case soloUnlessNeF:
			if !(Float(r[in.A]) != Float(r[in.B])) {
				i = int(in.At)
			}
		case soloUnlessFLt:
			if !(Float(r[in.A]) < Float(r[in.B])) {
				i = int(in.At)
			}
		case soloUnlessFLe:
			if !(Float(r[in.A]) <= Float(r[in.B])) {
				i = int(in.At)
			}
		case soloEq:
			r[in.D] = uint64(Lane(r[in.A] == r[in.B]))
		case soloNe:
			r[in.D] = uint64(Lane(r[in.A] != r[in.B]))
		case soloULt:
			r[in.D] = uint64(Lane(r[in.A] < r[in.B]))
		case soloULe:
			r[in.D] = uint64(Lane(r[in.A] <= r[in.B]))
		case soloSLt:
			r[in.D] = uint64(Lane(int32(r[in.A]) < int32(r[in.B])))
		case soloSLe:
			r[in.D] = uint64(Lane(int32(r[in.A]) <= int32(r[in.B])))
		case soloSLtQ:
			r[in.D] = uint64(Lane(int64(r[in.A]) < int64(r[in.B])))
		case soloSLeQ:
			r[in.D] = uint64(Lane(int64(r[in.A]) <= int64(r[in.B])))
		case soloEqF:
			r[in.D] = uint64(Lane(Float(r[in.A]) == Float(r[in.B])))
		case soloNeF:
			r[in.D] = uint64(Lane(Float(r[in.A]) != Float(r[in.B])))
		case soloFLt:
			r[in.D] = uint64(Lane(Float(r[in.A]) < Float(r[in.B])))
		case soloFLe:
			r[in.D] = uint64(Lane(Float(r[in.A]) <= Float(r[in.B])))
		case soloUnlessFLtPair, soloUnlessFLePair:
			p := &s.pairs[in.x]
			v, w := uint32(r[in.A]), uint32(r[in.B])
			if v >= uint32(p.a.y) || w >= uint32(p.b.y) {
				p.fault(s, m, uint64(v), uint64(w))
			}
			x := F32frombits(private[(int(p.a.x)+int(v))*stride])
			y := F32frombits(private[(int(p.b.x)+int(w))*stride])
			if !(x < y || x == y && in.Op == soloUnlessFLePair) {
				i = int(in.At)
			}
		case soloCopy:
			r[in.D] = r[in.A]
		case soloConvert:
			r[in.D] = s.convert[in.At](r[in.A])
		case soloAdd:
			r[in.D] = uint64(uint32(r[in.A]) + uint32(r[in.B]))
		case soloSub:
			r[in.D] = uint64(uint32(r[in.A]) - uint32(r[in.B]))
		case soloMul:
			r[in.D] = uint64(uint32(r[in.A]) * uint32(r[in.B]))
		case soloShl:
			r[in.D] = uint64(uint32(r[in.A]) << (r[in.B] & 31))
		case soloLShr:
			r[in.D] = uint64(uint32(r[in.A]) >> (r[in.B] & 31))
		case soloAShr:
			r[in.D] = uint64(uint32(int32(r[in.A]) >> (r[in.B] & 31)))
		case soloAnd:
			r[in.D] = r[in.A] & r[in.B]
		case soloOr:
			r[in.D] = r[in.A] | r[in.B]
		case soloXor:
			r[in.D] = r[in.A] ^ r[in.B]
		case soloAddQ:
			r[in.D] = r[in.A] + r[in.B]
		case soloSubQ:
			r[in.D] = r[in.A] - r[in.B]
		case soloMulQ:
			r[in.D] = r[in.A] * r[in.B]
		case soloShlQ:
			r[in.D] = r[in.A] << (r[in.B] & 63)
		case soloLShrQ:
			r[in.D] = r[in.A] >> (r[in.B] & 63)
		case soloAShrQ:
			r[in.D] = uint64(int64(r[in.A]) >> (r[in.B] & 63))
		case soloAddF:
			r[in.D] = bitsOf(Float(r[in.A]) + Float(r[in.B]))
		case soloSubF:
			r[in.D] = bitsOf(Float(r[in.A]) - Float(r[in.B]))
		case soloMulF:
			r[in.D] = bitsOf(Float(r[in.A]) * Float(r[in.B]))
		case soloDivF:
			r[in.D] = bitsOf(Float(r[in.A]) / Float(r[in.B]))
		case soloLoad:
			r[in.D] = uint64(s.Memory[in.At].load(m, r[in.A], r[in.B]))
		case soloLoadWord:
			x := &s.Memory[in.At]
			words := m.Objects[x.object].words
			off := int64(r[in.A]-x.origin) + x.disp + int64(uint32(r[in.B]))*x.scale
			if at := uint64(off) >> 2; at < uint64(len(words)) && off&3 == 0 {
				r[in.D] = uint64(words[at])
			} else {
				r[in.D] = uint64(x.load(m, r[in.A], r[in.B]))
			}
		case soloStore:
			s.Memory[in.At].store(m, r[in.A], r[in.B], uint32(r[in.D]))
		case soloLoadOwn:
			r[in.D] = uint64(*s.Memory[in.At].Own(m, r[in.B]))
		case soloStoreOwn:
			*s.Memory[in.At].Own(m, r[in.B]) = s.Memory[in.At].quieted(uint32(r[in.D]))
		case soloLoadElement:
			w := uint32(r[in.B])
			if w >= uint32(in.y) {
				s.Memory[in.At].Own(m, uint64(w))
			}
			r[in.D] = uint64(private[(int(in.x)+int(w))*stride])
		case soloStoreElement:
			w := uint32(r[in.B])
			if w >= uint32(in.y) {
				s.Memory[in.At].Own(m, uint64(w))
			}
			private[(int(in.x)+int(w))*stride] = s.Memory[in.At].quieted(uint32(r[in.D]))
		case soloNote:
			m.noteAlone(s.branches[in.At].id, r[in.A])
		case soloTally:
			m.take(s.blocks[in.At:in.At+1], 1)
		case soloCalls:
			s.calls[in.At](m, r)
		case soloForks:
			if next := s.forks[in.At](m); next >= 0 {
				i = next
			}
		case SoloJoin:
			if i == until+1 {
				m.Executed += executed
				return
			}
		}
	}
}

func Float(v uint64) float32  { return F32frombits(uint32(v)) }
func bitsOf(x float32) uint64 { return uint64(F32bits(x)) }

// step is how far the element is from where the pointer leads.
func (x *SoloMemory) Step(index uint64) int64 {
	if x.signed {
		index = uint64(int32(index))
	}
	return x.disp + int64(index)*x.scale
}

// find gives the object, and where the element lies in it.
func (x *SoloMemory) Find(m *Machine, pointer, index uint64) (mem *Memory, off int64) {
	mem, off, ok := x.Within(m, pointer, index)
	if !ok {
		m.outOfRange(x.Access, off, mem, pointer, 0)
	}
	return mem, off
}

// within is find where the element may lie outside of the object.
func (x *SoloMemory) Within(m *Machine, pointer, index uint64) (mem *Memory, off int64, ok bool) {
	mem, off = &m.Objects[x.object], int64(pointer-x.origin)+x.Step(index)
	size := x.Access.Size
	return mem, off, !(uint64(off) > uint64(mem.Size-size) || mem.Size < size || off&(size-1) != 0)
}

func (x *SoloMemory) load(m *Machine, pointer, index uint64) uint32 {
	mem, off := x.Find(m, pointer, index)
	v := uint32(mem.Raw(off, int(x.Access.Size)))
	if x.decode != nil {
		return x.decode(v)
	}
	return v
}

func (x *SoloMemory) store(m *Machine, pointer, index uint64, v uint32) {
	mem, off := x.Find(m, pointer, index)
	m.writable(x.Access, mem)
	if v = x.quieted(v); x.encode != nil {
		v = x.encode(v)
	}
	mem.SetRaw(off, int(x.Access.Size), uint64(v))
}

// fault reports the first of the two that lies outside of its array.
func (p *soloPair) fault(s *Solo, m *Machine, a, b uint64) {
	if p.later {
		s.Memory[p.b.At].Own(m, b)
	}
	s.Memory[p.a.At].Own(m, a)
	s.Memory[p.b.At].Own(m, b)
}

// quieted is what is stored of a float.
func (x *SoloMemory) quieted(v uint32) uint32 {
	if x.quiet {
		return uint32(floatBits(F32frombits(v)))
	}
	return v
}

// own is a word of an array of the thread.
func (x *SoloMemory) Own(m *Machine, index uint64) *uint32 {
	off := x.Step(index)
	if uint64(off)>>2 >= uint64(x.size) || off&3 != 0 {
		m.outOfRange(x.Access, off, &Memory{Size: 4 * x.size}, uint64(x.object+ir.FirstObject)<<ir.ObjectShift, 0)
	}
	return &m.Private[int(x.First+off>>2)*m.Stride]
}
