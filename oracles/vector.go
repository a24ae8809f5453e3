package oracles

import "math"

// vector is a row or a column of a matrix as a kernel computes it.
type vector struct {
	v       []float64 // exact values
	e       []float64 // their errors; nil where all are exact
	grid    float64   // all values are multiples of it
	largest float64   // max |v|
	total   float64   // Σ|v|
	dense   bool      // no element is 0; false if that was not checked
}

// exactVector is a vector that the kernel reads from its inputs.
func exactVector(v []float64) vector {
	x := vector{v: v, grid: math.Inf(1), dense: true}
	for _, y := range v {
		x.grid = min(x.grid, lowestBit(y))
		x.largest = max(x.largest, math.Abs(y))
		x.total += math.Abs(y)
		x.dense = x.dense && y != 0
	}
	return x
}

// roundedVector is a vector of computed elements.
func roundedVector(elements []approx) vector {
	v, e := make([]float64, len(elements)), make([]float64, len(elements))
	certain := true
	for i, a := range elements {
		v[i], e[i] = a.v, a.e
		certain = certain && a.e == 0
	}
	x := exactVector(v)
	if !certain {
		x.e = e
	}
	return x
}

// prefix is the vector of the first n elements.
func (x vector) prefix(n int) vector {
	x.v = x.v[:n]
	if x.e != nil {
		x.e = x.e[:n]
	}
	return x
}

// error is the error of element i.
func (x vector) error(i int) float64 {
	if x.e == nil {
		return 0
	}
	return x.e[i]
}

// zero reports whether element i is certainly 0.
func (x vector) zero(i int) bool { return x.v[i] == 0 && x.error(i) == 0 }

// innerOf is Σ aᵢ·bᵢ with the products added in any order, the sum called name, given the products.
func (m *arithmetic) innerOf(name string, a, b vector, p productSums) approx {
	y := m.innerProduct(a, b, p)
	if m.tracer != nil {
		y = m.tracer.formed(inAnyOrder(name), y, m.inherited(a, b), func() []float64 { return termwise(a.v, b.v) })
	}
	return y
}

// innerProduct is [arithmetic.innerOf] as part of another sum.
func (m *arithmetic) innerProduct(a, b vector, p productSums) approx {
	if !finite(p.v) {
		return exactly(p.v)
	}
	grid := a.grid * b.grid
	if a.e == nil && b.e == nil && m.exactSum(grid, float64(p.n)*a.largest*b.largest) {
		return exactly(p.v)
	}
	return m.added(p.v, m.inherited(a, b), p.magnitude, p.squares, p.n, a.total+b.total)
}

// productSums are Σ aᵢ·bᵢ, Σ|aᵢ·bᵢ| and Σ(aᵢ·bᵢ)² over n products: those that are
// certainly 0 do not count.
type productSums struct {
	v, magnitude, squares float64
	n                     int
}

// terms counts the products aᵢ·bᵢ, except those that are certainly 0: to add them
// is exact in every order.
func terms(a, b vector) int {
	if a.dense && b.dense {
		return len(a.v)
	}
	n := 0
	for i := range a.v {
		if !a.zero(i) && !b.zero(i) {
			n++
		}
	}
	return n
}

// inherited is what the errors of the elements do to Σ aᵢ·bᵢ.
func (m *arithmetic) inherited(a, b vector) float64 {
	var e float64
	if a.e != nil || b.e != nil {
		for i := range a.v {
			x, y := a.error(i), b.error(i)
			e += float64(x*math.Abs(b.v[i])) + float64(y*(math.Abs(a.v[i])+x))
		}
	}
	return e
}

// products are Σ aᵢ·bᵢ, Σ|aᵢ·bᵢ| and Σ(aᵢ·bᵢ)².
func products(a, b []float64) (v, magnitude, squares float64) {
	b = b[:len(a)]
	for i, x := range a {
		p := float64(x * b[i])
		v += p
		magnitude += math.Abs(p)
		squares += float64(p * p)
	}
	return v, magnitude, squares
}

// exactSum reports whether a sum of multiples of grid, whose magnitudes add up to no
// more than magnitude, is exact in every order.
func (m *arithmetic) exactSum(grid, magnitude float64) bool {
	return grid >= m.tiny && magnitude <= grid/m.u
}

