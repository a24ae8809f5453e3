package redundancy

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
)

// construct is a branch, a loop or a block.
type construct struct {
	node   ir.Node
	within *scope     // that it stands in
	loop   *construct // of a loop: the loop around it
	deep   int        // of a loop: how many loops there are, with the ones around it
	conds  []*value   // that decide what is executed in it
	exits  []*scope   // from where threads leave it, or one of its iterations
	live   bool       // something in it is executed

	// of a loop: what it may write
	writes []location
	fence  bool
	moved  []movedCell // cells of loads that were moved in front of it
}

type movedCell struct {
	key  cellKey
	cell *cell
}

// depth is the number of loops; 0 outside of all.
func (c *construct) depth() int {
	if c == nil {
		return 0
	}
	return c.deep
}

// common is the innermost loop around two loops.
func common(a, b *construct) *construct {
	for a != b {
		if a.depth() < b.depth() {
			a, b = b, a
		}
		a = a.loop
	}
	return a
}

// scope is a list of nodes. Values of computations in it are available in it, and in what it contains.
type scope struct {
	parent *scope
	of     *construct // nil: the kernel
	loop   *construct // the innermost loop
	// floor is the number of loops that stay around what may fault: whether it is executed in each iteration of the
	// others is known.
	floor  int
	closed bool
}

func (n *numbering) open(parent *scope, of *construct) *scope {
	s := &scope{parent: parent, of: of}
	if parent != nil {
		s.loop, s.floor = parent.loop, parent.floor
	}
	return s
}

func (s *scope) isOpen() bool {
	for ; s != nil; s = s.parent {
		if s.closed {
			return false
		}
	}
	return true
}

// change is a variable and what it held.
type change struct {
	r   ir.Reg
	was *value
}

// cellChange is an element of memory and what it held.
type cellChange struct {
	key cellKey
	was *cell
}

// mark is a moment: how many changes of variables and of memory there were.
type mark struct{ vars, cells int }

func (n *numbering) mark() mark { return mark{len(n.trail), len(n.cellTrail)} }

// state is what a way through a construct has changed at its end.
type state struct {
	vars  map[ir.Reg]*value
	cells map[cellKey]*cell
}

// way is the state now, of what has changed since a mark.
func (n *numbering) way(from mark) *state {
	n.effort += len(n.trail) - from.vars + len(n.cellTrail) - from.cells
	s := &state{vars: map[ir.Reg]*value{}, cells: map[cellKey]*cell{}}
	for _, c := range n.trail[from.vars:] {
		s.vars[c.r] = n.env[c.r]
	}
	for _, c := range n.cellTrail[from.cells:] {
		s.cells[c.key] = n.mem[c.key]
	}
	return s
}

// undo goes back to a mark.
func (n *numbering) undo(to mark) {
	for i := len(n.trail) - 1; i >= to.vars; i-- {
		n.env[n.trail[i].r] = n.trail[i].was
	}
	n.trail = n.trail[:to.vars]
	for i := len(n.cellTrail) - 1; i >= to.cells; i-- {
		n.put(n.cellTrail[i].key, n.cellTrail[i].was)
	}
	n.cellTrail = n.cellTrail[:to.cells]
}

// join goes on where ways meet. merge makes the value of a variable that is not the same on all of them.
func (n *numbering) join(ways []*state, merge merger) {
	changed := map[ir.Reg]bool{}
	var order []ir.Reg
	for _, w := range ways {
		for r := range w.vars {
			if !changed[r] {
				changed[r] = true
				order = append(order, r)
			}
		}
	}
	slices.Sort(order)
	for _, r := range order {
		list := make([]*value, len(ways))
		for i, w := range ways {
			if v, ok := w.vars[r]; ok {
				list[i] = v
			} else {
				list[i] = n.read(r)
			}
		}
		v := same(list)
		if v == nil {
			v = merge(r, list)
		}
		n.set(r, v)
	}
	n.joinCells(ways)
}

// same is the value that all of a list are, or nil.
func same(list []*value) *value {
	var only *value
	for _, v := range list {
		switch {
		case v.poison && only != nil, v == only:
		case only == nil || only.poison:
			only = v
		default:
			return nil
		}
	}
	return only
}

