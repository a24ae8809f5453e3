package sim

import "metalconform/metalrun/internal/simt"

// crowding is of the atomics of a site: their turns, or the threads whose sums race.
type crowding struct {
	site  int
	races bool
}

// crowds are the parts of the atomics of each site that go to the one place that has the most of them, in the whole launch of so
// many threadgroups. Which place that is says the first half of the sample, and how much goes there the second, which has no
// reason to prefer it. If nothing does, the places of threadgroups are their own.
func crowds(groups []*simt.Sampled, threadgroups int) map[crowding]float64 {
	half := len(groups) / 2
	turns := [2]map[simt.Placed]float64{{}, {}} // of each place, without turns; by half
	all := [2]map[crowding]float64{{}, {}}
	hottest := [2]map[crowding]simt.Placed{{}, {}} // of the first half, and of a threadgroup
	for i, g := range groups {
		later := 0
		if i >= half {
			later = 1
		}
		for _, p := range g.Places {
			of, n := crowding{p.Site, p.Races}, float64(p.Turns)
			if best, ok := hottest[1][of]; !ok || p.Turns > best.Turns {
				hottest[1][of] = p
			}
			p.Turns = 0
			turns[later][p] += n
			all[later][of] += n
			if best, ok := hottest[0][of]; later == 0 && (!ok || turns[0][p] > turns[0][best]) {
				hottest[0][of] = p
			}
		}
	}
	parts := map[crowding]float64{}
	for of, own := range hottest[1] {
		parts[of] = float64(own.Turns) / (all[0][of] + all[1][of])
		switch n := turns[1][hottest[0][of]]; {
		case n > 0:
			parts[of] = n / all[1][of]
		case len(groups) > 1:
			parts[of] *= float64(len(groups)) / float64(threadgroups)
		}
	}
	return parts
}