// added is the sum v of n products in any order, given the errors that they
// inherit, Σ|pᵢ|, Σpᵢ² and the sum of their factors:
//
//	E  = Σeᵢ + (n+1)u(1+u)^{n+1}·(Σ|pᵢ| + Σeᵢ) + underflow
//	σ² = u²/3·(Σpᵢ² + n·min((Σ|pᵢ|)², v² + Σpᵢ²))
//
// as in [arithmetic.open]. What is inherited counts as systematic: it is mostly
// the jumps of [arithmetic.to].
func (m *arithmetic) added(v, inherited, magnitude, squares float64, n int, factors float64) approx {
	scattered := squares + float64(float64(n)*min(magnitude*magnitude, float64(v*v)+squares))
	magnitude += inherited
	gamma := m.gamma(n)
	if m.narrow() {
		gamma = m.gamma(n + 3) // both factors in the format
	}
	e := float64((inherited + float64(gamma*magnitude)) * slack)
	underflow := m.eta * float64(n)
	if m.flush {
		underflow = m.eta * (factors + float64(4*float64(n)))
	}
	e += underflow
	if math.IsNaN(e) || magnitude*(1+gamma) > m.largest {
		return bounded(v, math.Inf(1))
	}
	if m.narrow() {
		return bounded(v, e) // see [arithmetic.stagnant]
	}
	return approx{v, e, moments{m.scatter * scattered, inherited + underflow}}
}

// to is the kernel's value of a rounded to a narrower format f. Rounding is
// monotonic, so the result lies between the roundings of both ends of a's range:
// it is known for certain unless a midpoint of f is within e of v, and then to
// one ulp.
func (m *arithmetic) to(f Format, a approx) approx {
	r := approx{v: f.Round(a.v)}
	low, high := f.ends(a)
	switch {
	case !finite(a.v):
		r.e = a.e
	case low != r.v || high != r.v:
		if r.e = max(high-r.v, r.v-low); math.IsNaN(r.e) {
			r.e = math.Inf(1) // one end is beyond the largest number
		}
	}
	if m.flush && m.below(r) {
		r.e += m.eta
	}
	r.systematic = r.e // a jump
	return r
}

// ends are the roundings of both ends of a's range, widened by what the
// oracle's own arithmetic may have lost.
func (f Format) ends(a approx) (low, high float64) {
	e := float64(a.e * slack)
	return f.Round(a.v - e), f.Round(a.v + e)
}

// between reports whether v lies just between two numbers of f.
func (f Format) between(v float64) bool {
	near := f.Round(v)
	far := v + (v - near) // exact: both are within an ulp of f
	return near != v && finite(near) && f.Round(far) == far
}

// stored is the bound of the kernel's value of a, rounded to f, against the
// exact value before it is rounded: what is inherited, and the rounding itself.
// Together they are no more than half an ulp and the inherited error, and less
// where both ends of a's range round to one number. Where a is not finite the
// result has to be that too; which of NaN and ±Inf is open.
func (m *arithmetic) stored(f Format, a approx) (inherited, rounding float64) {
	if !finite(a.v) {
		return math.NaN(), 0
	}
	low, high := f.ends(a)
	return m.storedBetween(low, high, a)
}

// storedBetween is [arithmetic.stored] of a finite a, given the roundings of both ends of its range.
func (m *arithmetic) storedBetween(low, high float64, a approx) (inherited, rounding float64) {
	if math.IsInf(a.e, 1) {
		return a.e, 0
	}
	bound := max(high-a.v, a.v-low)
	if math.IsInf(low, 0) && low == high {
		bound = a.e // infinite for certain
	}
	if m.flush && m.below(approx{v: a.v, e: bound}) {
		bound += m.eta
	}
	inherited = min(a.e, bound)
	return inherited, bound - inherited + float64(bound*0x1p-50) // so that the sum is no less than bound
}

// storedMoments are the moments of the kernel's value of a, rounded to f. The bound of a replaces a bound on the number
// that is rounded. A number that is known exactly has no variance.
func (m *arithmetic) storedMoments(f Format, a approx) moments {
	a = approx{v: a.v, e: a.likely(), moments: a.moments}
	low, high := f.ends(a)
	inherited, rounding := m.storedBetween(low, high, a)
	if low == high {
		return moments{systematic: inherited + rounding}
	}
	sigma := min(a.sigma(), inherited/deviations)
	return moments{sigma * sigma, inherited + rounding - float64(deviations*sigma)}
}
