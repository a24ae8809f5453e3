//go:build (!darwin || ios) && !(linux && metaldouble)

package metal

import "metalconform/metalrun"

// Supported says that this program can use Metal, if the machine has it.
const Supported = false

// New returns ErrNoDevice: only macOS has Metal.
func New() (metalrun.Runner, error) { return nil, metalrun.ErrNoDevice }
