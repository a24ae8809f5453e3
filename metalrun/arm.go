package metalrun

import (
	"cmp"
	"strings"
)

// Arm is one side of a branch, and whether a launch reached it.
type Arm struct {
	Position          // where it begins
	If       Position // the branch
	Holds    bool     // the branch's condition, where the arm is taken
	Stores   bool     // it writes device memory
	Reached  bool
}

// Compare puts arms in the order of the source.
func (a Arm) Compare(b Arm) int {
	return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col, a.If.Line-b.If.Line, a.If.Col-b.If.Col,
		order(a.Holds)-order(b.Holds))
}

func order(holds bool) int {
	if holds {
		return 0
	}
	return 1
}
