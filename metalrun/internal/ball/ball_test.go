package ball

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"metalconform/metalrun/internal/scalar"
)

var inf, nan = math.Inf(1), math.NaN()

// TestByHand has results computed by hand.
func TestByHand(t *testing.T) {
	const u = 0x1p-24
	for _, c := range []struct {
		name string
		got  Ball
		want Ball
	}{
		{"an exact sum", Add(Of(1), Of(2)), Ball{X: 3, E: 0}},
		{"a sum that rounds by a known amount", Add(Of(1), Of(0x1p-30)), Ball{X: 1 + 0x1p-30, E: 0x1p-30}},
		{"a sum of errors", Add(Ball{X: 1, E: 0.25}, Ball{X: 2, E: 0.5}), Ball{X: 3, E: 0.75 + u*3.75}},
		{"a product", Mul(Ball{X: 2, E: 0.5}, Ball{X: -4, E: 0.25}), Ball{X: -8, E: 2*0.25 + 4.25*0.5 + u*(8+2.625)}},
		{"an exact quotient", Div(Of(3), Of(4)), Ball{X: 0.75, E: 0}},
		{"a quotient", Div(Ball{X: 3, E: 0}, Ball{X: 4, E: 1}), Ball{X: 0.75, E: 0.25 + u}},
		{"a divisor that may be zero", Div(Of(1), Ball{X: 1, E: 1}), Ball{X: 1, E: inf}},
		{"a subnormal may be zero", Of(0x1p-130), Ball{X: 0x1p-130, E: 0x1p-130}},
		{"infinity and a number", Add(Of(inf), Ball{X: 1, E: 0.5}), Ball{X: inf, E: 0}},
		{"infinity and something unknown", Add(Of(inf), Unknown(1)), Ball{X: inf, E: inf}},
		{"infinity times a number of unknown sign", Mul(Of(inf), Ball{X: 1, E: 1}), Ball{X: inf, E: inf}},
		{"a number over infinity", Div(Ball{X: 1, E: 0.5}, Of(inf)), Ball{X: 0, E: 0}},
		{"an overflow", Mul(Of(0x1p100), Of(0x1p100)), Ball{X: 0x1p200, E: inf}},
		{"zero times something unknown", Mul(Ball{}, Unknown(1)), Ball{X: 0, E: inf}},
		{"apart", Max(Ball{X: 5, E: 1}, Ball{X: 2, E: 1}), Ball{X: 5, E: 1}},
		{"not apart", Max(Ball{X: 5, E: 1}, Ball{X: 4, E: 0.5}), Ball{X: 5, E: 1}},
		{"the number beside a NaN", Min(Of(nan), Ball{X: 4, E: 0.5}), Ball{X: 4, E: 0.5}},
		{"either of two", Either(Ball{X: 5, E: 1}, Ball{X: 2, E: 3}), Ball{X: 5, E: 6}},
		{"a value between two bf16 numbers, read", Bfloat.Read(Ball{X: 1 + 0x1p-9, E: 0}),
			Ball{X: 1 + 0x1p-9, E: 0x1p-9}},
		{"the same, anchored", Bfloat.Anchored(Ball{X: 1 + 0x1p-9, E: 0}), Ball{X: 1, E: 0}},
		{"one that may round either way", Bfloat.Anchored(Ball{X: 1 + 0x1p-8, E: 0x1p-20}), Ball{X: 1, E: 0x1p-7}},
		{"a number of half", Half.Read(Of(0.5)), Ball{X: 0.5, E: 0}},
		{"the end of the range and a little", Add(Of(-math.MaxFloat32), Ball{X: -3, E: 1}),
			Ball{X: -math.MaxFloat32, E: 0}},
		{"half's end of the range and a little", Half.Read(Ball{X: -65504, E: 1}), Ball{X: -65504, E: 0}},
		{"half's, and what may be infinite", Half.Read(Ball{X: -65504, E: 17}), Ball{X: -65504, E: inf}},
		{"an integer above 2²⁴", Integer(Ball{X: 1<<24 + 1}, nil), Ball{X: 1<<24 + 1, E: 1}},
		{"a truncation that is certain", Truncated(Ball{X: 2.5, E: 0.25}), Ball{X: 2, E: 0}},
		{"one that is not", Truncated(Ball{X: 2.9, E: 0.25}), Ball{X: 2, E: 1}},
		{"log2 at its fixed argument", call("log2", false, Of(1)), Ball{X: 0, E: 0}},
		{"exp of minus infinity", call("exp", false, Of(-inf)), Ball{X: 0, E: 0}},
		{"log of zero", call("log", false, Ball{}), Ball{X: -inf, E: 0}},
		{"a fast log of zero", call("log", true, Ball{}), Ball{X: -inf, E: inf}},
		{"floor", call("floor", false, Ball{X: 2.5, E: 0.25}), Ball{X: 2, E: 0}},
		{"sign of what may be zero", call("sign", false, Ball{X: 1, E: 1}), Ball{X: 1, E: 1}},
	} {
		if math.Float64bits(c.got.X) != math.Float64bits(c.want.X) ||
			!(math.Abs(c.got.E-c.want.E) <= 1e-14*c.want.E || c.got.E == c.want.E) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

func call(name string, fast bool, a Ball) Ball {
	return Float(scalar.Float(name), nil, fast)(a, Ball{})
}

// unfollowed are the functions of floats of whose results nothing is known unless their arguments
// are certain.
var unfollowed = []string{"fract", "fmod", "nextafter"}

// TestFunctions draws arguments of every function from balls: the correctly rounded result lies in the
// ball that comes out, and that is not a hundred times as large as it need be.
func TestFunctions(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range scalar.FloatFunctions {
		fn := &scalar.FloatFunctions[i]
		unary, binary := fn.Unary(scalar.F32), fn.Binary(scalar.F32)
		if unary == nil && binary == nil {
			continue
		}
		for _, fast := range []bool{false, true} {
			of := Float(fn, nil, fast)
			if of == nil {
				if !slices.Contains(unfollowed, fn.Name) && !(fn.Name == "atan2" && fast) {
					t.Errorf("%s: no bound is known", fn.Name)
				}
				continue
			}
			known := 0
			for range 400 {
				a, b := drawn(r), drawn(r)
				y := of(a, b)
				if !y.Known() {
					continue
				}
				known++
				for range 4 {
					x, z := within32(r, a), within32(r, b)
					var v float64
					if unary != nil {
						v = float64(unary(x))
					} else {
						v = float64(binary(x, z))
					}
					if !(math.Abs(v-y.X) <= y.E*(1+1e-9)) && !(v == y.X) && !(v != v && y.X != y.X) {
						t.Fatalf("%s, fast %v: %v at %v, %v, want %v from %v, %v", fn.Name, fast, v, x, z, y, a, b)
					}
				}
			}
			if known < 40 {
				t.Errorf("%s, fast %v: %d of 400 results are known", fn.Name, fast, known)
			}
		}
	}
}

// drawn is a ball of a number of f32, often without an error.
func drawn(r *rand.Rand) Ball {
	x := float64(float32(r.NormFloat64() * math.Pow(2, float64(r.IntN(6)-3))))
	if r.IntN(3) == 0 {
		return Of(x)
	}
	return Ball{X: x, E: math.Abs(x) * math.Pow(2, -float64(4+r.IntN(20)))}
}

// scaledBy is a number that is as many times as large in the ball, and may count as zero.
func scaledBy(a Ball, scale float64) Ball {
	x := float64(float32(a.X * scale))
	a = Ball{X: x, E: a.E*scale + math.Abs(x-a.X*scale)}
	if math.Abs(x) < normal {
		a.E = math.Max(a.E, Of(x).E)
	}
	return a
}

// within32 is a number of f32 in a ball.
func within32(r *rand.Rand, a Ball) float32 {
	x := float32(a.X + a.E*(2*r.Float64()-1)*0.99)
	if math.Abs(float64(x)-a.X) > a.E {
		return float32(a.X)
	}
	return x
}

// TestArithmetic does operations on numbers from balls as a device may: rounded once each, a product
// and a sum fused or not.
func TestArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		a, b, c := drawn(r), drawn(r), drawn(r)
		x, y, z := within32(r, a), within32(r, b), within32(r, c)
		// rounded twice, which a ball with an error covers
		fused := float32(math.FMA(float64(x), float64(y), float64(z)))
		for _, test := range []struct {
			name string
			v    float32
			in   Ball
		}{
			{"add", x + y, Add(a, b)}, {"sub", x - y, Sub(a, b)}, {"mul", x * y, Mul(a, b)}, {"div", x / y, Div(a, b)},
			{"product and sum", float32(x*y) + z, Add(Mul(a, b), c)}, {"the same fused", fused, Add(Mul(a, b), c)},
			{"min", min(x, y), Min(a, b)}, {"max", max(x, y), Max(a, b)},
		} {
			if off := math.Abs(float64(test.v) - test.in.X); test.in.Known() &&
				!(off <= test.in.E*(1+Allowance)+Allowance*math.Abs(test.in.X)) {
				t.Fatalf("%s of %v, %v, %v: got %v, want %v", test.name, x, y, z, test.v, test.in)
			}
		}
	}
}

