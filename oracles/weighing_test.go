package oracles

import (
	"math"
	"testing"
)

// TestClosedFormsOfTiles holds the closed forms of a tile of values to what the recurrences
// say term by term: no looser, and hardly sharper.
func TestClosedFormsOfTiles(t *testing.T) {
	t.Parallel()
	const keys, width, n = 3 * 32, 24, 32
	used := 0
	for _, order := range []Schedule{Sequential(), AnyOrder()} {
		for _, family := range []string{"normal", "integers", "cancelling", "positive"} {
			for seed := range 4 {
				r := source(family, seed)
				p := Attention{T: 1, S: keys, H: 1, Hg: 1, D: width, Scale: float64(float32(0.3))}
				p.Q, p.K, p.V = inputs(r, "normal", F32, width), inputs(r, "normal", F32, keys*width), inputs(r, family, F32, keys*width)
				k := newOnlineSoftmax(p.Scale, Contract{Sums: map[string]Schedule{"score": Sequential(), "values": order}})
				k.anyTiles = seed == 3
				values := newChannels(keys, width)
				values.take(func(pos int) []float64 { return p.row(p.V, pos, 0) })
				scores := k.scored(keys, p.query(0, 0), newFactors(keys, func(pos int) []float64 { return p.row(p.K, pos, 0) }))
				state := startState(nil, 0, width)
				for first := 0; first < keys; first += n {
					before := append([]runningSum(nil), state.values...)
					k.tile(&state, scores[first:first+n], values, first)
					w := &k.inTile
					for i, got := range state.values {
						c := values.at(i, first, n)
						want := k.advanceOver(before[i], c.v, w.rescaling)
						if w.sum(new(tileSum), c); got != want {
							used++
						}
						for _, x := range []struct {
							what        string
							got, want   float64
							unit, below float64 // how far it may be off, and how much less it may be
						}{
							{"error", got.e, want.e, want.e, 0},
							{"systematic", got.systematic, want.systematic, want.systematic, 0},
							{"sigma", got.sigma(), want.sigma(), want.sigma(), 1e-4}, // terms of second order are left out
							{"part of the scores", got.scores, want.scores, want.e, 0},
							{"part of the exponentials", got.exponentials, want.exponentials, 1e4 * want.e, 0}, // grown to the end
							{"carried part", got.carried, want.carried, want.e, 0},
						} {
							if over := (x.got - x.want) / x.unit; over > 1e-9 || over < -1e-9-x.below {
								t.Errorf("%v, %s %d, channel %d at %d: the %s is %.17g, by recurrence %.17g", order, family, seed, i, first, x.what, x.got, x.want)
							}
						}
						if math.Abs(got.v-want.v) > 1e-9*want.e {
							t.Errorf("%v, %s %d, channel %d at %d: %g, by recurrence %g", order, family, seed, i, first, got.v, want.v)
						}
					}
				}
			}
		}
	}
	if used < 1000 {
		t.Errorf("closed forms were used %d times", used)
	}
}

// TestClosedFormsOfDots holds the closed form of a running sum of products to the recurrence.
func TestClosedFormsOfDots(t *testing.T) {
	t.Parallel()
	m := Contract{}.arithmetic()
	for _, s := range []Schedule{Sequential(), Strided(32, 1), Strided(32, 4), {Lanes: 3, Block: 5}, {Lanes: 8, Tree: true}} {
		for _, n := range []int{1, 2, 5, 31, 128, 1000} {
			r := source("dots", n)
			a, b := inputs(r, "normal", F32, n), inputs(r, "cancelling", F32, n)
			d := m.dotter(order{"sum", s})
			got, want := d.dot(a, b), d.apart(a, b)
			if e := got.e / want.e; math.Abs(e-1) > 1e-9 || math.Abs(got.v-want.v) > 1e-9*want.e {
				t.Errorf("%v of %d: %g within %.17g, by recurrence %g within %.17g", s, n, got.v, got.e, want.v, want.e)
			}
			if x := got.sigma() / want.sigma(); x > 1+1e-9 || x < 1-1e-4 {
				t.Errorf("%v of %d: sigma %.17g, by recurrence %.17g", s, n, got.sigma(), want.sigma())
			}
		}
	}
}
