package forecast

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"metalconform/metalrun"
)

// Forecast is how long a sequence of launches is likely to take.
type Forecast struct {
	Device  string   `json:"device"`
	Seconds float64  `json:"seconds"`
	Low     float64  `json:"low"` // the interval in which four of five times lay, of tasks that the model had not seen
	High    float64  `json:"high"`
	Empty   float64  `json:"empty"`  // seconds that a command buffer without a launch would take
	Slower  float64  `json:"slower"` // how many times as long as at the full clock it takes, which terms are at
	Bound   Resource `json:"bound"`  // the largest of the terms
	Terms   Terms    `json:"terms"`  // of all launches
	Halved  Terms    `json:"halved"` // seconds if the resource took half as long
	Lines   []Line   `json:"lines"`  // of the source, by file and line
	Spread  Spread   `json:"spread"`

	Residence Residence `json:"residence"` // of the launch that takes the longest
}

// Line is what a line of the source takes part in.
type Line struct {
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Seconds float64  `json:"seconds"` // its part of the time, by its part of every term
	Bound   Resource `json:"bound"`   // that most of it is of
}

// Forecast is that of launches in one command buffer.
func (m *Model) Forecast(launches []Launch) Forecast {
	full := m.atFullClock(launches, nil)
	f := Forecast{Device: m.Name, Seconds: m.warming(full), Empty: m.seconds(nil, nil)}
	f.Slower = f.Seconds / full
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
	f.Lines, f.Residence = m.lines(launches), m.residence(launches)
	f.widen(m.Spread)
	return f
}

func (f *Forecast) widen(s Spread) {
	f.Spread = s
	f.Low, f.High = f.Seconds*s.Low, f.Seconds*s.High
}

// lines are those of the launches, each with its part of their time.
func (m *Model) lines(launches []Launch) []Line {
	type place struct {
		file string
		line int
	}
	parts := map[place]*Terms{}
	working := working(launches)
	for _, l := range launches {
		on := m.load(l)
		whole := m.parts(l, &l.costs, l.missed, on)
		t := m.terms(l, working)
		seconds := float64(float64(l.Times) * (m.together(t) - t[Overhead]))
		sum := 0.0
		for _, v := range t[:Overhead] {
			sum += v
		}
		for _, line := range l.Lines {
			at := place{line.File, line.Line}
			if parts[at] == nil {
				parts[at] = &Terms{}
			}
			for r, v := range m.parts(l, &line.Costs, missed(&line.Costs), on) {
				if whole[r] > 0 && sum > 0 {
					parts[at][r] += float64(seconds * t[r] / sum * v / whole[r])
				}
			}
		}
	}
	var list []Line
	for at, p := range parts {
		line := Line{File: at.file, Line: at.line}
		for r, v := range p {
			line.Seconds += v
			if v > p[line.Bound] {
				line.Bound = Resource(r)
			}
		}
		list = append(list, line)
	}
	slices.SortFunc(list, func(a, b Line) int { return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line) })
	return list
}

// parts are what costs of a launch are proportional to, of each resource.
func (m *Model) parts(l Launch, c *metalrun.Costs, missed metalrun.Misses, on load) Terms {
	return Terms{
		Arithmetic: m.issue(c, crowding(on.together)), Cache: c.Device.Lines + c.Private.Requests,
		Transfer: c.Device.Missed.Beside(on.groups) + c.Private.Requests, Bandwidth: l.traffic(c, on),
		Shared: c.Shared.Turns, Atomics: c.Atomics.Turns, Latency: m.wait(c, missed.Beside(on.groups), 0),
	}
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
	low, high := f.Spread.ratio(r)
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
// four of five cases a time of another is likely to be between Low and High times its forecast.
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

// spread finds the factors. Tasks at a size count the same, however many kernels they have,
// and one that nobody has seen counts, too: its kernels may all lie beyond those that were
// seen, on either side (hierarchical conformal prediction: Lee, Barber and Willett, 2023).
func spread(list []Expected) Spread {
	var off weighted
	var ratios [ratioClasses]weighted
	all := groups(list)
	for _, members := range all {
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
	var s Spread
	s.Low, s.High = off.factors(len(all))
	for class := range ratios {
		s.Ratios[class][0], s.Ratios[class][1] = ratios[class].factors(len(all))
	}
	return s
}

// groups are the members of each task at each size, in the order in which they come.
func groups[E interface{ group() group }](list []E) [][]E {
	at := map[group]int{}
	var out [][]E
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

// factors are those of four in five of logarithms of so many groups, where those of one more lie
// half below and half above all that are known.
func (d *weighted) factors(groups int) (low, high float64) {
	n := float64(groups)
	q := math.Max(0, (float64(.1*(n+1))-.5)/n)
	return math.Exp(d.quantile(q)), math.Exp(d.quantile(1 - q))
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
	if n := len(d.values); n > 0 {
		return d.values[n-1].v // the sum is rounded
	}
	return 0
}
