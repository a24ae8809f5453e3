package profile

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
)

// sampledLoops is a copy of k with an ObserveOp before every access that wanted accepts, in the first iterations of
// each loop. A SamplingOp before a loop begins it ("begin"), and one before each iteration tells whether enough
// iterations have been sampled ("enough"). Then a loop without observations does the remaining iterations, and a
// SamplingOp after it ends it ("end").
func sampledLoops(k *ir.Kernel, wanted func(access *ir.Instr) bool) *ir.Kernel {
	out := machine.Instrumented(k, wanted)
	l := &LoopSampler{K: out, Mentions: Mentions(out.Body)}
	l.begins = l.Beginnings()
	out.Body = l.list(out.Body)
	return out
}

// sampledIterations is how many iterations of a loop are sampled: the number of 32-bit elements in a cache line. A row
// that is read element by element then needs one new line in the sample.
const sampledIterations = 32

// LoopSampler puts observations into the first iterations of loops.
type LoopSampler struct {
	K        *ir.Kernel
	Mentions map[ir.Reg]int // of each register, in the kernel that is observed
	// begins has the instruction that sets a variable before all other mentions: the variable carries nothing over.
	begins map[ir.Reg]*ir.Instr
	loops  int
}

func (l *LoopSampler) list(nodes []ir.Node) []ir.Node {
	var out []ir.Node
	for i, n := range nodes {
		loop, ok := n.(*ir.Loop)
		if !ok || !ir.Contains([]ir.Node{n}, observes) || l.short(loop) {
			l.parts(n)
			out = append(out, n)
			continue
		}
		number := l.loops
		l.loops++
		sampling := func(fn string, dst ...ir.Reg) *ir.Instr {
			return &ir.Instr{Op: machine.SamplingOp, Pos: loop.Pos, Fn: fn, Dst: dst, Extra: number}
		}
		rest, enough := l.unobserved(loop, nodes[:i]), l.K.Temporary(ir.Bool)
		l.parts(loop)
		then := append(rest, sampling("end"), &ir.Exit{Pos: loop.Pos, Kind: ir.Break, Loop: loop})
		leave := &ir.If{Pos: loop.Pos, Cond: enough, Then: then}
		loop.Head = append([]ir.Node{sampling("enough", enough), leave}, loop.Head...)
		out = append(out, sampling("begin"), loop)
	}
	return out
}

// short reports whether all iterations of a loop are sampled.
func (l *LoopSampler) short(loop *ir.Loop) bool {
	trips := analysis.TripCount(l.K, loop)
	return trips > 0 && trips <= sampledIterations
}

func (l *LoopSampler) parts(n ir.Node) {
	for _, part := range ir.Parts(n) {
		*part = l.list(*part)
	}
}

func observes(n ir.Node) bool { return machine.IsOp(n, machine.ObserveOp) }

// unobserved is a copy of a loop without any observation, after what it needs. Temporaries that only the loop mentions
// are others in the copy. Temporaries that are read after the loop become variables, because both loops set them.
// Variables of which nothing is left after the loop are others in the copy, too, so that they are set nowhere else:
// then what is known of the indices of a loop is known of the copy's.
func (l *LoopSampler) unobserved(loop *ir.Loop, before []ir.Node) []ir.Node {
	within, ahead := Mentions([]ir.Node{loop}), map[ir.Reg]int{}
	front := map[*ir.Instr]bool{}
	for _, n := range before {
		if in, ok := n.(*ir.Instr); ok {
			front[in] = true
			for _, r := range mentioned(n) {
				ahead[*r]++
			}
		}
	}
	var out []ir.Node
	others, inside := map[ir.Reg]ir.Reg{}, map[*ir.Instr]bool{}
	for in := range ir.Instrs(loop) {
		inside[in] = true
	}
	for in := range ir.Instrs(loop) {
		for _, r := range in.Dst {
			begin := l.begins[r]
			switch info := l.K.Regs[r]; {
			case others[r] != 0:
			case info.Kind == ir.Variable && within[r] == l.Mentions[r] && inside[begin]:
				others[r] = l.K.Register(info)
			case info.Kind == ir.Variable && within[r]+ahead[r] == l.Mentions[r] && front[begin]:
				others[r] = l.K.Register(info)
				out = append(out, &ir.Instr{Op: ir.Copy, Pos: loop.Pos, Dst: []ir.Reg{others[r]}, Args: []ir.Reg{r}})
			case info.Kind != ir.Temp:
			case within[r] == l.Mentions[r]:
				others[r] = l.K.Temporary(info.Type)
			default:
				l.K.Regs[r].Kind = ir.Variable
			}
		}
	}
	c := &copier{others: others, loops: map[*ir.Loop]*ir.Loop{}, blocks: map[*ir.Block]*ir.Block{}}
	return append(out, c.list([]ir.Node{loop})...)
}

