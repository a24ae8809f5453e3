package oracles

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"metalconform/oracles/internal/loops"
)

// longDelta is one head over so many tokens, with unit keys.
func longDelta(name string, tokens, dk, dv int, decays []float64) DeltaNet {
	p := delta(source(name, tokens), tokens, 1, 1, dk, dv, decays, 1)
	p.Seqs = 1
	p.Q, p.K, p.V, p.State = p.Q[:tokens*dk], p.K[:tokens*dk], p.V[:tokens*dv], p.State[:dv*dk]
	p.Beta, p.Decay = p.Beta[:tokens], p.Decay[:tokens]
	return p
}

// deltaForms are correct ways to compute the recurrence, each with the contract that
// promises it.
var deltaForms = []struct {
	name     string
	contract Contract
}{
	{"token by token", Contract{Sums: map[string]Schedule{"read": Sequential(), "output": Sequential()}}},
	{"by lanes", Contract{Sums: map[string]Schedule{"read": Strided(32, 4), "output": Strided(32, 4)}}},
	{"in halves", Contract{Sums: map[string]Schedule{"read": Halved(32), "output": Halved(32)}}},
	{"chunks of 8", Contract{Chunk: 8, Sums: map[string]Schedule{"matrix": MatrixTiles(), "decay": Sequential()}}},
	{"chunks of 16", Contract{Chunk: 16, Sums: map[string]Schedule{"matrix": MatrixTiles(), "decay": Sequential()}}},
	{"chunks of 64", Contract{Chunk: 64, Sums: map[string]Schedule{"matrix": MatrixTiles(), "decay": Sequential()}}},
}

func evaluated(p DeltaNet, c Contract) (output, state []float32) {
	if c.Chunk > 0 {
		return deltaChunk32(p, c, single)
	}
	return delta32(p, c, "", single)
}

// likelyWorst is the largest error as a part of the statistical bound.
func likelyWorst(a Answer, got []float32) (over float64) {
	for i, want := range a.Want {
		bound, _ := a.Statistical(i)
		over = max(over, math.Abs(float64(got[i])-want)/bound)
	}
	return over
}

// TestLongRecurrences judges every form by every contract over thousands of tokens: what a
// form promises is rigorous, and so sharp that 50 times the largest error of an output reach the
// bound; the others are correct too, and conform. Errors of the last state come of many tokens and
// average out: there 50 times the largest one reach the statistical bound, unless the decays are
// made by a function that a device may have off in one direction.
func TestLongRecurrences(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	t.Parallel()
	const tokens = 8192
	for _, decays := range [][]float64{{1}, {0.999}, {0.9, 0.99}} {
		p := longDelta("long", tokens, 16, 2, decays)
		outputs, states := make([][]float32, len(deltaForms)), make([][]float32, len(deltaForms))
		for i, form := range deltaForms {
			outputs[i], states[i] = evaluated(p, form.contract)
		}
		for _, promised := range []int{0, 1, 4} {
			o, state := GatedDelta(p, deltaForms[promised].contract)
			for i, form := range deltaForms {
				name := fmt.Sprintf("%v, %s as %s", decays, form.name, deltaForms[promised].name)
				within(t, name+" output", o, outputs[i])
				within(t, name+" state", state, states[i])
				if over := max(likelyWorst(o, outputs[i]), likelyWorst(state, states[i])); !(over <= 1) {
					t.Errorf("%s: %.3g x the statistical bound", name, over)
				}
			}
			if over := worst(o, outputs[promised]); over < 1.0/50 {
				t.Errorf("%v, %s: the largest error of an output is %.3g of the bound", decays,
					deltaForms[promised].name, over)
			}
			functions := deltaForms[promised].contract.Chunk > 0 && decays[0] != 1
			if over := likelyWorst(state, states[promised]); over < 1.0/50 && !functions {
				t.Errorf("%v, %s: the largest error of the state is %.3g of the statistical bound", decays,
					deltaForms[promised].name, over)
			}
		}
	}
}

