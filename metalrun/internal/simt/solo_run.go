package simt

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
	soloObserve      // an access
	soloSee          // an access that is watched
	soloLook         // a loop whose accesses are watched
	soloTally        // that a run of instructions begins
	soloBall         // what exact execution does beside the next instruction, or the last
	soloDecide       // whether other devices may take a branch otherwise
	soloJoin         // the end of such a branch
)

// run executes the program to its end.
func (s *solo) run(m *machine) {
	if m.alone == nil {
		m.alone = new([maxSolo]uint64)
	}
	r := m.alone
	copy(r[:], s.initial)
	for _, in := range s.given {
		switch at := in.from; {
		case at.varying && at.wide:
			r[in.register] = m.wide(at.index)[0]
		case at.varying:
			r[in.register] = uint64(m.lanes(at.index)[0])
		case at.wide:
			r[in.register] = m.uni64[at.index]
		default:
			r[in.register] = uint64(m.uni32[at.index])
		}
	}
	s.enterBalls(m)
	s.execute(m, 0, -1)
}

// execute executes instructions from one on, to the end or to the end of a branch.
func (s *solo) execute(m *machine, from, until int) {
	r, code := m.alone, s.code
	private, stride, executed := m.private, m.stride, int64(0)
	for i := from; ; {
		in := &code[i]
		i++
		executed++
		switch in.op {
		case soloEnd:
			m.executed += executed
			return
		case soloJump:
			i = int(in.at)
		case soloAgain, soloAddAgain, soloAddAgainULt, soloSearchAgain:
			if in.op != soloAgain {
				r[in.d] = uint64(uint32(r[in.a]) + uint32(r[in.b]))
			}
			turn := &s.turns[in.at]
			if m.steps >= turn.cost && m.patience >= turn.cost {
				m.steps -= turn.cost
				m.patience -= turn.cost
			} else {
				m.executed, executed = m.executed+executed, 0 // the turn may be the last
				m.spend(turn.pos, turn.cost)
			}
			if turn.runs != nil {
				m.tallyTurns(turn.runs, 1)
			}
			switch i = int(turn.top); in.op {
			case soloAddAgainULt:
				if r[turn.a] < r[turn.b] {
					i++
				}
			case soloSearchAgain:
				turn.search.run(m, s, turn)
			}
		case soloSearching:
			turn := &s.turns[in.at]
			turn.search.run(m, s, turn)
		case soloUnless:
			if !(r[in.a] != 0) {
				i = int(in.at)
			}
		case soloUnlessEq:
			if !(r[in.a] == r[in.b]) {
				i = int(in.at)
			}
		case soloUnlessNe:
			if !(r[in.a] != r[in.b]) {
				i = int(in.at)
			}
		case soloUnlessULt:
			if !(r[in.a] < r[in.b]) {
				i = int(in.at)
			}
		case soloUnlessULe:
			if !(r[in.a] <= r[in.b]) {
				i = int(in.at)
			}
		case soloUnlessSLt:
			if !(int32(r[in.a]) < int32(r[in.b])) {
				i = int(in.at)
			}
		case soloUnlessSLe:
			if !(int32(r[in.a]) <= int32(r[in.b])) {
				i = int(in.at)
			}
		case soloUnlessSLtQ:
			if !(int64(r[in.a]) < int64(r[in.b])) {
				i = int(in.at)
			}
		case soloUnlessSLeQ:
			if !(int64(r[in.a]) <= int64(r[in.b])) {
				i = int(in.at)
			}
		case soloUnlessEqF:
			if !(float(r[in.a]) == float(r[in.b])) {
				i = int(in.at)
			}
		case soloUnlessNeF:
			if !(float(r[in.a]) != float(r[in.b])) {
				i = int(in.at)
			}
		case soloUnlessFLt:
			if !(float(r[in.a]) < float(r[in.b])) {
				i = int(in.at)
			}
		case soloUnlessFLe:
			if !(float(r[in.a]) <= float(r[in.b])) {
				i = int(in.at)
			}
		case soloEq:
			r[in.d] = uint64(lane(r[in.a] == r[in.b]))
		case soloNe:
			r[in.d] = uint64(lane(r[in.a] != r[in.b]))
		case soloULt:
			r[in.d] = uint64(lane(r[in.a] < r[in.b]))
		case soloULe:
			r[in.d] = uint64(lane(r[in.a] <= r[in.b]))
		case soloSLt:
			r[in.d] = uint64(lane(int32(r[in.a]) < int32(r[in.b])))
		case soloSLe:
			r[in.d] = uint64(lane(int32(r[in.a]) <= int32(r[in.b])))
		case soloSLtQ:
			r[in.d] = uint64(lane(int64(r[in.a]) < int64(r[in.b])))
		case soloSLeQ:
			r[in.d] = uint64(lane(int64(r[in.a]) <= int64(r[in.b])))
		case soloEqF:
			r[in.d] = uint64(lane(float(r[in.a]) == float(r[in.b])))
		case soloNeF:
			r[in.d] = uint64(lane(float(r[in.a]) != float(r[in.b])))
		case soloFLt:
			r[in.d] = uint64(lane(float(r[in.a]) < float(r[in.b])))
		case soloFLe:
			r[in.d] = uint64(lane(float(r[in.a]) <= float(r[in.b])))
		case soloUnlessFLtPair, soloUnlessFLePair:
			p := &s.pairs[in.x]
			v, w := uint32(r[in.a]), uint32(r[in.b])
			if v >= uint32(p.a.y) || w >= uint32(p.b.y) {
				p.fault(s, m, uint64(v), uint64(w))
			}
			x := f32frombits(private[(int(p.a.x)+int(v))*stride])
			y := f32frombits(private[(int(p.b.x)+int(w))*stride])
			if !(x < y || x == y && in.op == soloUnlessFLePair) {
				i = int(in.at)
			}
		case soloCopy:
			r[in.d] = r[in.a]
		case soloConvert:
			r[in.d] = s.convert[in.at](r[in.a])
		case soloAdd:
			r[in.d] = uint64(uint32(r[in.a]) + uint32(r[in.b]))
		case soloSub:
			r[in.d] = uint64(uint32(r[in.a]) - uint32(r[in.b]))
		case soloMul:
			r[in.d] = uint64(uint32(r[in.a]) * uint32(r[in.b]))
		case soloShl:
			r[in.d] = uint64(uint32(r[in.a]) << (r[in.b] & 31))
		case soloLShr:
			r[in.d] = uint64(uint32(r[in.a]) >> (r[in.b] & 31))
		case soloAShr:
			r[in.d] = uint64(uint32(int32(r[in.a]) >> (r[in.b] & 31)))
		case soloAnd:
			r[in.d] = r[in.a] & r[in.b]
		case soloOr:
			r[in.d] = r[in.a] | r[in.b]
		case soloXor:
			r[in.d] = r[in.a] ^ r[in.b]
		case soloAddQ:
			r[in.d] = r[in.a] + r[in.b]
		case soloSubQ:
			r[in.d] = r[in.a] - r[in.b]
		case soloMulQ:
			r[in.d] = r[in.a] * r[in.b]
		case soloShlQ:
			r[in.d] = r[in.a] << (r[in.b] & 63)
		case soloLShrQ:
			r[in.d] = r[in.a] >> (r[in.b] & 63)
		case soloAShrQ:
			r[in.d] = uint64(int64(r[in.a]) >> (r[in.b] & 63))
		case soloAddF:
			r[in.d] = bitsOf(float(r[in.a]) + float(r[in.b]))
		case soloSubF:
			r[in.d] = bitsOf(float(r[in.a]) - float(r[in.b]))
		case soloMulF:
			r[in.d] = bitsOf(float(r[in.a]) * float(r[in.b]))
		case soloDivF:
			r[in.d] = bitsOf(float(r[in.a]) / float(r[in.b]))
		case soloLoad:
			r[in.d] = uint64(s.memory[in.at].load(m, r[in.a], r[in.b]))
		case soloLoadWord:
			x := &s.memory[in.at]
			words := m.objects[x.object].words
			off := int64(r[in.a]-x.origin) + x.disp + int64(uint32(r[in.b]))*x.scale
			if at := uint64(off) >> 2; at < uint64(len(words)) && off&3 == 0 {
				r[in.d] = uint64(words[at])
			} else {
				r[in.d] = uint64(x.load(m, r[in.a], r[in.b]))
			}
		case soloStore:
			s.memory[in.at].store(m, r[in.a], r[in.b], uint32(r[in.d]))
		case soloLoadOwn:
			r[in.d] = uint64(*s.memory[in.at].own(m, r[in.b]))
		case soloStoreOwn:
			*s.memory[in.at].own(m, r[in.b]) = s.memory[in.at].quieted(uint32(r[in.d]))
		case soloLoadElement:
			w := uint32(r[in.b])
			if w >= uint32(in.y) {
				s.memory[in.at].own(m, uint64(w))
			}
			r[in.d] = uint64(private[(int(in.x)+int(w))*stride])
		case soloStoreElement:
			w := uint32(r[in.b])
			if w >= uint32(in.y) {
				s.memory[in.at].own(m, uint64(w))
			}
			private[(int(in.x)+int(w))*stride] = s.memory[in.at].quieted(uint32(r[in.d]))
		case soloNote:
			m.noteAlone(s.branches[in.at].id, r[in.a])
		case soloObserve:
			s.memory[in.at].observe(m, r[in.a], r[in.b])
		case soloSee:
			s.memory[in.at].see(m, r[in.a], r[in.b])
		case soloLook:
			look := s.looks[in.at]
			if enough := m.watch.look(look.Fn, numberOf(look)); len(look.Dst) > 0 {
				r[in.d] = uint64(lane(enough))
			}
		case soloTally:
			m.tallyAlone(int(in.at), 1)
		case soloBall:
			s.balls[in.at](m, r, m.aloneBalls)
		case soloDecide:
			if d := &s.decisions[in.at]; m.aloneBalls[d.cond].E != 0 {
				s.decide(m, d)
				i = d.join + 1
			}
		case soloJoin:
			if i == until+1 {
				m.executed += executed
				return
			}
		}
	}
}

