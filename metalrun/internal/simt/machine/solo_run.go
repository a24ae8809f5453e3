package machine

import (
	"metalconform/metalrun/internal/ir"
)

// soloOp is what an instruction for one thread does. Comparisons come in the order of the jumps
// for where they do not hold.
type soloOp uint8

const (
	SoloEnd soloOp = iota
	SoloJump
	SoloAgain
	SoloAddAgain
	SoloAddAgainULt // and a comparison begins the turn
	SoloSearchAgain // and what follows is a search
	SoloSearching   // what follows is one
	SoloUnless
	SoloEq
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
	SoloFLe
	SoloUnlessEq
	soloUnlessNe
	SoloUnlessULt
	soloUnlessULe
	soloUnlessSLt
	soloUnlessSLe
	soloUnlessSLtQ
	soloUnlessSLeQ
	soloUnlessEqF
	soloUnlessNeF
	SoloUnlessFLt
	SoloUnlessFLe
	SoloUnlessFLtPair // of elements of arrays of the thread, by 32-bit indices alone
	soloUnlessFLePair
	SoloCopy
	SoloConvert
	SoloAdd
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
	SoloLoad         // of a known object
	SoloStore        //
	SoloLoadOwn      // of an array of the thread
	soloStoreOwn     //
	SoloLoadElement  // likewise, by a 32-bit index alone
	soloStoreElement //
	SoloLoadWord     // of a known object, 32 bits, by a 32-bit index without sign or none
	SoloNote         // the outcome of a branch
	SoloTally        // that a block of instructions begins
	SoloCalls        // what an extension does
	SoloForks        // likewise, and it may go on elsewhere
	SoloJoin         // where execute may end
)

// Run executes the program to its end.
func (s *Solo) Run(m *Machine) {
	if m.Alone == nil {
		m.Alone = new([MaxSolo]uint64)
	}
	r := m.Alone
	copy(r[:], s.Initial)
	for _, in := range s.Given {
		switch at := in.From; {
		case at.Varying && at.Wide:
			r[in.Register] = m.Wide(at.Index)[0]
		case at.Varying:
			r[in.Register] = uint64(m.Lanes(at.Index)[0])
		case at.Wide:
			r[in.Register] = m.Uni64[at.Index]
		default:
			r[in.Register] = uint64(m.Uni32[at.Index])
		}
	}
	for _, begins := range s.Begins {
		begins(m)
	}
	s.Execute(m, 0, -1)
}

