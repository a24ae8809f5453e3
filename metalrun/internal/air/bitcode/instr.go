package bitcode

// Op is the kind of an instruction.
type Op uint8

// The kinds. Args are in the order of LLVM's assembly.
const (
	Binary Op = iota // Sub is a BinaryOp
	Unary            // the negation of a float
	CastOp           // Sub is a CastKind
	Compare
	Select // condition, then, otherwise
	ExtractElement
	InsertElement
	Shuffle
	ExtractValue
	InsertValue
	GetElementPtr
	Alloca
	Load  // pointer
	Store // value, pointer
	Call  // Args are the arguments
	Freeze
	Phi // Args[i] comes from Targets[i]
	Fence
	Return
	Branch // to Targets[0], or with Args[0] false to Targets[1]
	Switch // on Args[0]: to Targets[i] if it is Args[i], otherwise to Targets[0]
	Unreachable
	Unknown // Sub is the code of the record
)

// Binary operations, as records have them. Those of floats are Add to SRem.
const (
	Add uint8 = iota
	Sub
	Mul
	UDiv
	SDiv // and the quotient of floats
	URem
	SRem // and the remainder of floats
	Shl
	LShr
	AShr
	And
	Or
	Xor
)

// Casts, as records have them.
const (
	Trunc uint8 = iota
	ZExt
	SExt
	FPToUI
	FPToSI
	UIToFP
	SIToFP
	FPTrunc
	FPExt
	PtrToInt
	IntToPtr
	BitCast
	AddrSpaceCast
)

const (
	castBits  = uint64(BitCast)
	castSpace = uint64(AddrSpaceCast)
)

// Predicates of comparisons, as records have them: those of floats are sets of 1 equal, 2 greater, 4 less and 8
// unordered.
const (
	FCmpTrue uint8 = 15
	ICmpEQ   uint8 = 32 + iota - 1
	ICmpNE
	ICmpUGT
	ICmpUGE
	ICmpULT
	ICmpULE
	ICmpSGT
	ICmpSGE
	ICmpSLT
	ICmpSLE
)

// Fast-math flags, as records have them.
const (
	Fast uint64 = 1 << iota // of old modules: all of them
	NoNaNs
	NoInfs
	NoSignedZeros
	Reciprocal
	Contract
	Approximate
	Reassociate
)

// Instr is an instruction.
type Instr struct {
	Op       Op
	Sub      uint8
	Flags    uint64 // fast-math flags of an operation on floats
	Type     *Type  // of the result; Void if there is none
	Elem     *Type  // of GetElementPtr, what it goes into; of Alloca, what it makes room for
	Args     []*Value
	Targets  []int
	Indices  []int // of ExtractValue and InsertValue
	Callee   *Value
	Align    int // of a memory operation, 0 if not given
	Volatile bool
	Loc      Location
	Value    *Value // the result, nil if there is none
}

// IsTerminator reports whether a block ends with the instruction.
func (in *Instr) IsTerminator() bool { return in.Op >= Return && in.Op <= Unreachable }

// Location is a place in a source, Line 0 if it is not known.
type Location struct {
	Line, Col int
	Scope     *Node // a debug node that knows the file
}
