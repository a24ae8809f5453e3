package explain

import (
	"encoding/json"
	"math"
	"metalconform/metalrun/runnertest"
	"metalconform/suite"
	"metalconform/suite/suitetest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
)

// explained is the explanation of a case of the product with run in its place.
func explained(t *testing.T, input, place string, run func(metalrun.Dispatch) error) (Explanation, error) {
	t.Helper()
	at, err := suite.ParseSelector(place)
	if err != nil {
		t.Fatal(err)
	}
	k := suitetest.Only(suitetest.Product(), input)
	c := suite.Cases([]suite.Family{{Name: "test", Kernels: []suite.Kernel{k}}}, suite.Quick)[0]
	r := &runnertest.Runner{Kernels: runnertest.Functions{"product": run}}
	return Explain(r, suite.Options{Shaders: suitetest.Shaders(t, nil), Seed: 7}, c, at)
}

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		name, input, place string
		run                func(metalrun.Dispatch) error
		element            string
		check              suite.Check // that the element fails
		status             suite.Status
	}{
		{"the one that fails", "normal", "", suitetest.OneOver, "y[2, 1]", suite.CheckBound, suite.Fail},
		{"one of an output", "normal", "y[2, 1]", suitetest.OneOver, "y[2, 1]", suite.CheckBound, suite.Fail},
		{"by its number", "normal", "y[17]", suitetest.OneOver, "y[2, 1]", suite.CheckBound, suite.Fail},
		{"one beside", "normal", "y[0, 3]", suitetest.OneOver, "y[0, 3]", "", suite.Fail},
		{"the worst of an output that conforms", "normal", "copy", suitetest.OneOver, "copy[0, 0]", "", suite.Fail},
		{"the worst of an output that does not", "normal", "copy", suitetest.AndWrongCopy, "copy[0, 5]",
			suite.CheckExact, suite.Fail},
		{"NaN", "nan_x", "hits", suitetest.RunProduct, "hits[0]", "", suite.Pass},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, err := explained(t, test.input, test.place, test.run)
			if err != nil {
				t.Fatal(err)
			}
			a := e.Element
			if got := (suite.Element{Arg: a.Output, Index: a.Index}).String(); got != test.element ||
				a.Check != test.check || a.Conforms != (test.check == "") || e.Status != test.status {
				t.Errorf("%s: %s fails %q, conforms %v; want %s: %s fails %q", e.Status, got, a.Check, a.Conforms,
					test.status, test.element, test.check)
			}
			if _, err := json.Marshal(e); err != nil {
				t.Error(err)
			}
		})
	}
}

// A run that is asked for it explains the elements that fail as explain does, and no others.
func TestRunExplains(t *testing.T) {
	e, err := explained(t, "normal", "", suitetest.OneOver)
	if err != nil {
		t.Fatal(err)
	}
	k := suitetest.Only(suitetest.Product(), "normal")
	for _, test := range []struct {
		run  func(metalrun.Dispatch) error
		opts suite.Options
		want *suite.Background
	}{
		{suitetest.OneOver, suite.Options{Seed: 7, Explain: BackgroundOf}, &e.Background},
		{suitetest.OneOver, suite.Options{Seed: 7}, nil},
		{suitetest.RunProduct, suite.Options{Seed: 7, Explain: BackgroundOf}, nil},
	} {
		if diff := cmp.Diff(test.want, suitetest.Results(t, k, test.run, test.opts)[0].Explained); diff != "" {
			t.Errorf("explained (-want +got):\n%s", diff)
		}
	}
}

