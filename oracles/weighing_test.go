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
				p.Q, p.K, p.V = inputs(r, "normal", F32, width), inputs(r, "normal", F32, keys*width),
					inputs(r, family, F32, keys*width)
				k := newOnlineSoftmax(p.Scale,
					Contract{Sums: map[string]Schedule{"score": Sequential(), "values": order}})
				k.anyTiles = seed == 3
				values := newChannels(keys, width)
				values.take(func(pos int) []float64 { return p.row(p.V, pos, 0) })
				scores := k.scored(0, keys, p.query(0, 0),
					newFactors(keys, func(pos int) []float64 { return p.row(p.K, pos, 0) }))
				state := startState(nil, 0, width)
				for first := 0; first < keys; first += n {
					var before []runningSum
					for i := range width {
						before = append(before, state.values.at(i))
					}
					k.tile(&state, scores[first:first+n], values, first)
					w := &k.inTile
					for i := range width {
						got, want := state.values.at(i), k.advanceOver(before[i], values.at(i, first, n), w.rescaling)
						if got != want {
							used++
						}
						if alone := w.advance(before[i], i, values, first); got != alone {
							t.Errorf("%v, %s %d, channel %d at %d: %v, alone %v", order, family, seed, i, first, got,
								alone)
						}
						for _, x := range []struct {
							what        string
							got, want   float64
							unit, below float64 // how far it may be off, and how much less it may be
						}{
							{"error", got.e, want.e, want.e, 0},
							{"systematic", got.systematic, want.systematic, want.systematic, 0},
							// terms of second order are left out
							{"sigma", got.sigma(), want.sigma(), want.sigma(), 1e-4},
							{"part of the scores", got.scores, want.scores, want.e, 0},
							// grown to the end
							{"part of the exponentials", got.exponentials, want.exponentials, 1e4 * want.e, 0},
							{"carried part", got.carried, want.carried, want.e, 0},
						} {
							if over := (x.got - x.want) / x.unit; over > 1e-9 || over < -1e-9-x.below {
								t.Errorf("%v, %s %d, channel %d at %d: the %s is %.17g, by recurrence %.17g", order,
									family, seed, i, first, x.what, x.got, x.want)
							}
						}
						if math.Abs(got.v-want.v) > 1e-9*want.e {
							t.Errorf("%v, %s %d, channel %d at %d: %g, by recurrence %g", order, family, seed, i, first,
								got.v, want.v)
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
	for _, s := range []Schedule{Sequential(), Strided(32, 1), Strided(32, 4), {Lanes: 3, Block: 5},
		{Lanes: 8, Tree: true}} {
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

// TestAttentionByRecurrence holds whole answers of attention, by loops over all channels, to
// those of recurrences term by term: never looser.
func TestAttentionByRecurrence(t *testing.T) {
	t.Parallel()
	const keys, width = 70, 10
	sharper := 0
	for _, c := range []Contract{
		{Sums: map[string]Schedule{"values": {Lanes: 1, Block: 1}, "score": Sequential()}},
		{Sums: map[string]Schedule{"values": {Lanes: 4, Block: 1}, "score": Strided(32, 1)}},
		{Sums: map[string]Schedule{"values": {Lanes: 2, Block: 16}, "score": Sequential(),
			"denominator": Sequential()}},
		{Sums: map[string]Schedule{"values": {Lanes: 2, Block: 16}},
			Forms: Forms{Carry: Definition, Products: Definition}},
		{Sums: map[string]Schedule{"values": {Block: 16}}, Forms: Forms{Softmax: Either}, Functions: Fast},
		{},
	} {
		for _, family := range []string{"normal", "integers", "cancelling", "positive"} {
			for seed := range 5 {
				r := source(family, seed)
				p := Attention{T: 3, S: keys, H: 2, Hg: 1, D: width, Scale: float64(float32(0.3)), Causal: seed == 1,
					Start: 40}
				p.Q, p.K, p.V = inputs(r, "normal", F32, 3*2*width), inputs(r, "normal", F32, keys*width),
					inputs(r, family, F32, keys*width)
				switch seed {
				case 2: // rising scores rescale at each key
					for pos := range keys {
						for d := range width {
							p.K[pos*width+d] = float64(float32(float64(pos) * p.Q[d]))
						}
					}
				case 3: // a channel of zeros, and some tiny values
					for pos := range keys {
						p.V[pos*width], p.V[pos*width+1] = 0, 0x1p-90
					}
				case 4: // equal scores
					clear(p.K)
				}
				got, want := GroupedQuery(p, c), groupedQueryByRecurrence(p, c)
				for i := range want.Want {
					if math.Abs(got.Want[i]-want.Want[i]) > 1e-12*want.Bound(i) {
						t.Errorf("%v, %s %d, element %d: %g, by recurrence %g", c, family, seed, i, got.Want[i],
							want.Want[i])
					}
					if g, w := got.Bound(i), want.Bound(i); g > w*(1+1e-9) {
						t.Errorf("%v, %s %d, element %d: the bound is %.17g, by recurrence %.17g", c, family, seed, i,
							g, w)
					} else if g != w {
						sharper++
					}
					g, _ := got.Statistical(i)
					if w, _ := want.Statistical(i); g > w*(1+1e-9) {
						t.Errorf("%v, %s %d, element %d: the statistical bound is %.17g, by recurrence %.17g", c,
							family, seed, i, g, w)
					}
				}
			}
		}
	}
	if sharper < 1000 {
		t.Errorf("loops made %d bounds", sharper)
	}
}

// groupedQueryByRecurrence is [GroupedQuery] of one key head without closed forms.
func groupedQueryByRecurrence(p Attention, c Contract) Answer {
	a := newAnswer(p.T*p.H*p.D, attendedLabels()...).ofSums()
	k := newOnlineSoftmax(p.Scale, c)
	simdgroups := k.values.Schedule
	if k.anyTiles = simdgroups == AnyOrder(); !k.anyTiles {
		k.values.Schedule = Sequential()
	}
	values := newChannels(p.S, p.D)
	values.take(func(pos int) []float64 { return p.row(p.V, pos, 0) })
	values.even = false
	keys := newFactors(p.S, func(pos int) []float64 { return p.row(p.K, pos, 0) })
	for h := range p.H {
		for t := range p.T {
			p.answer(a, k, simdgroups, keys, values, t, h)
		}
	}
	return a
}
