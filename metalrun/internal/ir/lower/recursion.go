package lower

import (
	"maps"
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Recursion. Functions that lead back to each other become one Loop: each is cut into pieces at its
// calls of the others (piece.go), and a variable says which piece is next. What a function needs
// after such a call lies on a stack of the thread while the call runs (stack.go).

// cycle is the functions of a [types.Cycle], for one call from outside.
type cycle struct {
	of      *hir.Cycle
	outer   *cycle // whose function makes that call, if one does
	level   int    // how many cycles are around it
	members []*member
	depth   ir.Reg             // variable: how many calls from within are under way
	next    ir.Reg             // variable: the number of the next piece
	frames  map[ir.Reg]*framed // variables that hold addresses of objects in frames
}

// member is a function of a cycle.
type member struct {
	fn     *hir.Func
	params []ir.Reg // variables for the values of its parameters, of references their addresses
	value  []ir.Reg // what it returns, as its frame has it
	result []ir.Reg // and as its caller finds it
	body   []ir.Node
	block  *ir.Block // whose body that is
	entry  *continuation
}

// framed is an object that each frame has.
type framed struct {
	address ir.Reg // of the first one
	stride  int    // from one to the next
}

// again is a call from within a cycle, with the value of each parameter. The splitter replaces it.
type again struct {
	ir.Node // nil: only nodes of the IR can be in a body
	of      *member
	args    []ir.Reg
	pos     syntax.Pos
}

// recur calls a function that may be called while it runs.
func (l *lowerer) recur(e *hir.Call) []ir.Reg {
	args := l.recursiveArgs(e.Func, e.Args)
	if c := l.cycle; c != nil && c.of == e.Func.Cycle {
		m := c.member(l, e.Func)
		*l.body = append(*l.body, &again{of: m, args: args, pos: e.Pos()})
		l.counted(1)
		value := make([]ir.Reg, len(m.result))
		for i, r := range m.result {
			value[i] = l.op(ir.Copy, l.typeOf(r), r)
		}
		return value
	}
	c := &cycle{of: e.Func.Cycle, outer: l.cycle, depth: l.variable(ir.I32, "depth"), next: l.variable(ir.I32, "next"),
		frames: map[ir.Reg]*framed{}}
	if c.outer != nil {
		c.level = c.outer.level + 1
	}
	first := c.member(l, e.Func)
	c.bodies(l)
	newSplitter(l, c).run(first, args)
	return first.result
}

// recursiveArgs are the values of all parameters, one after the other.
func (l *lowerer) recursiveArgs(fn *hir.Func, args []hir.Expr) []ir.Reg {
	var all []ir.Reg
	last := l.lastEffect(args)
	for i, a := range args {
		var regs []ir.Reg
		if p := fn.Params[i]; p.Ref {
			place := l.referent(p, a)
			if !place.inMemory || place.comps != nil {
				place = l.spill(registers(p.Type, l.read(place)))
			}
			regs = []ir.Reg{l.materialise(l.freezeAddress(place.addr))}
		} else {
			regs = l.value(a)
		}
		if i < last {
			regs = l.freeze(regs)
		}
		all = append(all, regs...)
	}
	return all
}

// member is the member for a function, whose body is still to be lowered if it is new.
func (c *cycle) member(l *lowerer, fn *hir.Func) *member {
	if i := slices.IndexFunc(c.members, func(m *member) bool { return m.fn == fn }); i >= 0 {
		return c.members[i]
	}
	m := &member{fn: fn, value: l.variables(fn.Result, ""), result: l.variables(fn.Result, ""),
		block: &ir.Block{Pos: fn.Pos, Name: fn.Name}, entry: &continuation{}}
	for _, p := range fn.Params {
		if p.Ref {
			m.params = append(m.params, l.variable(ir.Ptr, p.Name))
			continue
		}
		l.checkSize(p.Type)
		m.params = append(m.params, l.variables(p.Type, p.Name)...)
	}
	c.members = append(c.members, m)
	return m
}

// bodies lowers the functions. Each has memory of its own for the variables of functions that become part of it.
func (c *cycle) bodies(l *lowerer) {
	vars, pointers, objects := maps.Clone(l.vars), maps.Clone(l.pointers), maps.Clone(l.objects)
	known, outer, group := l.known, l.frame, l.group
	l.cycle, l.known = c, nil
	for i := 0; i < len(c.members); i++ {
		maps.DeleteFunc(l.objects, func(v *hir.Var, _ ir.Reg) bool { return v.Space == syntax.Thread })
		c.members[i].lower(l)
	}
	l.vars, l.pointers, l.objects = vars, pointers, objects
	l.cycle, l.known, l.frame, l.group = c.outer, known, outer, group
}

func (m *member) lower(l *lowerer) {
	defer l.at(m.fn.Pos)()
	l.frame = &frame{block: m.block, result: m.value}
	m.body = l.into(func() {
		params := m.params
		for _, p := range m.fn.Params {
			delete(l.pointers, p)
			if p.Ref {
				l.vars[p] = memory(p.Type, address{space: p.Space, base: params[0], index: ir.None})
				params = params[1:]
				continue
			}
			n := leafCount(p.Type)
			l.declareParam(p, params[:n])
			params = params[n:]
		}
		l.stmts(m.fn.Body.List, true)
	})
}

// framedObject is the address of an object in the frame of the function that runs.
func (l *lowerer) framedObject(o ir.Object) ir.Reg {
	c := l.cycle
	stride := (o.Size + o.Align - 1) / o.Align * o.Align
	o.Size = stride * c.of.Frames
	l.k.Objects = append(l.k.Objects, o)
	r := l.variable(ir.Ptr, o.Name)
	c.frames[r] = &framed{l.addressOf(len(l.k.Objects) - 1), stride}
	return r
}
