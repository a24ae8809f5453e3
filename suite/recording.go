package suite

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/oracles"
)

// Recording is a case as other programs take it: what the kernel was given, what it wrote, and
// what it should have.
type Recording struct {
	Result
	Scalars []Recorded // of the first launch
	Before  []Recorded // buffers that hold something before it
	After   []Recorded // what the kernel wrote; none if a launch ended in an error
	Want    []Recorded // the oracle's answers, floats as numbers
}

// Recorded is an array of a recording.
type Recorded struct {
	Name   string
	Type   Type
	Shape  []int     // none of a scalar
	Data   []byte    // in little-endian
	Values []float64 // instead of Data, of floats that the oracle gives
}

// Record runs a case once and keeps what it was given and what it wrote.
func Record(runner metalrun.Runner, opts Options, c Case) (Recording, error) {
	switch {
	case c.Pipeline != nil:
		return Recording{}, fmt.Errorf("%s is a pipeline: name a case of one of its kernels", c.Name)
	case c.Input.Name == refused:
		return Recording{}, fmt.Errorf("%s is a shape that a host has to refuse: nothing is launched", c.Name)
	}
	rec := Recording{}
	t := newCaseRun(c, opts.judging(runner))
	rec.Result = Verdict(opts, c, func(r *Result) {
		if !t.BindKernel(opts.Shaders, r) {
			return
		}
		if err := t.FillBuffers(); err != nil {
			r.Because(Error, "%v", err)
			return
		}
		rec.Scalars, rec.Before = t.recordScalars(),
			t.recordBuffers(func(b *buffer) bool { return b.arg.Role != RoleOut })
		t.Conduct(r)
	})
	rec.Backend = runner.Device().Backend
	if len(rec.Outputs) > 0 {
		rec.After = t.recordBuffers(func(b *buffer) bool { return b.arg.Writable() })
	}
	for _, b := range t.buffers {
		if b == nil || !b.arg.Writable() {
			continue
		}
		if answer, ok := t.answers[b.arg.Name]; ok {
			rec.Want = append(rec.Want, b.answer(t.Shape, answer))
		}
	}
	return rec, nil
}

// recordScalars are what the first launch passes by setBytes, as bytes.
func (t *CaseRun) recordScalars() []Recorded {
	var list []Recorded
	for _, a := range t.Kernel.Args {
		for _, f := range a.Scalars() {
			list = append(list, Recorded{Name: f.Name, Type: f.Type,
				Data: f.Type.append(nil, f.ValueIn(t.Shape, t.LaunchSequence()[0]))})
		}
	}
	return list
}

// recordBuffers are copies of buffers.
func (t *CaseRun) recordBuffers(of func(*buffer) bool) []Recorded {
	var list []Recorded
	for _, b := range t.buffers {
		if b != nil && of(b) {
			list = append(list, Recorded{Name: b.arg.Name, Type: b.arg.Type, Shape: sizes(b.arg, t.Shape),
				Data: bytes.Clone(b.payload())})
		}
	}
	return list
}

// answer is what the oracle says of a buffer, in the format that its answer was stored in.
func (b *buffer) answer(s Shape, a oracles.Answer) Recorded {
	r := Recorded{Name: b.arg.Name, Type: b.arg.Type, Shape: sizes(b.arg, s)}
	if _, float := r.Type.Format(); float && a.Stored == nil {
		r.Values = a.Want
		return r
	}
	for _, t := range []Type{F32, F16, BF16} {
		if format, _ := t.Format(); a.Stored != nil && format == *a.Stored {
			r.Type = t
		}
	}
	for _, x := range a.Want {
		r.Data = r.Type.append(r.Data, x)
	}
	return r
}

// Observe launches a case with its inputs and returns what a checking runner saw
// of it, with nothing judged. The kernel is one whose argument table
// [Kernel.Takes]. An error is that of the launch; what was found before it stands
// beside it.
func Observe(kernel metalrun.Kernel, c Case, seed uint64) (found []metalrun.Finding, err error) {
	defer func() {
		if p := recover(); p != nil {
			if mistake, known := mistaken(p); known {
				err = fmt.Errorf("%s: %v", c.Name, mistake)
				return
			}
			err = fmt.Errorf("%s: %w", c.Name, crash.New(p))
		}
	}()
	t := newCaseRun(c, caseOptions{seed: seed})
	t.kernel = kernel
	if err := t.FillBuffers(); err != nil {
		return nil, err
	}
	_, err = t.runLaunches()
	return t.findings, err
}

// Few are at most n cases of a kernel with its first family of inputs: the
// smallest, and others evenly spread up to the middle of its cases by size.
func Few(cases []Case, kernel string, n int) []Case {
	var of []Case
	for _, c := range cases {
		if c.Pipeline == nil && c.Kernel.Name == kernel && c.Input.Name == c.Kernel.Sweep.first() {
			of = append(of, c)
		}
	}
	slices.SortStableFunc(of, func(a, b Case) int { return cmp.Compare(a.Bytes(), b.Bytes()) })
	var few []Case
	for i := range min(n, len(of)) {
		few = append(few, of[i*((len(of)+1)/2)/n])
	}
	return slices.CompactFunc(few, func(a, b Case) bool { return a.Name == b.Name })
}
