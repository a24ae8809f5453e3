// Package lanes has the loops in which the simulator spends its time. Each applies one operation to every lane of a
// threadgroup.
//
// A [Table] holds the loops. [Portable] is written in Go and runs everywhere. It defines each loop. [Native] is the
// fastest table that this processor can run. It is Portable if there is no other.
//
// Invariants:
//
//   - A lane has 32 bits, or 64 if the name of the loop ends with Q.
//   - A float32 is its bits. A bool is 0 or ^0. Narrow integers are extended to 32 bits. A half or a bfloat is the
//     float32 of the same value.
//   - d receives the result. It may be one of the operands, but must not overlap one in part.
//   - Every operand has at least the length of d. Lanes beyond len(d) stay as they are.
//   - Floating arithmetic rounds once, to nearest even. Only the sign and the payload of a NaN that arithmetic makes
//     are left to the table. QuietNaN makes them the same before they can be seen.
//
// The rule of this layer: every table gives the same bits.
package lanes
