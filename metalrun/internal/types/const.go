package types

import (
	"metalconform/metalrun/internal/syntax"
)

// Constant expressions are evaluated over the typed tree. Values are bytes in
// the layout of memory, objects are byte arrays, and a pointer is the number
// of an object and an offset: so structs, vectors, unions and casts between
// pointers need no representation of their own.

// constEval is the value of a scalar, enumeration or null-pointer expression
// if it is a constant.
func (c *checker) constEval(e Expr) (*Const, bool) {
	if k, ok := e.(*Const); ok {
		return k, true
	}
	if scalarKind(e.Type()) == Void || c.varies(e) {
		return nil, false
	}
	data, fault := c.evaluate(e)
	if fault != nil {
		return nil, false
	}
	return &Const{expr{e.Pos(), e.Type()}, bitsOf(data, e.Type())}, true
}

// varies reports whether e plainly depends on a variable, or has been found to be no constant: the usual
// cases, found without an evaluation.
func (c *checker) varies(e Expr) bool {
	switch e := e.(type) {
	case *Load:
		return c.varies(e.X)
	case *VarExpr:
		return e.Var.Data == nil
	case *Deref:
		return c.varies(e.X)
	case *Convert:
		return c.varies(e.X)
	case *PtrAdd:
		return c.varies(e.P) || c.varies(e.I)
	case *Unary:
		return e.open && !c.assuming || c.varies(e.X)
	case *Binary:
		return e.open && !c.assuming || c.varies(e.X) || e.Op != LAnd && e.Op != LOr && c.varies(e.Y)
	}
	return false
}

// constBytes is the contents of an object of type t that e initialises, if e
// is a constant. Pointers other than null have no such contents.
func (c *checker) constBytes(e Expr, t Type) ([]byte, bool) {
	data, fault := c.evaluate(e)
	if fault != nil || len(data) != t.Size() {
		return nil, false
	}
	return data, true
}

// whyNotConstant says, for an expression that constEval or constBytes refused,
// which part of it is to blame and why: a clause for a message.
func (c *checker) whyNotConstant(e Expr) (syntax.Pos, string) {
	if _, fault := c.evaluate(e); fault != nil {
		return fault.pos, fault.why
	}
	return e.Pos(), "it is not a scalar"
}

// notConstant ends an evaluation.
type notConstant struct {
	pos     syntax.Pos
	why     string
	assumed bool // function constants count as zero, and with other values it may well be one
}

// evaluate is the value of e as bytes.
func (c *checker) evaluate(e Expr) (data []byte, fault *notConstant) {
	v := &evaluator{c: c}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *notConstant:
			data, fault = nil, r
			if r.assumed {
				data, fault = make([]byte, e.Type().Size()), nil
			}
		default:
			panic(r)
		}
	}()
	data = v.value(e)
	if holdsPointer(e.Type(), data) {
		return nil, &notConstant{pos: e.Pos(), why: "the address of an object is no constant"}
	}
	return data, nil
}

// holdsPointer reports whether data, of type t, has a pointer that is not null.
func holdsPointer(t Type, data []byte) bool {
	switch t := t.(type) {
	case *Pointer:
		return bitsOf(data, t) != 0
	case *Array:
		if holds(t.Elem, isPointer) == nil {
			return false
		}
		for i := range t.Len {
			if holdsPointer(t.Elem, data[i*t.Elem.Size():]) {
				return true
			}
		}
	case *Struct:
		for _, f := range t.Fields {
			if !t.Union && holdsPointer(f.Type, data[f.Offset:]) {
				return true
			}
		}
	}
	return false
}

// An evaluator computes one constant expression.
type evaluator struct {
	c       *checker
	objects []*object
	globals map[*Var]location // program-scope constants met so far
	frame   map[*Var]location // locals of the function being evaluated
	depth   int               // of calls
	nested  int               // expressions in each other
	site    syntax.Pos        // of the outermost
	steps   int
	result  []byte // of the function that is returning
}

// stepBytes are the bytes of a value that take one more step.
const stepBytes = 64

// object is memory that a location can lie in.
type object struct {
	data  []byte
	known []bool // which bytes have been written
	fixed bool   // a constant
}

// location is where an lvalue lies. As a pointer it is (object+1)<<48 + offset.
type location struct{ obj, off int }

const pointerShift = 48

