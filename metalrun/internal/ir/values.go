package ir

import (
	"maps"
	"slices"
)

// Values is a copy of k in which what an instruction computes with stands for itself: an
// instruction sets temporaries, a Copy sets the variable, and what reads a floating or bool
// variable reads the temporary that it was set from, or a Copy of it made where its value
// was not known. So an expression may be computed again wherever its result is in scope,
// whatever statements and variables it was spread over. [Tidy] undoes what is left of it.
func Values(k *Kernel) *Kernel {
	out := clone(k)
	v := &valuer{k: out}
	out.Body = v.list(out.Body, map[Reg]Reg{})
	out.Body = countUses(out).dropCopies(out.Body, map[Reg]bool{})
	return out
}

// Tidy is a copy of k cleaned up as lowering does, with its registers and objects.
func Tidy(k *Kernel) *Kernel {
	out := clone(k)
	entry := out.Body[0].(*Block)
	entry.Body = withoutLeave(entry, newReuse(out).list(entry.Body))
	u := countUses(out)
	u.coalesce(out.Body)
	out.Body = u.sweep(out.Body)
	return clone(out) // without Nops
}

// clone is a copy of k that shares nothing that may change.
func clone(k *Kernel) *Kernel {
	return Rewrite(k, func(_ *Kernel, before []Node, _ *Instr) []Node { return before })
}

// valuer rewrites lists. known are the temporaries that hold the values of variables.
type valuer struct {
	k   *Kernel
	out []Node
}

func (v *valuer) list(nodes []Node, known map[Reg]Reg) []Node {
	outer := v.out
	v.out = make([]Node, 0, len(nodes))
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			v.instr(n, known)
			continue
		case *Loop:
			v.loop(n, known)
		default:
			if c := Cond(n); c != nil {
				*c = value(*c, known)
			}
			for _, part := range Parts(n) {
				*part = v.list(*part, maps.Clone(known))
			}
			forget(known, n)
		}
		v.out = append(v.out, n)
	}
	out := v.out
	v.out = outer
	return out
}

// loop rewrites a loop: what an iteration sets is not known when the next one begins.
func (v *valuer) loop(n *Loop, known map[Reg]Reg) {
	forget(known, n)
	within := maps.Clone(known)
	n.Head = v.list(n.Head, within)
	if n.Cond != None {
		n.Cond = value(n.Cond, within)
	}
	n.Body = v.list(n.Body, maps.Clone(within))
	forget(within, n.Body...)
	n.Post = v.list(n.Post, within)
}

// forget drops the variables that nodes set.
func forget(known map[Reg]Reg, nodes ...Node) {
	for in := range Instrs(nodes...) {
		for _, d := range in.Dst {
			delete(known, d)
		}
	}
}

// value is the temporary that holds the value of r, or r.
func value(r Reg, known map[Reg]Reg) Reg {
	if t, ok := known[r]; ok {
		return t
	}
	return r
}

func (v *valuer) instr(in *Instr, known map[Reg]Reg) {
	for i, r := range in.Args {
		in.Args[i] = v.read(r, in, known)
	}
	v.out = append(v.out, in)
	for i, d := range in.Dst {
		if !v.named(d) {
			continue
		}
		if in.Op == Poison { // is of the variable that it names
			delete(known, d)
			continue
		}
		if in.Op == Copy {
			known[d] = in.Args[0]
			continue
		}
		t := v.k.Temporary(v.k.Regs[d].Type)
		in.Dst[i], known[d] = t, t
		v.out = append(v.out, &Instr{Op: Copy, Pos: in.Pos, Dst: []Reg{d}, Args: []Reg{t}})
	}
}

// named reports whether r is a variable whose values get temporaries.
func (v *valuer) named(r Reg) bool {
	t := v.k.Regs[r].Type
	return v.k.Regs[r].Kind == Variable && (t.IsFloat() || t == Bool)
}

// read is the temporary to read instead of r, set by a Copy if there is none.
func (v *valuer) read(r Reg, in *Instr, known map[Reg]Reg) Reg {
	if _, ok := known[r]; ok || !v.named(r) {
		return value(r, known)
	}
	t := v.k.Temporary(v.k.Regs[r].Type)
	v.out = append(v.out, &Instr{Op: Copy, Pos: in.Pos, Dst: []Reg{t}, Args: []Reg{r}})
	known[r] = t
	return t
}

// dropCopies removes Copies to variables that nothing reads, or that are set again before
// anybody does. again are those that are set after the nodes, before they are read.
func (u *uses) dropCopies(nodes []Node, again map[Reg]bool) []Node {
	kept := make([]Node, 0, len(nodes))
	for _, n := range slices.Backward(nodes) {
		in, ok := n.(*Instr)
		switch {
		case ok && in.Op == Copy && u.k.Regs[in.Dst[0]].Kind == Variable && (again[in.Dst[0]] || u.n[in.Dst[0]] == 0):
			continue
		case ok:
			for _, d := range in.Dst {
				again[d] = true
			}
		case Contains([]Node{n}, isExit):
			clear(again)
		}
		forgetReads(again, n)
		for _, part := range Parts(n) {
			after := map[Reg]bool{}
			if _, loop := n.(*Loop); !loop {
				after = maps.Clone(again)
			}
			*part = u.dropCopies(*part, after)
		}
		kept = append(kept, n)
	}
	slices.Reverse(kept)
	return kept
}

func isExit(n Node) bool {
	_, ok := n.(*Exit)
	return ok
}

// forgetReads takes what n and its parts read out of a set.
func forgetReads(set map[Reg]bool, n Node) {
	Walk([]Node{n}, func(n Node) bool {
		if in, ok := n.(*Instr); ok {
			EachRead(in, func(r Reg) { delete(set, r) })
		} else if c := Cond(n); c != nil {
			delete(set, *c)
		}
		return true
	})
}
