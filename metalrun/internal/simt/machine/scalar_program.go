package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// In single-lane mode, most of the time of a loop over rows goes into calling the loop. The rest of the entry point is
// therefore compiled a second time, as a scalar program: registers are numbers, not rows, and control flow is jumps.
// Only the reference device has a scalar program, and only if the rest is common arithmetic and accesses to known
// objects. Extensions add what checks and exact execution do as instructions of the program.

// ScalarProgram is a program for single-lane mode.
type ScalarProgram struct {
	Code    []ScalarInstr
	Initial []uint64 // of the registers
	Given   []ScalarInput
	Memory  []ScalarMemory
	Convert []func(v Element) Element
	Loops   []ScalarLoop
	Pairs   []ScalarPair

	Branches []ScalarBranch // branches that observers see
	Notes    bool           // observers see branches
	Blocks   []int          // numbers of the blocks that are counted

	// What extensions add.
	Refuses []func(m *Machine) bool // report whether the program cannot run in the state of the machine
	Begins  []func(m *Machine)      // run before the first instruction
	Calls   []ScalarCall
	Forks   []func(m *Machine) (next int) // next is the next instruction; -1: the one after the call
}

// ScalarCall is what an extension does between the instructions of a scalar program.
type ScalarCall = func(m *Machine, r *ScalarRegisters)

// ScalarBranch is a branch that observers see.
type ScalarBranch struct {
	Of *ir.If
	Id int
}

// MaxScalarRegisters is the most registers of a scalar program: a byte numbers them.
const MaxScalarRegisters = 256

// ScalarRegisters are the registers of a scalar program while it runs.
type ScalarRegisters [MaxScalarRegisters]uint64

// ScalarInstr is an instruction: the registers that it sets and reads, and the target of a jump or an index in a list
// of the program.
type ScalarInstr struct {
	Op      singleOp
	D, A, B uint8
	At      int32
	X, Y    int32 // of an element of an array: the array's first word, and its words
}

// ScalarInput is a register, and where its value is when the program begins.
type ScalarInput struct {
	Register uint8
	From     Slot
}

// ScalarLoop is a loop: what the end of an iteration does, and where the next iteration begins.
type ScalarLoop struct {
	Top    int32
	A, B   uint8   // operands of the comparison that is the whole head
	Runs   []int   // numbers of the runs that an iteration counts
	Argmin *Argmin // nil: the loop is no argmin
	Pos    syntax.Pos
	Cost   int64
}

// ScalarPair is two elements of arrays that are compared.
type ScalarPair struct {
	A, B  ScalarInstr // their loads
	Later bool        // a is loaded after b
}

// ScalarMemory is an element in memory: of an object of the machine, or of an array of the thread, which is an object
// of the kernel.
type ScalarMemory struct {
	Object      int
	Origin      uint64 // pointer to its beginning
	Disp, Scale int64  // of the element; Scale is 0 if there is no index
	Signed      bool   // the index has 32 bits and a sign
	First, Size int64  // an array's first word, and its words
	Quiet       bool   // a NaN that is stored gets the same bits everywhere
	Decode      func(raw uint32) uint32
	Encode      func(lane uint32) uint32
	Access      *MemoryAccess // for faults
}

// NodeReads are the registers that a node itself reads.
func NodeReads(n ir.Node) []ir.Reg {
	switch n := n.(type) {
	case *ir.Instr:
		list := slices.Clone(n.Args)
		if n.Mem != nil {
			list = append(list, n.Mem.Base, n.Mem.Index)
		}
		return list
	case *ir.If:
		return []ir.Reg{n.Cond}
	case *ir.Loop:
		return []ir.Reg{n.Cond}
	}
	return nil
}

// ScalarArithmetic are the operations on integers of 32 bits, on integers of 64 bits and on floats; SingleEnd is none.
var ScalarArithmetic = map[ir.Op][3]singleOp{
	ir.Add: {SingleAdd, singleAddQ, singleAddF}, ir.Sub: {singleSub, singleSubQ, singleSubF},
	ir.Mul: {singleMul, singleMulQ, singleMulF}, ir.Div: {2: singleDivF},
	ir.And: {singleAnd, singleAnd}, ir.Or: {singleOr, singleOr}, ir.Xor: {singleXor, singleXor},
	ir.Shl: {singleShl, singleShlQ}, ir.LShr: {singleLShr, singleLShrQ}, ir.AShr: {singleAShr, singleAShrQ},
	ir.PtrAdd: {1: singleAddQ},
	ir.Eq:     {SingleEq, SingleEq, singleEqF}, ir.Ne: {singleNe, singleNe, singleNeF},
	ir.ULt: {singleULt, singleULt}, ir.ULe: {singleULe, singleULe}, ir.SLt: {singleSLt, singleSLtQ},
	ir.SLe: {singleSLe, singleSLeQ},
	ir.FLt: {2: singleFLt}, ir.FLe: {2: SingleFLe},
}

// suits reports whether a machine may run the program.
func (s *ScalarProgram) suits(m *Machine) bool {
	if m.sees(Branches) && !s.Notes {
		return false
	}
	for _, refuses := range s.Refuses {
		if refuses(m) {
			return false
		}
	}
	return true
}

// branchedScalar tells observers of a branch for one lane.
func (m *Machine) branchedScalar(id int, taken uint64) {
	if m.sees(Branches) {
		m.Scratch[0] = uint32(taken)
		m.branched(id, m.Scratch[:1], 1)
	}
}
