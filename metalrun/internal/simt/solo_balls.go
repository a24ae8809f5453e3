package simt

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// With Options.Exact, registers of a program for one thread have balls where those of the kernel
// have, and decisions that other devices may take otherwise are tried both ways. What it does is
// what rows of one lane would do, number by number.

// soloExact is what is known of a register. A float that nothing has rounded yet is its values: it
// leaves no ball in memory.
type soloExact struct {
	ball.Ball
	values bool
}

// soloBalls is what exact execution does beside an instruction.
type soloBalls func(m *machine, r *[maxSolo]uint64, b *[maxSolo]soloExact)

// soloGiven is a register whose ball is there when the program begins.
type soloGiven struct {
	register uint8
	from     slot
}

// soloBalls reports whether programs for one thread do what exact execution has to.
func (c *compiler) soloBalls() bool {
	o := &c.p.options
	return !o.Exact || !(o.Check || o.open || o.taped || o.Doubles || c.p.rewritten || c.p.deviates)
}

// has reports whether a register has a ball.
func (s *soloCompiler) has(r ir.Reg) bool { return s.p.exact != nil && s.p.exact.Depends(r) }

// givenBall lets a register begin with its ball.
func (s *soloCompiler) givenBall(r ir.Reg) {
	if at := s.p.slots[r]; s.has(r) && at.index >= 0 {
		s.out.exact = append(s.out.exact, soloGiven{s.registers[r], at})
	}
}

// enterBalls takes the balls of the machine's registers.
func (s *solo) enterBalls(m *machine) {
	if m.balls == nil {
		return
	}
	if m.aloneBalls == nil {
		m.aloneBalls = new([maxSolo]soloExact)
	}
	for _, g := range s.exact {
		m.aloneBalls[g.register] = soloExact{m.look(g.from)[0], *m.balls.kinds.of(g.from) != written}
	}
}

// setAlone makes b what is known of a register.
func (m *machine) setAlone(d uint8, b ball.Ball, values bool) {
	if m.balls.doubtful {
		b, values = ball.Unknown(b.X), false
	}
	m.aloneBalls[d] = soloExact{b, values}
}

func (s *soloCompiler) emitBall(f soloBalls) {
	s.out.balls = append(s.out.balls, f)
	s.emit(soloInstr{op: soloBall, at: int32(len(s.out.balls) - 1)})
}

// certain gives up where other devices may leave a loop or a function otherwise.
func (s *soloCompiler) certain(n ir.Node, cond ir.Reg) {
	if s.p.exact != nil && (s.p.exact.LeftInDoubt(n) || cond != ir.None && s.has(cond)) {
		s.failed = true
	}
}

// ball compiles what an instruction that is no access does to balls, in front of it; commit comes
// after it.
func (s *soloCompiler) ball(in *ir.Instr) (commit soloBalls) {
	if s.p.exact == nil || in.Mem != nil || len(in.Dst) != 1 || !s.has(in.Dst[0]) || s.failed {
		return nil
	}
	for _, r := range append(in.Args[:len(in.Args):len(in.Args)], in.Dst[0]) {
		if t := s.typ(r); t.IsFloat() && t != ir.F32 {
			s.failed = true
			return nil
		}
	}
	t := s.typ(in.Dst[0])
	if t == ir.F32 && s.p.options.Sample != 0 {
		defer s.drawBall(in.Dst[0])
	}
	switch in.Op {
	case ir.Copy:
		s.copyBall(in)
	case ir.Eq, ir.Ne, ir.FLt, ir.FLe, ir.SLt, ir.SLe:
		s.pairBall(in, compared(in.Op, nil, false))
	case ir.Convert:
		return s.convertBall(in)
	default:
		switch f := integerBalls(in.Op); {
		case t.IsFloat():
			s.floatBall(in)
		case t == ir.Bool && (in.Op == ir.And || in.Op == ir.Or || in.Op == ir.Xor):
			s.pairBall(in, logical(in.Op))
		case (t == ir.I32 || t == ir.I64) && f != nil:
			return s.integerBall(in, f)
		default:
			return s.opaqueBall(in)
		}
	}
	return nil
}

