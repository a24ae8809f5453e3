package metrics

import (
	"math"

	"metalconform/oracles"
)

// Buffer describes an output of a kernel.
type Buffer struct {
	Name    string
	Type    string // of its elements
	Extents []int
	Axes    []string       // names of its axes, empty for one that has none; nil if none has
	Format  oracles.Format // of its elements
	Float   bool           // they are floating-point numbers: Format is one
}

// Meter measures an output in one pass over its elements: got is what the kernel
// wrote and want the exact value, not rounded. Its exported fields and methods
// that take nothing are what metrics are made of.
//
// Measured are the elements that the contract bounds and whose want and got are
// both finite. A result below the smallest normal number of the output's format
// may have been flushed to zero: in the sums of squares both got and want are zero
// there.
type Meter struct {
	Elements    int     // measured
	ErrorRatio  Extreme // error as a fraction of the rigorous bound
	Statistical Extreme // the same of the statistical bound
	Scatter     Scatter // errors in standard deviations
	Formula     Extreme // of the exact value of what the kernel computes, as a fraction of what it may be off by
	Rounding    Extreme // error against that, as a fraction of what any device may have
	AnyDevice   Extreme // what any device may be off by, as a fraction of the rigorous bound
	Unknown     int     // elements of which no exact value is known
	Abs         Extreme // |got − want|
	Rel         Extreme // |got − want|/|want| where |want| is at least the smallest normal number
	Ulps        Ulps
	Scaled      Ulps // errors in units of u·Σ|terms|
	Classes     Classes
	Mismatched  int // elements that fail a check, of all
	Misrounded  int // measured elements other than want rounded to nearest
	Flushed     int // measured zeros where want is below the normal range and not zero

	buffer   Buffer
	smallest float64 // normal number of the format; 0 for integers
	roundoff float64 // of the format
	signed   signedErrors
	errors   errorMeter
	slicer   *slicer
	ratio    float64   // of the element judged last
	ratios   []float32 // error of each element as a fraction of its bound
}

// Extreme is the largest value so far and the element that has it.
type Extreme struct {
	Value float64
	At    int
}

// Note updates the extreme with the value x of element i.
func (e *Extreme) Note(i int, x float64) {
	if x > e.Value {
		e.Value, e.At = x, i
	}
}

// Scatter are errors in units of the standard deviation that their roundings are taken to
// have.
type Scatter struct {
	squares float64
	n       int
}

// Ratio is their root mean square, 1 where the deviations are those of the errors; 0 if
// there are none.
func (s Scatter) Ratio() float64 { return math.Sqrt(s.squares / float64(max(s.n, 1))) }

// Classes count elements of which got or want is not finite. An infinite got is
// no overflow where want rounds to it.
type Classes struct {
	NaN      int // in both
	Inf      int // the same infinity in both
	NaNMade  int // NaN where a number or an infinity is due
	NaNLost  int // anything else where NaN is due
	Overflow int // an infinity where a number is due
	InfLost  int // a number where an infinity is due
	InfSign  int // the other infinity
}

// NewMeter is a meter for an output.
func NewMeter(b Buffer) *Meter {
	m := &Meter{buffer: b, slicer: newSlicer(b.Extents)}
	if b.Float {
		m.smallest, m.roundoff = b.Format.SmallestNormal(), b.Format.UnitRoundoff()
	}
	count := 1
	for _, n := range b.Extents {
		count *= n
	}
	m.ratios = make([]float32, count)
	return m
}

// Unjudged says that nothing is promised for element i.
func (m *Meter) Unjudged(i int) { m.ratios[i] = unjudged }

// Judged records the error of element i as a fraction of its bound.
func (m *Meter) Judged(i int, ratio float64) {
	m.ratio, m.ratios[i] = ratio, float32(ratio)
	m.ErrorRatio.Note(i, ratio)
}

// Sharper takes in the error of element i as a fraction of its statistical bound.
func (m *Meter) Sharper(i int, ratio float64) { m.Statistical.Note(i, ratio) }

// Scattered records an error in units of its standard deviation.
func (m *Meter) Scattered(x float64) {
	m.Scatter.squares += float64(x * x)
	m.Scatter.n++
}

