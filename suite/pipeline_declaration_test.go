package suite

import (
	"context"
	"slices"
	"strings"
	"testing"

	"metalconform/metalrun"
)

// The second stage of these pipelines has one element some four times its bound
// from what it has to be, and the invariant between both stages fails by it.
func TestPipelineDeclaredVerdict(t *testing.T) {
	const second, invariant, third = "stage 2, twin", "one ~ two", "stage 3, the third"
	run := func(c *PipelineRun) {
		pair(c)
		c.Close("one", "two")
		c.Launch(Step{Name: "the third", Kernel: "product",
			Buffers: map[string]string{"y": "three", "copy": "copy_three"}})
	}
	scope := func(stage string) Scope {
		s := Scope{Cases: mustPattern(t, "twins/.*/input=normal")}
		if stage != "" {
			s.Stage = mustPattern(t, stage)
		}
		return s
	}
	waive := func(ws ...Waiver) *Declarations {
		for i := range ws {
			ws[i].Entry = entryAt("c.toml:1")
		}
		return &Declarations{Waivers: ws}
	}
	expect := func(stage string, check Check) *Declarations {
		return &Declarations{Expectations: []Expectation{{entryAt("c.toml:1"), scope(stage), check}}}
	}
	tests := []struct {
		name     string
		declared *Declarations
		twin     func(metalrun.Dispatch) error
		want     Status
		stages   []string // of the failures that the result has
		last     string   // stage or invariant that was judged
		rests    bool     // on the entry
	}{
		{"nothing declared", nil, oneOver, Fail, []string{second}, second, false},
		{"waived wherever it is", waive(Waiver{Scope: scope(""), Factor: 100}), oneOver, Waived,
			[]string{second, invariant}, third, true},
		{"waived in the stage alone", waive(Waiver{Scope: scope(second), Factor: 100}), oneOver, Fail,
			[]string{invariant}, invariant, true},
		{"waived in the invariant alone", waive(Waiver{Scope: scope(invariant), Factor: 100}), oneOver, Fail,
			[]string{second}, second, false},
		{"waived in each", waive(Waiver{Scope: scope("stage 2, .*"), Factor: 100}, Waiver{Scope: scope(invariant),
			Output: "two", Factor: 100}), oneOver, Waived, []string{second, invariant}, third, true},
		{"waived in part of a name", waive(Waiver{Scope: scope("twin"), Factor: 100}), oneOver, Fail, []string{second},
			second, false},
		{"waived for an element", waive(Waiver{Scope: scope(""), Output: "y", Element: []int{2, 1}, Factor: 100}),
			oneOver, Fail, []string{invariant}, invariant, true},
		{"beyond the factor", waive(Waiver{Scope: scope(""), Factor: 1.5}), oneOver, Fail, []string{second}, second,
			false},
		{"waived in part", waive(Waiver{Scope: scope(""), Factor: 100}), andWrongCopy, Fail, []string{second}, second,
			true},
		{"no need of the waiver", waive(Waiver{Scope: scope(""), Factor: 100}), runProduct, Pass, nil, third, false},
		{"not judged", waive(Waiver{Scope: scope(""), Skip: true}), oneOver, Waived, nil, "", true},

		{"expected", expect("", CheckBound), oneOver, Expected, []string{second}, second, true},
		{"expected there", expect(second, CheckBound), oneOver, Expected, []string{second}, second, true},
		{"expected in the invariant", expect(invariant, CheckBound), oneOver, Fail, []string{second, ""}, second,
			false},
		{"expected by another check", expect(second, CheckExact), oneOver, Fail, []string{second, ""}, second, false},
		{"conforms in spite of it", expect(second, CheckBound), runProduct, Fail, []string{""}, third, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			opts := Options{Shaders: shadersOf(t, map[string]string{"product.metal": "kernel product\nkernel twin"}),
				Declared: test.declared}
			var r Result
			report := func(got Result) { r = got }
			if err := Run(context.Background(), twinRunner(test.twin), opts, pipelineCases(twins(run))[:1],
				report); err != nil {
				t.Fatal(err)
			}
			var stages []string
			for _, f := range r.Failures {
				stages = append(stages, f.Stage)
			}
			if r.Status != test.want || !slices.Equal(stages, test.stages) {
				t.Errorf("got %s in %q, want %s in %q\n%s", r.Status, stages, test.want, test.stages, r.Text())
			}
			last := ""
			if n := len(r.Outputs); n > 0 {
				last = r.Outputs[n-1].Stage
			}
			if last != test.last {
				t.Errorf("the last that was judged is %q, want %q", last, test.last)
			}
			if rests := slices.Equal(r.Declared, positions("c.toml:1")); rests != test.rests {
				t.Errorf("the verdict rests on %v", r.Declared)
			}
			if test.rests && !strings.Contains(strings.Join(r.Notes, "\n"), "(c.toml:1, until 2100-01-01: known)") {
				t.Errorf("notes %q do not give the reason", r.Notes)
			}
		})
	}
}

// A waiver of a stage is about pipelines alone, and is not needed where no stage
// fails.
func TestPipelineWaiverUnneeded(t *testing.T) {
	kernel := Case{Name: "product/n=1", Kernel: &Kernel{Name: "product"}}
	pipeline := Case{Name: "product_twice/n=1", Kernel: &Kernel{Name: "product_twice"},
		Pipeline: &Pipeline{Kernels: []string{"product"}}}
	scope := Scope{Cases: mustPattern(t, "product.*"), Stage: mustPattern(t, ".*")}
	d := &Declarations{Waivers: []Waiver{{Entry: entryAt("c.toml:1"), Scope: scope, Factor: 2}}}
	for name, test := range map[string]struct {
		result Result
		want   bool // not needed
	}{
		"of the kernel":   {Result{Case: kernel.Name, Status: Pass}, false},
		"of the pipeline": {Result{Case: pipeline.Name, Status: Pass}, true},
		"needed":          {Result{Case: pipeline.Name, Status: Waived, Declared: positions("c.toml:1")}, false},
	} {
		if got := d.Unneeded(func(Set) []Case { return []Case{kernel, pipeline} }, []Result{test.result}); len(got) >
			0 != test.want {
			t.Errorf("results %s: %q", name, got)
		}
	}
	r := &Result{Status: Fail, Failures: []Failure{{Check: CheckBound, ErrorRatio: 1.5}}}
	if d.waive(kernel, r); r.Status != Fail {
		t.Error("the waiver of a stage is about a kernel")
	}
}
