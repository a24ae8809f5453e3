package consteval

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// An Evaluator evaluates the constant expressions of one compilation.
type Evaluator struct {
	// Limits bound the steps, the depth and the calls of one evaluation.
	Limits *syntax.Limits
	// Spend charges steps of work for what stands at pos. It may panic to end the compilation.
	Spend func(pos syntax.Pos, steps int)
	// Body is the body of a constexpr function that is called at pos, nil for any other
	// function and for one that is not defined.
	Body func(f *hir.Func, pos syntax.Pos) *hir.Block
	// Cover, if not nil, is told of each statement that is executed where coverage is asked for.
	Cover func(syntax.StmtID)
	// Unset are the function constants without a value, and the constants computed from them.
	Unset map[*hir.Var]bool
	// Addresses are the initialisers of constants that hold addresses, which have no contents as bytes.
	Addresses map[*hir.Var]hir.Expr

	assume  bool // members of Unset count as zero
	assumed bool // the zero of one has been read
}

// Assuming runs f while function constants without a value count as zero. It reports whether f
// evaluated an expression that depends on one.
func (v *Evaluator) Assuming(f func()) (depends bool) {
	assume, assumed := v.assume, v.assumed
	v.assume, v.assumed = true, false
	f()
	depends = v.assumed
	v.assume, v.assumed = assume, assumed
	return depends
}

// Scalar is the value of a scalar, enumeration or null-pointer expression if it is a constant.
func (v *Evaluator) Scalar(e hir.Expr) (*hir.Const, bool) {
	if k, ok := e.(*hir.Const); ok {
		return k, true
	}
	if hir.ScalarKind(e.Type()) == hir.Void || v.Varies(e) {
		return nil, false
	}
	data, fault := v.Eval(e)
	if fault != nil {
		return nil, false
	}
	return &hir.Const{Node: hir.At(e.Pos(), e.Type()), Bits: hir.BitsOf(data, e.Type())}, true
}

// Bytes is the contents of an object of type t that e initialises, if e is a constant. Pointers
// other than null have no such contents.
func (v *Evaluator) Bytes(e hir.Expr, t hir.Type) ([]byte, bool) {
	data, fault := v.Eval(e)
	if fault != nil || len(data) != t.Size() {
		return nil, false
	}
	return data, true
}

// Varies reports whether e plainly depends on a variable, or is marked as no constant. It
// decides the usual cases without an evaluation. False means that only an evaluation can tell.
func (v *Evaluator) Varies(e hir.Expr) bool {
	switch e := e.(type) {
	case *hir.Load:
		return v.Varies(e.X)
	case *hir.VarExpr:
		return e.Var.Data == nil && v.Addresses[e.Var] == nil
	case *hir.Deref:
		return v.Varies(e.X)
	case *hir.Convert:
		return v.Varies(e.X)
	case *hir.PtrAdd:
		return v.Varies(e.P) || v.Varies(e.I)
	case *hir.Unary:
		return e.NotConstant && !v.assume || v.Varies(e.X)
	case *hir.Binary:
		return e.NotConstant && !v.assume || v.Varies(e.X) || e.Op != hir.LAnd && e.Op != hir.LOr && v.Varies(e.Y)
	}
	return false
}

// A Fault says why an expression is no constant, and which part of it is to blame.
type Fault struct {
	Pos syntax.Pos
	Why string // a clause for a message
}

// unknown ends an evaluation whose value follows from function constants that count as zero:
// With other values the expression may well be a constant.
type unknown struct{}

// Eval is the value of e as bytes in the layout of memory.
func (v *Evaluator) Eval(e hir.Expr) ([]byte, *Fault) {
	data, _, fault := v.evaluate(e)
	if fault == nil && holdsPointer(e.Type(), data, nil) {
		return nil, &Fault{Pos: e.Pos(), Why: "the address of an object is no constant"}
	}
	return data, fault
}

// IsAddress reports whether e is a constant that holds addresses, which are all of constant data.
func (v *Evaluator) IsAddress(e hir.Expr) bool {
	data, done, fault := v.evaluate(e)
	if fault != nil || !holdsPointer(e.Type(), data, nil) {
		return false
	}
	return !holdsPointer(e.Type(), data, func(pointer uint64) bool {
		for x, at := range done.globals {
			if at.obj == locationOf(pointer).obj && x.Data != nil && x.Space == syntax.Constant {
				return false
			}
		}
		return true
	})
}

// evaluate is the value of e, and what its evaluation has met.
func (v *Evaluator) evaluate(e hir.Expr) (data []byte, done *evaluation, fault *Fault) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Fault:
			data, fault = nil, r
		case unknown:
			data, fault = make([]byte, e.Type().Size()), nil
		default:
			panic(r)
		}
	}()
	done = &evaluation{in: v}
	return done.value(e), done, nil
}

// holdsPointer reports whether data, of type t, contains a pointer that is not null. Unless is is nil, it has to report
// true of the pointer.
func holdsPointer(t hir.Type, data []byte, is func(pointer uint64) bool) bool {
	switch t := t.(type) {
	case *hir.Pointer:
		pointer := hir.BitsOf(data, t)
		return pointer != 0 && (is == nil || is(pointer))
	case *hir.Array:
		if hir.Find(t.Elem, hir.IsPointer) == nil {
			return false
		}
		for i := range t.Len {
			if holdsPointer(t.Elem, data[i*t.Elem.Size():], is) {
				return true
			}
		}
	case *hir.Struct:
		for _, f := range t.Fields {
			if !t.Union && holdsPointer(f.Type, data[f.Offset:], is) {
				return true
			}
		}
	}
	return false
}

// An evaluation computes the value of one constant expression.
type evaluation struct {
	in      *Evaluator
	objects []*object
	globals map[*hir.Var]location // program-scope constants met so far
	frame   map[*hir.Var]location // locals of the function being evaluated
	depth   int                   // calls under way
	nested  int                   // expressions under way
	site    syntax.Pos            // the outermost call
	steps   int
	result  []byte // the value that a return statement left
}

// fail ends the evaluation. Inside a function the call in the expression is to blame.
func (v *evaluation) fail(pos syntax.Pos, why string) {
	if v.depth > 0 {
		why += ", at " + pos.String()
		pos = v.site
	}
	panic(&Fault{Pos: pos, Why: why})
}

// undefined ends the evaluation, because the operation has no value for these operands.
func (v *evaluation) undefined(pos syntax.Pos, why string) {
	if v.in.assume && v.in.assumed {
		panic(unknown{})
	}
	v.fail(pos, why)
}

// stepBytes is the number of bytes of a value that cost one more step.
const stepBytes = 64

// step takes a step, or several for a value of many bytes, which is copied.
func (v *evaluation) step(pos syntax.Pos, bytes int) {
	n := 1 + bytes/stepBytes
	v.steps += n
	blame := pos // the expression in the program that asks for it
	if v.depth > 0 {
		blame = v.site
	}
	v.in.Spend(blame, n)
	if l := v.in.Limits; v.steps > l.Of(syntax.ConstantSteps) {
		v.fail(pos, l.Exceeded(syntax.ConstantSteps, "its evaluation takes more steps than %d"))
	}
}