// TestRows holds the loops of rows to the definitions.
func TestRows(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	special := []Ball{{}, Of(inf), Of(nan), Unknown(2), Of(0x1p-140), {E: 0x1p-149}, Of(0x1.fp127),
		Of(-math.MaxFloat32), {X: 1}, {X: 3, L: 0x1p-60}}
	ball := func() Ball {
		switch r.IntN(8) {
		case 0:
			return special[r.IntN(len(special))]
		case 1: // certain
			return Of(float64(float32(drawn(r).X)))
		}
		return drawn(r)
	}
	third := []Ball{ball()}
	for _, rows := range []*Rows{Portable, Native()} {
		for _, loop := range []struct {
			name string
			row  func(d, a, b []Ball, mask []uint32)
			of   func(a, b Ball) Ball
		}{
			{"add", rows.Add, Add},
			{"sub", rows.Sub, Sub},
			{"mul", rows.Mul, Mul},
			{"fma", func(d, a, b []Ball, mask []uint32) { rows.FMA(d, a, b, third, mask) },
				func(a, b Ball) Ball { return FMA(a, b, third[0]) }},
			{"fma of a sum", func(d, a, b []Ball, mask []uint32) { rows.FMA(d, third, b, a, mask) },
				func(a, b Ball) Ball { return FMA(third[0], b, a) }},
			{"half", func(d, a, _ []Ball, mask []uint32) { rows.Anchored(Half, d, a, mask) },
				func(a, _ Ball) Ball { return Half.Anchored(a) }},
			{"bfloat", func(d, a, _ []Ball, mask []uint32) { rows.Anchored(Bfloat, d, a, mask) },
				func(a, _ Ball) Ball { return Bfloat.Anchored(a) }},
		} {
			for range 300 {
				const n = 19
				a, b, mask := make([]Ball, n), []Ball{ball()}, make([]uint32, n)
				if r.IntN(2) == 0 {
					b = make([]Ball, n)
				}
				for l := range n {
					a[l], b[l%len(b)], mask[l] = ball(), ball(), -uint32(r.IntN(2))
				}
				if r.IntN(2) == 0 {
					mask = nil
				}
				third[0] = ball()
				old := slices.Repeat([]Ball{{X: 7, E: 7, L: 7}}, n)
				got, want := slices.Clone(old), old
				loop.row(got, a, b, mask)
				Map(want, a, b, mask, loop.of)
				for l := range n {
					if !same(got[l], want[l]) {
						t.Fatalf("%s, %s of %v, %v, %v: got %v, want %v", rows.Name, loop.name, a[l], b[l%len(b)],
							third, got[l], want[l])
					}
				}
				if loop.row(a, a, b, mask); mask == nil && !slices.EqualFunc(a, want, same) {
					t.Fatalf("%s, %s in place: got %v, want %v", rows.Name, loop.name, a, want)
				}
			}
		}
		values, want := []float32{0, 1, -0x1p-140, float32(inf), float32(nan), 0x1p-126, -3, 4, 5}, make([]Ball, 9)
		got := make([]Ball, len(values))
		for l, v := range values {
			want[l] = Of(float64(v))
		}
		if rows.Numbers(got, values); !slices.EqualFunc(got, want, same) {
			t.Errorf("%s, numbers: got %v, want %v", rows.Name, got, want)
		}
	}
}

