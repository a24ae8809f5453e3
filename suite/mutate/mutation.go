package mutate

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"metalconform/suite"
	"runtime"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/metalrun/mutation"
)

// Mutation judges mutants of the kernels under test, each by the cases of the
// entry points that its edit can be seen in, until one fails: what a sweep and a
// rule can tell from a kernel that conforms.
//
// A mutant is an edit of one declaration and is counted once, however many entry
// points lead to it. It survives only if all of them conform with it, alone and in
// pipelines.
type Mutation struct {
	Shaders *suite.Shaders // the kernels under test
	Cases   []suite.Case   // that judge; those that the original does not pass judge nothing
	Seed    uint64         // of all inputs, and of Sample
	Rule    Rule
	// Declared has tables of the program that count in place of the catalogue's.
	// Contracts are in the cases, and nothing else counts here.
	Declared *suite.Declarations
	// Typical judges each kernel by one case, as a test of one shape and the usual
	// inputs would, and by no pipelines.
	Typical bool

	Kernels   []string              // to be mutated; none for all that have cases
	Operators []mutation.Operator   // nil for all
	Sample    int                   // mutants drawn by the seed; 0 for all
	Only      func(key string) bool // of the mutants by their keys; nil for all
	// of the mutants by the entry points that lead to the edit, and by its position; nil for all
	At       func(kernels []string, at metalrun.Position) bool
	Part     func(index int) bool // of the mutants in order; nil for all
	Parallel int                  // mutants judged at once; 0: one for each processor

	// Devices judge one after the other: what survives on one goes on to the next.
	// Pipelines are judged on the first.
	Devices []Device
	// Exact, if not nil, judges what survives on them by formula and rounding too. Answers
	// without a budget need it: on every device it bounds what they may be off by.
	Exact *suite.Exact
}

// Device is a simulator that judges mutants.
type Device struct {
	Name string
	Open func(steps int64) metalrun.Runner // with a budget of steps for each threadgroup
	// one case of each shape judges, for those that look at accesses more than at values
	Shapes bool
	// Adverse devices are as the first but for the choices that they make: a kernel that leaves
	// none open is not launched there.
	Adverse bool
}

// Rule is what kills a mutant.
type Rule string

// Rules.
const (
	// ByVerdict is that of a run: bounds, exactness, guards, faults and findings.
	ByVerdict Rule = "verdict"
	// ByCosine is the one in use elsewhere: the cosine of each output with its exact
	// value is at least 0.9999. It knows no guards and no findings. A launch that
	// ends in a fault, such as an access out of range, kills here too, although a
	// GPU need not show it: the rule is given the benefit of the doubt.
	ByCosine Rule = "cosine"
	// ByCosineOnGPU is the same where nothing but values is seen: outputs are zero
	// before the launch, after each buffer there is some memory, also of zeros, and a
	// launch that ends in another fault tells nothing, unless it does not end by
	// itself. Variables and threadgroup memory that nobody has written still hold
	// NaN, which a GPU need not do.
	ByCosineOnGPU Rule = "cosine-gpu"
)

// Fate is what became of a mutant.
type Fate string

// Fates.
const (
	Killed     Fate = "killed"     // a case fails
	Survived   Fate = "survived"   // every case passes
	Equivalent Fate = "equivalent" // it provably computes the same
	Duplicate  Fate = "duplicate"  // an earlier mutant provably computes the same
	Invalid    Fate = "invalid"    // it does not compile, or cannot be launched
	Broken     Fate = "broken"     // it could not be judged: a fault of ours
)

// StepFactor is how many times the steps that the original takes, in the same case and those that
// move fewer bytes and rounded up to a power of four, a mutant may.
const StepFactor = 64

