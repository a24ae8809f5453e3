package machine

// laneRule is what Metal requires of the lane, mask or delta of a broadcast or a shuffle. If it does not hold, the
// result is unspecified.
type laneRule struct {
	alike bool // it has to be the same in all threads of the group
	// it has to lead to a lane that exists; otherwise a lane without a source keeps its value, or gets the filling one
	within bool
}

// RuleOf is the rule of an operation.
func RuleOf(name string) laneRule {
	switch name {
	case "broadcast_first":
		return laneRule{}
	case "shuffle":
		return laneRule{within: true}
	case "broadcast", "shuffle_xor":
		return laneRule{alike: true, within: true}
	}
	return laneRule{alike: true}
}

// Reasons why a thread gets an unspecified value from another lane.
const (
	LaneInactive = "the value of a lane that is not active"
	laneAbsent   = "the value of a lane that does not exist"
	laneUnlike   = "what is read by a lane, mask or delta that is not the same in all threads"
)

// Unreadable says why the value of lane from of a group of lanes is unspecified; "" if it is specified. unlike says
// that the threads do not ask for the same lane.
func (r laneRule) Unreadable(m *Machine, from, lo, hi, width int, unlike bool) string {
	switch {
	case unlike:
		return laneUnlike
	case from < 0 || from >= width:
		if r.within {
			return laneAbsent
		}
	case lo+from >= hi || m.Mask[lo+from] == 0:
		return LaneInactive
	}
	return ""
}

// Unlike reports whether active lanes of a group break the rule that they ask for the same lane.
func (r laneRule) Unlike(m *Machine, lo, hi int, control func(l int) int) bool {
	if !r.alike {
		return false
	}
	first := m.FirstIn(lo, hi)
	for l := first + 1; l < hi; l++ {
		if m.Mask[l] != 0 && control(l) != control(first) {
			return true
		}
	}
	return false
}
