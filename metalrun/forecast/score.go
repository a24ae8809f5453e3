package forecast

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// Score is how good forecasts of the kernels of a task at a size were.
type Score struct {
	Task, Size string
	Kernels    int
	Rank       float64 // rank correlation with the times
	Apart      int     // pairs whose times differ by 1.5 times or more
	Right      int     // of these, how often the faster was named
	Twice      int     // kernels whose time is within a factor of two
	Held       int     // kernels whose time lies in the interval
	RatiosHeld float64 // share of the pairs whose ratio lies in its interval
	Alike      float64 // median ratio of times of kernels that were forecast to take the same, to a per mille
	SimRank    float64 // rank correlation of the simulator's own time
	SimRight   int
}

// Scores judges forecasts by task and size.
func Scores(list []Expected) []Score {
	var out []Score
	for _, members := range groups(list) {
		out = append(out, score(members))
	}
	return out
}

func score(members []Expected) Score {
	s := Score{Task: members[0].Task, Size: members[0].Size, Kernels: len(members)}
	var measured, forecast, simulated, alike []float64
	pairs, held := 0, 0
	for i, e := range members {
		measured, forecast, simulated = append(measured, e.Seconds), append(forecast, e.Forecast.Seconds),
			append(simulated, e.Simulated)
		if r := e.Seconds / e.Forecast.Seconds; r >= .5 && r <= 2 {
			s.Twice++
		}
		if e.Seconds >= e.Forecast.Low && e.Seconds <= e.Forecast.High {
			s.Held++
		}
		for _, o := range members[:i] {
			pairs++
			r := e.Seconds / o.Seconds
			c := o.Forecast.Compare(e.Forecast)
			if r >= c.Low && r <= c.High {
				held++
			}
			if math.Abs(math.Log(c.Ratio)) < 1e-3 {
				alike = append(alike, math.Max(r, 1/r))
			}
			if math.Max(r, 1/r) < 1.5 {
				continue
			}
			s.Apart++
			if (c.Ratio-1)*(r-1) > 0 {
				s.Right++
			}
			if (e.Simulated-o.Simulated)*(r-1) > 0 {
				s.SimRight++
			}
		}
	}
	s.Rank, s.SimRank = rankCorrelation(measured, forecast), rankCorrelation(measured, simulated)
	s.RatiosHeld = float64(held) / float64(max(1, pairs))
	if len(alike) > 0 {
		slices.Sort(alike)
		s.Alike = alike[len(alike)/2]
	}
	return s
}

func rankCorrelation(a, b []float64) float64 { return correlation(ranks(a), ranks(b)) }

// ranks are the ranks of values. Equal values share theirs.
func ranks(v []float64) []float64 {
	sorted := slices.Sorted(slices.Values(v))
	out := make([]float64, len(v))
	for i, x := range v {
		first, _ := slices.BinarySearch(sorted, x)
		last := first
		for last < len(sorted) && sorted[last] == x {
			last++
		}
		out[i] = float64(first+last-1) / 2
	}
	return out
}

// Summary summarises scores.
type Summary struct {
	Rank, SimRank   float64 // medians over the tasks of the means over sizes
	Right, SimRight float64 // shares
	Twice           float64
	Held            float64 // tasks at a size count the same, as they do in what intervals say
	RatiosHeld      float64 // likewise
}

// Summarise summarises scores.
func Summarise(scores []Score) Summary {
	var s Summary
	kernels, apart := 0, 0
	rank, sim := map[string][]float64{}, map[string][]float64{}
	for _, e := range scores {
		kernels += e.Kernels
		apart += e.Apart
		s.Right += float64(e.Right)
		s.SimRight += float64(e.SimRight)
		s.Twice += float64(e.Twice)
		s.Held += float64(e.Held) / float64(max(1, e.Kernels)) / float64(len(scores))
		s.RatiosHeld += e.RatiosHeld / float64(len(scores))
		rank[e.Task], sim[e.Task] = known(rank[e.Task], e.Rank), known(sim[e.Task], e.SimRank)
	}
	s.Right /= float64(max(1, apart))
	s.SimRight /= float64(max(1, apart))
	s.Twice /= float64(max(1, kernels))
	s.Rank, s.SimRank = medianOfMeans(rank), medianOfMeans(sim)
	return s
}

// known adds a correlation, if there is one: a single time has none, and neither have equal times.
func known(list []float64, correlation float64) []float64 {
	if math.IsNaN(correlation) {
		return list
	}
	return append(list, correlation)
}

func medianOfMeans(by map[string][]float64) float64 {
	var means []float64
	for _, list := range by {
		if len(list) > 0 {
			means = append(means, mean(list))
		}
	}
	slices.Sort(means)
	if n := len(means); n > 0 {
		return (means[(n-1)/2] + means[n/2]) / 2
	}
	return math.NaN()
}

// WriteScores prints the table of scores. Its headings are the given names of tasks, sizes and kernels. There is no
// column of the simulator's times if they were not measured.
func WriteScores(w io.Writer, of [3]string, scores []Score) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	timed := slices.ContainsFunc(scores, func(s Score) bool { return !math.IsNaN(s.SimRank) })
	row := func(cells ...string) {
		if !timed {
			cells = slices.Concat(cells[:4], cells[5:6], cells[7:])
		}
		fmt.Fprintln(t, strings.Join(cells, "\t")+"\t")
	}
	row(of[0], of[1], of[2], "rank", "(simulator)", "faster named", "(simulator)", "within 2 ×", "in interval",
		"ratios in interval", "alike")
	number := func(n int) string { return fmt.Sprint(n) }
	rank := func(r float64) string {
		if math.IsNaN(r) {
			return ""
		}
		return fmt.Sprintf("%.2f", r)
	}
	percent := func(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }
	times := func(r float64) string {
		if r == 0 { // there are none
			return ""
		}
		return fmt.Sprintf("%.2f ×", r)
	}
	for _, s := range scores {
		row(s.Task, s.Size, number(s.Kernels), rank(s.Rank), rank(s.SimRank), fmt.Sprintf("%d of %d", s.Right, s.Apart),
			number(s.SimRight),
			number(s.Twice), number(s.Held), percent(s.RatiosHeld), times(s.Alike))
	}
	a := Summarise(scores)
	row("all", "", "", rank(a.Rank), rank(a.SimRank), percent(a.Right), percent(a.SimRight), percent(a.Twice),
		percent(a.Held), percent(a.RatiosHeld), "")
	return t.Flush()
}
