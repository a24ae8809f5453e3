// Package scalar is the arithmetic of the simulator: what one operator, one
// conversion or one function of the Metal Shading Language does to the values
// of one thread.
//
// The rule of this layer: every function is a pure function of bit values and
// gives the same bits on every machine. Whatever the specification of the
// language leaves open is decided here once and written beside the function.
//
//   - A product that is added to something is converted explicitly,
//     float64(a*b) + c, so that no compiler fuses it.
//   - Nothing of package math is called but what is exact or correctly rounded
//     by definition: Sqrt, FMA and operations on bits.
//   - half and bfloat values travel as the float32 of the same value; an
//     operation of theirs rounds once, to its own Format.
//   - Functions that make a NaN make the quiet NaN 0x7fc00000.
//
// Elementary functions are correctly rounded in every format, which is within
// the limits that the specification gives for both the precise and the fast
// variants, so fast::f and precise::f are one function here. Each is evaluated
// in float64 with a relative error far below 2⁻⁴⁵ and rounded once; when the
// float64 value lies so close to a rounding boundary that this error could
// matter, the value is computed again with math/big, in as many bits as the
// decision needs (Ziv's strategy). About one argument in a million takes the long
// way.
package scalar