// Add records element i, after it was judged. got and want are finite, and scale is Σ|terms|, the scale of its error.
// Elements are added in order.
func (m *Meter) Add(i int, got, want, scale float64) {
	m.Elements++
	m.errors.add(m.ratio, got, want)
	diff := math.Abs(got - want)
	m.Abs.Note(i, diff)
	if w := math.Abs(want); diff > m.Rel.Value*w && w >= m.smallest && w > 0 {
		m.Rel = Extreme{diff / w, i}
	}
	if m.buffer.Float {
		m.ulp(i, got, want, scale)
	} else if diff != 0 {
		m.Misrounded++
	}
	if math.Abs(got) < m.smallest {
		got = 0
	}
	if math.Abs(want) < m.smallest {
		want = 0
	}
	e := products(got, want)
	m.slicer.add(i, &e)
}

// ulp takes in the error of element i in units in the last place, and in those of its
// scale.
func (m *Meter) ulp(i int, got, want, scale float64) {
	if rounded(m.buffer.Format, want) == got {
		m.Ulps.exact()
		m.Scaled.exact()
		return
	}
	m.Misrounded++
	if got == 0 && math.Abs(want) < m.smallest {
		m.Flushed++
		m.Ulps.exact()
		m.Scaled.exact()
		return
	}
	e := (got - want) / m.buffer.Format.Ulp(want)
	m.Ulps.add(i, e, want)
	if w := math.Abs(want); w > scale {
		scale = w
	}
	if m.smallest > scale {
		scale = m.smallest
	}
	m.Scaled.add(i, (got-want)/float64(m.roundoff*scale), want)
	m.signed.add(e)
}

// rounded is x in the format, through the conversion of the machine where it
// has one: the metrics are about a value that the verdict does not rest on.
func rounded(f oracles.Format, x float64) float64 {
	if f == oracles.F32 {
		return float64(float32(x))
	}
	return f.Round(x)
}

// UlpError is the signed error of got in units in the last place at want, the
// smaller gap at a power of two. It is 0 where got is want rounded to nearest,
// and where it is zero and want below the normal range.
func UlpError(f oracles.Format, got, want float64) float64 {
	if rounded(f, want) == got || got == 0 && math.Abs(want) < f.SmallestNormal() {
		return 0
	}
	return f.UlpError(got, want)
}

// NonFinite counts an element of which got or want is not finite.
func (m *Meter) NonFinite(got, want float64) {
	c := &m.Classes
	switch {
	case math.IsNaN(want) && math.IsNaN(got):
		c.NaN++
	case math.IsNaN(want):
		c.NaNLost++
	case math.IsNaN(got):
		c.NaNMade++
	case got == want, m.buffer.Float && got == m.buffer.Format.Round(want):
		c.Inf++
	case !math.IsInf(want, 0):
		c.Overflow++
	case !math.IsInf(got, 0):
		c.InfLost++
	default:
		c.InfSign++
	}
}

// Sums are those over all measured elements.
func (m *Meter) Sums() Sums { return m.slicer.total }

// Output returns the values of the metrics of a table.
func (m *Meter) Output(t Table) Output {
	m.slicer.finish()
	b := &m.buffer
	o := Output{Output: b.Name, Type: b.Type, Extents: b.Extents, Elements: m.Elements, Metrics: m.values(t),
		Errors: m.errors.errors(m.Elements)}
	if b.Float {
		o.Histogram = m.signed.histogram(m.Elements)
	}
	if m.slicer.total.DD > 0 {
		o.Slices = m.slicer.worst(t, b)
	}
	if len(m.ratios) > 1 && (m.Mismatched > 0 || m.ErrorRatio.Value > mapped) {
		o.Map = newMap(b.Extents, m.ratios)
	}
	return o
}

// values are those of all metrics that there are of the output.
func (m *Meter) values(t Table) Values {
	values := make(Values, 0, len(t))
	for _, metric := range t {
		if metric.Floats && !m.buffer.Float {
			continue
		}
		switch {
		case metric.Sums != nil:
			values = append(values, Value{Key: metric.Key, Value: metric.Sums(m.slicer.total)})
		case metric.Extreme != nil:
			if e := metric.Extreme(m); e.Value != 0 {
				values = append(values, Value{metric.Key, e.Value, m.buffer.position(e.At)})
			} else if !metric.Rare {
				values = append(values, Value{Key: metric.Key})
			}
		case metric.Whole != nil:
			if x := metric.Whole(m); x != 0 || !metric.Rare {
				values = append(values, Value{Key: metric.Key, Value: x})
			}
		}
	}
	return values
}

// position is the place of element i over the extents.
func (b *Buffer) position(i int) []int {
	at := make([]int, len(b.Extents))
	for d := len(at) - 1; d >= 0; d-- {
		n := max(b.Extents[d], 1)
		at[d], i = i%n, i/n
	}
	return at
}
