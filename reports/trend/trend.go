package trend

import (
	"cmp"
	"math"
	"slices"

	"metalconform/reports"
	"metalconform/reports/statistics"
	"metalconform/suite/metrics"
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
	Aspect  aspect    `json:"aspect"`
	Name    string    `json:"name"`
	Measure string    `json:"measure"`
	Nights  []int     `json:"nights"`
	Values  []float64 `json:"values"` // of errors the typical root mean square as a fraction of the bound, of times seconds
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
	t.Steps = verdictSteps(nights)
	curves := slices.Concat(accuracyCurves(nights, p), speedCurves(nights, p))
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
				Before: c.shown(s.Before), After: c.shown(s.After), Worse: s.After > s.Before, P: min(1, s.P*float64(t.Noisy)),
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
			same := later.Aspect == s.Aspect && later.Name == s.Name && later.Measure == s.Measure && later.First > s.First && later.Worse != s.Worse
			if s.Aspect == reports.Verdicts {
				s.Undone = s.Undone || same && !slices.ContainsFunc(s.Cases, func(c string) bool { return !slices.Contains(later.Cases, c) })
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
		return !s.Worse || s.Undone || !slices.Contains(t.Fail, s.Aspect) || s.Aspect == reports.Speed && !t.Nights[s.First].Gated
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

// verdictSteps are the changes of verdicts, together for the cases of a kernel that
// changed in the same way on the same night. A verdict that was another for a single
// night and came back is none; that of the last night is one until then.
func verdictSteps(nights []Night) []Step {
	type place struct {
		kernel string
		first  int
		worse  bool
	}
	type seen struct {
		night  int
		passes bool
	}
	histories, kernel := map[string][]seen{}, map[string]string{}
	var names []string
	for i, n := range nights {
		for _, c := range n.Results {
			if _, ok := histories[c.Name]; !ok {
				names = append(names, c.Name)
			}
			histories[c.Name], kernel[c.Name] = append(histories[c.Name], seen{i, c.passes()}), c.Kernel
		}
	}
	var order []place
	steps := map[place]*Step{}
	for _, name := range names {
		h := histories[name]
		for i := 1; i < len(h); i++ {
			if i+1 < len(h) && h[i+1].passes == h[i-1].passes {
				h[i].passes = h[i-1].passes
			}
			if h[i].passes == h[i-1].passes {
				continue
			}
			at := place{kernel[name], h[i].night, !h[i].passes}
			if steps[at] == nil {
				order = append(order, at)
				steps[at] = &Step{Aspect: reports.Verdicts, Name: at.kernel, Measure: "failing", Last: h[i-1].night, First: at.first, Worse: at.worse}
			}
			steps[at].Cases = append(steps[at].Cases, name)
		}
	}
	var list []Step
	for _, at := range order {
		s := steps[at]
		if n := float64(len(s.Cases)); s.Worse {
			s.After = n
		} else {
			s.Before = n
		}
		list = append(list, *s)
	}
	return list
}

// byCase are the results of each case that satisfies keep in every one of the nights, in
// the order of the newest.
func byCase(nights []Night, keep func(Case) bool) [][]Case {
	index := map[string]int{}
	var list [][]Case
	for _, c := range nights[len(nights)-1].Results {
		index[c.Name] = len(list)
		list = append(list, nil)
	}
	for _, n := range nights {
		for _, c := range n.Results {
			if i, ok := index[c.Name]; ok && keep(c) {
				list[i] = append(list[i], c)
			}
		}
	}
	return slices.DeleteFunc(list, func(l []Case) bool { return len(l) < len(nights) })
}

// accuracyCurves are those of kernels, over the cases that passed in all nights: each
// curve is the mean of what its cases show, and each case counts as much as any other.
func accuracyCurves(nights []Night, p reports.Policy) []curve {
	exact := true
	for _, n := range nights {
		exact = exact && n.Exact && n.Seed == nights[0].Seed
	}
	sums := map[string][3][]float64{}
	count := map[string]int{}
	var names []string
	for _, history := range byCase(nights, func(c Case) bool { return c.passes() && c.Errors != nil }) {
		name := history[0].Kernel
		s, ok := sums[name]
		if !ok {
			names = append(names, name)
			s = [3][]float64{make([]float64, len(nights)), make([]float64, len(nights)), make([]float64, len(nights))}
			sums[name] = s
		}
		count[name]++
		for i, c := range history {
			s[0][i] += math.Log(c.Errors.RMS() + metrics.ErrorUnit)
			s[1][i] += math.Abs(c.Errors.Bias())
			s[2][i] += math.Abs(c.Errors.Inward())
		}
	}
	var list []curve
	for _, name := range names {
		for k, measure := range []string{"error", "bias", "inward"} {
			c := curve{aspect: reports.Accuracy, name: name, measure: measure, exact: exact, least: p.Bias}
			if k == 0 {
				c.least = math.Log1p(p.Error)
			}
			for i, x := range sums[name][k] {
				c.nights, c.values = append(c.nights, i), append(c.values, x/float64(count[name]))
			}
			list = append(list, c)
		}
	}
	return list
}

// speedCurves are those of each case that conform bench timed, and those of each kernel's
// launches in the runs, on the nights whose times are comparable with the newest ones.
func speedCurves(nights []Night, p reports.Policy) []curve {
	alike := func(of func(Night) string) (list []Night, numbers []int) {
		for i, n := range nights {
			if of(n) == of(nights[len(nights)-1]) {
				list, numbers = append(list, n), append(numbers, i)
			}
		}
		return list, numbers
	}
	least := func(family string) float64 { return math.Log1p(cmp.Or(p.Families[family], p.Time)) }
	var list []curve
	timed, numbers := alike(func(n Night) string { return n.Bench })
	for _, history := range byCase(timed, func(c Case) bool { return c.Seconds > 0 }) {
		c := curve{aspect: reports.Speed, name: history[0].Name, measure: "time", nights: numbers, least: least(history[0].Family)}
		for _, x := range history {
			c.values = append(c.values, math.Log(x.Seconds))
		}
		list = append(list, c)
	}
	launched, numbers := alike(func(n Night) string { return n.Machine })
	sums, count := map[string]*curve{}, map[string]int{}
	var names []string
	for _, history := range byCase(launched, func(c Case) bool { return c.passes() && c.NS > 0 }) {
		name := history[0].Kernel
		if sums[name] == nil {
			names = append(names, name)
			sums[name] = &curve{aspect: reports.Speed, name: name, measure: "time", nights: numbers, values: make([]float64, len(launched)), least: least(history[0].Family)}
		}
		count[name]++
		for i, x := range history {
			sums[name].values[i] += math.Log(float64(x.NS) / 1e9)
		}
	}
	for _, name := range names {
		for i := range sums[name].values {
			sums[name].values[i] /= float64(count[name])
		}
		list = append(list, *sums[name])
	}
	return list
}
