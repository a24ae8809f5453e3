package suite

import (
	"math"
)

// A kernel without a contract is bounded by its own roundings: what exact execution finds that any device may be off
// by is as large as the kernel makes it, so that (v + 1000) − 1000 passes for v. Whether that much had to be lost
// follows from the definition. It is evaluated as a straightforward program would, operation by operation in the format
// of the kernel's intermediates and sums from their first element, k times with errors that are drawn: of each
// operation a whole rounding of its size, up or down, of a function eight, of an addend one for each step. With the
// distances z of these from the definition
//
//	s = √(Σz²/k)
//
// is what such a program loses in an element, whatever cancels in the definition. A sound kernel may sum in another
// order and take other steps, and it rounds to the type of the output:
//
//	allowed = t·s + u·|want|
//
// with the quantile t that sampled errors are judged by (exact_sample.go): t² = 850 times as many roundings as the
// definition has, or errors that are t times as large. A loss is an output whose error in root mean square is larger
// than that of what is allowed: the mean over its elements makes up for those in which the straightforward program
// happens to be exact. How many bits are lost is counted from what such a program and the rounding of the output cost,
// without t.

// leastLoss is how many bits are a loss. Of an output with few elements the straightforward program may have no error
// at all, as in w/w, where w·(1/w) and what follows it have some roundings: three of them come to less than two bits.
const leastLoss = 2

// naively is what a straightforward evaluation loses in each element, by output; nil where that is not asked for.
func (t *CaseRun) naively(p *Problem) map[string][]float64 {
	if !t.lossy || t.exact == nil || !t.Input.Random || t.Kernel.Arithmetic == nil || !t.answers.Plain() {
		return nil
	}
	by := map[string][]float64{}
	for trial := range uint64(samples) {
		q := *p
		q.Trial, q.Arithmetic = trial+1, t.Kernel.Arithmetic
		for name, answer := range t.promised(t.Kernel.Oracle(&q)) {
			if by[name] == nil {
				by[name] = make([]float64, len(answer.Want))
			}
			for i, x := range answer.Want {
				off := x - t.answers[name].Want[i]
				by[name][i] += float64(off * off)
			}
		}
	}
	for _, squares := range by {
		for i, sum := range squares {
			squares[i] = math.Sqrt(sum / samples)
		}
	}
	return by
}

// losses are the outputs that err by more than the definition explains.
func (t *CaseRun) losses(naive map[string][]float64) (list []Loss) {
	for _, b := range t.buffers {
		if b == nil || naive[b.arg.Name] == nil {
			continue
		}
		if l, lost := t.loss(b, naive[b.arg.Name]); lost {
			list = append(list, l)
		}
	}
	return list
}

// loss compares an output with what a straightforward evaluation loses.
func (t *CaseRun) loss(b *buffer, naive []float64) (l Loss, lost bool) {
	answer, format := t.answers[b.arg.Name], *t.Kernel.Arithmetic
	own, float := b.arg.Type.Format()
	known := t.exacts.of(b, answer)
	if !float || known == nil || !answer.Plain || answer.Stored != nil {
		return l, false
	}
	l = Loss{Output: b.arg.Name, Format: format.String()}
	var allowed, largest float64
	for i, want := range answer.Want {
		got := b.value(i)
		if b.leaves(i) || answer.Free(i) || !isFinite(got) || !isFinite(want) || !isFinite(naive[i]) ||
			known.values[i].open() || math.IsInf(known.bound(i), 0) {
			continue
		}
		// subnormals may be flushed
		rounded := math.Max(own.UnitRoundoff()*math.Abs(want), own.SmallestSubnormal()/own.UnitRoundoff())
		off := math.Abs(got - want)
		l.Elements++
		most := float64(sampleQuantile*naive[i]) + rounded
		l.Error += float64(off * off)
		l.Naive += float64(naive[i]*naive[i]) + float64(rounded*rounded)
		if allowed += float64(most * most); off > largest {
			largest, l.Got, l.Want, l.Worst = off, got, want, Element{Arg: b.arg.Name, Index: b.arg.index(t.Shape, i)}
		}
	}
	if l.Error > allowed {
		n := float64(l.Elements)
		l.Error, l.Naive = math.Sqrt(l.Error/n), math.Sqrt(l.Naive/n)
		l.Error, l.Naive, l.Bits = Figure(l.Error), Figure(l.Naive), Figure(math.Log2(l.Error/l.Naive))
		lost = l.Bits >= leastLoss
		l.Narrow = lost && t.narrows()
	}
	return l, lost
}
