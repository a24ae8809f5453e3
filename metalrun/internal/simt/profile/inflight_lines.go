package profile

import (
	"metalconform/metalrun/internal/simt/machine"
)

// inflightLines are those that simdgroups have asked for and nobody waits for yet: who asks again finds them on their
// way, whatever the cache has room for. Simdgroups take the instructions of a stretch at their own pace, and not in
// turns as the machine does.
type inflightLines struct {
	pairs  [machine.MaxThreads / machine.Simdgroup][1 << inflightLog][2]inflightLine
	before int64 // stretches of the threadgroups before
}

// inflightLog is the logarithm of the pairs of lines of a simdgroup that are found again.
const inflightLog = 8

// inflightLine is a line, by its number and 1, and the stretch in which it was asked for.
type inflightLine struct {
	line   uint64
	window int64
}

// ask takes in that a simdgroup asks for a line in a stretch, and reports whether it is on its way.
func (c *inflightLines) ask(simdgroup int, line uint64, window int64) bool {
	now := inflightLine{line + 1, c.before + window}
	pair := &c.pairs[simdgroup][line*0x9e3779b97f4a7c15>>(64-inflightLog)]
	if pair[0] == now || pair[1] == now {
		return true
	}
	pair[0], pair[1] = now, pair[0]
	return false
}
