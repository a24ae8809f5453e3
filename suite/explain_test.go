package suite

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// explained is the explanation of a case of the product with run in its place.
func explained(t *testing.T, input, place string, run func(metalrun.Dispatch) error) (Explanation, error) {
	t.Helper()
	at, err := ParseSelector(place)
	if err != nil {
		t.Fatal(err)
	}
	k := only(product(), input)
	c := Cases([]Family{{Name: "test", Kernels: []Kernel{k}}}, Quick)[0]
	r := &fakeRunner{kernels: map[string]func(metalrun.Dispatch) error{"product": run}}
	return Explain(r, Options{Shaders: shadersOf(t, nil), Seed: 7}, c, at)
}

func TestExplain(t *testing.T) {
	for _, test := range []struct {
		name, input, place string
		run                func(metalrun.Dispatch) error
		element            string
		check              Check // that the element fails
		status             Status
	}{
		{"the one that fails", "normal", "", oneOver, "y[2, 1]", CheckBound, Fail},
		{"one of an output", "normal", "y[2, 1]", oneOver, "y[2, 1]", CheckBound, Fail},
		{"by its number", "normal", "y[17]", oneOver, "y[2, 1]", CheckBound, Fail},
		{"one beside", "normal", "y[0, 3]", oneOver, "y[0, 3]", "", Fail},
		{"the worst of an output that conforms", "normal", "copy", oneOver, "copy[0, 0]", "", Fail},
		{"the worst of an output that does not", "normal", "copy", andWrongCopy, "copy[0, 5]", CheckExact, Fail},
		{"NaN", "nan_x", "hits", runProduct, "hits[0]", "", Pass},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, err := explained(t, test.input, test.place, test.run)
			if err != nil {
				t.Fatal(err)
			}
			a := e.Element
			if got := (Element{Arg: a.Output, Index: a.Index}).String(); got != test.element || a.Check != test.check || a.Conforms != (test.check == "") || e.Status != test.status {
				t.Errorf("%s: %s fails %q, conforms %v; want %s: %s fails %q", e.Status, got, a.Check, a.Conforms, test.status, test.element, test.check)
			}
			if _, err := json.Marshal(e); err != nil {
				t.Error(err)
			}
		})
	}
}

// A run that is asked for it explains the elements that fail as explain does, and no others.
func TestRunExplains(t *testing.T) {
	e, err := explained(t, "normal", "", oneOver)
	if err != nil {
		t.Fatal(err)
	}
	k := only(product(), "normal")
	for _, test := range []struct {
		run  func(metalrun.Dispatch) error
		opts Options
		want *Background
	}{
		{oneOver, Options{Seed: 7, Explain: true}, &e.Background},
		{oneOver, Options{Seed: 7}, nil},
		{runProduct, Options{Seed: 7, Explain: true}, nil},
	} {
		if diff := cmp.Diff(test.want, results(t, k, test.run, test.opts)[0].Explained); diff != "" {
			t.Errorf("explained (-want +got):\n%s", diff)
		}
	}
}

