package hir

import "metalconform/metalrun/internal/syntax"

// Expr is a typed expression. Lvalues denote objects: VarExpr, Deref,
// Temporary, ThreadElements, a Comma that ends in an lvalue, and Index, Field
// and Swizzle of lvalues. Everything else is a value; the value of
// an lvalue is taken by an explicit Load.
type Expr interface {
	Pos() syntax.Pos
	Type() Type
}

// Node is what every expression has: a position and a type.
type Node struct {
	pos syntax.Pos
	typ Type
}

// Pos is where the expression stands.
func (e *Node) Pos() syntax.Pos { return e.pos }

// Type is the type of the value, or of the object that an lvalue denotes.
func (e *Node) Type() Type { return e.typ }

// At is the position and type of an expression that stands at pos.
func At(pos syntax.Pos, t Type) Node { return Node{pos, t} }

type (
	// Const is a scalar (Kind, *Enum) or pointer constant. Bits holds the value in the type's
	// own format: two's complement sign-extended to 64 bits for integers, 0 or
	// 1 for bool, the IEEE or bfloat bit pattern for floats, 0 for a null pointer.
	// Decimal is what the text of the source says of a float.
	Const struct {
		Node
		Bits    uint64
		Decimal syntax.Decimal
	}
	// VarExpr denotes a variable (lvalue).
	VarExpr struct {
		Node
		Var *Var
	}
	// Load is the value of an lvalue.
	Load struct {
		Node
		X Expr
	}
	// Deref is *X (lvalue).
	Deref struct {
		Node
		X Expr // pointer value
	}
	// Index is X[I]: element of an array, component of a vector, column of a
	// matrix. An lvalue if X is one. I is a value of any integer type. (A
	// pointer's p[i] is Deref{PtrAdd{p, i}}.)
	Index struct {
		Node
		X, I Expr
	}
	// FieldExpr is X.f, an lvalue if X is one.
	FieldExpr struct {
		Node
		X     Expr
		Field int // index in the *Struct's Fields
	}
	// Swizzle is X.xyz: an lvalue if X is one. Several components have vector type.
	Swizzle struct {
		Node
		X     Expr
		Comps []int
	}
	// AddrOf is &X of an lvalue.
	AddrOf struct {
		Node
		X Expr
	}
	// Decay is an array lvalue as a pointer to its first element.
	Decay struct {
		Node
		X Expr
	}
	// Unary is Op X with Op Neg, Not or LNot. Math, here and below, is what the
	// compiler may do with a floating operation.
	Unary struct {
		Node
		Op          Op
		X           Expr
		Math        FastMathFlags
		NotConstant bool // it has been evaluated in vain: no constant expression
	}
	// Binary is X Op Y with operands of one type (scalar, vector, matrix,
	// pointer for comparisons, SimdMatrix for Mul). Comparisons have type bool
	// or boolN. For vectors, operations work element by element in the
	// element's type (char4 + char4 wraps at 8 bits).
	Binary struct {
		Node
		Op          Op
		X, Y        Expr
		Math        FastMathFlags
		NotConstant bool // it has been evaluated in vain: no constant expression
		// Mark says that control comes to Y, of && and ||. There are marks where coverage is asked for.
		Mark *syntax.StmtID
	}
	// PtrAdd is P + I elements, or P - I with Neg. I has any integer type.
	PtrAdd struct {
		Node
		P, I Expr
		Neg  bool
	}
	// PtrDiff is X - Y in elements; its type is long.
	PtrDiff struct {
		Node
		X, Y Expr
	}
	// ThreadElements is m.thread_elements() of a SimdMatrix lvalue: an lvalue
	// Vector{Elem, 2} over the two elements of the matrix that this lane holds.
	ThreadElements struct {
		Node
		X Expr
	}
	// Temporary is a new object in thread space that holds the value X (an
	// lvalue). References to const and the "this" of a call on a value bind to it.
	Temporary struct {
		Node
		X Expr
	}
	// Convert changes the type of a value: scalar to scalar (to bool: is not
	// zero), vector to vector of the same length, scalar to vector (splat) or
	// matrix (every element), matrix to matrix of the same shape, packed to plain
	// and back, enum to and from integer, pointer to pointer
	// (reinterpretation), pointer to ulong and back, pointer to bool, SimdVote
	// to and from ulong, anything to void.
	Convert struct {
		Node
		X Expr
	}
	// Construct makes a vector, matrix, struct, union or array. Vector: Args
	// are scalars of the element kind and vectors whose components fill it in
	// order. Matrix: columns, or all elements, or one scalar for the diagonal.
	// Struct and array: one value per field or element, missing ones are zero;
	// union: one value for the first field. SimdMatrix: one scalar, the diagonal.
	Construct struct {
		Node
		Args  []Expr
		Field int // of a union: the one that Args is for
	}
	// AsType reinterprets the bits of X in a type of the same size.
	AsType struct {
		Node
		X Expr
	}
	// Assign stores R in lvalue L. As an expression it is the lvalue L.
	Assign struct {
		Node
		L, R Expr
	}
	// OpAssign is L Op= R: L = (type of L)((Comp)L Op R), where R has type Comp
	// already, or for shifts its own. L is evaluated once. For pointers Comp is
	// the pointer type and R an integer. As an expression it is the lvalue L.
	OpAssign struct {
		Node
		Op   Op
		L, R Expr
		Comp Type
		Math FastMathFlags
	}
	// IncDec is ++L, --L (an lvalue) or, with Postfix, L++, L-- (a value).
	IncDec struct {
		Node
		L            Expr
		Dec, Postfix bool
		Math         FastMathFlags
	}
	// Call calls a function of the program. Arguments for reference parameters are lvalues.
	Call struct {
		Node
		Func *Func
		Args []Expr
	}
	// PointerCall calls the function that Fun, of type *Signature, points to: one of Targets.
	PointerCall struct {
		Node
		Fun     Expr
		Targets *Targets
		Args    []Expr
	}
	// BuiltinCall calls a function of the standard library. Args
	// have been converted to the types of the prototype; arguments
	// taken by reference (frexp, modf, sincos) are lvalues, and atomics take a
	// pointer value first. Precision is "precise" or "fast" if the call or
	// Config.FastFunctions says so, otherwise "": one variant, or the precise one.
	BuiltinCall struct {
		Node
		// Name is an input of the kernel, e.g. "thread_index_in_simdgroup", or a function: "fma",
		// "simd_sum", "threadgroup_barrier", "atomic_fetch_add_explicit".
		Name      string
		Precision string
		Args      []Expr
		Math      FastMathFlags
	}
	// Cond is C ? X : Y. If both are lvalues of one type so is the result; then X and Y are bare lvalues.
	Cond struct {
		Node
		C, X, Y Expr
		LValue  bool
		Math    FastMathFlags
		// MarkX and MarkY say that control comes to X and to Y. There are such where coverage is asked for.
		MarkX, MarkY *syntax.StmtID
	}
	// Comma evaluates X for its effects and is Y.
	Comma struct {
		Node
		X, Y Expr
	}
)

// IsLvalue reports whether e denotes an object.
func IsLvalue(e Expr) bool {
	switch e := e.(type) {
	case *VarExpr, *Deref, *Temporary, *ThreadElements, *Assign, *OpAssign:
		return true
	case *Index:
		return IsLvalue(e.X)
	case *FieldExpr:
		return IsLvalue(e.X)
	case *Swizzle:
		return IsLvalue(e.X)
	case *IncDec:
		return !e.Postfix
	case *Cond:
		return e.LValue
	case *Comma:
		return IsLvalue(e.Y)
	}
	return false
}

// HasSideEffects reports whether evaluating e twice may differ from evaluating it once.
func HasSideEffects(e Expr) bool {
	found := false
	WalkExpr(e, func(e Expr) {
		switch e.(type) {
		case *Assign, *OpAssign, *IncDec, *Call, *BuiltinCall:
			found = true
		}
	})
	return found
}