// Beginnings finds, for each variable that has one, the instruction that sets it in a list of nodes before all other
// mentions, which are in what follows in that list.
func (l *LoopSampler) Beginnings() map[ir.Reg]*ir.Instr {
	begins, done := map[ir.Reg]*ir.Instr{}, map[ir.Reg]bool{}
	var count func(list []ir.Node) map[ir.Reg]int
	count = func(list []ir.Node) map[ir.Reg]int {
		sum, first := map[ir.Reg]int{}, map[ir.Reg]ir.Node{}
		for _, n := range list {
			within := map[ir.Reg]int{}
			for _, r := range mentioned(n) {
				within[*r]++
			}
			for _, part := range ir.Parts(n) {
				for r, times := range count(*part) {
					within[r] += times
				}
			}
			for r, times := range within {
				if sum[r] += times; first[r] == nil {
					first[r] = n
				}
			}
		}
		for r, times := range sum {
			if times < l.Mentions[r] || done[r] {
				continue
			}
			done[r] = true
			if in, ok := first[r].(*ir.Instr); ok && slices.Contains(in.Dst, r) && Mentions([]ir.Node{in})[r] == 1 {
				begins[r] = in
			}
		}
		return sum
	}
	count(l.K.Body)
	return begins
}

// Mentions counts how often nodes mention each register.
func Mentions(nodes []ir.Node) map[ir.Reg]int {
	count := map[ir.Reg]int{}
	ir.Walk(nodes, func(n ir.Node) bool {
		for _, r := range mentioned(n) {
			count[*r]++
		}
		return true
	})
	return count
}

// mentioned are the places of a node itself that hold registers.
func mentioned(n ir.Node) (list []*ir.Reg) {
	if r := ir.Cond(n); r != nil {
		return []*ir.Reg{r}
	}
	in, ok := n.(*ir.Instr)
	if !ok {
		return nil
	}
	for _, regs := range [][]ir.Reg{in.Dst, in.Args} {
		for i := range regs {
			list = append(list, &regs[i])
		}
	}
	if in.Mem != nil {
		list = append(list, &in.Mem.Base, &in.Mem.Index)
	}
	return list
}

// copier copies nodes without any observation, with other registers. Exits lead to what was copied, or out of it.
type copier struct {
	others map[ir.Reg]ir.Reg
	loops  map[*ir.Loop]*ir.Loop
	blocks map[*ir.Block]*ir.Block
}

func (c *copier) list(nodes []ir.Node) []ir.Node {
	var out []ir.Node
	for _, n := range nodes {
		if !observes(n) {
			out = append(out, c.node(n))
		}
	}
	return out
}

func (c *copier) node(n ir.Node) ir.Node {
	var out ir.Node
	switch n := n.(type) {
	case *ir.Instr:
		out = n.Clone()
	case *ir.If:
		x := *n
		out = &x
	case *ir.Loop:
		x := *n
		c.loops[n] = &x
		out = &x
	case *ir.Block:
		x := *n
		c.blocks[n] = &x
		out = &x
	case *ir.Exit:
		x := *n
		if to, ok := c.loops[n.Loop]; ok {
			x.Loop = to
		}
		if to, ok := c.blocks[n.Block]; ok {
			x.Block = to
		}
		return &x
	}
	for _, r := range mentioned(out) {
		if other, ok := c.others[*r]; ok {
			*r = other
		}
	}
	for _, part := range ir.Parts(out) {
		*part = c.list(*part)
	}
	return out
}
