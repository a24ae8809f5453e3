package profile

import (
	"slices"

	"metalconform/metalrun/internal/simt/machine"
)

// ContendedAddress is how many turns atomics of a threadgroup take at one place of device memory.
type ContendedAddress struct {
	Site         int
	At           uint64 // the number of the cache line; of sums that race, that of the address
	Races        bool
	Transactions int64 // of sums that race, threads
}

// ContendedAddresses are those that atomics go to, in the order in which they are found.
type ContendedAddresses struct {
	List  []ContendedAddress
	slots []int32 // numbers in the list, and 1, by hash; 0: none. A power of two, of which at most half are taken.
}

// Index is the number of a place, which takes no turns if it is new.
func (t *ContendedAddresses) Index(site int, at uint64, races bool) int {
	if 2*len(t.List) >= len(t.slots) {
		t.grow()
	}
	for i := hashAddress(site, at); ; i++ {
		slot := &t.slots[i&uint64(len(t.slots)-1)]
		if *slot == 0 {
			t.List = append(t.List, ContendedAddress{Site: site, At: at, Races: races})
			*slot = int32(len(t.List))
			return len(t.List) - 1
		}
		if p := &t.List[*slot-1]; p.At == at && p.Site == site && p.Races == races {
			return int(*slot - 1)
		}
	}
}

func hashAddress(site int, at uint64) uint64 {
	return (at + uint64(site)<<56) * 0x9e3779b97f4a7c15 >> 32
}

// grow makes room for twice as many.
func (t *ContendedAddresses) grow() {
	t.slots = make([]int32, max(64, 2*len(t.slots)))
	for n, p := range t.List {
		i := hashAddress(p.Site, p.At)
		for t.slots[i&uint64(len(t.slots)-1)] != 0 {
			i++
		}
		t.slots[i&uint64(len(t.slots)-1)] = int32(n + 1)
	}
}

// take takes out all places.
func (t *ContendedAddresses) take() (list []ContendedAddress) {
	if len(t.List) == 0 {
		return nil
	}
	list = slices.Clone(t.List)
	t.List = t.List[:0]
	clear(t.slots)
	return list
}

// addressShift is where the number of an object begins in that of an address.
const addressShift = objectShift + lineLog

// contention is how many turns atomics of a simdgroup at offsets of an object of device memory take: at each cache line
// as many as there are threads at its busiest address, and where sums race one less in each round, until all have
// succeeded. What threadgroups take at each place is kept.
func (v *view) contention(m *machine.Machine, object uint64, offsets []int64) (transactions int64) {
	var room [machine.Simdgroup]int64
	sorted := append(room[:0], offsets...)
	slices.Sort(sorted)
	w := samplerOf(m)
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
				w.contend(v.site, object<<addressShift|uint64(sorted[first]), true, n)
			}
			first = end
		}
		if v.races {
			busiest = busiest * (busiest + 1) / 2
		}
		transactions += busiest
		w.contend(v.site, object<<objectShift|uint64(line), false, busiest)
	}
	return transactions
}

// contend keeps that a threadgroup takes more turns at a place.
func (w *sampler) contend(site int, at uint64, races bool, n int64) {
	w.contended.List[w.contended.Index(site, at, races)].Transactions += n
}

// bankConflicts is the largest number of threads whose offsets are in one bank of threadgroup memory.
func bankConflicts(offsets []int64) (most int64) {
	var held [banks]int64
	for _, off := range offsets {
		b := &held[off>>2%banks]
		*b++
		most = max(most, *b)
	}
	return most
}
