package suite

import (
	"math"
	"testing"

	"metalconform/metalrun"

	"github.com/google/go-cmp/cmp"
)

// Of each output the element that uses most of its bound is shown, as all three have it.
func TestThreeWays(t *testing.T) {
	off := func(by ...float32) *fakeRunner {
		return &fakeRunner{kernels: map[string]func(metalrun.Dispatch) error{"product": func(d metalrun.Dispatch) error {
			err := runProduct(d)
			for i, x := range by {
				memory{d}.set(argY, i, memory{d}.f32(argY, i)*x)
			}
			return err
		}}}
	}
	opts := Options{Shaders: shadersOf(t, nil)}
	c := Cases([]Family{{Kernels: []Kernel{only(product(), "normal")}}}, Quick)[0]
	list, err := ThreeWays(off(), off(1, 1, 1.5, 1.25), opts, c)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Output)
	}
	if diff := cmp.Diff([]string{"y", "copy", "hits"}, names); diff != "" {
		t.Fatalf("outputs (-want +got):\n%s", diff)
	}
	y := list[0]
	if diff := cmp.Diff([]int{0, 2}, y.Index); diff != "" || y.Differ != 2 || y.Of != 24 || math.Abs(y.Device/y.Simulator-1.5) > 1e-6 || math.Abs(y.Want/y.Simulator-1) > 1e-6 || !(y.Bound > 0) {
		t.Errorf("%+v, index (-want +got):\n%s", y, diff)
	}
	if list[1].Differ != 0 {
		t.Errorf("%+v", list[1])
	}
}

func TestUsed(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct{ got, want, bound, used float64 }{
		{1, 1, 0, 0}, {nan, nan, 1, 0}, {inf, inf, 0, 0}, {1.5, 1, 2, 0.25}, {1.5, 1, 0, inf}, {nan, 1, 1, inf}, {inf, 1, 1, inf}, {9, 1, inf, 0},
	} {
		if got := used(test.got, test.want, test.bound); got != test.used {
			t.Errorf("%+v: %v", test, got)
		}
	}
}
