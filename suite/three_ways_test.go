package suite

import (
	"errors"
	"math"
	"slices"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"

	"github.com/google/go-cmp/cmp"
)

// Of each output the element that uses most of its bound is shown, as all three have it.
func TestThreeWays(t *testing.T) {
	off := func(by ...float32) *runnertest.Runner {
		return &runnertest.Runner{Kernels: runnertest.Functions{"product": func(
			d metalrun.Dispatch,
		) error {
			err := runProduct(d)
			for i, x := range by {
				runnertest.Memory{Dispatch: d}.Set(argY, i, runnertest.Memory{Dispatch: d}.F32(argY, i)*x)
			}
			return err
		}}}
	}
	c := Cases([]Family{{Kernels: []Kernel{only(product(), "normal")}}}, Quick)
	three := func(opts Options) (list []ThreeWay, notes []string) {
		opts.Shaders = shadersOf(t, nil)
		err := Run(t.Context(), off(1, 1, 1.5, 1.25), opts, c, func(r Result) { list, notes = r.ThreeWays, r.Notes })
		if err != nil {
			t.Fatal(err)
		}
		return list, notes
	}
	if list, _ := three(Options{}); list != nil {
		t.Errorf("%v, and nobody has asked", list)
	}
	list, _ := three(Options{Simulator: off()})
	var names []string
	for _, e := range list {
		names = append(names, e.String())
	}
	if diff := cmp.Diff([]string{"y[0, 2]", "copy[0, 0]", "hits[0]"}, names); diff != "" {
		t.Fatalf("elements (-want +got):\n%s", diff)
	}
	y := list[0]
	near := func(x, y Value, by float64) bool { return math.Abs(float64(x/y)-by) < 1e-6 }
	if y.Differ != 2 || y.Of != 24 || !near(y.Device, y.Simulator, 1.5) || !near(y.Want, y.Simulator, 1) ||
		!(y.Bound > 0) {
		t.Errorf("%+v", y)
	}
	if list[1].Differ != 0 {
		t.Errorf("%+v", list[1])
	}
	broken :=
		&runnertest.Runner{Kernels: runnertest.Functions{"product": func(metalrun.Dispatch) error {
			return errors.New("no memory")
		}}}
	if list, notes := three(Options{Simulator: broken}); list != nil ||
		!slices.Contains(notes, "nothing to compare with, on the simulator: no memory") {
		t.Errorf("%v, notes %q", list, notes)
	}
}

func TestUsed(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct{ got, want, bound, used float64 }{
		{1, 1, 0, 0}, {nan, nan, 1, 0}, {inf, inf, 0, 0}, {1.5, 1, 2, 0.25}, {1.5, 1, 0, inf}, {nan, 1, 1, inf},
		{inf, 1, 1, inf}, {9, 1, inf, 0},
	} {
		if got := used(test.got, test.want, test.bound); got != test.used {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
