package oracles

import (
	"fmt"
	"strings"
)

// scheduleForms is what [ParseSchedule] takes, for messages.
const scheduleForms = `"any order", "sequential", "sequential by 8", or lanes such as "256 lanes", "256 lanes by blocks of 4", ` +
	`"64 lanes, 2 at a time", "64 lanes, simdgroups of 16", "64 lanes, without simdgroups", "64 lanes, then a tree"`

// ParseSchedule is the inverse of [Schedule.String].
func ParseSchedule(text string) (Schedule, error) {
	var s Schedule
	for clause := range strings.SplitSeq(text, ", ") {
		var n, block int
		switch {
		case clause == "any order":
			s = AnyOrder()
		case scanned(clause, "sequential by %d", &n):
			s.Tile = n
		case scanned(clause, "%d lanes by blocks of %d", &n, &block):
			s = Strided(n, block)
		case scanned(clause, "%d lanes", &n):
			s = Strided(n, 1)
		case scanned(clause, "%d at a time", &n):
			s.Tile = n
		case scanned(clause, "simdgroups of %d", &n):
			s.Simd = n
		case clause == "without simdgroups":
			s.Simd = 1
		case clause == "then a tree":
			s.Simd, s.Tree = 0, true
		}
	}
	// What was taken for more or less than it says does not read the same.
	if s.String() != text {
		return Schedule{}, fmt.Errorf("%q is no order of a sum: want %s", text, scheduleForms)
	}
	return s, nil
}

// scanned reads the numbers of a clause that begins with a form.
func scanned(clause, form string, into ...any) bool {
	n, err := fmt.Sscanf(clause, form, into...)
	return err == nil && n == len(into)
}