// merger makes the value of a register that is one of several.
type merger func(r ir.Reg, list []*value) *value

// merge makes values of which the control flow in a construct decides which of several they are.
func (n *numbering) merge(at *construct, s *scope) merger {
	return func(_ ir.Reg, list []*value) *value {
		v := n.fresh(list[0].typ, s.loop)
		v.merged, v.at = list, at
		return v
	}
}

// list numbers nodes. It reports whether threads reach their end.
func (n *numbering) list(nodes []ir.Node, s *scope) (reached bool) {
	for _, node := range nodes {
		if n.effort > mostEffort {
			return false
		}
		switch node := node.(type) {
		case *ir.Instr:
			n.instr(node, s)
			continue
		case *ir.Exit:
			n.exit(node, s)
			return false
		case *ir.If:
			reached = n.branch(node, s)
		case *ir.Loop:
			reached = n.loop(node, s)
		case *ir.Block:
			reached = n.block(node, s)
		}
		clear(n.unread)
		if !reached {
			return false
		}
		if analysis.HasExit([]ir.Node{node}) {
			s.floor = max(s.floor, s.loop.depth())
		}
	}
	return true
}

// exit ends a way.
func (n *numbering) exit(e *ir.Exit, s *scope) {
	var to ir.Node = e.Block
	if e.Kind != ir.Leave {
		to = e.Loop
	}
	for at := s; at != nil && at.of != nil; at = at.of.within {
		at.of.exits = append(at.of.exits, s)
		if at.of.node == to {
			break
		}
	}
	t := n.targets[to]
	if e.Kind == ir.Continue {
		t.continues = append(t.continues, n.way(t.mark))
	} else {
		t.leaves = append(t.leaves, n.way(t.mark))
	}
}

// target is a construct that exits lead to.
type target struct {
	mark              mark
	leaves, continues []*state
}

// sub numbers a list on a way of its own.
func (n *numbering) sub(nodes []ir.Node, s *scope) (end *state) {
	from := n.mark()
	clear(n.unread)
	if n.list(nodes, s) {
		end = n.way(from)
	}
	n.undo(from)
	s.closed = true
	return end
}

func (n *numbering) branch(f *ir.If, s *scope) bool {
	cond := n.read(f.Cond)
	c := &construct{node: f, within: s, conds: []*value{cond}}
	short := n.converted == nil && convertible(f)
	if short {
		n.converted = c
	}
	var ways []*state
	for _, arm := range [][]ir.Node{f.Then, f.Else} {
		inside := n.open(s, c)
		if n.converted == nil {
			inside.floor = max(inside.floor, s.loop.depth())
		}
		if end := n.sub(arm, inside); end != nil {
			ways = append(ways, end)
		}
	}
	merge := n.merge(c, s)
	if n.converted != nil {
		merge = func(r ir.Reg, list []*value) *value { return n.selection(f, r, append([]*value{cond}, list...), s) }
	}
	if len(ways) > 0 {
		n.join(ways, merge)
	}
	if short {
		n.converted = nil
	}
	return len(ways) > 0
}

// selection is the value of a variable after a converted branch.
func (n *numbering) selection(f *ir.If, r ir.Reg, args []*value, s *scope) *value {
	does := operation{op: ir.Select, typ: args[1].typ, args: [mostArgs]int{args[0].id, args[1].id, args[2].id}}
	known, ok := n.known[does]
	if !ok || !known.at.isOpen() {
		in := &ir.Instr{Op: ir.Select, Pos: f.Pos, Dst: []ir.Reg{r}, Args: []ir.Reg{f.Cond, r, r}}
		c := n.compute(in, args, s, n.home(s, args, true))
		known = available{c.results, c.at}
		n.known[does] = known
	}
	known.values[0].of.reuse()
	return known.values[0]
}

// convertedInstrs is the number of instructions of an arm up to which a branch is converted. Lowering evaluates both
// sides of a conditional expression of that size, so that both ways to write one count the same.
const convertedInstrs = 12

