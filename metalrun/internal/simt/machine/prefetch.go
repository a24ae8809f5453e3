package machine

import "unsafe"

// A processor foresees what a loop reads next if that lies close by: its own foresight ends with each page of memory. A
// machine foresees where an access strides further, as over the tokens of one head.

// pageBytes is the size of the smallest pages.
const pageBytes = 4096

// pace is where an access began last, and how far that was from where it had begun before.
type pace struct{ at, by uintptr }

// Foresee brings near what an access of a run is about to access next if it keeps its pace.
func (m *Machine) Foresee(pace int, run []uint32) {
	if !m.P.Does(PassPrefetch) {
		return
	}
	s, at := &m.paces[pace], uintptr(unsafe.Pointer(unsafe.SliceData(run)))
	by := at - s.at
	if near := by+pageBytes <= 2*pageBytes; by == s.by && !near {
		m.P.Table.Fetch(at+by, 4*len(run))
	}
	s.at, s.by = at, by
}
