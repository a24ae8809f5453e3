package consteval

import (
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/scalar"
)

// builtin evaluates a call of the standard library on constants. Functions
// that work component by component are folded where the language leaves no
// choice of result; sums over components, exchanges between lanes and memory
// operations are no constants.
func (v *evaluation) builtin(e *hir.BuiltinCall) []byte {
	if e.Name == "all" || e.Name == "any" {
		return v.allOrAny(e)
	}
	k, outs := components(e.Type())
	args := make([][]byte, len(e.Args))
	kinds, offs := make([]hir.Kind, len(args)), make([][]int, len(args))
	for i, a := range e.Args {
		kinds[i], offs[i] = components(a.Type())
	}
	var f pointwise
	if len(args) > 0 {
		f = constantFunction(e.Name, kinds[0])
	}
	if f == nil {
		v.fail(e.Pos(), e.Name+" is not a constexpr function")
	}
	for i, a := range e.Args {
		args[i] = v.value(a)
	}
	out := make([]byte, e.Type().Size())
	x := make([]uint64, len(args))
	for c := range outs {
		for i := range args {
			x[i] = getBits(args[i][offs[i][min(c, len(offs[i])-1)]:], kinds[i])
		}
		r, ok := f(x)
		if !ok {
			v.fail(e.Pos(), e.Name+" has no constant value here")
		}
		putBits(out[outs[c]:], k, r)
	}
	return out
}

func (v *evaluation) allOrAny(e *hir.BuiltinCall) []byte {
	data := v.value(e.Args[0])
	_, offs := components(e.Args[0].Type())
	all, some := true, false
	for _, off := range offs {
		set := getBits(data[off:], hir.Bool) != 0
		all, some = all && set, some || set
	}
	if e.Name == "all" {
		return hir.BytesOf(hir.BoolBits(all), hir.Bool)
	}
	return hir.BytesOf(hir.BoolBits(some), hir.Bool)
}

// pointwise is a function of scalars in the form of [hir.Const]. It reports false where
// the result is undefined.
type pointwise func(x []uint64) (uint64, bool)

// constantFunction is the function of the library with a name for a first argument of kind k,
// nil if a call of it is not constant.
func constantFunction(name string, k hir.Kind) pointwise {
	switch name {
	case "select":
		return func(x []uint64) (uint64, bool) {
			if x[2] != 0 {
				return x[1], true
			}
			return x[0], true
		}
	case "clamp":
		return constantClamp(k)
	case "min3", "fmin3":
		return ofThree(constantFunction("min", k))
	case "max3", "fmax3":
		return ofThree(constantFunction("max", k))
	}
	if !k.IsFloat() {
		f := scalar.Int{Bits: uint8(8 * k.Size()), Signed: k.IsSigned()}.Function(name)
		if f == nil || !f.Constant {
			return nil
		}
		return func(x []uint64) (uint64, bool) { return f.Of(x), true }
	}
	if f := floatComposition(name, hir.FormatOf(k)); f != nil {
		return floatConstant(k, f)
	}
	return floatFunction(k, scalar.Float(name))
}

// floatFunction is a function of floats of kind k, or nil.
func floatFunction(k hir.Kind, f *scalar.FloatFunction) pointwise {
	switch format := hir.FormatOf(k); {
	case f == nil || !f.Constant:
		return nil
	case f.Test != nil:
		return func(x []uint64) (uint64, bool) {
			return hir.BoolBits(f.Test(format, format.FromBits(uint32(x[0])))), true
		}
	case f.Unary(format) != nil:
		of := f.Unary(format)
		return floatConstant(k, func(x []float32) float32 { return of(x[0]) })
	default:
		of := f.Binary(format)
		return floatConstant(k, func(x []float32) float32 { return of(x[0], x[1]) })
	}
}

// floatComposition is a function that has no row in package scalar, or nil.
func floatComposition(name string, f scalar.Format) func(x []float32) float32 {
	switch name {
	case "fma":
		return func(x []float32) float32 { return f.FMA(x[0], x[1], x[2]) }
	case "divide":
		return func(x []float32) float32 { return f.Round(float64(x[0]) / float64(x[1])) }
	case "saturate":
		return func(x []float32) float32 { return scalar.Fmin(scalar.Fmax(x[0], 0), 1) }
	case "step":
		return func(x []float32) float32 {
			if x[1] < x[0] {
				return 0
			}
			return 1
		}
	}
	return nil
}

// floatConstant is a function of values of kind k, whose result is rounded to it.
func floatConstant(k hir.Kind, f func(x []float32) float32) pointwise {
	format := hir.FormatOf(k)
	return func(x []uint64) (uint64, bool) {
		args := make([]float32, len(x))
		for i := range x {
			args[i] = format.FromBits(uint32(x[i]))
		}
		return hir.RoundBits(k, float64(f(args))), true
	}
}

// constantClamp is min(max(x, low), high), which is undefined for low > high.
func constantClamp(k hir.Kind) pointwise {
	least, most := constantFunction("min", k), constantFunction("max", k)
	return func(x []uint64) (uint64, bool) {
		if !k.IsFloat() && compare(hir.Gt, k, x[1], x[2]) {
			return 0, false
		}
		y, _ := most(x[:2])
		return least([]uint64{y, x[2]})
	}
}

// ofThree is f(x, f(y, z)).
func ofThree(f pointwise) pointwise {
	return func(x []uint64) (uint64, bool) {
		y, _ := f(x[1:3])
		return f([]uint64{x[0], y})
	}
}
