package suite

import (
	"reflect"

	"metalconform/metalrun"
)

// Plain is the plain implementation of the same kernels, which errors are compared
// with: how much larger they are than what the same mathematics costs in the same
// formats without any cleverness.
type Plain struct {
	Runner  metalrun.Runner
	Shaders *Shaders
}

// comparePlain launches the plain implementation from the inputs of a case that has
// run, and gives each output its error as a multiple of the plain one's. Why there
// is none is a note.
func (t *CaseRun) comparePlain(before Contents, r *Result) {
	plain, own := t.under(func(o *caseOptions) { o.runner, o.declared = o.plain.Runner, nil }), Result{Case: r.Case}
	after := t.Contents()
	t.Restore(before)
	defer t.Restore(after)
	if !plain.BindKernel(t.plain.Shaders, &own) {
		r.Notes = append(r.Notes, own.withoutPlain())
		return
	}
	if !reflect.DeepEqual(plain.tables, t.tables) {
		r.Notes = append(r.Notes, "no plain implementation: its tables are others")
		return
	}
	if _, ok := plain.Run(&own); !ok || !plain.Compare(&own) {
		r.Notes = append(r.Notes, own.withoutPlain())
		return
	}
	for i := range r.Outputs {
		t.metrics.Or().Relate(&r.Outputs[i], own.Outputs[i])
	}
}

// withoutPlain says why the plain implementation did not run, or gave nothing to
// compare with.
func (r *Result) withoutPlain() string { return "no plain implementation: " + r.Text() }
