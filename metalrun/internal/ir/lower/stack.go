package lower

import (
	"maps"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/syntax"
)

// stack is the memory of a thread for the calls of a cycle: of everything one for each frame, side by
// side. Cycles that are not within each other share it.
type stack struct {
	returns ir.Reg               // address of the numbers of the pieces where calls go on
	saved   map[ir.Scalar]ir.Reg // addresses of the registers that are needed then
}

// layout says where a cycle keeps them.
type layout struct {
	*stack
	frames int
	slots  map[*member]map[ir.Reg]int
	sizes  map[*member]map[ir.Scalar]int
}

// storedAs are scalars that hold what a register holds.
var storedAs = map[ir.Type]ir.Scalar{
	ir.Bool: ir.B8, ir.I32: ir.U32, ir.I64: ir.U64, ir.F32: ir.R32, ir.F16: ir.H16, ir.BF16: ir.T16, ir.Ptr: ir.P64,
}

// run emits the loop for a call of first from outside.
func (c *splitter) run(first *member, args []ir.Reg) {
	l := c.l
	for _, m := range c.c.members {
		c.member(m)
	}
	own := c.ownRegisters()
	c.liveness(own)
	c.stack = c.newStack()
	l.assignRegs(first.params, args)
	l.copy(c.c.depth, l.i32(0))
	done := l.i32(int64(len(c.continuations)))
	c.push(done)
	l.copy(c.c.next, l.i32(int64(first.entry.number)))
	loop := &ir.Loop{Pos: l.pos}
	loop.Head = l.into(func() { loop.Cond = l.op(ir.Ne, ir.Bool, c.c.next, done) })
	loop.Body = l.into(func() {
		for _, p := range c.continuations {
			at := l.i32(int64(p.number))
			l.ifElse(l.op(ir.Eq, ir.Bool, c.c.next, at), func() { c.emit(p) }, nil)
		}
	})
	for _, j := range c.jumps {
		j.in.Args = []ir.Reg{l.i32(int64(j.to.number))}
	}
	*l.body = append(*l.body, loop)
}

// ownRegisters are those that a call within the cycle may set once more. A temporary that one piece
// sets and another reads becomes a variable.
func (c *splitter) ownRegisters() map[ir.Reg]bool {
	own := map[ir.Reg]bool{}
	for _, m := range c.c.members {
		for _, r := range m.params {
			own[r] = true
		}
	}
	for _, p := range c.continuations {
		for in := range ir.Instrs(p.body...) {
			for _, d := range in.Dst {
				own[d] = true
			}
		}
	}
	delete(own, c.c.next)
	return own
}

// liveness finds what each piece needs of what was set before it.
func (c *splitter) liveness(own map[ir.Reg]bool) {
	for _, p := range c.continuations {
		s := needs{own: own, k: c.l.k, set: map[ir.Reg]bool{}, needed: map[ir.Reg]bool{}}
		s.list(p.body)
		if p.call != nil {
			s.reads(p.call.args...)
			p.leads = append(p.leads, p.to)
		}
		if p.returns {
			s.reads(p.of.value...)
		}
		p.needs, p.sets, p.live = s.needed, s.kills, maps.Clone(s.needed)
		for r := range s.needed {
			if info := &c.l.k.Regs[r]; info.Kind == ir.Temp {
				info.Kind = ir.Variable
			}
		}
	}
	fixpoint.Iterate(func(pass *fixpoint.Pass) {
		for _, p := range slices.Backward(c.continuations) {
			for _, next := range p.leads {
				for r := range next.live {
					if !p.sets[r] {
						fixpoint.MoveIn(pass, p.live, r, true)
					}
				}
			}
		}
	})
}

// needs finds the registers that nodes read before they set them.
type needs struct {
	k      *ir.Kernel
	own    map[ir.Reg]bool
	set    map[ir.Reg]bool // on every path to here
	needed map[ir.Reg]bool
	kills  map[ir.Reg]bool // of set: before anything that may go on elsewhere
}

func (s *needs) reads(regs ...ir.Reg) {
	for _, r := range regs {
		if r != ir.None && s.own[r] && !s.set[r] {
			s.needed[r] = true
		}
	}
}

// list goes through nodes one after the other. What an arm or an iteration sets is not set after it.
func (s *needs) list(nodes []ir.Node) {
	for _, n := range nodes {
		if in, ok := n.(*ir.Instr); ok {
			ir.EachRead(in, func(r ir.Reg) { s.reads(r) })
			for _, d := range in.Dst {
				s.set[d] = true
			}
			continue
		}
		if s.kills == nil {
			s.kills = maps.Clone(s.set)
		}
		if c := ir.Cond(n); c != nil {
			if loop, ok := n.(*ir.Loop); ok {
				s.list(loop.Head)
			}
			s.reads(*c)
		}
		for _, part := range ir.Parts(n) {
			outer := s.set
			s.set = maps.Clone(outer)
			s.list(*part)
			s.set = outer
		}
	}
	if s.kills == nil {
		s.kills = maps.Clone(s.set)
	}
}