// drawBall draws the error of a float that an operation has just given.
func (s *soloCompiler) drawBall(r ir.Reg) {
	d := s.register(r)
	s.emitBall(func(m *machine, _ *[maxSolo]uint64, b *[maxSolo]soloExact) {
		if !b[d].values {
			move(&b[d].Ball, m.balls.coins())
		}
	})
}

// undrawn gives up where errors are drawn: an integer of the device is then not that of the draws.
func (s *soloCompiler) undrawn() { s.failed = s.failed || s.p.options.Sample != 0 }

// known is an argument's ball.
func (s *soloCompiler) known(r ir.Reg) func(m *machine) ball.Ball {
	at, t, wide := s.register(r), s.typ(r), s.wide(r)
	if s.has(r) {
		return func(m *machine) ball.Ball { return m.aloneBalls[at].Ball }
	}
	return func(m *machine) ball.Ball { return ball.Ball{X: soloNumber(m.alone[at], t, wide)} }
}

// soloNumber is a register's value as a number.
func soloNumber(v uint64, t ir.Type, wide bool) float64 {
	switch {
	case wide:
		return float64(int64(v))
	case t.IsFloat():
		return float64(float(v))
	case t == ir.Bool:
		return float64(v & 1)
	}
	return float64(int32(v))
}

// pairBall is a function of the balls of two arguments, or of one.
func (s *soloCompiler) pairBall(in *ir.Instr, f func(x, y ball.Ball) ball.Ball) {
	d, first, last := s.register(in.Dst[0]), in.Args[0], in.Args[len(in.Args)-1]
	if s.has(first) && s.has(last) {
		p, q := s.register(first), s.register(last)
		s.emitBall(func(m *machine, _ *[maxSolo]uint64, b *[maxSolo]soloExact) {
			m.setAlone(d, f(b[p].Ball, b[q].Ball), false)
		})
		return
	}
	x, y := s.known(first), s.known(last)
	s.emitBall(func(m *machine, _ *[maxSolo]uint64, _ *[maxSolo]soloExact) { m.setAlone(d, f(x(m), y(m)), false) })
}

// floatBall is arithmetic.
func (s *soloCompiler) floatBall(in *ir.Instr) {
	switch in.Op {
	case ir.Add, ir.Sub:
		s.failed = s.failed || s.p.exact.snaps
	}
	switch in.Op {
	case ir.Add:
		s.pairBall(in, ball.Add)
	case ir.Sub:
		s.pairBall(in, ball.Sub)
	case ir.Mul:
		s.pairBall(in, ball.Mul)
	case ir.Div:
		s.pairBall(in, quotientOf(ir.F32, in))
	default:
		s.failed = true
	}
}

// copyBall copies what is known. A number that all threads have and every device is its values.
func (s *soloCompiler) copyBall(in *ir.Instr) {
	d, r := s.register(in.Dst[0]), in.Args[0]
	a, t, wide, varying := s.register(r), s.typ(r), s.wide(r), s.p.slots[r].varying
	x, has := s.known(r), s.has(r)
	s.emitBall(func(m *machine, v *[maxSolo]uint64, b *[maxSolo]soloExact) {
		known := x(m)
		values := !has || b[a].values
		if !values && !varying && known.E == 0 && known.L == 0 {
			n := soloNumber(v[a], t, wide)
			values = known.X == n || known.X != known.X && n != n
		}
		m.setAlone(d, known, values)
	})
}

// integerBall is arithmetic on integers: those that every device has are their values, and those that
// may have wrapped around are unknown.
func (s *soloCompiler) integerBall(in *ir.Instr, f func(x, y ball.Ball) ball.Ball) (commit soloBalls) {
	x, y := s.known(in.Args[0]), s.known(in.Args[len(in.Args)-1])
	s.emitBall(func(m *machine, _ *[maxSolo]uint64, _ *[maxSolo]soloExact) { m.aloneNext.Ball = f(x(m), y(m)) })
	return s.settled(in)
}

