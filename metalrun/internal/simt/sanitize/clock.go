package sanitize

import (
	"sort"

	"metalconform/metalrun/internal/simt/machine"
)

// Clock counts the moments of a launch from 1: the beginning of each threadgroup is a moment, and so is each barrier. A
// record has the last moment before its access. A barrier orders the access if that moment is before the barrier.
type Clock struct {
	Now   uint32
	group uint32 // when the threadgroup began
	// by memory: the last barrier of the threadgroup that orders the memory, or group
	epoch [2]uint32
	// by memory and simdgroup: the last such barrier of the simdgroup, or less than group
	simdgroupEpoch [2][machine.MaxThreads / machine.Simdgroup]uint32
	Ranges         []epochRange
}

// epochRange is a run of threadgroups that began at consecutive moments. Only the last of them may have had barriers.
type epochRange struct {
	moment      uint32 // when the first began
	first, last int    // numbers of the threadgroups
}

// LastMoment is the last moment at which a threadgroup may begin: its barriers have room for 2³⁰ more.
const LastMoment = 3 << 30

// begin starts the clock of a threadgroup, which has a number.
func (c *Clock) begin(number int) {
	c.Now++
	c.group, c.epoch = c.Now, [2]uint32{c.Now, c.Now}
	if n := len(c.Ranges); n > 0 {
		if last := &c.Ranges[n-1]; number == last.last+1 && uint32(number-last.first) == c.Now-last.moment {
			last.last = number
			return
		}
	}
	c.Ranges = append(c.Ranges, epochRange{c.Now, number, number})
}

// number is the number of the threadgroup that made an access in this launch.
func (c *Clock) number(r *record) int {
	after := sort.Search(len(c.Ranges), func(i int) bool { return c.Ranges[i].moment > r.when })
	s := &c.Ranges[after-1]
	return min(s.first+int(r.when-s.moment), s.last)
}

// ordered reports whether an access happens before what a lane does now.
func (c *Clock) ordered(r *record, s memoryScope, lane int) bool {
	switch {
	case r.when < c.group:
		return s == ThreadgroupMemory || !r.made() // threadgroup memory is new to each threadgroup
	case r.when < c.epoch[s] || r.thread() == lane:
		return true
	}
	g := lane / machine.Simdgroup
	return r.thread()/machine.Simdgroup == g && r.when < c.simdgroupEpoch[s][g]
}

// open reports whether an access does not yet happen before any access of another thread.
func (c *Clock) open(r *record, s memoryScope) bool {
	return r.made() && (r.when < c.group && s == deviceMemory || r.when >= c.epoch[s])
}
