package timing

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"

	"github.com/google/go-cmp/cmp"
)

// asked is what a turn of one simdgroup asks, of what a microkernel is about.
var asked = map[string]map[metalrun.Class]float64{
	"multiply-adds":           {metalrun.FloatFused: 64, metalrun.Integer: 2},
	"sums":                    {metalrun.FloatAdd: 64, metalrun.Integer: 2},
	"products":                {metalrun.FloatMultiply: 64, metalrun.Integer: 2},
	"minima and maxima":       {metalrun.FloatOther: 128, metalrun.Integer: 2},
	"sums of half":            {metalrun.Half: 64, metalrun.Integer: 2},
	"integers":                {metalrun.Integer: 130},
	"conversions":             {metalrun.Conversion: 128, metalrun.Integer: 66},
	"products of integers":    {metalrun.IntegerMultiply: 64, metalrun.Integer: 66},
	"integers of 64 bits":     {metalrun.Integer64: 64, metalrun.Integer: 130},
	"quotients of integers":   {metalrun.IntegerDivision: 64, metalrun.Integer: 66},
	"quotients":               {metalrun.Division: 64, metalrun.Integer: 2},
	"roots":                   {metalrun.Root: 64, metalrun.Integer: 2},
	"exponentials":            {metalrun.Exponential: 64, metalrun.FloatMultiply: 64, metalrun.Integer: 2},
	"cosines":                 {metalrun.Circular: 64, metalrun.FloatMultiply: 128, metalrun.Integer: 2},
	"arctangents":             {metalrun.Function: 64, metalrun.Integer: 2},
	"shuffles":                {metalrun.Shuffle: 64, metalrun.Integer: 2},
	"permutations":            {metalrun.Permutation: 64, metalrun.Integer: 2},
	"reductions":              {metalrun.Reduction: 64, metalrun.FloatMultiply: 64, metalrun.Integer: 2},
	"products of matrices":    {metalrun.Matrix: 4, metalrun.Integer: 2},
	"multiply-adds that wait": {metalrun.FloatFused: 16, metalrun.Integer: 2},
}

// waited is how often a turn of one simdgroup waits for another thing.
var waited = map[string]func(c metalrun.Costs) float64{
	"atomics at one place":          func(c metalrun.Costs) float64 { return c.Atomics.Transactions / 32 / 4 },
	"atomics of threadgroup memory": func(c metalrun.Costs) float64 { return c.Local.Transactions / 2 / 4 },
	"multiply-adds that wait":       func(c metalrun.Costs) float64 { return c.Chain[metalrun.ArithmeticLink] / 16 },
	"loads that wait": func(c metalrun.Costs) float64 {
		return (c.Chain[metalrun.DeviceLink] - c.Device.Missed[0]) / 16
	},
	"loads that miss and wait":      func(c metalrun.Costs) float64 { return c.Device.Missed[0] / 16 },
	"threadgroup memory that waits": func(c metalrun.Costs) float64 { return c.Chain[metalrun.SharedLink] / 16 },
	"barriers":                      func(c metalrun.Costs) float64 { return c.Barrier / 8 },
}

// tiny are the sizes of a test on the simulator.
var tiny = sizes{threads: 1 << 10, iterations: 1}

// Each microkernel asks for what its name says, and for nothing beside it that takes as long.
func TestMicrokernels(t *testing.T) {
	iterations, err := measureIterations(sim.New(sim.Semantics{}), sim.New(sim.Semantics{Profile: true}), brief(),
		Microkernels(), tiny)
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range iterations {
		simdgroups := float64(u.width / 32)
		if want, ok := asked[u.Name]; ok {
			got := map[metalrun.Class]float64{}
			for class, n := range u.Costs.Issued {
				if n != 0 {
					got[metalrun.Class(class)] = n / simdgroups
				}
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", u.Name, d)
			}
		}
		if n, ok := waited[u.Name]; ok && n(u.Costs) != simdgroups {
			t.Errorf("%s: %v of %v", u.Name, n(u.Costs), simdgroups)
		}
		if asked[u.Name] == nil && waited[u.Name] == nil {
			t.Errorf("%s: no test says what it asks", u.Name)
		}
	}
}

func brief() Effort {
	e := effort(1)
	e.Limit = time.Nanosecond
	return e
}

// clocked has a launch take a second, and each turn of each threadgroup a millisecond.
func clocked(d metalrun.Dispatch, o *metalrun.Outcome) {
	iterations := binary.LittleEndian.Uint32(d.Bindings[2].Data)
	o.Duration = time.Second + time.Duration(int(iterations)*d.Threadgroups.X)*time.Millisecond
}

// What a launch costs cancels.
func TestIterations(t *testing.T) {
	iterations, err := measureIterations(altered{sim.New(sim.Semantics{}), clocked},
		sim.New(sim.Semantics{Profile: true}), brief(), Microkernels()[:1], tiny)
	if err != nil {
		t.Fatal(err)
	}
	if u := iterations[0]; u.Threadgroups != 4 || math.Abs(u.Seconds-4e-3) > 1e-12 {
		t.Errorf("%d threadgroups take %v s a turn", u.Threadgroups, u.Seconds)
	}
}

// A device that computes something else is refused, whether every device computes the same or functions are allowed
// for.
func TestWrongTurns(t *testing.T) {
	for i, m := range Microkernels() {
		if testing.Short() && i%4 != 0 {
			continue
		}
		_, err := measureIterations(altered{sim.New(sim.Semantics{}), wrong}, sim.New(sim.Semantics{Profile: true}),
			brief(),
			[]Microkernel{m}, tiny)
		if !errors.Is(err, metalrun.ErrUnusable) {
			t.Errorf("%s: %v", m.Name, err)
		}
	}
}
