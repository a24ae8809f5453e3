package llvm

import (
	"math"

	"metalconform/metalrun/internal/ir"
)

// turns makes the fast sine and cosine what the GPU has: functions of an angle in turns, whose three
// roundings scalar.Turn has. The product with 1/(2π) is rounded like any other, and joins what follows.
func (f *function) turns() {
	for _, in := range f.order() {
		if in.Op != ir.Math || !in.Fast || in.Fn != "sin" && in.Fn != "cos" || f.typ(in.Dst[0]) != ir.F32 {
			continue
		}
		t := f.typ(in.Args[0])
		turns := f.emit(in, ir.Mul, in.Args[0], f.literal(t, 1/(2*math.Pi)))
		half := f.emit(in, ir.Mul, turns, f.literal(t, 2))
		name := in.Fn + "pi"
		f.become(in, ir.Math, half)
		in.Fn = name
	}
}
