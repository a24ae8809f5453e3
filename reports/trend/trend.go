package trend

import (
	"cmp"
	"math"
	"slices"

	"metalconform/reports"
	"metalconform/reports/statistics"
)

// FalseAlarm is the chance that a trend of a series without a step shows one. Every curve
// is searched with its share of it, so that it holds for all of them together, however
// they depend on each other (Bonferroni); each step that is found adds two shares, since
// what lies before and after it is searched again.
const FalseAlarm = 0.01

type aspect = reports.Aspect

// Trend is what a series of nights shows.
type Trend struct {
	Series  Series
	Nights  []Night // in order
	Steps   []Step  // the newest first
	Curves  []Curve // of every kernel and case that has any, in order of names
	Noisy   int     // curves whose values are in part accidents
	Latency int     // nights that have to follow a step before it is found in one of these
	Fail    []aspect
}

// Step is a change between two nights.
type Step struct {
	Aspect  aspect  `json:"aspect"`
	Name    string  `json:"name"` // of a kernel; of times that were taken case by case, the case
	Measure string  `json:"measure"`
	Last    int     `json:"-"` // night before it, by its number
	First   int     `json:"-"` // night after it
	From    string  `json:"from"`
	To      string  `json:"to"` // the change is in the commits after From, up to To
	Before  float64 `json:"before"`
	After   float64 `json:"after"`
	Worse   bool    `json:"worse"`
	Undone  bool    `json:"undone"` // by a later step
	P       float64 `json:"p"`      // chance of such a step anywhere in its curve; 0 where nothing is an accident
	// Cases are those whose verdicts changed.
	Cases []string `json:"cases,omitempty"`
}

// Curve is a quantity over the nights of a trend.
type Curve struct {
	Aspect  aspect `json:"aspect"`
	Name    string `json:"name"`
	Measure string `json:"measure"`
	Nights  []int  `json:"nights"`
	// of errors the typical root mean square as a fraction of the bound, of times seconds
	Values []float64 `json:"values"`
}

// Last are the last nights of each series, at most so many of each.
func Last(nights []Night, most int) []Night {
	var list []Night
	for _, series := range split(nights) {
		list = append(list, series[max(0, len(series)-most):]...)
	}
	return list
}

// Find is the trend of each series of nights, that with the newest night first.
func Find(nights []Night, p reports.Policy) []Trend {
	var list []Trend
	for _, series := range split(nights) {
		list = append(list, find(series, p))
	}
	return list
}

func find(nights []Night, p reports.Policy) Trend {
	t := Trend{Series: nights[0].Key.series(), Nights: nights, Fail: p.Fail}
	kernels := byKernel(nights)
	for _, l := range kernels {
		t.Steps = append(t.Steps, l.verdictSteps()...)
	}
	curves := slices.Concat(accuracyCurves(kernels, nights, p), speedCurves(kernels, nights, p))
	for _, c := range curves {
		if !c.exact {
			t.Noisy++
		}
	}
	share := FalseAlarm / float64(max(1, t.Noisy))
	t.Latency = statistics.Latency(len(nights), share)
	for _, c := range curves {
		for _, s := range c.steps(share) {
			t.Steps = append(t.Steps, Step{
				Aspect: c.aspect, Name: c.name, Measure: c.measure, Last: c.nights[s.At-1], First: c.nights[s.At],
				Before: c.shown(s.Before), After: c.shown(s.After), Worse: s.After > s.Before,
				P: min(1, s.P*float64(t.Noisy)),
			})
		}
		t.Curves = append(t.Curves, c.public())
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		s.From, s.To = nights[s.Last].Key.Commit, nights[s.First].Key.Commit
	}
	t.undo()
	slices.SortStableFunc(t.Steps, func(a, b Step) int { return cmp.Compare(b.First, a.First) })
	return t
}

// undo marks what a later step of the same curve brings back at least half of.
func (t *Trend) undo() {
	for i := range t.Steps {
		s := &t.Steps[i]
		for _, later := range t.Steps {
			same := later.Aspect == s.Aspect && later.Name == s.Name && later.Measure == s.Measure &&
				later.First > s.First && later.Worse != s.Worse
			if s.Aspect == reports.Verdicts {
				s.Undone = s.Undone || same &&
					!slices.ContainsFunc(s.Cases, func(c string) bool { return !slices.Contains(later.Cases, c) })
			} else {
				s.Undone = s.Undone || same && math.Abs(later.After-s.Before) < math.Abs(s.After-s.Before)/2
			}
		}
	}
}

// Failing are the steps for the worse that last, in what the policy names: times only
// where they are those of a GPU.
func (t Trend) Failing() []Step {
	return slices.DeleteFunc(slices.Clone(t.Steps), func(s Step) bool {
		return !s.Worse || s.Undone || !slices.Contains(t.Fail, s.Aspect) ||
			s.Aspect == reports.Speed && !t.Nights[s.First].Gated
	})
}

// shown is a value as readers get it: curves are logarithms where a change is a factor.
func (c curve) shown(x float64) float64 {
	if c.measure == "error" || c.measure == "time" {
		return math.Exp(x)
	}
	return x
}

func (c curve) public() Curve {
	values := make([]float64, len(c.values))
	for i, x := range c.values {
		values[i] = c.shown(x)
	}
	return Curve{c.aspect, c.name, c.measure, c.nights, values}
}
