package machine

import (
	"slices"
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/ir/llvm"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/syntax"
)

// compile translates a verified kernel.
func Compile(k *ir.Kernel, o Options, extend Extensions) *Program {
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	if o.ThreadMemory <= 0 {
		o.ThreadMemory = maxThreadMemory
	}
	if o.Threadgroups <= 0 {
		o.Threadgroups = maxThreadgroups
	}
	source, extensions := k, extend(o)
	p := &Program{origin: origin{Source: k, given: o}, Table: lanes.Native(), stepwise: o.Exact}
	p.recompile = func(o Options) *Program { return Compile(source, o, extend) }
	for _, e := range extensions {
		p.Attachments = append(p.Attachments, e)
		k = e.Source(p, k)
	}
	adversary := o.resolve(k)
	switch {
	case adversary != nil:
		k = adversary.compile(k)
	case o.DefaultBuild && fastmath.Licensed(k):
		k = llvm.Optimise(k)
	case o.Contract:
		k = ir.Contract(k, nil)
	case o.Separate:
		k = ir.Separate(k)
	}
	unspecified := unspecifiedSites(k)
	k = o.guarded(k, adversary)
	varying := analysis.InThreadgroup(k).VaryingRegisters()
	uniform := func(r ir.Reg) bool { return !varying[r] }
	if !o.Without.has(passFollowCopies) {
		k = ir.FollowCopies(k, uniform)
	}
	if !o.Without.has(passNarrowIndices) {
		k = ir.NarrowIndices(k, uniform)
	}
	for _, e := range extensions {
		k = e.Instrument(p, k)
	}
	p.Kernel, p.Can, p.Length, p.Options, p.Unspecified = k, analysis.Writable(k), int64(instructions(k.Body)), o, unspecified
	if !p.Does(passLongVectors) && p.Table.Name == "avx512" {
		p.Table = lanes.Named("avx2")
	}
	if !p.Does(passVectors) {
		p.Table = lanes.Portable
	}
	if o.Portable {
		p.Table = lanes.Portable
	}
	p.layOut()
	p.Deviates = o.Contract || o.FlushSubnormals || o.SumOrder != Ascending || adversary != nil && adversary.deviates
	p.poison = poison
	if draw, ok := adversary.takes(k.Pos, Uninitialised); ok {
		p.poison = hostile(draw, 0)
	}
	p.share()
	c := &Compiler{P: p, extensions: extensions, t: p.Table, adversary: adversary, analyses: analyses{U: analysis.InThreadgroup(k)}, constructIDs: map[any]int{}}
	c.simdgroup = analysis.InSimdgroup(k)
	c.Following, c.Adjoining = c.U.ConsecutiveInLine(), c.simdgroup.ConsecutiveInSimdgroup()
	c.repeating = c.U.ConsecutiveInEachSimdgroup()
	if !o.Exact && c.Does(passLaunchInvariant) {
		c.settled = c.U.LaunchInvariant()
	}
	c.readable = sync.OnceValue(func() uint64 { return analysis.Accessed(k, ir.Reads) })
	c.made, c.punned = c.U.ArithmeticNaNs(), c.U.BitsSeen()
	for _, e := range extensions {
		e.Begin(c)
	}
	c.assignSlots()
	c.numberPointers()
	root := k.Body[0].(*ir.Block)
	c.construct(root, root.Pos, 1)
	p.Body = c.root(root.Body)
	c.finishSolos()
	for _, e := range extensions {
		e.Finish(c)
	}
	p.settle(p.Body)
	return p
}

// compiler translates nodes. code is the straight run under construction.
//
// Arithmetic whose only reader follows in the same run is deferred and
// evaluated where it is read, so that a product and a sum become one loop and a
// private array element is worked on in place. Invariant: a deferred value is
// emitted before anything that it reads can change.
type Compiler struct {
	P          *Program
	t          *lanes.Table
	adversary  *adversary // nil: none
	extensions []Extension
	analyses
	allocation
	numbers      map[elementKey]*elementSlot
	code         Straight
	out          List
	deferred     []*deferred
	Borrowers    []ir.Reg // may look at memory that they are loaded from
	last         *ir.If   // nothing follows it
	constructIDs map[any]int
	solos        []*Solo
	Contested    func(r ir.Reg) bool // an extension may take a branch on a register otherwise; nil: none does
}

