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
	Alone   float64  `json:"alone"`  // seconds in a command buffer of their own, on a GPU that was idle
	Slower  float64  `json:"slower"` // how many times as long that is as at the full clock, which terms are at
	Bound   Resource `json:"bound"`  // the largest of the terms
	Terms   Terms    `json:"terms"`  // of all launches
	Halved  Terms    `json:"halved"` // seconds if the resource took half as long
	Lines   []Line   `json:"lines"`  // of the source, by file and line
	Spread  Spread   `json:"spread"`

	Residence Residence `json:"residence"` // of the launch that takes the longest
}

// Line is the part of a line of the source in the time.
type Line struct {
	File    string   `json:"file"`
	Line    int      `json:"line"`
	Seconds float64  `json:"seconds"` // its part of the time, by its part of every term
	Bound   Resource `json:"bound"`   // that most of it is of
}

// Forecast forecasts launches in a command buffer of their own, on a GPU that was idle.
func (m *Model) Forecast(launches []Launch) Forecast { return m.forecast(launches, m.seconds) }

// Busy forecasts launches among many others, on a GPU at its full clock: the time that they add to a command buffer,
// which [timing] measures. The intervals are as wide as those from an idle GPU, because the fitted times are of one.
//
// [timing]: metalconform/metalrun/timing
func (m *Model) Busy(launches []Launch) Forecast { return m.forecast(launches, m.busy) }

// forecast makes a forecast from a function that gives the seconds of launches with their terms multiplied by a scale.
func (m *Model) forecast(launches []Launch, seconds func([]Launch, *Terms) float64) Forecast {
	f := Forecast{Device: m.Name, Seconds: seconds(launches, nil), Alone: m.seconds(launches, nil)}
	full, _ := m.clocks(launches, nil)
	f.Slower = f.Alone / full
	working := m.working(launches)
	for _, l := range launches {
		for r, t := range m.terms(l, working) {
			f.Terms[r] += float64(float64(l.Times) * t)
		}
	}
	for r := range Resources {
		scale := Terms{1, 1, 1, 1, 1, 1, 1, 1}
		scale[r] = .5
		f.Halved[r] = seconds(launches, &scale)
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
	low, high := s.Times.interval(s.Elsewhere, f.idle(), 0)
	f.Low, f.High = f.Seconds*low, f.Seconds*high
}

// lines are the lines of the launches, each with its part of their time.
func (m *Model) lines(launches []Launch) []Line {
	type sourceLine struct {
		file string
		line int
	}
	parts := map[sourceLine]*Terms{}
	working := m.working(launches)
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
			at := sourceLine{line.File, line.Line}
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

// Largest are the resources of a forecast, in the order of their times, the longest first.
func (f Forecast) Largest() (list []Resource) {
	for r := range Resources {
		if f.Terms[r] > 0 {
			list = append(list, r)
		}
	}
	slices.SortStableFunc(list, func(a, b Resource) int { return cmp.Compare(f.Terms[b], f.Terms[a]) })
	return list
}

// Share is a line and its part of the time of all lines.
type Share struct {
	Line Line
	Part float64
}

// Shares are the lines with at least a given part, the largest first.
func (f Forecast) Shares(least float64) (list []Share) {
	sum := 0.0
	for _, l := range f.Lines {
		sum += l.Seconds
	}
	for _, l := range f.Lines {
		if l.Seconds > 0 && l.Seconds >= float64(least*sum) {
			list = append(list, Share{l, l.Seconds / sum})
		}
	}
	slices.SortStableFunc(list, func(a, b Share) int { return cmp.Compare(b.Part, a.Part) })
	return list
}

// parts are the costs to which the time of each resource is proportional.
func (m *Model) parts(l Launch, c *metalrun.Costs, missed metalrun.Misses, on load) Terms {
	return Terms{
		Arithmetic: m.issue(c, issueInterval(on.together)),
		Cache:      c.Device.Lines + c.Atomics.Lines + c.Private.Requests,
		Transfer:   c.Device.Missed.Beside(on.groups) + c.Atomics.Lines + c.Private.Requests,
		Bandwidth:  l.traffic(c, on),
		Shared:     c.Shared.Transactions,
		Atomics:    m.atomics(c, on.each), Latency: m.wait(c, missed.Beside(on.groups), 0),
	}
}

// idle is the share of the time that is lost because the clock of a GPU that was idle is low.
func (f Forecast) idle() float64 { return 1 - 1/math.Max(1, f.Slower) }

// Comparison is how many times as long one sequence of launches is likely to take as
// another.
type Comparison struct {
	Device           string
	Ratio, Low, High float64 // the interval is that of [Forecast]
}

// Compare compares g with f, forecast by one model.
func (f Forecast) Compare(g Forecast) Comparison {
	r := g.Seconds / f.Seconds
	low, high := g.Spread.ratio(r, (f.idle()+g.idle())/2)
	return Comparison{f.Device, r, r * low, r * high}
}

// String gives text such as "1.6 × slower on m1pro (forecast, 80 % interval 1.2 – 2.1)".
func (c Comparison) String() string {
	r, low, high, word := c.Ratio, c.Low, c.High, "slower"
	if r < 1 {
		r, low, high, word = 1/r, 1/high, 1/low, "faster"
	}
	return fmt.Sprintf("%.2f × %s on %s (forecast, 80 %% interval %.2f – %.2f)", r, word, c.Device, low, high)
}

// Slower reports whether the interval lies above 1 by a margin, such as 0.05.
func (c Comparison) Slower(margin float64) bool { return c.Low > 1+margin }
