package oracles

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// fma32 is a·b + c with one rounding.
func fma32(a, b, c float32) float32 {
	x := new(big.Float).SetPrec(300).SetFloat64(float64(a))
	x.Mul(x, big.NewFloat(float64(b)))
	x.Add(x, big.NewFloat(float64(c)))
	y, _ := x.Float32()
	return y
}

// flushed is x with subnormals as zero.
func flushed(x float32) float32 {
	if math.Abs(float64(x)) < 0x1p-126 {
		return 0
	}
	return x
}

// orders are ways to compute a dot product that their schedule allows.
var orders = []struct {
	name     string
	schedule Schedule
	dot      func(a, b []float32) float32
}{
	{"sequential", Sequential(), func(a, b []float32) (s float32) {
		for i, x := range a {
			s += float32(x * b[i])
		}
		return s
	}},
	{"sequential, fused", Sequential(), func(a, b []float32) (s float32) {
		for i, x := range a {
			s = fma32(x, b[i], s)
		}
		return s
	}},
	{"sequential, flushed", Sequential(), func(a, b []float32) (s float32) {
		for i, x := range a {
			s = flushed(flushed(s) + flushed(flushed(x)*flushed(b[i])))
		}
		return s
	}},
	{"backwards", AnyOrder(), func(a, b []float32) (s float32) {
		for i := len(a) - 1; i >= 0; i-- {
			s += float32(a[i] * b[i])
		}
		return s
	}},
	{"pairwise", AnyOrder(), func(a, b []float32) float32 {
		terms := make([]float32, len(a))
		for i, x := range a {
			terms[i] = x * b[i]
		}
		return pairwise(terms)
	}},
	{"tiles of 8", MatrixTiles(), func(a, b []float32) (s float32) {
		for first := 0; first < len(a); first += 8 {
			for i := first; i < min(first+8, len(a)); i++ {
				s = fma32(a[i], b[i], s)
			}
		}
		return s
	}},
	{"tiles of 8 from the end", MatrixTiles(), func(a, b []float32) (s float32) {
		for first := 0; first < len(a); first += 8 {
			for i := min(first+8, len(a)) - 1; i >= first; i-- {
				s += float32(a[i] * b[i])
			}
		}
		return s
	}},
	{"256 lanes, halved", Halved(256), func(a, b []float32) float32 {
		lanes := make([]float32, 256)
		for i, x := range a {
			lanes[i%256] = fma32(x, b[i], lanes[i%256])
		}
		for half := 128; half > 0; half /= 2 {
			for i := range half {
				lanes[i] += lanes[i+half]
			}
		}
		return lanes[0]
	}},
	{"256 lanes, butterflies", Strided(256, 1), func(a, b []float32) float32 {
		lanes := make([]float32, 256)
		for i, x := range a {
			lanes[i%256] += float32(x * b[i])
		}
		var groups []float32
		for g := range 8 {
			groups = append(groups, pairwise(lanes[32*g:32*g+32]))
		}
		return pairwise(groups)
	}},
	{"256 lanes, in turn", Strided(256, 1), func(a, b []float32) (s float32) {
		lanes := make([]float32, 256)
		for i, x := range a {
			lanes[i%256] += float32(x * b[i])
		}
		for g := range 8 {
			var group float32
			for _, x := range lanes[32*g : 32*g+32] {
				group += x
			}
			s += group
		}
		return s
	}},
}

func pairwise(x []float32) float32 {
	switch len(x) {
	case 0:
		return 0
	case 1:
		return x[0]
	}
	return pairwise(x[:len(x)/2]) + pairwise(x[len(x)/2:])
}

// exactDot is Σ aᵢ·bᵢ rounded once.
func exactDot(a, b []float64) float64 {
	s := new(big.Float).SetPrec(2000)
	for i, x := range a {
		s.Add(s, new(big.Float).SetPrec(200).Mul(big.NewFloat(x), big.NewFloat(b[i])))
	}
	y, _ := s.Float64()
	return y
}

