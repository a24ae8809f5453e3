package metalrun

import (
	"encoding/binary"
	"math"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/scalar"
)

// Exact is what exact execution knows about the contents of a buffer. Each element has x, the value that it would have
// if every operation were exact, and e, a bound on how far the value of any device may be from x. The zero value knows
// nothing. An Exact belongs to one binding: launches that bind the buffer again continue with it.
//
// Floats of narrow formats are known before their rounding.
type Exact struct {
	log   uint // of the bytes of a cell
	cells []ball.Ball

	// Integers reports that the last launch stored nothing but integers: what is a float for the host
	// was made of bits ([Exact.Float]), and where every device has the same, it is known after its rounding.
	Integers bool
}

// FloatFormat is a format of floats.
type FloatFormat uint8

// The formats of floats in buffers.
const (
	FormatFloat FloatFormat = iota
	FormatHalf
	FormatBfloat
)

// Value is a float of the format in memory.
func (f FloatFormat) Value(b []byte) float64 {
	if f == FormatFloat {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return float64(f.scalar().FromBits(uint32(binary.LittleEndian.Uint16(b))))
}

// UnitRoundoff is the relative error of a rounding to the format at most.
func (f FloatFormat) UnitRoundoff() float64 {
	return [...]float64{FormatFloat: 0x1p-24, FormatHalf: 0x1p-11, FormatBfloat: 0x1p-8}[f]
}

func (f FloatFormat) scalar() scalar.Format {
	return [...]scalar.Format{FormatFloat: scalar.F32, FormatHalf: scalar.Half, FormatBfloat: scalar.Bfloat}[f]
}

// Size is the number of bytes of one stored element.
func (x *Exact) Size() int { return 1 << x.log }

// Float returns x and e of an element that a kernel stored as an integer of this size and that the host reads as a
// float.
func (x *Exact) Float(off, size int, of FloatFormat) (value, e float64, written bool) {
	if _, _, written = x.Element(off); !written {
		return 0, 0, false
	}
	known := ball.Unknown(0)
	if x.Size() == size { // and not a part of a larger one
		known = ball.FromBits(x.cells[off>>x.log], [...]*ball.Format{nil, ball.Half, ball.Bfloat}[of])
	}
	return known.X, known.E, true
}

// Integer returns x and e of an element that a kernel stored as an integer of this size. Where every device has the
// same integer, x is what the element holds.
func (x *Exact) Integer(off, size int) (value, e float64, written bool) {
	if _, _, written = x.Element(off); !written {
		return 0, 0, false
	}
	known := x.cells[off>>x.log].Whole()
	if x.Size() != size {
		known = ball.Unknown(0)
	}
	return known.X, known.E, known.E != 0
}

// Element returns x and e of the element at a byte offset of the binding's Data. written is false if no launch has
// stored a computed value there: then x is what the element holds.
func (x *Exact) Element(off int) (value, e float64, written bool) {
	i := off >> x.log
	if i >= len(x.cells) || x.cells[i].None() {
		return 0, 0, false
	}
	return x.cells[i].X, x.cells[i].E, true
}

// Everywhere returns the infinity or the NaN that every device has in an element whose exact value is a number: on the
// way to it a value leaves the range of its format, whatever a device rounds to.
func (x *Exact) Everywhere(off int) (value float64, ok bool) {
	if i := off >> x.log; i < len(x.cells) {
		return x.cells[i].Everywhere()
	}
	return 0, false
}

// GobEncode writes nothing: exact values stay in the process of the simulator.
func (x *Exact) GobEncode() ([]byte, error) { return nil, nil }

// GobDecode reads nothing.
func (x *Exact) GobDecode([]byte) error { return nil }

// Any reports whether a launch has stored anything.
func (x *Exact) Any() bool { return x.cells != nil }

// Cells returns, for the simulator, the cells of a buffer of so many bytes with elements of size 1<<log. Cells of
// another size are discarded.
func (x *Exact) Cells(bytes int, log uint) []ball.Ball {
	if n := bytes >> log; len(x.cells) != n || x.log != log {
		x.log, x.cells = log, make([]ball.Ball, n)
	}
	return x.cells
}

// Room returns a function with which the simulator makes the cells of some bytes of a buffer when it needs them.
func (x *Exact) Room(bytes int, log uint, from, end int) func() []ball.Ball {
	return func() []ball.Ball { return x.Cells(bytes, log)[from>>log : end>>log] }
}

// Note is an event of exact execution at a position in the source.
type Note struct {
	Position
	Kind  NoteKind
	Times int // how often, counted by threads
}

// NoteKind is a kind of notes.
type NoteKind uint8

// Kinds of notes, in the order of those of the simulator.
const (
	// a comparison, a selection or a conversion to an integer may have another result on another device
	UnstableDecision NoteKind = iota
	// bits of a float that may differ between devices are reinterpreted: nothing is known about later values
	TakenApart
	Overflow  // a finite value is too large for f32
	Underflow // a value other than zero is below the normal range, and may count as zero
	// a number is rounded to an integer just where it goes either way: which one exact arithmetic gives, float64 does
	// not tell
	Tied
	Snapped // a constant rounds a sum, as one does that is added for the sake of that
	Decimal // the text of some literal says another number than its format has
	Digits  // of a literal so many digits are written that a number between may be meant; Line counts such literals
	Folded  // a constant is computed from literals, and has another number in its format than exact arithmetic makes
)

func (k NoteKind) String() string {
	return [...]string{"unstable", "taken apart", "overflow", "underflow", "tied", "snapped", "decimal", "digits",
		"folded"}[k]
}

// Arithmetic selects what exact execution computes next to the values.
type Arithmetic struct {
	Unanchored bool   // roundings to narrow formats are errors
	Snapped    bool   // those of sums with magic numbers are not
	Literals   int    // which exact values literals have; 0: the numbers of their formats
	Sample     uint64 // errors are drawn, by this number, and not bounded; 0: they are bounded
	Ranges     bool   // notes tell of values that leave the range of their format
}
