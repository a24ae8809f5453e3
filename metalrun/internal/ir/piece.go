package ir

import "slices"

// piece is part of a function of a cycle: control enters it at its start alone.
type piece struct {
	of      *member
	number  int    // in the order of the source
	after   bool   // it follows a call, before which the frame was saved
	body    []Node // of the block
	block   *Block // which what goes on elsewhere leaves
	left    bool   // somewhere before its end
	call    *again // that ends it, if one does
	to      *piece // and where that goes on
	returns bool   // it ends the function
	leads   []*piece

	sets, needs map[Reg]bool // before anything else
	live        map[Reg]bool // when it begins
}

// cutter cuts the functions of a cycle into pieces.
type cutter struct {
	l      *lowerer
	c      *cycle
	of     *member
	pieces []*piece
	at     *piece           // to which nodes are added
	ends   map[Node]*piece  // where a Loop or Block that was cut is left to
	turns  map[*Loop]*piece // where the turn of one ends
	jumps  []jump
	stack  *layout
}

// jump is an instruction that says which piece is next.
type jump struct {
	in *Instr
	to *piece
}

func newCutter(l *lowerer, c *cycle) *cutter {
	return &cutter{l: l, c: c, ends: map[Node]*piece{}, turns: map[*Loop]*piece{}}
}

// place begins a piece.
func (c *cutter) place(p *piece) {
	p.of, p.number, p.block = c.of, len(c.pieces), &Block{Pos: c.l.pos, Name: c.of.fn.Name}
	c.pieces, c.at = append(c.pieces, p), p
}

// goTo is the instruction that makes a piece the next one.
func (c *cutter) goTo(to *piece) *Instr {
	in := &Instr{Op: Copy, Pos: c.l.pos, Dst: []Reg{c.c.next}}
	c.jumps = append(c.jumps, jump{in, to})
	c.at.leads = append(c.at.leads, to)
	c.l.counted(1)
	return in
}

func (c *cutter) add(n Node) { c.at.body = append(c.at.body, n) }

// member cuts a function.
func (c *cutter) member(m *member) {
	defer c.l.at(m.fn.Pos)()
	c.of = m
	c.place(m.entry)
	c.section(m.block, m.body)
	c.at.returns = true
}

// section cuts the body of a block.
func (c *cutter) section(b *Block, body []Node) {
	end := &piece{}
	c.ends[b] = end
	c.then(c.list(body), end)
	c.place(end)
}

// then goes on with a piece, unless control has gone elsewhere.
func (c *cutter) then(ended bool, to *piece) {
	if !ended {
		c.add(c.goTo(to))
	}
}

// list cuts nodes, and reports whether control goes elsewhere at their end.
func (c *cutter) list(nodes []Node) (ended bool) {
	for _, n := range nodes {
		if ended = c.node(n); ended {
			return true
		}
	}
	return false
}

func isAgain(n Node) bool {
	_, ok := n.(*again)
	return ok
}

func (c *cutter) node(n Node) (ended bool) {
	switch e := n.(type) {
	case *again:
		c.at.call, c.at.to = e, &piece{after: true}
		c.place(c.at.to)
		return false
	case *Exit:
		c.at.body = c.leave(c.at.body, e, true)
		return true
	}
	if !Contains([]Node{n}, isAgain) {
		c.redirect(n)
		c.add(n)
		return false
	}
	switch n := n.(type) {
	case *If:
		then, otherwise, end := &piece{}, &piece{}, &piece{}
		c.branch(n, then, otherwise)
		c.place(then)
		c.then(c.list(n.Then), end)
		c.place(otherwise)
		c.then(c.list(n.Else), end)
		c.place(end)
	case *Loop:
		c.loop(n)
	case *Block:
		c.section(n, n.Body)
	}
	return false
}

func (c *cutter) branch(n *If, then, otherwise *piece) {
	c.add(&If{Pos: n.Pos, Cond: n.Cond, Then: []Node{c.goTo(then)}, Else: []Node{c.goTo(otherwise)}})
}

func (c *cutter) loop(n *Loop) {
	head, body, post, end := &piece{}, &piece{}, &piece{}, &piece{}
	c.ends[n], c.turns[n] = end, post
	c.add(c.goTo(head))
	c.place(head)
	c.list(n.Head)
	if n.Cond == None {
		c.add(c.goTo(body))
	} else {
		c.branch(&If{Pos: n.Pos, Cond: n.Cond}, body, end)
	}
	c.place(body)
	c.then(c.list(n.Body), post)
	c.place(post)
	c.list(n.Post)
	c.add(c.goTo(head))
	c.place(end)
}

// redirect has exits in a construct that stays whole lead to pieces, where what they leave was cut.
func (c *cutter) redirect(n Node) {
	for _, part := range Parts(n) {
		list := slices.Clip((*part)[:0:0])
		for _, inner := range *part {
			if e, ok := inner.(*Exit); ok {
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
func (c *cutter) leave(list []Node, e *Exit, last bool) []Node {
	to := c.ends[e.Block]
	switch e.Kind {
	case Break:
		to = c.ends[e.Loop]
	case Continue:
		to = c.turns[e.Loop]
	}
	if to == nil {
		return append(list, e)
	}
	list = append(list, c.goTo(to))
	if last {
		return list
	}
	c.at.left = true
	return append(list, &Exit{Pos: e.Pos, Kind: Leave, Block: c.at.block})
}
