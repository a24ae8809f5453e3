package air

import (
	"fmt"
	"strconv"
	"strings"

	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Signature is the kernel as the front end for source would declare it: a function without a body.
func (k *Kernel) Signature() (*hir.Func, error) {
	u, err := k.read()
	if err != nil {
		return nil, err
	}
	pos := k.position(u)
	f := &hir.Func{Name: k.Name, Pos: pos, Result: hir.Void,
		Kernel: &hir.Kernel{Declared: pos, MaxThreads: u.maxThreads(), Work: len(k.data)}}
	structs := map[string]*hir.Struct{}
	for i, a := range u.args {
		v := &hir.Var{Name: a.name, Pos: pos}
		if v.Name == "" {
			v.Name = fmt.Sprintf("arg%d", i)
		}
		f.Params = append(f.Params, v)
		f.Kernel.Args = append(f.Kernel.Args, a.declare(v, structs))
	}
	return f, nil
}

// declare sets the type of a parameter and says what it receives.
func (a argument) declare(v *hir.Var, structs map[string]*hir.Struct) hir.KernelArg {
	switch {
	case a.isBuffer():
	case a.kind == "texture":
		texel := hir.Vector{Elem: hir.Float, N: 4}
		if name, _, ok := strings.Cut(strings.TrimPrefix(a.typ[strings.IndexByte(a.typ, '<')+1:], "<"), ","); ok {
			if t, ok := typeNamed(name); ok && hir.ScalarKind(t) != hir.Void {
				texel.Elem = hir.ScalarKind(t)
			}
		}
		v.Type = &hir.Struct{Name: a.typ, Bytes: 8, Aligns: 8}
		return hir.KernelArg{Kind: hir.TextureArg, Index: a.index, Texel: texel}
	case a.kind == "sampler":
		v.Type = &hir.Struct{Name: "sampler", Bytes: 8, Aligns: 8}
		return hir.KernelArg{Kind: hir.SamplerArg, Index: a.index}
	default:
		v.Type = hir.UInt
		if t, ok := typeNamed(a.typ); ok {
			v.Type = t
		}
		return hir.KernelArg{Kind: hir.InputArg, Input: a.kind}
	}
	elem := a.pointee(structs)
	where := map[int]syntax.Space{1: syntax.Device, 2: syntax.Constant, 3: syntax.Threadgroup}[a.space]
	arg := hir.KernelArg{Kind: hir.BufferArg, Index: a.index}
	if where == syntax.Threadgroup {
		arg.Kind = hir.ThreadgroupArg
	}
	constant := !a.written || where == syntax.Constant
	if a.bytes > 0 && where != syntax.Threadgroup {
		v.Type, v.Space, v.Ref, v.Const = elem, where, true, constant
		return arg
	}
	v.Type = &hir.Pointer{Elem: elem, Space: where, Const: constant}
	return arg
}

// pointee is the type that an argument points to.
func (a argument) pointee(structs map[string]*hir.Struct) hir.Type {
	if t, ok := typeNamed(a.typ); ok && t.Size() == a.size {
		return t
	}
	return structType(a.typ, a.size, a.align, a.members, structs, 0)
}

// structType is a struct by the metadata of its members: offset, size, length of an array, type and name of each. It is
// a number of bytes if there are none.
func structType(name string, size, align int, members *bitcode.Node, structs map[string]*hir.Struct,
	depth int) hir.Type {
	if s := structs[name]; s != nil && s.Bytes == size {
		return s
	}
	s := &hir.Struct{Name: name, Bytes: size, Aligns: powerOfTwo(align)}
	if depth > maxLoops || len(structs) > maxScalars {
		s.Union = true
		return s
	}
	structs[name] = s
	ops := members.Operands()
	for i := 0; i+4 < len(ops); {
		offset, ok1 := number(ops[i])
		bytes, ok2 := number(ops[i+1])
		length, ok3 := number(ops[i+2])
		typ := text(ops[i+3])
		if !ok1 || !ok2 || !ok3 || offset < 0 || bytes < 0 || length < 0 {
			break
		}
		f := hir.Field{Name: text(ops[i+4]), Offset: offset}
		i += 5
		var inner *bitcode.Node
		pointer := false
		for ; i+1 < len(ops) && ops[i] != nil && ops[i].String; i += 2 {
			switch text(ops[i]) {
			case "air.struct_type_info":
				inner = ops[i+1]
			case "air.indirect_argument":
				pointer = isIndirectPointer(ops[i+1])
			}
		}
		f.Type = memberType(typ, bytes, inner, pointer, structs, depth)
		if length > 0 {
			f.Type = &hir.Array{Elem: f.Type, Len: length}
		}
		if offset+f.Type.Size() > size || f.Type.Size() > maxObject {
			break
		}
		s.Fields = append(s.Fields, f)
	}
	if len(s.Fields) == 0 && size > 0 {
		s.Union = true // its bytes are all that is known
	}
	if len(s.Fields) == 1 && strings.HasPrefix(name, "metal::_atomic") {
		if kind := hir.ScalarKind(s.Fields[0].Type); kind != hir.Void {
			return hir.Atomic{Elem: kind}
		}
	}
	return s
}

// isIndirectPointer reports whether a member of an argument buffer is a pointer, by its own description.
func isIndirectPointer(n *bitcode.Node) bool {
	ops := n.Operands()
	return len(ops) > 1 && text(ops[1]) == "air.buffer"
}

// memberType is the type of a member, or of the elements of one that is an array.
func memberType(name string, size int, inner *bitcode.Node, pointer bool, structs map[string]*hir.Struct,
	depth int) hir.Type {
	t, ok := typeNamed(name)
	switch {
	case pointer && size == 8:
		if !ok {
			t = &hir.Struct{Name: name, Bytes: 1, Aligns: 1, Union: true}
		}
		return &hir.Pointer{Elem: t, Space: syntax.Device}
	case ok && t.Size() == size:
		return t
	}
	align := 1
	for align < 8 && inner == nil && size%(align*2) == 0 && size > 0 {
		align *= 2
	}
	if inner != nil {
		align = 4
	}
	return structType(name, size, align, inner, structs, depth+1)
}

// scalarKinds are the scalar types by their names.
var scalarKinds = map[string]hir.Kind{"bool": hir.Bool, "char": hir.Char, "uchar": hir.UChar, "short": hir.Short,
	"ushort": hir.UShort, "int": hir.Int, "uint": hir.UInt, "long": hir.Long, "ulong": hir.ULong, "half": hir.Half,
	"bfloat": hir.BFloat, "float": hir.Float, "void": hir.Void, "size_t": hir.ULong, "int8_t": hir.Char,
	"uint8_t": hir.UChar, "int16_t": hir.Short, "uint16_t": hir.UShort, "int32_t": hir.Int, "uint32_t": hir.UInt,
	"int64_t": hir.Long, "uint64_t": hir.ULong}

// typeNamed is a type of the language by its name: uint, packed_half3, float4x4, atomic_int.
func typeNamed(name string) (hir.Type, bool) {
	if k, ok := scalarKinds[name]; ok {
		return k, true
	}
	if elem, ok := strings.CutPrefix(name, "atomic_"); ok {
		if k, ok := scalarKinds[elem]; ok {
			return hir.Atomic{Elem: k}, true
		}
	}
	name, packed := strings.CutPrefix(name, "packed_")
	digits := strings.TrimLeft(name, "abcdefghijklmnopqrstuvwxyz")
	k, ok := scalarKinds[strings.TrimSuffix(name, digits)]
	if !ok || digits == "" {
		return nil, false
	}
	if cols, rows, ok := strings.Cut(digits, "x"); ok {
		c, err1 := strconv.Atoi(cols)
		r, err2 := strconv.Atoi(rows)
		known := err1 == nil && err2 == nil && between(c) && between(r) && k.IsFloat()
		return hir.Matrix{Elem: k, Cols: c, Rows: r}, known
	}
	n, err := strconv.Atoi(digits)
	return hir.Vector{Elem: k, N: n, Packed: packed}, err == nil && between(n)
}

// between reports whether a vector may have n components.
func between(n int) bool { return n >= 2 && n <= 4 }
