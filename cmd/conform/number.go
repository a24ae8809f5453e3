package main

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// mostNumber is the largest whole number that a flag takes unless it says more itself: as mebibytes, it is a number
// of bytes still.
const mostNumber = 1 << 42

// mostThreads bounds flags that say how much runs at once: beyond it the scheduler gives up.
const mostThreads = 1 << 10

// number is a flag that counts, measures or lasts. None has a meaning below zero, and what is refused where it is read
// cannot turn a limit into none.
type number struct{ pflag.Value }

func (n number) Set(s string) error {
	switch n.Type() {
	case "int", "int64":
		if v, err := strconv.ParseInt(s, 0, 64); err != nil || v < 0 || v > mostNumber {
			return fmt.Errorf("want a whole number from 0 to %d", mostNumber)
		}
	case "uint64":
		if _, err := strconv.ParseUint(s, 0, 64); err != nil {
			return errors.New("want a whole number from 0 to 2^64-1")
		}
	case "float64":
		if v, err := strconv.ParseFloat(s, 64); !(err == nil && v >= 0 && v <= math.MaxFloat64) {
			return errors.New("want a number, at least 0")
		}
	case "duration":
		if v, err := time.ParseDuration(s); err != nil || v < 0 {
			return errors.New("want a duration, at least 0s, such as 30s or 5m")
		}
	}
	return n.Value.Set(s)
}

// boundNumbers makes all numbers among the flags of a command, and of those below it, such numbers.
func boundNumbers(cmd *cobra.Command) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Value.Type() {
		case "int", "int64", "uint64", "float64", "duration":
			f.Value = number{f.Value}
		}
	})
	for _, sub := range cmd.Commands() {
		boundNumbers(sub)
	}
}