// Execute executes instructions from one on, to the end or to the end of a branch.
func (s *Solo) Execute(m *Machine, from, until int) {
	r, code := m.Alone, s.Code
	private, stride, executed := m.Private, m.Stride, int64(0)
	for i := from; ; {
		in := &code[i]
		i++
		executed++
		switch in.Op {
		case SoloEnd:
			m.Executed += executed
			return
		case SoloJump:
			i = int(in.At)
		case SoloAgain, SoloAddAgain, SoloAddAgainULt, SoloSearchAgain:
			if in.Op != SoloAgain {
				r[in.D] = uint64(uint32(r[in.A]) + uint32(r[in.B]))
			}
			turn := &s.Turns[in.At]
			if m.Steps >= turn.Cost && m.uncharged+turn.Cost < chargedAtOnce {
				m.Steps -= turn.Cost
				m.uncharged += turn.Cost
			} else {
				m.Executed, executed = m.Executed+executed, 0 // the turn may be the last
				m.spend(turn.Pos, turn.Cost)
			}
			if turn.Runs != nil {
				m.Take(turn.Runs, 1)
			}
			switch i = int(turn.Top); in.Op {
			case SoloAddAgainULt:
				if r[turn.A] < r[turn.B] {
					i++
				}
			case SoloSearchAgain:
				turn.Search.Run(m, s, turn)
			}
		case SoloSearching:
			turn := &s.Turns[in.At]
			turn.Search.Run(m, s, turn)
		case SoloUnless:
			if !(r[in.A] != 0) {
				i = int(in.At)
			}
		case SoloUnlessEq:
			if !(r[in.A] == r[in.B]) {
				i = int(in.At)
			}
		case soloUnlessNe:
			if !(r[in.A] != r[in.B]) {
				i = int(in.At)
			}
		case SoloUnlessULt:
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
		case SoloUnlessFLt:
			if !(Float(r[in.A]) < Float(r[in.B])) {
				i = int(in.At)
			}
		case SoloUnlessFLe:
			if !(Float(r[in.A]) <= Float(r[in.B])) {
				i = int(in.At)
			}
		case SoloEq:
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
		case SoloFLe:
			r[in.D] = uint64(Lane(Float(r[in.A]) <= Float(r[in.B])))
		case SoloUnlessFLtPair, soloUnlessFLePair:
			p := &s.Pairs[in.X]
			v, w := uint32(r[in.A]), uint32(r[in.B])
			if v >= uint32(p.A.Y) || w >= uint32(p.B.Y) {
				p.fault(s, m, uint64(v), uint64(w))
			}
			x := F32frombits(private[(int(p.A.X)+int(v))*stride])
			y := F32frombits(private[(int(p.B.X)+int(w))*stride])
			if !(x < y || x == y && in.Op == soloUnlessFLePair) {
				i = int(in.At)
			}
		case SoloCopy:
			r[in.D] = r[in.A]
		case SoloConvert:
			r[in.D] = s.Convert[in.At](r[in.A])
		case SoloAdd:
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
		case SoloLoad:
			r[in.D] = uint64(s.Memory[in.At].load(m, r[in.A], r[in.B]))
		case SoloLoadWord:
			x := &s.Memory[in.At]
			words := m.Objects[x.Object].Words
			off := int64(r[in.A]-x.Origin) + x.Disp + int64(uint32(r[in.B]))*x.Scale
			if at := uint64(off) >> 2; at < uint64(len(words)) && off&3 == 0 {
				r[in.D] = uint64(words[at])
			} else {
				r[in.D] = uint64(x.load(m, r[in.A], r[in.B]))
			}
		case SoloStore:
			s.Memory[in.At].store(m, r[in.A], r[in.B], uint32(r[in.D]))
		case SoloLoadOwn:
			r[in.D] = uint64(*s.Memory[in.At].Own(m, r[in.B]))
		case soloStoreOwn:
			*s.Memory[in.At].Own(m, r[in.B]) = s.Memory[in.At].quieted(uint32(r[in.D]))
		case SoloLoadElement:
			w := uint32(r[in.B])
			if w >= uint32(in.Y) {
				s.Memory[in.At].Own(m, uint64(w))
			}
			r[in.D] = uint64(private[(int(in.X)+int(w))*stride])
		case soloStoreElement:
			w := uint32(r[in.B])
			if w >= uint32(in.Y) {
				s.Memory[in.At].Own(m, uint64(w))
			}
			private[(int(in.X)+int(w))*stride] = s.Memory[in.At].quieted(uint32(r[in.D]))
		case SoloNote:
			m.noteAlone(s.Branches[in.At].Id, r[in.A])
		case SoloTally:
			m.Take(s.Blocks[in.At:in.At+1], 1)
		case SoloCalls:
			s.Calls[in.At](m, r)
		case SoloForks:
			if next := s.Forks[in.At](m); next >= 0 {
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

// Float is the float that a register holds.
func Float(v uint64) float32  { return F32frombits(uint32(v)) }
func bitsOf(x float32) uint64 { return uint64(F32bits(x)) }

// Step is how far the element is from where the pointer leads.
func (x *SoloMemory) Step(index uint64) int64 {
	if x.Signed {
		index = uint64(int32(index))
	}
	return x.Disp + int64(index)*x.Scale
}

// Find gives the object, and where the element lies in it.
func (x *SoloMemory) Find(m *Machine, pointer, index uint64) (mem *Memory, off int64) {
	mem, off, ok := x.Within(m, pointer, index)
	if !ok {
		m.outOfRange(x.Access, off, mem, pointer, 0)
	}
	return mem, off
}

// Within is find where the element may lie outside of the object.
func (x *SoloMemory) Within(m *Machine, pointer, index uint64) (mem *Memory, off int64, ok bool) {
	mem, off = &m.Objects[x.Object], int64(pointer-x.Origin)+x.Step(index)
	size := x.Access.Size
	return mem, off, !(uint64(off) > uint64(mem.Size-size) || mem.Size < size || off&(size-1) != 0)
}

func (x *SoloMemory) load(m *Machine, pointer, index uint64) uint32 {
	mem, off := x.Find(m, pointer, index)
	v := uint32(mem.Raw(off, int(x.Access.Size)))
	if x.Decode != nil {
		return x.Decode(v)
	}
	return v
}

func (x *SoloMemory) store(m *Machine, pointer, index uint64, v uint32) {
	mem, off := x.Find(m, pointer, index)
	m.Writable(x.Access, mem)
	if v = x.quieted(v); x.Encode != nil {
		v = x.Encode(v)
	}
	mem.SetRaw(off, int(x.Access.Size), uint64(v))
}

// fault reports the first of the two that lies outside of its array.
func (p *SoloPair) fault(s *Solo, m *Machine, a, b uint64) {
	if p.Later {
		s.Memory[p.B.At].Own(m, b)
	}
	s.Memory[p.A.At].Own(m, a)
	s.Memory[p.B.At].Own(m, b)
}

// quieted is what is stored of a float.
func (x *SoloMemory) quieted(v uint32) uint32 {
	if x.Quiet {
		return uint32(floatBits(F32frombits(v)))
	}
	return v
}

// Own is a word of an array of the thread.
func (x *SoloMemory) Own(m *Machine, index uint64) *uint32 {
	off := x.Step(index)
	if uint64(off)>>2 >= uint64(x.Size) || off&3 != 0 {
		m.outOfRange(x.Access, off, &Memory{Size: 4 * x.Size}, uint64(x.Object+ir.FirstObject)<<ir.ObjectShift, 0)
	}
	return &m.Private[int(x.First+off>>2)*m.Stride]
}
