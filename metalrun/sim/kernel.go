package sim

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/syntax"
)

// kernel is one entry point, compiled for the executor.
type kernel struct {
	name     string
	lowered  *ir.Kernel
	checked  bool
	exact    bool
	ranges   bool // notes on ranges are wanted
	counts   bool
	covers   bool // tells which statements are executed
	profiled bool
	guarded  bool // tells what it accesses
	program  *simt.Program

	mergedPrograms mergedPrograms

	planner   func() *planner      // of profiles
	evaluated []metalrun.Statement // of the program, in constant expressions
}

// Choices are where Metal leaves the results of the kernel to the device.
func (k *kernel) Choices() []metalrun.Choice {
	return choices(simt.Choices(k.lowered))
}

func choices(list []simt.Choice) (out []metalrun.Choice) {
	for _, c := range list {
		out = append(out, metalrun.Choice{Position: position(c.Pos), Subject: c.Kind})
	}
	return out
}

// Deviates reports whether the device takes some of them otherwise than the reference
// semantics do.
func (k *kernel) Deviates() bool { return k.program.Deviates() }

func (k *kernel) MaxThreads() int { return k.program.MaxThreads() }

func (k *kernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	if err := d.Check(k.MaxThreads()); err != nil {
		return metalrun.Outcome{}, err
	}
	m := k.merge(d)
	d = m.Dispatch
	of := k.forLaunch(m)
	program := withInputShadows(of, d)
	if d.Corner && !k.checked {
		return metalrun.Outcome{}, metalrun.ErrWhole
	}
	l := launch(program, d)
	l.Buffers = append(l.Buffers, k.textures(d)...)
	var notes simt.Notes
	if k.exact {
		l.Notes, l.Ranges = &notes, k.ranges
	}
	if k.counts || k.profiled || k.covers {
		l.Work = &simt.Work{}
	}
	l.Executed, l.Costly = new(atomic.Int64), new(atomic.Int64)
	if k.profiled {
		l.Traffic = &simt.Traffic{}
	}
	if k.guarded {
		l.Guarded = &simt.GuardReport{}
	}
	begin := time.Now()
	var found []simt.Finding
	var met []simt.Choice
	var err error
	if k.checked {
		l.Arms, l.Met = map[simt.Arm]bool{}, &met
		found, err = of.Check(l)
	} else {
		err = program.Run(l)
	}
	outcome := metalrun.Outcome{Executed: l.Executed.Load(), Costly: l.Costly.Load(), Findings: k.findings(found),
		Met: choices(met), Notes: sorted(notes.Count)}
	outcome.Arms = arms(l.Arms)
	if k.covers {
		outcome.Covered = covered(l.Work.Counts(), k.evaluated)
	}
	if k.counts {
		outcome.Work = k.work(l.Work.Executed())
	}
	if k.guarded {
		outcome.Accesses, outcome.Guarded = k.accesses(program, l.Guarded), k.tolerated(l.Guarded)
	}
	if k.profiled {
		outcome.Profile = k.profile(&l)
	}
	outcome.Duration = time.Since(begin) // of what is counted, too
	var fault *simt.Fault
	if errors.As(err, &fault) {
		err = k.fault(fault)
	}
	return outcome, err
}

// fault is a fault of the executor.
func (k *kernel) fault(fault *simt.Fault) *metalrun.Fault {
	f := &metalrun.Fault{
		Position: position(fault.Pos), Kernel: k.name, Message: fault.Msg,
		Thread: fault.Thread, Threadgroup: fault.Group, Kind: metalrun.FaultKind(fault.Kind),
	}
	if a := fault.Access; a != nil {
		f.Access = &metalrun.Access{Object: object(a.Object), Offset: a.Offset, Bytes: a.Bytes, Size: a.Size}
	}
	return f
}

// arms are those of a launch in the order of the source.
func arms(reached map[simt.Arm]bool) []metalrun.Arm {
	var list []metalrun.Arm
	for a, yes := range reached {
		list = append(list, metalrun.Arm{Position: position(a.Pos), If: position(a.If), Holds: a.Holds,
			Stores: a.Stores, Reached: yes})
	}
	slices.SortFunc(list, metalrun.Arm.Compare)
	return list
}

