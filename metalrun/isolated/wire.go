package isolated

import (
	"encoding/gob"
	"errors"

	"metalconform/metalrun"
)

// request asks a worker to compile a program, to prepare a kernel of it, or to launch
// one. The zero request asks whether there is a device.
type request struct {
	Library  int
	Program  *program // where this worker does not know the library
	Kernel   string
	Dispatch *metalrun.Dispatch
	Forget   bool // the library
}

// program is what a worker analyses again.
type program struct {
	Source  metalrun.Source
	Options metalrun.CompileOptions
}

// reply is the answer to a request.
type reply struct {
	Device     metalrun.Device
	Compiled   bool // the library is known from now on
	MaxThreads int
	Outcome    metalrun.Outcome
	Data       [][]byte // of the bindings, nil for those that setBytes passes
	Failure    *failure
}

// failure is an error on its way between processes.
type failure struct {
	Text        string
	Fault       *metalrun.Fault
	Diagnostics metalrun.Diagnostics
	Kinds       []int // of sentinels, that the error wraps
}

var sentinels = []error{metalrun.ErrNoDevice, metalrun.ErrUnusable, metalrun.ErrLost, metalrun.ErrUnsupported, metalrun.ErrWhole}

func init() {
	for _, v := range []any{false, float32(0), int(0), int8(0), int16(0), int32(0), int64(0), uint8(0), uint16(0), uint32(0), uint64(0)} {
		gob.Register(v) // function constants
	}
}

func newFailure(err error) *failure {
	if err == nil {
		return nil
	}
	f := &failure{Text: err.Error()}
	errors.As(err, &f.Fault)
	errors.As(err, &f.Diagnostics)
	for i, s := range sentinels {
		if errors.Is(err, s) {
			f.Kinds = append(f.Kinds, i)
		}
	}
	return f
}

// err is the error that the failure was made of, as far as anybody asks.
func (f *failure) err() error {
	switch {
	case f == nil:
		return nil
	case len(f.Kinds) > 0: // what else it wraps is a detail
	case f.Fault != nil:
		return f.Fault
	case f.Diagnostics != nil:
		return f.Diagnostics
	}
	return f
}

func (f *failure) Error() string { return f.Text }

func (f *failure) Is(target error) bool {
	for _, i := range f.Kinds {
		if sentinels[i] == target {
			return true
		}
	}
	return false
}
