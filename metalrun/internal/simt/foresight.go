package simt

import "unsafe"

// A processor foresees what a loop reads next if that lies close by: its own foresight ends with each page of memory. A
// machine foresees where an access strides further, as over the tokens of one head.

// pageBytes is the size of the smallest pages.
const pageBytes = 4096

// pace is where an access began last, and how far that was from where it had begun before.
type pace struct{ at, by uintptr }

// pace gives an access of a run the number of its pace.
func (c *compiler) pace() int {
	c.p.paces++
	return c.p.paces - 1
}

// foresee brings near what an access of a run is about to access next if it keeps its pace.
func (m *machine) foresee(pace int, run []uint32) {
	if !m.p.does(passPrefetch) {
		return
	}
	s, at := &m.paces[pace], uintptr(unsafe.Pointer(unsafe.SliceData(run)))
	by := at - s.at
	if near := by+pageBytes <= 2*pageBytes; by == s.by && !near {
		m.p.table.Fetch(at+by, 4*len(run))
	}
	s.at, s.by = at, by
}
