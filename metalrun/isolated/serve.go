package isolated

import (
	"encoding/gob"
	"errors"
	"io"
	"os"

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
	if err := serve(open, os.Stdin, os.Stdout); err != nil && !errors.Is(err, io.EOF) {
		os.Exit(3)
	}
	os.Exit(0)
}

// server answers requests one after the other.
type server struct {
	runner    metalrun.Runner
	libraries map[int]metalrun.Library
	kernels   map[kernelKey]metalrun.Kernel
}

type kernelKey struct {
	library int
	name    string
}

func serve(open func() (metalrun.Runner, error), in io.Reader, out io.Writer) error {
	requests, replies := gob.NewDecoder(in), gob.NewEncoder(out)
	s := &server{libraries: map[int]metalrun.Library{}, kernels: map[kernelKey]metalrun.Kernel{}}
	var err error
	if s.runner, err = open(); err == nil {
		defer s.runner.Close()
	}
	for {
		var q request
		if err := requests.Decode(&q); err != nil {
			return err
		}
		var a reply
		if err == nil {
			err = s.answer(q, &a)
			a.Failure, err = newFailure(err), nil
		} else {
			a.Failure = newFailure(err)
		}
		if err := replies.Encode(&a); err != nil {
			return err
		}
	}
}

func (s *server) answer(q request, a *reply) error {
	a.Device = s.runner.Device()
	if q.Forget {
		s.forget(q.Library)
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
	if q.Dispatch == nil {
		return nil
	}
	var err error
	if a.Outcome, err = k.Run(*q.Dispatch); err != nil {
		return err
	}
	for _, b := range q.Dispatch.Bindings {
		if b.Inline {
			b.Data = nil
		}
		a.Data = append(a.Data, b.Data)
	}
	return nil
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
