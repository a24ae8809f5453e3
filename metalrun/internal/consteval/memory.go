package consteval

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// object is the memory of one object.
type object struct {
	data  []byte
	known []bool // the bytes that have been written
	fixed bool   // a constant, which cannot be written
}

// location is where an lvalue lies: the number of an object and an offset. As a pointer it is
// (object+1)<<pointerShift + offset, so null is no object.
type location struct{ obj, off int }

const pointerShift = 48

// newObject makes an object, with contents unless data is nil.
func (v *evaluation) newObject(size int, data []byte) location {
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
func (v *evaluation) variable(pos syntax.Pos, x *hir.Var) location {
	if p, ok := v.frame[x]; ok {
		return p
	}
	if p, ok := v.globals[x]; ok {
		return p
	}
	if t, ok := x.Type.(*hir.Struct); ok && hir.IsEmpty(t) {
		return v.newObject(t.Size(), make([]byte, t.Size())) // nothing of it can be read
	}
	if init := v.in.Addresses[x]; init != nil {
		p := v.newObject(x.Type.Size(), v.value(init))
		v.objects[p.obj].fixed = true
		return p
	}
	if x.Data == nil || !x.Const {
		v.fail(pos, "the value of "+x.Name+" is known only when the kernel runs")
	}
	if v.in.Unset[x] {
		if !v.in.assume {
			v.fail(pos, "the function constant "+x.Name+" has no value")
		}
		v.in.assumed = true
	}
	p := v.newObject(len(x.Data), x.Data)
	v.objects[p.obj].fixed = true
	if v.globals == nil {
		v.globals = map[*hir.Var]location{}
	}
	v.globals[x] = p
	return p
}

// bind sets where a local of the function lies.
func (v *evaluation) bind(x *hir.Var, at location) {
	if v.frame == nil {
		v.frame = map[*hir.Var]location{}
	}
	v.frame[x] = at
}

// load copies n bytes from p.
func (v *evaluation) load(pos syntax.Pos, p location, n int) []byte {
	o := v.object(pos, p, n)
	for _, k := range o.known[p.off : p.off+n] {
		if !k {
			v.padding(pos, o, p, n)
			break
		}
	}
	return append([]byte(nil), o.data[p.off:p.off+n]...)
}

// padding refuses a read of bytes none of which has been written. A struct or vector
// whose parts were written one by one may have gaps between them.
func (v *evaluation) padding(pos syntax.Pos, o *object, p location, n int) {
	for _, k := range o.known[p.off : p.off+n] {
		if k {
			return
		}
	}
	v.fail(pos, "it reads a variable that has no value yet")
}

// store writes data at p.
func (v *evaluation) store(pos syntax.Pos, p location, data []byte) {
	o := v.object(pos, p, len(data))
	if o.fixed {
		v.fail(pos, "it writes to a constant")
	}
	copy(o.data[p.off:], data)
	for i := range data {
		o.known[p.off+i] = true
	}
}

// object is the object that p lies in. It has n bytes from p on.
func (v *evaluation) object(pos syntax.Pos, p location, n int) *object {
	if p.obj < 0 || p.obj >= len(v.objects) {
		v.undefined(pos, "it follows a null pointer")
	}
	o := v.objects[p.obj]
	if p.off < 0 || p.off+n > len(o.data) {
		v.undefined(pos, "it reaches outside of an object")
	}
	return o
}

// pointer is p as the value of a pointer.
func (p location) pointer() uint64 {
	return uint64(int64(p.obj+1)<<pointerShift + int64(p.off))
}

// locationOf is the location that a pointer points to.
func locationOf(pointer uint64) location {
	off := int64(pointer<<16) >> 16
	return location{int((int64(pointer)-off)>>pointerShift) - 1, int(off)}
}
