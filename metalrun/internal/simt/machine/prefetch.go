package machine

import "unsafe"

// The prefetcher of a processor does not cross the end of a page. A machine prefetches for accesses with a larger
// stride, such as those over the tokens of one head.

// pageBytes is the size of the smallest pages.
const pageBytes = 4096

// stridePredictor is the address where an access began last, and the distance from where it had begun before.
type stridePredictor struct{ last, stride uintptr }

// Prefetch fetches what a run will access next if it keeps its stride.
func (m *Machine) Prefetch(predictor int, run []uint32) {
	if !m.P.Does(PassPrefetch) {
		return
	}
	s, at := &m.predictors[predictor], uintptr(unsafe.Pointer(unsafe.SliceData(run)))
	by := at - s.last
	if near := by+pageBytes <= 2*pageBytes; by == s.stride && !near {
		m.P.Table.Fetch(at+by, 4*len(run))
	}
	s.last, s.stride = at, by
}
