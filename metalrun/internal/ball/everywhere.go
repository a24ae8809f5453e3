package ball

import "math"

// Every device may have the same special value where exact arithmetic has a number: a value wholly beyond the range of
// its format is infinite on all of them, and so may be what follows from it, or a NaN. Nothing bounds the distance, and
// E is +Inf; L has what the devices have, which no other ball has there. An operation without a rule of its own makes
// such a ball unknown.
//
// A device may contract a product and a sum, and then the product does not leave the range. So the sum of a number that
// is beyond it is again beyond it, or unknown.

// beyondRange is an exact value that is infinite on every device.
func beyondRange(x float64) Ball {
	return Ball{X: x, E: math.Inf(1), L: math.Copysign(math.Inf(1), x)}
}

// Everywhere is the infinity or NaN that every device has instead of a's exact value; ok is false of any other ball.
func (a Ball) Everywhere() (v float64, ok bool) {
	return a.L, a.E > math.MaxFloat64 && !finite(a.L)
}

// instead is a number x where every device has v, whose own errors are at most e.
func instead(x, v, e float64) Ball {
	switch {
	case !finite(x):
		return Unknown(x)
	case !finite(v):
		return Ball{X: x, E: math.Inf(1), L: v}
	}
	return Ball{X: x, E: math.Abs(x-v) + e}
}

// held is what every device has of an operand, for an operation in which the size of a number does not matter, but its
// sign: ±1 stand for numbers that are not zero. ok is false if devices may differ in that.
func (a Ball) held() (v float64, ok bool) {
	if v, ok := a.Everywhere(); ok {
		return v, true
	}
	return math.Copysign(1, a.X), finite(a.X) && math.Abs(a.X)-a.E >= normal
}

// plusEverywhere is a + b, of which one has a value everywhere.
func plusEverywhere(a, b Ball) Ball {
	x := a.X + b.X
	v, special := a.Everywhere()
	w, both := b.Everywhere()
	switch {
	case !special:
		v, special, a, b = w, true, b, a
	case both:
		v += w
	}
	if !both && !b.number() {
		return Unknown(x)
	}
	for _, c := range [...]Ball{a, b} {
		if math.Abs(c.X) >= largest && !(math.Abs(x) >= largest && v == math.Copysign(math.Inf(1), x)) {
			return Unknown(x)
		}
	}
	return instead(x, v, 0)
}

// timesEverywhere is a·b, of which one has a value everywhere.
func timesEverywhere(a, b Ball) Ball {
	v, known := a.held()
	w, both := b.held()
	if !known || !both {
		return Unknown(float64(a.X * b.X))
	}
	return instead(float64(a.X*b.X), float64(v*w), 0)
}

// overEverywhere is a/b, of which one has a value everywhere.
func overEverywhere(a, b Ball) Ball {
	v, known := a.held()
	w, both := b.held()
	if _, special := a.Everywhere(); !special { // a number over infinity is 0, whatever it is
		v, known = 1, a.number()
	}
	if !known || !both {
		return Unknown(a.X / b.X)
	}
	return instead(a.X/b.X, v/w, 0)
}

// maxEverywhere is the greater of two, of which one has a value everywhere.
func maxEverywhere(a, b Ball) Ball {
	v, special := a.Everywhere()
	w, both := b.Everywhere()
	if !special {
		return maxEverywhere(b, a)
	}
	x := math.Max(a.X, b.X)
	switch {
	case both && v == v && w == w:
		return instead(x, math.Max(v, w), 0)
	case both || !b.number():
		return Unknown(x)
	case v > 0:
		return instead(x, v, 0)
	}
	return instead(x, b.X, b.E) // -Inf is less than any number, and a NaN is none
}

// apartEverywhere reports whether two compare the same on every device as in exact arithmetic, of which one has a value
// everywhere.
func apartEverywhere(a, b Ball) bool {
	v, special := a.Everywhere()
	w, both := b.Everywhere()
	switch {
	case !special:
		return apartEverywhere(b, a)
	case v != v || w != w || !both && !b.number():
		return false
	case both:
		return v != w && v > w == (a.X > b.X)
	}
	return v > 0 == (a.X-(b.X+b.E) > 0) && v > 0 == (a.X-(b.X-b.E) > 0)
}

// everywhere reports whether one of two balls has such a value.
func everywhere(a, b Ball) bool {
	if a.E+b.E <= math.MaxFloat64 {
		return false
	}
	_, v := a.Everywhere()
	_, w := b.Everywhere()
	return v || w
}
