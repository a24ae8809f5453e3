// Package intrinsics measures how far the f32 functions of a device are from exact.
//
// The rule of the layer: an error is that of the result itself, in units in the last
// place of the exact value, which is known to within 2⁻¹⁸ of one; the largest is reported
// with the argument that it belongs to. What the specification promises is compared with
// it and never stands in for it.
package intrinsics