// TestTiles multiplies matrices in both tables, to the same bits, and holds them to what devices have: most elements
// are in the middle of the range, some are not numbers, and whole matrices have no errors.
func TestTiles(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	odd := []Ball{{}, {X: 3}, Unknown(2), Of(inf), Of(nan), Of(0x1p-130), Of(0x1.fp127), {X: 0x1.8p127, E: 0x1p100},
		{X: -0x1p-127, E: 0x1p-149}, {E: 0x1p-40}}
	drawnMatrix := func() (m Matrix) {
		strange, certain := r.IntN(3)*r.IntN(20), r.IntN(3) == 0
		for i := range m.X {
			a := drawn(r)
			if r.IntN(300) < strange {
				a = odd[r.IntN(len(odd))]
			}
			if certain {
				a = Of(float64(float32(a.X)))
			}
			m.X[i], m.E[i] = a.X, a.E
		}
		return m
	}
	for range 1000 {
		a, b, c := drawnMatrix(), drawnMatrix(), drawnMatrix()
		if scale := math.Ldexp(1, -60-r.IntN(6)); r.IntN(8) == 0 {
			for i := range 64 {
				p, q, s := scaledBy(a.at(i), scale), scaledBy(b.at(i), scale), scaledBy(c.at(i), scale*scale)
				a.X[i], a.E[i], b.X[i], b.E[i], c.X[i], c.E[i] = p.X, p.E, q.X, q.E, s.X, s.E
			}
		}
		if r.IntN(8) == 0 {
			a = Matrix{}
		}
		if r.IntN(8) == 0 {
			c = Matrix{}
		}
		var got, want Matrix
		Portable.Tile(&want, &a, &b, &c)
		Native().Tile(&got, &a, &b, &c)
		for i := range 64 {
			if !same(got.at(i), want.at(i)) {
				t.Fatalf("element %d: %s gives %v, portable %v", i, Native().Name, got.at(i), want.at(i))
			}
			if y := want.at(i); y.Known() && finite(y.X) {
				if v := float64(multiplied(r, &a, &b, &c, i)); !(math.Abs(v-y.X) <= y.E*(1+Allowance)) {
					t.Fatalf("element %d: a device has %v, got %v", i, v, y)
				}
			}
		}
	}
}

