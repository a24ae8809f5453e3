package scaffold

import (
	"encoding/binary"
	"regexp"
	"slices"
)

// offsets are integers that rise: where parts of other buffers begin, and mostly where the last of them ends.
type offsets struct {
	parts int // the axis that says how many there are
	more  int // how many more offsets there are, 0 or 1
	end   int // the axis that is as long as all of them
}

// offsetsName are names of such buffers.
var offsetsName = regexp.MustCompile(`(?i)(offset|starts?$|begins?$|indptr|row_?ptr|cu_?seq|splits$)`)

// allName are names of the length of all parts together.
var allName = regexp.MustCompile(`(?i)(total|nnz|tokens)`)

// totalAxis is the axis of all parts together, if the source has none, and totalBase its length.
const (
	totalAxis = "total"
	totalBase = 23
)

// places are what such a buffer holds: parts of about the same length, or of one element as long as nothing is known
// of them.
func (t *trial) places(a argument) []byte {
	size := 4
	if a.elements == "u64" || a.elements == "i64" {
		size = 8
	}
	b := make([]byte, spare)
	for i := range spare / size {
		n := min(i, longBase)
		if o := a.offsets; o != nil {
			n = min(i, t.axes[o.parts].base) * t.axes[o.end].base / t.axes[o.parts].base
		}
		binary.LittleEndian.PutUint32(b[i*size:], uint32(n))
	}
	return b
}

// seekOffsets finds buffers of such integers: there is one more than an axis is long, or their name says so. How long
// all parts are together is an axis, too: whichever makes most lengths products of axes, or else one that the source
// does not name.
func (t *trial) seekOffsets() {
	for i := range t.args {
		if a := &t.args[i]; a.picks() && !a.words {
			t.seekOffsetsOf(i)
		}
	}
}

func (t *trial) seekOffsetsOf(arg int) {
	a := t.args[arg]
	parts, more := -1, 1
	for ; more >= 0 && parts < 0; more-- {
		parts = slices.IndexFunc(t.axes, func(x axis) bool {
			return a.other > 0 && a.touched()-more == x.base && a.other-more == x.otherBase() && (more > 0 || a.named)
		})
	}
	if more++; parts < 0 {
		return
	}
	axes, args := slices.Clone(t.axes), slices.Clone(t.args)
	best, bestAxes, bestArgs := 0, axes, args
	for end := range append(slices.Clone(axes), axis{}) {
		t.axes, t.args = slices.Clone(axes), slices.Clone(args)
		switch {
		case end == len(axes) && !slices.ContainsFunc(axes, func(x axis) bool { return x.name == totalAxis }):
			t.axes = append(t.axes, axis{name: totalAxis, base: totalBase})
		case end == len(axes) || end == parts || axes[end].of == "" || axes[end].base == longBase ||
			usualBase(axes[end].name) > 0 || axes[end].below != "" ||
			t.inGrid(end) && !allName.MatchString(axes[end].name):
			continue
		}
		t.args[arg].offsets = &offsets{parts, more, end}
		if !t.measure() {
			continue
		}
		for i := range t.args {
			t.args[i].other = 0
		}
		if t.whole() > best {
			best, bestAxes, bestArgs = t.whole(), t.axes, t.args
		}
	}
	if t.axes, t.args = bestAxes, bestArgs; t.args[arg].offsets != nil {
		t.run()
	}
}

// whole is how many buffers are as long as products of axes.
func (t *trial) whole() (n int) {
	for _, a := range t.args {
		if _, _, ok := t.product(a.touched(), a.other); !a.passed() &&
			(ok && a.touched() > 1 || a.row > 0 || a.offsets != nil) {
			n++
		}
	}
	return n
}
