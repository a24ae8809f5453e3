package sim

import "metalconform/metalrun/internal/simt"

// hotShares are the parts of the atomics of each site that go to the one place that has the most of them, in the whole
// launch: of their turns, and of the threads whose sums race.
type hotShares [][2]float64

// of is the part of turns, or of threads; 0 if no threadgroup was looked at.
func (c hotShares) of(site int, races bool) float64 {
	if site >= len(c) {
		return 0
	}
	return c[site][kind(races)]
}

func kind(races bool) int {
	if races {
		return 1
	}
	return 0
}

// newCrowds finds them in sampled threadgroups of so many, with so many sites. Which place has the most says the first
// half of the sample, and how much goes there the second, which has no reason to prefer it. If nothing does, the places
// of threadgroups are their own.
func newCrowds(groups []*simt.Sampled, threadgroups, sites int) hotShares {
	var places simt.ContendedAddresses
	var transactions [][2]float64 // at each place, by half
	parts, all, own := make(hotShares, sites), make([][2][2]float64, sites), make(hotShares, sites)
	for i, g := range groups {
		later := kind(i >= len(groups)/2)
		for _, p := range g.Contended {
			at, of, n := places.Index(p.Site, p.At, p.Races), kind(p.Races), float64(p.Transactions)
			if at == len(transactions) {
				transactions = append(transactions, [2]float64{})
			}
			transactions[at][later] += n
			all[p.Site][of][later] += n
			own[p.Site][of] = max(own[p.Site][of], n)
		}
	}
	hottest := make([][2]int, sites) // numbers of places, and 1
	for at, p := range places.List {
		of := kind(p.Races)
		best := &hottest[p.Site][of]
		if n := transactions[at][0]; n > 0 && (*best == 0 || n > transactions[*best-1][0]) {
			*best = at + 1
		}
		parts[p.Site][of] = own[p.Site][of] / (all[p.Site][of][0] + all[p.Site][of][1])
		if len(groups) > 1 {
			parts[p.Site][of] *= float64(len(groups)) / float64(threadgroups)
		}
	}
	for site := range hottest {
		for of, at := range hottest[site] {
			if at > 0 && transactions[at-1][1] > 0 {
				parts[site][of] = transactions[at-1][1] / all[site][of][1]
			}
		}
	}
	return parts
}
