package metalrun

import "fmt"

// Choice is a position in the source where Metal leaves the result to the device.
type Choice struct {
	Position Position
	Subject  string // such as "accuracy of exp"
}

func (c Choice) String() string { return fmt.Sprintf("%s: %s", c.Position, c.Subject) }

// Chooser is a [Kernel] that knows where Metal leaves its results to the device.
// Kernels of the simulator do.
type Chooser interface {
	// Choices are those of the device as a whole first, then in the order of the program.
	Choices() []Choice
	// Deviates reports whether this device takes some of them otherwise than the
	// simulator's reference semantics, so that its results may differ.
	Deviates() bool
}
