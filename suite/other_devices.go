package suite

import (
	"math"
	"metalconform/metalrun"
	"reflect"
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

// compareSimulator launches on the simulator from the inputs of a case that has run, and
// shows each output beside what the device has made of it.
func (t *CaseRun) compareSimulator(before Contents, r *Result) {
	other := *t
	after := t.Contents()
	t.Restore(before)
	kernel, err := t.compiled(t.shaders, t.file, t.simulator)
	if err == nil {
		other.kernel = kernel
		_, err = other.runLaunches()
	}
	simulated := t.Contents()
	t.Restore(after)
	if err != nil {
		r.note("nothing to compare with, on the simulator: " + err.Error())
		return
	}
	for i, b := range t.buffers {
		if b != nil && b.arg.Writable() && b.count() > 0 {
			if e, ok := t.threeWay(b, &buffer{arg: b.arg, data: simulated[i]}); ok {
				r.ThreeWays = append(r.ThreeWays, e)
			}
		}
	}
}

// threeWay is the element of an output with the largest error over bound: the first of
// those that have none to be measured by, if there are any. What a run must not touch has
// no answer.
func (t *CaseRun) threeWay(b, simulated *buffer) (e ThreeWay, ok bool) {
	a := t.answers[b.arg.Name]
	at, most := 0, math.Inf(-1)
	e = ThreeWay{Element: Element{Arg: b.arg.Name}, Of: b.count()}
	for i := range b.count() {
		if b.arg.Type.word(b.payload(), i) != b.arg.Type.word(simulated.payload(), i) {
			e.Differ++
		}
		if r := used(b.value(i), a.Want[i], a.Bound(i)); r > most && !b.leaves(i) {
			at, most = i, r
		}
	}
	e.Index, e.Want, e.Bound = b.arg.index(t.Shape, at), Value(a.Want[at]), Figure(a.Bound(at))
	e.Simulator, e.Device = Value(simulated.value(at)), Value(b.value(at))
	return e, !math.IsInf(most, -1)
}

// used is the part of a bound that an error takes up: 0 if there is no error, and more than
// any other for one that is not a number.
func used(got, want, bound float64) float64 {
	switch e := math.Abs(got - want); {
	case got == want || math.IsNaN(got) && math.IsNaN(want):
		return 0
	case math.IsNaN(e):
		return math.Inf(1)
	case math.IsInf(bound, 1):
		return 0
	default:
		return e / bound
	}
}
