package session

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

// SemanticsFlag is a flag that says what the simulator does where Metal leaves a choice.
type SemanticsFlag struct {
	Name   string // reference, apple or adversarial
	number int    // of the adversarial device
	Given  bool
}

func (e *SemanticsFlag) String() string {
	if e.number > 0 {
		return fmt.Sprintf("%s-%d", e.Name, e.number)
	}
	return e.Name
}
func (e *SemanticsFlag) Type() string { return "word" }
func (e *SemanticsFlag) Set(s string) error {
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
	if slices.Contains(SemanticsNames, name) {
		*e = SemanticsFlag{name, n, true}
		return nil
	}
	return errors.New("want reference, apple, adversarial or adversarial-N")
}

// SemanticsNames are the names of semantics.
var SemanticsNames = []string{"reference", "apple", "adversarial"}

// SemanticsUsage is the help of -semantics.
const SemanticsUsage = "what the simulator does where Metal leaves a choice: `reference|apple|adversarial`, or " +
	"adversarial-2 for the second adversary of the seed"

// DefaultAdversaries judge beside the reference semantics if nothing else is said: one
// pair.
const DefaultAdversaries = 2

// maxAdversaries is more than anybody waits for, and each takes memory.
const maxAdversaries = 1 << 12

// AdversaryCount is a flag that holds a number of devices.
type AdversaryCount struct {
	N     int
	given bool
}

func (a *AdversaryCount) String() string { return strconv.Itoa(a.N) }
func (a *AdversaryCount) Type() string   { return "devices" }
func (a *AdversaryCount) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > maxAdversaries {
		return fmt.Errorf("want a number from 0 to %d", maxAdversaries)
	}
	*a = AdversaryCount{n, true}
	return nil
}

// AddJudging defines the flags of commands that judge.
func (s *Selection) AddJudging(flags *pflag.FlagSet) {
	flags.BoolVar(&s.Strict, "strict", false,
		"fail, instead of a warning, if Metal or the contract forbids something, even if no trial changes a "+
			"result; our own kernels "+
			"always do")
	flags.Var(&s.Accuracies, "accuracies",
		"use the measured errors of f32 functions in `FILE`, from conform device intrinsics -exhaustive -json, "+
			"for bounds; an error above the limit of Metal's specification replaces the limit")
	s.Exact.AddUsual(flags)
	s.Adversaries.N = DefaultAdversaries
	flags.Var(&s.Adversaries, "adversaries",
		"on the simulator, also judge what passes on `N` devices that resolve every unspecified behaviour against "+
			"the kernel; "+
			"2 if not given, but 0 with -semantics or -schedule")
}

// StrictByDefault has a command fail where others warn, unless it is told -strict=false.
func StrictByDefault(flags *pflag.FlagSet) {
	strict := flags.Lookup("strict")
	if err := strict.Value.Set("true"); err != nil {
		panic(err) // it is a switch
	}
	strict.DefValue, strict.Usage = "true", "fail, instead of a warning, if Metal or the contract forbids something, "+
		"even if no trial changes a result; on if not given"
}

// adversarial is the number of devices that judge beside that of the run.
func (s Selection) adversarial(d metalrun.Device) int {
	switch {
	case d.Clock != metalrun.HostClock:
		return 0
	case !s.Adversaries.given && (s.Semantics.Given || s.schedule != 0):
		return 0
	}
	return s.Adversaries.N
}

// AdversaryRunners are the adversaries that judge beside the device of the run.
func (s Selection) AdversaryRunners(d metalrun.Device) []suite.Adversary {
	var list []suite.Adversary
	for n := range s.adversarial(d) {
		list = append(list, s.adversary(n+1))
	}
	return list
}

// runAdversary is the device of the run as an adversary, nil if it is none.
func (s Selection) runAdversary() *suite.Adversary {
	if s.Semantics.number == 0 {
		return nil
	}
	a := s.adversary(s.Semantics.number)
	a.Number = 0 // it is that of the run
	return &a
}

// adversary is a device that the seed draws. It looks at values alone: what the checks
// see is the same on every device.
func (s Selection) adversary(number int) suite.Adversary {
	taking := func(choices int) metalrun.Runner {
		m := s.SimSemantics()
		m.Check, m.Count = false, false
		m.Adversary = s.sampledAdversary(number, choices)
		return sim.New(m)
	}
	alone := s.WithoutAdversaries()
	alone.Semantics = SemanticsFlag{"adversarial", number, true}
	return suite.Adversary{Number: number, Runner: taking(-1), Taking: taking, ReplayFlags: alone.ReplayFlags()}
}

// sampledAdversary is a device of the seed that keeps to what was measured of functions.
func (s Selection) sampledAdversary(number, choices int) *sim.Adversary {
	a := &sim.Adversary{Seed: uint64(s.Seed), Number: number, Choices: choices}
	if s.Accuracies.File != "" {
		a.Measured = s.Accuracies.Table.Of
	}
	return a
}

// WithoutAdversaries is the selection without other devices than its own.
func (s Selection) WithoutAdversaries() Selection {
	s.Adversaries = AdversaryCount{}
	return s
}
