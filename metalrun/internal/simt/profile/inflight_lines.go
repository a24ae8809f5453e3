package profile

import (
	"metalconform/metalrun/internal/simt/machine"
)

// inflightLines are the lines that simdgroups have requested and nothing waits for yet, as in MSHRs: another request
// finds such a line even if the cache has no room for it. Simdgroups execute the instructions of a window at their own
// speed, not in lock-step as in the machine.
type inflightLines struct {
	pairs  [machine.MaxThreads / machine.Simdgroup][1 << inflightLog][2]inflightLine
	before int64 // number of windows of the threadgroups before
}

// inflightLog is the logarithm of the number of pairs of lines that are kept for a simdgroup.
const inflightLog = 8

// inflightLine is the number of a line plus 1, and the window in which it was requested.
type inflightLine struct {
	line   uint64
	window int64
}

// ask records that a simdgroup requests a line in a window, and reports whether the line is in flight already.
func (c *inflightLines) ask(simdgroup int, line uint64, window int64) bool {
	now := inflightLine{line + 1, c.before + window}
	pair := &c.pairs[simdgroup][line*0x9e3779b97f4a7c15>>(64-inflightLog)]
	if pair[0] == now || pair[1] == now {
		return true
	}
	pair[0], pair[1] = now, pair[0]
	return false
}
