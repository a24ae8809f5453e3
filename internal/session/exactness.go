package session

import (
	"errors"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"

	"github.com/spf13/pflag"
)

// Exactness is the flag -exact: what exact arithmetic is carried in, or "" for none.
type Exactness struct{ In string }

// Words for what exact arithmetic is carried in.
const (
	Float64      = "float64"
	DoubleDouble = "dd" // double-double
)

func (e *Exactness) String() string { return e.In }
func (e *Exactness) Type() string   { return Float64 + "|" + DoubleDouble }
func (e *Exactness) Set(s string) error {
	if s != Float64 && s != DoubleDouble {
		return errors.New("want " + Float64 + " or " + DoubleDouble)
	}
	e.In = s
	return nil
}

// Add registers -exact, which needs no word.
func (e *Exactness) Add(flags *pflag.FlagSet, usage string) {
	flags.Var(e, "exact", usage+"; dd: in double-double where float64 leaves a doubt")
	flags.Lookup("exact").NoOptDefVal = Float64
}

// Given reports whether the flag is given.
func (e Exactness) Given() bool { return e.In != "" }

// Replay is the flag as a command line has it.
func (e Exactness) Replay() string {
	switch e.In {
	case "":
		return ""
	case Float64:
		return " -exact"
	}
	return " -exact " + e.In
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