// fail ends the evaluation. Inside a function the call in the expression is to blame.
func (v *evaluator) fail(pos syntax.Pos, why string) {
	if v.depth > 0 {
		why += ", at " + pos.String()
		pos = v.site
	}
	panic(&notConstant{pos: pos, why: why})
}

// undefined ends the evaluation, since these values give none.
func (v *evaluator) undefined(pos syntax.Pos, why string) {
	if v.c.assuming && v.c.assumed {
		panic(&notConstant{assumed: true})
	}
	v.fail(pos, why)
}

// blame is the expression in the program that asks for what happens at pos.
func (v *evaluator) blame(pos syntax.Pos) syntax.Pos {
	if v.depth > 0 {
		return v.site
	}
	return pos
}

// step takes a step, or several for a value of many bytes, which is copied.
func (v *evaluator) step(pos syntax.Pos, bytes int) {
	n := 1 + bytes/stepBytes
	v.steps += n
	v.c.spend(v.blame(pos), n)
	if l := &v.c.cfg.Budget.Limits; v.steps > l.Of(syntax.ConstantSteps) {
		v.fail(pos, l.Exceeded(syntax.ConstantSteps, "its evaluation takes more steps than %d"))
	}
}

// newObject makes an object, with contents unless data is nil.
func (v *evaluator) newObject(size int, data []byte) location {
	v.steps += size / stepBytes
	o := &object{data: make([]byte, size), known: make([]bool, size)}
	if data != nil {
		copy(o.data, data)
		for i := range o.known {
			o.known[i] = true
		}
	}
	v.objects = append(v.objects, o)
	return location{len(v.objects) - 1, 0}
}

// variable is where x lies.
func (v *evaluator) variable(pos syntax.Pos, x *Var) location {
	if p, ok := v.frame[x]; ok {
		return p
	}
	if p, ok := v.globals[x]; ok {
		return p
	}
	if t, ok := x.Type.(*Struct); ok && isEmpty(t) {
		return v.newObject(t.Size(), make([]byte, t.Size())) // nothing of it can be read
	}
	if x.Data == nil || !x.Const {
		v.fail(pos, "the value of "+x.Name+" is known only when the kernel runs")
	}
	if v.c.unset[x] {
		if !v.c.assuming {
			v.fail(pos, "the function constant "+x.Name+" has no value")
		}
		v.c.assumed = true
	}
	p := v.newObject(len(x.Data), x.Data)
	v.objects[p.obj].fixed = true
	if v.globals == nil {
		v.globals = map[*Var]location{}
	}
	v.globals[x] = p
	return p
}

// bind says where a local of the function lies.
func (v *evaluator) bind(x *Var, at location) {
	if v.frame == nil {
		v.frame = map[*Var]location{}
	}
	v.frame[x] = at
}

// load copies n bytes from p.
func (v *evaluator) load(pos syntax.Pos, p location, n int) []byte {
	o := v.object(pos, p, n)
	for _, k := range o.known[p.off : p.off+n] {
		if !k {
			v.padding(pos, o, p, n)
			break
		}
	}
	return append([]byte(nil), o.data[p.off:p.off+n]...)
}

// padding refuses a read of an object that nothing has been written to. A
// struct or vector that was set in parts may have gaps between them.
func (v *evaluator) padding(pos syntax.Pos, o *object, p location, n int) {
	for _, k := range o.known[p.off : p.off+n] {
		if k {
			return
		}
	}
	v.fail(pos, "it reads a variable that has no value yet")
}

func (v *evaluator) store(pos syntax.Pos, p location, data []byte) {
	o := v.object(pos, p, len(data))
	if o.fixed {
		v.fail(pos, "it writes to a constant")
	}
	copy(o.data[p.off:], data)
	for i := range data {
		o.known[p.off+i] = true
	}
}

// object is what p lies in, with n bytes from there.
func (v *evaluator) object(pos syntax.Pos, p location, n int) *object {
	if p.obj < 0 || p.obj >= len(v.objects) {
		v.undefined(pos, "it follows a null pointer")
	}
	o := v.objects[p.obj]
	if p.off < 0 || p.off+n > len(o.data) {
		v.undefined(pos, "it reaches outside of an object")
	}
	return o
}

func (p location) pointer() uint64 {
	return uint64(int64(p.obj+1)<<pointerShift + int64(p.off))
}

func locationOf(pointer uint64) location {
	off := int64(pointer<<16) >> 16
	return location{int((int64(pointer)-off)>>pointerShift) - 1, int(off)}
}
