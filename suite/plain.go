package suite

import (
	"reflect"
	"strings"

	"metalconform/metalrun"
)

// Plain is a plain evaluation of the same kernels, which errors are related to:
// how much larger they are than what the same mathematics costs in the same formats
// without any cleverness.
type Plain struct {
	Runner  metalrun.Runner
	Shaders *Shaders
}

// comparePlain launches the plain kernel from the inputs of a case that has run,
// and relates each output to that of the plain kernel. If there is none, a note
// says why.
func (t *caseRun) comparePlain(before contents, r *Result) {
	plain, own := *t, Result{Case: r.Case}
	plain.runner = t.plain.Runner
	after := t.contents()
	t.restore(before)
	defer t.restore(after)
	if !plain.find(t.plain.Shaders, &own) {
		r.Notes = append(r.Notes, own.withoutPlain())
		return
	}
	if !reflect.DeepEqual(plain.tables, t.tables) {
		r.Notes = append(r.Notes, "no plain evaluation: its tables are others")
		return
	}
	if _, ok := plain.run(&own); !ok || !plain.compare(&own) {
		r.Notes = append(r.Notes, own.withoutPlain())
		return
	}
	for i := range r.Outputs {
		t.metrics.Or().Relate(&r.Outputs[i], own.Outputs[i])
	}
}

// withoutPlain says why there is no plain evaluation, whatever the case.
func (r *Result) withoutPlain() string {
	return "no plain evaluation: " + strings.TrimPrefix(r.Message, r.Case+": ")
}
