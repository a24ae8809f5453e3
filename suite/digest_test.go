package suite

import (
	"context"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"

	"github.com/google/go-cmp/cmp"
)

// unsteady is the product, with the last bit of one element flipped in some of
// its runs, counted from 1. Only the first is compared with the oracle.
func unsteady(flipped ...int) func(metalrun.Dispatch) error {
	run := 0
	return func(d metalrun.Dispatch) error {
		run++
		err := runProduct(d)
		for _, n := range flipped {
			if run == n {
				runnertest.Memory{Dispatch: d}.SetBits(argY, 17, runnertest.Memory{Dispatch: d}.Bits(argY, 17)^1)
			}
		}
		return err
	}
}

// conducted is the only case of a kernel, with run in its place, as it is after
// all launches.
func conducted(t *testing.T, k Kernel, run func(metalrun.Dispatch) error, repeat int, ref *Plain) (*CaseRun, Result) {
	t.Helper()
	c := Cases([]Family{{Kernels: []Kernel{k}}}, Quick)[0]
	runner := &runnertest.Runner{Kernels: runnertest.Functions{"product": run}}
	trial := newCaseRun(c, caseOptions{runner: runner, repeat: repeat, plain: ref})
	r := Result{Status: Pass}
	if !trial.BindKernel(shadersOf(t, nil), &r) {
		t.Fatal(r.Text())
	}
	if trial.BindBuffers(&r) {
		trial.Conduct(&r)
	}
	return trial, r
}

func TestRepeat(t *testing.T) {
	for _, test := range []struct {
		name     string
		run      func(metalrun.Dispatch) error
		repeat   int
		distinct int
		text     string // in the failure; empty if it passes
	}{
		{"once", unsteady(2), 0, 0, ""},
		{"steady", runProduct, 4, 1, ""}, // which adds to what it finds: inputs have to be restored
		{"one run differs", unsteady(3), 5, 2, "y[2, 1] = "},
		{"where it differs", unsteady(3), 5, 2,
			" in run 3, from the same inputs; 1 of 24 elements differs; 2 distinct outputs in 5 runs"},
		{"every later run differs", unsteady(2, 3), 3, 2, " in run 2, "},
		{"too few runs to tell", unsteady(5), 4, 1, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			trial, r := conducted(t, only(product(), "positive"), test.run, test.repeat, nil)
			if left := trial.digest(); left != r.Digest {
				t.Errorf("the buffers are left with digest %s, want that of the first run, %s", left, r.Digest)
			}
			if r.Distinct != test.distinct || len(r.Digest) != 16 {
				t.Errorf("%d distinct outputs, digest %q, want %d", r.Distinct, r.Digest, test.distinct)
			}
			switch {
			case test.text == "" && r.Status != Pass:
				t.Errorf("%s: %s, want a pass", r.Status, r.Text())
			case test.text != "" &&
				(r.Status != Fail || len(r.Failures) != 1 || r.Failures[0].Check != CheckDeterminism ||
					!strings.Contains(r.Text(), test.text)):
				t.Errorf("%s: %s, want one failure of %s with %q", r.Status, r.Text(), CheckDeterminism, test.text)
			}
		})
	}
}

// TestRepeatKeepsOtherFailures: a kernel may be both wrong and unsteady.
func TestRepeatKeepsOtherFailures(t *testing.T) {
	run := unsteady(2)
	r := results(t, only(product(), "positive"), func(d metalrun.Dispatch) error {
		err := run(d)
		runnertest.Memory{Dispatch: d}.Set(argY, 0, 100)
		return err
	}, Options{Repeat: 2})[0]
	var checks []Check
	for _, f := range r.Failures {
		checks = append(checks, f.Check)
	}
	if diff := cmp.Diff([]Check{CheckBound, CheckDeterminism}, checks); diff != "" {
		t.Errorf("checks (-want +got):\n%s", diff)
	}
}

// TestFaultInALaterRun: what ends any run ends the case.
func TestFaultInALaterRun(t *testing.T) {
	run := 0
	r := results(t, only(product(), "normal"), func(d metalrun.Dispatch) error {
		if run++; run == 3 {
			return &metalrun.Fault{Message: "index out of range"}
		}
		return runProduct(d)
	}, Options{Repeat: 3})[0]
	if r.Status != Fail || r.Failures[0].Check != CheckFault {
		t.Errorf("%s: %s, want a fault", r.Status, r.Text())
	}
}

// TestDigests: the digest depends on every bit that was written and on nothing
// else.
func TestDigests(t *testing.T) {
	digest := func(run func(metalrun.Dispatch) error) string {
		return results(t, only(product(), "positive"), run, Options{})[0].Digest
	}
	first := digest(runProduct)
	if again := digest(runProduct); again != first {
		t.Errorf("digests %s and %s of the same run", first, again)
	}
	for name, arg := range map[string]int{"y": argY, "copy": argCopy, "hits": argHits} {
		other := digest(func(d metalrun.Dispatch) error {
			err := runProduct(d)
			runnertest.Memory{Dispatch: d}.SetBits(arg, 1, runnertest.Memory{Dispatch: d}.Bits(arg, 1)^1)
			return err
		})
		if other == first {
			t.Errorf("a bit of %s does not change the digest", name)
		}
	}
	if r := results(t, only(product(), "normal"), func(metalrun.Dispatch) error {
		return &metalrun.Fault{Message: "index out of range"}
	}, Options{})[0]; r.Digest != "" {
		t.Errorf("digest %s of a run that a fault ended", r.Digest)
	}
}

