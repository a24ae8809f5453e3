package main

import (
	"errors"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"

	"github.com/spf13/pflag"
)

// exactness is the flag -exact: what exact arithmetic is carried in, or "" for none.
type exactness struct{ in string }

// Words for what exact arithmetic is carried in.
const (
	inFloat64 = "float64"
	inDoubles = "dd" // double-double
)

func (e *exactness) String() string { return e.in }
func (e *exactness) Type() string   { return inFloat64 + "|" + inDoubles }
func (e *exactness) Set(s string) error {
	if s != inFloat64 && s != inDoubles {
		return errors.New("want " + inFloat64 + " or " + inDoubles)
	}
	e.in = s
	return nil
}

// add registers -exact, which needs no word.
func (e *exactness) add(flags *pflag.FlagSet, usage string) {
	flags.Var(e, "exact", usage+"; dd: in double-double where float64 leaves a doubt")
	flags.Lookup("exact").NoOptDefVal = inFloat64
}

func (e exactness) given() bool { return e.in != "" }

// replay is the flag as a command line has it.
func (e exactness) replay() string {
	switch e.in {
	case "":
		return ""
	case inFloat64:
		return " -exact"
	}
	return " -exact " + e.in
}

// devices execute kernels in exact arithmetic.
func (e exactness) devices(limits launchLimits) *suite.Exact {
	open := func(doubles bool) *suite.Exact {
		return suite.NewExact(sim.LiteralPatterns, func(a metalrun.Arithmetic) metalrun.Runner {
			m := sim.Exactly(a)
			m.Doubles = doubles
			limits.set(&m)
			return sim.New(m)
		})
	}
	devices := open(false)
	if e.in == inDoubles {
		devices.Doubled = open(true)
	}
	return devices
}
