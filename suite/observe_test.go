package suite

import (
	"errors"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"

	"github.com/google/go-cmp/cmp"
)

func TestFew(t *testing.T) {
	k := product()
	k.Sweep.Shapes = nil
	for _, n := range []int{90, 20, 70, 10, 80, 30, 60, 40, 50} {
		k.Sweep.Shapes = append(k.Sweep.Shapes, Shape{rows: 1, wide: n})
	}
	k.Sweep.Probes = []Shape{{rows: 1, wide: 25}}
	cases := Cases([]Family{{Name: "f", Kernels: []Kernel{k}}}, Quick)
	names := func(cases []Case) (list []string) {
		for _, c := range cases {
			list = append(list, c.Name)
		}
		return list
	}
	for n, want := range map[int][]string{
		1: {"product/rows=1/n=10/input=normal"},
		3: {"product/rows=1/n=10/input=normal", "product/rows=1/n=20/input=normal", "product/rows=1/n=30/input=normal"},
	} {
		if diff := cmp.Diff(want, names(Few(cases, "product", n))); diff != "" {
			t.Errorf("%d cases (-want +got):\n%s", n, diff)
		}
	}
	if few := Few(cases, "other", 3); few != nil {
		t.Errorf("cases %v of a kernel that there is not", names(few))
	}
}

// A launch has the case's bindings, and its error and a panic come back.
func TestObserve(t *testing.T) {
	k := product()
	c := Cases([]Family{{Name: "f", Kernels: []Kernel{k}}}, Quick)[0]
	for _, test := range []struct {
		name string
		run  func(metalrun.Dispatch) error
		want string
	}{
		{"conforming", runProduct, ""},
		{"failing", func(metalrun.Dispatch) error { return errors.New("out of order") }, "out of order"},
		{"panicking", func(metalrun.Dispatch) error { panic("lost") }, c.Name + ": internal error: lost"},
	} {
		bindings := 0
		_, err := Observe(runnertest.Kernel{Do: func(d metalrun.Dispatch) error {
			bindings = len(d.Bindings)
			return test.run(d)
		}}, c, 1)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != test.want || bindings != len(k.Args) {
			t.Errorf("%s: error %q and %d bindings, want %q and %d", test.name, got, bindings, test.want, len(k.Args))
		}
	}
}
