package oracles

import "math"

// runningState is one head's state as the kernel carries it from tile to tile.
type runningState struct {
	max, denom approx
	values     []approx
}

// startState is the state before the first of the tiles.
func startState(prior *MLAState, h, rank int) runningState {
	s := runningState{max: exactly(math.Inf(-1)), values: make([]approx, rank)}
	if prior != nil {
		s.max, s.denom = exactly(prior.Max[h]), exactly(prior.Denom[h])
		for i := range s.values {
			s.values[i] = exactly(prior.Values[h*rank+i])
		}
	}
	return s
}

// ownMaximum is the kernel's own maximum. Sums are relative to it, so that they
// do not take on its moments: a maximum off by δ multiplies numerator and
// denominator by e^{−δ}, and their quotient by 1. The rigorous error stays.
func ownMaximum(maximum approx) approx {
	maximum.moments = moments{}
	return maximum
}

// against is the moments of a sum relative to the exact maximum, given the
// kernel's maximum.
func (a approx) against(maximum approx) moments {
	factor := maximum.through(maximum.e, math.Expm1(maximum.e))
	return a.plus(factor.scaled(a.v))
}

// open gives up what is known of the sums.
func (s *runningState) open() {
	s.denom.e = math.Inf(1)
	for i := range s.values {
		s.values[i].e = math.Inf(1)
	}
}

// larger is max(a, b): it moves by no more than either operand does, so that
// its squared error is at most the sum of theirs.
func (k *arithmetic) larger(a, b approx) approx {
	v := math.Max(a.v, b.v)
	if !finite(v) {
		return exactly(v)
	}
	switch { // an operand that cannot be the larger does not count
	case a.v+a.e < b.v-b.e:
		return b
	case b.v+b.e < a.v-a.e:
		return a
	}
	return approx{v, max(a.e, b.e), moments{a.variance + b.variance, max(a.systematic, b.systematic)}}
}

// negativePart is a − max(a, b) = min(0, a − b), which moves by no more than
// a − b does, and is exactly 0 where a is certainly the larger.
func (k *arithmetic) negativePart(a, b approx) approx {
	d := k.sub(a, b)
	if d.v-d.e >= 0 {
		return exactly(0)
	}
	d.v = min(0, d.v)
	return d
}
