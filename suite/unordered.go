package suite

import (
	"cmp"
	"slices"
)

// orders are, by argument index, where the answer for each element of an output lies that
// belongs to an unordered set: a permutation within each row. nil is none.
type orders [][]int

// orders holds what the outputs of unordered sets contain against the answers: both are
// sorted, and equal ranks belong together.
func (t *CaseRun) orders() orders {
	sets := map[string][]int{} // arguments by set
	for i, a := range t.Kernel.Args {
		if a.Writable() && a.Unordered != "" {
			sets[a.Unordered] = append(sets[a.Unordered], i)
		}
	}
	if len(sets) == 0 {
		return nil
	}
	p := make(orders, len(t.Kernel.Args))
	for _, members := range sets {
		// Integers tell elements apart without rounding.
		slices.SortStableFunc(members, func(i, j int) int { return cmp.Compare(t.integral(j), t.integral(i)) })
		order := t.placeSet(members)
		for _, i := range members {
			p[i] = order
		}
	}
	return p
}

func (t *CaseRun) integral(arg int) int {
	if _, float := t.Kernel.Args[arg].Type.Format(); float {
		return 0
	}
	return 1
}

// placeSet does so for the outputs of one set, which have one shape.
func (t *CaseRun) placeSet(members []int) []int {
	first := t.buffers[members[0]]
	answer := t.answers[first.arg.Name]
	order := make([]int, first.count())
	width := max((&output{buffer: first, shape: t.Shape}).rowWidth(), 1)
	for begin := 0; begin < len(order); begin += width {
		var got, want []int
		for i := begin; i < min(begin+width, len(order)); i++ {
			order[i] = i
			if !answer.Free(i) {
				got, want = append(got, i), append(want, i)
			}
		}
		by := func(value func(arg, i int) float64) func(i, j int) int {
			return func(i, j int) int {
				for _, m := range members {
					if c := cmp.Compare(value(m, i), value(m, j)); c != 0 {
						return c
					}
				}
				return 0
			}
		}
		slices.SortStableFunc(got, by(func(arg, i int) float64 { return t.buffers[arg].value(i) }))
		slices.SortStableFunc(want, by(func(arg, i int) float64 { return t.answers[t.buffers[arg].arg.Name].Want[i] }))
		for rank, i := range got {
			order[i] = want[rank]
		}
	}
	return order
}

// arrange brings the answers, and what exact execution knows, into the order in which a run has
// left the elements of unordered sets.
func (t *CaseRun) arrange() {
	p := t.orders()
	if p == nil {
		return
	}
	answers := Answers{}
	for name, a := range t.answers {
		answers[name] = a
	}
	exact := t.exacts
	if exact != nil {
		own := *exact
		own.values = map[*buffer][]exactValue{}
		for b, values := range exact.values {
			own.values[b] = values
		}
		exact = &own
	}
	for i, order := range p {
		if order == nil {
			continue
		}
		b := t.buffers[i]
		answers[b.arg.Name] = answers[b.arg.Name].Permuted(order)
		if exact != nil && exact.values[b] != nil {
			exact.values[b] = pick(exact.values[b], order)
		}
	}
	t.answers, t.exacts = answers, exact
}

// back is the exact values of a run in the order of the answers.
func (p orders) back(arg int, values []exactValue) []exactValue {
	if p == nil || p[arg] == nil {
		return values
	}
	r := make([]exactValue, len(values))
	for i, at := range p[arg] {
		r[at] = values[i]
	}
	return r
}

func pick[T any](list []T, at []int) []T {
	r := make([]T, len(at))
	for i, j := range at {
		r[i] = list[j]
	}
	return r
}
