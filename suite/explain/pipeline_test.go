package explain

import (
	"metalconform/metalrun/runnertest"
	"metalconform/suite"
	"metalconform/suite/suitetest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// runInvariants is a pipeline of two stages, one that carries a state, with an invariant of each
// kind.
func runInvariants(c *suite.PipelineRun) {
	suitetest.Pair(c)
	c.Copy("one", "kept")
	c.Equal("one", "kept")
	c.Equal("one", "two")
	c.Close("one", "two")
	c.Bounded("end to end", "two", oracles.Answer{Want: c.Values("one"), Budget: []oracles.Term{
		{Label: "first", Error: c.Bounds("one")}, {Label: "second", Error: c.Bounds("two")},
		{Label: "rest", Error: c.Bounds("two")}}})
}

// explainedPipeline is the explanation of a case of a pipeline with twin as its second
// kernel.
func explainedPipeline(t *testing.T, place string, run func(*suite.PipelineRun),
	twin func(metalrun.Dispatch) error) (Explanation, error) {
	t.Helper()
	at, err := suite.ParseSelector(place)
	if err != nil {
		t.Fatal(err)
	}
	shaders := suitetest.Shaders(t, map[string]string{"product.metal": "kernel product\nkernel twin"})
	return Explain(suitetest.TwinRunner(twin), suite.Options{Shaders: shaders, Seed: 7},
		suitetest.PipelineCases(suitetest.Twins(run))[0], at)
}

// lastBit has another last bit in one element: within its bound.
func lastBit(d metalrun.Dispatch) error {
	err := suitetest.RunProduct(d)
	m := runnertest.Memory{Dispatch: d}
	m.SetBits(suitetest.ArgY, 9, m.Bits(suitetest.ArgY, 9)^1)
	return err
}

func TestExplainPipeline(t *testing.T) {
	const second = "stage 2, twin"
	for _, test := range []struct {
		name, place string
		twin        func(metalrun.Dispatch) error
		stage       string
		element     string
		inputs      []string    // name and origin
		check       suite.Check // that the element fails
		status      suite.Status
	}{
		{"the one that fails", "", suitetest.OneOver, second, "y[2, 1]",
			[]string{"x normal", "w normal", "hits as of stage 1, product"}, suite.CheckBound, suite.Fail},
		{"a stage before it", "stage 1, product: y[0, 3]", suitetest.OneOver, "stage 1, product", "y[0, 3]",
			[]string{"x normal", "w normal", "hits normal"}, "", suite.Fail},
		{"the worst of a stage", second + ":", suitetest.OneOver, second, "y[2, 1]",
			[]string{"x normal", "w normal", "hits as of stage 1, product"}, suite.CheckBound, suite.Fail},
		{"one of a stage that fails", second + ": copy[5]", suitetest.OneOver, second, "copy[0, 5]",
			[]string{"x normal", "w normal", "hits as of stage 1, product"}, "", suite.Fail},
		{"the invariant that fails", "", lastBit, "one = two", "two[1, 1]",
			[]string{"one as of stage 1, product", "two as of stage 2, twin"}, suite.CheckEqual, suite.Fail},
		{"beside what fails an invariant", "one = two: two[9]", lastBit, "one = two", "two[1, 1]",
			[]string{"one as of stage 1, product", "two as of stage 2, twin"}, suite.CheckEqual, suite.Fail},
		{"an invariant of bits that holds", "one = kept: [0, 2]", suitetest.RunProduct, "one = kept", "kept[0, 2]",
			[]string{"one as of stage 1, product", "kept as of stage 1, product"}, "", suite.Pass},
		{"an invariant of bounds", "one ~ two: two[0, 2]", suitetest.RunProduct, "one ~ two", "two[0, 2]",
			[]string{"one as of stage 1, product", "two as of stage 2, twin"}, "", suite.Pass},
		{"an invariant of the host", "end to end: two[0, 2]", suitetest.RunProduct, "end to end", "two[0, 2]",
			[]string{"two as of stage 2, twin"}, "", suite.Pass},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, err := explainedPipeline(t, test.place, runInvariants, test.twin)
			if err != nil {
				t.Fatal(err)
			}
			a := e.Element
			if got := (suite.Element{Arg: a.Output, Index: a.Index}).String(); got != test.element ||
				a.Check != test.check || a.Conforms != (test.check == "") {
				t.Errorf("%s fails %q, conforms %v; want %s failing %q", got, a.Check, a.Conforms, test.element,
					test.check)
			}
			if e.Stage.Name != test.stage || e.Status != test.status || e.Kernel != "twins" {
				t.Errorf("%s of %q, %s; want %s of %q", e.Stage.Name, e.Kernel, e.Status, test.stage, "twins")
			}
			var inputs []string
			for _, in := range e.Inputs {
				origin := in.Inputs
				if in.Stage != "" {
					origin = "as of " + in.Stage
				}
				inputs = append(inputs, in.Arg+" "+origin)
			}
			if diff := cmp.Diff(test.inputs, inputs); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
			if invariant := e.Stage.Kernel == ""; invariant != (e.Contract == "") || invariant != (a.Reads == nil) {
				t.Errorf("the contract of %q is %q, and the element is beside %v", e.Stage.Kernel, e.Contract, a.Reads)
			}
		})
	}
}

// What a pipeline prints of a failure is what it can be explained by, and the
// account is that of the failure.
func TestExplainPipelineByItsFailure(t *testing.T) {
	for name, twin := range map[string]func(metalrun.Dispatch) error{"stage": suitetest.OneOver, "invariant": lastBit} {
		worst, err := explainedPipeline(t, "", runInvariants, twin)
		if err != nil {
			t.Fatal(err)
		}
		place := worst.Failures[0].Element().String()
		e, err := explainedPipeline(t, place, runInvariants, twin)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(worst, e); diff != "" || *e.Failures[0].Got != e.Element.Got.Value {
			t.Errorf("%s: %q (-worst +named):\n%s\n%s", name, place, diff, e.Text())
		}
	}
}

