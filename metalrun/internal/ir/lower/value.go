package lower

import (
	"metalconform/metalrun/internal/hir"

	"metalconform/metalrun/internal/ir"
)

// A value in registers is the list of its scalars, its leaves, in memory
// order: components, columns, elements, fields. A union's leaves are words.

// run is a group of neighbouring leaves that one instruction loads or stores.
type run struct {
	scalar ir.Scalar
	offset int // bytes from the start of the value
	n      int // scalars
	align  int // alignment that the type promises
	bits   int // width of a bit-field, otherwise 0
	shift  int // and its first bit in the scalar
}

// maxRun is the largest number of array elements that one instruction moves: that of the longest vectors of Metal. With
// 1 or 8, the kernels of maxLeaves take as long within 10 %.
const maxRun = 4

// memoryRuns splits t into runs.
func (l *lowerer) memoryRuns(t hir.Type) []run {
	if runs, ok := l.runs[t]; ok {
		return runs
	}
	runs := makeRuns(t)
	l.runs[t] = runs
	return runs
}

func makeRuns(t hir.Type) []run {
	switch t := t.(type) {
	case hir.Kind:
		if t == hir.Void {
			return nil
		}
		return []run{{scalar: scalarOf(t), n: 1, align: t.Align()}}
	case *hir.Enum:
		return makeRuns(t.Underlying)
	case hir.Atomic:
		return makeRuns(t.Elem)
	case hir.Vector:
		return []run{{scalar: scalarOf(t.Elem), n: t.N, align: t.Align()}}
	case hir.SimdMatrix:
		return []run{{scalar: scalarOf(t.Elem), n: 2, align: t.Align()}}
	case hir.SimdVote, *hir.Signature:
		return []run{{scalar: ir.U64, n: 1, align: 8}}
	case *hir.Pointer:
		return []run{{scalar: ir.P64, n: 1, align: 8}}
	case hir.Matrix:
		return repeatRuns(t.Column(), t.Cols)
	case *hir.Array:
		return repeatRuns(t.Elem, t.Len)
	case *hir.Struct:
		if t.Union {
			return capped(unionRuns(t), t.Aligns)
		}
		var runs []run
		for _, f := range t.Fields {
			runs = appendRuns(runs, fieldRuns(f), f.Offset)
		}
		return capped(runs, t.Aligns)
	}
	return nil
}

// fieldRuns are the runs of a member of a struct.
func fieldRuns(f hir.Field) []run {
	runs := makeRuns(f.Type)
	if f.Bits > 0 {
		runs[0].bits, runs[0].shift = f.Bits, f.Shift
	}
	return runs
}

func appendRuns(runs, more []run, offset int) []run {
	for _, r := range more {
		r.offset += offset
		runs = append(runs, r)
	}
	return runs
}

// repeatRuns is an array of n elements. Scalars are moved several at a time.
func repeatRuns(elem hir.Type, n int) []run {
	one := makeRuns(elem)
	var runs []run
	if len(one) == 1 && one[0].n == 1 {
		for i := 0; i < n; i += maxRun {
			runs = append(runs,
				run{scalar: one[0].scalar, offset: i * elem.Size(), n: min(maxRun, n-i), align: elem.Align()})
		}
		return runs
	}
	for i := range n {
		runs = appendRuns(runs, one, i*elem.Size())
	}
	return runs
}

// unionRuns moves a union as words of its alignment.
func unionRuns(t *hir.Struct) []run {
	word := map[int]ir.Scalar{1: ir.U8, 2: ir.U16, 4: ir.U32}[t.Align()]
	if t.Align() >= 8 {
		word = ir.U64
	}
	var runs []run
	for offset := 0; offset < t.Size(); offset += word.Size() {
		runs = append(runs, run{scalar: word, offset: offset, n: 1, align: word.Size()})
	}
	return runs
}

