package metalrun

import "fmt"

// Choice is a position in the source where Metal leaves the result to the device.
type Choice struct {
	Position Position
	Subject  string // such as "accuracy of exp"
}

func (c Choice) String() string { return fmt.Sprintf("%s: %s", c.Position, c.Subject) }

// Chooser is a [Kernel] that knows its choices: those of the device as a whole
// first, then in the order of the program. Kernels of the simulator do.
type Chooser interface{ Choices() []Choice }