// settled gives an integer its value, if every device has it.
func (s *soloCompiler) settled(in *ir.Instr) (commit soloBalls) {
	s.undrawn()
	d, t, wide := s.register(in.Dst[0]), s.typ(in.Dst[0]), s.wide(in.Dst[0])
	return func(m *machine, r *[maxSolo]uint64, _ *[maxSolo]soloExact) {
		b := m.aloneNext.Ball
		switch {
		case b.E == 0:
			b = ball.Ball{X: soloNumber(r[d], t, wide)}
		case !(math.Abs(b.X)+b.E < 1<<31):
			b = ball.Unknown(soloNumber(r[d], t, wide))
		}
		m.setAlone(d, b, false)
	}
}

// opaqueBall is an operation whose errors are not followed.
func (s *soloCompiler) opaqueBall(in *ir.Instr) (commit soloBalls) {
	s.undrawn()
	var of []uint8
	for _, r := range in.Args {
		if s.has(r) {
			of = append(of, s.register(r))
		}
	}
	s.emitBall(func(m *machine, _ *[maxSolo]uint64, b *[maxSolo]soloExact) {
		m.aloneNext.E = 0
		for _, a := range of {
			if b[a].E != 0 {
				m.aloneNext.E = math.Inf(1)
			}
		}
	})
	d, t, wide := s.register(in.Dst[0]), s.typ(in.Dst[0]), s.wide(in.Dst[0])
	return func(m *machine, r *[maxSolo]uint64, _ *[maxSolo]soloExact) {
		m.setAlone(d, ball.Ball{X: soloNumber(r[d], t, wide), E: m.aloneNext.E}, false)
	}
}

// convertBall is a conversion from integers.
func (s *soloCompiler) convertBall(in *ir.Instr) (commit soloBalls) {
	from, to := in.From.Type(), in.To.Type()
	source, _ := intOf(in.From)
	x, has := s.known(in.Args[0]), s.has(in.Args[0])
	_, integer := intOf(in.To)
	switch {
	case from.IsFloat():
		s.failed = true
	case to.IsFloat():
		d, short := s.register(in.Dst[0]), !has && s.typ(in.Args[0]) == ir.I32 && s.p.slots[in.Args[0]].varying
		signed := source.Signed || s.typ(in.Args[0]) == ir.Bool
		s.emitBall(func(m *machine, _ *[maxSolo]uint64, _ *[maxSolo]soloExact) {
			n := x(m)
			switch {
			case has:
				n = unsigned(n, source)
			case !signed && n.X < 0:
				n.X += math.Ldexp(1, int(source.Bits))
			}
			values := short && !m.balls.doubtful && n.X <= 1<<24 && n.X >= -1<<24
			m.setAlone(d, ball.Integer(n, nil), values)
		})
	case integer && s.typ(in.Args[0]) != ir.Bool:
		f := within(source, in.To)
		s.emitBall(func(m *machine, _ *[maxSolo]uint64, _ *[maxSolo]soloExact) { m.aloneNext.Ball = f(x(m)) })
		return s.settled(in)
	default:
		return s.opaqueBall(in)
	}
	return nil
}

// soloCell is what an access to balls has to know.
type soloCell struct {
	place   *soloMemory
	in      *ir.Instr
	pointer uint8
	index   uint8
	address []uint8 // of the registers of the address: those with balls
	own     bool
	held    bool // memory may hold balls
	each    bool // a load always leaves a ball
	last    bool // of the elements that the instruction accesses
	offset  int64
}

