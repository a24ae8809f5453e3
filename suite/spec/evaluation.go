package spec

import (
	"errors"
	"fmt"
	"strings"

	"go.starlark.net/starlark"

	"metalconform/internal/printable"
)

// Keys of what an evaluation carries with it.
const (
	placeKey  = "place" // where a program calls a function
	readerKey = "reader"
	meterKey  = "meter"
)

// stepWork is how many operations on elements a step of a definition counts for.
const stepWork = 16

// newThread is one evaluation, with limits of its own.
func newThread(name string, m *meter) *starlark.Thread {
	thread := &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	stepping(thread, m.limits, 1)
	thread.SetLocal(meterKey, m)
	return thread
}

// stepping gives an evaluation a multiple of the steps of a definition.
func stepping(thread *starlark.Thread, l *Limits, times int64) {
	most := times * l.of(Steps)
	thread.SetMaxExecutionSteps(uint64(most))
	thread.OnMaxSteps = func(thread *starlark.Thread) {
		thread.Cancel(l.beyond(most, Steps, "more than %d steps").Error())
	}
}

// positioned is an error of Starlark in one line that begins where it happened: the innermost
// place in a file.
func positioned(err error) error {
	var failed *starlark.EvalError
	if !errors.As(err, &failed) {
		return err
	}
	message, cancelled := strings.CutPrefix(printable.Message(failed.Msg), "Starlark computation cancelled: ")
	var e excess
	cancelled = cancelled || errors.As(err, &e)
	for i := len(failed.CallStack) - 1; i >= 0; i-- {
		if at := failed.CallStack[i].Pos; at.Line > 0 {
			message = fmt.Sprintf("%s: %s", at, message)
			break
		}
	}
	if cancelled {
		return excess(message)
	}
	return errors.New(message)
}
