package adhoc

import (
	"encoding/binary"
	"math"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
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

// scalarKindOf is the kind of the scalar type called name in MSL.
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
