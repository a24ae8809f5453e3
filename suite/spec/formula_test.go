package spec

import (
	"testing"

	"metalconform/suite"
)

// A name is an axis where the point has it, and what the language has elsewhere; a formula keeps what it was for each.
func TestFormula(t *testing.T) {
	f := newFormula("max(n, 2) * (k if n > 3 else 1) + len([n for n in range(2)])")
	for _, test := range []struct {
		point suite.Shape
		want  string
	}{
		{suite.Shape{"n": 5, "k": 7}, "37"},
		{suite.Shape{"n": 1, "k": 7}, "4"},
		{suite.Shape{"n": 6, "k": 1}, "8"},
		{suite.Shape{"n": 5}, "undefined: k"},
		{suite.Shape{"n": 5, "k": 7, "max": 1}, "invalid call of non-function (int)"},
		{suite.Shape{"n": 5, "k": 7}, "37"},
	} {
		v, err := f.at(test.point, "threads")
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = v.String()
		}
		if got != test.want {
			t.Errorf("at %v: %s, want %s", test.point, got, test.want)
		}
	}
	if _, err := newFormula("n +").at(suite.Shape{"n": 1}, "threads"); err == nil {
		t.Error("a syntax error has a value")
	}
}
