package isolated

import (
	"encoding/gob"
	"errors"
	"slices"

	"metalconform/metalrun"
)

// request asks a worker to compile a program, to prepare a kernel of it, or to launch
// a sequence. The zero request asks whether there is a device.
type request struct {
	Library  int
	Program  *program // where this worker does not know the library
	Kernel   string
	Sequence *sequence // to be launched, where this worker does not know it
	Bound    int       // the number of a sequence that stays on the device; 0 for one that is launched once
	Launches int       // of the sequence
	Read     bool      // the memory of the sequence
	Forget   bool      // the sequence, or the library
	Methods  bool      // that the worker has called

	bind *sequence // of a worker that does not know Bound
}

// sequence are dispatches without their memory, which some share.
type sequence struct {
	Dispatches []metalrun.Dispatch
	Memory     [][]byte
	At         [][]int // in Memory, by dispatch and binding
}

// newSequence takes the memory out of dispatches.
func newSequence(dispatches []metalrun.Dispatch) *sequence {
	s := &sequence{Dispatches: slices.Clone(dispatches)}
	s.Memory, s.At = metalrun.Memory(dispatches)
	for n := range s.Dispatches {
		bindings := slices.Clone(s.Dispatches[n].Bindings)
		for i := range bindings {
			if !bindings[i].Inline {
				bindings[i].Data = nil
			}
		}
		s.Dispatches[n].Bindings = bindings
	}
	return s
}

// take copies what the memory holds after launches.
func (s *sequence) take(memory [][]byte) {
	for i, data := range memory {
		copy(s.Memory[i], data)
	}
}

// whole puts the memory back.
func (s *sequence) whole() []metalrun.Dispatch {
	for n, d := range s.Dispatches {
		for i, b := range d.Bindings {
			if !b.Inline {
				d.Bindings[i].Data = s.Memory[s.At[n][i]]
			}
		}
	}
	return s.Dispatches
}

// program is what a worker analyses again.
type program struct {
	Source  metalrun.Source
	Options metalrun.CompileOptions
}

// reply is the answer to a request.
type reply struct {
	Device     metalrun.Device
	Condition  metalrun.Condition // of the device, if that was all that was asked
	Compiled   bool               // the library is known from now on
	Bound      bool               // so is the sequence
	Binder     bool               // the kernel is one
	MaxThreads int
	Pipeline   metalrun.Pipeline
	Warnings   string // of the compiler, if it has compiled
	Methods    []metalrun.Method
	Outcome    metalrun.Outcome
	Memory     [][]byte // of the sequence
	Failure    *failure
}

// failure is an error on its way between processes.
type failure struct {
	Text        string
	Fault       *metalrun.Fault
	Diagnostics metalrun.Diagnostics
	Kinds       []int // of sentinels, that the error wraps
}

var sentinels = []error{metalrun.ErrNoDevice, metalrun.ErrUnusable, metalrun.ErrLost, metalrun.ErrUnsupported,
	metalrun.ErrWhole, metalrun.ErrNotStored, metalrun.ErrBfloat}

func init() {
	for _, v := range []any{false, float32(0), int(0), int8(0), int16(0), int32(0), int64(0), uint8(0), uint16(0),
		uint32(0), uint64(0)} {
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
