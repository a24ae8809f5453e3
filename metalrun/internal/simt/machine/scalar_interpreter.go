package machine

import (
	"metalconform/metalrun/internal/ir"
)

// singleOp is an operation of a scalar program. Comparisons come in the order of the jumps that are taken if they do
// not hold.
type singleOp uint8

const (
	SingleEnd singleOp = iota
	SingleJump
	SingleAgain
	SingleAddAgain
	SingleAddAgainULt // the iteration begins with a comparison
	SingleArgminAgain // the loop is an argmin
	SingleArgmin      // an argmin loop follows
	SingleUnless
	SingleEq
	singleNe
	singleULt
	singleULe
	singleSLt
	singleSLe
	singleSLtQ
	singleSLeQ
	singleEqF
	singleNeF
	singleFLt
	SingleFLe
	SingleUnlessEq
	singleUnlessNe
	SingleUnlessULt
	singleUnlessULe
	singleUnlessSLt
	singleUnlessSLe
	singleUnlessSLtQ
	singleUnlessSLeQ
	singleUnlessEqF
	singleUnlessNeF
	SingleUnlessFLt
	SingleUnlessFLe
	SingleUnlessFLtPair // of elements of arrays of the thread, at 32-bit indices
	singleUnlessFLePair
	SingleCopy
	SingleConvert
	SingleAdd
	singleSub
	singleMul
	singleShl
	singleLShr
	singleAShr
	singleAnd
	singleOr
	singleXor
	singleAddQ
	singleSubQ
	singleMulQ
	singleShlQ
	singleLShrQ
	singleAShrQ
	singleAddF
	singleSubF
	singleMulF
	singleDivF
	SingleLoad         // of a known object
	SingleStore        //
	SingleLoadOwn      // of an array of the thread
	singleStoreOwn     //
	SingleLoadElement  // of an array of the thread, at a 32-bit index
	singleStoreElement //
	SingleLoadWord     // of a known object, 32 bits, at an unsigned 32-bit index or without an index
	SingleNote         // reports the outcome of a branch
	SingleCount        // counts a block of instructions
	SingleCalls        // calls an extension
	SingleForks        // calls an extension, which may jump
	SingleJoin         // where Execute may end
)