// TestDotBudget holds every order to the bound of its schedule, and the
// general sum to be no sharper than the specialised dot product.
func TestDotBudget(t *testing.T) {
	for _, family := range families {
		for _, n := range []int{1, 2, 8, 100, 1000} {
			r := source(family, n)
			a, b := inputs(r, family, F32, n), inputs(r, "normal", F32, n)
			want := exactDot(a, b)
			if got := dot(a, b); math.Abs(got-want) > 1e-14*math.Abs(want) {
				t.Errorf("%s, n = %d: the oracle's own dot product is %v, want %v", family, n, got, want)
			}
			for _, o := range orders {
				y := Contract{}.arithmetic().dotter(order{Schedule: o.schedule}).dot(a, b)
				got := float64(o.dot(narrow(a), narrow(b)))
				if err := math.Abs(got - want); !(err <= y.e) {
					t.Errorf("%s, n = %d, %s: error %g, bound %g", family, n, o.name, err, y.e)
				}
				m := Contract{}.arithmetic()
				terms := make([]approx, n)
				for i := range a {
					terms[i] = m.mul(exactly(a[i]), exactly(b[i]))
				}
				s := m.sum(order{Schedule: o.schedule}, terms)
				if err := math.Abs(got - want); !(err <= s.e) {
					t.Errorf("%s, n = %d, %s: error %g, bound of the sum %g", family, n, o.name, err, s.e)
				}
			}
		}
	}
}

// TestSumsOfIntegersAreExact finds sums of small integers exact in every schedule.
func TestSumsOfIntegersAreExact(t *testing.T) {
	m := Contract{}.arithmetic()
	terms := make([]approx, 1000)
	for i := range terms {
		terms[i] = exactly(float64(i%7 - 3))
	}
	for _, s := range []Schedule{Sequential(), AnyOrder(), MatrixTiles(), Strided(64, 2)} {
		if y := m.sum(order{Schedule: s}, terms); y.e != 0 {
			t.Errorf("%s: error %g, want 0", s, y.e)
		}
		terms[999] = exactly(0x1p25 + 2) // even, so that it is a number of the format
		if y := m.sum(order{Schedule: s}, terms); y.e == 0 {
			t.Errorf("%s: a sum beyond 2²⁴ counts as exact", s)
		}
		terms[999] = exactly(2)
	}
}

// TestOperationsKeepTheirBounds draws operands and what a kernel may hold instead
// of them, and holds each operation's result to its error.
func TestOperationsKeepTheirBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	for _, c := range []Contract{{}, {Subnormals: Kept}, {Functions: Fast}, {Functions: Fast, Subnormals: Kept}} {
		m := c.arithmetic()
		off := func(x float32, ulps float64) float32 { // a function's result, wrong by less than so many ulp
			toward := float32(math.Inf(1 - 2*r.IntN(2)))
			for range r.IntN(max(int(ulps), 1)) {
				x = math.Nextafter32(x, toward)
			}
			return x
		}
		flush := func(x float32) float32 {
			if c.Subnormals == MayFlush {
				return flushed(x)
			}
			return x
		}
		near := func(a approx) float32 { // a number of the format within a.e of a.v, flushed
			x := float32(a.v + (2*r.Float64()-1)*a.e)
			if math.Abs(float64(x)-a.v) > a.e {
				x = float32(a.v)
			}
			return flush(x)
		}
		for i := range 30000 {
			scale := []int{0, 20, -20, -126, -64}[i%5]
			operand := func() approx {
				v := float64(float32(math.Ldexp(r.NormFloat64(), scale+r.IntN(5))))
				return approx{v: v, e: math.Abs(v) * []float64{0, 0x1p-20, 0x1p-3, 2}[r.IntN(4)]}
			}
			a, b := operand(), operand()
			x, y := near(a), near(b)
			positive := approx{v: math.Abs(a.v), e: a.e}
			px := near(positive)
			bounded := approx{v: math.Remainder(a.v, 200), e: min(a.e, 1)}
			bx := near(bounded)
			exponential := exp32(bx)
			if bx != 0 {
				exponential = off(exponential, Accuracy{Functions: c.Functions}.ulps("exp", float64(bx)))
			}
			for _, op := range []struct {
				name string
				want approx
				got  float32
			}{
				{"add", m.add(a, b), flush(x + y)},
				{"sub", m.sub(a, b), flush(x - y)},
				{"mul", m.mul(a, b), flush(x * y)},
				{"div", m.div(a, b), flush(off(x/y, Accuracy{Functions: c.Functions}.ulps("divide", 0)))},
				{"rsqrt", m.rsqrt(positive),
					flush(off(rsqrt32(px), Accuracy{Functions: c.Functions}.ulps("rsqrt", 0)))},
				{"exp", m.exp(bounded), flush(exponential)},
			} {
				if !finite(op.want.v) || math.IsInf(op.want.e, 1) {
					continue
				}
				if err := math.Abs(float64(op.got) - op.want.v); !(err <= op.want.e*(1+1e-9)) {
					t.Fatalf("%s, %s of %v and %v (held as %g and %g): %g, want %g within %g, error %g",
						c.Subnormals, op.name, a, b, x, y, op.got, op.want.v, op.want.e, err)
				}
			}
		}
	}
}

