package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
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
type soloBalls func(m *machine.Machine, r *[machine.MaxSolo]uint64, b *[machine.MaxSolo]soloExact)

// soloGiven is a register whose ball is there when the program begins.
type soloGiven struct {
	register uint8
	from     machine.Slot
}

// exactSolo is what exact execution adds to a program for one thread that is being compiled.
type exactSolo struct {
	codegen.NoSingle
	*codegen.SoloCompiler
	x         *Exactness
	given     []soloGiven // the balls that registers begin with
	decisions []soloDecision
	under     map[*ir.If]int // number of the decision, or -1
}

// Single adds balls to a program for one thread, unless that takes more than the program does.
func (x *Exactness) Single(c *codegen.SoloCompiler) (codegen.SingleExtension, bool) {
	o := &c.P.Options
	if o.Check || o.Open || o.Taped || o.Doubles || x.rewritten || c.P.Deviates {
		return nil, false
	}
	s := &exactSolo{SoloCompiler: c, x: x, under: map[*ir.If]int{}}
	c.Out.Begins = append(c.Out.Begins, s.beginBalls)
	c.Out.Refuses = append(c.Out.Refuses, func(m *machine.Machine) bool {
		b := BallsOf(m)
		return b.doubtful || b.journal != nil || b.pending != nil || b.Recorder != nil || b.ranges
	})
	return s, true
}

// has reports whether a register has a ball.
func (s *exactSolo) has(r ir.Reg) bool { return s.x.Depends(r) }

// Given lets a register begin with its ball.
func (s *exactSolo) Given(r ir.Reg) {
	if at := s.P.Slots[r]; s.has(r) && at.Index >= 0 {
		s.given = append(s.given, soloGiven{s.Registers[r], at})
	}
}

// beginBalls takes the balls of the machine's registers.
func (s *exactSolo) beginBalls(m *machine.Machine) {
	if BallsOf(m).aloneBalls == nil {
		BallsOf(m).aloneBalls = new([machine.MaxSolo]soloExact)
	}
	for _, g := range s.given {
		BallsOf(m).aloneBalls[g.register] = soloExact{Look(m, g.from)[0], *BallsOf(m).kinds.of(g.from) != written}
	}
}

// setAlone makes b what is known of a register.
func setAlone(m *machine.Machine, d uint8, b ball.Ball, values bool) {
	if BallsOf(m).doubtful {
		b, values = ball.Unknown(b.X), false
	}
	BallsOf(m).aloneBalls[d] = soloExact{b, values}
}

func (s *exactSolo) emitBall(f soloBalls) {
	s.Call(withAloneBalls(f))
}

// withAloneBalls is a function of registers and of what is known of them.
func withAloneBalls(f soloBalls) machine.SoloCall {
	return func(m *machine.Machine, r *[machine.MaxSolo]uint64) { f(m, r, BallsOf(m).aloneBalls) }
}

// Construct gives up where other devices may leave a loop or a function otherwise.
func (s *exactSolo) Construct(n ir.Node, cond ir.Reg) {
	if s.x.LeftInDoubt(n) || cond != ir.None && s.has(cond) {
		s.Failed = true
	}
}

// Instr compiles what an instruction that is no access does to balls.
func (s *exactSolo) Instr(in *ir.Instr) machine.SoloCall {
	if commit := s.ball(in); commit != nil {
		return withAloneBalls(commit)
	}
	return nil
}

// ball compiles what an instruction that is no access does to balls, in front of it; commit comes
// after it.
func (s *exactSolo) ball(in *ir.Instr) (commit soloBalls) {
	if in.Mem != nil || len(in.Dst) != 1 || !s.has(in.Dst[0]) || s.Failed {
		return nil
	}
	for _, r := range append(in.Args[:len(in.Args):len(in.Args)], in.Dst[0]) {
		if t := s.Typ(r); t.IsFloat() && t != ir.F32 {
			s.Failed = true
			return nil
		}
	}
	t := s.Typ(in.Dst[0])
	if t == ir.F32 && s.P.Options.Sample != 0 {
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
func (s *exactSolo) drawBall(r ir.Reg) {
	d := s.Register(r)
	s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, b *[machine.MaxSolo]soloExact) {
		if !b[d].values {
			move(&b[d].Ball, BallsOf(m).coins())
		}
	})
}

// undrawn gives up where errors are drawn: an integer of the device is then not that of the draws.
func (s *exactSolo) undrawn() { s.Failed = s.Failed || s.P.Options.Sample != 0 }

// known is an argument's ball.
func (s *exactSolo) known(r ir.Reg) func(m *machine.Machine) ball.Ball {
	at, t, wide := s.Register(r), s.Typ(r), s.Wide(r)
	if s.has(r) {
		return func(m *machine.Machine) ball.Ball { return BallsOf(m).aloneBalls[at].Ball }
	}
	return func(m *machine.Machine) ball.Ball { return ball.Ball{X: soloNumber(m.Alone[at], t, wide)} }
}

