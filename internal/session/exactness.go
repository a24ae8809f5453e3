package session

import (
	"errors"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"

	"github.com/spf13/pflag"
)

// Exactness is the flag -exact: what exact arithmetic is carried in; "" for none.
type Exactness struct {
	In      string
	usually string // what it is if the flag is not given
}

// Words for what exact arithmetic is carried in.
const (
	Float64      = "float64"
	DoubleDouble = "dd" // double-double
)

// ExactWords are those that may follow -exact as an argument of their own.
var ExactWords = []string{Float64, DoubleDouble, off}

// off is the word for no exact execution.
const off = "false"

func (e *Exactness) String() string { return e.In }
func (e *Exactness) Type() string   { return Float64 + "|" + DoubleDouble + "|" + off }
func (e *Exactness) Set(s string) error {
	switch s {
	case "true", Float64:
		e.In = Float64
	case DoubleDouble:
		e.In = DoubleDouble
	case off:
		e.In = ""
	default:
		return errors.New("want " + Float64 + ", " + DoubleDouble + " or " + off)
	}
	return nil
}

// Add registers -exact, which needs no word, for a command that executes nothing exactly without it.
func (e *Exactness) Add(flags *pflag.FlagSet, usage string) {
	flags.Var(e, "exact", usage+"; dd: in double-double where float64 leaves a doubt")
	flags.Lookup("exact").NoOptDefVal = Float64
}

// AddUsual registers -exact for a command that executes kernels exactly unless it is told not to.
func (e *Exactness) AddUsual(flags *pflag.FlagSet) {
	e.In, e.usually = Float64, Float64
	e.Add(flags, "judge formula and rounding by exact execution, in addition to the bound; on if not given")
}

// On reports whether kernels are executed exactly.
func (e Exactness) On() bool { return e.In != "" }

// declined reports whether a command that executes kernels exactly is told not to.
func (e Exactness) declined() bool { return e.usually != "" && !e.On() }

// replay is the flag as a command line has it; "" if that need not say it.
func (e Exactness) replay() string {
	switch e.In {
	case e.usually:
		return ""
	case "":
		return "-exact=" + off
	case Float64:
		return "-exact"
	}
	return "-exact " + e.In
}

// Devices execute kernels in exact arithmetic.
func (e Exactness) Devices(limits LaunchLimits) *suite.Exact {
	open := func(doubles bool) *suite.Exact {
		return suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
			m := sim.Exactly(a)
			m.Doubles = doubles
			limits.Set(&m)
			return sim.New(m)
		})
	}
	devices := open(false)
	if e.In == DoubleDouble {
		devices.Doubled = open(true)
	}
	return devices
}
