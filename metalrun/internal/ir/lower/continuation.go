package lower

import (
	"metalconform/metalrun/internal/ir"
)

import "slices"

// continuation is part of a function of a cycle: control enters it at its start alone.
type continuation struct {
	of      *member
	number  int           // in the order of the source
	after   bool          // it follows a call, before which the frame was saved
	body    []ir.Node     // of the block
	block   *ir.Block     // which what goes on elsewhere leaves
	left    bool          // somewhere before its end
	call    *again        // that ends it, if one does
	to      *continuation // and where that goes on
	returns bool          // it ends the function
	leads   []*continuation

	sets, needs map[ir.Reg]bool // before anything else
	live        map[ir.Reg]bool // when it begins
}

// splitter cuts the functions of a cycle into pieces.
type splitter struct {
	l             *lowerer
	c             *cycle
	of            *member
	continuations []*continuation
	at            *continuation              // to which nodes are added
	ends          map[ir.Node]*continuation  // where a Loop or Block that was cut is left to
	iterations    map[*ir.Loop]*continuation // where the iteration of a loop ends
	jumps         []jump
	stack         *layout
}

// jump is an instruction that says which piece is next.
type jump struct {
	in *ir.Instr
	to *continuation
}

func newSplitter(l *lowerer, c *cycle) *splitter {
	return &splitter{l: l, c: c, ends: map[ir.Node]*continuation{}, iterations: map[*ir.Loop]*continuation{}}
}

// begin begins a piece.
func (c *splitter) begin(p *continuation) {
	p.of, p.number, p.block = c.of, len(c.continuations), &ir.Block{Pos: c.l.pos, Name: c.of.fn.Name}
	c.continuations, c.at = append(c.continuations, p), p
}

// goTo is the instruction that makes a piece the next one.
func (c *splitter) goTo(to *continuation) *ir.Instr {
	in := &ir.Instr{Op: ir.Copy, Pos: c.l.pos, Dst: []ir.Reg{c.c.next}}
	c.jumps = append(c.jumps, jump{in, to})
	c.at.leads = append(c.at.leads, to)
	c.l.counted(1)
	return in
}

func (c *splitter) add(n ir.Node) { c.at.body = append(c.at.body, n) }

// member cuts a function.
func (c *splitter) member(m *member) {
	defer c.l.at(m.fn.Pos)()
	c.of = m
	c.begin(m.entry)
	c.section(m.block, m.body)
	c.at.returns = true
}

// section cuts the body of a block.
func (c *splitter) section(b *ir.Block, body []ir.Node) {
	end := &continuation{}
	c.ends[b] = end
	c.then(c.list(body), end)
	c.begin(end)
}

// then goes on with a piece, unless control has gone elsewhere.
func (c *splitter) then(ended bool, to *continuation) {
	if !ended {
		c.add(c.goTo(to))
	}
}

// list cuts nodes, and reports whether control goes elsewhere at their end.
func (c *splitter) list(nodes []ir.Node) (ended bool) {
	for _, n := range nodes {
		if ended = c.node(n); ended {
			return true
		}
	}
	return false
}

func isAgain(n ir.Node) bool {
	_, ok := n.(*again)
	return ok
}

func (c *splitter) node(n ir.Node) (ended bool) {
	switch e := n.(type) {
	case *again:
		c.at.call, c.at.to = e, &continuation{after: true}
		c.begin(c.at.to)
		return false
	case *ir.Exit:
		c.at.body = c.leave(c.at.body, e, true)
		return true
	}
	if !ir.Contains([]ir.Node{n}, isAgain) {
		c.redirect(n)
		c.add(n)
		return false
	}
	switch n := n.(type) {
	case *ir.If:
		then, otherwise, end := &continuation{}, &continuation{}, &continuation{}
		c.branch(n, then, otherwise)
		c.begin(then)
		c.then(c.list(n.Then), end)
		c.begin(otherwise)
		c.then(c.list(n.Else), end)
		c.begin(end)
	case *ir.Loop:
		c.loop(n)
	case *ir.Block:
		c.section(n, n.Body)
	}
	return false
}

func (c *splitter) branch(n *ir.If, then, otherwise *continuation) {
	c.add(&ir.If{Pos: n.Pos, Cond: n.Cond, Then: []ir.Node{c.goTo(then)}, Else: []ir.Node{c.goTo(otherwise)}})
}

func (c *splitter) loop(n *ir.Loop) {
	head, body, post, end := &continuation{}, &continuation{}, &continuation{}, &continuation{}
	c.ends[n], c.iterations[n] = end, post
	c.add(c.goTo(head))
	c.begin(head)
	c.list(n.Head)
	if n.Cond == ir.None {
		c.add(c.goTo(body))
	} else {
		c.branch(&ir.If{Pos: n.Pos, Cond: n.Cond}, body, end)
	}
	c.begin(body)
	c.then(c.list(n.Body), post)
	c.begin(post)
	c.list(n.Post)
	c.add(c.goTo(head))
	c.begin(end)
}

// redirect has exits in a construct that stays whole lead to pieces, where what they leave was cut.
func (c *splitter) redirect(n ir.Node) {
	for _, part := range ir.Parts(n) {
		list := slices.Clip((*part)[:0:0])
		for _, inner := range *part {
			if e, ok := inner.(*ir.Exit); ok {
				list = c.leave(list, e, false)
				continue
			}
			c.redirect(inner)
			list = append(list, inner)
		}
		*part = list
	}
}

// leave adds an exit to a list. last says that the piece ends with it.
func (c *splitter) leave(list []ir.Node, e *ir.Exit, last bool) []ir.Node {
	to := c.ends[e.Block]
	switch e.Kind {
	case ir.Break:
		to = c.ends[e.Loop]
	case ir.Continue:
		to = c.iterations[e.Loop]
	}
	if to == nil {
		return append(list, e)
	}
	list = append(list, c.goTo(to))
	if last {
		return list
	}
	c.at.left = true
	return append(list, &ir.Exit{Pos: e.Pos, Kind: ir.Leave, Block: c.at.block})
}
