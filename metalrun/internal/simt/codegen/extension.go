package codegen

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// Extension adds something to the programs that are compiled, and to the machines that run them.
type Extension interface {
	machine.Attachment
	// Source is the kernel as it is compiled, before anything is chosen or rewritten. Instrument is the kernel with
	// operations of the extension's own among the others.
	Source(p *machine.Program, k *ir.Kernel) *ir.Kernel
	Instrument(p *machine.Program, k *ir.Kernel) *ir.Kernel
	// Begin comes before the first instruction is compiled, and Finish after the last.
	Begin(c *Compiler)
	Finish(c *Compiler)
	// Instr compiles an instruction, and what the extension adds before and after it. It is false if the extension
	// adds nothing.
	Instr(c *Compiler, in *ir.Instr) bool
	// Op compiles an operation of the extension's own, and reports whether it is one.
	Op(c *Compiler, in *ir.Instr) bool
	// Before and After add what has to be next to the instruction itself.
	Before(c *Compiler, in *ir.Instr)
	After(c *Compiler, in *ir.Instr)
	// If wraps a compiled branch, whose construct has the number id. Leave wraps a function or a loop.
	If(c *Compiler, n *ir.If, cond machine.Slot, id int, inside machine.Node) machine.Node
	Leave(c *Compiler, n ir.Node, id int, inside machine.Node) machine.Node
	// Test is what a loop does before its test, or nil. Counted is another form of a loop that a counter ends, or nil.
	Test(c *Compiler, n *ir.Loop) machine.Op
	Counted(c *Compiler, l *machine.Counted, n *ir.Loop) machine.Node
	// Single is what the extension adds to a scalar program; ok is false if it needs the general program.
	Single(s *ScalarCompiler) (add SingleExtension, ok bool)
}

// SingleExtension is what an extension adds to a scalar program that is being compiled.
type SingleExtension interface {
	// Given is called for each register that has a value when the program begins.
	Given(r ir.Reg)
	// Instr adds what comes before an instruction that is no access, and gives what comes after it, or nil.
	Instr(in *ir.Instr) (after machine.ScalarCall)
	// Access adds what comes before an access to element k.
	Access(in *ir.Instr, k int, access machine.ScalarInstr)
	// Construct is called for loops and functions, Branch and Join for the beginning and the end of a branch.
	Construct(n ir.Node, cond ir.Reg)
	Branch(n *ir.If)
	Join(n *ir.If)
	// Op compiles an operation of the extension's own, and reports whether it is one.
	Op(in *ir.Instr) bool
	// Argmin gives how an argmin loop runs, or nil if the extension does not change it; ok is false if its iterations
	// cannot be done at once.
	Argmin(q *machine.Argmin, s *ArgminRegisters) (how machine.ArgminExtension, ok bool)
}

// ArgminRegisters are the registers of an argmin loop.
type ArgminRegisters struct {
	Counter, Limit, Best ir.Reg // Best is the index of the best element
	Compared             ir.Reg
	Element, Held        ir.Reg  // the loaded elements at the counter and at the best index …
	ElementAt, HeldAt    *ir.Mem // … and their addresses
}

// NoExtension adds nothing. Extensions embed it for what they do not add.
type NoExtension struct{}

// Source adds nothing.
func (NoExtension) Source(_ *machine.Program, k *ir.Kernel) *ir.Kernel { return k }

// Instrument adds nothing.
func (NoExtension) Instrument(_ *machine.Program, k *ir.Kernel) *ir.Kernel { return k }

// Begin adds nothing.
func (NoExtension) Begin(*Compiler) {}

// Finish adds nothing.
func (NoExtension) Finish(*Compiler) {}

// Instr adds nothing.
func (NoExtension) Instr(*Compiler, *ir.Instr) bool { return false }

// Op adds nothing.
func (NoExtension) Op(*Compiler, *ir.Instr) bool { return false }

// Before adds nothing.
func (NoExtension) Before(*Compiler, *ir.Instr) {}

// After adds nothing.
func (NoExtension) After(*Compiler, *ir.Instr) {}

// If adds nothing.
func (NoExtension) If(_ *Compiler, _ *ir.If, _ machine.Slot, _ int, inside machine.Node) machine.Node {
	return inside
}

// Leave adds nothing.
func (NoExtension) Leave(_ *Compiler, _ ir.Node, _ int, inside machine.Node) machine.Node {
	return inside
}

// Test adds nothing.
func (NoExtension) Test(*Compiler, *ir.Loop) machine.Op { return nil }

// Counted adds nothing.
func (NoExtension) Counted(*Compiler, *machine.Counted, *ir.Loop) machine.Node { return nil }

// Single adds nothing.
func (NoExtension) Single(*ScalarCompiler) (SingleExtension, bool) { return nil, true }

// Bind adds nothing.
func (NoExtension) Bind(*machine.Program, *machine.Dispatch, []machine.Memory) {}

// Attach adds nothing.
func (NoExtension) Attach(*machine.Machine) {}

// Runner adds nothing.
func (NoExtension) Runner(*machine.Program, *machine.Dispatch, []machine.Memory) (machine.GroupRunner,
	func() []*machine.Machine, bool) {
	return nil, nil, false
}

// NoSingle adds nothing to scalar programs. Extensions embed it for what they do not add.
type NoSingle struct{}

// Given adds nothing.
func (NoSingle) Given(ir.Reg) {}

// Instr adds nothing.
func (NoSingle) Instr(*ir.Instr) machine.ScalarCall { return nil }

// Access adds nothing.
func (NoSingle) Access(*ir.Instr, int, machine.ScalarInstr) {}

// Construct adds nothing.
func (NoSingle) Construct(ir.Node, ir.Reg) {}

// Branch adds nothing.
func (NoSingle) Branch(*ir.If) {}

// Join adds nothing.
func (NoSingle) Join(*ir.If) {}

// Op adds nothing.
func (NoSingle) Op(*ir.Instr) bool { return false }

// Argmin adds nothing.
func (NoSingle) Argmin(*machine.Argmin, *ArgminRegisters) (machine.ArgminExtension, bool) {
	return nil, true
}
