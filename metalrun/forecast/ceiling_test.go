package forecast_test

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"text/tabwriter"

	"metalconform/fixtures/metalsci"
	"metalconform/metalrun/forecast"

	"gonum.org/v1/gonum/stat"
)

// ceiling is how well a forecast can do that knows what each kernel takes on average, where times
// of one and the same kernel lie as far apart as those that were measured again.
type ceiling struct {
	rank  float64
	right float64 // share of pairs 1.5 times apart whose faster is named
}

// again are times of one kernel that was measured several times, or of kernels that ask for the same.
type again struct {
	group   string
	seconds float64   // their median
	apart   []float64 // how far each lies from their mean, in logarithms
}

// newAgain takes times by a measure of their lengths, and widens deviations by what a mean of so few takes of them.
func newAgain(group string, seconds, measure []float64) again {
	sorted := slices.Sorted(slices.Values(seconds))
	a := again{group: group, seconds: sorted[len(sorted)/2]}
	for _, v := range measure {
		a.apart = append(a.apart, math.Log(v))
	}
	mean, n := stat.Mean(a.apart, nil), float64(len(a.apart))
	for i := range a.apart {
		a.apart[i] = (a.apart[i] - mean) * math.Sqrt(n/(n-1))
	}
	return a
}

func measuredAgain(list []metalsci.Repeated) (sets []again) {
	for _, r := range list {
		seconds := make([]float64, len(r.Milliseconds))
		for i, ms := range r.Milliseconds {
			seconds[i] = ms / 1e3
		}
		sets = append(sets, newAgain(r.Task+" "+r.Size, seconds, r.Rates))
	}
	return sets
}

// twins are kernels of a task at a size that ask every resource for the same, to three in a hundred: much less than
// times of one kernel lie apart.
func twins(list []forecast.Expected) (sets []again) {
	taken := make([]bool, len(list))
	for i, first := range list {
		if taken[i] {
			continue
		}
		var seconds []float64
		for j, e := range list[i:] {
			if e.Task == first.Task && e.Size == first.Size && alike(e.Forecast.Terms, first.Forecast.Terms) {
				taken[i+j], seconds = true, append(seconds, e.Seconds)
			}
		}
		if len(seconds) > 1 {
			sets = append(sets, newAgain(first.Task+" "+first.Size, seconds, seconds))
		}
	}
	return sets
}

func alike(a, b forecast.Terms) bool {
	for r := range a {
		if math.Abs(a[r]-b[r]) > .03*math.Max(a[r], b[r]) {
			return false
		}
	}
	return true
}

// like is how far times of a kernel of a group lie apart that takes so many seconds: as those that were measured again
// in its group, and in others where they took about as long, up to so many as tell something. Much of it is whether the
// clock of the GPU had risen.
func like(sets []again, group string, seconds float64) (apart []float64) {
	const enough = 30
	nearest := slices.Clone(sets)
	off := func(a again) float64 {
		if a.group == group {
			return 0
		}
		return math.Abs(math.Log(a.seconds / seconds))
	}
	slices.SortStableFunc(nearest, func(a, b again) int { return cmp.Compare(off(a), off(b)) })
	for _, a := range nearest {
		if apart = append(apart, a.apart...); len(apart) >= enough {
			break
		}
	}
	return apart
}

// limit draws times around those that were measured, less what chance has added to their spread.
func limit(seconds []float64, group string, sets []again) ceiling {
	chance, spread := make([][]float64, len(seconds)), 0.0
	times := make([]float64, len(seconds))
	for i, s := range seconds {
		times[i] = math.Log(s)
		chance[i] = like(sets, group, s)
		spread += stat.Variance(chance[i], nil) / float64(len(seconds))
	}
	mean := stat.Mean(times, nil)
	known := math.Sqrt(max(0, 1-spread/stat.Variance(times, nil)))
	for i, t := range times {
		times[i] = mean + float64(known*(t-mean))
	}
	var c ceiling
	if known == 0 { // all of the spread may be chance
		c.right = .5
		return c
	}
	const draws = 500
	random := rand.New(rand.NewPCG(1, 2))
	pairs, right := 0, 0
	drawn := make([]float64, len(times))
	for range draws {
		for i, t := range times {
			drawn[i] = t - chance[i][random.IntN(len(chance[i]))]
			for j := range i {
				if d := drawn[i] - drawn[j]; math.Abs(d) >= math.Log(1.5) {
					pairs++
					if d*(t-times[j]) > 0 {
						right++
					}
				}
			}
		}
		c.rank += forecast.RankCorrelation(times, drawn) / draws
	}
	c.right = float64(right) / float64(max(1, pairs))
	return c
}