func (c *Compiler) assignSlots() {
	p, k := c.P, c.P.Kernel
	p.Slots = make([]Slot, len(k.Regs))
	c.Left = c.U.AllReads()
	grouped := make([]bool, len(k.Regs))
	if !p.Options.Exact && !p.Options.Single && c.Does(passSimdgroupUniform) {
		grouped = analysis.SimdgroupUniform(c.U, c.simdgroup)
	}
	for r, info := range k.Regs {
		at := Slot{Varying: c.U.Varying(ir.Reg(r)), Wide: info.Type == ir.I64 || info.Type == ir.Ptr, Grouped: grouped[r], Index: -1}
		reg := ir.Reg(r)
		switch {
		case at.Varying && c.Reusable(reg):
		case at.Varying:
			at.Index = c.newSlot(at.Wide)
		case at.Wide:
			at.Index = len(p.Uni64)
			p.Uni64 = append(p.Uni64, literal64(info))
		default:
			at.Index = len(p.Uni32)
			p.Uni32 = append(p.Uni32, Literal32(info))
		}
		p.Slots[r] = at
		switch {
		case info.Kind == ir.Input && analysis.InvariantInput(info.Input):
			p.launched = append(p.launched, reg)
		case info.Kind == ir.Input:
			if in := (input{info.Input, at}); in.moves() {
				p.moving = append(p.moving, in)
			} else {
				p.inputs = append(p.inputs, in)
			}
		}
	}
}

// reusable reports whether a register's slot can serve others after its last read.
func (c *Compiler) Reusable(r ir.Reg) bool {
	return c.P.Kernel.Regs[r].Kind == ir.Temp && c.U.Local(r)
}

func (c *Compiler) newSlot(wide bool) int {
	if wide {
		if n := len(c.free64); n > 0 {
			s := c.free64[n-1]
			c.free64 = c.free64[:n-1]
			return s
		}
		c.P.Slots64++
		return c.P.Slots64 - 1
	}
	s := c.P.Slots32
	if n := len(c.free32); n > 0 {
		s = c.free32[n-1]
		c.free32 = c.free32[:n-1]
	} else {
		c.P.Slots32++
	}
	c.taken = append(c.taken, s)
	return s
}

// release gives a slot back once the instruction under construction is emitted.
func (c *Compiler) release(at Slot) { c.released = append(c.released, at) }

func (c *Compiler) recycle() {
	for _, at := range c.released {
		if at.Wide {
			c.free64 = append(c.free64, at.Index)
		} else {
			c.free32 = append(c.free32, at.Index)
		}
	}
	c.released = c.released[:0]
}

// list compiles a list of nodes.
func (c *Compiler) list(nodes []ir.Node) List {
	code, out := c.code, c.out
	c.code, c.out = nil, nil
	for _, n := range nodes {
		c.node(n)
	}
	c.endRun()
	result := c.out
	c.code, c.out = code, out
	return result
}

// endRun closes the straight run under construction.
func (c *Compiler) endRun() {
	c.flush(func(*deferred) bool { return true })
	if len(c.code) > 0 {
		c.out = append(c.out, c.code)
		c.code = nil
	}
}

func (c *Compiler) node(n ir.Node) {
	if in, ok := n.(*ir.Instr); ok {
		emitted, waiting := len(c.code), len(c.deferred)
		c.instr(in)
		if c.settled != nil && len(in.Dst) > 0 && c.settled[in.Dst[0]] && len(c.deferred) == waiting {
			for i := range c.code[emitted:] {
				c.code[emitted+i].settled = true
			}
		}
		c.recycle()
		return
	}
	c.endRun()
	switch n := n.(type) {
	case *ir.If:
		c.ifNode(n)
	case *ir.Loop:
		c.loopNode(n)
	case *ir.Block:
		id := c.construct(n, n.Pos, 1)
		body := c.list(n.Body)
		c.out = append(c.out, c.leave(n, id, &Block{id: id, exits: c.U.SomeLeave(n), Body: body}))
	case *ir.Exit:
		c.exitNode(n)
	}
	c.recycle()
}

