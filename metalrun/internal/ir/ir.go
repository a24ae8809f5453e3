// Package ir is the intermediate representation that executors consume: one
// kernel, scalar per thread, typed, with structured control flow and explicit
// memory operations by address space.
//
// A [Kernel] describes what a single thread does. It says nothing of lanes or
// masks: a back end may run one thread at a time, all threads of a threadgroup
// in lock-step, or emit code for a GPU. Vectors, matrices and structs have been
// taken apart into scalars; functions are inlined, each call a [Block] that a
// return leaves, or, if they call each other in a cycle, a [Loop] over what lies
// between these calls; pointers are 64-bit values with a static address space.
//
// Values live in registers ([Reg]). A register is one of
//
//   - a temporary, set by exactly one instruction before its uses,
//   - a variable, set by any number of [Set]-like instructions (any op may name a variable as destination),
//   - a constant, with its bits in the register table,
//   - an input, set by the launch: argument pointers, thread positions.
//
// Arithmetic is defined bit for bit: an f32 operation rounds once to f32, f16
// and bf16 operations round once to their format, integers wrap. Where Metal
// leaves a choice (contraction, function accuracy, order of a reduction) the
// instruction carries what the source permits, and the back end's options decide.
//
// What an operation is, and what passes and executors need to know about it, is
// its row in op.go; Walk and Parts (walk.go) are how a tree is visited and
// rewritten.
//
// The rule of the layer: what the source means is spelt out here; an executor
// never looks back at types or syntax, except at positions.
package ir

import (
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/syntax"
)

// Type is the type of a register.
type Type uint8

const (
	Bool Type = iota // true or false
	I32              // 32-bit integer; narrower integers are kept sign- or zero-extended to 32 bits
	I64              // 64-bit integer
	F32
	F16  // binary16 value
	BF16 // bfloat value
	Ptr  // pointer, 64 bits, see Pointers below
)

func (t Type) String() string {
	return [...]string{"bool", "i32", "i64", "f32", "f16", "bf16", "ptr"}[t]
}

// IsFloat reports whether t is a floating type.
func (t Type) IsFloat() bool { return t == F32 || t == F16 || t == BF16 }

// Format is that of a floating type.
func (t Type) Format() scalar.Format {
	switch t {
	case F16:
		return scalar.Half
	case BF16:
		return scalar.Bfloat
	}
	return scalar.F32
}

// Scalar is the type of a scalar in memory, and the source or target of a conversion.
type Scalar uint8

const (
	B8 Scalar = iota // bool, one byte: any but 0 is true
	S8
	U8
	S16
	U16
	S32
	U32
	S64
	U64
	H16 // half
	T16 // bfloat
	R32 // float
	P64 // pointer
)

var scalars = [...]struct {
	name string
	size int
	typ  Type
}{{"bool", 1, Bool}, {"i8", 1, I32}, {"u8", 1, I32}, {"i16", 2, I32}, {"u16", 2, I32}, {"i32", 4, I32}, {"u32", 4, I32},
	{"i64", 8, I64}, {"u64", 8, I64}, {"f16", 2, F16}, {"bf16", 2, BF16}, {"f32", 4, F32}, {"ptr", 8, Ptr}}

// Size is the number of bytes in memory.
func (s Scalar) Size() int { return scalars[s].size }

// Type is the register type that holds an s.
func (s Scalar) Type() Type { return scalars[s].typ }

func (s Scalar) String() string { return scalars[s].name }

// Reg names a register: an index into Kernel.Regs. None means no register.
type Reg int32

// None is the absent register.
const None Reg = -1

// RegKind says how a register gets its value.
type RegKind uint8

const (
	Temp     RegKind = iota // set once, by one instruction, before every use
	Variable                // set and read anywhere
	Literal                 // Bits, always
	Input                   // set by the launch: Source and Index say to what
	Address                 // the address of Kernel.Objects[Index]
)

