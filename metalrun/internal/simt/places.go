package simt

import (
	"cmp"
	"slices"
)

// Placed is how many turns atomics of a threadgroup take at one place of device memory.
type Placed struct {
	Site  int
	At    uint64 // the number of the cache line; of sums that race, that of the address
	Races bool
	Turns int64 // of sums that race, threads
}

// spot is where atomics of a site go.
type spot struct {
	site  int
	at    uint64
	races bool
}

// addressShift is where the number of an object begins in that of an address.
const addressShift = objectShift + lineLog

// places is how many turns atomics of a simdgroup at offsets of an object of device memory take: at each cache line as many as
// there are threads at its busiest address, and where sums race one less in each round, until all have succeeded. What
// threadgroups take at each place is kept.
func (v *view) places(m *machine, object uint64, offsets []int64) (turns int64) {
	var room [Simdgroup]int64
	sorted := append(room[:0], offsets...)
	slices.Sort(sorted)
	w := m.watch
	for first := 0; first < len(sorted); {
		line, busiest := sorted[first]>>lineLog, int64(0)
		for first < len(sorted) && sorted[first]>>lineLog == line {
			end := first + 1
			for end < len(sorted) && sorted[end] == sorted[first] {
				end++
			}
			n := int64(end - first)
			busiest = max(busiest, n)
			if v.races {
				w.places[spot{v.site, object<<addressShift | uint64(sorted[first]), true}] += n
			}
			first = end
		}
		if v.races {
			busiest = busiest * (busiest + 1) / 2
		}
		turns += busiest
		w.places[spot{v.site, object<<objectShift | uint64(line), false}] += busiest
	}
	return turns
}

// crowded is the largest number of threads whose offsets are in one bank of threadgroup memory.
func crowded(offsets []int64) (most int64) {
	var held [banks]int64
	for _, off := range offsets {
		b := &held[off>>2%banks]
		*b++
		most = max(most, *b)
	}
	return most
}

// placed takes out what the threadgroup that is looked at has kept.
func (w *watch) placed() (list []Placed) {
	for at, turns := range w.places {
		list = append(list, Placed{at.site, at.at, at.races, turns})
	}
	clear(w.places)
	slices.SortFunc(list, func(a, b Placed) int { return cmp.Or(a.Site-b.Site, cmp.Compare(a.At, b.At)) })
	return list
}