// The figures of an account follow from each other, and are those of the run.
func TestAccount(t *testing.T) {
	e, err := explained(t, "normal", "", suitetest.OneOver)
	if err != nil {
		t.Fatal(err)
	}
	r := suitetest.Results(t, suitetest.Only(suitetest.Product(), "normal"), suitetest.OneOver,
		suite.Options{Seed: 7})[0]
	f, a := r.Failures[0], e.Element
	if a.ErrorRatio != r.ErrorRatio || math.Abs(a.Error) != f.Error || a.Bound.Value != f.Bound.Value ||
		a.Got.Value != *f.Got || e.Text() != r.Text() || e.Replay != r.Replay {
		t.Errorf("explained %+v, judged %+v", a, f)
	}
	if diff := cmp.Diff(suite.Bound{Value: a.Bound.Value, Terms: []suite.Term{{Label: "u|y|", Value: a.Bound.Value}}},
		a.Bound); diff != "" {
		t.Errorf("bound (-want +got):\n%s", diff)
	}
	below, above := a.Neighbours[0], a.Neighbours[1]
	if !(below.Error <= 0 && 0 <= above.Error) || math.Abs(above.Ulp-below.Ulp-1) > 1e-9 ||
		a.Rounded != below.Word && a.Rounded != above.Word {
		t.Errorf("want rounds to %v between %v and %v", a.Rounded, below, above)
	}
	want := []suite.Summary{
		{Arg: "x", Type: "f32", Part: []int{2}, Axes: []string{"rows", "n"}, Extents: []int{3, 8}, Elements: 8},
		{Arg: "w", Type: "bf16", Axes: []string{"n"}, Extents: []int{8}, Elements: 8},
		{Arg: "hits", Type: "f32", Axes: []string{"n"}, Extents: []int{8}, Elements: 8},
	}
	for i, part := range a.Reads {
		if part.Same == nil || len(part.First) != 6 {
			t.Errorf("part %+v shows too little", part)
		}
		part.Min, part.Max, part.Zeros, part.First, part.Same = 0, 0, 0, nil, nil
		if diff := cmp.Diff(want[i], part); diff != "" {
			t.Errorf("part (-want +got):\n%s", diff)
		}
	}
}

// What was there before the launch is what an element was made from.
func TestExplainReadsWhatWasThere(t *testing.T) {
	e, err := explained(t, "zeros", "hits[1]", suitetest.RunProduct)
	if err != nil {
		t.Fatal(err)
	}
	hits := e.Element.Reads[2]
	if hits.Arg != "hits" || hits.Same.Value == e.Element.Got.Value || hits.Same.Index[0] != 1 ||
		hits.First[1] != hits.Same.Value {
		t.Errorf("after the launch %v, before it %+v", e.Element.Got, hits)
	}
}

func TestExplainMistakes(t *testing.T) {
	for place, want := range map[string]string{
		"z":        `product has no output "z": it has y, copy, hits`,
		"x[0, 0]":  `product has no output "x"`,
		"1, 2":     "an element of which output: y, copy, hits?",
		"y[3, 0]":  "y[3, 0] is outside: the extents of y are [3, 8]",
		"y[24]":    "y[24] is outside",
		"y[0,0,0]": "y has 2 indices, its extents are [3, 8]",
		"hits[5]":  "hits[5] is left as it was",
		"end: y":   `product is a kernel, and no pipeline that has a stage "end"`,
	} {
		if _, err := explained(t, "normal", place, suitetest.RunProduct); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", place, err, want)
		}
	}
	k := suitetest.Product()
	for _, c := range suite.Cases([]suite.Family{{Kernels: []suite.Kernel{k}}}, suite.Quick) {
		if !c.Refused() {
			continue
		}
		if _, err := Explain(&runnertest.Runner{}, suite.Options{}, c, suite.Selector{}); err == nil ||
			!strings.Contains(err.Error(), "nothing is launched") {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

// A case that cannot be judged has no element to explain, and says why.
func TestExplainUnjudged(t *testing.T) {
	e, err := explained(t, "normal", "", func(metalrun.Dispatch) error { return &metalrun.Fault{} })
	if err != nil || e.Element != nil || e.Status != suite.Fail || e.Text() == "" {
		t.Errorf("%v, %+v", err, e)
	}
}
