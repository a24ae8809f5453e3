package oracles

import "math"

// Functions is the class of the f32 functions that a kernel may call.
type Functions uint8

const (
	Precise Functions = iota // metal::precise, Table 8.1 of the Metal specification
	Fast                     // metal::fast, Table 8.2
)

func (f Functions) String() string { return [...]string{"precise", "fast"}[f] }

// accuracy is one row of the table: the largest error of a function in ulp of
// its exact result, of the form constant + ⌊|slope·x|⌋.
type accuracy struct {
	ulp   float64
	slope float64
}

// accuracyOf is the accuracy of an f32 function that the catalogue's kernels
// use, from Tables 8.1 (precise) and 8.2 (fast) of the Metal Shading Language
// specification. A correctly rounded function has half an ulp. fast::log is
// and fast::log2 are left out within [0.5, 2], and fast::sin, fast::cos and fast::tanh
// everywhere: their limits there are absolute, see [library.log], [Accuracy.Turn] and
// [arithmetic.halfTanh].
func accuracyOf(name string) [2]accuracy {
	switch name {
	case "exp", "exp2":
		return [2]accuracy{Precise: {ulp: 4}, Fast: {ulp: 3, slope: 2}}
	case "log":
		return [2]accuracy{Precise: {ulp: 4}, Fast: {ulp: 3}}
	case "log2":
		return [2]accuracy{Precise: {ulp: 4}, Fast: {ulp: 2}}
	case "rsqrt":
		return [2]accuracy{Precise: {ulp: 0.5}, Fast: {ulp: 2}}
	case "sqrt": // fast: x·rsqrt(x)
		return [2]accuracy{Precise: {ulp: 0.5}, Fast: {ulp: 2.5}}
	case "divide":
		return [2]accuracy{Precise: {ulp: 0.5}, Fast: {ulp: 2.5}}
	case "reciprocal":
		return [2]accuracy{Precise: {ulp: 0.5}, Fast: {ulp: 1}}
	case "tanh":
		return [2]accuracy{Precise: {ulp: 5}}
	case "sin", "cos":
		return [2]accuracy{Precise: {ulp: 4}}
	}
	return [2]accuracy{}
}

// Accuracy is how far the functions of a class may be off: by the specification, and by
// what has been measured of a device.
type Accuracy struct {
	Functions
	Measured *Measured // nil: nothing
}

// ulps is the largest error of the f32 function name at x in ulp.
func (f Accuracy) ulps(name string, x float64) float64 {
	a := accuracyOf(name)[f.Functions]
	return f.Measured.limit(name, f.Functions, a.ulp+math.Floor(math.Abs(a.slope*x)))
}

// Relative is the largest relative error of the f32 function name at x: an ulp
// is at most 2u of the exact result, down to the smallest normal number.
func (f Accuracy) Relative(name string, x float64) float64 {
	return float64(f.ulps(name, x) * 2 * F32.UnitRoundoff())
}

// rounds reports whether the function name is correctly rounded by definition.
func (f Accuracy) rounds(name string) bool { return f.Functions == Precise && f.ulps(name, 0) == 0.5 }

// library is what a contract says of functions: how accurate they are, and the forms of
// the operations that are made of them.
type library struct {
	Accuracy
	forms  Forms
	tracer *SumTracer
}

// may reports whether the other form of an operation is allowed too.
func (l library) may(o Operation) bool {
	if l.tracer != nil {
		l.tracer.operations[o] = true
	}
	return l.forms.either(o)
}

// compound is the relative error of a result that is off by each factor 1 + r in turn.
func compound(r ...float64) float64 {
	c := 0.0
	for _, x := range r {
		c += x + float64(c*x)
	}
	return c
}

// The relative errors of log₂e and ln 2 as f32 numbers are 0.23u and 0.05u: u/4 is more
// than either.
const constantError = 0x1p-26

// exp is the largest relative error of e^x, given what [library.exponent] makes of x.
// e^±0 is taken to be exactly 1, as on every device that has been measured.
func (l library) exp(x float64) float64 {
	if x == 0 {
		return 0
	}
	own := l.Relative("exp", x)
	if l.may(Exponential) {
		return max(own, l.Relative("exp2", x*math.Log2E))
	}
	return own
}

// exponent is the largest error of the exponent x of e: fl(x·fl(log₂e)) is off by
// 5/4·u of itself.
func (l library) exponent(x float64) float64 {
	if !l.may(Exponential) {
		return 0
	}
	return math.Abs(x) * compound(constantError, F32.UnitRoundoff())
}

// divide is the largest relative error of x/y for |y| between l.divisors.
func (l library) divide() float64 {
	own := l.Relative("divide", 0)
	if !l.may(Division) {
		return own
	}
	return max(own, compound(l.Relative("reciprocal", 0), F32.UnitRoundoff()))
}

// divisors are the ends of the range of |y| in which the limit for x/y holds: the
// reciprocal is subnormal for a larger divisor, and then 0 where subnormals are
// flushed, and beyond the largest number for a smaller one. For fast division Table
// 8.2 has the same range.
func (l library) divisors() (low, high float64) {
	if l.Functions == Fast || l.may(Division) {
		return 0x1p-126, 0x1p126
	}
	return 0, F32.Max()
}

// rsqrt is the largest relative error of 1/√x where a product follows: x·(1/√y), or
// x/√y without a rounding of the product.
func (l library) rsqrt() float64 {
	own := l.Relative("rsqrt", 0)
	if !l.may(Root) {
		return own
	}
	inverse := max(l.Relative("reciprocal", 0), l.Relative("divide", 0)-F32.UnitRoundoff())
	return max(own, compound(l.Relative("sqrt", 0), inverse))
}

// Log is the largest absolute error of ln on [low, high], above 0, given the largest
// magnitude of its exact result there: Table 8.2 limits fast::log by 2⁻²¹ on
// [0.5, 2]. ln 1 is exactly 0 in precise functions.
func (f Accuracy) Log(low, high, largest float64) float64 {
	e := float64(largest * f.Relative("log", high))
	if f.Functions == Fast && high >= 0.5 && low <= 2 {
		return max(e, 0x1p-21)
	}
	return e
}

// log is [Accuracy.Log], or what ln 2·log₂ adds to it. Table 8.2 limits fast::log2 by
// 2⁻²² on [0.5, 2], which is less than fast::log's.
func (l library) log(low, high, largest float64) float64 {
	own := l.Log(low, high, largest)
	if !l.may(Exponential) {
		return own
	}
	return max(own, float64(largest*compound(l.Relative("log2", high), constantError, F32.UnitRoundoff())))
}

// Turn is the largest absolute error of name, sin or cos, at x given its exact
// result. Table 8.2 limits the fast ones by 2⁻¹³ on [−π, π]; beyond, it only
// says that the error is larger.
func (f Accuracy) Turn(name string, x, exact float64) float64 {
	switch {
	case f.Functions == Precise:
		return math.Abs(exact) * f.Relative(name, x)
	case math.Abs(x) <= math.Pi:
		return 0x1p-13
	}
	return math.Inf(1)
}
