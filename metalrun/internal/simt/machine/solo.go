package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Where one thread is left, a loop over rows of one lane is mostly the way to that loop. What is
// left of the entry point is therefore compiled a second time, for one thread: registers are
// numbers, not rows, and control flow is jumps. Only the reference device has it, and only
// where all that is left is common arithmetic, and accesses to objects that are known. What checks
// and exact execution do beside that are instructions of the program, too (solo_check.go, solo_balls.go).

// Solo is a program for one thread.
type Solo struct {
	Code    []SoloInstr
	Initial []uint64 // of the registers
	Given   []SoloInput
	Memory  []SoloMemory
	Convert []func(v Element) Element
	Turns   []SoloTurn
	Pairs   []SoloPair

	Branches []SoloBranch // whose outcomes are noted
	Notes    bool         // outcomes are
	Blocks   []int        // that are counted

	// What extensions add.
	Refuses []func(m *Machine) bool // the program cannot go on as the machine is
	Begins  []func(m *Machine)      // in front of its first instruction
	Calls   []SoloCall
	Forks   []func(m *Machine) (next int) // next is where it goes on; -1: behind the call
}

// SoloCall is what an extension does beside the instructions of a program for one thread.
type SoloCall = func(m *Machine, r *[MaxSolo]uint64)

// SoloBranch is a branch whose outcome is noted.
type SoloBranch struct {
	Of *ir.If
	Id int
}

// maxSolo is the most registers of such a program, so that a byte numbers them.
const MaxSolo = 256

// SoloInstr is an instruction: what it sets and reads, and where it jumps to or which entry of
// one of the program's lists it means.
type SoloInstr struct {
	Op      soloOp
	D, A, B uint8
	At      int32
	X, Y    int32 // of an element of an array: the array's first word, and its words
}

// SoloInput is a register and where its value is when the program begins.
type SoloInput struct {
	Register uint8
	From     Slot
}

// SoloTurn is the end of a loop's turn, and where the next one begins.
type SoloTurn struct {
	Top    int32
	A, B   uint8       // what a loop that begins with a comparison alone compares
	Runs   []int       // that are counted
	Search *SoloSearch // nil: it is no such loop
	Pos    syntax.Pos
	Cost   int64
}

// SoloPair is two elements of arrays that are compared.
type SoloPair struct {
	A, B  SoloInstr // their loads
	Later bool      // a is loaded after b
}

// SoloMemory is an element in memory: of one of the machine's objects, or of an array of the thread,
// which is one of the kernel's.
type SoloMemory struct {
	Object      int
	Origin      uint64 // pointer to its beginning
	Disp, Scale int64  // of the element; scale is 0 where there is no index
	Signed      bool   // the index has 32 bits and a sign
	First, Size int64  // an array's first word, and its words
	Quiet       bool   // a NaN that is stored gets the same bits everywhere
	Decode      func(raw uint32) uint32
	Encode      func(lane uint32) uint32
	Access      *MemoryAccess // what it is in faults
}

// SoloReads are the registers that a node itself reads.
func SoloReads(n ir.Node) []ir.Reg {
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

// soloArithmetic are the operations on integers of 32 and of 64 bits and on floats; soloEnd is none.
var SoloArithmetic = map[ir.Op][3]soloOp{
	ir.Add: {SoloAdd, soloAddQ, soloAddF}, ir.Sub: {soloSub, soloSubQ, soloSubF}, ir.Mul: {soloMul, soloMulQ, soloMulF},
	ir.Div: {2: soloDivF},
	ir.And: {soloAnd, soloAnd}, ir.Or: {soloOr, soloOr}, ir.Xor: {soloXor, soloXor},
	ir.Shl: {soloShl, soloShlQ}, ir.LShr: {soloLShr, soloLShrQ}, ir.AShr: {soloAShr, soloAShrQ},
	ir.PtrAdd: {1: soloAddQ},
	ir.Eq:     {SoloEq, SoloEq, soloEqF}, ir.Ne: {soloNe, soloNe, soloNeF},
	ir.ULt: {soloULt, soloULt}, ir.ULe: {soloULe, soloULe}, ir.SLt: {soloSLt, soloSLtQ}, ir.SLe: {soloSLe, soloSLeQ},
	ir.FLt: {2: soloFLt}, ir.FLe: {2: SoloFLe},
}

// suits reports whether a machine may go on with the program.
func (s *Solo) suits(m *Machine) bool {
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

// noteAlone tells observers of a branch for one lane.
func (m *Machine) noteAlone(id int, taken uint64) {
	if m.sees(Branches) {
		m.Scratch[0] = uint32(taken)
		m.branched(id, m.Scratch[:1], 1)
	}
}
