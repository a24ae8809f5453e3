//go:build !darwin || ios

package metal

import "metalconform/metalrun"

// New returns ErrNoDevice: only macOS has Metal.
func New() (metalrun.Runner, error) { return nil, metalrun.ErrNoDevice }
