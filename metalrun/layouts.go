package metalrun

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
)

// maxFields is the most runs of scalars that describe a struct.
const maxFields = 4096

// layouts are the fields of the structs that have been taken apart: each once,
// however often others contain it.
type layouts map[*hir.Struct][]FieldInfo

// fields takes a type apart into runs of scalars.
func (l layouts) fields(t hir.Type) []FieldInfo {
	switch t := t.(type) {
	case hir.Kind:
		if t == hir.Void {
			return nil
		}
		return run(t, t)
	case hir.Atomic:
		return run(t, t)
	case *hir.Enum:
		return run(t.Underlying, t)
	case hir.Vector:
		return run(t.Elem, t)
	case hir.Matrix:
		return run(t.Elem, t)
	case *hir.Pointer:
		return []FieldInfo{{Type: t.String(), Size: t.Size(), Count: 1}}
	case *hir.Signature:
		return []FieldInfo{{Type: t.String() + " *", Size: t.Size(), Count: 1}}
	case *hir.Array:
		return l.array(t)
	case *hir.Struct:
		if _, known := l[t]; !known {
			l[t] = l.record(t)
		}
		return l[t]
	}
	return words(t)
}

// unbounded is the element of what generators of MSL write for memory of any length: an array of one
// element, or a struct with nothing but that. It is nil for other types.
func unbounded(t hir.Type) hir.Type {
	switch t := t.(type) {
	case *hir.Array:
		if t.Len == 1 {
			return t.Elem
		}
	case *hir.Struct:
		if len(t.Fields) == 1 && !t.Union {
			return unbounded(t.Fields[0].Type)
		}
	}
	return nil
}

// tail is the array of one element that a struct of several members ends in; nil if it does not.
func (l layouts) tail(t hir.Type) *TailInfo {
	s, ok := t.(*hir.Struct)
	if !ok || s.Union || len(s.Fields) == 0 {
		return nil
	}
	last := s.Fields[len(s.Fields)-1]
	tail := &TailInfo{}
	if elem := unbounded(last.Type); elem != nil {
		tail.Type, tail.Size, tail.Align, tail.Fields = elem.String(), elem.Size(), elem.Align(),
			slices.Clone(l.fields(elem))
	} else if tail = l.tail(last.Type); tail == nil {
		return nil
	}
	tail.Name, tail.Offset = strings.Trim(last.Name+"."+tail.Name, "."), last.Offset+tail.Offset
	return tail
}

// run is one run of scalars that fills an object of type t.
func run(scalar, t hir.Type) []FieldInfo {
	return []FieldInfo{{Type: scalar.String(), Size: scalar.Size(), Count: t.Size() / scalar.Size()}}
}

// words describes an object of type t by its size alone.
func words(t hir.Type) []FieldInfo {
	switch t.Align() {
	case 1:
		return run(hir.UChar, t)
	case 2:
		return run(hir.UShort, t)
	}
	return run(hir.UInt, t)
}

// array lays out the elements of an array, as one run if they are nothing but
// scalars.
func (l layouts) array(t *hir.Array) []FieldInfo {
	elem := l.fields(t.Elem)
	if len(elem) == 1 && elem[0].Name == "" && elem[0].Size*elem[0].Count == t.Elem.Size() {
		elem = slices.Clone(elem)
		elem[0].Count *= t.Len
		return elem
	}
	if len(elem)*t.Len > maxFields {
		return words(t)
	}
	var list []FieldInfo
	for i := range t.Len {
		for _, f := range elem {
			f.Offset += i * t.Elem.Size()
			list = append(list, f)
		}
	}
	return list
}

// record lays out the members of a struct. Bit-fields that share their bytes are the first of them. The only member of
// metal::array has no name in MSL, like bases and anonymous members.
func (l layouts) record(t *hir.Struct) []FieldInfo {
	if t.Union {
		return words(t)
	}
	var list []FieldInfo
	end := 0
	for _, member := range t.Fields {
		if member.Bits > 0 && (member.Offset < end || member.Name == "") {
			continue
		}
		end = member.Offset + member.Type.Size()
		name := member.Name
		if strings.HasPrefix(t.Name, "metal::array<") {
			name = ""
		}
		for _, f := range l.fields(member.Type) {
			f.Name = strings.Trim(name+"."+f.Name, ".")
			f.Offset += member.Offset
			list = append(list, f)
		}
		if len(list) > maxFields {
			return words(t)
		}
	}
	return list
}
