package forecast

import (
	"cmp"
	"math"
	"slices"
)

// Spread is how far forecasts of tasks that the model had not seen were off.
type Spread struct {
	Times Deviation `json:"times"`
	// of ratios of the times of two kernels of a task: that with the longer forecast to the other
	Ratios    Deviation `json:"ratios"`
	Elsewhere float64   `json:"elsewhere,omitempty"` // logarithm by which every end lies further out on another device
}

// Deviation is how far the logarithms of measured values lie from forecasts. It grows with two causes of uncertainty.
// The times of one kernel differ most if the clock of the GPU may have risen or not. Ratios differ most if the two
// kernels need different resources.
type Deviation struct {
	// mean of the absolute deviation, at the full clock and between kernels that are forecast to take the same
	Least float64 `json:"least"`
	Idle  float64 `json:"idle"`            // more of it by the share of the time that is lost to the low clock
	Apart float64 `json:"apart,omitempty"` // more of it by the logarithm of the ratio
	Low   float64 `json:"low"`             // four of five values of another task are likely to lie between so many
	High  float64 `json:"high"`            // of these deviations
}

// deviated is the logarithm of the quotient of a measured value and its forecast, and the causes of its deviation.
type deviated struct{ off, idle, apart, weight float64 }

// scale is the expected mean deviation.
func (d Deviation) scale(idle, apart float64) float64 {
	return d.Least + float64(d.Idle*idle) + float64(d.Apart*apart)
}

// interval is the interval of four in five values, as factors of the forecast. It is unbounded in a file from before
// deviations were known.
func (d Deviation) interval(elsewhere, idle, apart float64) (low, high float64) {
	if d.Least <= 0 {
		return 0, math.Inf(1)
	}
	s := d.scale(idle, apart)
	return math.Exp(float64(d.Low*s) - elsewhere), math.Exp(float64(d.High*s) + elsewhere)
}

// ratio is the interval of a forecast ratio, as factors of the ratio.
func (s Spread) ratio(r, idle float64) (low, high float64) {
	low, high = s.Ratios.interval(s.Elsewhere, idle, math.Abs(math.Log(r)))
	if r < 1 {
		return 1 / high, 1 / low
	}
	return low, high
}

// wider widens every interval by a factor.
func (s Spread) wider(by float64) Spread {
	s.Elsewhere += math.Log(by)
	return s
}

// spread finds deviations. Tasks at a size count the same, however many kernels they have.
func spread(list []Expected) Spread {
	var times, ratios []deviated
	all := groups(list)
	for _, members := range all {
		n := float64(len(members))
		for i, e := range members {
			times = append(times, deviated{math.Log(e.Seconds / e.Forecast.Seconds), e.Forecast.idle(), 0, 1 / n})
			for _, o := range members[:i] {
				r, measured := e.Forecast.Seconds/o.Forecast.Seconds, e.Seconds/o.Seconds
				if r < 1 {
					r, measured = 1/r, 1/measured
				}
				idle := (e.Forecast.idle() + o.Forecast.idle()) / 2
				ratios = append(ratios, deviated{math.Log(measured / r), idle, math.Log(r), 2 / (n * (n - 1))})
			}
		}
	}
	s := Spread{Times: deviationOf(times, len(all)), Ratios: deviationOf(ratios, len(all))}
	if len(ratios) == 0 { // either time of a ratio may be as far off as any
		d := s.Times
		far := math.Max(-d.Low, d.High)
		s.Ratios = Deviation{Least: 2 * d.Least, Idle: 2 * d.Idle, Low: -far, High: far}
	}
	return s
}

// deviationOf fits the scale to absolute deviations of so many groups by least squares, and takes the ends of the
// interval from the deviations in units of it (locally weighted conformal prediction: Lei, G'Sell, Rinaldo, Tibshirani
// and Wasserman, 2018). A group that nobody has seen counts, too: its kernels may all lie beyond those that were seen,
// on either side (hierarchical conformal prediction: Lee, Barber and Willett, 2023).
func deviationOf(list []deviated, groups int) Deviation {
	x := scales(list)
	d := Deviation{Least: x[0], Idle: x[1], Apart: x[2]}
	var in weighted
	for _, v := range list {
		in.add(v.off/d.scale(v.idle, v.apart), v.weight)
	}
	d.Low, d.High = in.fourOfFive(groups)
	return d
}

// repeated is the least deviation: about that of repeated times of one kernel at the full clock.
const repeated = .01

// scales are the three numbers of a scale, by non-negative least squares of absolute deviations.
func scales(list []deviated) (x [3]float64) {
	var a [3][3]float64
	var b [3]float64
	for _, v := range list {
		by := [3]float64{1, v.idle, v.apart}
		for i := range by {
			b[i] += float64(v.weight * by[i] * math.Abs(v.off))
			for j := range by {
				a[i][j] += float64(v.weight * by[i] * by[j])
			}
		}
	}
	const rounds = 1000 // one number after another, until none moves
	for range rounds {
		for i, least := range [3]float64{repeated, 0, 0} {
			rest := b[i]
			for j := range x {
				if j != i {
					rest -= float64(a[i][j] * x[j])
				}
			}
			if x[i] = least; a[i][i] > 0 {
				x[i] = math.Max(least, rest/a[i][i])
			}
		}
	}
	return x
}

// weighted is a discrete distribution.
type weighted struct {
	values []struct{ v, w float64 }
	total  float64
}

func (d *weighted) add(v, w float64) {
	d.values = append(d.values, struct{ v, w float64 }{v, w})
	d.total += w
}

// fourOfFive are the ends of the interval of four in five values of so many groups. The values of one more group count
// half as less and half as greater than all others.
func (d *weighted) fourOfFive(groups int) (low, high float64) {
	n := float64(groups)
	q := math.Max(0, (float64(.1*(n+1))-.5)/n)
	return d.quantile(q), d.quantile(1 - q)
}

// quantile is the smallest value below which there is a share q; 0 if there is none.
func (d *weighted) quantile(q float64) float64 {
	slices.SortFunc(d.values, func(a, b struct {
		v, w float64
	}) int {
		return cmp.Or(cmp.Compare(a.v, b.v), cmp.Compare(a.w, b.w))
	})
	sum := 0.0
	for _, e := range d.values {
		if sum += e.w; sum >= float64(q*d.total) {
			return e.v
		}
	}
	if n := len(d.values); n > 0 {
		return d.values[n-1].v // the sum is rounded
	}
	return 0
}
