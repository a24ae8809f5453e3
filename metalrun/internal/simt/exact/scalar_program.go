package exact

import (
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// With Options.Exact, the registers of a scalar program have balls if those of the kernel have, and uncertain branches
// are executed both ways. The results are those of rows of one lane.

// scalarBall is the ball of a register. With values, the ball is the value of the register, which nothing has rounded
// yet: a store of it needs no ball in memory.
type scalarBall struct {
	ball.Ball
	values bool
}

// scalarBalls are the balls of the registers of a scalar program.
type scalarBalls [machine.MaxScalarRegisters]scalarBall

// scalarBallOp is what exact execution does in addition to an instruction.
type scalarBallOp func(m *machine.Machine, r *machine.ScalarRegisters, b *scalarBalls)

// givenBall is a register that has a ball when the program begins.
type givenBall struct {
	register uint8
	from     machine.Slot
}

// scalarExactness is what exact execution adds to a scalar program that is being compiled.
type scalarExactness struct {
	codegen.NoSingle
	*codegen.ScalarCompiler
	x         *Exactness
	given     []givenBall // the balls that registers begin with
	decisions []scalarDecision
	under     map[*ir.If]int // number of the decision, or -1
}

// Single adds balls to a scalar program. ok is false for options that the program does not support.
func (x *Exactness) Single(c *codegen.ScalarCompiler) (codegen.SingleExtension, bool) {
	o := &c.P.Options
	if o.Check || o.Open || o.Traced || o.Doubles || x.rewritten || c.P.Deviates {
		return nil, false
	}
	s := &scalarExactness{ScalarCompiler: c, x: x, under: map[*ir.If]int{}}
	c.Out.Begins = append(c.Out.Begins, s.beginBalls)
	c.Out.Refuses = append(c.Out.Refuses, func(m *machine.Machine) bool {
		b := BallsOf(m)
		return b.anyUncertain || b.journal != nil || b.pending != nil || b.Recorder != nil || b.ranges
	})
	return s, true
}

// has reports whether a register has a ball.
func (s *scalarExactness) has(r ir.Reg) bool { return s.x.Depends(r) }

// Given lets a register begin with its ball.
func (s *scalarExactness) Given(r ir.Reg) {
	if at := s.P.Slots[r]; s.has(r) && at.Index >= 0 {
		s.given = append(s.given, givenBall{s.Registers[r], at})
	}
}

// beginBalls copies the balls of the registers of the machine.
func (s *scalarExactness) beginBalls(m *machine.Machine) {
	if BallsOf(m).scalars == nil {
		BallsOf(m).scalars = new(scalarBalls)
	}
	for _, g := range s.given {
		values := *BallsOf(m).representations.of(g.from) != written
		BallsOf(m).scalars[g.register] = scalarBall{ReadRow(m, g.from)[0], values}
	}
}

// setScalar sets the ball of a register.
func setScalar(m *machine.Machine, d uint8, b ball.Ball, values bool) {
	if BallsOf(m).anyUncertain {
		b, values = ball.Unknown(b.X), false
	}
	BallsOf(m).scalars[d] = scalarBall{b, values}
}

func (s *scalarExactness) emitBall(f scalarBallOp) {
	s.Call(withScalars(f))
}

// withScalars makes a call of a function of registers and their balls.
func withScalars(f scalarBallOp) machine.ScalarCall {
	return func(m *machine.Machine, r *machine.ScalarRegisters) { f(m, r, BallsOf(m).scalars) }
}

// Construct gives up on loops and functions that other devices may leave otherwise.
func (s *scalarExactness) Construct(n ir.Node, cond ir.Reg) {
	if s.x.LeftInDoubt(n) || cond != ir.None && s.has(cond) {
		s.Failed = true
	}
}

// Instr compiles what an instruction that is no access does to balls.
func (s *scalarExactness) Instr(in *ir.Instr) machine.ScalarCall {
	if commit := s.ball(in); commit != nil {
		return withScalars(commit)
	}
	return nil
}

// ball compiles what an instruction that is no access does to balls, before it; commit runs after it.
func (s *scalarExactness) ball(in *ir.Instr) (commit scalarBallOp) {
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
func (s *scalarExactness) drawBall(r ir.Reg) {
	d := s.Register(r)
	s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, b *scalarBalls) {
		if !b[d].values {
			move(&b[d].Ball, BallsOf(m).coins())
		}
	})
}

