package kernels

import (
	"slices"
	"strings"
	"testing"

	"metalconform/suite"
)

// In a scaling one axis varies, all kernels have the same ones, and each takes all shapes.
func TestScalings(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Scalings() {
		if names[s.Name] || len(s.Kernels) < 2 || len(s.Values) < 3 || !slices.IsSorted(s.Values) {
			t.Errorf("%s: kernels %v, values %v", s.Name, s.Kernels, s.Values)
		}
		names[s.Name] = true
		for n, cases := range s.Cases(All()) {
			if len(cases) != len(s.Kernels) {
				t.Fatalf("%s: %d cases of %d kernels", s.Name, len(cases), len(s.Kernels))
			}
			point := ""
			for i, c := range cases {
				if c.Kernel.Name != s.Kernels[i] || len(suite.Measurable([]suite.Case{c})) != 1 {
					t.Errorf("%s: %s cannot be timed as %s", s.Name, c.Name, s.Kernels[i])
				}
				if len(c.Shape) != len(c.Kernel.Axes) || len(s.Others) != len(c.Kernel.Axes)-1 || c.Shape[s.Axis] != s.Values[n] {
					t.Errorf("%s: shape %v of axes %v", s.Name, c.Shape, c.Kernel.Axes)
				}
				if err := c.Kernel.Check(c.Shape); err != nil {
					t.Errorf("%s: %v", c.Name, err)
				}
				_, at, _ := strings.Cut(c.Name, "/")
				if point == "" {
					point = at
				}
				if at != point {
					t.Errorf("%s: %s is not at %s", s.Name, c.Name, point)
				}
			}
		}
	}
}
