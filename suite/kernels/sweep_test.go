package kernels

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"metalconform/suite"
)

// TestSweeps checks each specification against itself: every point gives all
// axes and nothing else, Check accepts what is launched and refuses what must
// not be, and says which axis, which value and which limit.
func TestSweeps(t *testing.T) {
	for _, f := range All() {
		for _, k := range f.Kernels {
			t.Run(k.Name, func(t *testing.T) {
				t.Parallel()
				for _, s := range slices.Concat(k.Sweep.Shapes, k.Sweep.Full, k.Sweep.Probes) {
					checkAxes(t, k, s)
					if err := k.Check(s); err != nil {
						t.Errorf("%v is in the sweep, and Check refuses it: %v", s, err)
					}
				}
				if len(k.Sweep.Refused) == 0 {
					t.Errorf("no shape that must be refused")
				}
				for _, s := range k.Sweep.Refused {
					checkAxes(t, k, s)
					checkRefusal(t, k, s)
				}
			})
		}
	}
}

// TestPipelineSweeps checks each pipeline against itself in the same way.
func TestPipelineSweeps(t *testing.T) {
	for _, f := range All() {
		for _, c := range f.Pipelines {
			t.Run(c.Name, func(t *testing.T) {
				k := suite.Kernel{Axes: c.Axes, Check: c.Check}
				for _, s := range slices.Concat(c.Sweep.Shapes, c.Sweep.Full, c.Sweep.Probes) {
					checkAxes(t, k, s)
					if err := c.Check(s); err != nil {
						t.Errorf("%v is in the sweep, and Check refuses it: %v", s, err)
					}
				}
				if len(c.Sweep.Refused) == 0 || len(c.Sweep.Probes) == 0 || len(c.Sweep.Inputs) == 0 {
					t.Error("no shape that must be refused, or none that is judged with every input family, or " +
						"no family")
				}
				for _, s := range c.Sweep.Refused {
					checkAxes(t, k, s)
					checkRefusal(t, k, s)
				}
			})
		}
	}
}

func checkAxes(t *testing.T, k suite.Kernel, s suite.Shape) {
	t.Helper()
	got, want := slices.Sorted(maps.Keys(s)), slices.Sorted(slices.Values(k.Axes))
	if !slices.Equal(got, want) {
		t.Errorf("%v gives the axes %v, the kernel has %v", s, got, want)
	}
}

func checkRefusal(t *testing.T, k suite.Kernel, s suite.Shape) {
	t.Helper()
	err := k.Check(s)
	if err == nil {
		t.Errorf("%v must be refused, and Check accepts it", s)
		return
	}
	names := func(a suite.Axis) bool { return strings.Contains(err.Error(), string(a)) }
	if !slices.ContainsFunc(k.Axes, names) {
		t.Errorf("%v is refused without naming an axis: %v", s, err)
	}
	if !strings.Contains(err.Error(), "must be") && !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v is refused without a limit: %v", s, err)
	}
}

// TestFamilyNames checks that families, kernels and pipelines are named once.
func TestFamilyNames(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range All() {
		for _, name := range append([]string{f.Name}, kernelNames(f)...) {
			if seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
	}
}

func kernelNames(f suite.Family) []string {
	var names []string
	for _, k := range f.Kernels {
		names = append(names, k.Name)
	}
	for _, c := range f.Pipelines {
		names = append(names, c.Name)
	}
	return names
}