// undrawn gives up if errors are drawn: the integers of the device then differ from those of the drawn values.
func (s *scalarExactness) undrawn() { s.Failed = s.Failed || s.P.Options.Sample != 0 }

// known gives the ball of an argument.
func (s *scalarExactness) known(r ir.Reg) func(m *machine.Machine) ball.Ball {
	at, t, wide := s.Register(r), s.Typ(r), s.Wide(r)
	if s.has(r) {
		return func(m *machine.Machine) ball.Ball { return BallsOf(m).scalars[at].Ball }
	}
	return func(m *machine.Machine) ball.Ball { return ball.Ball{X: scalarNumber(m.Scalars[at], t, wide)} }
}

// scalarNumber is a register's value as a number.
func scalarNumber(v uint64, t ir.Type, wide bool) float64 {
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

// pairBall compiles a function of the balls of two arguments. An instruction with one argument passes it twice.
func (s *scalarExactness) pairBall(in *ir.Instr, f func(x, y ball.Ball) ball.Ball) {
	d, first, last := s.Register(in.Dst[0]), in.Args[0], in.Args[len(in.Args)-1]
	if s.has(first) && s.has(last) {
		p, q := s.Register(first), s.Register(last)
		s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, b *scalarBalls) {
			setScalar(m, d, f(b[p].Ball, b[q].Ball), false)
		})
		return
	}
	x, y := s.known(first), s.known(last)
	s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, _ *scalarBalls) {
		setScalar(m, d, f(x(m), y(m)), false)
	})
}

// floatBall compiles arithmetic on floats.
func (s *scalarExactness) floatBall(in *ir.Instr) {
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

// copyBall compiles a copy. A uniform number without an error becomes its value.
func (s *scalarExactness) copyBall(in *ir.Instr) {
	d, r := s.Register(in.Dst[0]), in.Args[0]
	a, t, wide, varying := s.Register(r), s.Typ(r), s.Wide(r), s.P.Slots[r].Varying
	x, has := s.known(r), s.has(r)
	s.emitBall(func(m *machine.Machine, v *machine.ScalarRegisters, b *scalarBalls) {
		known := x(m)
		values := !has || b[a].values
		if !values && !varying && known.E == 0 && known.L == 0 {
			n := scalarNumber(v[a], t, wide)
			values = known.X == n || known.X != known.X && n != n
		}
		setScalar(m, d, known, values)
	})
}

// integerBall compiles arithmetic on integers. A result that is the same on every device is its value; a result that
// may have wrapped around is unknown.
func (s *scalarExactness) integerBall(in *ir.Instr, f func(x, y ball.Ball) ball.Ball) (commit scalarBallOp) {
	x, y := s.known(in.Args[0]), s.known(in.Args[len(in.Args)-1])
	s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, _ *scalarBalls) {
		BallsOf(m).nextScalar.Ball = f(x(m), y(m))
	})
	return s.commitInteger(in)
}

// commitInteger gives an integer the value of its register, if that is the same on every device.
func (s *scalarExactness) commitInteger(in *ir.Instr) (commit scalarBallOp) {
	s.undrawn()
	d, t, wide := s.Register(in.Dst[0]), s.Typ(in.Dst[0]), s.Wide(in.Dst[0])
	return func(m *machine.Machine, r *machine.ScalarRegisters, _ *scalarBalls) {
		b := BallsOf(m).nextScalar.Ball
		switch {
		case b.E == 0:
			b = ball.Ball{X: scalarNumber(r[d], t, wide)}
		case !(math.Abs(b.X)+b.E < 1<<31):
			b = ball.Unknown(scalarNumber(r[d], t, wide))
		}
		setScalar(m, d, b, false)
	}
}

// opaqueBall compiles an operation whose result is unknown if an operand is uncertain.
func (s *scalarExactness) opaqueBall(in *ir.Instr) (commit scalarBallOp) {
	s.undrawn()
	var of []uint8
	for _, r := range in.Args {
		if s.has(r) {
			of = append(of, s.Register(r))
		}
	}
	s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, b *scalarBalls) {
		BallsOf(m).nextScalar.E = 0
		for _, a := range of {
			if b[a].E != 0 {
				BallsOf(m).nextScalar.E = math.Inf(1)
			}
		}
	})
	d, t, wide := s.Register(in.Dst[0]), s.Typ(in.Dst[0]), s.Wide(in.Dst[0])
	return func(m *machine.Machine, r *machine.ScalarRegisters, _ *scalarBalls) {
		setScalar(m, d, ball.Ball{X: scalarNumber(r[d], t, wide), E: BallsOf(m).nextScalar.E}, false)
	}
}

