package main

import (
	"errors"
	"fmt"

	"metalconform/metalrun"
)

// runner opens the backend that the flags name. why says how auto came to its
// choice.
func (s selection) runner() (r metalrun.Runner, why string, err error) {
	simulator := func() metalrun.Runner { return metalrun.NewSimulator(metalrun.Semantics{Portable: s.portable}) }
	switch {
	case s.backend.value == "simulator":
		return simulator(), "", nil
	case s.portable && s.backend.value == "metal":
		return nil, "", usageError("-portable is a choice of the simulator: it excludes -backend metal")
	case s.portable:
		return simulator(), "-portable", nil
	}
	r, err = metalrun.NewMetal()
	switch {
	case err == nil:
		return r, "", nil
	case s.backend.value == "metal":
		return nil, "", &exit{exitDevice, fmt.Errorf("-backend metal: %w", err)}
	case errors.Is(err, metalrun.ErrNoDevice):
		return simulator(), "no Metal device here", nil
	}
	return nil, "", &exit{exitDevice, fmt.Errorf("opening the Metal device: %w (-backend simulator runs without it)", err)}
}