// RegInfo describes a register.
type RegInfo struct {
	Kind  RegKind
	Type  Type
	Bits  uint64 // Literal: sign-extended integer, 0 or 1, or the bits of the float in its own format
	Input Source // Input
	Index int    // Input BufferPointer and ThreadgroupPointer: table index; Address: object
	Name  string // of the source variable, for printing; may be empty
	// Decimal is what the text of the source says of a Literal that is a float.
	Decimal syntax.Decimal
}

// Source is what an input register receives. Positions are one register per
// component, of type I32 (narrower sources zero-extend the same value).
type Source uint8

const (
	BufferPointer      Source = iota // address of the binding at Index of the buffer table
	ThreadgroupPointer               // address of the memory at Index of the threadgroup table
	ThreadPositionInGridX
	ThreadPositionInGridY
	ThreadPositionInGridZ
	ThreadPositionInThreadgroupX
	ThreadPositionInThreadgroupY
	ThreadPositionInThreadgroupZ
	ThreadgroupPositionInGridX
	ThreadgroupPositionInGridY
	ThreadgroupPositionInGridZ
	ThreadsPerGridX
	ThreadsPerGridY
	ThreadsPerGridZ
	ThreadsPerThreadgroupX // actual size of this threadgroup, smaller at a ragged edge
	ThreadsPerThreadgroupY
	ThreadsPerThreadgroupZ
	DispatchThreadsPerThreadgroupX // size asked for
	DispatchThreadsPerThreadgroupY
	DispatchThreadsPerThreadgroupZ
	ThreadgroupsPerGridX
	ThreadgroupsPerGridY
	ThreadgroupsPerGridZ
	ThreadIndexInThreadgroup
	ThreadIndexInSimdgroup
	ThreadIndexInQuadgroup
	SimdgroupIndexInThreadgroup
	QuadgroupIndexInThreadgroup
	SimdgroupsPerThreadgroup
	QuadgroupsPerThreadgroup
	ThreadsPerSimdgroup
	DispatchSimdgroupsPerThreadgroup
	DispatchQuadgroupsPerThreadgroup
)

// Kernel is one entry point.
type Kernel struct {
	Name       string
	Pos        syntax.Pos
	Args       []Arg
	MaxThreads int // from the source's attribute, 0 if absent
	Regs       []RegInfo
	Objects    []Object
	Body       []Node // the body of the entry point is Body[0], a *Block
}

// Arg is an entry of the argument table that the kernel declares.
type Arg struct {
	Name        string
	Pos         syntax.Pos
	Threadgroup bool // of the threadgroup table; otherwise of the buffer table
	Index       int
	Type        string // pointee as MSL spells it
	Size, Align int    // of the pointee
	Const       bool   // written only through casts
	Space       syntax.Space
	Texture     bool // what the pointer leads to is a texture: its sizes, then its texels
	Entry       int  // of a texture, in the texture table
}

// Object is memory that the kernel itself declares: an array or address-taken
// variable of a thread, a threadgroup variable, or constant data.
type Object struct {
	Name        string
	Pos         syntax.Pos
	Space       syntax.Space // Thread, Threadgroup or Constant
	Size, Align int
	Elem        Scalar // type of the smallest declared element, a hint for layout
	Data        []byte // contents, Constant only
	Deeper      string // of a stack: what is to be said of a call that it has no room for
}

// Pointers. A pointer value holds an object and a signed byte offset in it:
// value = object<<48 + offset, where the offset may be negative. The address
// space is static, so the object number is relative to the space: in device and
// constant space, binding n of the buffer table is object n+1 and constant
// Kernel.Objects[i] is object 64+i; in threadgroup space, entry n of the
// threadgroup table is object n+1 and Kernel.Objects[i] is object 64+i; in
// thread space Kernel.Objects[i] is object 64+i. A null pointer is 0. Pointer
// arithmetic is 64-bit addition; it never leaves the object as long as offsets
// stay within ±2⁴⁷.
const (
	ObjectShift = 48
	FirstArg    = 1  // object of table index 0
	FirstObject = 64 // object of Kernel.Objects[0]
)

