package main

import (
	"fmt"
	"time"

	"metalconform/metalrun/sim"

	"github.com/spf13/pflag"
)

// launchLimits are flags that bound a launch on the simulator.
type launchLimits struct {
	timeout      time.Duration
	steps        int64 // 0 for the simulator's own
	memory       int   // likewise
	threadgroups int   // likewise
}

// add defines the flags.
func (l *launchLimits) add(flags *pflag.FlagSet, timeout time.Duration, what string) {
	flags.DurationVar(&l.timeout, "timeout", timeout, what)
	flags.Int64Var(&l.steps, "launch-steps", 0, "on the simulator, let a threadgroup execute `N` instructions before it counts as a runaway")
	flags.IntVar(&l.memory, "thread-memory", 0, "on the simulator, let the variables of a threadgroup's threads take `BYTES` together; 64 MiB if not given")
	addThreadgroups(flags, &l.threadgroups)
}

// addThreadgroups defines the flag that bounds the grid of a launch.
func addThreadgroups(flags *pflag.FlagSet, n *int) {
	flags.IntVar(n, "launch-threadgroups", 0, "on the simulator, let a launch have `N` threadgroups; 1048576 if not given")
}

// set enters them in the semantics of a simulator.
func (l launchLimits) set(m *sim.Semantics) {
	m.Timeout, m.ThreadMemory, m.Threadgroups = l.timeout, l.memory, l.threadgroups
	if l.steps > 0 {
		m.Steps, m.ThreadSteps = l.steps, 0
	}
}

// replayFlags are those that were given.
func (l launchLimits) replayFlags() []string {
	var flags []string
	if l.steps > 0 {
		flags = append(flags, fmt.Sprintf("-launch-steps %d", l.steps))
	}
	if l.memory > 0 {
		flags = append(flags, fmt.Sprintf("-thread-memory %d", l.memory))
	}
	if l.threadgroups > 0 {
		flags = append(flags, fmt.Sprintf("-launch-threadgroups %d", l.threadgroups))
	}
	return flags
}
