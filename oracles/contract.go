package oracles

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Contract is what a kernel promises about its arithmetic. The zero value is
// an f32 kernel that uses precise functions, may flush subnormals, computes
// token by token, and leaves the order of every sum open.
type Contract struct {
	Format     Format              // of the arithmetic and of every accumulator
	Functions  Functions           // class of exp, rsqrt, log and division
	Subnormals Subnormals          // whether an operation may treat subnormals as zero
	Sums       map[string]Schedule // order of a sum, by the name that its oracle gives it; AnyOrder if missing
	Chunk      int                 // tokens per chunk of a chunkwise recurrence; 0: token by token

	Watch *Watch // what follows the sums that the oracle forms; nil for nothing
}

// Sum is the declared order of the sum called name.
func (c Contract) Sum(name string) Schedule {
	if s, ok := c.Sums[name]; ok {
		return s
	}
	return AnyOrder()
}

// String states the contract in one line, for reports.
func (c Contract) String() string {
	parts := []string{c.Format.String(), c.Functions.String() + " functions", c.Subnormals.String()}
	for _, name := range slices.Sorted(maps.Keys(c.Sums)) {
		parts = append(parts, fmt.Sprintf("%s: %s", name, c.Sums[name]))
	}
	if c.Chunk > 0 {
		parts = append(parts, fmt.Sprintf("chunks of %d", c.Chunk))
	}
	return strings.Join(parts, ", ")
}

// Subnormals says what a kernel's operations may do with subnormal numbers.
type Subnormals uint8

const (
	MayFlush Subnormals = iota // as inputs and as results they may count as zero
	Kept                       // gradual underflow
)

func (s Subnormals) String() string {
	return [...]string{"subnormals may be flushed", "subnormals kept"}[s]
}

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

// MatrixTiles is a chain of 8×8 simdgroup_matrix products: each adds eight
// terms to the accumulator.
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
