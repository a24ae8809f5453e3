package simt

import (
	"sync"
	"sync/atomic"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/adjoint"
	"metalconform/metalrun/internal/simt/codegen"
	"metalconform/metalrun/internal/simt/exact"
	"metalconform/metalrun/internal/simt/guard"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/simt/profile"
	"metalconform/metalrun/internal/simt/sanitize"
)

// Program is a compiled kernel. It may be launched by several goroutines at once.
type Program struct {
	*machine.Program
	shadowVariants shadowVariants
}

// Launch is one dispatch. Threads counts threads; when Groups is set it counts
// threadgroups instead and all of them are whole.
type Launch struct {
	Groups, Threads machine.Size
	PerGroup        machine.Size
	Buffers         []machine.Buffer
	Threadgroup     []int            // bytes at [[threadgroup(i)]]
	Notes           *exact.Notes     // gets those of the launch; nil: not wanted
	Work            *profile.Work    // gets that of the launch; nil: not wanted
	Traffic         *profile.Traffic // likewise
	Guarded         *guard.Report    // likewise, of a guarded program
	// gets those of a launch that is checked, and which it reached; nil: not wanted
	Arms map[sanitize.Arm]bool
	// grows by the instructions that are executed, each for all threads of a threadgroup; nil: not wanted
	Executed *atomic.Int64
	// grows by how many more could have been executed while some took longer than others; nil: not wanted
	Costly *atomic.Int64
	Ranges bool // notes on values that leave the range of their format are wanted too
	Skip   int  // threadgroups at the beginning of the grid that do not run
	// of the others only those at the first corner and the last run, if the launch is checked
	Corner   bool
	Met      *[]machine.Choice // gets the unspecified values that a checked launch meets; nil: not wanted
	Ungraded bool              // what races do to results is not tried
	// what trials of very many unspecified values may still take, of other launches, too; nil: no matter
	Trials   *int64
	Unprobed bool // other values than unspecified ones are not tried
}

// dispatch is what the machine has to know of a launch.
func (l *Launch) dispatch() machine.Dispatch {
	d := machine.Dispatch{Groups: l.Groups, Threads: l.Threads, PerGroup: l.PerGroup, Buffers: l.Buffers,
		Threadgroup: l.Threadgroup,
		Executed:    l.Executed, Costly: l.Costly, Skip: l.Skip,
		Wanted: []any{&sanitize.Checks{Arms: l.Arms, Met: l.Met, Corner: l.Corner, Ungraded: l.Ungraded,
			Unprobed: l.Unprobed, Trials: l.Trials}}}
	if l.Notes != nil {
		d.Wanted = append(d.Wanted, l.Notes)
	}
	if l.Ranges {
		d.Wanted = append(d.Wanted, exact.RangeNotes(true))
	}
	if l.Work != nil {
		d.Wanted = append(d.Wanted, l.Work)
	}
	if l.Traffic != nil {
		d.Wanted = append(d.Wanted, l.Traffic)
	}
	if l.Guarded != nil {
		d.Wanted = append(d.Wanted, l.Guarded)
	}
	return d
}

// Compile translates a verified kernel.
func Compile(k *ir.Kernel, o machine.Options) *Program {
	if o.Guard {
		o.Without = o.Without.And(machine.PassLoadsInPlace) // a guarded access is executed where it stands
	}
	return &Program{Program: codegen.Compile(k, o, extensions)}
}

// extensions are those of programs with some options, the outermost first.
func extensions(o machine.Options) []codegen.Extension {
	var list []codegen.Extension
	if o.Exact {
		list = append(list, &exact.Exactness{})
	}
	return append(list, sanitize.NewChecker(o), profile.NewProfiler(o), guard.NewGuard(o))
}

// Run executes one launch. An error of the kernel is a *Fault, that of the
// first threadgroup in grid order that failed; other errors concern the launch.
// Stores made before a fault stay.
func (p *Program) Run(l Launch) error { return p.Program.Run(l.dispatch()) }

// Check is Run for a program with Options.Check: its threadgroups run one after
// the other, observed. Findings come in the order in which they were made. It takes
// a few times the memory of the buffers that the kernel may write, for any grid.
func (p *Program) Check(l Launch) ([]sanitize.Finding, error) {
	return sanitize.Find(p.Program, l.dispatch())
}

// Blame runs a launch, and finds by going back over what the threadgroups did that store the elements
// which a result is sensitive to, what each rounding has done to it. Memory for the records is limited to so
// many bytes: a long run is recorded in windows, from its end to its beginning. The buffers hold
// afterwards what the launch leaves. Threadgroups are taken one by one, as if none read what
// another has stored.
func (p *Program) Blame(l Launch, of []adjoint.Sensitivity, limit int) (*adjoint.Blame, error) {
	return adjoint.Trace(p.Program, l.dispatch(), of, limit)
}

// Deviates reports whether the program takes some choice otherwise than the reference semantics do.
func (p *Program) Deviates() bool { return p.Program.Deviates }

// Cells is the logarithm of the bytes that a ball of a buffer stands for, ok false if the
// program leaves none there.
func (p *Program) Cells(index int) (log uint, ok bool) { return exact.Cells(p.Program, index) }

// StoresIntegers reports whether a program that leaves balls in a buffer accesses it as integers alone.
func (p *Program) StoresIntegers(index int) bool { return exact.StoresIntegers(p.Program, index) }

// Accesses are the accesses that are sampled, in the order of [Traffic.Sites].
func (p *Program) Accesses() []*ir.Instr { return profile.ProfiledAccesses(p.Program) }

// shadowVariants are programs for launches that begin with balls in buffers which the kernel itself
// leaves none in, by those buffers.
type shadowVariants struct {
	mu       sync.Mutex
	programs map[uint32]*Program
}

// WithInputShadows is the program for a launch whose buffers of these indices, by bit, hold balls of
// launches before.
func (p *Program) WithInputShadows(buffers uint32) *Program {
	if buffers == 0 {
		return p
	}
	c := &p.shadowVariants
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.programs == nil {
		c.programs = map[uint32]*Program{}
	}
	if c.programs[buffers] == nil {
		c.programs[buffers] = &Program{Program: p.Again(func(o *machine.Options) { o.InputShadows = buffers })}
	}
	return c.programs[buffers]
}
