package session

import (
	"fmt"
	"strings"
	"time"

	"metalconform/metalrun/sim"

	"github.com/spf13/pflag"
)

// LaunchLimits are flags that bound a launch on the simulator.
type LaunchLimits struct {
	Timeout      time.Duration
	usual        time.Duration // of the timeout
	steps        int64         // 0 for the simulator's own
	memory       int           // likewise
	threadgroups int           // likewise
	passes       passes
}

// Add defines the flags.
func (l *LaunchLimits) Add(flags *pflag.FlagSet, timeout time.Duration, what string) {
	l.usual = timeout
	flags.DurationVar(&l.Timeout, "timeout", timeout, what)
	flags.Int64Var(&l.steps, "launch-steps", 0,
		"on the simulator, let a threadgroup execute `N` instructions before it counts as a runaway")
	flags.IntVar(&l.memory, "thread-memory", 0,
		"on the simulator, let the variables of a threadgroup's threads take `BYTES` together; 64 MiB if not given")
	AddThreadgroups(flags, &l.threadgroups)
	flags.Var(&l.passes, "passes", "leave passes of the simulator out: `NAMES` with commas between; list names them")
	if err := flags.MarkHidden("passes"); err != nil { // it is for developers
		panic(err)
	}
}

// AddThreadgroups defines the flag that bounds the grid of a launch.
func AddThreadgroups(flags *pflag.FlagSet, n *int) {
	flags.IntVar(n, "launch-threadgroups", 0,
		"on the simulator, allow a launch `N` threadgroups; 1048576 if not given")
}

// Shorten makes another timeout the usual one. The flags are those that [LaunchLimits.Add] has defined.
func (l *LaunchLimits) Shorten(flags *pflag.FlagSet, timeout time.Duration) {
	l.Timeout, l.usual = timeout, timeout
	f := flags.Lookup("timeout")
	f.DefValue = timeout.String()
	f.Usage = strings.Replace(f.Usage, "2m if", timeout.String()+" if", 1)
}

// Set enters them in the semantics of a simulator.
func (l LaunchLimits) Set(m *sim.Semantics) {
	m.TotalSteps, m.ThreadMemory, m.Threadgroups = sim.StepsIn(l.Timeout), l.memory, l.threadgroups
	m.Without = string(l.passes)
	if l.steps > 0 {
		m.Steps, m.ThreadSteps = l.steps, 0
	}
}

// ReplayFlags are those that were given.
func (l LaunchLimits) ReplayFlags() []string {
	var flags []string
	if l.Timeout != l.usual {
		flags = append(flags, fmt.Sprintf("-timeout %v", l.Timeout))
	}
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
