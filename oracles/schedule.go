package oracles

import (
	"fmt"
	"strings"
)

// Schedule is the order in which a kernel adds n terms.
//
// Term i goes to the partial sum of lane (i / Block) mod Lanes; a lane adds its
// terms by ascending index, Tile of them at a time in an order left open. The
// lanes' sums are then added in an order left open: first within groups of
// Simd lanes, then the groups; with Tree, in a balanced tree of pairs of any
// kind. Zero counts as one everywhere, so that the zero value is a plain
// sequential sum.
//
// The order of simd_sum and the inside of a simdgroup_matrix product are left
// open because Metal leaves them open.
type Schedule struct {
	Lanes int  // partial sums
	Block int  // consecutive terms that a lane takes at a time
	Simd  int  // lanes added together by one simdgroup reduction
	Tile  int  // terms added to a partial sum together, in any order
	Tree  bool // lanes added two by two until one is left
}

// Sequential is one running sum in ascending order.
func Sequential() Schedule { return Schedule{} }

// AnyOrder leaves the whole order open: valid for every kernel, and loose.
func AnyOrder() Schedule { return Schedule{Tile: everything} }

// Strided is a sum over lanes of one threadgroup: lane l adds the blocks l,
// l + lanes, …; simdgroups of 32 reduce, then the simdgroups' sums are added.
func Strided(lanes, block int) Schedule {
	return Schedule{Lanes: lanes, Block: block, Simd: 32}
}

// Halved is a sum over lanes of one threadgroup: lane l adds the terms l,
// l + lanes, …; then each level of a tree halves the number of sums.
func Halved(lanes int) Schedule { return Schedule{Lanes: lanes, Tree: true} }

// MatrixTiles is a run of 8×8 simdgroup_matrix products: each adds eight terms to
// the accumulator.
func MatrixTiles() Schedule { return Schedule{Tile: 8} }

const everything = 1 << 40

func (s Schedule) String() string {
	switch {
	case s.Tile == everything:
		return "any order"
	case s.Lanes <= 1 && s.Tile <= 1:
		return "sequential"
	case s.Lanes <= 1:
		return fmt.Sprintf("sequential by %d", s.Tile)
	}
	t := fmt.Sprintf("%d lanes", s.Lanes)
	if s.Block > 1 {
		t += fmt.Sprintf(" by blocks of %d", s.Block)
	}
	if s.Tile > 1 {
		t += fmt.Sprintf(", %d at a time", s.Tile)
	}
	switch {
	case s.Tree:
		t += ", then a tree"
	case s.Simd <= 1:
		t += ", without simdgroups"
	case s.Simd != 32:
		t += fmt.Sprintf(", simdgroups of %d", s.Simd)
	}
	return t
}

// scheduleForms is what [ParseSchedule] takes, for messages.
const scheduleForms = `"any order", "sequential", "sequential by 8", or lanes such as "256 lanes", "256 lanes by ` +
	`blocks of 4", ` +
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
	// A text that was misread prints differently.
	if s.String() != text {
		return Schedule{}, fmt.Errorf("%q is not an order of summation: want %s", text, scheduleForms)
	}
	return s, nil
}

// scanned reads the numbers of a clause that begins with a form.
func scanned(clause, form string, into ...any) bool {
	n, err := fmt.Sscanf(clause, form, into...)
	return err == nil && n == len(into)
}

// order is a sum as an oracle forms it: what the oracle calls it, and the order
// of its terms.
type order struct {
	name string
	Schedule
}

// order is the sum called name, as the contract declares it.
func (c Contract) order(name string) order {
	if c.Tracer != nil {
		c.Tracer.asked[name] = true
	}
	return order{name, c.Sum(name)}
}

// inAnyOrder is a sum that no contract declares.
func inAnyOrder(name string) order { return order{name, AnyOrder()} }
