package types

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// The standard library is a table: a builtin is one row, and a row is the
// prototype of a function as the library's own headers would declare it. To
// add a function, add its row to the file of its subject (stdlib_math.go,
// stdlib_simd.go, stdlib_sync.go). The checker then accepts calls of it, and
// TestBuiltinCoverage asks package ir for its meaning. A function with several
// unrelated prototypes has several rows.
//
// A prototype declares one function for each type that T stands for (the row's
// over). Words in it that depend on T:
//
//	T             the type itself
//	Ts            its element type, for vectors and matrices
//	Ti Tu Tb      int, unsigned counterpart, bool: as many components as T has
//	Tt            a matrix type, transposed
//	atomic<T>     simdgroup_matrix<T>
//
// simdgroup_matrix alone is one of any element type. Every other word is a
// type of that name. A parameter "thread X &r" wants a variable of just that
// type; "= value" after a parameter makes it optional. Parameters of type
// mem_flags, memory_order and thread_scope, and those written constexpr, want
// constants.
//
// Which of the functions a call means is decided as C++ decides it: see
// stdlib_overload.go.
type builtin struct {
	sig   string
	over  class
	prec  bool // also in the namespaces precise and fast, there for float only
	since int  // the first language version that has it; 0: all
	doc   string
	check func(*hir.BuiltinCall) string // refuses constants of a call; "" is consent
}

// class is the set of types that T ranges over: every shape of every kind.
type class struct {
	kinds  kindSet
	shapes shapeSet
}

type kindSet uint16

func kindsOf(ks ...hir.Kind) kindSet {
	var s kindSet
	for _, k := range ks {
		s |= 1 << k
	}
	return s
}

func (s kindSet) has(k hir.Kind) bool { return s&(1<<k) != 0 }

type shapeSet uint16

const (
	scalarShape shapeSet = 1 << iota
	vector2
	vector3
	vector4
	matrixShape // all nine
	squareShape // 2×2, 3×3, 4×4

	vectorShape = vector2 | vector3 | vector4
	anyShape    = scalarShape | vectorShape
)

var (
	floatKinds  = kindsOf(hir.Half, hir.Float)
	wordKinds   = kindsOf(hir.Int, hir.UInt)
	narrowKinds = kindsOf(hir.Char, hir.UChar, hir.Short, hir.UShort, hir.Int, hir.UInt)
	intKinds    = narrowKinds | kindsOf(hir.Long, hir.ULong)

	none        = class{}
	floats      = class{floatKinds, anyShape}
	floatVecs   = class{floatKinds, vectorShape}
	integers    = class{intKinds, anyShape}
	words       = class{wordKinds, anyShape}
	bools       = class{kindsOf(hir.Bool), anyShape}
	selectables = class{kindsOf(hir.Bool, hir.BFloat) | intKinds | floatKinds, anyShape}
	shuffled    = class{narrowKinds | floatKinds | kindsOf(hir.BFloat), anyShape} // what lanes can exchange
	bitwise     = class{narrowKinds, anyShape}
)

// types lists the class: scalars first.
func (c class) types() []hir.Type {
	if c == none {
		return []hir.Type{hir.Void}
	}
	var ts []hir.Type
	each := func(f func(hir.Kind)) {
		for k := hir.Bool; k <= hir.Float; k++ {
			if c.kinds.has(k) {
				f(k)
			}
		}
	}
	if c.shapes&scalarShape != 0 {
		each(func(k hir.Kind) { ts = append(ts, k) })
	}
	for n, s := 2, vector2; n <= 4; n, s = n+1, s<<1 {
		if c.shapes&s != 0 {
			each(func(k hir.Kind) { ts = append(ts, hir.Vector{Elem: k, N: n}) })
		}
	}
	for cols := 2; cols <= 4; cols++ {
		for rows := 2; rows <= 4; rows++ {
			if c.shapes&matrixShape != 0 || c.shapes&squareShape != 0 && cols == rows {
				each(func(k hir.Kind) { ts = append(ts, hir.Matrix{Elem: k, Cols: cols, Rows: rows}) })
			}
		}
	}
	return ts
}

// String names the class in a sentence: "half or float, scalar or vector".
func (c class) String() string {
	var names []string
	for k := hir.Bool; k <= hir.Float; k++ {
		if c.kinds.has(k) {
			names = append(names, k.String())
		}
	}
	if c.kinds == intKinds {
		names = []string{"an integer type"}
	}
	list := names[0]
	if n := len(names) - 1; n > 0 {
		list = strings.Join(names[:n], ", ") + " or " + names[n]
	}
	switch c.shapes {
	case scalarShape:
		return list
	case matrixShape:
		return "a matrix of " + list
	case squareShape:
		return "a square matrix of " + list
	case vectorShape:
		return "a vector of " + list
	case vector3:
		return "a vector of three " + list
	}
	return list + ", scalar or vector"
}

