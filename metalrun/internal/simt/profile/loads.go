package profile

import "math/bits"

// Loads are how many instructions of simdgroups threadgroups take.
type Loads struct {
	Threadgroups, All, Longest int64
	squares                    [2]uint64 // their sum: the upper half and the lower, which no order of sums rounds
}

// add takes in a threadgroup of so many instructions.
func (s *Loads) add(n int64) {
	high, low := bits.Mul64(uint64(n), uint64(n))
	s.join(&Loads{1, n, n, [2]uint64{high, low}})
}

// join takes in other threadgroups.
func (s *Loads) join(o *Loads) {
	s.Threadgroups, s.All, s.Longest = s.Threadgroups+o.Threadgroups, s.All+o.All, max(s.Longest, o.Longest)
	var carry uint64
	s.squares[1], carry = bits.Add64(s.squares[1], o.squares[1], 0)
	s.squares[0], _ = bits.Add64(s.squares[0], o.squares[0], carry)
}

// Uneven is how many times as many instructions as the mean of threadgroups the longest takes, and the one that the
// mean instruction is in; 1 if there are none.
func (s *Loads) Uneven() (longest, typical float64) {
	if s.All == 0 {
		return 1, 1
	}
	mean := float64(s.All) / float64(s.Threadgroups)
	squares := float64(float64(s.squares[0])*(1<<32)*(1<<32)) + float64(s.squares[1])
	return float64(s.Longest) / mean, squares / float64(s.All) / mean
}
