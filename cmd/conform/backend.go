package main

import (
	"errors"
	"fmt"
	"time"

	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/metalrun/isolated"
	"metalconform/metalrun/metal"
	"metalconform/metalrun/record"
	"metalconform/metalrun/sim"
)

// runner opens the backend that the flags name. why says how auto came to its
// choice.
func (s selection) runner() (r metalrun.Runner, why string, err error) {
	if r, why, err = s.open(); err != nil {
		return nil, "", err
	}
	if err := s.accuracies.Fits(r.Device()); err != nil {
		return nil, "", errors.Join(err, r.Close())
	}
	return r, why, nil
}

// open is runner without a look at what else the flags say of the device.
func (s selection) open() (r metalrun.Runner, why string, err error) {
	simulator := func() metalrun.Runner { return sim.New(s.semantics()) }
	flag := s.simulatorFlag()
	switch {
	case s.replay != "" && flag != "":
		return nil, "", exit.Usagef("%s is a choice of the simulator: it excludes -replay", flag)
	case s.replay != "" && s.backend.value != "auto":
		return nil, "", exit.Usagef("-replay launches nothing: it excludes -backend")
	case s.replay != "":
		if r, err = record.Open(s.replay); err != nil {
			return nil, "", exit.Usagef("-replay: %w", err)
		}
		return r, "recorded in " + s.replay, nil
	case s.backend.value == "simulator":
		return simulator(), "", nil
	case flag != "" && s.backend.value == "metal":
		return nil, "", exit.Usagef("%s is a choice of the simulator: it excludes -backend metal", flag)
	case flag != "":
		return simulator(), flag, nil
	}
	r, err = openMetal(s.limits.timeout)
	switch {
	case err == nil:
		if err := metalrun.CheckRounding(r); err != nil {
			return nil, "", exit.With(exit.Device, errors.Join(fmt.Errorf("%s: %w (-backend simulator runs without it)", r.Device().Name, err), r.Close()))
		}
		return r, "", nil
	case s.backend.value == "metal":
		return nil, "", exit.With(exit.Device, fmt.Errorf("-backend metal: %w", err))
	case errors.Is(err, metalrun.ErrNoDevice):
		return simulator(), "no Metal device here", nil
	}
	return nil, "", exit.With(exit.Device, fmt.Errorf("opening the Metal device: %w (-backend simulator runs without it)", err))
}

// sound runs the kernel again that the device passed before the first case. One that
// fails it now is no witness of anything in between.
func sound(r metalrun.Runner) error {
	if _, recorded := r.(*record.Replay); recorded || r.Device().Clock == metalrun.HostClock {
		return nil // neither a recording nor a simulator wears out
	}
	if err := metalrun.CheckRounding(r); err != nil {
		return fmt.Errorf("%w: the device fails its test after the last case: %w", metalrun.ErrUnusable, err)
	}
	return nil
}

// openMetal opens the GPU in a process of its own, where there can be one.
func openMetal(timeout time.Duration) (metalrun.Runner, error) {
	if !metal.Supported {
		return metal.New()
	}
	limits := isolated.DefaultLimits
	limits.Open, limits.Request = min(limits.Open, timeout), timeout
	return isolated.New(limits)
}

// simulatorFlag is the first flag given that only the simulator has, or "".
func (s selection) simulatorFlag() string {
	switch {
	case s.portable:
		return "-portable"
	case s.checks.flag() != "":
		return s.checks.flag()
	case s.envelope.given:
		return "-semantics " + s.envelope.String()
	case s.adversaries.given && s.adversaries.n > 0:
		return "-adversaries " + s.adversaries.String()
	}
	return ""
}

// semantics are those that the flags name.
func (s selection) semantics() sim.Semantics {
	var m sim.Semantics
	switch s.envelope.name {
	case "apple":
		m = sim.Apple()
	case "adversarial":
		m.Adversary = s.drawn(s.envelope.number, -1)
	}
	m.Portable = s.portable
	s.limits.set(&m)
	s.checks.set(&m)
	return m
}
