package air

import (
	"fmt"
	"slices"

	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/ir"
)

// frame is the translation of one function, or of one call of it.
type frame struct {
	*lowerer
	f        *bitcode.Func
	g        *graph
	block    *ir.Block // what a return leaves
	returned []ir.Reg  // variables that a return sets
	vals     map[*bitcode.Value]value
	phis     map[*bitcode.Instr][]ir.Reg
	shared   map[*bitcode.Value]bool // used in another block than the one that sets it
	home     map[*bitcode.Value]int  // the block that sets a value
	at       int                     // the block that is translated
	leave    map[int]*ir.Block       // by a block that is jumped to: what ends where it begins
	loops    map[int]*ir.Loop        // open loops by their heads
}

func (l *lowerer) frame(f *bitcode.Func) *frame {
	fr := &frame{lowerer: l, f: f, g: newGraph(f), block: &ir.Block{Name: f.Name, Pos: l.pos},
		vals: map[*bitcode.Value]value{}, phis: map[*bitcode.Instr][]ir.Reg{}, shared: map[*bitcode.Value]bool{},
		home: map[*bitcode.Value]int{}, leave: map[int]*ir.Block{}, loops: map[int]*ir.Loop{}}
	for i, b := range f.Blocks {
		for _, in := range b.Instrs {
			if in.Value != nil {
				fr.home[in.Value] = i
			}
		}
	}
	for i, b := range f.Blocks {
		for _, in := range b.Instrs {
			for j, a := range in.Args {
				at := i
				if in.Op == bitcode.Phi {
					at = in.Targets[j]
				}
				if home, ok := fr.home[a]; ok && home != at {
					fr.shared[a] = true
				}
			}
		}
	}
	return fr
}

// body translates the function.
func (fr *frame) body() {
	for _, i := range fr.g.order {
		for _, in := range fr.f.Blocks[i].Instrs {
			if in.Op != bitcode.Phi {
				break
			}
			var regs []ir.Reg
			for _, x := range fr.leaves(in.Type) {
				regs = append(regs, fr.variable(x.s.Type(), in.Value.Name))
			}
			fr.phis[in] = regs
			fr.vals[in.Value] = value{regs: regs}
		}
	}
	fr.block.Body = fr.level(nil)
}

// chunk is code that has been translated: what stands for the items from start on.
type chunk struct {
	start int
	nodes []ir.Node
}

// level translates a loop (nil: the function) without what is around it.
func (fr *frame) level(l *loop) []ir.Node {
	items := fr.g.level(l)
	starts := fr.jumps(l, items)
	var done []chunk
	for i, block := range items {
		if b := fr.leave[block]; b != nil && starts[i] < len(items) {
			done = enclose(done, starts[i], b)
		}
		next := -1
		if i+1 < len(items) {
			next = items[i+1]
		}
		var nodes []ir.Node
		if inner := fr.g.headed[block]; inner != nil && inner != l {
			loop := &ir.Loop{Cond: ir.None, Pos: fr.pos}
			fr.loops[block] = loop
			loop.Body = fr.level(inner)
			delete(fr.loops, block)
			nodes = []ir.Node{loop}
		} else {
			nodes = fr.into(func() { fr.code(block, next) })
		}
		done = append(done, chunk{i, nodes})
	}
	var all []ir.Node
	for _, c := range done {
		all = append(all, c.nodes...)
	}
	return all
}

// jumps finds for each item the first one that jumps to it, len(items) if none does, and makes the blocks that jumps
// leave.
func (fr *frame) jumps(l *loop, items []int) []int {
	at := map[int]int{}
	starts := make([]int, len(items))
	for i, block := range items {
		at[block], starts[i] = i, len(items)
	}
	blocks := fr.g.order
	if l != nil {
		blocks = l.blocks
	}
	for _, b := range blocks {
		i := at[fr.g.item(l, b)]
		for _, s := range fr.g.succ[b] {
			if !fr.g.in(l, s) || l != nil && s == l.head {
				continue
			}
			j := at[fr.g.item(l, s)]
			falls := j == i+1 && items[i] == b && (fr.g.headed[b] == nil || fr.g.headed[b] == l)
			if j == i || falls {
				continue
			}
			starts[j] = min(starts[j], i)
		}
	}
	for j, s := range starts {
		if s < len(items) {
			fr.leave[items[j]] = &ir.Block{Name: fmt.Sprintf("to %d", items[j]), Pos: fr.pos}
		}
	}
	return starts
}

// enclose puts the code of the items from start on into a block, with whatever has been put together with them.
func enclose(done []chunk, start int, b *ir.Block) []chunk {
	cut := len(done)
	for cut > 0 && (cut == len(done) || done[cut].start > start) {
		cut--
	}
	for _, c := range done[cut:] {
		b.Body = append(b.Body, c.nodes...)
	}
	return append(done[:cut], chunk{done[cut].start, []ir.Node{b}})
}

