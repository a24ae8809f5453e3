package oracles

import "math"

// holding is what one slot of a router may hold: one choice for certain, or any whose
// weight lies between two numbers.
type holding struct {
	least, most float64
	one         slot
	certain     bool
}

func held(x slot) holding {
	return holding{x.weight.v - x.weight.e, x.weight.v + x.weight.e, x, true}
}

// or is what a slot may hold that holds one or the other.
func (h holding) or(other holding) holding {
	h.certain = h.certain && other.certain && h.one == other.one
	h.least, h.most = min(h.least, other.least), max(h.most, other.most)
	return h
}

// possible goes on with a choice that has too many outcomes to follow each, from expert
// first on, and follows what each slot may hold instead, whatever the others do. It gives
// the exact outcome, and one with a NaN in each slot that may hold something else.
func possible(logits []float64, p []approx, outcomes [][]slot, first int) [][]slot {
	exact := outcomes[0]
	slots := make([]holding, len(exact))
	for s := range slots {
		slots[s] = held(exact[s])
		for _, o := range outcomes[1:] {
			slots[s] = slots[s].or(held(o[s]))
		}
	}
	for e := first; e < len(p); e++ {
		exact = take(logits, p, exact, e)[0]
		slots = offer(logits, slots, slot{e, e, p[e]})
	}
	doubt := make([]slot, len(exact))
	for s := range doubt {
		if doubt[s] = exact[s]; !slots[s].certain {
			doubt[s] = slot{-1, -1, exactly(math.NaN())}
		}
	}
	return [][]slot{exact, doubt}
}

// offer is what the slots may hold after an expert was offered to them. A slot holds the
// expert for certain if it was the smallest for certain, and the expert above it.
func offer(logits []float64, slots []holding, mine slot) []holding {
	after := make([]holding, len(slots))
	x := held(mine)
	for s, h := range slots {
		least, most := math.Inf(1), math.Inf(1) // of what the smallest of the others may weigh
		for t, other := range slots {
			if t != s {
				least, most = min(least, other.least), min(most, other.most)
			}
		}
		same := h.certain && h.one.expert >= 0 && logits[h.one.expert] == logits[mine.expert]
		switch {
		case x.least > h.most && h.most < least:
			after[s] = x
		case x.most >= h.least && h.least <= most && !same:
			after[s] = h.or(x)
		default:
			after[s] = h
		}
	}
	return after
}
