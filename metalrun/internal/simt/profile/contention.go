package profile

import (
	"slices"

	"metalconform/metalrun/internal/simt/machine"
)

// ContendedAddress is the number of transactions of the atomics of a threadgroup at one address of device memory.
type ContendedAddress struct {
	Site         int
	At           uint64 // the number of the cache line; of racing sums, of the address
	Races        bool
	Transactions int64 // of racing sums, the number of threads
}

// ContendedAddresses are the addresses of atomics, in the order in which they are found.
type ContendedAddresses struct {
	List  []ContendedAddress
	slots []int32 // a hash table: index in List plus 1, or 0. Its size is a power of two; at most half is in use.
}

// Index is the index of an address in the list. A new address has no transactions.
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

// grow doubles the hash table.
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

// take removes and gives all addresses.
func (t *ContendedAddresses) take() (list []ContendedAddress) {
	if len(t.List) == 0 {
		return nil
	}
	list = slices.Clone(t.List)
	t.List = t.List[:0]
	clear(t.slots)
	return list
}

// addressShift is the position of the number of the object in the number of an address.
const addressShift = objectShift + lineLog

// contention is the number of transactions of atomics of a simdgroup at offsets of an object of device memory. A cache
// line takes as many as there are threads at its busiest address. If sums race, one thread succeeds in each round, and
// the others try again. The transactions at each address are added to those of the threadgroup.
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

// contend adds transactions of the threadgroup at an address.
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
