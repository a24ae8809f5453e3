package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/suite/adhoc"
	"metalconform/suite/explore"

	"github.com/spf13/pflag"
)

// specFlags are the flags that state what a kernel's source does not say about
// its launches.
type specFlags struct {
	args      config.Assignments
	constants config.Assignments
	memory    config.Assignments
	outputs   []string
	size      int
	elements  int
	grid      sizeFlag
	total     sizeFlag
	threads   sizeFlag
	floats    interval
	seed      session.Seed
	set       *pflag.FlagSet
}

// launchNames are the names of those that mean nothing without a launch.
var launchNames = []string{"arg", "size", "elements", "output", "local", "grid", "total", "threads", "range", "seed"}

func newGivenFlags() specFlags {
	return specFlags{args: config.Assignments{}, constants: config.Assignments{}, memory: config.Assignments{}, seed: 1}
}

// add defines the flags.
func (g *specFlags) add(flags *pflag.FlagSet) {
	g.set = flags
	flags.Var(g.args, "arg",
		"state as `NAME=N` the value of scalar NAME, NAME.MEMBER or NAME[INDEX], or the number of elements of buffer "+
			"NAME; repeatable")
	flags.IntVar(&g.size, "size", 0,
		"give integer scalars and constants that -arg does not state the value `N`, and keep integers in buffers "+
			"below it; 64 if not given")
	flags.IntVar(&g.elements, "elements", 0,
		"give buffers whose size -arg does not state `N` elements; if not given, as many as are likely to be enough")
	flags.StringSliceVar(&g.outputs, "output", nil, "the buffer `NAME` holds nothing before a launch; repeatable")
	flags.Var(g.constants, "constant", "state a function constant as `NAME=VALUE` or INDEX=VALUE; repeatable")
	flags.Var(g.memory, "local", "state the length of [[threadgroup(I)]] as `I=BYTES`; repeatable")
	flags.Var(&g.grid, "grid", "launch `X,Y,Z` threadgroups")
	flags.Var(&g.total, "total", "launch `X,Y,Z` threads instead of -grid: threadgroups at the edge may be smaller")
	flags.Var(&g.threads, "threads", "`X,Y,Z` threads per threadgroup")
	flags.Var(&g.floats, "range", "draw floats from `LOW,HIGH`; 0.5,1.5 if not given")
	flags.Var(&g.seed, "seed", "draw inputs from seed `N`, or from a random one; 1 if not given")
}

// given is what the flags state.
func (g *specFlags) given() (*adhoc.Spec, error) {
	if g.grid != (sizeFlag{}) && g.total != (sizeFlag{}) {
		return nil, exit.Usagef("-grid counts threadgroups and -total threads: give one of them")
	}
	if g.size < 0 || g.size > 1<<20 {
		return nil, exit.Usagef("-size %d: want 1 to %d", g.size, 1<<20)
	}
	if g.elements < 0 || g.elements > 1<<26 {
		return nil, exit.Usagef("-elements %d: want 1 to %d", g.elements, 1<<26)
	}
	out := &adhoc.Spec{
		Size: g.size, Elements: g.elements, Args: map[string]float64{}, Constants: g.constants, Memory: map[int]int{},
		Outputs:      g.outputs,
		Threadgroups: metalrun.Size(g.grid), Threads: metalrun.Size(g.total),
		ThreadsPerThreadgroup: metalrun.Size(g.threads),
	}
	if g.set.Changed("range") {
		out.Floats = (*adhoc.Interval)(&g.floats)
	}
	if g.set.Changed("seed") {
		out.Seed = (*uint64)(&g.seed)
	}
	for name, text := range g.args {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) {
			return nil, exit.Usagef("-arg %s=%s: %q is no number", name, text, text)
		}
		out.Args[name] = x
	}
	for index, text := range g.memory {
		i, err := strconv.Atoi(index)
		n, err2 := strconv.Atoi(text)
		if err != nil || err2 != nil || i < 0 || n < 0 {
			return nil, exit.Usagef("-local %s=%s: want an index and a number of bytes", index, text)
		}
		out.Memory[i] = n
	}
	return out, nil
}

// known fails if something is stated that no kernel has: a misspelt name must not look
// as if it had been heeded.
func (g *specFlags) known(units []explore.Unit) error {
	generated := slices.ContainsFunc(units, func(u explore.Unit) bool { return len(u.Generated) > 0 })
	if none := (sizeFlag{}); !generated && (g.grid != none || g.total != none || g.threads != none) {
		return exit.Usagef("-grid, -total and -threads are for kernels that get generated inputs: all of these get " +
			"cases of the catalogue")
	}
	for _, stated := range []struct {
		flag  string
		names []string
		of    func(*adhoc.Kernel) []string
	}{
		{"output", g.outputs, (*adhoc.Kernel).Outputs},
		{"constant", slices.Sorted(maps.Keys(g.constants)), (*adhoc.Kernel).Constants},
		{"local", slices.Sorted(maps.Keys(g.memory)), (*adhoc.Kernel).Memory},
		{"arg", slices.Sorted(maps.Keys(g.args)), (*adhoc.Kernel).Names},
	} {
		for _, name := range stated.names {
			var known []string
			heeded := false
			for _, u := range units {
				for _, s := range u.Generated {
					names := stated.of(&s)
					known = append(known, names...)
					heeded = heeded || slices.Contains(names, name) || stated.flag == "arg" && s.Knows(name)
				}
			}
			slices.Sort(known)
			if !heeded {
				return exit.Usagef("-%s %s: no kernel that gets generated inputs has that%s", stated.flag, name,
					config.DidYouMean(name, slices.Compact(known)))
			}
		}
	}
	return nil
}

// sizeFlag is a flag that holds an extent in one to three dimensions.
type sizeFlag metalrun.Size

func (f *sizeFlag) String() string { return "" }
func (f *sizeFlag) Type() string   { return "size" }
func (f *sizeFlag) Set(s string) error {
	size := [3]int{1, 1, 1}
	parts := strings.Split(s, ",")
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if i == 3 || err != nil || n < 1 || n > 1<<20 {
			return errors.New("want one to three numbers such as 16,16")
		}
		size[i] = n
	}
	*f = sizeFlag{size[0], size[1], size[2]}
	return nil
}

// interval is a flag that holds the range of random floats.
type interval adhoc.Interval

func (v *interval) String() string { return "" }
func (v *interval) Type() string   { return "interval" }
func (v *interval) Set(s string) error {
	var low, high float64
	if n, err := fmt.Sscanf(s, "%g,%g", &low, &high); n != 2 || err != nil || !(low <= high) || math.IsInf(low, 0) ||
		math.IsInf(high-low, 0) {
		return errors.New("want two numbers such as -1,1")
	}
	*v = interval{low, high}
	return nil
}
