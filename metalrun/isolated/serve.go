package isolated

import (
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"sync/atomic"

	"metalconform/metalrun"
)

// variable of the environment that makes a process a worker.
const variable = "CONFORM_WORKER"

// Main turns the process into a worker, if it was started as one, and does not return
// then. A program or test that uses [New] calls it first, with what opens the device.
func Main(open func() (metalrun.Runner, error)) {
	if os.Getenv(variable) == "" {
		return
	}
	replies := os.NewFile(3, "replies") // stdout is for whoever prints
	if err := serve(open, newInbox(os.Stdin), replies); err != nil && !errors.Is(err, io.EOF) {
		os.Exit(3)
	}
	os.Exit(0)
}

// inbox has the requests of the program that started the process. It goes on listening
// while one is answered: if the program is gone, so is the process, even out of a launch
// that never ends.
type inbox struct {
	next chan request
	busy atomic.Bool // with an answer that somebody waits for
	err  error       // why there is no next request
}

func newInbox(in io.Reader) *inbox {
	b := &inbox{next: make(chan request, 1)}
	go func() {
		requests := gob.NewDecoder(in)
		for {
			var q request
			if err := requests.Decode(&q); err != nil {
				if b.busy.Load() {
					os.Exit(3)
				}
				b.err = err
				close(b.next)
				return
			}
			b.busy.Store(true)
			b.next <- q
		}
	}()
	return b
}

// server answers requests one after the other.
type server struct {
	runner    metalrun.Runner
	libraries map[int]metalrun.Library
	kernels   map[kernelKey]metalrun.Kernel
	bound     map[int]onDevice
}

// onDevice is a sequence with its memory, as it was and as it is read.
type onDevice struct {
	metalrun.Bound
	memory [][]byte
}

type kernelKey struct {
	library int
	name    string
}

func serve(open func() (metalrun.Runner, error), in *inbox, out io.Writer) error {
	replies := gob.NewEncoder(out)
	s := &server{libraries: map[int]metalrun.Library{}, kernels: map[kernelKey]metalrun.Kernel{},
		bound: map[int]onDevice{}}
	var err error
	if s.runner, err = open(); err == nil {
		defer s.runner.Close()
	}
	for q := range in.next {
		var a reply
		if err == nil {
			err = s.answer(q, &a)
			a.Failure, err = newFailure(err), nil
		} else {
			a.Failure = newFailure(err)
		}
		fmt.Fprint(os.Stderr, "\n"+answered+"\n")
		in.busy.Store(false) // before the answer is read and the next request can come
		if err := replies.Encode(&a); err != nil {
			return err
		}
	}
	return in.err
}

func (s *server) answer(q request, a *reply) error {
	a.Device = s.runner.Device()
	switch {
	case q.Forget && q.Bound != 0:
		s.unbind(q.Bound)
		return nil
	case q.Forget:
		s.forget(q.Library)
		return nil
	case q.Methods:
		if i, ok := s.runner.(metalrun.Inspector); ok {
			var err error
			a.Methods, err = i.Methods()
			return err
		}
		return nil
	case q.Library == 0:
		if m, ok := s.runner.(metalrun.Monitor); ok {
			var err error
			a.Condition, err = m.Condition()
			return err
		}
		return nil
	}
	if p := q.Program; p != nil {
		analysed, err := metalrun.Analyse(p.Source, p.Options)
		if err != nil {
			return err
		}
		if s.libraries[q.Library], err = s.runner.Compile(analysed); err != nil {
			delete(s.libraries, q.Library)
			return err
		}
		a.Compiled = true
		if w, ok := s.libraries[q.Library].(metalrun.Warner); ok {
			a.Warnings = w.Warnings()
		}
	}
	if q.Kernel == "" {
		return nil
	}
	key := kernelKey{q.Library, q.Kernel}
	k := s.kernels[key]
	if k == nil {
		var err error
		if k, err = s.libraries[q.Library].Kernel(q.Kernel); err != nil {
			return err
		}
		s.kernels[key] = k
	}
	a.MaxThreads = k.MaxThreads()
	if p, ok := k.(metalrun.Reflector); ok {
		a.Pipeline = p.Pipeline()
	}
	_, a.Binder = k.(metalrun.Binder)
	switch {
	case q.Bound != 0:
		return s.answerBound(k, q, a)
	case q.Sequence == nil:
		return nil
	}
	var err error
	a.Outcome, err = k.Run(q.Sequence.whole()[0])
	a.Memory = q.Sequence.Memory
	return err
}

// answerBound binds a sequence that is sent along, and launches or reads it.
func (s *server) answerBound(k metalrun.Kernel, q request, a *reply) (err error) {
	if q.Sequence != nil {
		b, err := k.(metalrun.Binder).Bind(q.Sequence.whole()...)
		if err != nil {
			return err
		}
		s.bound[q.Bound], a.Bound = onDevice{b, q.Sequence.Memory}, true
	}
	b := s.bound[q.Bound]
	if q.Launches > 0 {
		if a.Outcome, err = b.Run(q.Launches); err != nil {
			return err
		}
	}
	if q.Read {
		a.Memory, err = b.memory, b.Read()
	}
	return err
}

func (s *server) unbind(number int) {
	if b, ok := s.bound[number]; ok {
		b.Release()
	}
	delete(s.bound, number)
}

func (s *server) forget(library int) {
	if l := s.libraries[library]; l != nil {
		l.Release()
	}
	delete(s.libraries, library)
	for key := range s.kernels {
		if key.library == library {
			delete(s.kernels, key)
		}
	}
}