// soloNumber is a register's value as a number.
func soloNumber(v uint64, t ir.Type, wide bool) float64 {
	switch {
	case wide:
		return float64(int64(v))
	case t.IsFloat():
		return float64(machine.Float(v))
	case t == ir.Bool:
		return float64(v & 1)
	}
	return float64(int32(v))
}

// pairBall is a function of the balls of two arguments, or of one.
func (s *exactSolo) pairBall(in *ir.Instr, f func(x, y ball.Ball) ball.Ball) {
	d, first, last := s.Register(in.Dst[0]), in.Args[0], in.Args[len(in.Args)-1]
	if s.has(first) && s.has(last) {
		p, q := s.Register(first), s.Register(last)
		s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, b *[machine.MaxSolo]soloExact) {
			setAlone(m, d, f(b[p].Ball, b[q].Ball), false)
		})
		return
	}
	x, y := s.known(first), s.known(last)
	s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, _ *[machine.MaxSolo]soloExact) {
		setAlone(m, d, f(x(m), y(m)), false)
	})
}

// floatBall is arithmetic.
func (s *exactSolo) floatBall(in *ir.Instr) {
	switch in.Op {
	case ir.Add, ir.Sub:
		s.Failed = s.Failed || ExactOf(s.P).snaps
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
		s.Failed = true
	}
}

// copyBall copies what is known. A number that all threads have and every device is its values.
func (s *exactSolo) copyBall(in *ir.Instr) {
	d, r := s.Register(in.Dst[0]), in.Args[0]
	a, t, wide, varying := s.Register(r), s.Typ(r), s.Wide(r), s.P.Slots[r].Varying
	x, has := s.known(r), s.has(r)
	s.emitBall(func(m *machine.Machine, v *[machine.MaxSolo]uint64, b *[machine.MaxSolo]soloExact) {
		known := x(m)
		values := !has || b[a].values
		if !values && !varying && known.E == 0 && known.L == 0 {
			n := soloNumber(v[a], t, wide)
			values = known.X == n || known.X != known.X && n != n
		}
		setAlone(m, d, known, values)
	})
}

// integerBall is arithmetic on integers: those that every device has are their values, and those that
// may have wrapped around are unknown.
func (s *exactSolo) integerBall(in *ir.Instr, f func(x, y ball.Ball) ball.Ball) (commit soloBalls) {
	x, y := s.known(in.Args[0]), s.known(in.Args[len(in.Args)-1])
	s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, _ *[machine.MaxSolo]soloExact) {
		BallsOf(m).aloneNext.Ball = f(x(m), y(m))
	})
	return s.settled(in)
}

// settled gives an integer its value, if every device has it.
func (s *exactSolo) settled(in *ir.Instr) (commit soloBalls) {
	s.undrawn()
	d, t, wide := s.Register(in.Dst[0]), s.Typ(in.Dst[0]), s.Wide(in.Dst[0])
	return func(m *machine.Machine, r *[machine.MaxSolo]uint64, _ *[machine.MaxSolo]soloExact) {
		b := BallsOf(m).aloneNext.Ball
		switch {
		case b.E == 0:
			b = ball.Ball{X: soloNumber(r[d], t, wide)}
		case !(math.Abs(b.X)+b.E < 1<<31):
			b = ball.Unknown(soloNumber(r[d], t, wide))
		}
		setAlone(m, d, b, false)
	}
}

// opaqueBall is an operation whose errors are not followed.
func (s *exactSolo) opaqueBall(in *ir.Instr) (commit soloBalls) {
	s.undrawn()
	var of []uint8
	for _, r := range in.Args {
		if s.has(r) {
			of = append(of, s.Register(r))
		}
	}
	s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, b *[machine.MaxSolo]soloExact) {
		BallsOf(m).aloneNext.E = 0
		for _, a := range of {
			if b[a].E != 0 {
				BallsOf(m).aloneNext.E = math.Inf(1)
			}
		}
	})
	d, t, wide := s.Register(in.Dst[0]), s.Typ(in.Dst[0]), s.Wide(in.Dst[0])
	return func(m *machine.Machine, r *[machine.MaxSolo]uint64, _ *[machine.MaxSolo]soloExact) {
		setAlone(m, d, ball.Ball{X: soloNumber(r[d], t, wide), E: BallsOf(m).aloneNext.E}, false)
	}
}

// convertBall is a conversion from integers.
func (s *exactSolo) convertBall(in *ir.Instr) (commit soloBalls) {
	from, to := in.From.Type(), in.To.Type()
	source, _ := machine.IntOf(in.From)
	x, has := s.known(in.Args[0]), s.has(in.Args[0])
	_, integer := machine.IntOf(in.To)
	switch {
	case from.IsFloat():
		s.Failed = true
	case to.IsFloat():
		d, short := s.Register(in.Dst[0]), !has && s.Typ(in.Args[0]) == ir.I32 && s.P.Slots[in.Args[0]].Varying
		signed := source.Signed || s.Typ(in.Args[0]) == ir.Bool
		s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, _ *[machine.MaxSolo]soloExact) {
			n := x(m)
			switch {
			case has:
				n = unsigned(n, source)
			case !signed && n.X < 0:
				n.X += math.Ldexp(1, int(source.Bits))
			}
			values := short && !BallsOf(m).doubtful && n.X <= 1<<24 && n.X >= -1<<24
			setAlone(m, d, ball.Integer(n, nil), values)
		})
	case integer && s.Typ(in.Args[0]) != ir.Bool:
		f := within(source, in.To)
		s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, _ *[machine.MaxSolo]soloExact) {
			BallsOf(m).aloneNext.Ball = f(x(m))
		})
		return s.settled(in)
	default:
		return s.opaqueBall(in)
	}
	return nil
}