// others is how well the times of kernels at the other sizes of their task say what they take at one: the mean rank
// correlation, and how often their sum names the faster of two that lie 1.5 times apart. What separates kernels is
// much the same at all sizes, but chance is not: a forecast that knew all but chance would come to about the root of
// the correlation.
func others(list []forecast.Expected, task, size string) (rank float64, right int) {
	times := map[string]map[string]float64{} // logarithms, by size and kernel
	for _, o := range list {
		if o.Task == task {
			if times[o.Size] == nil {
				times[o.Size] = map[string]float64{}
			}
			times[o.Size][o.Kernel] = math.Log(o.Seconds)
		}
	}
	sizes, kernels := slices.Sorted(maps.Keys(times)), slices.Sorted(maps.Keys(times[size]))
	var correlations []float64
	for _, other := range sizes {
		var here, there []float64
		for _, kernel := range kernels {
			if s, ok := times[other][kernel]; ok && other != size {
				here, there = append(here, times[size][kernel]), append(there, s)
			}
		}
		if len(here) > 1 {
			correlations = append(correlations, forecast.RankCorrelation(here, there))
		}
	}
	for i, a := range kernels {
		for _, b := range kernels[:i] {
			here, there := times[size][a]-times[size][b], 0.0
			for _, other := range sizes {
				x, hasA := times[other][a]
				y, hasB := times[other][b]
				if hasA && hasB && other != size {
					there += x - y
				}
			}
			if math.Abs(here) >= math.Log(1.5) && here*there > 0 {
				right++
			}
		}
	}
	return stat.Mean(correlations, nil), right
}

// writeCeilings prints what is to be had of each score.
func writeCeilings(w io.Writer, dir string, left []forecast.Expected, scores []forecast.Score) error {
	repeats, err := metalsci.Repeats(dir)
	if err != nil {
		return err
	}
	sets := slices.Concat(measuredAgain(repeats), twins(left))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "task\tsize\tmeasured again\tapart\trank by other sizes\trank at best\trank\tfaster named by "+
		"other sizes\tat best\tby forecast\t")
	best, between := slices.Clone(scores), slices.Clone(scores)
	for i, s := range scores {
		var seconds []float64
		for _, o := range left {
			if o.Task == s.Task && o.Size == s.Size {
				seconds = append(seconds, o.Seconds)
			}
		}
		at := slices.IndexFunc(repeats, func(r metalsci.Repeated) bool { return r.Task == s.Task && r.Size == s.Size })
		c, rates := limit(seconds, s.Task+" "+s.Size, sets), repeats[at].Rates
		between[i].Rank, between[i].Right = others(left, s.Task, s.Size)
		best[i].Rank, best[i].Right = c.rank, int(math.Round(float64(s.Apart)*c.right))
		fmt.Fprintf(t, "%s\t%s\t%d\t%.2f ×\t%.2f\t%.2f\t%.2f\t%d of %d\t%d\t%d\t\n", s.Task, s.Size, len(rates),
			slices.Max(rates)/slices.Min(rates), between[i].Rank, c.rank, s.Rank, between[i].Right, s.Apart,
			best[i].Right, s.Right)
	}
	o, b, a := forecast.Summarise(between), forecast.Summarise(best), forecast.Summarise(scores)
	fmt.Fprintf(t, "all\t\t\t\t%.2f\t%.2f\t%.2f\t%.0f %%\t%.0f %%\t%.0f %%\t\n", o.Rank, b.Rank, a.Rank, 100*o.Right,
		100*b.Right, 100*a.Right)
	return t.Flush()
}
