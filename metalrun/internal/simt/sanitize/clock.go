package sanitize

import (
	"sort"

	"metalconform/metalrun/internal/simt/machine"
)

// Clock counts moments of a launch, from 1: a threadgroup begins at one of its own, and each barrier is one. What is
// known of an access is the moment after which it was made, and barriers order it if that was before them.
type Clock struct {
	Now   uint32
	group uint32                                            // at which the threadgroup began
	epoch [2]uint32                                         // by memory: of its last barrier that orders it, or group
	turn  [2][machine.MaxThreads / machine.Simdgroup]uint32 // of such barriers of a simdgroup, or less than group
	Begun []stretch
}

// stretch is threadgroups that began one moment after the other, but for the barriers of the last.
type stretch struct {
	moment      uint32 // at which the first began
	first, last int    // their numbers
}

// lastMoment leaves enough for the barriers of a threadgroup.
const LastMoment = 3 << 30

// begin starts the clock of a threadgroup, which has a number.
func (c *Clock) begin(number int) {
	c.Now++
	c.group, c.epoch = c.Now, [2]uint32{c.Now, c.Now}
	if n := len(c.Begun); n > 0 {
		if last := &c.Begun[n-1]; number == last.last+1 && uint32(number-last.first) == c.Now-last.moment {
			last.last = number
			return
		}
	}
	c.Begun = append(c.Begun, stretch{c.Now, number, number})
}

// number is that of the threadgroup which made an access in this launch.
func (c *Clock) number(r *record) int {
	after := sort.Search(len(c.Begun), func(i int) bool { return c.Begun[i].moment > r.when })
	s := &c.Begun[after-1]
	return min(s.first+int(r.when-s.moment), s.last)
}

// ordered reports whether an access is ordered before what a lane does now.
func (c *Clock) ordered(r *record, s memoryScope, lane int) bool {
	switch {
	case r.when < c.group:
		return s == ThreadgroupMemory || !r.made() // threadgroup memory is new to each threadgroup
	case r.when < c.epoch[s] || r.thread() == lane:
		return true
	}
	return r.thread()/machine.Simdgroup == lane/machine.Simdgroup && r.when < c.turn[s][lane/machine.Simdgroup]
}

// open reports whether an access is ordered before no other thread's.
func (c *Clock) open(r *record, s memoryScope) bool {
	return r.made() && (r.when < c.group && s == deviceMemory || r.when >= c.epoch[s])
}
