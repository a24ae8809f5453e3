package forecast_test

import (
	"fmt"
	"io"
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
	repeats int
	apart   float64 // the largest of these by the smallest
	rank    float64
	right   float64 // share of pairs 1.5 times apart whose faster is named
}

// limit draws times around those that were measured, less what chance has added to their spread.
func limit(seconds, rates []float64) ceiling {
	again := make([]float64, len(rates))
	for i, r := range rates {
		again[i] = math.Log(r)
	}
	times := make([]float64, len(seconds))
	for i, s := range seconds {
		times[i] = math.Log(s)
	}
	mean := stat.Mean(times, nil)
	known := math.Sqrt(max(0, 1-stat.Variance(again, nil)/stat.Variance(times, nil)))
	for i, t := range times {
		times[i] = mean + float64(known*(t-mean))
	}
	c := ceiling{repeats: len(rates), apart: slices.Max(rates) / slices.Min(rates)}
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
			drawn[i] = t - again[random.IntN(len(again))]
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

// writeCeilings prints what is to be had of each score.
func writeCeilings(w io.Writer, dir string, list []forecast.Observation, scores []forecast.Score) error {
	repeats, err := metalsci.Repeats(dir)
	if err != nil {
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "task\tsize\tmeasured again\tapart\trank at best\trank\tfaster named at best\tfaster named\t")
	best := slices.Clone(scores)
	for i, s := range scores {
		var seconds []float64
		for _, o := range list {
			if o.Task == s.Task && o.Size == s.Size {
				seconds = append(seconds, o.Seconds)
			}
		}
		at := slices.IndexFunc(repeats, func(r metalsci.Repeated) bool { return r.Task == s.Task && r.Size == s.Size })
		c := limit(seconds, repeats[at].Rates)
		best[i].Rank, best[i].Right = c.rank, int(math.Round(float64(s.Apart)*c.right))
		fmt.Fprintf(t, "%s\t%s\t%d\t%.2f ×\t%.2f\t%.2f\t%d of %d\t%d\t\n", s.Task, s.Size, c.repeats, c.apart, c.rank, s.Rank, best[i].Right, s.Apart, s.Right)
	}
	a, b := forecast.Summarise(scores), forecast.Summarise(best)
	fmt.Fprintf(t, "all\t\t\t\t%.2f\t%.2f\t%.0f %%\t%.0f %%\t\n", b.Rank, a.Rank, 100*b.Right, 100*a.Right)
	return t.Flush()
}