// sorted are notes in the order of the source.
func sorted(count map[simt.Note]int) []metalrun.Note {
	var list []metalrun.Note
	for n, times := range count {
		list = append(list, metalrun.Note{Position: position(n.Pos), Kind: metalrun.NoteKind(n.Kind), Times: times})
	}
	slices.SortFunc(list, func(a, b metalrun.Note) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col, int(a.Kind)-int(b.Kind))
	})
	return list
}

func (k *kernel) findings(found []simt.Finding) []metalrun.Finding {
	var out []metalrun.Finding
	for _, f := range found {
		x := metalrun.Finding{Check: string(f.Check), Kernel: k.name, Message: f.Msg, Party: party(f.Party),
			Among: metalrun.Scope(f.Among), Grade: metalrun.Grade(f.Grade)}
		for _, t := range f.Trials {
			x.Trials = append(x.Trials, metalrun.Trial(t))
		}
		if f.Other != nil {
			other := party(*f.Other)
			x.Other = &other
		}
		if f.Object != nil {
			of := object(*f.Object)
			x.Object = &of
		}
		out = append(out, x)
	}
	return out
}

func object(o simt.Object) metalrun.Object {
	return metalrun.Object{Table: o.Table, Index: o.Index, Name: o.Name}
}

func party(p simt.Party) metalrun.Party {
	return metalrun.Party{Position: position(p.Pos), Does: p.Does, Thread: p.Thread, Threadgroup: p.Group}
}

func position(p syntax.Pos) metalrun.Position {
	return metalrun.Position{File: p.File, Line: int(p.Line), Col: int(p.Col)}
}

// withInputShadows is a program of the kernel for a dispatch, some of whose buffers may hold exact values
// that launches before have left there.
func withInputShadows(p *simt.Program, d metalrun.Dispatch) *simt.Program {
	var carried uint32
	for _, b := range d.Bindings {
		if _, own := p.Cells(b.Index); !own && b.Exact != nil && b.Exact.Any() {
			carried |= 1 << b.Index
		}
	}
	return p.WithInputShadows(carried)
}

// launch is a dispatch as the executor takes it.
func launch(program *simt.Program, d metalrun.Dispatch) simt.Launch {
	l := simt.Launch{
		Groups: extent(d.Threadgroups), Threads: extent(d.Threads), PerGroup: extent(d.ThreadsPerThreadgroup),
		Threadgroup: d.ThreadgroupMemory, Skip: d.Skip, Corner: d.Corner, Ungraded: d.Ungraded, Unprobed: d.Unprobed,
		Trials: d.Trials,
	}
	for _, b := range d.Bindings {
		l.Buffers = append(l.Buffers, simt.Buffer{
			Index: b.Index, Bytes: b.Data[b.Offset : b.Offset+b.Length : b.Offset+b.Length], ReadOnly: b.Inline,
			Before: int64(b.Before), Undefined: b.Undefined,
		})
		if b.Free != nil {
			l.Buffers[len(l.Buffers)-1].Free = b.Free[b.Offset : b.Offset+b.Length]
		}
		if b.Written != nil && program.Options.Check {
			l.Buffers[len(l.Buffers)-1].Written = b.Written.Room(len(b.Data), b.Offset, b.Length)
		}
		if log, ok := program.Cells(b.Index); ok && b.Exact != nil {
			cells := b.Exact.Room(len(b.Data), log, b.Offset, b.Offset+b.Length)
			b.Exact.Integers = program.StoresIntegers(b.Index)
			if to := &l.Buffers[len(l.Buffers)-1]; b.Exact.Any() {
				to.Exact = cells()
			} else {
				to.Balls = cells
			}
		}
	}
	return l
}

// textures are those of a dispatch as buffers of the executor.
func (k *kernel) textures(d metalrun.Dispatch) []simt.Buffer {
	var list []simt.Buffer
	for _, t := range d.Textures {
		for _, a := range k.lowered.Args {
			if a.Texture && a.Entry == t.Index {
				list = append(list, simt.Buffer{Index: a.Index, Bytes: t.Data})
			}
		}
	}
	return list
}

func extent(s metalrun.Size) simt.Size { return simt.Size{s.X, s.Y, s.Z} }
