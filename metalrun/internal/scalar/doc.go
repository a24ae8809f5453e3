// Package scalar is the arithmetic of the simulator: what one operator, one
// conversion or one function of the Metal Shading Language does to the values
// of one thread.
//
// The rule of this layer: every function is a pure function of bit values and
// gives the same bits on every machine. What the language leaves unspecified is
// decided here once and written at the function. FloatFunctions and
// IntegerFunctions say all there is to know about each function of the standard
// library: adding one is a row there, its second definition in package ir/eval and
// its prototype in package types.
//
//   - A product that is added to something is converted explicitly,
//     float64(a*b) + c, so that no compiler fuses it.
//   - Of package math only what is exact or correctly rounded by definition is
//     called: Sqrt, FMA and operations on bits.
//   - half and bfloat values travel as the float32 of the same value; their
//     operations round once, to their own Format.
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