func float(v uint64) float32  { return f32frombits(uint32(v)) }
func bitsOf(x float32) uint64 { return uint64(f32bits(x)) }

// step is how far the element is from where the pointer leads.
func (x *soloMemory) step(index uint64) int64 {
	if x.signed {
		index = uint64(int32(index))
	}
	return x.disp + int64(index)*x.scale
}

// find gives the object, and where the element lies in it.
func (x *soloMemory) find(m *machine, pointer, index uint64) (mem *memory, off int64) {
	mem, off, ok := x.within(m, pointer, index)
	if !ok {
		m.outOfRange(x.access, off, mem, pointer, 0)
	}
	return mem, off
}

// within is find where the element may lie outside of the object.
func (x *soloMemory) within(m *machine, pointer, index uint64) (mem *memory, off int64, ok bool) {
	mem, off = &m.objects[x.object], int64(pointer-x.origin)+x.step(index)
	size := x.access.size
	return mem, off, !(uint64(off) > uint64(mem.size-size) || mem.size < size || off&(size-1) != 0)
}

func (x *soloMemory) load(m *machine, pointer, index uint64) uint32 {
	mem, off := x.find(m, pointer, index)
	v := uint32(mem.raw(off, int(x.access.size)))
	if x.decode != nil {
		return x.decode(v)
	}
	return v
}

func (x *soloMemory) store(m *machine, pointer, index uint64, v uint32) {
	mem, off := x.find(m, pointer, index)
	m.writable(x.access, mem)
	if v = x.quieted(v); x.encode != nil {
		v = x.encode(v)
	}
	mem.setRaw(off, int(x.access.size), uint64(v))
}

// fault reports the first of the two that lies outside of its array.
func (p *soloPair) fault(s *solo, m *machine, a, b uint64) {
	if p.later {
		s.memory[p.b.at].own(m, b)
	}
	s.memory[p.a.at].own(m, a)
	s.memory[p.b.at].own(m, b)
}

// quieted is what is stored of a float.
func (x *soloMemory) quieted(v uint32) uint32 {
	if x.quiet {
		return uint32(floatBits(f32frombits(v)))
	}
	return v
}

// own is a word of an array of the thread.
func (x *soloMemory) own(m *machine, index uint64) *uint32 {
	off := x.step(index)
	if uint64(off)>>2 >= uint64(x.size) || off&3 != 0 {
		m.outOfRange(x.access, off, &memory{size: 4 * x.size}, uint64(x.object+ir.FirstObject)<<ir.ObjectShift, 0)
	}
	return &m.private[int(x.first+off>>2)*m.stride]
}
