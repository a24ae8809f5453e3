package sim

import (
	"fmt"

	"metalconform/metalrun/internal/simt"
)

// PassInfo describes a pass of the simulator, which [Semantics.Without] can leave out.
type PassInfo = simt.PassInfo

// PassList describes the passes of the simulator, in the order in which it has them.
func PassList() []PassInfo { return simt.PassList() }

// without is the set of passes that are left out.
func (s Semantics) without() simt.Passes {
	set, err := simt.ParsePasses(s.Without)
	if err != nil {
		panic(fmt.Sprintf("sim: %v", err))
	}
	return set
}
