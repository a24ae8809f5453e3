package session

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

// Open opens the backend that the flags name. why says how auto came to its
// choice.
func (s Selection) Open() (r metalrun.Runner, why string, err error) {
	if r, why, err = s.openBackend(); err != nil {
		return nil, "", err
	}
	if err := s.Accuracies.Fits(r.Device()); err != nil {
		return nil, "", errors.Join(err, r.Close())
	}
	return r, why, nil
}

// openBackend is runner without a look at what else the flags say of the device.
func (s Selection) openBackend() (r metalrun.Runner, why string, err error) {
	simulator := func() metalrun.Runner { return sim.New(s.SimSemantics()) }
	flag := s.SimulatorFlag()
	switch {
	case s.Replay != "" && flag != "":
		return nil, "", exit.Usagef("%s is a choice of the simulator: it excludes -replay", flag)
	case s.Replay != "" && s.Backend.Value != "auto":
		return nil, "", exit.Usagef("-replay launches nothing: it excludes -backend")
	case s.Replay != "":
		if r, err = record.Open(s.Replay); err != nil {
			return nil, "", exit.Usagef("-replay: %w", err)
		}
		return r, "recorded in " + s.Replay, nil
	case s.Backend.Value == "simulator":
		return simulator(), "", nil
	case flag != "" && s.Backend.Value == "metal":
		return nil, "", exit.Usagef("%s is a choice of the simulator: it excludes -backend metal", flag)
	case flag != "":
		return simulator(), flag, nil
	}
	r, err = openMetal(s.Limits.Timeout)
	switch {
	case err == nil:
		err := metalrun.CheckRounding(r)
		if errors.Is(err, metalrun.ErrBfloat) { // one type that differs keeps the others from being judged nowhere
			return metalrun.Without(r, metalrun.Bfloat, err), err.Error(), nil
		}
		if err != nil {
			return nil, "", exit.With(exit.Device,
				errors.Join(fmt.Errorf("%s: %w (-backend simulator runs without it)", r.Device().Name, err), r.Close()))
		}
		return r, "", nil
	case s.Backend.Value == "metal":
		return nil, "", exit.With(exit.Device, fmt.Errorf("-backend metal: %w", err))
	case errors.Is(err, metalrun.ErrNoDevice) && !metal.Supported:
		return simulator(), "no Metal device here", nil // on macOS nobody expects a simulator
	}
	return nil, "", exit.With(exit.Device, fmt.Errorf(
		"opening the Metal device: %w (-backend simulator runs without it)", err))
}

// CheckDevice runs the kernel again that the device passed before the first case. One that
// fails it now is no witness of anything in between.
func CheckDevice(r metalrun.Runner) error {
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

// SimulatorFlag is the first flag given that only the simulator has, or "".
func (s Selection) SimulatorFlag() string {
	switch {
	case s.Portable:
		return "-portable"
	case s.Checks.flag() != "":
		return s.Checks.flag()
	case s.Semantics.Given:
		return "-semantics " + s.Semantics.String()
	case s.Adversaries.given && s.Adversaries.N > 0:
		return "-adversaries " + s.Adversaries.String()
	}
	return ""
}

// SimSemantics are those that the flags name.
func (s Selection) SimSemantics() sim.Semantics {
	var m sim.Semantics
	switch s.Semantics.Name {
	case "apple":
		m = sim.Apple()
	case "adversarial":
		m.Adversary = s.sampledAdversary(s.Semantics.number, -1)
	}
	m.Portable = s.Portable
	s.Limits.Set(&m)
	s.Checks.set(&m)
	return m
}