// The figures of an account follow from each other, and are those of the run.
func TestAccount(t *testing.T) {
	e, err := explained(t, "normal", "", oneOver)
	if err != nil {
		t.Fatal(err)
	}
	r := results(t, only(product(), "normal"), oneOver, Options{Seed: 7})[0]
	f, a := r.Failures[0], e.Element
	if a.ErrorRatio != r.ErrorRatio || math.Abs(a.Error) != f.Error || a.Bound.Value != f.Bound.Value || a.Got.Value != *f.Got || e.Text() != r.Text() || e.Replay != r.Replay {
		t.Errorf("explained %+v, judged %+v", a, f)
	}
	if diff := cmp.Diff(Bound{a.Bound.Value, []Term{{"u|y|", a.Bound.Value}}}, a.Bound); diff != "" {
		t.Errorf("bound (-want +got):\n%s", diff)
	}
	below, above := a.Neighbours[0], a.Neighbours[1]
	if !(below.Error <= 0 && 0 <= above.Error) || math.Abs(above.Ulp-below.Ulp-1) > 1e-9 || a.Rounded != below.Word && a.Rounded != above.Word {
		t.Errorf("want rounds to %v between %v and %v", a.Rounded, below, above)
	}
	want := []Summary{
		{Arg: "x", Type: "f32", Part: []int{2}, Axes: []string{"rows", "n"}, Extents: []int{3, 8}, Elements: 8},
		{Arg: "w", Type: "bf16", Axes: []string{"n"}, Extents: []int{8}, Elements: 8},
		{Arg: "hits", Type: "f32", Axes: []string{"n"}, Extents: []int{8}, Elements: 8},
	}
	for i, part := range a.Reads {
		if part.Same == nil || len(part.First) != shownFirst {
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
	e, err := explained(t, "zeros", "hits[1]", runProduct)
	if err != nil {
		t.Fatal(err)
	}
	hits := e.Element.Reads[2]
	if hits.Arg != "hits" || hits.Same.Value == e.Element.Got.Value || hits.Same.Index[0] != 1 || hits.First[1] != hits.Same.Value {
		t.Errorf("after the launch %v, before it %+v", e.Element.Got, hits)
	}
}

func TestSummary(t *testing.T) {
	a := In("a", F16, Fixed(7))
	b, err := poisoned(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := b.payload()[:0]
	for _, x := range []float64{-2, 0, math.NaN(), 0x1p-20, 3, math.Inf(1), math.Copysign(0, -1)} {
		p = F16.append(p, x)
	}
	want := Summary{Arg: "a", Type: "f16", Axes: []string{""}, Extents: []int{7}, Elements: 7, Min: -2, Max: 3, Zeros: 2, Subnormal: 1, NonFinite: 2}
	if diff := cmp.Diff(want, b.summary(nil, 0, 7)); diff != "" {
		t.Errorf("summary (-want +got):\n%s", diff)
	}
}

func TestNeighbours(t *testing.T) {
	inf, tiny := math.Inf(1), oracles.F32.SmallestSubnormal()
	for _, test := range []struct {
		format       oracles.Format
		x            float64
		below, above float64
	}{
		{oracles.F32, 1, 1 - 0x1p-24, 1 + 0x1p-23},
		{oracles.F32, -1, -1 - 0x1p-23, -1 + 0x1p-24},
		{oracles.F32, 1 + 0x1p-25, 1, 1 + 0x1p-23},
		{oracles.F32, 1 + 0x1.8p-24, 1, 1 + 0x1p-23},
		{oracles.F32, 0, -tiny, tiny},
		{oracles.F32, tiny, 0, 2 * tiny},
		{oracles.F32, tiny / 4, 0, tiny},
		{oracles.F32, -tiny / 4, -tiny, 0},
		{oracles.F32, oracles.F32.Max(), oracles.F32.Max() - 0x1p104, inf},
		{oracles.F16, 1e6, 65504, inf},
		{oracles.F16, -1e6, -inf, -65504},
		{oracles.BF16, 3.001, 3, 3.015625},
	} {
		if diff := cmp.Diff([]float64{test.below, test.above}, neighbours(test.format, test.x)); diff != "" {
			t.Errorf("%s next to %g (-want +got):\n%s", test.format, test.x, diff)
		}
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
		if _, err := explained(t, "normal", place, runProduct); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", place, err, want)
		}
	}
	k := product()
	for _, c := range Cases([]Family{{Kernels: []Kernel{k}}}, Quick) {
		if c.Input.Name != refused {
			continue
		}
		if _, err := Explain(&fakeRunner{}, Options{}, c, Selector{}); err == nil || !strings.Contains(err.Error(), "nothing is launched") {
			t.Errorf("%s: %v", c.Name, err)
		}
	}
}

// A case that cannot be judged has no element to explain, and says why.
func TestExplainUnjudged(t *testing.T) {
	e, err := explained(t, "normal", "", func(metalrun.Dispatch) error { return &metalrun.Fault{} })
	if err != nil || e.Element != nil || e.Status != Fail || e.Text() == "" {
		t.Errorf("%v, %+v", err, e)
	}
}
