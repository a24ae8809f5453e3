package redundancy

import (
	"metalconform/metalrun/internal/ir"
)

// value is what a register holds.
type value struct {
	id      int
	typ     ir.Type
	literal bool
	poison  bool // no value in particular
	bits    uint64
	varies  *construct   // the innermost loop whose iterations may have different ones; nil: none
	of      *computation // that makes it; nil: an input, a literal or one of several
	merged  []*value     // what it may be, where ways join
	at      *construct   // whose control flow decides which of them it is
	live    bool
	sum     *sum // once it was asked for
}

// computation is an instruction that makes values or has an effect.
type computation struct {
	in         *ir.Instr
	args       []*value
	address    []*value // base and index of an access
	results    []*value
	written    *scope  // that the source has it in
	at         *scope  // that it is executed in
	before     ir.Node // that it was moved in front of
	speculated bool
	elements   int
	vector     *computation // an access to the same vector
	object     int          // array of the thread that it accesses, or -1
	// overwritten stores are not needed. Free computations are parts of others.
	live, overwritten, free, fused bool
}

// operation is what makes a value: the same operation on the same values gives the same.
type operation struct {
	op       ir.Op
	fn       string
	typ      ir.Type
	from, to ir.Scalar
	fast     bool
	args     [mostArgs]int
}

const mostArgs = 4

// literalOf is a literal.
type literalOf struct {
	typ  ir.Type
	bits uint64
}

func (n *numbering) fresh(t ir.Type, varies *construct) *value {
	n.values++
	return &value{id: n.values, typ: t, varies: varies}
}

func (n *numbering) literal(t ir.Type, bits uint64) *value {
	key := literalOf{t, bits}
	v, ok := n.literals[key]
	if !ok {
		v = n.fresh(t, nil)
		v.literal, v.bits = true, bits
		n.literals[key] = v
	}
	return v
}

// read is what a register holds.
func (n *numbering) read(r ir.Reg) *value {
	if v := n.env[r]; v != nil {
		return v
	}
	info := n.k.Regs[r]
	v := n.fresh(info.Type, nil)
	if info.Kind == ir.Literal {
		v = n.literal(info.Type, info.Bits)
	}
	n.env[r] = v
	return v
}

// set gives a register a value. Variables take it back when a way through the control flow ends.
func (n *numbering) set(r ir.Reg, v *value) {
	if n.k.Regs[r].Kind == ir.Variable {
		n.trail = append(n.trail, change{r, n.env[r]})
	}
	n.env[r] = v
}

// pure numbers an instruction that computes its results from its operands alone.
func (n *numbering) pure(in *ir.Instr, s *scope) {
	var room [mostArgs]*value
	args := append(room[:0], n.operands(in)...)
	if v := n.simple(in, args); v != nil {
		n.set(in.Dst[0], v)
		return
	}
	if len(args) > mostArgs {
		n.opaque(in, s)
		return
	}
	does := operation{op: in.Op, fn: in.Fn, from: in.From, to: in.To, fast: in.Fast}
	for i, v := range args {
		does.args[i] = v.id
	}
	if in.Op.Info().Commutes && does.args[0] > does.args[1] {
		does.args[0], does.args[1] = does.args[1], does.args[0]
	}
	does.typ = n.k.Regs[in.Dst[0]].Type
	results, ok := n.known[does]
	if !ok || !results.at.isOpen() {
		c := n.compute(in, args, s, n.home(s, args, movable(in)))
		results = available{c.results, c.at}
		n.known[does] = results
	}
	for i, d := range in.Dst {
		results.values[i].of.reuse()
		n.set(d, results.values[i])
	}
}

// reuse notes that a computation is not made again. If it was moved, and the place where the source has it is over,
// then all threads that reached the loop have its results: it counts as often.
func (c *computation) reuse() {
	if c != nil && c.before != nil && !c.written.isOpen() {
		c.speculated = true
	}
}

// available are results of a computation, while a scope is open.
type available struct {
	values []*value
	at     *scope
}

func (n *numbering) operands(in *ir.Instr) []*value {
	args := make([]*value, len(in.Args))
	for i, r := range in.Args {
		args[i] = n.read(r)
	}
	return args
}