// library indexes the rows by name. It is computed once, from the table.
var library = sync.OnceValue(func() map[string][]*signature {
	index := map[string][]*signature{}
	for _, rows := range [][]builtin{mathBuiltins, relationalBuiltins, integerBuiltins, geometricBuiltins, simdBuiltins,
		simdgroupMatrixBuiltins, atomicBuiltins, barrierBuiltins} {
		for i := range rows {
			s := parseSignature(&rows[i])
			index[s.name] = append(index[s.name], s)
		}
	}
	return index
})

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// isBuiltin reports whether the library has a function of that name.
func isBuiltin(name string) bool { return library()[name] != nil }

// signature is a parsed prototype.
type signature struct {
	row      *builtin
	name     string
	result   word
	params   []param
	required int // parameters without default
	types    []hir.Type
}

// param is a parameter of a prototype.
type param struct {
	name   string
	word   word
	space  hir.Space // of a pointer or reference
	ptr    bool
	ref    bool
	ro     bool // pointer to const
	consts bool // wants a constant
	def    string
}

// word is a type in a prototype: one that follows T, or fixed.
type word struct {
	follows string // "T", "Ts", … or "" for fixed
	fixed   hir.Type
}

// in is the type that the word means when T is t.
func (w word) in(t hir.Type) hir.Type {
	switch w.follows {
	case "":
		return w.fixed
	case "T":
		return t
	case "Ts":
		return hir.ElemOf(t)
	case "Ti":
		return likeShape(t, hir.Int)
	case "Tu":
		return likeShape(t, unsignedOf(hir.ElemOf(t)))
	case "Tb":
		return likeShape(t, hir.Bool)
	case "Tt":
		m := t.(hir.Matrix)
		return hir.Matrix{Elem: m.Elem, Cols: m.Rows, Rows: m.Cols}
	case "atomic<T>":
		return hir.Atomic{Elem: t.(hir.Kind)}
	case "simdgroup_matrix<T>":
		return hir.SimdMatrix{Elem: t.(hir.Kind)}
	}
	panic("types: prototype word " + w.follows)
}

// likeShape is k with as many components as t.
func likeShape(t hir.Type, k hir.Kind) hir.Type {
	if v, ok := t.(hir.Vector); ok {
		return hir.Vector{Elem: k, N: v.N}
	}
	return k
}

func unsignedOf(k hir.Kind) hir.Kind {
	if k.IsSigned() {
		return k + 1
	}
	return k
}

// fixedWords are the types that prototypes name.
var fixedWords = map[string]hir.Type{
	"void": hir.Void, "bool": hir.Bool, "ushort": hir.UShort, "int": hir.Int, "uint": hir.UInt, "ulong": hir.ULong,
	"float":  hir.Float,
	"ulong2": hir.Vector{Elem: hir.ULong, N: 2}, "simd_vote": hir.SimdVote{}, "simdgroup_matrix": nil,
	"mem_flags": memFlags, "memory_order": memoryOrder, "thread_scope": threadScope,
}

// parseSignature reads "result name(type name [= value], …)".
func parseSignature(row *builtin) *signature {
	open := strings.IndexByte(row.sig, '(')
	head := strings.Fields(row.sig[:open])
	s := &signature{row: row, name: head[1], result: parseWord(row, head[0]), types: row.over.types()}
	list := strings.TrimSuffix(row.sig[open+1:], ")")
	if list == "" {
		return s
	}
	for _, text := range strings.Split(list, ",") {
		p := parseParam(row, text)
		if p.def == "" {
			s.required++
		}
		s.params = append(s.params, p)
	}
	return s
}

func parseParam(row *builtin, text string) param {
	var p param
	text, p.def, _ = strings.Cut(text, "=")
	p.def = strings.TrimSpace(p.def)
	for _, w := range strings.Fields(text) {
		switch w {
		case "const":
			p.ro = true
		case "constexpr":
			p.consts = true
		case "thread":
			p.space = syntax.Thread
		case "device":
			p.space = syntax.Device
		case "threadgroup":
			p.space = syntax.Threadgroup
		default:
			switch {
			case w[0] == '*':
				p.ptr, p.name = true, w[1:]
			case w[0] == '&':
				p.ref, p.name = true, w[1:]
			case p.word == word{}:
				p.word = parseWord(row, w)
			default:
				p.name = w
			}
		}
	}
	if e, ok := p.word.fixed.(*hir.Enum); ok && e != nil {
		p.consts = true
	}
	return p
}

func parseWord(row *builtin, w string) word {
	switch w {
	case "T", "Ts", "Ti", "Tu", "Tb", "Tt", "atomic<T>", "simdgroup_matrix<T>":
		return word{follows: w}
	case "simdgroup_matrix":
		return word{fixed: anySimdMatrix}
	}
	t, ok := fixedWords[w]
	if !ok {
		panic(fmt.Sprintf("types: the prototype %q names no known type %q", row.sig, w))
	}
	return word{fixed: t}
}

// anySimdMatrix stands for a simdgroup matrix of any element type in a prototype.
var anySimdMatrix hir.Type = hir.SimdMatrix{Elem: hir.Void}
