package metalrun

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"metalconform/metalrun/internal/scalar"
)

// CheckRounding asks a device whether it rounds to nearest, ties to even, and returns
// an error that names the operations that do not. The Metal Shading Language
// specification also permits rounding toward zero (section 8.2), which is assumed away
// wherever results are judged: it may err by twice as much, and to one side. Every
// Apple GPU that has been measured rounds to nearest.
//
// Operations of float, half and bfloat are tried, and conversions to them, on operands
// for which the two modes differ.
func CheckRounding(r Runner) error {
	p, err := Analyse(SourceText("rounding.metal", roundingSource), CompileOptions{})
	if err != nil {
		return err
	}
	library, err := r.Compile(p)
	if err != nil {
		return err
	}
	defer library.Release()
	k, err := library.Kernel("rounding")
	if err != nil {
		return err
	}
	in, out := roundingOperands(), make([]byte, 4*roundingPairs*len(roundedOperations))
	_, err = k.Run(Dispatch{
		Bindings:     []Binding{{Index: 0, Data: in, Length: len(in), Inline: true}, {Index: 1, Data: out, Length: len(out)}},
		Threadgroups: Size{1, 1, 1}, ThreadsPerThreadgroup: Size{roundingPairs, 1, 1},
	})
	if err != nil {
		return err
	}
	return roundingError(in, out)
}

// roundingPairs is how many pairs of operands are tried.
const roundingPairs = 32

// roundingSource has the operations in the order of roundedOperations. Operands come
// from a buffer, so that no compiler computes them.
const roundingSource = `#include <metal_stdlib>
using namespace metal;

kernel void rounding(constant float2 *in [[buffer(0)]], device float *out [[buffer(1)]], uint i [[thread_position_in_grid]])
{
	const uint n = 32;
	float a = in[i].x, b = in[i].y;
	half p = half(a), q = half(b);
	bfloat x = bfloat(a), y = bfloat(b);
	out[i] = a + b;
	out[i + n] = a * b;
	out[i + 2 * n] = a / b;
	out[i + 3 * n] = fma(a, b, a);
	out[i + 4 * n] = float(p + q);
	out[i + 5 * n] = float(p * q);
	out[i + 6 * n] = float(p / q);
	out[i + 7 * n] = float(x + y);
	out[i + 8 * n] = float(x * y);
	out[i + 9 * n] = float(x / y);
	out[i + 10 * n] = float(p);
	out[i + 11 * n] = float(x);
	out[i + 12 * n] = float(int(a * 16777216.0f) * 31 + 1);
}
`

// roundedOperation is what an operation makes of two operands: the exact result, as
// far as float64 tells numbers of the format apart, and the format it is rounded to.
type roundedOperation struct {
	name   string
	format scalar.Format
	exact  func(a, b float64) float64
}

var roundedOperations = []roundedOperation{
	{"float a + b", scalar.F32, func(a, b float64) float64 { return a + b }},
	{"float a * b", scalar.F32, func(a, b float64) float64 { return a * b }},
	{"float a / b", scalar.F32, func(a, b float64) float64 { return a / b }},
	{"float fma(a, b, a)", scalar.F32, func(a, b float64) float64 { return math.FMA(a, b, a) }},
	{"half a + b", scalar.Half, narrowed(scalar.Half, func(a, b float64) float64 { return a + b })},
	{"half a * b", scalar.Half, narrowed(scalar.Half, func(a, b float64) float64 { return a * b })},
	{"half a / b", scalar.Half, narrowed(scalar.Half, func(a, b float64) float64 { return a / b })},
	{"bfloat a + b", scalar.Bfloat, narrowed(scalar.Bfloat, func(a, b float64) float64 { return a + b })},
	{"bfloat a * b", scalar.Bfloat, narrowed(scalar.Bfloat, func(a, b float64) float64 { return a * b })},
	{"bfloat a / b", scalar.Bfloat, narrowed(scalar.Bfloat, func(a, b float64) float64 { return a / b })},
	{"half(a)", scalar.Half, func(a, _ float64) float64 { return a }},
	{"bfloat(a)", scalar.Bfloat, func(a, _ float64) float64 { return a }},
	{"float(int)", scalar.F32, func(a, _ float64) float64 { return math.Trunc(a*(1<<24))*31 + 1 }},
}

// narrowed is an operation on operands that were rounded to a format.
func narrowed(f scalar.Format, exact func(a, b float64) float64) func(a, b float64) float64 {
	return func(a, b float64) float64 { return exact(float64(f.Round(a)), float64(f.Round(b))) }
}

// roundingOperands are pairs of floats in [1, 2), whose bits look random.
func roundingOperands() []byte {
	var in []byte
	bits := uint32(1)
	for range 2 * roundingPairs {
		bits = bits*1664525 + 1013904223
		in = binary.LittleEndian.AppendUint32(in, 0x3f800000|bits>>9)
	}
	return in
}

// roundingError says which operations are not rounded to nearest, given what the
// device made of the operands.
func roundingError(in, out []byte) error {
	at := func(b []byte, i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
	var wrong []string
	zero := true
	for n, op := range roundedOperations {
		nearest, truncated := true, true
		for i := range roundingPairs {
			exact := op.exact(float64(at(in, 2*i)), float64(at(in, 2*i+1)))
			got := at(out, n*roundingPairs+i)
			nearest = nearest && got == op.format.Round(exact)
			truncated = truncated && got == op.format.Truncate(exact)
		}
		if !nearest {
			wrong = append(wrong, op.name)
			zero = zero && truncated
		}
	}
	switch {
	case wrong == nil:
		return nil
	case zero:
		return fmt.Errorf("the device rounds toward zero, which bounds do not allow for: %s", strings.Join(wrong, ", "))
	}
	return fmt.Errorf("the device does not round to nearest, ties to even: %s", strings.Join(wrong, ", "))
}