// TestRepeatOfAPipeline repeats each stage and names the one that differs.
func TestRepeatOfAPipeline(t *testing.T) {
	first, second := loose(), loose()
	second.Name = "twin"
	families := []Family{{Kernels: []Kernel{first, second}}, {Pipelines: []Pipeline{twins(pair)}}}
	var test Case
	for _, c := range Cases(families, Quick) {
		if c.Pipeline != nil && test.Pipeline == nil {
			test = c
		}
	}
	shaders := shadersOf(t, map[string]string{"product.metal": "kernel product\nkernel twin"})
	judge := func(product, twin func(metalrun.Dispatch) error) (got Result) {
		runner := &runnertest.Runner{Kernels: runnertest.Functions{"product": product,
			"twin": twin}}
		err := Run(context.Background(), runner, Options{Shaders: shaders, Repeat: 3}, []Case{test},
			func(r Result) { got = r })
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	steady := judge(runProduct, runProduct)
	if steady.Status != Pass || steady.Distinct != 1 || len(steady.Digest) != 16 {
		t.Errorf("%s: %s, %d distinct outputs, digest %q", steady.Status, steady.Text(), steady.Distinct, steady.Digest)
	}
	var outputs []string
	for _, m := range steady.Outputs {
		outputs = append(outputs, m.Stage+": "+m.Output)
	}
	if diff := cmp.Diff([]string{
		"stage 1, product: y", "stage 1, product: copy", "stage 1, product: hits",
		"stage 2, twin: y", "stage 2, twin: copy", "stage 2, twin: hits",
	}, outputs); diff != "" {
		t.Errorf("outputs (-want +got):\n%s", diff)
	}
	r := judge(runProduct, unsteady(2))
	if r.Status != Fail || r.Distinct != 2 || r.Failures[0].Check != CheckDeterminism ||
		r.Failures[0].Stage != "stage 2, twin" {
		t.Errorf("%s: %s, %d distinct outputs, want a failure of %s in stage 2", r.Status, r.Text(), r.Distinct,
			CheckDeterminism)
	}
	for name, r := range map[string]Result{
		"first":  judge(unsteady(1, 2, 3), runProduct),
		"second": judge(runProduct, unsteady(1, 2, 3)),
	} {
		if r.Status != Pass || r.Digest == steady.Digest {
			t.Errorf("%s: %s, digest %s: it does not depend on the %s stage", r.Status, r.Text(), r.Digest, name)
		}
	}
}

// loose is the product with room for another last bit of y.
func loose() Kernel {
	k := product()
	k.Oracle = func(p *Problem) Answers {
		answers := productOracle(p)
		y := answers["y"]
		y.Budget = append(y.Budget, y.Budget[0], y.Budget[0], y.Budget[0])
		answers["y"] = y
		return answers
	}
	return k
}

// TestVsPlain compares the errors of a kernel with those of the plain implementation,
// and leaves the outputs as the kernel wrote them.
func TestVsPlain(t *testing.T) {
	plain := func(run func(metalrun.Dispatch) error, kernel string) *Plain {
		return &Plain{
			Runner:  &runnertest.Runner{Kernels: runnertest.Functions{"product": run}},
			Shaders: shadersOf(t, map[string]string{"plain.metal": "kernel " + kernel}),
		}
	}
	// 2 and 6 units of y above its exact value, in every element.
	above := func(units uint32) func(metalrun.Dispatch) error {
		return func(d metalrun.Dispatch) error {
			err := runProduct(d)
			m := runnertest.Memory{Dispatch: d}
			for i := range m.Count(argX) {
				m.Set(argY, i, 1.5)
				m.SetBits(argY, i, m.Bits(argY, i)+units)
			}
			return err
		}
	}
	k := only(product(), "positive")
	k.Sweep.Inputs[3].Fills = Fills{"x": Every(1.5), "w": Every(1)}
	_, alone := conducted(t, k, above(6), 2, nil)
	for _, test := range []struct {
		name string
		ref  *Plain
		want float64 // of y
		note string
	}{
		{"not asked for", nil, 0, ""},
		{"a third of the error", plain(above(2), "product"), 3, ""},
		{"as good", plain(above(6), "product"), 1, ""},
		{"no plain implementation", plain(above(6), "other"), 0,
			"no plain implementation: absent: no file exports a kernel of that name"},
		{"faulty plain implementation",
			plain(func(metalrun.Dispatch) error { return &metalrun.Fault{Message: "index out of range"} }, "product"),
			0, "index out of range"},
	} {
		t.Run(test.name, func(t *testing.T) {
			trial, r := conducted(t, k, above(6), 0, test.ref)
			if left := trial.digest(); r.Digest != alone.Digest || left != alone.Digest {
				t.Errorf("digest %s, and %s of what is left in the buffers, want %s without a plain implementation",
					r.Digest, left, alone.Digest)
			}
			if got := value(r, 0, "vs_plain"); r.Outputs[0].Output != "y" || got != test.want {
				t.Errorf("error of %s as a multiple of the plain one = %g, want %g", r.Outputs[0].Output, got,
					test.want)
			}
			// Both are exact, if the plain implementation starts from the same inputs.
			if got := value(r, 2, "vs_plain"); r.Outputs[2].Output != "hits" || got != min(1, test.want) {
				t.Errorf("error of %s as a multiple of the plain one = %g, want %g", r.Outputs[2].Output, got,
					min(1, test.want))
			}
			if notes := strings.Join(r.Notes, "; "); !strings.Contains(notes, test.note) ||
				test.note == "" && notes != "" {
				t.Errorf("notes %q, want %q", notes, test.note)
			}
		})
	}
}