// The two sides of an invariant and what they may differ by.
func TestExplainInvariant(t *testing.T) {
	e, err := explainedPipeline(t, "end to end: two[1, 1]",
		func(c *suite.PipelineRun) { suitetest.Pair(c); runInvariants(c) }, lastBit)
	if err == nil { // the invariant of bits fails before it
		t.Fatalf("%v of an invariant that was not reached", e.Element.Want)
	}
	e, err = explainedPipeline(t, "one ~ two: two[1, 1]",
		func(c *suite.PipelineRun) { suitetest.Pair(c); c.Close("one", "two") }, lastBit)
	if err != nil {
		t.Fatal(err)
	}
	a := e.Element
	var labels []string
	for _, term := range a.Bound.Terms {
		labels = append(labels, term.Label)
	}
	if !slices.Equal(labels, []string{"bound of one", "bound of two"}) ||
		a.Bound.Terms[0].Value+a.Bound.Terms[1].Value != a.Bound.Value || a.Ulp != 1 && a.Ulp != -1 {
		t.Errorf("%g ulp, bound %+v", a.Ulp, a.Bound)
	}
	if e.Stage.Want != "one" {
		t.Errorf("want is %q", e.Stage.Want)
	}
	e, err = explainedPipeline(t, "one = two: two[1, 1]", runInvariants, lastBit)
	if err != nil {
		t.Fatal(err)
	}
	if a := e.Element; a.Rule != suite.RuleBits || a.Same.String() != "one[1, 1]" || a.Rounded == a.Got {
		t.Errorf("%s of %s, want %v, got %v", a.Rule, a.Same, a.Rounded, a.Got)
	}
}

// What a stage was given is what was there before it, narrowed to its windows.
func TestExplainPipelineWindows(t *testing.T) {
	run := func(c *suite.PipelineRun) {
		suitetest.Pair(c)
		c.Store("twice", suite.F32, slices.Repeat([]float64{2}, 24))
		c.Launch(suite.Step{Name: "row", Kernel: "twin", Shape: suite.Shape{suitetest.Rows: 1},
			Windows: map[string]suite.Range{"x": {First: 8, End: 16}},
			Buffers: map[string]string{"x": "twice", "y": "row", "copy": "row_copy"}})
	}
	e, err := explainedPipeline(t, "stage 3, row: hits[1]", run, suitetest.RunProduct)
	if err != nil {
		t.Fatal(err)
	}
	if in := e.Inputs[0]; in.Buffer != "twice" || in.From != 8 || in.Origin != (suite.Origin{Host: true}) {
		t.Errorf("x is %s from element %d on, %+v", in.Buffer, in.From, in.Origin)
	}
	if e.Inputs[0].Elements != 8 || e.Inputs[0].Min != 2 || e.Stage.Kernel != "twin" {
		t.Errorf("%+v of %s", e.Inputs[0], e.Stage.Kernel)
	}
	hits := e.Element.Reads[2]
	if hits.Arg != "hits" || hits.Same.Value == e.Element.Got.Value || hits.Same.Index[0] != 1 ||
		hits.First[1] != hits.Same.Value {
		t.Errorf("after the launch %v, before it %+v", e.Element.Got, hits)
	}
}

func TestExplainPipelineMistakes(t *testing.T) {
	for place, want := range map[string]string{
		"y[0]": "twins is a pipeline: an element of which stage or invariant? Say it as failures do, " +
			"such as 'stage 1, product: y[0]'",
		"y":                   "such as 'stage 1, product: y'",
		"stage 2, twin: z":    `twin has no output "z": it has y, copy, hits`,
		"stage 2, twin: 1, 2": "an element of which output: y, copy, hits?",
		"one ~ two: one[0]":   `one ~ two has no output "one": it has two`,
		"one ~ two: [3, 0]":   "two[3, 0] is outside: the extents of two are [3, 8]",
		"stage 3, twin:": `no element of "stage 3, twin" is judged in twins/rows=3/n=8/input=normal: there is ` +
			`stage 1, product; stage 2, twin; one = kept; one = two; one ~ two; end to end`,
	} {
		if _, err := explainedPipeline(t, place, runInvariants, suitetest.RunProduct); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", place, err, want)
		}
	}
}

// A pipeline that cannot be judged has no element to explain, and says why.
func TestExplainPipelineUnjudged(t *testing.T) {
	for name, run := range map[string]func(*suite.PipelineRun){
		"": func(*suite.PipelineRun) { panic("of a host") },
		"stage 1, twin:": func(c *suite.PipelineRun) {
			c.Launch(suite.Step{Kernel: "twin", Shape: suite.Shape{suitetest.Rows: 0}})
		},
		"stage 9, other:": func(c *suite.PipelineRun) {
			c.Launch(suite.Step{Kernel: "twin", Buffers: map[string]string{"x": "z"}})
		},
	} {
		e, err := explainedPipeline(t, name, run, suitetest.RunProduct)
		if err != nil || e.Element != nil || e.Status != suite.Error || e.Text() == "" {
			t.Errorf("%q: %v, %+v", name, err, e)
		}
	}
	e, err := explainedPipeline(t, "", suitetest.Pair, func(metalrun.Dispatch) error { return &metalrun.Fault{} })
	if err != nil || e.Status != suite.Fail || e.Element == nil || e.Stage.Name != "stage 1, product" {
		t.Errorf("a fault behind a stage that conforms: %v, %+v", err, e)
	}
}
