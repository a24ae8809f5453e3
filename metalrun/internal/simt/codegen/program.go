package codegen

import (
	"slices"
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/ir/llvm"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// limited sets the default limits in options that have none.
func limited(o machine.Options) machine.Options {
	if o.Steps == 0 {
		o.Steps = machine.DefaultSteps
	}
	if o.ThreadMemory <= 0 {
		o.ThreadMemory = machine.MaxThreadMemory
	}
	if o.Threadgroups <= 0 {
		o.Threadgroups = machine.MaxThreadgroups
	}
	return o
}

// Compile translates a verified kernel.
func Compile(k *ir.Kernel, o machine.Options, extend Extensions) *machine.Program {
	o = limited(o)
	source, extensions := k, extend(o)
	p := &machine.Program{Origin: machine.Origin{Source: k, Given: o}, Table: lanes.Native(), Stepwise: o.Exact}
	p.Recompile = func(o machine.Options) *machine.Program { return Compile(source, o, extend) }
	for _, e := range extensions {
		p.Attachments = append(p.Attachments, e)
		k = e.Source(p, k)
	}
	adversary := resolve(&o, k)
	switch {
	case adversary != nil:
		k = adversary.compile(k)
	case o.DefaultBuild && fastmath.Applies(k):
		k = llvm.Optimise(k)
	case o.Contract:
		k = ir.Contract(k, nil)
	case o.Separate:
		k = ir.Separate(k)
	}
	unspecified := unspecifiedSites(k)
	k = guarded(&o, k, adversary)
	varying := analysis.InThreadgroup(k).VaryingRegisters()
	uniform := func(r ir.Reg) bool { return !varying[r] }
	if !o.Without.Has(machine.PassFollowCopies) {
		k = ir.FollowCopies(k, uniform)
	}
	if !o.Without.Has(machine.PassNarrowIndices) {
		k = ir.NarrowIndices(k, uniform)
	}
	for _, e := range extensions {
		k = e.Instrument(p, k)
	}
	p.Kernel, p.Can, p.Length, p.Options, p.Unspecified = k, analysis.Writable(k), int64(machine.Instructions(k.Body)),
		o, unspecified
	if !p.Does(machine.PassLongVectors) && p.Table.Name == "avx512" {
		p.Table = lanes.Named("avx2")
	}
	if !p.Does(machine.PassVectors) {
		p.Table = lanes.Portable
	}
	if o.Portable {
		p.Table = lanes.Portable
	}
	p.LayOut()
	p.Deviates = o.Contract || o.FlushSubnormals || o.SumOrder != machine.Ascending ||
		adversary != nil && adversary.deviates
	p.Poison = machine.Poison
	if draw, ok := adversary.takes(k.Pos, machine.Uninitialised); ok {
		p.Poison = machine.Hostile(draw, 0)
	}
	p.Share()
	c := &Compiler{P: p, extensions: extensions, t: p.Table, adversary: adversary,
		Analyses: machine.Analyses{U: analysis.InThreadgroup(k)}, constructIDs: map[any]int{}}
	c.Simdgroup = analysis.InSimdgroup(k)
	c.ConsecutiveInLine, c.ConsecutiveInSimdgroup = c.U.ConsecutiveInLine(), c.Simdgroup.ConsecutiveInSimdgroup()
	c.ConsecutiveInEachSimdgroup = c.U.ConsecutiveInEachSimdgroup()
	if !o.Exact && c.Does(machine.PassLaunchInvariant) {
		c.LaunchInvariant = c.U.LaunchInvariant()
	}
	c.Readable = sync.OnceValue(func() uint64 { return analysis.Accessed(k, ir.Reads) })
	c.Made, c.Punned = c.U.ArithmeticNaNs(), c.U.BitsSeen()
	for _, e := range extensions {
		e.Begin(c)
	}
	c.assignSlots()
	c.numberPointers()
	root := k.Body[0].(*ir.Block)
	c.construct(root, root.Pos, 1)
	p.Body = c.root(root.Body)
	c.finishScalarPrograms()
	for _, e := range extensions {
		e.Finish(c)
	}
	p.SplitInvariant(p.Body)
	return p
}

// Compiler translates nodes. code is the straight run under construction.
//
// An expression whose only reader follows in the same run is pending: it is evaluated where it is read. A product and a
// sum become one loop so, and arithmetic works on an element of a private array in place. Invariant: a pending
// expression is emitted before anything that it reads can change.
type Compiler struct {
	P          *machine.Program
	t          *lanes.Table
	adversary  *adversary // nil: none
	extensions []Extension
	machine.Analyses
	machine.Allocation
	numbers        map[machine.ElementKey]*machine.ElementSlot
	code           machine.Straight
	out            machine.List
	pending        []*machine.Pending
	MayAlias       []ir.Reg // registers that may alias the memory that they are loaded from
	last           *ir.If   // the last node of the entry point; nil: it is no such branch
	constructIDs   map[any]int
	scalarPrograms []*machine.ScalarProgram
	Contested      func(r ir.Reg) bool // an extension may decide branches on a register otherwise; nil: none does
	Contention     Contention          // of the compared exchange that is being compiled; nil: none
}

func (c *Compiler) assignSlots() {
	p, k := c.P, c.P.Kernel
	p.Slots = make([]machine.Slot, len(k.Regs))
	c.Left = c.U.AllReads()
	grouped := make([]bool, len(k.Regs))
	if !p.Options.Exact && !p.Options.Single && c.Does(machine.PassSimdgroupUniform) {
		grouped = analysis.SimdgroupUniform(c.U, c.Simdgroup)
	}
	for r, info := range k.Regs {
		at := machine.Slot{Varying: c.U.Varying(ir.Reg(r)), Wide: info.Type == ir.I64 || info.Type == ir.Ptr,
			Grouped: grouped[r], Index: -1}
		reg := ir.Reg(r)
		switch {
		case at.Varying && c.Reusable(reg):
		case at.Varying:
			at.Index = c.newSlot(at.Wide)
		case at.Wide:
			at.Index = len(p.Uni64)
			p.Uni64 = append(p.Uni64, machine.Literal64(info))
		default:
			at.Index = len(p.Uni32)
			p.Uni32 = append(p.Uni32, machine.Literal32(info))
		}
		p.Slots[r] = at
		switch {
		case info.Kind == ir.Input && analysis.InvariantInput(info.Input):
			p.Launched = append(p.Launched, reg)
		case info.Kind == ir.Input:
			if in := (machine.Input{Source: info.Input, At: at}); in.Moves() {
				p.Moving = append(p.Moving, in)
			} else {
				p.Inputs = append(p.Inputs, in)
			}
		}
	}
}

// Reusable reports whether the slot of a register can serve other registers after its last read.
func (c *Compiler) Reusable(r ir.Reg) bool {
	return c.P.Kernel.Regs[r].Kind == ir.Temp && c.U.Local(r)
}

func (c *Compiler) newSlot(wide bool) int {
	if wide {
		if n := len(c.Free64); n > 0 {
			s := c.Free64[n-1]
			c.Free64 = c.Free64[:n-1]
			return s
		}
		c.P.Slots64++
		return c.P.Slots64 - 1
	}
	s := c.P.Slots32
	if n := len(c.Free32); n > 0 {
		s = c.Free32[n-1]
		c.Free32 = c.Free32[:n-1]
	} else {
		c.P.Slots32++
	}
	c.Taken = append(c.Taken, s)
	return s
}

// release frees a slot once the instruction under construction is emitted.
func (c *Compiler) release(at machine.Slot) { c.Released = append(c.Released, at) }

func (c *Compiler) recycle() {
	for _, at := range c.Released {
		if at.Wide {
			c.Free64 = append(c.Free64, at.Index)
		} else {
			c.Free32 = append(c.Free32, at.Index)
		}
	}
	c.Released = c.Released[:0]
}

// list compiles a list of nodes.
func (c *Compiler) list(nodes []ir.Node) machine.List {
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
	c.flush(func(*machine.Pending) bool { return true })
	if len(c.code) > 0 {
		c.out = append(c.out, c.code)
		c.code = nil
	}
}

func (c *Compiler) node(n ir.Node) {
	if in, ok := n.(*ir.Instr); ok {
		emitted, waiting := len(c.code), len(c.pending)
		c.instr(in)
		if c.LaunchInvariant != nil && len(in.Dst) > 0 && c.LaunchInvariant[in.Dst[0]] && len(c.pending) == waiting {
			for i := range c.code[emitted:] {
				c.code[emitted+i].LaunchInvariant = true
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
		c.out = append(c.out, c.leave(n, id, &machine.Block{Id: id, Exits: c.U.SomeLeave(n), Body: body}))
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
		c.P.Sources = append(c.P.Sources, machine.Construct{Node: n, Pos: pos, Part: part})
	}
	return id
}

func (c *Compiler) ifNode(n *ir.If) {
	at := c.read(n.Cond)
	id := c.construct(n, n.Pos, 1)
	var rest *machine.ScalarProgram
	if n == c.last {
		rest = c.scalarProgram(n.Then)
	}
	then, alse := c.list(n.Then), c.list(n.Else)
	if at.Varying && n == c.last {
		then = append(machine.List{machine.ToSingleLane{Branch: true, Rest: rest}}, then...)
	}
	var compiled machine.Node = &machine.UniformIf{Id: id, Cond: at.Index, Then: then, Alse: alse,
		LaunchInvariant: c.LaunchInvariant != nil && c.LaunchInvariant[n.Cond]}
	if at.Varying {
		compiled = &machine.Branch{Id: id, Cond: at.Index, Then: then, Alse: alse,
			Exits: analysis.HasExit(n.Then) || analysis.HasExit(n.Else)}
	}
	for _, e := range c.extensions {
		compiled = e.If(c, n, at, id, compiled)
	}
	c.out = append(c.out, compiled)
}

// leave lets extensions wrap a function or a loop.
func (c *Compiler) leave(n ir.Node, id int, inside machine.Node) machine.Node {
	for _, e := range c.extensions {
		inside = e.Leave(c, n, id, inside)
	}
	return inside
}

// testBy is what extensions do before the test of a loop; nil: nothing.
func (c *Compiler) testBy(n *ir.Loop) machine.Op {
	for _, e := range c.extensions {
		if test := e.Test(c, n); test != nil {
			return test
		}
	}
	return nil
}

// countedBy is the form that extensions give a counted loop.
func (c *Compiler) countedBy(l *machine.Counted, n *ir.Loop) machine.Node {
	for _, e := range c.extensions {
		if other := e.Counted(c, l, n); other != nil {
			return other
		}
	}
	return l
}

// contests reports whether an extension may decide a branch on a register otherwise.
func (c *Compiler) contests(r ir.Reg) bool { return c.Contested != nil && c.Contested(r) }

func (c *Compiler) exitNode(n *ir.Exit) {
	if c.U.Together(n) {
		c.out = append(c.out, machine.Jump{Target: c.target(n)})
		return
	}
	if n.Block != nil && n.Block == c.P.Kernel.Body[0] {
		c.out = append(c.out, machine.Finish{})
		return
	}
	c.out = append(c.out, machine.Exit{Target: c.target(n)})
}

// target is where an exit leads: the end of an iteration, of a loop, or of a block.
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
func (c *Compiler) read(r ir.Reg) machine.Slot {
	at := c.P.Slots[r]
	c.Consumed(r)
	return at
}

// Consumed counts one read of a register. The last read of a reusable slot releases it, after the pending expressions
// that read it are emitted.
func (c *Compiler) Consumed(r ir.Reg) {
	if c.Left[r]--; c.Left[r] == 0 && c.P.Slots[r].Varying && c.Reusable(r) {
		c.flush(func(d *machine.Pending) bool { return slices.Contains(d.Reads, r) })
		c.release(c.P.Slots[r])
	}
}

// Extensions chooses the extensions of programs with some options.
type Extensions func(o machine.Options) []Extension

// Does reports whether a pass is not left out.
func (c *Compiler) Does(pass machine.Pass) bool { return c.P.Does(pass) }
