package suite

import "sync"

// scratches are slices that held the numbers of a buffer while it was filled.
var scratches sync.Pool // of *[]float64

// mostKept is the room of a slice that is kept for other buffers: more would be held for long after it was needed.
const mostKept = 1 << 22

// giveBack hands it back.
func giveBack(s *[]float64) {
	if cap(*s) <= mostKept {
		scratches.Put(s)
	}
}

// scratch is room for n numbers, all 0, until it is handed back.
func scratch(n int) *[]float64 {
	s, ok := scratches.Get().(*[]float64)
	if !ok || cap(*s) < n {
		return new(make([]float64, n))
	}
	*s = (*s)[:n]
	clear(*s)
	return s
}
