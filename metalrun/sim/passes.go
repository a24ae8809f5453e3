package sim

import (
	"fmt"

	"metalconform/metalrun/internal/simt"
)

// PassInfo describes a pass of the simulator, which [Semantics.Without] can leave out.
type PassInfo = simt.PassInfo

// PassList describes the passes of the simulator, in the order in which it has them.
func PassList() []PassInfo { return simt.PassList() }

// CheckPasses reports whether a list of names with commas between them is one for [Semantics.Without].
func CheckPasses(without string) error {
	_, err := simt.ParsePasses(without)
	return err
}

// without is the set of passes that are left out.
func (s Semantics) without() simt.Passes {
	set, err := simt.ParsePasses(s.Without)
	if err != nil {
		panic(fmt.Sprintf("sim: %v", err)) // CheckPasses says so beforehand
	}
	return set
}
