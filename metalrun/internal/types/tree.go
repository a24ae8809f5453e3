package types

import "metalconform/metalrun/internal/syntax"

// Program is a checked translation unit: its entry points and all that they reach.
type Program struct {
	Kernels           []*Func // in order of declaration or instantiation
	FunctionConstants []*FunctionConstant
	Constants         []*Var // variables of program scope with known contents, in order of declaration
	Warnings          syntax.ErrorList
}

// Kernel finds an entry point by host name, or nil.
func (p *Program) Kernel(name string) *Func {
	for _, k := range p.Kernels {
		if k.Name == name {
			return k
		}
	}
	return nil
}

// FunctionConstant is "constant T name [[function_constant(Index)]];". Its
// value is given at check time (Config); its Var is a constant-folded global.
type FunctionConstant struct {
	Name    string
	Index   int
	Type    Type
	Defined bool // a value was given
	Pos     syntax.Pos
	Var     *Var // reads of a constant that was not given a value load this; its Data is zero
}

// Func is one function, instance of a function template, or entry point.
type Func struct {
	Name   string     // host name of an entry point; otherwise the qualified name with template arguments
	Pos    syntax.Pos // of an instance that is an entry point, where it is instantiated
	Params []*Var
	Result Type
	Body   *Block
	Kernel *Kernel // nil unless an entry point
	Cycle  *Cycle  // that it is part of: it may be called while it runs
	Inner  bool    // what stands in it are statements of another function, whose variables it uses
	deep   int     // expressions of it in each other
}

// Kernel is what makes a function an entry point. Args has one element per
// parameter of the function.
type Kernel struct {
	Args       []KernelArg
	Declared   syntax.Pos // as a function, or as the template that it instantiates
	MaxThreads int        // [[max_total_threads_per_threadgroup(n)]], 0 if absent
	Required   [3]int     // [[required_threads_per_threadgroup(x, y, z)]], zeros if absent
	// Work is what lowering it takes, in steps of a [syntax.Budget].
	Work int
	// Instructions are as many as it may become, with those of the functions that it calls.
	Instructions int
	// FastDivision: the operator / is fast division, as are unqualified functions.
	FastDivision bool
	order        int // of its declaration, for several checkers
}

// KernelArg says what a parameter of an entry point receives.
type KernelArg struct {
	Kind  ArgKind
	Index int    // in its table, given or assigned
	Count int    // entries that an array of textures or samplers takes, 0 for one
	Slots []int  // of textures: entries of the buffer table that no buffer has
	Texel Vector // of textures
	Input string // the builtin's attribute for Input, e.g. "thread_position_in_grid"
}

func (a KernelArg) entries() int { return max(1, a.Count) }

// ArgKind classifies kernel parameters.
type ArgKind uint8

const (
	BufferArg      ArgKind = iota // device or constant pointer or reference
	ThreadgroupArg                // threadgroup pointer with [[threadgroup(n)]]
	InputArg                      // a value that identifies the thread or the grid
	ValueArg                      // struct or scalar by value in the buffer table ("constant T x [[buffer(n)]]" without &)
	TextureArg                    // a texture or an array of them
	TableArg                      // a table of functions, in the buffer table
	SamplerArg                    // a sampler or an array of them
	AbsentArg                     // excluded by [[function_constant(f)]] with f false, or without a value: a null pointer
)

// Var is a variable: local, parameter, threadgroup variable or program-scope constant.
//
// A reference variable (Ref) has the referent's type as Type and Space the
// referent's address space; its initialiser or argument is an lvalue, which it
// denotes for its whole life.
type Var struct {
	Name   string
	Pos    syntax.Pos
	Type   Type
	Space  Space // Thread for locals and value parameters
	Ref    bool
	Const  bool
	Global bool // program scope or static constexpr member
	Part   bool // the name of a part in a structured binding: a reference that has the part's own type
	// Data is the contents of a Constant-space variable, little endian,
	// len = Type.Size(). Const locals whose value is known at compile time have
	// it too; they are declared by a VarStmt with an Init all the same.
	Data []byte
}

// Expr is a typed expression. Lvalues denote objects: VarExpr, Deref,
// Temporary, ThreadElements, a Comma that ends in an lvalue, and Index, Field
// and Swizzle of lvalues. Everything else is a value; the value of
// an lvalue is taken by an explicit Load.
type Expr interface {
	Pos() syntax.Pos
	Type() Type
}

type expr struct {
	pos syntax.Pos
	typ Type
}

func (e *expr) place(pos syntax.Pos, t Type) { e.pos, e.typ = pos, t }

