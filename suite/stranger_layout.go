package suite

import (
	"regexp"
	"strconv"
	"strings"
)

// layout is where the scalars of a type lie.
type layout struct {
	size, align int
	scalars     []placed
}

// placed is a run of equal scalars in a type.
type placed struct {
	path   string // of the member: "eps", "rope.base"; "" for a type that is no struct
	offset int
	scalar mslScalar
	count  int
}

// mslScalar is a scalar of MSL as memory holds it.
type mslScalar struct {
	kind  scalarKind
	bytes int
}

type scalarKind uint8

const (
	boolean scalarKind = iota
	integer
	floating
	brain      // bfloat
	atomically // of any type that has atomics
)

// scalarNamed is the scalar type that MSL calls so.
func scalarNamed(name string) (mslScalar, bool) {
	switch name {
	case "bool":
		return mslScalar{boolean, 1}, true
	case "char", "uchar", "int8_t", "uint8_t":
		return mslScalar{integer, 1}, true
	case "short", "ushort", "int16_t", "uint16_t":
		return mslScalar{integer, 2}, true
	case "int", "uint", "int32_t", "uint32_t":
		return mslScalar{integer, 4}, true
	case "long", "ulong", "int64_t", "uint64_t", "size_t":
		return mslScalar{integer, 8}, true
	case "half":
		return mslScalar{floating, 2}, true
	case "bfloat":
		return mslScalar{brain, 2}, true
	case "float":
		return mslScalar{floating, 4}, true
	case "atomic_int", "atomic_uint", "atomic_float":
		return mslScalar{atomically, 4}, true
	case "atomic_bool":
		return mslScalar{atomically, 1}, true
	case "atomic_ulong":
		return mslScalar{atomically, 8}, true
	}
	return mslScalar{}, false
}

// member is one field of a struct as the source spells it.
type member struct {
	name   string
	typ    string
	counts []int // of an array, outermost first
}

var (
	arrayType  = regexp.MustCompile(`^(.*)\[(\d+)\]$`)
	vectorType = regexp.MustCompile(`^(packed_)?([a-z]+)([234])$`)
	matrixType = regexp.MustCompile(`^(half|float)([234])x([234])$`)
)

// layoutOf lays out a type by MSL's rules. ok is false for one that is not made
// of scalars, vectors, matrices, arrays and the structs given.
func layoutOf(typ string, structs map[string][]member) (l layout, ok bool) {
	if s, ok := scalarNamed(typ); ok {
		return layout{s.bytes, s.bytes, []placed{{scalar: s, count: 1}}}, true
	}
	if m := arrayType.FindStringSubmatch(typ); m != nil {
		return repeated(m[1], m[2], structs)
	}
	if m := vectorType.FindStringSubmatch(typ); m != nil {
		return vector(m[2], int(m[3][0]-'0'), m[1] != "")
	}
	if m := matrixType.FindStringSubmatch(typ); m != nil {
		return repeated(m[1]+m[3], m[2], structs)
	}
	fields, ok := structs[typ[strings.LastIndex(typ, ":")+1:]]
	if !ok {
		return layout{}, false
	}
	return record(fields, structs)
}

// vector is n scalars; a plain vector of three takes the room of four.
func vector(elem string, n int, packed bool) (layout, bool) {
	s, ok := scalarNamed(elem)
	if n == 3 && !packed {
		n = 4
	}
	l := layout{size: n * s.bytes, align: n * s.bytes, scalars: []placed{{scalar: s, count: n}}}
	if packed {
		l.align = s.bytes
	}
	return l, ok && s.kind != atomically
}

// repeated is count elements, one after the other.
func repeated(elem, count string, structs map[string][]member) (layout, bool) {
	e, ok := layoutOf(elem, structs)
	n, err := strconv.Atoi(count)
	if !ok || err != nil {
		return layout{}, false
	}
	l := layout{size: n * e.size, align: e.align}
	if len(e.scalars) == 1 && e.scalars[0].path == "" {
		run := e.scalars[0]
		run.count *= n
		l.scalars = []placed{run}
		return l, true
	}
	for i := range n {
		for _, s := range e.scalars {
			s.offset += i * e.size
			l.scalars = append(l.scalars, s)
		}
	}
	return l, true
}

// record lays out the fields of a struct in order, each aligned.
func record(fields []member, structs map[string][]member) (layout, bool) {
	l := layout{align: 1}
	for _, f := range fields {
		typ := f.typ
		for i := len(f.counts) - 1; i >= 0; i-- {
			typ += "[" + strconv.Itoa(f.counts[i]) + "]"
		}
		inner, ok := layoutOf(typ, structs)
		if !ok {
			return layout{}, false
		}
		l.size = roundUp(l.size, inner.align)
		for _, s := range inner.scalars {
			s.path = strings.TrimSuffix(f.name+"."+s.path, ".")
			s.offset += l.size
			l.scalars = append(l.scalars, s)
		}
		l.size, l.align = l.size+inner.size, max(l.align, inner.align)
	}
	l.size = roundUp(l.size, l.align)
	return l, true
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

var (
	structText = regexp.MustCompile(`(?m)^[ ]*(?:typedef )?struct (\w+ )?\{\n((?:[^{}]*\n)?)[ ]*\}( \w+)?;$`)
	fieldText  = regexp.MustCompile(`^(\w[\w:]*) (\w[\w, \[\]]*);$`)
	nameText   = regexp.MustCompile(`^(\w+)((?:\[\d+\])*)$`)
)

// members are the fields of the structs in a printed tree, by name: of those that
// have nothing else in them, and one definition.
func members(tree string) map[string][]member {
	structs := map[string][]member{}
	seen := map[string]bool{}
	for _, m := range structText.FindAllStringSubmatch(tree, -1) {
		fields, ok := fieldsOf(m[2])
		name := strings.TrimSpace(m[1])
		if name == "" {
			name = strings.TrimSpace(m[3])
		}
		if ok && !seen[name] {
			structs[name] = fields
		} else {
			delete(structs, name)
		}
		seen[name] = true
	}
	return structs
}

// fieldsOf are the fields that the lines of a struct's body declare.
func fieldsOf(body string) (fields []member, ok bool) {
	for line := range strings.Lines(body) {
		m := fieldText.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			return nil, false
		}
		for _, declared := range strings.Split(m[2], ", ") {
			d := nameText.FindStringSubmatch(declared)
			if d == nil {
				return nil, false
			}
			f := member{name: d[1], typ: m[1]}
			for _, count := range strings.FieldsFunc(d[2], func(r rune) bool { return r == '[' || r == ']' }) {
				n, err := strconv.Atoi(count)
				if err != nil {
					return nil, false
				}
				f.counts = append(f.counts, n)
			}
			fields = append(fields, f)
		}
	}
	return fields, true
}
