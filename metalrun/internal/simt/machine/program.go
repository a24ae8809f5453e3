package machine

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/syntax"
)

// Program is a compiled kernel. It may be launched by several goroutines at once.
type Program struct {
	Kernel *ir.Kernel
	Table  *lanes.Table
	Origin
	semantics
	layout
	State    states // of extensions
	Stepwise bool   // extensions see each instruction, so no loop does several at once

	Body       List
	Length     int64       // number of instructions of the body
	Invariants int         // number of runs with launch-invariant instructions and of launch-invariant branches
	InOrder    bool        // threadgroups run one after the other
	Sources    []Construct // per construct number
}

// Origin is what a program was compiled from, and with which options.
type Origin struct {
	Source      *ir.Kernel
	Given       Options
	Options     Options // Given, with the choices of the adversary and with limits
	Recompile   func(o Options) *Program
	Attachments []Attachment // what extensions add to launches
}

// semantics are the choices that a program takes.
type semantics struct {
	Poison      uint32       // contents of memory that nobody has written
	Deviates    bool         // from the reference semantics in some choice
	Can         map[int]bool // the buffers that the kernel can write
	Unspecified []Choice     // where a thread can get an unspecified value
}

// layout is where registers and objects lie.
type layout struct {
	Slots    []Slot
	Inputs   []Input  // inputs that are the same in all threadgroups of one size
	Moving   []Input  // the other inputs that are not launch-invariant
	Launched []ir.Reg // launch-invariant inputs

	Uni32            []uint32 // initial uniform registers: literals
	Uni64            []uint64
	Slots32, Slots64 int
	WideSlots        []int // slots that wide machines have rows for
	Constructs       int
	Predictors       int   // number of stride predictors
	PrivateWords     int   // words of private memory per thread
	PrivateBase      []int // per object: its first word
	shared           []shared
	constants        []Memory
	staticMemory     int
}

// Construct is what the number of a mask buffer stands for: a branch, a function, an iteration of a loop (part 0) or a
// loop (part 1).
type Construct struct {
	Node any
	Pos  syntax.Pos
	Part int
}

// left says how a thread came to wait at the end of the construct.
func (c Construct) left() string {
	switch {
	case c.Part == 1:
		return fmt.Sprintf("has left the loop at %s", c.Pos)
	case IsLoop(c.Node):
		return fmt.Sprintf("has skipped the rest of its iteration of the loop at %s", c.Pos)
	}
	return fmt.Sprintf("has returned from the function that is called at %s", c.Pos)
}

// IsLoop reports whether a construct is a loop.
func IsLoop(n any) bool {
	_, ok := n.(*ir.Loop)
	return ok
}

// shared is memory of a threadgroup: the number of its object, and where it is declared.
type shared struct {
	object int
	pos    syntax.Pos
}

// Share lists the memory of a threadgroup. It holds poison when a threadgroup begins.
func (p *Program) Share() {
	for _, a := range p.Kernel.Args {
		if a.Threadgroup {
			p.shared = append(p.shared, shared{analysis.FirstThreadgroup + a.Index, a.Pos})
		}
	}
	for i, o := range p.Kernel.Objects {
		if o.Space == syntax.Threadgroup {
			p.shared = append(p.shared, shared{analysis.FirstStatic + i, o.Pos})
		}
	}
}

// Again compiles the source with other options.
func (p *Program) Again(change func(o *Options)) *Program {
	o := p.Given
	change(&o)
	return p.Recompile(o)
}

// bind readies the buffers of a launch.
func (p *Program) bind(l *Dispatch, buffers []Memory) {
	for _, e := range p.Attachments {
		e.Bind(p, l, buffers)
	}
}

// Slot is where a register lives: a row of lanes, or a uniform register.
type Slot struct {
	Varying bool
	Wide    bool // 64 bits
	Grouped bool // simdgroup-uniform: the first places of the row have a value for each simdgroup
	Index   int  // -1 until a reusable row is assigned
}

// StaticThreadgroupMemory is the number of bytes that the kernel's own threadgroup variables take: see
// [analysis.ThreadgroupMemory].
func (p *Program) StaticThreadgroupMemory() int { return p.staticMemory }

// LayOut lays the kernel's objects out.
func (p *Program) LayOut() {
	p.PrivateBase = make([]int, len(p.Kernel.Objects))
	p.constants = make([]Memory, len(p.Kernel.Objects))
	p.staticMemory = analysis.ThreadgroupMemory(p.Kernel)
	for i, o := range p.Kernel.Objects {
		switch o.Space {
		case syntax.Thread:
			p.PrivateBase[i] = p.PrivateWords
			p.PrivateWords += (o.Size + 3) / 4
		case syntax.Constant:
			p.constants[i] = CopyMemory(o.Data)
			p.constants[i].ReadOnly = true
		}
	}
}

// Analyses are the results of the analyses of the kernel.
type Analyses struct {
	U                          *analysis.Uniformity
	Simdgroup                  *analysis.Uniformity  // of the threads of a simdgroup
	ConsecutiveInLine          []bool                // per register: lane-consecutive, if the threads are in one line
	ConsecutiveInSimdgroup     []bool                // per register: lane-consecutive in each simdgroup
	ConsecutiveInEachSimdgroup []bool                // per register: so, and the same in all simdgroups
	LaunchInvariant            []bool                // per register: launch-invariant; nil if the pass is left out
	Made                       []bool                // per register: may hold a NaN made by arithmetic
	Readable                   func() uint64         // buffers from which the kernel loads, a bit for each index
	Punned                     func(object int) bool // private objects that show bits of floats
}

// Allocation is which slots are free.
type Allocation struct {
	Free32   []int
	Free64   []int
	Left     []int // per temporary: number of reads still to come
	Released []Slot
	Taken    []int // each slot of 32-bit lanes that was assigned, in order
}

// Literal32 is a literal as a 32-bit lane value.
func Literal32(r ir.RegInfo) uint32 {
	if r.Kind != ir.Literal {
		return 0
	}
	switch r.Type {
	case ir.Bool:
		return -uint32(r.Bits & 1)
	case ir.F16:
		return HalfToLane(uint32(r.Bits))
	case ir.BF16:
		return uint32(r.Bits) << 16
	}
	return uint32(r.Bits)
}

// Literal64 is a literal as a 64-bit value.
func Literal64(r ir.RegInfo) uint64 {
	switch r.Kind {
	case ir.Literal:
		return r.Bits
	case ir.Address:
		return uint64(ir.FirstObject+r.Index) << ir.ObjectShift
	}
	return 0
}

// Instructions is the number of nodes of a body.
func Instructions(body []ir.Node) int {
	n := 0
	ir.Walk(body, func(ir.Node) bool { n++; return true })
	return n
}

// Cost is the number of instructions of one pass over the nodes, without those of inner loops.
func Cost(nodes []ir.Node) int64 {
	var sum int64
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
			if n.Op != CounterOp {
				sum++
			}
		case *ir.If:
			sum += max(Cost(n.Then), Cost(n.Else))
		case *ir.Block:
			sum += Cost(n.Body)
		}
	}
	return sum
}

// Unknown is the text of a panic for IR that Verify would have refused.
func Unknown(in *ir.Instr) string {
	return fmt.Sprintf("simt: %s: the executor has no case for %s %s", in.Pos, in.Op, in.Fn)
}