// multiplied is element i of such a product on a device: values within the balls, the terms in any
// order, and products rounded or not.
func multiplied(r *rand.Rand, a, b, c *Matrix, i int) float32 {
	in := func(m *Matrix, i int) float32 { return within32(r, m.at(i)) }
	sum, at := float32(0), r.IntN(9)
	for n, k := range r.Perm(8) {
		if n == at {
			sum = flushed(r, sum+in(c, i))
		}
		x, y := in(a, i&^7+k), in(b, i&7+8*k)
		if r.IntN(2) == 0 {
			sum = flushed(r, sum+flushed(r, float32(x*y)))
		} else {
			sum = flushed(r, float32(math.FMA(float64(x), float64(y), float64(sum))))
		}
	}
	if at == 8 {
		sum += in(c, i)
	}
	return flushed(r, sum)
}

// same reports whether two balls are, bit for bit but for those of a NaN.
func same(a, b Ball) bool {
	return (math.Float64bits(a.X) == math.Float64bits(b.X) || a.X != a.X && b.X != b.X) && a.E == b.E && a.L == b.L
}

// flushed is a number of f32 that may count as zero where it is subnormal.
func flushed(r *rand.Rand, x float32) float32 {
	if r.IntN(2) == 0 && math.Abs(float64(x)) < normal {
		return 0
	}
	return x
}

