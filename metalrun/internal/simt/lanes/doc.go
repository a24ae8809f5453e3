// Package lanes is the loops that the simulator spends its time in: one
// operation on every lane of a threadgroup.
//
// The rule of this layer: a [Table] holds the loops, and every table gives the
// same bits. [Portable] is written in Go, is the definition of each loop and
// runs everywhere; [Native] is the fastest table that this processor can run,
// Portable where there is no other.
//
// A lane is 32 bits, or 64 where the name ends with Q. A float32 is its bits, a
// bool is 0 or ^0, narrow integers are extended to 32 bits and values of half
// and bfloat are the float32 of the same value. d receives the result and may be
// one of the operands, whole, but not overlap one otherwise; every operand has
// the length of d at least. Lanes beyond len(d) are not touched.
//
// Floating arithmetic rounds once, to nearest even. Sign and payload of a NaN
// that arithmetic makes are the only bits that a table may choose: QuietNaN
// makes them the same where they would become visible.
package lanes