// soloCell is what an access to balls has to know.
type soloCell struct {
	place   *machine.SoloMemory
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

// Access compiles what an access to element k does to balls, in front of it.
func (s *exactSolo) Access(in *ir.Instr, k int, access machine.SoloInstr) {
	x := ExactOf(s.P)
	if s.Failed {
		return
	}
	h, own := x.Of(in.Mem), in.Mem.Space == syntax.Thread
	if in.Op == ir.Load && !s.has(in.Dst[k]) || in.Op == ir.Store && !h.Depends {
		return
	}
	c := &soloCell{in: in, pointer: access.A, index: access.B, own: own, held: h.Depends, last: k == len(in.Args)-1}
	for _, r := range ballAddress(s.SoloCompiler.Compiler, in) {
		c.address = append(c.address, s.Register(r))
	}
	uniform := s.Uniform(in.Mem.Base) && (in.Mem.Index == ir.None || s.Uniform(in.Mem.Index))
	c.each = own && !uniform || len(c.address) > 0
	value := in.From.Type()
	if h.Mixed() || own && x.PrivateLog != 2 || value.IsFloat() && value != ir.F32 {
		s.Failed = true
		return
	}
	place := s.Out.Memory[access.At]
	c.place = &place
	if own {
		c.offset = place.First * 4
	}
	if in.Op == ir.Load {
		c.load(s, access.D, in.Dst[k])
	} else {
		c.store(s, access.D, in.Args[k])
	}
}

// where is the element's place: in an object, or, if mem is nil, in memory of the thread.
func (c *soloCell) where(m *machine.Machine) (mem *machine.Memory, off int64) {
	pointer, index := m.Alone[c.pointer], m.Alone[c.index]
	if c.own {
		c.place.Own(m, index)
		return nil, c.offset + c.place.Step(index)
	}
	return c.place.Find(m, pointer, index)
}

// uncertain reports whether another device may mean another place.
func (c *soloCell) uncertain(m *machine.Machine) bool {
	for _, a := range c.address {
		if BallsOf(m).aloneBalls[a].E != 0 {
			return true
		}
	}
	return false
}

// load takes a register's ball from memory, where it has one. The value itself is read behind that.
func (c *soloCell) load(s *exactSolo, d uint8, r ir.Reg) {
	t, wide := s.Typ(r), s.Wide(r)
	s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, _ *[machine.MaxSolo]soloExact) {
		mem, off := c.where(m)
		known := ball.Ball{}
		switch {
		case c.uncertain(m):
			known = ball.Unknown(0)
		case c.held && c.own:
			known = BallsOf(m).private[int(off>>2)*m.Stride]
		case c.held:
			known = heldBall(m, mem, off, 0, c.in.From)
		}
		values := false
		if known.None() {
			raw := uint64(0)
			if mem == nil {
				raw = uint64(m.Private[int(off>>2)*m.Stride])
			} else {
				raw = mem.Raw(off, int(c.place.Access.Size))
			}
			if decode := machine.Decode32(c.in.From); decode != nil {
				raw = uint64(decode(uint32(raw)))
			}
			known.X = soloNumber(raw, t, wide)
			if t == ir.F32 {
				known = ball.Of(known.X)
			}
			values = !c.each
		}
		setAlone(m, d, known, values)
	})
}

// store leaves what is known of a register in memory.
func (c *soloCell) store(s *exactSolo, a uint8, r ir.Reg) {
	has, float := s.has(r), c.in.From.Type().IsFloat()
	s.emitBall(func(m *machine.Machine, _ *[machine.MaxSolo]uint64, b *[machine.MaxSolo]soloExact) {
		mem, off := c.where(m)
		if j := BallsOf(m).journal; j != nil {
			j.enter(m, 0, mem, off, c.in.From)
		}
		var known ball.Ball // none, if memory holds all there is to know
		uncertain := c.uncertain(m)
		if has && !(b[a].values && !BallsOf(m).doubtful && len(c.address) == 0) {
			if known = b[a].Ball; !float && known.E == 0 {
				known = ball.Ball{}
			}
		}
		if uncertain || BallsOf(m).doubtful {
			known = ball.Unknown(known.X)
		}
		if mem == nil {
			BallsOf(m).private[int(off>>2)*m.Stride] = known
		} else {
			holdAt(m, mem, off, 0, c.in.From, known)
		}
		if uncertain && c.last {
			forgetReached(m, c.in, 0)
		}
	})
}