// TestSpecialValues keeps infinities and NaN strict and overflow open.
func TestSpecialValues(t *testing.T) {
	m := Contract{}.arithmetic()
	inf, nan := exactly(math.Inf(1)), exactly(math.NaN())
	one, inexact := exactly(1), bounded(1, 1e-7)
	huge := exactly(3e38)
	tests := []struct {
		name string
		got  approx
		want approx
	}{
		{"Inf + 1", m.add(inf, inexact), inf},
		{"Inf − Inf", m.sub(inf, inf), nan},
		{"NaN · 1", m.mul(nan, inexact), nan},
		{"Inf · 0", m.mul(inf, exactly(0)), nan},
		{"Inf · about 0", m.mul(inf, bounded(0, 1)), bounded(math.NaN(), math.Inf(1))},
		{"1 / 0", m.div(one, exactly(0)), inf},
		{"1 / about 0", m.div(one, bounded(0.5, 1)), bounded(2, math.Inf(1))},
		{"rsqrt Inf", m.rsqrt(inf), exactly(0)},
		{"rsqrt 0", m.rsqrt(exactly(0)), inf},
		{"rsqrt −1", m.rsqrt(exactly(-1)), nan},
		{"exp −Inf", m.exp(exactly(math.Inf(-1))), exactly(0)},
		{"exp 0", m.exp(exactly(0)), one},
		{"overflow", m.mul(huge, exactly(2)), bounded(6e38, math.Inf(1))},
		{"any order with Inf", m.anyOrder([]approx{inf, inexact, one}), inf},
		{"any order with both", m.anyOrder([]approx{inf, exactly(math.Inf(-1))}), nan},
	}
	for _, test := range tests {
		if fmt.Sprint(test.got) != fmt.Sprint(test.want) {
			t.Errorf("%s = %v, want %v", test.name, test.got, test.want)
		}
	}
}

// TestSumsThatMayOverflow: a sum within range promises nothing if its terms of
// one sign alone leave it and may come first.
func TestSumsThatMayOverflow(t *testing.T) {
	terms := []approx{exactly(3e38), exactly(-2.5e38), exactly(2.8e38), exactly(-2.5e38)}
	m := Contract{}.arithmetic()
	if open := m.sum(inAnyOrder("terms"), terms); !math.IsInf(open.e, 1) {
		t.Errorf("in any order: %v", open)
	}
	if fixed := m.sum(order{Schedule: Sequential()}, terms); math.IsInf(fixed.e, 1) {
		t.Errorf("in the order in which no partial sum overflows: %v", fixed)
	}
}

// TestSumOfOneSubnormal: a sum of one number is that number, but an accumulator that
// begins with 0 may flush it.
func TestSumOfOneSubnormal(t *testing.T) {
	for _, s := range []Schedule{Sequential(), AnyOrder(), MatrixTiles(), Strided(64, 2)} {
		for _, test := range []struct {
			subnormals Subnormals
			x          float64
			flushed    bool
		}{{MayFlush, 0x1p-130, true}, {MayFlush, 1, false}, {Kept, 0x1p-130, false}} {
			m := Contract{Subnormals: test.subnormals}.arithmetic()
			y := m.sum(order{Schedule: s}, []approx{exactly(test.x), exactly(0)})
			if y.v != test.x || (y.e >= test.x) != test.flushed || !test.flushed && y.e != 0 {
				t.Errorf("%s, %s: %g with error %g", s, test.subnormals, y.v, y.e)
			}
		}
	}
}
