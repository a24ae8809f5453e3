package forecast

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Forecast is how long a sequence of launches is likely to take.
type Forecast struct {
	Device    string  `json:"device"`
	Seconds   float64 `json:"seconds"`
	Low, High float64 // the interval in which four of five times lay, of tasks that the model had not seen
	Terms     Terms   // of all launches
	Bound     Resource
	Halved    Terms // seconds if the resource took half as long
	spread    Spread
}

// Forecast is that of launches in one command buffer.
func (m *Model) Forecast(launches []Launch) Forecast {
	f := Forecast{Device: m.Name, Seconds: m.seconds(launches, nil)}
	working := working(launches)
	for _, l := range launches {
		for r, t := range m.terms(l, working) {
			f.Terms[r] += float64(float64(l.Times) * t)
		}
	}
	for r := range Resources {
		scale := Terms{1, 1, 1, 1, 1, 1, 1, 1}
		scale[r] = .5
		f.Halved[r] = m.seconds(launches, &scale)
		if f.Terms[r] > f.Terms[f.Bound] {
			f.Bound = r
		}
	}
	f.widen(m.Spread)
	return f
}

func (f *Forecast) widen(s Spread) {
	f.spread = s
	f.Low, f.High = f.Seconds*s.Low, f.Seconds*s.High
}

// Comparison is how many times as long one sequence of launches is likely to take as
// another.
type Comparison struct {
	Device           string
	Ratio, Low, High float64 // the interval is that of [Forecast]
}

// Compare compares g with f, forecast by one model.
func (f Forecast) Compare(g Forecast) Comparison {
	r := g.Seconds / f.Seconds
	low, high := f.spread.ratio(r)
	return Comparison{f.Device, r, r * low, r * high}
}

// String is such as "1.6 × slower on m1pro (forecast, 80 % interval 1.2 – 2.1)".
func (c Comparison) String() string {
	r, low, high, word := c.Ratio, c.Low, c.High, "slower"
	if r < 1 {
		r, low, high, word = 1/r, 1/high, 1/low, "faster"
	}
	return fmt.Sprintf("%.2f × %s on %s (forecast, 80 %% interval %.2f – %.2f)", r, word, c.Device, low, high)
}

// Slower reports whether the interval lies above 1 by a margin, such as 0.05.
func (c Comparison) Slower(margin float64) bool { return c.Low > 1+margin }

// Spread is how far forecasts of tasks that the model had not seen were off, as factors: in
// four of five cases a time was between Low and High times its forecast.
type Spread struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// Ratios have the same for two kernels of a task, by how many times as long the slower was
	// forecast to take: at most 1.25, 2, and more.
	Ratios [ratioClasses][2]float64 `json:"ratios"`
}

const ratioClasses = 3

// ratioClass is that of a ratio of at least 1.
func ratioClass(r float64) int {
	switch {
	case r <= 1.25:
		return 0
	case r <= 2:
		return 1
	}
	return 2
}

// ratio is the interval of a ratio that was forecast, as factors of it.
func (s Spread) ratio(r float64) (low, high float64) {
	if r >= 1 {
		w := s.Ratios[ratioClass(r)]
		return w[0], w[1]
	}
	w := s.Ratios[ratioClass(1/r)]
	return 1 / w[1], 1 / w[0]
}

// spread finds the factors. Tasks at a size count the same, however many kernels they have.
func spread(list []Expected) Spread {
	var off weighted
	var ratios [ratioClasses]weighted
	for _, members := range groups(list) {
		var pairs [ratioClasses][]float64
		for i, e := range members {
			off.add(math.Log(e.Seconds/e.Forecast.Seconds), 1/float64(len(members)))
			for _, o := range members[:i] {
				r, measured := e.Forecast.Seconds/o.Forecast.Seconds, e.Seconds/o.Seconds
				if r < 1 {
					r, measured = 1/r, 1/measured
				}
				pairs[ratioClass(r)] = append(pairs[ratioClass(r)], math.Log(measured/r))
			}
		}
		for class, list := range pairs {
			for _, v := range list {
				ratios[class].add(v, 2/float64(len(members)*(len(members)-1)))
			}
		}
	}
	s := Spread{Low: math.Exp(off.quantile(.1)), High: math.Exp(off.quantile(.9))}
	for class := range ratios {
		s.Ratios[class] = [2]float64{math.Exp(ratios[class].quantile(.1)), math.Exp(ratios[class].quantile(.9))}
	}
	return s
}

// groups are the members of each task at each size, in the order in which they come.
func groups(list []Expected) [][]Expected {
	at := map[group]int{}
	var out [][]Expected
	for _, e := range list {
		i, ok := at[e.group()]
		if !ok {
			i = len(out)
			at[e.group()] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// weighted is a distribution.
type weighted struct {
	values []struct{ v, w float64 }
	total  float64
}

func (d *weighted) add(v, w float64) {
	d.values = append(d.values, struct{ v, w float64 }{v, w})
	d.total += w
}

// quantile is the smallest value below which there is a share q; 0 if there is none.
func (d *weighted) quantile(q float64) float64 {
	slices.SortFunc(d.values, func(a, b struct{ v, w float64 }) int { return cmp.Or(cmp.Compare(a.v, b.v), cmp.Compare(a.w, b.w)) })
	sum := 0.0
	for _, e := range d.values {
		if sum += e.w; sum >= float64(q*d.total) {
			return e.v
		}
	}
	return 0
}
