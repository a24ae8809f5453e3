//go:build !darwin || ios

package metalrun

// NewMetal returns ErrNoDevice: only macOS has Metal.
func NewMetal() (Runner, error) { return nil, ErrNoDevice }