// leafCount is the number of scalars of a value of type t.
func leafCount(t hir.Type) int {
	switch t := t.(type) {
	case hir.Vector:
		return t.N
	case hir.SimdMatrix:
		return 2
	case hir.Matrix:
		return t.Cols * t.Rows
	case *hir.Array:
		return t.Len * leafCount(t.Elem)
	case *hir.Struct:
		if t.Union {
			return len(unionRuns(t))
		}
		n := 0
		for _, f := range t.Fields {
			n += leafCount(f.Type)
		}
		return n
	case hir.Kind:
		if t == hir.Void {
			return 0
		}
	}
	return 1
}

// fieldLeaf is the index of the first leaf of field i.
func fieldLeaf(s *hir.Struct, i int) int {
	n := 0
	for _, f := range s.Fields[:i] {
		n += leafCount(f.Type)
	}
	return n
}

// leafTypes is the register types of a value of type t.
func (l *lowerer) leafTypes(t hir.Type) []ir.Type {
	var list []ir.Type
	for _, r := range l.memoryRuns(t) {
		for range r.n {
			list = append(list, r.scalar.Type())
		}
	}
	return list
}

// inRegisters reports whether a variable of type t can live in registers.
func inRegisters(t hir.Type) bool { return !hasUnion(t) && leafCount(t) <= maxLeaves }

func hasUnion(t hir.Type) bool {
	switch t := t.(type) {
	case *hir.Array:
		return hasUnion(t.Elem)
	case *hir.Struct:
		for _, f := range t.Fields {
			if hasUnion(f.Type) {
				return true
			}
		}
		return t.Union
	case hir.Atomic:
		return true // has no meaning but in memory
	}
	return false
}

// element is what indexing a t selects, with the number of elements.
func element(t hir.Type) (elem hir.Type, n int) {
	switch t := t.(type) {
	case *hir.Array:
		return t.Elem, t.Len
	case hir.Vector:
		return t.Elem, t.N
	case hir.Matrix:
		return t.Column(), t.Cols
	case hir.SimdMatrix:
		return t.Elem, 2
	}
	panic("ir: " + t.String() + " has no elements")
}

// scalarKind is the kind of a scalar or enumeration, or of a vector's elements.
func scalarKind(t hir.Type) hir.Kind {
	switch t := t.(type) {
	case hir.Kind:
		return t
	case *hir.Enum:
		return t.Underlying
	case hir.Vector:
		return t.Elem
	case hir.Matrix:
		return t.Elem
	case hir.SimdMatrix:
		return t.Elem
	case hir.Atomic:
		return t.Elem
	case *hir.Signature:
		return hir.ULong
	}
	return hir.Void
}

var kindScalars = [...]ir.Scalar{
	hir.Bool: ir.B8, hir.Char: ir.S8, hir.UChar: ir.U8, hir.Short: ir.S16, hir.UShort: ir.U16,
	hir.Int: ir.S32, hir.UInt: ir.U32, hir.Long: ir.S64, hir.ULong: ir.U64,
	hir.Half: ir.H16, hir.BFloat: ir.T16, hir.Float: ir.R32,
}

// scalarOf is the memory format of k.
func scalarOf(k hir.Kind) ir.Scalar { return kindScalars[k] }

func registerType(k hir.Kind) ir.Type { return scalarOf(k).Type() }

// zero is the zero value of a type, leaf by leaf.
func (l *lowerer) zero(t hir.Type) []ir.Reg {
	leaves := l.leafTypes(t)
	regs := make([]ir.Reg, len(leaves))
	for i, typ := range leaves {
		regs[i] = l.literal(typ, 0)
	}
	return regs
}

// poisoned is an indeterminate value of a type.
func (l *lowerer) poisoned(t hir.Type) []ir.Reg {
	leaves := l.leafTypes(t)
	regs := make([]ir.Reg, len(leaves))
	for i, typ := range leaves {
		regs[i] = l.poison(typ)
	}
	return regs
}

// variables makes variables for a value of type t.
func (l *lowerer) variables(t hir.Type, name string) []ir.Reg {
	leaves := l.leafTypes(t)
	regs := make([]ir.Reg, len(leaves))
	for i, typ := range leaves {
		regs[i] = l.variable(typ, name)
	}
	return regs
}