// code translates a block. Control falls into the block next at its end, -1 if there is none.
func (fr *frame) code(block, next int) {
	fr.at = block
	for _, in := range fr.f.Blocks[block].Instrs {
		fr.lowerer.at(in)
		fr.allow = flags(in)
		switch in.Op {
		case bitcode.Phi:
		case bitcode.Branch:
			if len(in.Args) == 0 {
				fr.jump(block, in.Targets[0], next)
				return
			}
			fr.branch(fr.one(in.Args[0]), func() { fr.jump(block, in.Targets[0], next) },
				func() { fr.jump(block, in.Targets[1], next) })
		case bitcode.Switch:
			fr.cases(in, block, next)
		case bitcode.Return:
			if len(in.Args) > 0 {
				for i, r := range fr.flat(in.Args[0]) {
					fr.copy(fr.returned[i], r)
				}
			}
			fr.exit()
		case bitcode.Unreachable:
			fr.exit()
		default:
			fr.instr(in)
		}
	}
}

func (fr *frame) exit() {
	*fr.list = append(*fr.list, &ir.Exit{Pos: fr.pos, Kind: ir.Leave, Block: fr.block})
}

func (fr *frame) branch(cond ir.Reg, then, otherwise func()) {
	n := &ir.If{Pos: fr.pos, Cond: cond, Then: fr.into(then), Else: fr.into(otherwise)}
	if len(n.Then)+len(n.Else) > 0 {
		*fr.list = append(*fr.list, n)
	}
}

// cases translates a switch. Neighbours with the same target are one case.
func (fr *frame) cases(in *bitcode.Instr, block, next int) {
	outer := fr.list
	x := fr.one(in.Args[0])
	for i, groups := 1, 0; i < len(in.Args); groups++ {
		if groups == maxCases {
			refuse("a switch has more than %d cases", maxCases)
		}
		to := in.Targets[i]
		c := fr.op(ir.Eq, ir.Bool, x, fr.one(in.Args[i]))
		for i++; i < len(in.Args) && in.Targets[i] == to; i++ {
			c = fr.op(ir.Or, ir.Bool, c, fr.op(ir.Eq, ir.Bool, x, fr.one(in.Args[i])))
		}
		n := &ir.If{Pos: fr.pos, Cond: c, Then: fr.into(func() { fr.jump(block, to, next) })}
		*fr.list = append(*fr.list, n)
		fr.list = &n.Else
	}
	fr.jump(block, in.Targets[0], next)
	fr.list = outer
}

// maxCases is how many groups of cases a switch may have.
const maxCases = 1 << 10

// jump goes from one block to another: it sets the phis there, and leaves what is between them.
func (fr *frame) jump(from, to, next int) {
	fr.assign(from, to)
	if loop := fr.loops[to]; loop != nil {
		*fr.list = append(*fr.list, &ir.Exit{Pos: fr.pos, Kind: ir.Continue, Loop: loop})
		return
	}
	if to == next {
		return
	}
	if fr.returns(to) {
		fr.exit()
		return
	}
	b := fr.leave[to]
	if b == nil {
		refuse("there is no way from block %d to block %d", from, to)
	}
	*fr.list = append(*fr.list, &ir.Exit{Pos: fr.pos, Kind: ir.Leave, Block: b})
}

// assign sets the phis of a block, all at once.
func (fr *frame) assign(from, to int) {
	var dst, src []ir.Reg
	set := map[ir.Reg]bool{}
	for _, in := range fr.f.Blocks[to].Instrs {
		if in.Op != bitcode.Phi {
			break
		}
		i := slices.Index(in.Targets, from)
		if i < 0 {
			refuse("a phi has no value from block %d", from)
		}
		regs := fr.phis[in]
		values := fr.incoming(in.Args[i], regs)
		for j, r := range regs {
			set[r] = true
			if values[j] != r {
				dst, src = append(dst, r), append(src, values[j])
			}
		}
	}
	for i, r := range src {
		if set[r] {
			src[i] = fr.op(ir.Copy, fr.typeOf(r), r)
		}
	}
	for i := range dst {
		fr.copy(dst[i], src[i])
	}
}

// incoming is the value that a phi takes. One that is undefined is whatever the executor makes of it.
func (fr *frame) incoming(v *bitcode.Value, regs []ir.Reg) []ir.Reg {
	if v.Kind != bitcode.Undef && v.Kind != bitcode.Poison {
		return fr.flat(v)
	}
	list := make([]ir.Reg, len(regs))
	for i, r := range regs {
		list[i] = fr.indeterminate(fr.typeOf(r))
	}
	return list
}

// indeterminate is a value that nothing is known of.
func (l *lowerer) indeterminate(t ir.Type) ir.Reg { return l.op(ir.Poison, t) }

// returns reports whether a block does nothing but return.
func (fr *frame) returns(block int) bool {
	for range 8 {
		list := fr.f.Blocks[block].Instrs
		for len(list) > 1 && list[0].Op == bitcode.Call && isMarker(list[0]) {
			list = list[1:]
		}
		in := list[0]
		if in.Op == bitcode.Return {
			return len(in.Args) == 0
		}
		if in.Op != bitcode.Branch || len(in.Args) > 0 || fr.g.headed[in.Targets[0]] != nil {
			return false
		}
		block = in.Targets[0]
	}
	return false
}
