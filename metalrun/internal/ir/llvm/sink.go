package llvm

import (
	"container/list"

	"metalconform/metalrun/internal/ir"
)

// sink moves what only one branch of a condition reads from the block before it into that branch, as
// InstCombine does: what is loaded there ranks there. Each goes to the top, so that of two the later one is first.
// Behind a branch that returns, breaks or continues is the other one.
func (f *function) sink() {
	for _, b := range f.blocks {
		for e := b.nodes.Front(); e != nil; e = e.Next() {
			if n, ok := e.Value.(*ir.If); ok {
				f.sinkInto(b, e, n)
			}
		}
	}
}

// target is the top of a run of instructions that only one way leads to.
type target struct {
	block  *block
	behind *list.Element // the construct before the run, nil if it begins the block
}

func (t *target) insert(n ir.Node) *list.Element {
	if t.behind != nil {
		return t.block.nodes.InsertAfter(n, t.behind)
	}
	return t.block.nodes.PushFront(n)
}

// sinkInto moves what stands right before a condition.
func (f *function) sinkInto(b *block, at *list.Element, n *ir.If) {
	home := map[*ir.Instr]*target{}
	enter := func(to *target, e *list.Element) {
		for ; e != nil; e = e.Next() {
			in, ok := e.Value.(*ir.Instr)
			if !ok {
				break
			}
			home[in] = to
		}
	}
	for _, part := range ir.Parts(n) {
		to := f.blockOf(part)
		enter(&target{block: to}, to.nodes.Front())
	}
	if f.ends(&n.Then) != f.ends(&n.Else) {
		enter(&target{b, at}, at.Next())
	}
	first := at
	for first.Prev() != nil {
		if _, ok := first.Prev().Value.(*ir.Instr); !ok {
			break
		}
		first = first.Prev()
	}
	var work []*ir.Instr
	for e := first; e != at; e = e.Next() {
		work = append(work, e.Value.(*ir.Instr))
	}
	for len(work) > 0 {
		in := work[0]
		work = work[1:]
		to := f.only(in, home)
		if to == nil || home[in] != nil || f.in[in].block != b || in.Op == ir.Load && f.writtenBehind(in, at) {
			continue
		}
		if in.Op == ir.Load {
			f.reload(in, to, home)
			continue
		}
		b.nodes.Remove(f.in[in].at)
		f.in[in] = position{to.block, to.insert(ir.Node(in))}
		home[in] = to
		for _, r := range reads(in) {
			if d := f.def[*r]; d != nil && f.in[d].block == b {
				work = append([]*ir.Instr{d}, work...)
			}
		}
	}
}

// ends reports whether a list of nodes never comes to its end.
func (f *function) ends(nodes *[]ir.Node) bool {
	last := f.blockOf(nodes).nodes.Back()
	if last == nil {
		return false
	}
	_, exit := last.Value.(*ir.Exit)
	return exit
}

// reload loads at the top of a block what has been loaded before it. The load stays where it was, for
// the checks, which judge what the source reads.
func (f *function) reload(in *ir.Instr, to *target, home map[*ir.Instr]*target) {
	again, mem := *in, *in.Mem
	again.Mem, again.Dst = &mem, []ir.Reg{f.k.Temporary(f.typ(in.Dst[0]))}
	f.grow()
	f.def[again.Dst[0]] = &again
	f.in[&again] = position{to.block, to.insert(ir.Node(&again))}
	for _, r := range reads(&again) {
		f.users[*r] = append(f.users[*r], &again)
	}
	f.replace(in.Dst[0], again.Dst[0])
	home[&again] = to
}

// only is the block in which all readers of an instruction stand that may be moved, nil if there is none.
func (f *function) only(in *ir.Instr, home map[*ir.Instr]*target) (to *target) {
	info := in.Op.Info()
	load := in.Op == ir.Load && !in.Mem.Volatile
	if len(in.Dst) != 1 || f.k.Regs[in.Dst[0]].Kind != ir.Temp ||
		!load && (info.Effects != 0 || info.Kept || info.Varies) || in.Op == ir.Copy {
		return nil
	}
	for _, r := range reads(in) {
		if f.k.Regs[*r].Kind == ir.Variable {
			return nil // which may be set in between
		}
	}
	for _, u := range f.users[in.Dst[0]] {
		if u == nil || home[u] == nil || to != nil && home[u] != to {
			return nil
		}
		to = home[u]
	}
	return to
}

// writtenBehind reports whether memory may change between a load and the end of its block.
func (f *function) writtenBehind(in *ir.Instr, end *list.Element) bool {
	for e := f.in[in].at; e != end; e = e.Next() {
		if other, ok := e.Value.(*ir.Instr); ok && other != in && writes(other) {
			return true
		}
	}
	return false
}
