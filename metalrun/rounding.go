package metalrun

import (
	"encoding/binary"
	"errors"
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
// for which the two modes differ. A device need not have bfloat: the error of one on which nothing but bfloat differs
// wraps [ErrBfloat].
func CheckRounding(r Runner) error {
	in := roundingOperands()
	out, err := rounded(r, in, "rounding", "half p = half(a), q = half(b);", roundedOperations)
	if err != nil {
		return err
	}
	if err := roundingError(roundedOperations, in, out); err != nil {
		return err
	}
	narrow, err := rounded(r, in, "rounding_bfloat", "bfloat x = bfloat(a), y = bfloat(b);", roundedBfloats)
	switch {
	case errors.Is(err, ErrUnsupported):
		return nil
	case errors.Is(err, ErrUnusable), errors.Is(err, ErrLost):
		return err
	case err == nil:
		err = roundingError(roundedBfloats, in, narrow)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBfloat, err)
	}
	return nil
}

// ErrBfloat is wrapped by the error of a device that float and half can be judged on, and bfloat cannot.
var ErrBfloat = errors.New("bfloat is not to be relied on")

// rounded is what a device makes of the operands by each of the operations, in turn.
func rounded(r Runner, in []byte, name, operands string, operations []roundedOperation) ([]byte, error) {
	p, err := Analyse(SourceText(name+".metal", roundingSource(name, operands, operations)), CompileOptions{})
	if err != nil {
		return nil, err
	}
	library, err := r.Compile(p)
	if err != nil {
		return nil, err
	}
	defer library.Release()
	k, err := library.Kernel(name)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 4*roundingPairs*len(operations))
	_, err = k.Run(Dispatch{
		Bindings: []Binding{{Index: 0, Data: in, Length: len(in), Inline: true},
			{Index: 1, Data: out, Length: len(out)}},
		Threadgroups: Size{1, 1, 1}, ThreadsPerThreadgroup: Size{roundingPairs, 1, 1},
	})
	return out, err
}

// roundingPairs is how many pairs of operands are tried.
const roundingPairs = 32

// roundingSource is a kernel with the operations. Operands come from a buffer, so that no
// compiler computes them.
func roundingSource(name, operands string, operations []roundedOperation) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#include <metal_stdlib>\nusing namespace metal;\n\n"+
		"kernel void %s(constant float2 *in [[buffer(0)]], device float *out [[buffer(1)]], uint i "+
		"[[thread_position_in_grid]])\n{\n"+
		"\tfloat a = in[i].x, b = in[i].y;\n\t%s\n", name, operands)
	for n, op := range operations {
		fmt.Fprintf(&b, "\tout[i + %d] = %s;\n", n*roundingPairs, op.source)
	}
	b.WriteString("}\n")
	return b.String()
}

// roundedOperation is what an operation makes of two operands: the exact result, as
// far as float64 tells numbers of the format apart, and the format it is rounded to.
type roundedOperation struct {
	name, source string
	format       scalar.Format
	exact        func(a, b float64) float64
}

var (
	sum      = func(a, b float64) float64 { return a + b }
	product  = func(a, b float64) float64 { return a * b }
	quotient = func(a, b float64) float64 { return a / b }
	first    = func(a, _ float64) float64 { return a }
)

var roundedOperations = []roundedOperation{
	{"float a + b", "a + b", scalar.F32, sum},
	{"float a * b", "a * b", scalar.F32, product},
	{"float a / b", "a / b", scalar.F32, quotient},
	{"float fma(a, b, a)", "fma(a, b, a)", scalar.F32, func(a, b float64) float64 { return math.FMA(a, b, a) }},
	{"half a + b", "float(p + q)", scalar.Half, narrowed(scalar.Half, sum)},
	{"half a * b", "float(p * q)", scalar.Half, narrowed(scalar.Half, product)},
	{"half a / b", "float(p / q)", scalar.Half, narrowed(scalar.Half, quotient)},
	{"half(a)", "float(p)", scalar.Half, first},
	{"float(int)", "float(int(a * 16777216.0f) * 31 + 1)", scalar.F32,
		func(a, _ float64) float64 { return math.Trunc(a*(1<<24))*31 + 1 }},
}

// roundedBfloats are those of a type that a device may lack.
var roundedBfloats = []roundedOperation{
	{"bfloat a + b", "float(x + y)", scalar.Bfloat, narrowed(scalar.Bfloat, sum)},
	{"bfloat a * b", "float(x * y)", scalar.Bfloat, narrowed(scalar.Bfloat, product)},
	{"bfloat a / b", "float(x / y)", scalar.Bfloat, narrowed(scalar.Bfloat, quotient)},
	{"bfloat(a)", "float(x)", scalar.Bfloat, first},
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
func roundingError(operations []roundedOperation, in, out []byte) error {
	at := func(b []byte, i int) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])) }
	var wrong []string
	zero := true
	for n, op := range operations {
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
