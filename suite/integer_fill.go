package suite

import (
	"math/rand/v2"
	"slices"
)

// integerDraw says how integers are drawn for a buffer that nothing is said of. Each family has one.
type integerDraw uint8

const (
	mixedIntegers   integerDraw = iota // half are random bits, the others are drawn in one of the ways below
	extremeIntegers                    // 0, 1, the ends of the type, the sign bit, all ones, and their neighbours
	smallIntegers                      // of both signs
	powersOfTwo                        // 2ᵏ and its neighbours, of both signs
	integerDraws
)

const (
	mostSmall    = 16 // of small integers
	float64Width = 53 // bits of an integer that float64 holds
)

// IntegerFamilies are the families that draw integers in one way each. What they draw floats from is that of the first
// family.
func IntegerFamilies() []Input {
	return []Input{{Name: "extreme_integers", integers: extremeIntegers},
		{Name: "small_integers", integers: smallIntegers}, {Name: "powers_of_two", integers: powersOfTwo}}
}

// DefaultFill is the fill of a buffer for which neither a family nor the sweep has one. Floats are normal. Unsigned
// integers from which a kernel computes floats alone are bits of something, such as packed weights, and so are those
// of a few bits, of which random ones meet every value.
func (k *Kernel) DefaultFill(a Arg) Fill { return k.drawn(a, mixedIntegers) }

// drawn is the fill of a buffer that has no other, in a family that draws integers in some way.
func (k *Kernel) drawn(a Arg, draw integerDraw) Fill {
	if _, float := a.Type.Format(); float {
		return Normal
	}
	if draw == mixedIntegers && (a.Type.Bytes() <= 2 || a.Type == U32 && !k.givesIntegers()) {
		return AnyBits
	}
	return func(r *rand.Rand, _ Shape, x []float64) {
		for i := range x {
			x[i] = a.Type.value(draw.word(r, a.Type, a.Type.width()))
		}
	}
}

// givesIntegers reports whether some output has integers.
func (k *Kernel) givesIntegers() bool {
	return slices.ContainsFunc(k.Args, func(a Arg) bool {
		_, float := a.Type.Format()
		return a.Writable() && !float
	})
}

// width is the number of bits of an integer type that float64 holds, the sign among them.
func (t Type) width() int {
	switch t {
	case Bool:
		return 1
	case U64:
		return float64Width
	case I64:
		return float64Width + 1
	}
	return 8 * t.Bytes()
}

// signed reports whether an integer type has negative numbers.
func (t Type) signed() bool { return t == I8 || t == I16 || t == I32 || t == I64 }

// word draws one integer of a type that uses so many bits of it.
func (d integerDraw) word(r *rand.Rand, t Type, width int) uint64 {
	if d == mixedIntegers && r.IntN(2) > 0 {
		d = extremeIntegers + integerDraw(r.IntN(int(integerDraws-extremeIntegers)))
	}
	var w uint64
	switch top := uint64(1) << (width - 1); d {
	case mixedIntegers:
		w = r.Uint64()
	case extremeIntegers:
		ends := [...]uint64{0, 1, top - 2, top - 1, top, top + 1, ^uint64(1), ^uint64(0)}
		w = ends[r.IntN(len(ends))]
	case smallIntegers:
		if w = uint64(r.IntN(mostSmall + 1)); t.signed() && r.IntN(2) > 0 {
			w = -w
		}
	case powersOfTwo:
		if w = uint64(1)<<r.IntN(width) + uint64(r.IntN(3)) - 1; r.IntN(2) > 0 {
			w = -w
		}
	}
	unused := 64 - width
	if t.signed() {
		return uint64(int64(w<<unused) >> unused)
	}
	return w << unused >> unused
}
