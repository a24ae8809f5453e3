package adjoint

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// ErrNotStored says that a launch does not store an element as a float.
var ErrNotStored = errors.New("the element is not stored as a float")

// Blame says where the error of one element comes from.
type Blame struct {
	Got, X, E float64       // its value, its exact value, and what any device may be off by
	Lines     []Line        // in the order of the source
	Before    []Sensitivity // to what buffers held before the launch
	Windows   int           // how many times the threadgroup ran to be recorded
}

// Line is an instruction's part in it.
type Line struct {
	Pos    syntax.Pos
	Actual float64 // what its roundings have changed in the element, with sign, to first order
	Bound  float64 // and what they may change on any device
	Lost   float64 // the most bits that a difference of inexact values has cancelled there
	Times  int     // operations that the element depends on
}

// Sensitivity is how sensitive a result is to the element at byte Off of a buffer.
type Sensitivity struct {
	Buffer, Off int
	By          float64
}

// Trace runs a launch, and finds by going back over what the threadgroups did that store the elements
// which a result is sensitive to, what each rounding has done to it. Memory for the records is limited to so
// many bytes: a long run is recorded in windows, from its end to its beginning. The buffers hold
// afterwards what the launch leaves. Threadgroups are taken one by one, as if none read what
// another has stored.
func Trace(p *machine.Program, l machine.Dispatch, of []Sensitivity, limit int) (*Blame, error) {
	if exact.ExactOf(p) == nil {
		return nil, fmt.Errorf("the program does not execute exactly")
	}
	return traced(p.Again(func(o *machine.Options) { o.Traced, o.Workers = true, 1 }), l, of, limit)
}

// traced is Trace for a program that can be recorded.
func traced(p *machine.Program, l machine.Dispatch, of []Sensitivity, limit int) (*Blame, error) {
	if err := p.Validate(&l); err != nil {
		return nil, err
	}
	before := clone(&l)
	t := &trace{window: window{until: -1, limit: limit}, finding: true, known: map[*ir.Instr]int32{}}
	counts := make([]int, l.Groups.Count()) // operations of each threadgroup
	for i := l.Skip; i < len(counts); i++ {
		if err := record(p, &l, t, i, of); err != nil {
			return nil, err
		}
		counts[i] = t.count
	}
	if len(t.stores) == 0 {
		return nil, ErrNotStored
	}
	t.finding = false
	blame := &Blame{}
	for _, s := range slices.Backward(t.stores) { // what is stored last counts
		const least = 24 // bytes that a record takes for a lane
		t.fresh, t.storing, t.from = true, s.lanes, max(0, counts[s.group]-t.limit/(least*l.PerGroup.Count()))
		for first := -1; first != 0; {
			t.until = first
			again := clone(&before)
			if err := record(p, &again, t, s.group, nil); err != nil {
				return nil, err
			}
			blame.Windows++
			t.backward()
			first = t.first
			each := t.bytes/max(t.count-first, 1) + 1 // of an operation
			t.from = max(0, first-max(1, t.limit/each*7/8))
		}
	}
	blame.Got, blame.X, blame.E = element(&l, p, of[0].Buffer, int64(of[0].Off))
	blame.Before = left(p, before.Buffers, t)
	blame.Lines = t.lines()
	return blame, nil
}

// record runs one threadgroup. The first of all is given what the result is sensitive to.
func record(p *machine.Program, l *machine.Dispatch, t *trace, group int, of []Sensitivity) (err error) {
	p.Allow(l)
	table, finish := machine.Bind(l.Buffers)
	defer finish()
	for i := range l.Buffers {
		if b := &l.Buffers[i]; b.Exact == nil && !b.ReadOnly {
			if log, ok := exact.Cells(p, b.Index); ok {
				b.Exact = make([]ball.Ball, len(b.Bytes)>>log)
			}
		}
	}
	exact.BindCells(p, l, table)
	m := machine.NewMachine(p, l, table, l.PerGroup.Count())
	at := machine.Position(group, l.Groups)
	m.N = min(l.Extent(at).Count(), cap(m.Mask))
	m.Stride = m.N
	first := t.adjoint == nil
	t.begin(m)
	if first {
		for _, s := range of {
			t.adjoint[t.base[s.Buffer]+s.Off>>t.logs[s.Buffer]] += s.By
		}
	}
	exact.BallsOf(m).Recorder = t
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(finished); !ok {
				panic(r)
			}
		}
	}()
	return m.RunGroup(group)
}

// clone is a launch with buffers of its own.
func clone(l *machine.Dispatch) machine.Dispatch {
	c := *l
	c.Buffers = slices.Clone(l.Buffers)
	for i := range c.Buffers {
		b := &c.Buffers[i]
		b.Bytes, b.Exact = slices.Clone(b.Bytes), slices.Clone(b.Exact)
	}
	return c
}

// element is what a buffer holds at an offset, and what is known of it.
func element(l *machine.Dispatch, p *machine.Program, buffer int, off int64) (got, x, e float64) {
	for _, b := range l.Buffers {
		if b.Index != buffer {
			continue
		}
		known := valueAt(b, int(off), elements(p, buffer))
		got, x, e = known.X, known.X, 0
		if log, ok := exact.Cells(p, buffer); ok && !b.Exact[off>>log].None() {
			x, e = b.Exact[off>>log].X, b.Exact[off>>log].E
		}
	}
	return got, x, e
}

// valueAt is the value of a buffer's element.
func valueAt(b machine.Buffer, off int, s ir.Scalar) ball.Ball {
	var raw uint64
	for i, x := range b.Bytes[off:][:s.Size()] {
		raw |= uint64(x) << (8 * i)
	}
	return exact.ValueBall(raw, s)
}

// elements is the type that a buffer is accessed as; of several, a floating one.
func elements(p *machine.Program, index int) ir.Scalar {
	of := ir.R32
	if h := exact.ExactOf(p).At(analysis.MemoryObject{Space: syntax.Device, Object: index}); h != nil {
		for s := range h.Types {
			if of = s; s.Type().IsFloat() {
				return s
			}
		}
	}
	return of
}

// left are the sensitivities that the trace has left at elements of buffers.
func left(p *machine.Program, buffers []machine.Buffer, t *trace) (list []Sensitivity) {
	for _, b := range buffers {
		s := elements(p, b.Index)
		if !s.Type().IsFloat() {
			continue
		}
		for off := 0; off+s.Size() <= len(b.Bytes); off += s.Size() {
			if by := t.adjoint[t.base[b.Index]+off>>t.logs[b.Index]]; by != 0 {
				list = append(list, Sensitivity{b.Index, off, by})
			}
		}
	}
	return list
}

// lines are the instructions that have a part in the element.
func (t *trace) lines() (list []Line) {
	for _, s := range t.sites {
		if s.times > 0 {
			list = append(list, Line{Pos: s.pos, Actual: s.actual, Bound: s.bound, Lost: s.lost, Times: s.times})
		}
	}
	slices.SortFunc(list, func(a, b Line) int {
		if c := strings.Compare(a.Pos.File, b.Pos.File); c != 0 {
			return c
		}
		return int(a.Pos.Line-b.Pos.Line)<<8 + int(a.Pos.Col-b.Pos.Col)
	})
	return list
}
