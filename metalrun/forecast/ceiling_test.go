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

// again are times of a kernel that was measured several times.
type again struct {
	group   string
	seconds float64   // their median
	apart   []float64 // how far each lies from their mean, in logarithms
}

func measuredAgain(list []metalsci.Repeated) (sets []again) {
	for _, r := range list {
		a := again{group: r.Task + " " + r.Size}
		for _, rate := range r.Rates {
			a.apart = append(a.apart, math.Log(rate))
		}
		mean := stat.Mean(a.apart, nil)
		for i := range a.apart {
			a.apart[i] -= mean
		}
		ms := slices.Sorted(slices.Values(r.Milliseconds))
		a.seconds = ms[len(ms)/2] / 1e3
		sets = append(sets, a)
	}
	return sets
}

// like is how far times of a kernel of a group lie apart that takes so many seconds: as those of the one of
// its group that was measured again, and of the two of others that took about as long. Much of it is whether
// the clock of the GPU had risen.
func like(sets []again, group string, seconds float64) (apart []float64) {
	nearest := slices.Clone(sets)
	off := func(a again) float64 {
		if a.group == group {
			return 0
		}
		return math.Abs(math.Log(a.seconds / seconds))
	}
	slices.SortStableFunc(nearest, func(a, b again) int { return cmp.Compare(off(a), off(b)) })
	for _, a := range nearest[:3] {
		apart = append(apart, a.apart...)
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
// correlation, and how often their sum names the faster of two that lie 1.5 times apart. What separates kernels is much the
// same at all sizes, but chance is not: a forecast that knew all but chance would come to about the root of the
// correlation.
func others(list []forecast.Observation, task, size string) (rank float64, right int) {
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
func writeCeilings(w io.Writer, dir string, list []forecast.Observation, scores []forecast.Score) error {
	repeats, err := metalsci.Repeats(dir)
	if err != nil {
		return err
	}
	sets := measuredAgain(repeats)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "task\tsize\tmeasured again\tapart\trank by other sizes\trank at best\trank\tfaster named by other sizes\tat best\tby forecast\t")
	best, between := slices.Clone(scores), slices.Clone(scores)
	for i, s := range scores {
		var seconds []float64
		for _, o := range list {
			if o.Task == s.Task && o.Size == s.Size {
				seconds = append(seconds, o.Seconds)
			}
		}
		at := slices.IndexFunc(repeats, func(r metalsci.Repeated) bool { return r.Task == s.Task && r.Size == s.Size })
		c, rates := limit(seconds, s.Task+" "+s.Size, sets), repeats[at].Rates
		between[i].Rank, between[i].Right = others(list, s.Task, s.Size)
		best[i].Rank, best[i].Right = c.rank, int(math.Round(float64(s.Apart)*c.right))
		fmt.Fprintf(t, "%s\t%s\t%d\t%.2f ×\t%.2f\t%.2f\t%.2f\t%d of %d\t%d\t%d\t\n", s.Task, s.Size, len(rates), slices.Max(rates)/slices.Min(rates), between[i].Rank, c.rank, s.Rank, between[i].Right, s.Apart, best[i].Right, s.Right)
	}
	o, b, a := forecast.Summarise(between), forecast.Summarise(best), forecast.Summarise(scores)
	fmt.Fprintf(t, "all\t\t\t\t%.2f\t%.2f\t%.2f\t%.0f %%\t%.0f %%\t%.0f %%\t\n", o.Rank, b.Rank, a.Rank, 100*o.Right, 100*b.Right, 100*a.Right)
	return t.Flush()
}
