package profile

import "math/bits"

// Loads counts the instructions of simdgroups that each threadgroup executed.
type Loads struct {
	Threadgroups, All, Longest int64
	squares                    [2]uint64 // sum of squares, upper and lower half: exact in any order of summation
}

// add adds a threadgroup of so many instructions.
func (s *Loads) add(n int64) {
	high, low := bits.Mul64(uint64(n), uint64(n))
	s.join(&Loads{1, n, n, [2]uint64{high, low}})
}

// join adds other threadgroups.
func (s *Loads) join(o *Loads) {
	s.Threadgroups, s.All, s.Longest = s.Threadgroups+o.Threadgroups, s.All+o.All, max(s.Longest, o.Longest)
	var carry uint64
	s.squares[1], carry = bits.Add64(s.squares[1], o.squares[1], 0)
	s.squares[0], _ = bits.Add64(s.squares[0], o.squares[0], carry)
}

// Uneven gives the instructions of the longest threadgroup as a multiple of the mean, and those of the threadgroup of a
// random instruction; 1 if there are no instructions.
func (s *Loads) Uneven() (longest, typical float64) {
	if s.All == 0 {
		return 1, 1
	}
	mean := float64(s.All) / float64(s.Threadgroups)
	squares := float64(float64(s.squares[0])*(1<<32)*(1<<32)) + float64(s.squares[1])
	return float64(s.Longest) / mean, squares / float64(s.All) / mean
}