// TestSumsInAnyOrder adds up terms in random orders, some of which are so small that sums of a few may
// count as zero.
func TestSumsInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 500 {
		sum, terms, scale := NewSum(), make([]float32, 2+r.IntN(31)), math.Ldexp(1, -r.IntN(2)*(118+r.IntN(9)))
		for i := range terms {
			a := scaledBy(drawn(r), scale)
			sum.Add(a)
			terms[i] = within32(r, a)
		}
		in := sum.In(nil)
		for range 8 {
			left := slices.Clone(terms)
			for len(left) > 1 {
				i := r.IntN(len(left) - 1)
				left[i] = flushed(r, left[i]+left[len(left)-1])
				left = left[:len(left)-1]
				r.Shuffle(len(left), func(i, j int) { left[i], left[j] = left[j], left[i] })
			}
			if !(math.Abs(float64(left[0])-in.X) <= in.E*(1+Allowance)) {
				t.Fatalf("got %v, want %v", left[0], in)
			}
		}
	}
	if sum := NewSum(); true {
		for i := range 32 {
			sum.Add(Of(float64(i * 7)))
		}
		if got := sum.In(nil); got != (Ball{X: 31 * 16 * 7, E: 0}) {
			t.Errorf("integers: got %v", got)
		}
	}
}

// TestOrdersLeaveTheRange adds and multiplies what some order takes beyond the range, though not the
// result.
func TestOrdersLeaveTheRange(t *testing.T) {
	sum := func(f *Format, of ...float64) Ball {
		s := NewSum()
		for _, x := range of {
			s.Add(Of(x))
		}
		return s.In(f)
	}
	balls := func(of ...float64) (b []Ball) {
		for _, x := range of {
			b = append(b, Of(x))
		}
		return b
	}
	for _, test := range []struct {
		name  string
		got   Ball
		known bool
		least float64 // that E has to be
	}{
		{"sum", sum(nil, 0x1p127, -0x1p127, 0x1p127, 1), false, 0},
		{"sum that ends in the range", sum(nil, 0x1p126, -0x1p126, 1), true, 0},
		{"one term", sum(nil, math.MaxFloat32), true, 0},
		{"half sum", sum(Half, 40000, -40000, 40000), false, 0},
		{"half sum that ends in the range", sum(Half, 20000, -20000, 20000), true, 0},
		{"product", Product(balls(0x1p100, 0x1p100, 0x1p-150), nil), false, 0},
		{"product that may be zero", Product(balls(0x1p-100, 0x1p-100, 0x1p100), nil), true, 0x1p-100},
		{"product with zero", Product(balls(0x1p-100, 0, 0x1p-100), nil), true, 0},
		{"product in the range", Product(balls(0x1p-60, 0x1p60, 0x1p-60), nil), true, 0},
	} {
		if test.got.Known() != test.known || !(test.got.E >= test.least) {
			t.Errorf("%s: got %v, want known %t and an error of at least %v", test.name, test.got, test.known,
				test.least)
		}
	}
	if got := Product(balls(3, 5), nil); got != (Ball{X: 15, E: got.E}) || got.E > 0x1p-18 {
		t.Errorf("15: got %v", got)
	}
}