// convertible reports whether the arms of a branch are so short and cheap that threads execute both.
func convertible(f *ir.If) bool {
	for _, arm := range [][]ir.Node{f.Then, f.Else} {
		size := 0
		if !cheap(arm, &size) || size > convertedInstrs {
			return false
		}
	}
	return true
}

func cheap(nodes []ir.Node, size *int) bool {
	for _, node := range nodes {
		switch node := node.(type) {
		case *ir.Instr:
			info := node.Op.Info()
			if info.Effects != 0 || info.Kept || info.Varies || !movable(node) || node.Op == ir.Div ||
				node.Op == ir.Math && !cheapFunctions[node.Fn] {
				return false
			}
			*size++
		case *ir.If:
			if !convertible(node) {
				return false
			}
			for range ir.Instrs(node.Then...) {
				*size++
			}
			for range ir.Instrs(node.Else...) {
				*size++
			}
		default:
			return false
		}
	}
	return true
}

// cheapFunctions are those of one instruction.
var cheapFunctions = map[string]bool{"fmin": true, "fmax": true, "fabs": true, "floor": true, "ceil": true,
	"trunc": true, "rint": true, "copysign": true, "min_s32": true, "max_s32": true, "min_u32": true, "max_u32": true,
	"abs_s32": true}

func (n *numbering) block(b *ir.Block, s *scope) bool {
	c, t := &construct{node: b, within: s}, &target{mark: n.mark()}
	n.targets[b] = t
	if !analysis.HasExit(b.Body) {
		inside := n.open(s, c)
		return n.list(b.Body, inside) // stays open: all threads execute it
	}
	inside := n.open(s, c)
	if end := n.sub(b.Body, inside); end != nil {
		t.leaves = append(t.leaves, end)
	}
	if len(t.leaves) == 0 {
		return false
	}
	n.join(t.leaves, n.merge(c, s))
	return true
}

func (n *numbering) loop(l *ir.Loop, s *scope) bool {
	c := &construct{node: l, within: s, loop: s.loop, deep: s.loop.depth() + 1}
	t := &target{mark: n.mark()}
	n.targets[l] = t
	c.writes, c.fence = n.written(l)
	n.forgetChanged(c)
	clear(n.unread)
	carried := n.carried(l, c)

	head := n.open(s, c)
	head.loop = c
	if !n.list(l.Head, head) {
		return n.after(t, c, s)
	}
	if l.Cond != ir.None {
		c.conds = append(c.conds, n.read(l.Cond))
		t.leaves = append(t.leaves, n.way(t.mark))
	}
	body := n.open(head, c)
	if analysis.TripCount(n.k, l) == 0 && l.Cond != ir.None {
		body.floor = max(body.floor, c.deep-1)
	}
	if n.list(l.Body, body) {
		t.continues = append(t.continues, n.way(t.mark))
	}
	body.closed = true
	n.undo(t.mark)
	if len(t.continues) > 0 {
		n.join(t.continues, n.merge(c, head))
		post := n.open(head, c)
		post.floor = max(post.floor, c.deep-1)
		if n.list(l.Post, post) {
			for r, v := range carried {
				v.merged = append(v.merged, n.read(r))
			}
		}
		post.closed = true
	}
	return n.after(t, c, s)
}

// carried gives the variables that a loop sets values that vary with its iterations.
func (n *numbering) carried(l *ir.Loop, c *construct) map[ir.Reg]*value {
	list := map[ir.Reg]*value{}
	for in := range ir.Instrs(l) {
		for _, d := range in.Dst {
			if n.k.Regs[d].Kind == ir.Variable && list[d] == nil {
				v := n.fresh(n.k.Regs[d].Type, c)
				v.merged, v.at = []*value{n.read(d)}, c
				list[d] = v
				n.set(d, v)
			}
		}
	}
	return list
}

// after goes on after a loop.
func (n *numbering) after(t *target, c *construct, s *scope) bool {
	n.undo(t.mark)
	if len(t.leaves) == 0 {
		return false
	}
	n.join(t.leaves, n.merge(c, s))
	for _, m := range c.moved {
		n.remember(m.key, m.cell)
	}
	return true
}