// construct numbers the mask buffers of a construct.
func (c *Compiler) construct(n any, pos syntax.Pos, count int) int {
	id := c.P.Constructs
	c.constructIDs[n] = id
	c.P.Constructs += count
	for part := range count {
		c.P.Sources = append(c.P.Sources, construct{n, pos, part})
	}
	return id
}

func (c *Compiler) ifNode(n *ir.If) {
	at := c.read(n.Cond)
	id := c.construct(n, n.Pos, 1)
	var rest *Solo
	if n == c.last {
		rest = c.solo(n.Then)
	}
	then, alse := c.list(n.Then), c.list(n.Else)
	if at.Varying && n == c.last {
		then = append(List{Alone{Branch: true, Rest: rest}}, then...)
	}
	var compiled Node = &UniformIf{id: id, cond: at.Index, Then: then, Alse: alse, settled: c.settled != nil && c.settled[n.Cond]}
	if at.Varying {
		compiled = &Branch{id: id, cond: at.Index, Then: then, Alse: alse, exits: analysis.HasExit(n.Then) || analysis.HasExit(n.Else)}
	}
	for _, e := range c.extensions {
		compiled = e.If(c, n, at, id, compiled)
	}
	c.out = append(c.out, compiled)
}

// leave lets extensions wrap a function or a loop.
func (c *Compiler) leave(n ir.Node, id int, inside Node) Node {
	for _, e := range c.extensions {
		inside = e.Leave(c, n, id, inside)
	}
	return inside
}

// testBy is what extensions do in front of the test of a loop; nil: nothing.
func (c *Compiler) testBy(n *ir.Loop) Op {
	for _, e := range c.extensions {
		if test := e.Test(c, n); test != nil {
			return test
		}
	}
	return nil
}

// countedBy is the form that extensions give a loop that a counter ends.
func (c *Compiler) countedBy(l *Counted, n *ir.Loop) Node {
	for _, e := range c.extensions {
		if other := e.Counted(c, l, n); other != nil {
			return other
		}
	}
	return l
}

// contests reports whether an extension may take a branch on a register otherwise.
func (c *Compiler) contests(r ir.Reg) bool { return c.Contested != nil && c.Contested(r) }

func (c *Compiler) exitNode(n *ir.Exit) {
	if c.U.Together(n) {
		c.out = append(c.out, jump{c.target(n)})
		return
	}
	if n.Block != nil && n.Block == c.P.Kernel.Body[0] {
		c.out = append(c.out, finish{})
		return
	}
	c.out = append(c.out, exit{c.target(n)})
}

// target is where an exit leads: the end of a turn, of a loop, or of a block.
func (c *Compiler) target(n *ir.Exit) int {
	switch n.Kind {
	case ir.Continue:
		return c.constructIDs[n.Loop]
	case ir.Break:
		return c.constructIDs[n.Loop] + 1
	}
	return c.constructIDs[n.Block]
}

// read counts one read of a register by control flow and gives its slot.
func (c *Compiler) read(r ir.Reg) Slot {
	at := c.P.Slots[r]
	c.Consumed(r)
	return at
}

// consumed counts one read of a register. The last read of a reusable slot
// releases it, once what waits on it is emitted.
func (c *Compiler) Consumed(r ir.Reg) {
	if c.Left[r]--; c.Left[r] == 0 && c.P.Slots[r].Varying && c.Reusable(r) {
		c.flush(func(d *deferred) bool { return slices.Contains(d.reads, r) })
		c.release(c.P.Slots[r])
	}
}

// Extensions chooses what extends programs with some options.
type Extensions func(o Options) []Extension

func (c *Compiler) Does(pass Pass) bool { return c.P.Does(pass) }
