package kernels

import (
	"bytes"
	"encoding/binary"
	"math"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite"
)

// outputRecorder is a runner that keeps the outputs of one case of a kernel, and what
// its oracle said of them, for judges other than the suite.
type outputRecorder struct {
	metalrun.Runner
	args     suite.Args
	problem  *suite.Problem
	answers  suite.Answers
	launches int
	data     map[string][]byte // guards and elements of the writable buffers, by name
	before   map[string][]byte // the same before the first launch, where something must not change
	fault    error
}

// attend is the case with an oracle whose answers the witness hears.
func (w *outputRecorder) attend(c suite.Case) suite.Case {
	k := *c.Kernel
	oracle := k.Oracle
	k.Oracle = func(p *suite.Problem) suite.Answers {
		w.args, w.problem, w.answers = k.Args, p, oracle(p)
		return w.answers
	}
	c.Kernel = &k
	return c
}

func (w *outputRecorder) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := w.Runner.Compile(p)
	return attendedLibrary{l, w}, err
}

type attendedLibrary struct {
	metalrun.Library
	recorder *outputRecorder
}

func (l attendedLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	return attendedKernel{k, l.recorder}, err
}

type attendedKernel struct {
	metalrun.Kernel
	recorder *outputRecorder
}

func (k attendedKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	again := k.recorder.problem != nil && k.recorder.launches == len(k.recorder.problem.Launches)
	if again { // on other bits, to tell what was never written
		return k.Kernel.Run(d)
	}
	k.recorder.note(d)
	t, err := k.Kernel.Run(d)
	k.recorder.fault = err
	return t, err
}

// note takes in the buffers of the next launch.
func (w *outputRecorder) note(d metalrun.Dispatch) {
	if w.data == nil {
		w.data, w.before = map[string][]byte{}, map[string][]byte{}
	}
	launch := w.problem.Launches[w.launches]
	w.launches++
	for _, b := range d.Bindings {
		name := w.args[b.Index].Name
		if other, ok := launch.Buffers[name]; ok {
			name = other
		}
		a, _ := w.args.Find(name)
		if b.Inline || !a.Writable() || w.data[name] != nil {
			continue
		}
		w.data[name] = b.Data
		if a.Untouched != nil {
			w.before[name] = bytes.Clone(b.Data)
		}
	}
}

// outputs are what the case's launches wrote, none if one of them ended in a
// fault: then there is nothing to compare.
func (w *outputRecorder) outputs() []tensor {
	if w.launches == 0 || w.fault != nil {
		return nil
	}
	var out []tensor
	for _, a := range w.args {
		if !a.Writable() {
			continue
		}
		t := tensor{arg: a, answer: w.answers[a.Name], got: decoded(a.Type, w.data[a.Name], a.Count(w.problem.Shape))}
		if a.Untouched != nil {
			t.kept = a.Untouched(w.problem.Shape)
			t.before = decoded(a.Type, w.before[a.Name], len(t.got))
		}
		out = append(out, t)
	}
	return out
}

// decoded are the n elements of a buffer between two guards of one size.
func decoded(t suite.Type, data []byte, n int) []float64 {
	size := t.Bytes()
	data = data[(len(data)-n*size)/2:]
	x := make([]float64, n)
	format, float := t.Format()
	for i := range x {
		var w uint32
		switch size {
		case 1:
			w = uint32(data[i])
		case 2:
			w = uint32(binary.LittleEndian.Uint16(data[2*i:]))
		default:
			w = binary.LittleEndian.Uint32(data[4*i:])
		}
		switch {
		case format == oracles.F32 && float:
			x[i] = float64(math.Float32frombits(w))
		case float:
			x[i] = format.FromBits(w)
		case t == suite.I32:
			x[i] = float64(int32(w))
		default:
			x[i] = float64(w)
		}
	}
	return x
}

// tensor is one output of a case.
type tensor struct {
	arg    suite.Arg
	answer oracles.Answer
	got    []float64
	kept   []suite.Range // what the launches had to leave as it was before
	before []float64
}

// pairs are what a common rule sees, in the reading that favours it most:
// elements that have to stay are part of the output, with zeros for the suite's
// poison; elements about which the contract promises nothing are not.
func (t tensor) pairs() *pairs {
	p := &pairs{format: t.arg.Type}
	stays := t.stays()
	for i, got := range t.got {
		if stays[i] {
			p.add(unpoisoned(got), unpoisoned(t.before[i]))
			continue
		}
		bound := t.answer.Bound(i)
		open := math.IsInf(bound, 1) || math.IsNaN(bound) && !finite(got)
		if t.answer.Exact || !open {
			p.add(got, t.answer.Want[i])
		}
	}
	return p
}

// stays marks the elements that have to stay.
func (t tensor) stays() []bool {
	mark := make([]bool, len(t.got))
	for _, r := range t.kept {
		for i := r.First; i < r.End; i++ {
			mark[i] = true
		}
	}
	return mark
}

func unpoisoned(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}
