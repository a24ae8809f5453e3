package simt

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/ir/llvm"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/syntax"
)

// Program is a compiled kernel. It may be launched by several goroutines at once.
type Program struct {
	kernel    *ir.Kernel
	options   Options
	source    *ir.Kernel // that it was compiled from, and the options given
	given     Options
	table     *lanes.Table
	rows      *ball.Rows
	exact     *exactness      // nil: no balls
	runs      []Run           // of the source, that are counted
	waits     []waits         // of these, if accesses are watched
	looks     int             // loops whose accesses are watched in their first turns
	accesses  []*ir.Instr     // of the source, that are watched
	watched   func() *Program // the program that looks at accesses
	watches   sync.Pool       // of *watch that launches have left
	poison    uint32          // what nobody has written
	paces     int             // accesses of runs
	deviates  bool            // from the reference semantics in some choice
	can       map[int]bool    // the buffers that the kernel can write
	rewritten bool            // balls are those of expressions that a compiler may rewrite
	slots     []slot
	inputs    []input  // that are the same in all threadgroups of one size
	moving    []input  // the others
	launched  []ir.Reg // inputs that are the same all through a launch
	body      list

	uni32            []uint32 // initial uniform registers: literals
	uni64            []uint64
	slots32, slots64 int
	wideSlots        []int // that wide machines have rows for
	constructs       int
	length           int64 // instructions of the body
	parts            int   // runs that a launch settles partly, and branches whose outcome it settles
	privateWords     int   // words of private memory per thread
	privateBase      []int // per object: its first word
	shared           []shared
	constants        []memory
	inOrder          bool // threadgroups run one after the other
	staticMemory     int

	sources     []construct // per construct number
	unspecified []Choice
	probing     func() *Program // unobserved and open
	carrying    carrying

	// What the checks see, if they are on.
	sites   []*observer
	cells   cells
	fine    []atomic.Bool // by object: to be shadowed cell by cell
	atomics []string      // operations of that kind
	hasty   bool          // of these some come to something else in another order
	telling func() bool   // results may tell the order in which threads come to them
}

// construct is what a number of mask buffers stands for: a branch, a function, a
// turn of a loop (part 0) or a loop (part 1).
type construct struct {
	node any
	pos  syntax.Pos
	part int
}

// left says what a thread has done that waits at the construct's end.
func (c construct) left() string {
	switch {
	case c.part == 1:
		return fmt.Sprintf("has left the loop at %s", c.pos)
	case isLoop(c.node):
		return fmt.Sprintf("has skipped the rest of its turn of the loop at %s", c.pos)
	}
	return fmt.Sprintf("has returned from the function that is called at %s", c.pos)
}

func isLoop(n any) bool {
	_, ok := n.(*ir.Loop)
	return ok
}

// shared is memory of a threadgroup, by the machine's object, and where it is declared.
type shared struct {
	object int
	pos    syntax.Pos
}

// share lists the memory of a threadgroup, which holds what nobody has written when one begins.
func (p *Program) share() {
	for _, a := range p.kernel.Args {
		if a.Threadgroup {
			p.shared = append(p.shared, shared{analysis.FirstThreadgroup + a.Index, a.Pos})
		}
	}
	for i, o := range p.kernel.Objects {
		if o.Space == syntax.Threadgroup {
			p.shared = append(p.shared, shared{analysis.FirstStatic + i, o.Pos})
		}
	}
}

// unobserved is the program without its checks. An open one can have other values where Metal specifies none.
func (p *Program) unobserved(open bool) *Program {
	o := p.given
	o.Check, o.open = false, open
	return Compile(p.source, o)
}

// slot is where a register lives: a row of lanes, or a uniform register.
type slot struct {
	varying bool
	wide    bool // 64 bits
	grouped bool // a value for each simdgroup
	index   int  // -1 until a reusable row is assigned
}

