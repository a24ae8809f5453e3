package metalrun

import "fmt"

// Choice is a position in the source where Metal leaves the result to the device.
type Choice struct {
	Position Position
	Subject  string // such as "accuracy of exp"
}

func (c Choice) String() string { return fmt.Sprintf("%s: %s", c.Position, c.Subject) }

// Chooser is a [Kernel] that can list the choices that Metal leaves to the device. Kernels of the simulator do.
type Chooser interface {
	// Choices lists those of the whole device first, then the others in the order of the program.
	Choices() []Choice
	// Deviates reports whether this device resolves any choice differently from the simulator's reference semantics, so
	// that its results may differ.
	Deviates() bool
}
