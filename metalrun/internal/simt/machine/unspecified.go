package machine

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Probing shows whether an unspecified value matters: the launch runs again from the same memory, with other values in
// place of all unspecified ones. If the same threads take the same branches and every output has the same bits, the
// unspecified values were discarded. If not, the launch runs again for each choice with another value only there, and
// the choices that make a difference are reported. One program serves all these runs: at each choice it asks its
// machine for the value.

// Alternative replaces unspecified values by another value: at all choices, at one of them, or at all but one.
type Alternative struct {
	Value        uint32
	Only, Except *Choice
}

// Alternatives are the values that are tried. The first is 1e30 as a float, far out of range as an integer, and true;
// the second is zero and false.
var Alternatives = [...]uint32{0x7149f2ca, 0}

// Takes reports whether a choice gets the alternative value.
func (a *Alternative) Takes(pos syntax.Pos, kind string) bool {
	c := Choice{pos, kind}
	return a != nil && (a.Only == nil || *a.Only == c) && (a.Except == nil || *a.Except != c)
}

// ZeroDivisor is a kind of choice that only the checks take.
const ZeroDivisor = "quotient of a division by zero"

// Contents is what memory declared at pos holds before anyone has written it.
func (m *Machine) Contents(pos syntax.Pos) uint32 {
	if a := m.Alternative; a.Takes(pos, Uninitialised) {
		return a.Value
	}
	return m.P.Poison
}

// Filler gives active lanes values that Metal does not specify.
type Filler struct {
	Choice
	Draw    uint64
	Hostile bool // outside trials, the value is drawn by [Hostile]
}

// Fills reports whether lanes get other values than those of the reference semantics.
func (f *Filler) Fills(m *Machine) bool {
	return f != nil && (f.Hostile || m.Alternative.Takes(f.Pos, f.Kind))
}

// Value is the value that a lane gets.
func (f *Filler) Value(m *Machine, lane int) uint32 {
	if a := m.Alternative; a.Takes(f.Pos, f.Kind) {
		m.Took(lane)
		return a.Value
	}
	return Hostile(f.Draw, uint64(lane))
}

// Thread is a thread of a launch.
type Thread struct{ Thread, Group Size }

// Took records the first lane that got another value.
func (m *Machine) Took(lane int) {
	if m.Affected == nil && m.Mask[lane] != 0 {
		m.Affected = &Thread{Thread: m.Thread(lane), Group: m.Group}
	}
}

// Lanewise is about how many instructions take as long as one that goes lane by lane. A simd_shuffle, which costs two
// of these, took as long as 23 more instructions with 32 threads and 100 with 256, in a loop of 60,000 of them.
const Lanewise = 16

// EachPoison visits the names of the variables that are left uninitialised at pos.
func EachPoison(k *ir.Kernel, pos syntax.Pos, visit func(name string)) {
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Poison && in.Pos == pos {
			for _, r := range in.Dst {
				visit(k.Regs[r].Name)
			}
		}
	}
}

// Hostile is an unspecified value that spoils sums, indices and comparisons. It follows from a draw and from a number
// that distinguishes values of one draw, such as the lane. The values of a pair of devices differ: NaN and the largest
// number, zero and infinity, all bits and the least integer.
func Hostile(draw, of uint64) uint32 {
	values := [...]uint32{Poison, 0, ^uint32(0), 1, uint32(draw >> 32), 0x80000000, 0xff800000, 0x7f7fffff}
	return values[(draw^Mix(draw>>3^of))%uint64(len(values))]
}
