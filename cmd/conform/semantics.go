package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"

	"github.com/spf13/pflag"
)

// envelope is a flag that says what the simulator does where Metal leaves a choice.
type envelope struct {
	name   string // reference, apple or adversarial
	number int    // of the adversarial device
	given  bool
}

func (e *envelope) String() string {
	if e.number > 0 {
		return fmt.Sprintf("%s-%d", e.name, e.number)
	}
	return e.name
}
func (e *envelope) Type() string { return "word" }
func (e *envelope) Set(s string) error {
	name, number, numbered := strings.Cut(s, "-")
	n := 0
	if name == "adversarial" {
		n = 1
	}
	if numbered {
		var err error
		if n, err = strconv.Atoi(number); err != nil || n < 1 || name != "adversarial" {
			name = ""
		}
	}
	if slices.Contains(knownSemantics, name) {
		*e = envelope{name, n, true}
		return nil
	}
	return errors.New("want reference, apple, adversarial or adversarial-N")
}

// knownSemantics are the names of semantics.
var knownSemantics = []string{"reference", "apple", "adversarial"}

// semanticsUsage is the help of -semantics.
const semanticsUsage = "what the simulator does where Metal leaves a choice: `reference|apple|adversarial`, or adversarial-2 for the second adversary of the seed"

// usualAdversaries judge beside the reference semantics if nothing else is said: one
// pair.
const usualAdversaries = 2

// mostAdversaries is more than anybody waits for, and each takes memory.
const mostAdversaries = 1 << 12

// adversaryCount is a flag that holds a number of devices.
type adversaryCount struct {
	n     int
	given bool
}

func (a *adversaryCount) String() string { return strconv.Itoa(a.n) }
func (a *adversaryCount) Type() string   { return "devices" }
func (a *adversaryCount) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > mostAdversaries {
		return fmt.Errorf("want a number from 0 to %d", mostAdversaries)
	}
	*a = adversaryCount{n, true}
	return nil
}

// addJudging defines the flags of commands that judge.
func (s *selection) addJudging(flags *pflag.FlagSet) {
	flags.BoolVar(&s.strict, "strict", false, "fail for what Metal or the contract forbids though no trial shows it, instead of a warning; our own kernels always do")
	flags.Var(&s.accuracies, "accuracies", "hold f32 functions to the errors in `FILE`, which conform intrinsics -exhaustive -json has measured, as well as to the limits of Metal's specification; where these do not hold, to the larger ones")
	s.adversaries.n = usualAdversaries
	flags.Var(&s.adversaries, "adversaries", "on the simulator, also judge what passes on `N` devices that take against a kernel what Metal leaves open; 2 if not given, but 0 with -semantics or -schedule")
}

// adversarial is the number of devices that judge beside that of the run.
func (s selection) adversarial(d metalrun.Device) int {
	switch {
	case d.Clock != metalrun.HostClock:
		return 0
	case !s.adversaries.given && (s.envelope.given || s.schedule != 0):
		return 0
	}
	return s.adversaries.n
}

// others are the adversaries that judge beside the device of the run.
func (s selection) others(d metalrun.Device) []suite.Adversary {
	var list []suite.Adversary
	for n := range s.adversarial(d) {
		list = append(list, s.adversary(n+1))
	}
	return list
}

// own is the device of the run as an adversary, nil if it is none.
func (s selection) own() *suite.Adversary {
	if s.envelope.number == 0 {
		return nil
	}
	a := s.adversary(s.envelope.number)
	a.Number = 0 // it is that of the run
	return &a
}

// adversary is a device that the seed draws. It looks at values alone: what the checks
// see is the same on every device.
func (s selection) adversary(number int) suite.Adversary {
	taking := func(choices int) metalrun.Runner {
		m := s.semantics()
		m.Check, m.Count = false, false
		m.Adversary = s.drawn(number, choices)
		return sim.New(m)
	}
	alone := s.exactly()
	alone.envelope = envelope{"adversarial", number, true}
	return suite.Adversary{Number: number, Runner: taking(-1), Taking: taking, ReplayFlags: alone.replayFlags()}
}

// drawn is a device of the seed that keeps to what was measured of functions.
func (s selection) drawn(number, choices int) *sim.Adversary {
	a := &sim.Adversary{Seed: uint64(s.seed), Number: number, Choices: choices}
	if s.accuracies.File != "" {
		a.Measured = s.accuracies.Table.Of
	}
	return a
}

// exactly is the selection without other devices than its own.
func (s selection) exactly() selection {
	s.adversaries = adversaryCount{}
	return s
}