// Node is an instruction or a control-flow construct.
type Node interface{ node() }

// Instr is one instruction. What Dst, Args and the other fields hold is the
// picture next to each Op.
type Instr struct {
	Op    Op
	Pos   syntax.Pos
	Dst   []Reg
	Args  []Reg
	From  Scalar        // Convert, Bitcast; memory: the element's type
	To    Scalar        // Convert, Bitcast
	Mem   *Mem          // Load, Store, Atomic
	Fn    string        // Math, Simd, Atomic: function
	Fast  bool          // Math, Div: the source asks for the fast variant (by fast:: or by the default)
	Group int32         // Mul, Add, Sub, Neg: instructions with the same non-zero Group may be contracted to fma
	Allow FastMathFlags // of floating arithmetic, functions, comparisons and selections
	Extra any           // Cover: a number; operations of other packages: what theirs are about
}

// Reads lists the registers that an instruction reads. [None] stands for an index that is absent.
func (in *Instr) Reads() []Reg {
	if in.Mem == nil {
		return in.Args
	}
	return append([]Reg{in.Mem.Base, in.Mem.Index}, in.Args...)
}

// Plain reports whether an atomic only loads or only stores, which threads at one address do all at once.
func (in *Instr) Plain() bool { return in.Op == Atomic && (in.Fn == "load" || in.Fn == "store") }

// Races reports whether an atomic is a sum of floats in device memory, which Apple 7 loads, adds and exchanges if
// nobody has exchanged it since: again and again, until that succeeds (dougallj/applegpu, pull request 25).
func (in *Instr) Races() bool {
	return in.Op == Atomic && in.From.Type() == F32 && in.Mem.Space == syntax.Device &&
		(in.Fn == "add" || in.Fn == "sub")
}

// Mem is the address of a memory operation: Base + Index·Scale + Disp bytes.
// Several destinations or sources are consecutive elements.
type Mem struct {
	Space syntax.Space
	Base  Reg // Ptr
	Index Reg // I32 or I64, or None
	// IndexSigned: an I32 index is sign-extended, otherwise zero-extended.
	IndexSigned bool
	Scale       int64
	Disp        int64
	Align       int // alignment that the source's type promises for the whole access
	Volatile    bool
	// VectorBytes is the size and alignment of the vector whose component is
	// accessed, or 0: a store may write all of the vector back.
	VectorBytes int
}

// If runs Then for threads whose Cond holds, Else for the others.
type If struct {
	Pos        syntax.Pos
	Cond       Reg
	Then, Else []Node
}

// Loop repeats: run Head; leave if Cond (unless None) is false; run Body; run
// Post. A Continue goes to Post, a Break leaves.
type Loop struct {
	Pos  syntax.Pos
	Head []Node
	Cond Reg
	Body []Node
	Post []Node
	// Unroll is how often the source asks for the body in a row, as [syntax.Unroll] has it. No
	// result depends on it.
	Unroll int
}

// Block is the body of the entry point or of an inlined function. Leave ends it.
type Block struct {
	Pos  syntax.Pos
	Name string // of the function
	Body []Node
}

// Exit leaves a construct: Break and Continue name a *Loop that encloses it,
// Leave a *Block.
type Exit struct {
	Pos   syntax.Pos
	Kind  ExitKind
	Loop  *Loop
	Block *Block
}

// ExitKind is the kind of an Exit.
type ExitKind uint8

const (
	Break ExitKind = iota
	Continue
	Leave
)

func (*Instr) node() {}
func (*If) node()    {}
func (*Loop) node()  {}
func (*Block) node() {}
func (*Exit) node()  {}