// Place gives a call that a later pass makes its position and type.
func Place(c *Call, pos syntax.Pos, t Type) { c.place(pos, t) }

func (e *expr) Pos() syntax.Pos { return e.pos }
func (e *expr) Type() Type      { return e.typ }

// Targets are the functions of one type whose address is taken; number n is List[n-1]. They
// are complete once the program is.
type Targets struct{ List []*Func }

// Op is an operator on values of equal type.
type Op uint8

const (
	Add Op = iota
	Sub
	Mul
	Div
	Rem
	And
	Or
	Xor
	Shl
	Shr
	Eq
	Ne
	Lt
	Le
	Gt
	Ge
	LAnd   // scalar bool: short-circuit; boolN: element by element
	LOr    // likewise
	Neg    // unary
	Not    // unary ~
	LNot   // unary !
	MatMul // Matrix×Matrix, Matrix×Vector (column), Vector (row)×Matrix; operand types differ
)

func (o Op) String() string {
	return [...]string{"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "==", "!=", "<", "<=", ">", ">=", "&&", "||", "-", "~", "!", "*"}[o]
}

type (
	// Const is a scalar (Kind, *Enum) or pointer constant. Bits holds the value in the type's
	// own format: two's complement sign-extended to 64 bits for integers, 0 or
	// 1 for bool, the IEEE or bfloat bit pattern for floats, 0 for a null pointer.
	Const struct {
		expr
		Bits uint64
	}
	// VarExpr denotes a variable (lvalue).
	VarExpr struct {
		expr
		Var *Var
	}
	// Load is the value of an lvalue.
	Load struct {
		expr
		X Expr
	}
	// Deref is *X (lvalue).
	Deref struct {
		expr
		X Expr // pointer value
	}
	// Index is X[I]: element of an array, component of a vector, column of a
	// matrix. An lvalue if X is one. I is a value of any integer type. (A
	// pointer's p[i] is Deref{PtrAdd{p, i}}.)
	Index struct {
		expr
		X, I Expr
	}
	// FieldExpr is X.f, an lvalue if X is one.
	FieldExpr struct {
		expr
		X     Expr
		Field int // index in the *Struct's Fields
	}
	// Swizzle is X.xyz: an lvalue if X is one. Several components have vector type.
	Swizzle struct {
		expr
		X     Expr
		Comps []int
	}
	// AddrOf is &X of an lvalue.
	AddrOf struct {
		expr
		X Expr
	}
	// Decay is an array lvalue as a pointer to its first element.
	Decay struct {
		expr
		X Expr
	}
	// Unary is Op X with Op Neg, Not or LNot. Math, here and below, is what the
	// compiler may do with a floating operation.
	Unary struct {
		expr
		Op   Op
		X    Expr
		Math Licence
		open bool // not a constant
	}
	// Binary is X Op Y with operands of one type (scalar, vector, matrix,
	// pointer for comparisons, SimdMatrix for Mul). Comparisons have type bool
	// or boolN. For vectors, operations work element by element in the
	// element's type (char4 + char4 wraps at 8 bits).
	Binary struct {
		expr
		Op   Op
		X, Y Expr
		Math Licence
		open bool // not a constant
	}
	// PtrAdd is P + I elements, or P - I with Neg. I has any integer type.
	PtrAdd struct {
		expr
		P, I Expr
		Neg  bool
	}
	// PtrDiff is X - Y in elements; its type is long.
	PtrDiff struct {
		expr
		X, Y Expr
	}
	// ThreadElements is m.thread_elements() of a SimdMatrix lvalue: an lvalue
	// Vector{Elem, 2} over the two elements of the matrix that this lane holds.
	ThreadElements struct {
		expr
		X Expr
	}
	// Temporary is a new object in thread space that holds the value X (an
	// lvalue). References to const and the "this" of a call on a value bind to it.
	Temporary struct {
		expr
		X Expr
	}
	// Convert changes the type of a value: scalar to scalar (to bool: is not
	// zero), vector to vector of the same length, scalar to vector (splat) or
	// matrix (every element), matrix to matrix of the same shape, packed to plain
	// and back, enum to and from integer, pointer to pointer
	// (reinterpretation), pointer to ulong and back, pointer to bool, SimdVote
	// to and from ulong, anything to void.
	Convert struct {
		expr
		X Expr
	}
	// Construct makes a vector, matrix, struct, union or array. Vector: Args
	// are scalars of the element kind and vectors whose components fill it in
	// order. Matrix: columns, or all elements, or one scalar for the diagonal.
	// Struct and array: one value per field or element, missing ones are zero;
	// union: one value for the first field. SimdMatrix: one scalar, the diagonal.
	Construct struct {
		expr
		Args  []Expr
		Field int // of a union: the one that Args is for
	}
	// AsType reinterprets the bits of X in a type of the same size.
	AsType struct {
		expr
		X Expr
	}
	// Assign stores R in lvalue L. As an expression it is the lvalue L.
	Assign struct {
		expr
		L, R Expr
	}
	// OpAssign is L Op= R: L = (type of L)((Comp)L Op R), where R has type Comp
	// already, or for shifts its own. L is evaluated once. For pointers Comp is
	// the pointer type and R an integer. As an expression it is the lvalue L.
	OpAssign struct {
		expr
		Op   Op
		L, R Expr
		Comp Type
		Math Licence
	}
	// IncDec is ++L, --L (an lvalue) or, with Postfix, L++, L-- (a value).
	IncDec struct {
		expr
		L            Expr
		Dec, Postfix bool
		Math         Licence
	}
	// Call calls a function of the program. Arguments for reference parameters are lvalues.
	Call struct {
		expr
		Func *Func
		Args []Expr
	}
	// PointerCall calls the function that Fun, of type *Signature, points to: one of Targets.
	PointerCall struct {
		expr
		Fun     Expr
		Targets *Targets
		Args    []Expr
	}
	// BuiltinCall calls a function of the standard library (stdlib.go). Args
	// have been converted to the types that the table asks for; arguments
	// taken by reference (frexp, modf, sincos) are lvalues, and atomics take a
	// pointer value first. Precision is "precise" or "fast" if the call or
	// Config.FastFunctions says so, otherwise "": one variant, or the precise one.
	BuiltinCall struct {
		expr
		Name      string // an input of the kernel, e.g. "thread_index_in_simdgroup", or as in the table: "fma", "simd_sum", "threadgroup_barrier", "atomic_fetch_add_explicit"
		Precision string
		Args      []Expr
		Math      Licence
	}
	// Cond is C ? X : Y. If both are lvalues of one type so is the result; then X and Y are bare lvalues.
	Cond struct {
		expr
		C, X, Y Expr
		LValue  bool
		Math    Licence
	}
	// Comma evaluates X for its effects and is Y.
	Comma struct {
		expr
		X, Y Expr
	}
)

// Stmt is a typed statement.
type Stmt interface{ stmt() }

type (
	// Block is a scope.
	Block struct{ List []Stmt }
	// VarStmt declares a local. Init is nil when the variable is not
	// initialised (its value is indeterminate), an lvalue for a reference.
	// Threadgroup variables of a kernel body are declared so too, without Init.
	VarStmt struct {
		Var  *Var
		Init Expr
	}
	// ExprStmt evaluates X for its effects.
	ExprStmt struct{ X Expr }
	// If has Else nil if absent. Cond is a scalar bool value.
	If struct {
		Cond       Expr
		Then, Else *Block
	}
	// Loop is for, while and do. For each turn: test Cond (nil: true) unless
	// it is the first turn of a TestLast loop, run Body, then Post (nil: none).
	// continue goes to Post.
	Loop struct {
		Pos      syntax.Pos
		Cond     Expr
		Post     Expr
		Body     *Block
		TestLast bool // do … while
		Unroll   int  // as [syntax.Unroll] has it
	}
	// Switch runs from the case whose value equals X (an integer value), or
	// from the default, to the next break. Cases are in source order and fall through.
	Switch struct {
		Pos   syntax.Pos
		X     Expr
		Cases []Case
	}
	// Break leaves the innermost Loop or Switch.
	Break struct{ Pos syntax.Pos }
	// Continue goes to the next turn of the innermost Loop.
	Continue struct{ Pos syntax.Pos }
	// Return leaves the function. X is nil for void.
	Return struct {
		Pos syntax.Pos
		X   Expr
	}
)

// Case is one label of a Switch with the statements up to the next label.
// Declarations before the first label are not supported.
type Case struct {
	Values  []int64 // sign- or zero-extended from the switch type; several labels may stand together
	Default bool
	Body    []Stmt
}

func (*Block) stmt()    {}
func (*VarStmt) stmt()  {}
func (*ExprStmt) stmt() {}
func (*If) stmt()       {}
func (*Loop) stmt()     {}
func (*Switch) stmt()   {}
func (*Break) stmt()    {}
func (*Continue) stmt() {}
func (*Return) stmt()   {}
