//go:build (!darwin || ios) && !(linux && metaldouble)

package metal

import "metalconform/metalrun"

// New returns ErrNoDevice: only macOS has Metal.
func New() (metalrun.Runner, error) { return nil, metalrun.ErrNoDevice }