// transferBall compiles what an access to element k does to balls, in front of it.
func (s *soloCompiler) transferBall(in *ir.Instr, k int, access soloInstr) {
	x := s.p.exact
	if x == nil || s.failed {
		return
	}
	h, own := x.Of(in.Mem), in.Mem.Space == syntax.Thread
	if in.Op == ir.Load && !s.has(in.Dst[k]) || in.Op == ir.Store && !h.Depends {
		return
	}
	c := &soloCell{in: in, pointer: access.a, index: access.b, own: own, held: h.Depends, last: k == len(in.Args)-1}
	for _, r := range s.ballAddress(in) {
		c.address = append(c.address, s.register(r))
	}
	uniform := s.uniform(in.Mem.Base) && (in.Mem.Index == ir.None || s.uniform(in.Mem.Index))
	c.each = own && !uniform || len(c.address) > 0
	value := in.From.Type()
	if h.Mixed() || own && x.privateLog != 2 || value.IsFloat() && value != ir.F32 {
		s.failed = true
		return
	}
	place := s.out.memory[access.at]
	c.place = &place
	if own {
		c.offset = place.first * 4
	}
	if in.Op == ir.Load {
		c.load(s, access.d, in.Dst[k])
	} else {
		c.store(s, access.d, in.Args[k])
	}
}

// where is the element's place: in an object, or, if mem is nil, in memory of the thread.
func (c *soloCell) where(m *machine) (mem *memory, off int64) {
	pointer, index := m.alone[c.pointer], m.alone[c.index]
	if c.own {
		c.place.own(m, index)
		return nil, c.offset + c.place.step(index)
	}
	return c.place.find(m, pointer, index)
}

// uncertain reports whether another device may mean another place.
func (c *soloCell) uncertain(m *machine) bool {
	for _, a := range c.address {
		if m.aloneBalls[a].E != 0 {
			return true
		}
	}
	return false
}

// load takes a register's ball from memory, where it has one. The value itself is read behind that.
func (c *soloCell) load(s *soloCompiler, d uint8, r ir.Reg) {
	t, wide := s.typ(r), s.wide(r)
	s.emitBall(func(m *machine, _ *[maxSolo]uint64, _ *[maxSolo]soloExact) {
		mem, off := c.where(m)
		known := ball.Ball{}
		switch {
		case c.uncertain(m):
			known = ball.Unknown(0)
		case c.held && c.own:
			known = m.balls.private[int(off>>2)*m.stride]
		case c.held:
			known = m.held(mem, off, 0, c.in.From)
		}
		values := false
		if known.None() {
			raw := uint64(0)
			if mem == nil {
				raw = uint64(m.private[int(off>>2)*m.stride])
			} else {
				raw = mem.raw(off, int(c.place.access.size))
			}
			if decode := decode32(c.in.From); decode != nil {
				raw = uint64(decode(uint32(raw)))
			}
			known.X = soloNumber(raw, t, wide)
			if t == ir.F32 {
				known = ball.Of(known.X)
			}
			values = !c.each
		}
		m.setAlone(d, known, values)
	})
}

// store leaves what is known of a register in memory.
func (c *soloCell) store(s *soloCompiler, a uint8, r ir.Reg) {
	has, float := s.has(r), c.in.From.Type().IsFloat()
	s.emitBall(func(m *machine, _ *[maxSolo]uint64, b *[maxSolo]soloExact) {
		mem, off := c.where(m)
		if j := m.balls.journal; j != nil {
			j.enter(m, 0, mem, off, c.in.From)
		}
		var known ball.Ball // none, if memory holds all there is to know
		uncertain := c.uncertain(m)
		if has && !(b[a].values && !m.balls.doubtful && len(c.address) == 0) {
			if known = b[a].Ball; !float && known.E == 0 {
				known = ball.Ball{}
			}
		}
		if uncertain || m.balls.doubtful {
			known = ball.Unknown(known.X)
		}
		if mem == nil {
			m.balls.private[int(off>>2)*m.stride] = known
		} else {
			m.hold(mem, off, 0, c.in.From, known)
		}
		if uncertain && c.last {
			m.forgetReached(c.in, 0)
		}
	})
}
