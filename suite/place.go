package suite

import (
	"fmt"
	"math/bits"
	"strings"
)

// simdgroup is the number of its lanes.
const simdgroup = 32

// everyElement is the place of all.
const everyElement = "every element"

// places notes which elements of an output fail, in ascending order, as far as it takes to
// say where they lie: in rows along the last axis, and in simdgroups of threads that each
// write one element.
type places struct {
	count, rows int // of elements and of rows with one
	last        int // row
	left, right int // columns
	lanes       uint32
}

// note takes the next element that fails. Rows have width elements.
func (p *places) note(i, width int) {
	row, column := i/width, i%width
	if p.count == 0 {
		p.left, p.right, p.last = column, column, -1
	}
	if row != p.last {
		p.rows, p.last = p.rows+1, row
	}
	p.left, p.right = min(p.left, column), max(p.right, column)
	p.lanes |= 1 << (i % simdgroup)
	p.count++
}

// in says where they lie among n elements, in words that fit buffers of any size; "" if
// there is nothing to say.
func (p *places) in(n, width int) string {
	all := n / width
	of := map[bool]string{true: " of every row", false: " of some rows"}[p.rows == all]
	if all == 1 {
		of = ""
	}
	text := ""
	switch {
	case p.count == n:
		return everyElement
	case p.count == 1 && p.last == all-1 && p.right == width-1:
		return "the last element"
	case p.count == 1 && p.last == 0 && p.left == 0:
		return "the first element"
	case all > 1 && p.rows == 1 && p.last == all-1 && p.count > 1:
		return "in the last row"
	case p.left == p.right && p.left == width-1:
		text = "the last element" + of
	case p.left == p.right && p.left == 0:
		text = "the first element" + of
	case p.count > 1 && bits.OnesCount32(p.lanes) == 1:
		return fmt.Sprintf("lane %d", bits.TrailingZeros32(p.lanes))
	case p.count > 1 && p.left > 0 && p.count == p.rows*(width-p.left):
		text = "the tail" + of
	}
	return strings.TrimSpace(text)
}

// Kind is the same for failures of a kernel that are one to its author: by the same checks,
// each at the same place of an output or of the source, whatever the values.
func (r Result) Kind() string {
	if r.Status == Error || len(r.Failures) == 0 {
		return r.Text()
	}
	var b strings.Builder
	for _, f := range r.Failures {
		fmt.Fprintf(&b, "%s %s %s %s %d\n", f.Stage, f.Check, f.Arg, f.Place, f.Adversary)
		switch {
		case f.At != nil:
			fmt.Fprintln(&b, f.At.Position)
			if f.Other != nil {
				fmt.Fprintln(&b, f.Other.Position)
			}
		case f.Arg == "":
			fmt.Fprintln(&b, f.Text)
		}
	}
	return b.String()
}