// opaque numbers an instruction whose results are new values each time.
func (n *numbering) opaque(in *ir.Instr, s *scope) *computation {
	c := n.compute(in, n.operands(in), s, s.loop)
	for i, d := range in.Dst {
		n.set(d, c.results[i])
	}
	return c
}

// compute adds a computation whose results vary with the iterations of a loop, in front of the outermost loop in which
// they do not vary.
func (n *numbering) compute(in *ir.Instr, args []*value, s *scope, varies *construct) *computation {
	c := &computation{in: in, args: append([]*value(nil), args...), written: s, at: s, object: -1}
	switch {
	case s.loop != varies:
		loop := s.loop
		for loop.loop != varies {
			loop = loop.loop
		}
		c.before, c.at = loop.node, loop.within
	case n.converted != nil:
		c.before, c.at, c.speculated = n.converted.node, n.converted.within, true
	}
	for _, d := range in.Dst {
		v := n.fresh(n.k.Regs[d].Type, varies)
		v.of = c
		c.results = append(c.results, v)
	}
	n.computations = append(n.computations, c)
	return c
}

// home is the innermost loop around a scope in which one of the values varies.
func (n *numbering) home(s *scope, args []*value, movable bool) *construct {
	var home *construct
	for _, v := range args {
		if h := common(v.varies, s.loop); h.depth() > home.depth() {
			home = h
		}
	}
	if !movable {
		return atLeast(home, s)
	}
	return home
}

// atLeast is a loop around a scope that computations which may fault do not leave.
func atLeast(home *construct, s *scope) *construct {
	if s.loop.depth() == home.depth() || s.floor <= home.depth() {
		return home
	}
	loop := s.loop
	for loop.depth() > s.floor {
		loop = loop.loop
	}
	return loop
}

// movable reports whether an operation may be executed although the source does not reach it.
func movable(in *ir.Instr) bool {
	switch in.Op {
	case ir.SDiv, ir.UDiv, ir.SRem, ir.URem:
		return false
	}
	return true
}

// one is a float that a product leaves as it is.
var one = map[ir.Type]uint64{ir.F32: 0x3f800000, ir.F16: 0x3c00, ir.BF16: 0x3f80, ir.I32: 1, ir.I64: 1}

// simple is the value of an operation that needs no computation, or nil.
func (n *numbering) simple(in *ir.Instr, args []*value) *value {
	if len(in.Dst) != 1 {
		return nil
	}
	typ := n.k.Regs[in.Dst[0]].Type
	switch in.Op {
	case ir.Copy:
		return args[0]
	case ir.Poison:
		v := n.fresh(typ, nil)
		v.poison = true
		return v
	case ir.Select:
		return n.chosen(args)
	}
	if bits, ok := n.fold(in, args); ok {
		return n.literal(typ, bits)
	}
	if len(args) != 2 {
		return nil
	}
	for i, v := range args {
		other := args[1-i]
		if i == 0 && !in.Op.Info().Commutes || !v.literal {
			continue
		}
		switch in.Op {
		case ir.Mul, ir.Div, ir.SDiv, ir.UDiv:
			if v.bits == one[typ] {
				return other
			}
		case ir.Add, ir.Sub, ir.Or, ir.Xor, ir.Shl, ir.LShr, ir.AShr, ir.PtrAdd:
			if v.bits == 0 && !typ.IsFloat() {
				return other
			}
		}
	}
	return nil
}

// chosen is the value of a selection that needs none, or nil.
func (n *numbering) chosen(args []*value) *value {
	switch cond, a, b := args[0], args[1], args[2]; {
	case a == b || b.poison:
		return a
	case a.poison:
		return b
	case cond.literal && cond.bits != 0:
		return a
	case cond.literal:
		return b
	}
	return nil
}

func (n *numbering) fold(in *ir.Instr, args []*value) (uint64, bool) {
	if len(args) == 0 || len(args) > mostArgs {
		return 0, false
	}
	var room [mostArgs]uint64
	bits := room[:len(args)]
	for i, v := range args {
		if !v.literal {
			return 0, false
		}
		bits[i] = v.bits
	}
	return ir.Fold(in, args[0].typ, bits)
}
