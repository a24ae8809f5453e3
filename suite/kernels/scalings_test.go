package kernels

import (
	"slices"
	"testing"

	"metalconform/suite"
)

// In a scaling one axis varies, every line has times at three values at least, each kernel
// of it one case, and all other axes are said.
func TestScalings(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Scalings() {
		if names[s.Name] || len(s.Lines) < 2 || !slices.IsSorted(s.Values) {
			t.Errorf("%s: lines %v, values %v", s.Name, s.Lines, s.Values)
		}
		names[s.Name] = true
		grouped := s.Cases(All())
		for _, l := range s.Lines {
			points := 0
			for n, v := range s.Values {
				cases := l.Cases(All(), v)
				if len(cases) == 0 {
					continue
				}
				points++
				if len(cases) != len(l.Kernels) {
					t.Fatalf("%s: %d cases of %d kernels of %s", s.Name, len(cases), len(l.Kernels), l.Name)
				}
				for i, c := range cases {
					if c.Kernel.Name != l.Kernels[i] || len(suite.Measurable([]suite.Case{c})) != 1 {
						t.Errorf("%s: %s cannot be timed as %s", s.Name, c.Name, l.Kernels[i])
					}
					if c.Shape[l.Axis] != v {
						t.Errorf("%s: %s is not at %s=%d", s.Name, c.Name, l.Axis, v)
					}
					for _, a := range c.Kernel.Axes {
						if _, said := l.Others[a]; !said && a != l.Axis {
							t.Errorf("%s: %s of %s is not said", s.Name, a, c.Name)
						}
					}
					if times := slices.IndexFunc(grouped[n],
						func(o suite.Case) bool { return o.Name == c.Name }); times < 0 {
						t.Errorf("%s: %s is not timed", s.Name, c.Name)
					}
				}
			}
			if points < 3 {
				t.Errorf("%s: %s has %d points", s.Name, l.Name, points)
			}
		}
		for _, cases := range grouped {
			slices.SortFunc(cases, func(a, b suite.Case) int { return len(a.Name) - len(b.Name) })
			for i, c := range cases {
				if slices.ContainsFunc(cases[i+1:], func(o suite.Case) bool { return o.Name == c.Name }) {
					t.Errorf("%s: %s is timed twice in a turn", s.Name, c.Name)
				}
			}
		}
	}
}