// Compile translates a verified kernel.
func Compile(k *ir.Kernel, o Options) *Program {
	if o.Steps == 0 {
		o.Steps = DefaultSteps
	}
	if o.ThreadMemory <= 0 {
		o.ThreadMemory = maxThreadMemory
	}
	if o.Threadgroups <= 0 {
		o.Threadgroups = maxThreadgroups
	}
	source, given := k, o
	if o.Exact {
		k = ir.Undisguised(k)
	}
	var runs []Run
	if o.Count {
		k, runs = countedRuns(k)
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
	switch {
	case o.Check:
		k = observed(k)
	case o.private:
		k = observedPrivately(k)
	case o.watched:
		k = watched(k)
	}
	p := &Program{kernel: k, can: analysis.Writable(k), length: int64(instructions(k.Body)), options: o, source: source, given: given, runs: runs, table: lanes.Native(), rows: ball.Native(), unspecified: unspecified,
		fine: make([]atomic.Bool, analysis.FirstStatic+len(k.Objects))}
	p.telling = sync.OnceValue(p.tellsOrder)
	if !p.does(passLongVectors) && p.table.Name == "avx512" {
		p.table = lanes.Named("avx2")
	}
	if !p.does(passVectors) {
		p.table = lanes.Portable
	}
	if !p.does(passExactVectors) {
		p.rows = ball.Portable
	}
	if o.Portable {
		p.table, p.rows = lanes.Portable, ball.Portable
	}
	if o.watched {
		p.accesses = accesses(source)
		p.waits = p.waiting()
	}
	p.layOut()
	p.deviates = o.Contract || o.FlushSubnormals || o.SumOrder != Ascending || adversary != nil && adversary.deviates
	p.poison = poison
	if draw, ok := adversary.takes(k.Pos, uninitialised); ok {
		p.poison = hostile(draw, 0)
	}
	p.share()
	c := &compiler{p: p, t: p.table, adversary: adversary, u: analysis.InThreadgroup(k), constructIDs: map[any]int{}, observers: map[*ir.Instr]*observer{}}
	c.simdgroup = analysis.InSimdgroup(k)
	c.following, c.adjoining = c.u.ConsecutiveInLine(), c.simdgroup.ConsecutiveInSimdgroup()
	c.repeating = c.u.ConsecutiveInEachSimdgroup()
	if !o.Exact && c.does(passLaunchInvariant) {
		c.settled = c.u.LaunchInvariant()
	}
	c.readable = sync.OnceValue(func() uint64 { return analysis.Accessed(k, ir.Reads) })
	c.made, c.punned = c.u.ArithmeticNaNs(), c.u.BitsSeen()
	if o.Exact {
		p.exact = newExactness(k, o.carried)
		p.exact.snaps = snaps(k)
		if o.taped {
			p.exact.crossing = p.exact.CrossLane()
		}
		p.rewritten = !o.Doubles && mayRewrite(k)
	}
	c.assignSlots()
	c.numberPointers()
	root := k.Body[0].(*ir.Block)
	c.construct(root, root.Pos, 1)
	p.body = c.root(root.Body)
	c.finishSolos()
	p.probing = sync.OnceValue(func() *Program { return p.unobserved(true) })
	p.settle(p.body)
	p.watched = sync.OnceValue(func() *Program {
		o := p.given
		o.watched = true
		return Compile(p.source, o)
	})
	return p
}

// Deviates reports whether the program takes some choice otherwise than the reference
// semantics do.
func (p *Program) Deviates() bool { return p.deviates }

// StaticThreadgroupMemory is the number of bytes that the kernel's own threadgroup variables take.
func (p *Program) StaticThreadgroupMemory() int { return p.staticMemory }

// layOut lays the kernel's objects out.
func (p *Program) layOut() {
	p.privateBase = make([]int, len(p.kernel.Objects))
	p.constants = make([]memory, len(p.kernel.Objects))
	for i, o := range p.kernel.Objects {
		switch o.Space {
		case syntax.Thread:
			p.privateBase[i] = p.privateWords
			p.privateWords += (o.Size + 3) / 4
		case syntax.Threadgroup:
			p.staticMemory = (p.staticMemory+15)&^15 + o.Size
		case syntax.Constant:
			p.constants[i] = copyMemory(o.Data)
			p.constants[i].readOnly = true
		}
	}
}

// compiler translates nodes. code is the straight run under construction.
//
// Arithmetic whose only reader follows in the same run is deferred and
// evaluated where it is read, so that a product and a sum become one loop and a
// private array element is worked on in place. Invariant: a deferred value is
// emitted before anything that it reads can change.
type compiler struct {
	p            *Program
	t            *lanes.Table
	adversary    *adversary // nil: none
	u            *analysis.Uniformity
	numbers      map[elementKey]*elementSlot
	simdgroup    *analysis.Uniformity  // of the threads of a simdgroup
	following    []bool                // per register: consecutive
	adjoining    []bool                // per register: consecutive in each simdgroup
	readable     func() uint64         // buffers from which the kernel loads, a bit for each index
	repeating    []bool                // per register: and the same in all of them
	settled      []bool                // per register: the same all through a launch; nil where nothing is skipped
	made         []bool                // per register: may hold a NaN made by arithmetic
	punned       func(object int) bool // private objects that show bits of floats
	code         straight
	out          list
	deferred     []*deferred
	free32       []int
	free64       []int
	left         []int    // per temp: reads still to come
	borrowers    []ir.Reg // may look at memory that they are loaded from
	released     []slot
	taken        []int  // slots of 32-bit lanes, whenever one is given to something
	last         *ir.If // nothing follows it
	constructIDs map[any]int
	solos        []*solo
	observers    map[*ir.Instr]*observer
	leads        []int // destinations of pointers, if accesses are observed; nil: not found out
}

func (c *compiler) assignSlots() {
	p, k := c.p, c.p.kernel
	p.slots = make([]slot, len(k.Regs))
	c.left = c.u.AllReads()
	grouped := make([]bool, len(k.Regs))
	if !p.options.Exact && !p.options.single && c.does(passSimdgroupUniform) {
		grouped = analysis.SimdgroupUniform(c.u, c.simdgroup)
	}
	for r, info := range k.Regs {
		at := slot{varying: c.u.Varying(ir.Reg(r)), wide: info.Type == ir.I64 || info.Type == ir.Ptr, grouped: grouped[r], index: -1}
		reg := ir.Reg(r)
		switch {
		case at.varying && c.reusable(reg):
		case at.varying:
			at.index = c.newSlot(at.wide)
		case at.wide:
			at.index = len(p.uni64)
			p.uni64 = append(p.uni64, literal64(info))
		default:
			at.index = len(p.uni32)
			p.uni32 = append(p.uni32, literal32(info))
		}
		p.slots[r] = at
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
func (c *compiler) reusable(r ir.Reg) bool {
	return c.p.kernel.Regs[r].Kind == ir.Temp && c.u.Local(r)
}

func (c *compiler) newSlot(wide bool) int {
	if wide {
		if n := len(c.free64); n > 0 {
			s := c.free64[n-1]
			c.free64 = c.free64[:n-1]
			return s
		}
		c.p.slots64++
		return c.p.slots64 - 1
	}
	s := c.p.slots32
	if n := len(c.free32); n > 0 {
		s = c.free32[n-1]
		c.free32 = c.free32[:n-1]
	} else {
		c.p.slots32++
	}
	c.taken = append(c.taken, s)
	return s
}

// release gives a slot back once the instruction under construction is emitted.
func (c *compiler) release(at slot) { c.released = append(c.released, at) }

func (c *compiler) recycle() {
	for _, at := range c.released {
		if at.wide {
			c.free64 = append(c.free64, at.index)
		} else {
			c.free32 = append(c.free32, at.index)
		}
	}
	c.released = c.released[:0]
}

// literal32 is a literal as a 32-bit lane value.
func literal32(r ir.RegInfo) uint32 {
	if r.Kind != ir.Literal {
		return 0
	}
	switch r.Type {
	case ir.Bool:
		return -uint32(r.Bits & 1)
	case ir.F16:
		return halfToLane(uint32(r.Bits))
	case ir.BF16:
		return uint32(r.Bits) << 16
	}
	return uint32(r.Bits)
}

func literal64(r ir.RegInfo) uint64 {
	switch r.Kind {
	case ir.Literal:
		return r.Bits
	case ir.Address:
		return uint64(ir.FirstObject+r.Index) << ir.ObjectShift
	}
	return 0
}

// list compiles a list of nodes.
func (c *compiler) list(nodes []ir.Node) list {
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
func (c *compiler) endRun() {
	c.flush(func(*deferred) bool { return true })
	if len(c.code) > 0 {
		c.out = append(c.out, c.code)
		c.code = nil
	}
}

func (c *compiler) node(n ir.Node) {
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
		c.out = append(c.out, c.leftEarly(n, id, &block{id: id, exits: c.u.SomeLeave(n), body: body}))
	case *ir.Exit:
		c.exitNode(n)
	}
	c.recycle()
}

// construct numbers the mask buffers of a construct.
func (c *compiler) construct(n any, pos syntax.Pos, count int) int {
	id := c.p.constructs
	c.constructIDs[n] = id
	c.p.constructs += count
	for part := range count {
		c.p.sources = append(c.p.sources, construct{n, pos, part})
	}
	return id
}

func (c *compiler) ifNode(n *ir.If) {
	at := c.read(n.Cond)
	id := c.construct(n, n.Pos, 1)
	var rest *solo
	if n == c.last {
		rest = c.solo(n.Then)
	}
	then, alse := c.list(n.Then), c.list(n.Else)
	if at.varying && n == c.last {
		then = append(list{alone{branch: true, rest: rest}}, then...)
	}
	var compiled node = &uniformIf{id: id, cond: at.index, then: then, alse: alse, settled: c.settled != nil && c.settled[n.Cond]}
	if at.varying {
		compiled = &branch{id: id, cond: at.index, then: then, alse: alse, exits: analysis.HasExit(n.Then) || analysis.HasExit(n.Else)}
	}
	c.out = append(c.out, c.decision(n, at, id, compiled))
}

func (c *compiler) exitNode(n *ir.Exit) {
	if c.u.Together(n) {
		c.out = append(c.out, jump{c.target(n)})
		return
	}
	if n.Block != nil && n.Block == c.p.kernel.Body[0] {
		c.out = append(c.out, finish{})
		return
	}
	c.out = append(c.out, exit{c.target(n)})
}

// target is where an exit leads: the end of a turn, of a loop, or of a block.
func (c *compiler) target(n *ir.Exit) int {
	switch n.Kind {
	case ir.Continue:
		return c.constructIDs[n.Loop]
	case ir.Break:
		return c.constructIDs[n.Loop] + 1
	}
	return c.constructIDs[n.Block]
}

// read counts one read of a register by control flow and gives its slot.
func (c *compiler) read(r ir.Reg) slot {
	at := c.p.slots[r]
	c.consumed(r)
	return at
}

// consumed counts one read of a register. The last read of a reusable slot
// releases it, once what waits on it is emitted.
func (c *compiler) consumed(r ir.Reg) {
	if c.left[r]--; c.left[r] == 0 && c.p.slots[r].varying && c.reusable(r) {
		c.flush(func(d *deferred) bool { return slices.Contains(d.reads, r) })
		c.release(c.p.slots[r])
	}
}

// cost is the number of instructions of one pass over the nodes, inner loops counted once.
func cost(nodes []ir.Node) int64 {
	var sum int64
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
			if n.Op != counterOp {
				sum++
			}
		case *ir.If:
			sum += max(cost(n.Then), cost(n.Else))
		case *ir.Block:
			sum += cost(n.Body)
		}
	}
	return sum
}

// unknown is a panic for IR that Verify would have refused.
func unknown(in *ir.Instr) string {
	return fmt.Sprintf("simt: %s: no implementation of op %d %s", in.Pos, in.Op, in.Fn)
}
