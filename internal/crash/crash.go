// Package crash carries panics from where they happen to whoever tells of them. A panic is a
// mistake of this program, and one source, case or page that brings it up does not end the rest.
package crash

import (
	"fmt"
	"runtime/debug"
)

// Crash is a panic, with the calls that led to it.
type Crash struct {
	Value any
	Stack []byte
}

func (c *Crash) Error() string { return fmt.Sprintf("internal error: %v", c.Value) }

// New is what a deferred function has recovered. A crash that is handed on stays what it was.
func New(recovered any) *Crash {
	if c, ok := recovered.(*Crash); ok {
		return c
	}
	return &Crash{recovered, debug.Stack()}
}

// Catch makes an error of a panic. It is to be deferred.
func Catch(err *error) {
	if p := recover(); p != nil {
		*err = New(p)
	}
}