// TestTurns does loops over rows in both tables, to the same bits, and by the definitions of their
// operations, to the same values and bounds that are a little less.
func TestTurns(t *testing.T) {
	const lanes, trips = 16, 12
	r := rand.New(rand.NewPCG(8, 9))
	odd := []Ball{{}, {X: 3}, Unknown(2), Of(nan), Of(0x1p-130), {X: 0x1.fp127, E: 0x1p100},
		{X: -0x1p-127, E: 0x1p-149}}
	beyond := []float64{inf, -inf, nan}
	replace := func(of []Ball, by func() Ball) {
		for i := range of {
			of[i] = by()
		}
	}
	ran, special := 0, [3]int{}
	for range 500 {
		strange := r.IntN(3) * r.IntN(40)
		ball := func() Ball {
			if strange > 0 && r.IntN(400) < strange {
				return odd[r.IntN(len(odd))]
			}
			return drawn(r)
		}
		row := func(n int) []Ball {
			b := make([]Ball, n)
			for i := range b {
				b[i] = ball()
			}
			return b
		}
		inexact := func(n int) []Ball {
			b := row(n)
			for i := range b {
				b[i].E = max(b[i].E, math.Abs(b[i].X)*unit)
			}
			return b
		}
		loop := RowLoop{Factor: make([]float64, trips)}
		scale := Ball{X: r.NormFloat64(), E: float64(r.IntN(2)) * 0x1p-20}
		kind := r.IntN(3)
		switch kind {
		case 1:
			loop.Scale = &scale
		case 2:
			loop.Add, loop.Change = inexact(lanes), make([]float64, trips)
		}
		for i := range trips {
			loop.Factor[i] = float64(float32(r.NormFloat64())) * float64(r.IntN(4))
			if kind == 2 {
				loop.Change[i] = float64(float32(r.NormFloat64()))
			}
		}
		sum, rows := inexact(lanes), row(lanes*trips)
		sum[0] = Ball{}
		switch r.IntN(8) {
		case 0:
			loop.Factor[r.IntN(trips)] = beyond[r.IntN(3)]
		case 1:
			replace(rows, func() Ball { return Of(beyond[r.IntN(3)]) })
		case 2:
			replace(loop.Add, func() Ball { return Of(beyond[r.IntN(3)]) })
		case 3:
			scale = Of(beyond[r.IntN(3)])
		case 4:
			scale = Ball{}
			replace(sum, func() Ball { return Ball{} })
		case 5:
			replace(rows, func() Ball { return Ball{} })
			replace(sum, func() Ball { return Ball{} })
		case 6:
			replace(rows, func() Ball { return Of(float64(float32(r.NormFloat64()))) })
		}
		suits := loop.Suits(sum, rows)
		wantSum, wantRows := slices.Clone(sum), slices.Clone(rows)
		var first struct{ sum, rows []Ball }
		for at := range trips {
			Portable.byDefinition(&loop, wantSum[:8], wantRows[at*lanes:][:8], at, 0, 8)
			rest := loop
			if rest.Add != nil {
				rest.Add = rest.Add[8:]
			}
			Portable.byDefinition(&rest, wantSum[8:], wantRows[at*lanes+8:][:8], at, 0, 8)
		}
		for _, table := range []*Rows{Portable, Native()} {
			gotSum, gotRows := slices.Clone(sum), slices.Clone(rows)
			if suits {
				table.Run(&loop, gotSum, gotRows, lanes)
				ran++
			} else if loop.Special(gotSum, gotRows, lanes) {
				special[kind]++
			} else {
				continue
			}
			if first.sum == nil {
				first.sum, first.rows = gotSum, gotRows
			} else if !slices.EqualFunc(gotSum, first.sum, same) || !slices.EqualFunc(gotRows, first.rows, same) {
				t.Fatalf("loop of kind %d: %s differs from portable", kind, table.Name)
			}
			for i, got := range append(gotSum, gotRows...) {
				want := append(slices.Clip(wantSum), wantRows...)[i]
				if math.Float64bits(got.X) != math.Float64bits(want.X) && got.X == got.X ||
					want.Known() != got.Known() ||
					want.Known() && !(got.E >= want.E*(1-0x1p-40) && got.E <= want.E*(1+0x1p-18)+0x1p-120) {
					t.Fatalf("loop of kind %d, %s, ball %d: got %v, want %v", kind, table.Name, i, got, want)
				}
			}
		}
	}
	if ran < 300 || slices.Min(special[:]) < 10 {
		t.Errorf("%d loops ran, and %v special ones", ran, special)
	}
}
