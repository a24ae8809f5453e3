package simt

import "sort"

// clock counts moments of a launch, from 1: a threadgroup begins at one of its own, and each barrier is one. What is known of
// an access is the moment after which it was made, and barriers order it if that was before them.
type clock struct {
	now   uint32
	group uint32                            // at which the threadgroup began
	epoch [2]uint32                         // by memory: of its last barrier that orders it, or group
	turn  [2][MaxThreads / Simdgroup]uint32 // of such barriers of a simdgroup, or less than group
	begun []stretch
}

// stretch is threadgroups that began one moment after the other, but for the barriers of the last.
type stretch struct {
	moment      uint32 // at which the first began
	first, last int    // their numbers
}

// lastMoment leaves enough for the barriers of a threadgroup.
const lastMoment = 3 << 30

// begin starts the clock of a threadgroup, which has a number.
func (c *clock) begin(number int) {
	c.now++
	c.group, c.epoch = c.now, [2]uint32{c.now, c.now}
	if n := len(c.begun); n > 0 {
		if last := &c.begun[n-1]; number == last.last+1 && uint32(number-last.first) == c.now-last.moment {
			last.last = number
			return
		}
	}
	c.begun = append(c.begun, stretch{c.now, number, number})
}

// number is that of the threadgroup which made an access in this launch.
func (c *clock) number(r *record) int {
	after := sort.Search(len(c.begun), func(i int) bool { return c.begun[i].moment > r.when })
	s := &c.begun[after-1]
	return min(s.first+int(r.when-s.moment), s.last)
}

// ordered reports whether an access is ordered before what a lane does now.
func (c *clock) ordered(r *record, s memoryScope, lane int) bool {
	switch {
	case r.when < c.group:
		return s == threadgroupMemory || !r.made() // threadgroup memory is new to each threadgroup
	case r.when < c.epoch[s] || r.thread() == lane:
		return true
	}
	return r.thread()/Simdgroup == lane/Simdgroup && r.when < c.turn[s][lane/Simdgroup]
}

// open reports whether an access is ordered before no other thread's.
func (c *clock) open(r *record, s memoryScope) bool {
	return r.made() && (r.when < c.group && s == deviceMemory || r.when >= c.epoch[s])
}