// Run executes the program to its end.
func (s *ScalarProgram) Run(m *Machine) {
	if m.Scalars == nil {
		m.Scalars = new(ScalarRegisters)
	}
	r := m.Scalars
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

// Execute executes instructions from index from on, to the end of the program or to the join at index until.
func (s *ScalarProgram) Execute(m *Machine, from, until int) {
	r, code := m.Scalars, s.Code
	private, stride, executed := m.Private, m.Stride, int64(0)
	for i := from; ; {
		in := &code[i]
		i++
		executed++
		switch in.Op {
		case SingleEnd:
			m.Executed += executed
			return
		case SingleJump:
			i = int(in.At)
		case SingleAgain, SingleAddAgain, SingleAddAgainULt, SingleArgminAgain:
			if in.Op != SingleAgain {
				r[in.D] = uint64(uint32(r[in.A]) + uint32(r[in.B]))
			}
			iteration := &s.Loops[in.At]
			if m.Steps >= iteration.Cost && m.uncharged+iteration.Cost < chargedAtOnce {
				m.Steps -= iteration.Cost
				m.uncharged += iteration.Cost
			} else {
				m.Executed, executed = m.Executed+executed, 0 // spend may end the launch
				m.spend(iteration.Pos, iteration.Cost)
			}
			if iteration.Runs != nil {
				m.Take(iteration.Runs, 1)
			}
			switch i = int(iteration.Top); in.Op {
			case SingleAddAgainULt:
				if r[iteration.A] < r[iteration.B] {
					i++
				}
			case SingleArgminAgain:
				iteration.Argmin.Run(m, s, iteration)
			}
		case SingleArgmin:
			iteration := &s.Loops[in.At]
			iteration.Argmin.Run(m, s, iteration)
		case SingleUnless:
			if !(r[in.A] != 0) {
				i = int(in.At)
			}
		case SingleUnlessEq:
			if !(r[in.A] == r[in.B]) {
				i = int(in.At)
			}
		case singleUnlessNe:
			if !(r[in.A] != r[in.B]) {
				i = int(in.At)
			}
		case SingleUnlessULt:
			if !(r[in.A] < r[in.B]) {
				i = int(in.At)
			}
		case singleUnlessULe:
			if !(r[in.A] <= r[in.B]) {
				i = int(in.At)
			}
		case singleUnlessSLt:
			if !(int32(r[in.A]) < int32(r[in.B])) {
				i = int(in.At)
			}
		case singleUnlessSLe:
			if !(int32(r[in.A]) <= int32(r[in.B])) {
				i = int(in.At)
			}
		case singleUnlessSLtQ:
			if !(int64(r[in.A]) < int64(r[in.B])) {
				i = int(in.At)
			}
		case singleUnlessSLeQ:
			if !(int64(r[in.A]) <= int64(r[in.B])) {
				i = int(in.At)
			}
		case singleUnlessEqF:
			if !(Float(r[in.A]) == Float(r[in.B])) {
				i = int(in.At)
			}
		case singleUnlessNeF:
			if !(Float(r[in.A]) != Float(r[in.B])) {
				i = int(in.At)
			}
		case SingleUnlessFLt:
			if !(Float(r[in.A]) < Float(r[in.B])) {
				i = int(in.At)
			}
		case SingleUnlessFLe:
			if !(Float(r[in.A]) <= Float(r[in.B])) {
				i = int(in.At)
			}
		case SingleEq:
			r[in.D] = uint64(Lane(r[in.A] == r[in.B]))
		case singleNe:
			r[in.D] = uint64(Lane(r[in.A] != r[in.B]))
		case singleULt:
			r[in.D] = uint64(Lane(r[in.A] < r[in.B]))
		case singleULe:
			r[in.D] = uint64(Lane(r[in.A] <= r[in.B]))
		case singleSLt:
			r[in.D] = uint64(Lane(int32(r[in.A]) < int32(r[in.B])))
		case singleSLe:
			r[in.D] = uint64(Lane(int32(r[in.A]) <= int32(r[in.B])))
		case singleSLtQ:
			r[in.D] = uint64(Lane(int64(r[in.A]) < int64(r[in.B])))
		case singleSLeQ:
			r[in.D] = uint64(Lane(int64(r[in.A]) <= int64(r[in.B])))
		case singleEqF:
			r[in.D] = uint64(Lane(Float(r[in.A]) == Float(r[in.B])))
		case singleNeF:
			r[in.D] = uint64(Lane(Float(r[in.A]) != Float(r[in.B])))
		case singleFLt:
			r[in.D] = uint64(Lane(Float(r[in.A]) < Float(r[in.B])))
		case SingleFLe:
			r[in.D] = uint64(Lane(Float(r[in.A]) <= Float(r[in.B])))
		case SingleUnlessFLtPair, singleUnlessFLePair:
			p := &s.Pairs[in.X]
			v, w := uint32(r[in.A]), uint32(r[in.B])
			if v >= uint32(p.A.Y) || w >= uint32(p.B.Y) {
				p.fault(s, m, uint64(v), uint64(w))
			}
			x := F32frombits(private[(int(p.A.X)+int(v))*stride])
			y := F32frombits(private[(int(p.B.X)+int(w))*stride])
			if !(x < y || x == y && in.Op == singleUnlessFLePair) {
				i = int(in.At)
			}
		case SingleCopy:
			r[in.D] = r[in.A]
		case SingleConvert:
			r[in.D] = s.Convert[in.At](r[in.A])
		case SingleAdd:
			r[in.D] = uint64(uint32(r[in.A]) + uint32(r[in.B]))
		case singleSub:
			r[in.D] = uint64(uint32(r[in.A]) - uint32(r[in.B]))
		case singleMul:
			r[in.D] = uint64(uint32(r[in.A]) * uint32(r[in.B]))
		case singleShl:
			r[in.D] = uint64(uint32(r[in.A]) << (r[in.B] & 31))
		case singleLShr:
			r[in.D] = uint64(uint32(r[in.A]) >> (r[in.B] & 31))
		case singleAShr:
			r[in.D] = uint64(uint32(int32(r[in.A]) >> (r[in.B] & 31)))
		case singleAnd:
			r[in.D] = r[in.A] & r[in.B]
		case singleOr:
			r[in.D] = r[in.A] | r[in.B]
		case singleXor:
			r[in.D] = r[in.A] ^ r[in.B]
		case singleAddQ:
			r[in.D] = r[in.A] + r[in.B]
		case singleSubQ:
			r[in.D] = r[in.A] - r[in.B]
		case singleMulQ:
			r[in.D] = r[in.A] * r[in.B]
		case singleShlQ:
			r[in.D] = r[in.A] << (r[in.B] & 63)
		case singleLShrQ:
			r[in.D] = r[in.A] >> (r[in.B] & 63)
		case singleAShrQ:
			r[in.D] = uint64(int64(r[in.A]) >> (r[in.B] & 63))
		case singleAddF:
			r[in.D] = bitsOf(Float(r[in.A]) + Float(r[in.B]))
		case singleSubF:
			r[in.D] = bitsOf(Float(r[in.A]) - Float(r[in.B]))
		case singleMulF:
			r[in.D] = bitsOf(Float(r[in.A]) * Float(r[in.B]))
		case singleDivF:
			r[in.D] = bitsOf(Float(r[in.A]) / Float(r[in.B]))
		case SingleLoad:
			r[in.D] = uint64(s.Memory[in.At].load(m, r[in.A], r[in.B]))
		case SingleLoadWord:
			x := &s.Memory[in.At]
			words := m.Objects[x.Object].Words
			off := int64(r[in.A]-x.Origin) + x.Disp + int64(uint32(r[in.B]))*x.Scale
			if at := uint64(off) >> 2; at < uint64(len(words)) && off&3 == 0 {
				r[in.D] = uint64(words[at])
			} else {
				r[in.D] = uint64(x.load(m, r[in.A], r[in.B]))
			}
		case SingleStore:
			s.Memory[in.At].store(m, r[in.A], r[in.B], uint32(r[in.D]))
		case SingleLoadOwn:
			r[in.D] = uint64(*s.Memory[in.At].Own(m, r[in.B]))
		case singleStoreOwn:
			*s.Memory[in.At].Own(m, r[in.B]) = s.Memory[in.At].quieted(uint32(r[in.D]))
		case SingleLoadElement:
			w := uint32(r[in.B])
			if w >= uint32(in.Y) {
				s.Memory[in.At].Own(m, uint64(w))
			}
			r[in.D] = uint64(private[(int(in.X)+int(w))*stride])
		case singleStoreElement:
			w := uint32(r[in.B])
			if w >= uint32(in.Y) {
				s.Memory[in.At].Own(m, uint64(w))
			}
			private[(int(in.X)+int(w))*stride] = s.Memory[in.At].quieted(uint32(r[in.D]))
		case SingleNote:
			m.branchedScalar(s.Branches[in.At].Id, r[in.A])
		case SingleCount:
			m.Take(s.Blocks[in.At:in.At+1], 1)
		case SingleCalls:
			s.Calls[in.At](m, r)
		case SingleForks:
			if next := s.Forks[in.At](m); next >= 0 {
				i = next
			}
		case SingleJoin:
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

// Step is the distance of the element from the pointer, in bytes.
func (x *ScalarMemory) Step(index uint64) int64 {
	if x.Signed {
		index = uint64(int32(index))
	}
	return x.Disp + int64(index)*x.Scale
}

// Find gives the object of the element, and its offset in the object. It faults if the element does not exist.
func (x *ScalarMemory) Find(m *Machine, pointer, index uint64) (mem *Memory, off int64) {
	mem, off, ok := x.Within(m, pointer, index)
	if !ok {
		m.outOfRange(x.Access, off, mem, pointer, 0)
	}
	return mem, off
}

// Within is Find without a fault: ok is false if the element does not exist.
func (x *ScalarMemory) Within(m *Machine, pointer, index uint64) (mem *Memory, off int64, ok bool) {
	mem, off = &m.Objects[x.Object], int64(pointer-x.Origin)+x.Step(index)
	size := x.Access.Size
	return mem, off, !(uint64(off) > uint64(mem.Size-size) || mem.Size < size || off&(size-1) != 0)
}

func (x *ScalarMemory) load(m *Machine, pointer, index uint64) uint32 {
	mem, off := x.Find(m, pointer, index)
	v := uint32(mem.Raw(off, int(x.Access.Size)))
	if x.Decode != nil {
		return x.Decode(v)
	}
	return v
}

func (x *ScalarMemory) store(m *Machine, pointer, index uint64, v uint32) {
	mem, off := x.Find(m, pointer, index)
	m.Writable(x.Access, mem)
	if v = x.quieted(v); x.Encode != nil {
		v = x.Encode(v)
	}
	mem.SetRaw(off, int(x.Access.Size), uint64(v))
}

// fault reports the first of the two elements that lies outside its array.
func (p *ScalarPair) fault(s *ScalarProgram, m *Machine, a, b uint64) {
	if p.Later {
		s.Memory[p.B.At].Own(m, b)
	}
	s.Memory[p.A.At].Own(m, a)
	s.Memory[p.B.At].Own(m, b)
}

// quieted is a float as memory gets it.
func (x *ScalarMemory) quieted(v uint32) uint32 {
	if x.Quiet {
		return uint32(floatBits(F32frombits(v)))
	}
	return v
}

// Own is a word of an array of the thread. It faults if the word does not exist. It faults if the word does not exist.
func (x *ScalarMemory) Own(m *Machine, index uint64) *uint32 {
	off := x.Step(index)
	if uint64(off)>>2 >= uint64(x.Size) || off&3 != 0 {
		m.outOfRange(x.Access, off, &Memory{Size: 4 * x.Size}, uint64(x.Object+ir.FirstObject)<<ir.ObjectShift, 0)
	}
	return &m.Private[int(x.First+off>>2)*m.Stride]
}