// TestAdjointHoldsAgainstClimbing looks for inputs whose errors are large beside a bound that
// goes by the adjoint from the first token on.
func TestAdjointHoldsAgainstClimbing(t *testing.T) {
	t.Parallel()
	const tokens, evaluations = 20, 400
	for _, form := range deltaForms[:4] {
		r := source("climb "+form.name, evaluations)
		p := longDelta("climb", tokens, 3, 1, []float64{1, 0.999, 0.9})
		over := 0.0
		for range evaluations {
			q := p
			for _, x := range []*[]float64{&q.Q, &q.K, &q.V, &q.Decay, &q.Beta, &q.State} {
				*x = slices.Clone(*x)
				i := r.IntN(len(*x))
				(*x)[i] = F32.Round((*x)[i] * (1 + float64(r.NormFloat64()*math.Ldexp(1, -r.IntN(24)))))
			}
			for t, x := range q.Decay {
				q.Decay[t] = math.Abs(x)
			}
			gotO, gotS := evaluated(q, form.contract)
			o, state := newAnswer(len(gotO), "inherited", "own").ofSums(), newAnswer(len(gotS), "norm").ofSums()
			d := q.head(0, 0, form.contract)
			d.normsUpTo = 0
			d.answer(form.contract, o, state)
			now := max(worst(o, gotO), worst(state, gotS))
			if !(now <= 1) {
				t.Fatalf("%s: %.3g x the bound", form.name, now)
			}
			if now >= over {
				p, over = q, now
			}
		}
		t.Logf("%s: %.3g of the bound", form.name, over)
	}
}

// TestNormsMissWhatAdjointsSee hands the state over in half precision once in 2048 tokens: by
// norms alone that is within the bound of so long a recurrence.
func TestNormsMissWhatAdjointsSee(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	p := longDelta("spilled", 2560, 32, 2, []float64{0.9999})
	for _, form := range []int{0, 4} {
		c := deltaForms[form].contract
		gotO, gotS := spilled(p, c, 2048, F16)
		o, _ := GatedDelta(p, c)
		beyond(t, deltaForms[form].name+" output", o, gotO)

		norms, state := newAnswer(len(o.Want), "inherited", "own").ofSums(), newAnswer(len(gotS), "norm").ofSums()
		d := p.head(0, 0, c)
		d.normsUpTo = p.T
		d.answer(c, norms, state)
		within(t, deltaForms[form].name+" output by norms", norms, gotO)
	}
}

// spilled computes the recurrence in two launches, with the state rounded to a format
// between them.
func spilled(p DeltaNet, c Contract, at int, f Format) (output, state []float32) {
	head, tail := p, p
	head.T, tail.T = at, p.T-at
	head.Q, head.K, head.V, head.Decay, head.Beta = p.Q[:at*p.Dk], p.K[:at*p.Dk], p.V[:at*p.Dv], p.Decay[:at],
		p.Beta[:at]
	tail.Q, tail.K, tail.V, tail.Decay, tail.Beta = p.Q[at*p.Dk:], p.K[at*p.Dk:], p.V[at*p.Dv:], p.Decay[at:],
		p.Beta[at:]
	output, state = evaluated(head, c)
	tail.State = wide(state)
	for i, s := range tail.State {
		tail.State[i] = f.Round(s)
	}
	rest, state := evaluated(tail, c)
	return append(output, rest...), state
}

// TestAdjoint compares the weights of a pass with differences of the recurrence itself, for
// numbers of which every sum is exact in float64.
func TestAdjoint(t *testing.T) {
	p := DeltaNet{Seqs: 1, T: 4, Hk: 1, Hv: 1, Dk: 2, Dv: 1,
		Q: []float64{1, 0, 0, 1, 1, 1, 2, -1}, K: []float64{1, 1, 0.5, -1, 2, 0, 1, -0.5}, V: []float64{1, 2, -1, 3},
		Decay: []float64{1, 0.5, 0.25, -2}, Beta: []float64{0.5, 1, 0.25, 0.5}, State: []float64{1, -1},
	}
	final := func(p DeltaNet) float64 { o, _ := GatedDelta(p, Contract{}); return o.Want[3] }
	d := p.head(0, 0, Contract{})
	pass := newDeltaPass(d)
	const column = 3
	pass.start(column, d.q[3], 3)
	var got, want []float64
	for token := 3; token >= 0; token-- {
		// v changes β·u by β.
		changed := p
		changed.V = slices.Clone(p.V)
		changed.V[token] += 1 / p.Beta[token]
		pass.through(token)
		got = append(got, pass.weights[column].solved.error)
		want = append(want, math.Abs(final(changed)-final(p)))
	}
	for j := range p.State {
		changed := p
		changed.State = slices.Clone(p.State)
		changed.State[j]++
		got, want = append(got, pass.columns[column].scale*pass.x[j*loops.Panel+column]),
			append(want, final(changed)-final(p))
	}
	if !slices.Equal(got, want) {
		t.Errorf("weights %v, want %v", got, want)
	}
}