// Mutant is a mutant and its fate, one line of a log of mutants.
type Mutant struct {
	ID       string   `json:"id"`  // by the position of the edit
	Key      string   `json:"key"` // by what the edit does; edits of the source elsewhere leave it
	Family   string   `json:"family"`
	File     string   `json:"file"`
	Function string   `json:"function"` // that is edited
	Kernels  []string `json:"kernels"`  // that lead to it
	Operator string   `json:"operator"`
	Line     int      `json:"line"`
	Col      int      `json:"col"`
	Change   string   `json:"change"` // the edited line with «old → new»
	Diff     string   `json:"diff"`

	Fate   Fate   `json:"fate"`
	Proof  string `json:"proof,omitempty"` // of the equivalence
	Of     string `json:"of,omitempty"`    // the earlier mutant, by its ID
	Digest string `json:"digest,omitempty"`

	Check   suite.Check    `json:"check,omitempty"`   // that killed it
	Device  string         `json:"device,omitempty"`  // on which
	Case    string         `json:"case,omitempty"`    // in which
	Cases   int            `json:"cases,omitempty"`   // judged, the fatal one included
	Failure *suite.Failure `json:"failure,omitempty"` // of the check
	Reason  string         `json:"reason,omitempty"`  // why it is invalid or broken

	Crash *crash.Crash `json:"-"` // the panic that broke it
}

// cosineLimit is the least cosine that ByCosine accepts.
const cosineLimit = 0.9999

// Plan lists the mutants that a mutation judges, in order.
func (m *Mutation) Plan() (*Plan, error) {
	p := &Plan{Mutation: m, kernels: map[string]*mutatedKernel{}, runners: map[runnerKey]metalrun.Runner{}}
	if err := p.enumerate(); err != nil {
		return nil, err
	}
	p.draw()
	return p, nil
}

// Decide judges the mutants of a plan and reports each, in the order of the plan. Those
// that are known have been judged before, and keep their fates. It returns ctx's error
// if it was cancelled: then a first part has been reported.
func (p *Plan) Decide(ctx context.Context, known []Mutant, report func(Mutant)) error {
	if err := p.resume(known); err != nil {
		return err
	}
	if err := p.Compare(ctx); err != nil {
		return err
	}
	groups := p.groups()
	done := make([]chan struct{}, len(groups))
	for i := range done {
		done[i] = make(chan struct{})
	}
	crashed := make([]error, len(groups))
	go p.each(ctx, len(groups), func(i int) {
		defer close(done[i])
		defer crash.Catch(&crashed[i])
		p.decideGroup(ctx, groups[i])
	})
	for i, group := range groups {
		select {
		case <-done[i]:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := cmp.Or(ctx.Err(), crashed[i]); err != nil {
			return err
		}
		for _, c := range group {
			report(c.Mutant)
		}
	}
	return nil
}

// each calls f for 0 … n-1, some at once, and returns when all have returned.
// After ctx has ended no more are called.
func (p *Plan) each(ctx context.Context, n int, f func(i int)) {
	parallel := p.Parallel
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	finished := make(chan struct{})
	for range parallel {
		go func() {
			for i := range next {
				f(i)
			}
			finished <- struct{}{}
		}()
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	for range parallel {
		<-finished
	}
}

// resume gives mutants that were judged before their fates.
func (p *Plan) resume(known []Mutant) error {
	planned := map[string]*plannedMutant{}
	for _, c := range p.mutants {
		planned[c.ID] = c
	}
	for _, k := range known {
		switch c := planned[k.ID]; {
		case c == nil:
			return fmt.Errorf("%s has been judged, and is no mutant of this run", k.ID)
		case c.resumed && !c.Mutant.same(k):
			return fmt.Errorf("%s has been judged twice, with different fates", k.ID)
		default:
			c.Mutant, c.resumed = k, true
		}
	}
	return nil
}

// same reports whether two mutants have one fate, found in the same way.
func (m Mutant) same(other Mutant) bool {
	x, errX := json.Marshal(m)
	y, errY := json.Marshal(other)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// part are the mutants of the part that is judged, in order.
func (p *Plan) part() []*plannedMutant {
	if p.Part == nil {
		return p.mutants
	}
	var list []*plannedMutant
	for i, c := range p.mutants {
		if p.Part(i) {
			list = append(list, c)
		}
	}
	return list
}

// Planned is the number of mutants of all parts.
func (p *Plan) Planned() int { return len(p.mutants) }

// Mutants are those of the part that is judged, as far as they have been.
func (p *Plan) Mutants() []Mutant {
	part := p.part()
	list := make([]Mutant, len(part))
	for i, c := range part {
		list[i] = c.Mutant
	}
	return list
}

// Source is the text of the mutant with an ID.
func (p *Plan) Source(id string) (text string, ok bool) {
	for _, c := range p.mutants {
		if c.ID == id {
			return c.source.Source().Files[c.File], true
		}
	}
	return "", false
}
