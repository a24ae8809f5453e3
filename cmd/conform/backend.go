package main

import (
	"errors"
	"fmt"

	"metalconform/metalrun"
)

// openRunner opens the backend that the flag names. why says how auto came to
// its choice.
func openRunner(name string) (r metalrun.Runner, why string, err error) {
	switch name {
	case "simulator":
		return metalrun.NewSimulator(metalrun.Semantics{}), "", nil
	case "metal":
		r, err := metalrun.NewMetal()
		if err != nil {
			return nil, "", &exit{exitDevice, fmt.Errorf("-backend metal: %w", err)}
		}
		return r, "", nil
	}
	r, err = metalrun.NewMetal()
	switch {
	case err == nil:
		return r, "", nil
	case errors.Is(err, metalrun.ErrNoDevice):
		return metalrun.NewSimulator(metalrun.Semantics{}), "no Metal device here", nil
	}
	return nil, "", &exit{exitDevice, fmt.Errorf("opening the Metal device: %w (-backend simulator runs without it)", err)}
}
