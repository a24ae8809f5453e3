package adhoc

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite"
)

// scalars are a run of equal scalars in an argument.
type scalars struct {
	metalrun.FieldInfo
	kind scalarKind
	path string // of the argument and its member: "eps", "params.eps"
}

// scalarKind is what launches make of a scalar type.
type scalarKind uint8

const (
	integer scalarKind = iota
	boolean
	floating
	brain      // bfloat
	atomically // of any type that has atomics
)

// scalarKindOf is that of the scalar type that MSL calls so.
func scalarKindOf(name string) scalarKind {
	switch {
	case name == "bool":
		return boolean
	case name == "half" || name == "float":
		return floating
	case name == "bfloat":
		return brain
	case strings.HasPrefix(name, "atomic_"):
		return atomically
	}
	return integer
}

// Dispatch makes the launch with fresh memory: the same each time.
func (l Launch) Dispatch() metalrun.Dispatch {
	k, d := l.of, l.grid
	for _, p := range k.params {
		if p.Kind != metalrun.BufferArg {
			continue
		}
		data := k.data(p)
		d.Bindings = append(d.Bindings, metalrun.Binding{
			Index: p.Index, Data: data, Length: len(data), Undefined: p.output,
			Inline: p.scalar() && len(data) <= mostInline,
		})
	}
	return d
}

// mostInline is the number of bytes that setBytes takes.
const mostInline = 4096

// period is after how many elements random contents repeat.
const period = 1 << 14

// data is what an argument holds before a launch.
func (k *Kernel) data(p parameter) []byte {
	n, _ := k.count(p)
	data := make([]byte, n*p.Size)
	f := filler{spec: k.spec, r: suite.Generator(k.Info.Name, p.Name, k.spec.seed())}
	for i := range min(n, period) {
		for _, m := range p.scalars {
			for j := range m.Count {
				word := data[i*p.Size+m.Offset+j*m.Size:][:m.Size]
				switch {
				case p.scalar():
					m.kind.put(word, k.spec.element(m.path, j, m.kind))
				case p.table() && m.kind == integer:
					m.kind.put(word, k.spec.element(p.Name, i, m.kind))
				default:
					m.kind.put(word, f.draw(m.kind))
				}
			}
		}
	}
	for done := period * p.Size; done < len(data); done *= 2 {
		copy(data[done:], data[:done])
	}
	return data
}

// filler draws the elements of one buffer.
type filler struct {
	spec *Spec
	r    *rand.Rand
	left []int // integers to come
}

// draw is the next element. Integers are the numbers below the size in random
// order, again and again: each may be an index or a count, and as many threads as
// there are numbers scatter to different places. Atomics begin at zero, as the
// counters do that they mostly are.
func (f *filler) draw(k scalarKind) float64 {
	switch k {
	case boolean:
		return float64(f.r.IntN(2))
	case integer:
		return float64(f.integer())
	case floating, brain:
		of := f.spec.floats()
		return of.Low + float64((of.High-of.Low)*f.r.Float64())
	}
	return 0
}

func (f *filler) integer() int {
	if len(f.left) == 0 {
		f.left = f.r.Perm(max(f.spec.size(), 1))
	}
	x := f.left[0]
	f.left = f.left[1:]
	return x
}

// put encodes x, rounded to the type that has the size of b, in little-endian
// order. Integers keep their low bits.
func (k scalarKind) put(b []byte, x float64) {
	w := uint64(int64(x))
	switch {
	case k == boolean && x != 0:
		w = 1
	case k == floating && len(b) == 4:
		w = uint64(math.Float32bits(float32(x)))
	case k == floating:
		w = uint64(oracles.F16.Bits(x))
	case k == brain:
		w = uint64(oracles.BF16.Bits(x))
	}
	switch len(b) {
	case 1:
		b[0] = byte(w)
	case 2:
		binary.LittleEndian.PutUint16(b, uint16(w))
	case 4:
		binary.LittleEndian.PutUint32(b, uint32(w))
	case 8:
		binary.LittleEndian.PutUint64(b, w)
	}
}
