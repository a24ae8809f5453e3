package suite

import (
	"reflect"
	"strings"

	"metalconform/metalrun"
)

// Reference is a plain evaluation of the same kernels, which errors are related
// to: how much larger they are than what the same mathematics costs in the same
// formats without any cleverness.
type Plain struct {
	Runner  metalrun.Runner
	Shaders *Shaders
}

// relate launches the reference kernel from the inputs of a trial that has run,
// and gives each output its error relative to that of the reference. Why there
// is none is a note.
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
		r.Outputs[i].VsPlain = ratio(r.Outputs[i].RelRMSE, own.Outputs[i].RelRMSE)
	}
}

// ratio is a/b, 1 where both are zero and infinite where b is.
func ratio(a, b float64) float64 {
	switch {
	case a == b:
		return 1
	case b == 0:
		return figure(1 / b)
	}
	return figure(a / b)
}

// unrelated says why there is no plain evaluation, whatever the case.
func (r *Result) withoutPlain() string {
	return "no plain evaluation: " + strings.TrimPrefix(r.Message, r.Case+": ")
}