// newStack finds the memory for the frames of a cycle.
func (c *splitter) newStack() *layout {
	l, frames := c.l, c.c.of.Frames
	for len(l.stacks) <= c.c.level {
		l.stacks = append(l.stacks, &stack{l.stackOf(ir.U32), map[ir.Scalar]ir.Reg{}})
	}
	s := l.stacks[c.c.level]
	returns := &l.k.Objects[l.k.Regs[s.returns].Index]
	returns.Size, returns.Deeper = returns.Elem.Size()*frames, c.c.of.Deeper
	return &layout{s, frames, map[*member]map[ir.Reg]int{}, map[*member]map[ir.Scalar]int{}}
}

// stackOf is the address of a new object for elements of a type.
func (l *lowerer) stackOf(elem ir.Scalar) ir.Reg {
	l.k.Objects = append(l.k.Objects, ir.Object{Name: "stack", Pos: l.pos, Space: syntax.Thread, Align: elem.Size(),
		Elem: elem})
	return l.addressOf(len(l.k.Objects) - 1)
}

// slot is where frames keep a register of a member.
func (s *layout) slot(l *lowerer, m *member, r ir.Reg) (ir.Scalar, *ir.Mem) {
	as := storedAs[l.typeOf(r)]
	if s.slots[m] == nil {
		s.slots[m], s.sizes[m] = map[ir.Reg]int{}, map[ir.Scalar]int{}
	}
	if _, ok := s.saved[as]; !ok {
		s.saved[as] = l.stackOf(as)
	}
	base, size := s.saved[as], as.Size()*s.frames
	at, ok := s.slots[m][r]
	if !ok {
		at = s.sizes[m][as]
		s.slots[m][r] = at
		s.sizes[m][as]++
		of := &l.k.Objects[l.k.Regs[base].Index]
		of.Size = max(of.Size, (at+1)*size)
	}
	return as, &ir.Mem{
		Space: syntax.Thread, Base: base, Scale: int64(as.Size()), Disp: int64(at * size), Align: as.Size(),
	}
}

// emit emits a piece.
func (c *splitter) emit(p *continuation) {
	l := c.l
	if p.after {
		c.frame(p, func(r ir.Reg, as ir.Scalar, at *ir.Mem) {
			l.emit(&ir.Instr{Op: ir.Load, Dst: []ir.Reg{r}, From: as, Mem: at})
		})
	}
	c.addresses(p)
	body := l.into(func() {
		*l.body = append(*l.body, p.body...)
		switch {
		case p.call != nil:
			c.enter(p)
		case p.returns:
			l.assignRegs(p.of.result, p.of.value)
			c.pop()
		}
	})
	if p.left {
		p.block.Body = body
		body = []ir.Node{p.block}
	}
	*l.body = append(*l.body, body...)
}

// frame visits what a call has to keep for the piece after it.
func (c *splitter) frame(after *continuation, visit func(r ir.Reg, as ir.Scalar, at *ir.Mem)) {
	for _, r := range slices.Sorted(maps.Keys(after.live)) {
		as, at := c.stack.slot(c.l, after.of, r)
		at.Index = c.c.depth
		visit(r, as, at)
	}
}

// enter ends a piece with a call.
func (c *splitter) enter(p *continuation) {
	l := c.l
	defer l.at(p.call.pos)()
	c.frame(p.to, func(r ir.Reg, as ir.Scalar, at *ir.Mem) {
		l.emit(&ir.Instr{Op: ir.Store, Args: []ir.Reg{r}, From: as, Mem: at})
	})
	l.assignRegs(p.call.of.params, p.call.args)
	l.emit(&ir.Instr{Op: ir.Add, Dst: []ir.Reg{c.c.depth}, Args: []ir.Reg{c.c.depth, l.i32(1)}})
	c.push(l.i32(int64(p.to.number)))
	l.copy(c.c.next, l.i32(int64(p.call.of.entry.number)))
}

// push notes where the function that is entered goes on when it returns. Without a frame for it, this
// is where the launch ends.
func (c *splitter) push(to ir.Reg) {
	c.l.emit(&ir.Instr{Op: ir.Store, Args: []ir.Reg{to}, From: ir.U32, Mem: c.returns()})
}

func (c *splitter) pop() {
	l := c.l
	l.emit(&ir.Instr{Op: ir.Load, Dst: []ir.Reg{c.c.next}, From: ir.U32, Mem: c.returns()})
	l.emit(&ir.Instr{Op: ir.Sub, Dst: []ir.Reg{c.c.depth}, Args: []ir.Reg{c.c.depth, l.i32(1)}})
}

func (c *splitter) returns() *ir.Mem {
	return &ir.Mem{Space: syntax.Thread, Base: c.stack.returns, Index: c.c.depth, Scale: 4, Align: 4}
}

// addresses sets those of the objects in the frame that a piece reads.
func (c *splitter) addresses(p *continuation) {
	read := map[ir.Reg]bool{}
	note := func(r ir.Reg) {
		if c.c.frames[r] != nil {
			read[r] = true
		}
	}
	for in := range ir.Instrs(p.body...) {
		ir.EachRead(in, note)
	}
	if p.call != nil {
		for _, r := range p.call.args {
			note(r)
		}
	}
	for _, r := range slices.Sorted(maps.Keys(read)) {
		f := c.c.frames[r]
		offset := c.l.times(c.l.convert(ir.U32, ir.U64, c.c.depth), int64(f.stride))
		c.l.emit(&ir.Instr{Op: ir.PtrAdd, Dst: []ir.Reg{r}, Args: []ir.Reg{f.address, offset}})
	}
}