// convertBall compiles a conversion from integers.
func (s *scalarExactness) convertBall(in *ir.Instr) (commit scalarBallOp) {
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
		s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, _ *scalarBalls) {
			n := x(m)
			switch {
			case has:
				n = unsigned(n, source)
			case !signed && n.X < 0:
				n.X += math.Ldexp(1, int(source.Bits))
			}
			values := short && !BallsOf(m).anyUncertain && n.X <= 1<<24 && n.X >= -1<<24
			setScalar(m, d, ball.Integer(n, nil), values)
		})
	case integer && s.Typ(in.Args[0]) != ir.Bool:
		f := within(source, in.To)
		s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, _ *scalarBalls) {
			BallsOf(m).nextScalar.Ball = f(x(m))
		})
		return s.commitInteger(in)
	default:
		return s.opaqueBall(in)
	}
	return nil
}

// scalarCell is an access to the balls of an element.
type scalarCell struct {
	place   *machine.ScalarMemory
	in      *ir.Instr
	pointer uint8
	index   uint8
	address []uint8 // the registers of the address that have balls
	own     bool
	held    bool // memory may hold balls
	each    bool // a load always leaves a ball
	last    bool // it is the last element that the instruction accesses
	offset  int64
}

// Access compiles what an access to element k does to balls, before it.
func (s *scalarExactness) Access(in *ir.Instr, k int, access machine.ScalarInstr) {
	x := ExactOf(s.P)
	if s.Failed {
		return
	}
	h, own := x.Of(in.Mem), in.Mem.Space == syntax.Thread
	if in.Op == ir.Load && !s.has(in.Dst[k]) || in.Op == ir.Store && !h.Depends {
		return
	}
	c := &scalarCell{in: in, pointer: access.A, index: access.B, own: own, held: h.Depends, last: k == len(in.Args)-1}
	for _, r := range ballAddress(s.ScalarCompiler.Compiler, in) {
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

// where is the object and the offset of the element; mem is nil for memory of the thread.
func (c *scalarCell) where(m *machine.Machine) (mem *machine.Memory, off int64) {
	pointer, index := m.Scalars[c.pointer], m.Scalars[c.index]
	if c.own {
		c.place.Own(m, index)
		return nil, c.offset + c.place.Step(index)
	}
	return c.place.Find(m, pointer, index)
}

// uncertain reports whether the address may differ on another device.
func (c *scalarCell) uncertain(m *machine.Machine) bool {
	for _, a := range c.address {
		if BallsOf(m).scalars[a].E != 0 {
			return true
		}
	}
	return false
}

// load reads the ball of a register from memory, if memory has one. The value itself is read afterwards.
func (c *scalarCell) load(s *scalarExactness, d uint8, r ir.Reg) {
	t, wide := s.Typ(r), s.Wide(r)
	s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, _ *scalarBalls) {
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
			known.X = scalarNumber(raw, t, wide)
			if t == ir.F32 {
				known = ball.Of(known.X)
			}
			values = !c.each
		}
		setScalar(m, d, known, values)
	})
}

// store writes the ball of a register to memory.
func (c *scalarCell) store(s *scalarExactness, a uint8, r ir.Reg) {
	has, float := s.has(r), c.in.From.Type().IsFloat()
	s.emitBall(func(m *machine.Machine, _ *machine.ScalarRegisters, b *scalarBalls) {
		mem, off := c.where(m)
		if j := BallsOf(m).journal; j != nil {
			j.enter(m, 0, mem, off, c.in.From)
		}
		var known ball.Ball // none if the value in memory is enough
		uncertain := c.uncertain(m)
		if has && !(b[a].values && !BallsOf(m).anyUncertain && len(c.address) == 0) {
			if known = b[a].Ball; !float && known.E == 0 {
				known = ball.Ball{}
			}
		}
		if uncertain || BallsOf(m).anyUncertain {
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
