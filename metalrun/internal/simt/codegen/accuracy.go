package codegen

import (
	"math"
	"sync"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// quotient is the function that a division is, among those whose accuracy a device
// chooses.
const quotient = "/"

// errant are functions as the adversary's device computes them: results lie as far
// from the exact ones as the limits allow, all above, all below, or to a side drawn for
// each argument. The same argument has the same result always.
// Exact results stay: at a function's fixed argument, zeros, infinities, NaN, and
// results near the ends of the range.
type errant struct {
	adversary *adversary
	flush     bool // f32 subnormals
}

// draw says how a function errs.
func (e errant) draw(name string) uint64 {
	return e.adversary.draw(syntax.Pos{}, machine.Accuracy+name)
}

// function displaces f, which is fn in the format of t.
func (e errant) function(f func(a, b uint32) uint32, fn *scalar.FloatFunction, fast bool,
	t ir.Type) func(a, b uint32) uint32 {
	limit, draw := fn.Limit(t.Format(), fast), e.draw(fn.Name)
	var moved func(a, b, v uint32) uint32
	switch {
	case limit.As != nil:
		device := e.fastDevice()
		f = func(a, b uint32) uint32 {
			return machine.F32bits(limit.As(device, machine.F32frombits(a), machine.F32frombits(b)))
		}
		moved = func(_, _, v uint32) uint32 { return v }
	case t == ir.F16:
		moved = e.narrow(fn, scalar.Half, limit, draw)
	default:
		moved = func(a, b, v uint32) uint32 { return displaced(a, b, v, fn, limit, draw) }
	}
	result := func(a, b uint32) uint32 {
		if x, y := machine.F32frombits(a), machine.F32frombits(b); limit.Undefined != nil && limit.Undefined(x, y) {
			return machine.Hostile(draw, uint64(a)<<32|uint64(b))
		}
		return moved(a, b, f(a, b))
	}
	if t == ir.F32 {
		return e.measured(result, fn, fast)
	}
	return result
}

// measured keeps the results of an f32 function to the error that was measured of it.
func (e errant) measured(f func(a, b uint32) uint32, fn *scalar.FloatFunction, fast bool) func(a, b uint32) uint32 {
	value := fn.Value()
	if e.adversary.measured == nil || value == nil {
		return f
	}
	ulps, ok := e.adversary.measured(fn.Name, fast)
	if !ok {
		return f
	}
	return func(a, b uint32) uint32 {
		exact := value(float64(machine.F32frombits(a)), float64(machine.F32frombits(b)))
		return machine.F32bits(scalar.Within(machine.F32frombits(f(a, b)), exact, ulps))
	}
}

// fastDevice has the fast functions of f32 that compositions are made of. Threadgroups
// that run at the same time share it.
func (e errant) fastDevice() scalar.FastDevice {
	var functions sync.Map // of names
	return scalar.FastDevice{
		Of: func(name string, x float32) float32 {
			f, ok := functions.Load(name)
			if !ok {
				fn := scalar.Float(name)
				of := fn.Unary(scalar.F32)
				f, _ = functions.LoadOrStore(name,
					e.function(func(a, _ uint32) uint32 { return machine.F32bits(of(machine.F32frombits(a))) }, fn,
						true, ir.F32))
			}
			return machine.F32frombits(f.(func(a, b uint32) uint32)(machine.F32bits(x), 0))
		},
		Divide: e.divide(scalar.F32, scalar.Quotients(scalar.F32, true).Ulps.Max),
	}
}

// divide is fast division: a product with the reciprocal, which may be flushed, or a
// quotient displaced by at most so many ulp; with 0, as of halves, it is rounded to nearest.
func (e errant) divide(format scalar.Format, limit float64) func(x, y float32) float32 {
	draw := e.draw(quotient)
	sign := side(draw)
	if draw>>8&1 != 0 && format == scalar.F32 {
		return func(x, y float32) float32 {
			r := 1 / y
			if middling(float64(r)) {
				r = scalar.F32.Farthest(1/float64(y), 1, sign(uint64(machine.F32bits(y))))
			} else if e.flush {
				r = scalar.FlushF32(r)
			}
			return x * r
		}
	}
	return func(x, y float32) float32 {
		q := float64(x) / float64(y)
		if limit == 0 || !middling(q) {
			return format.Round(q)
		}
		return format.Farthest(q, limit, sign(uint64(machine.F32bits(x))<<32|uint64(machine.F32bits(y))))
	}
}

// narrow displaces results of a narrow format: to the other of the two numbers that
// enclose the exact result, which f32 tells.
func (e errant) narrow(fn *scalar.FloatFunction, format scalar.Format, limit scalar.Limit,
	draw uint64) func(a, b, v uint32) uint32 {
	sign, unary, binary := side(draw), fn.Unary(scalar.F32), fn.Binary(scalar.F32)
	return func(a, b, v uint32) uint32 {
		x, y := machine.F32frombits(a), machine.F32frombits(v)
		if size := math.Abs(float64(y)); x == fn.Fixed || fn.Neutral && b<<1 == 0 ||
			!(size > 0x1p-12 && size < 0x1p14) {
			return v
		}
		var exact float32
		if unary != nil {
			exact = unary(x)
		} else {
			exact = binary(x, machine.F32frombits(b))
		}
		const certain = 1 - 0x1p-10 // what f32 may be off, in ulp of half
		return machine.F32bits(format.Farthest(float64(exact), certain*limit.Ulps.Max, sign(uint64(a)<<32|uint64(b))))
	}
}

// middling reports whether x is far from the ends of the range.
func middling(x float64) bool { size := math.Abs(x); return size > 0x1p-120 && size < 0x1p120 }

// side says to which side of the exact result a device errs, by the argument.
func side(draw uint64) func(of uint64) float64 {
	switch draw % 4 {
	case 0:
		return func(uint64) float64 { return 1 }
	case 1:
		return func(uint64) float64 { return -1 }
	}
	return func(of uint64) float64 {
		if machine.Mix(draw^of)&1 != 0 {
			return -1
		}
		return 1
	}
}

// steps is how many neighbours the correctly rounded result of a function may be
// displaced by: half an ulp of its limit is spent on the rounding.
func steps(limit scalar.Limit, x float64) int { return max(int(limit.Ulps.At(x)-0.5), 0) }

// displaced is the result v of f32 moved within a limit.
func displaced(a, b, v uint32, fn *scalar.FloatFunction, limit scalar.Limit, draw uint64) uint32 {
	style := draw % 4
	x, y := float64(machine.F32frombits(a)), float64(machine.F32frombits(v))
	if x == float64(fn.Fixed) || y-y != 0 || fn.Neutral && b<<1 == 0 {
		return v
	}
	if by, ok := limit.Absolute.At(x); ok {
		return moved(y, by, limit.Absolute.Beyond != 0, style, machine.Mix(draw^uint64(a)))
	}
	n := steps(limit, x)
	if n == 0 || !middling(y) {
		return v
	}
	switch style {
	case 0:
	case 1:
		n = -n
	default:
		if machine.Mix(draw^uint64(a)<<32^uint64(b))&1 != 0 {
			n = -n
		}
	}
	return shifted(v, n)
}

// moved is y moved by as much as an absolute limit allows in addition to two roundings, in a
// direction that the style or the draw says.
func moved(y, limit float64, bounded bool, style, draw uint64) uint32 {
	_, e := math.Frexp(math.Abs(y) + limit)
	by := max(0, limit-math.Ldexp(1, e-24))
	switch {
	case style == 1, style > 1 && draw&1 != 0:
		by = -by
	}
	if y += by; bounded {
		y = max(-1, min(1, y))
	}
	return machine.F32bits(float32(y))
}

// shifted is v moved by n neighbours away from zero, but not out of its binade, where an ulp is
// larger, or towards it if n is negative: below a power of two neighbours are as far apart as an ulp is
// there at most. What has been rounded to a power of two may lie below it: its ulp is half as large as
// the steps above.
func shifted(v uint32, n int) uint32 {
	const exponent = 0xff800000
	if v&^exponent == 0 && n > 0 {
		n /= 2
	}
	if moved := uint32(int64(v) + int64(n)); n < 0 || moved&exponent == v&exponent {
		return moved
	}
	return v | ^uint32(exponent)
}
