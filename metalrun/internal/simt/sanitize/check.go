package sanitize

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// Find is Run for a program with Options.Check: its threadgroups run one after the other and are observed. Findings are
// in the order in which they were made. It takes a few times the memory of the buffers that the kernel may write, for
// any grid.
func Find(p *machine.Program, l machine.Dispatch) ([]Finding, error) {
	want := machine.Wanted[*Checks](&l)
	if want == nil {
		want = &Checks{}
	}
	if err := p.Validate(&l); err != nil {
		return nil, err
	}
	buffers, finish := machine.Bind(l.Buffers)
	defer finish()
	t := &Checked{P: p, Want: want, Launch: &l, Buffers: buffers, PagePool: NewPagePool(p), TrialBudget: TrialBudget}
	defer t.PagePool.Release()
	w, err := t.Observe()
	t.tellWritten(w)
	if want.Arms != nil {
		arms(p, w.decisions, want.Arms)
	}
	if want.Met != nil {
		for _, c := range t.suspects(w) {
			*want.Met = append(*want.Met, c.Choice)
		}
	}
	if err == nil {
		err = t.Try(w)
	}
	return w.Findings.List, err
}

// Try runs the launch again in other ways that Metal allows, and reports how the results change. It fails if no steps
// are left: the trial that it ends shows nothing.
func (t *Checked) Try(w *Sanitizer) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case late:
			f := *r.Fault
			f.Kind, f.Msg = machine.Unfinished,
				fmt.Sprintf("the checks still run the launch in other ways after %d steps of all threads, which "+
					"-timeout can raise", t.P.Options.TotalSteps)
			err = &f
		default:
			panic(r)
		}
	}()
	sites := len(t.suspects(w))
	t.many = sites > ManySites
	switch {
	case t.Want.Unprobed || sites == 0:
	case t.exhausted():
		w.Findings.add(-1, Finding{
			Check: Undefined, Grade: GradeNote, Party: Party{Pos: t.P.Kernel.Pos, Does: "kernel"},
			Msg: fmt.Sprintf("values that Metal leaves unspecified at %d sites are not tried in each launch%s", sites,
				t.raise()),
		})
	default:
		t.probe(w)
	}
	if !t.Want.Ungraded {
		t.gradeRaces(w)
	} else {
		// nothing shows that it is one
		w.Findings.List = slices.DeleteFunc(w.Findings.List, func(f Finding) bool { return f.disorder })
	}
	return nil
}

// late is the panic of a trial if the launch has no steps left.
type late struct{ *machine.Fault }

// Checks are what a checked launch reports, and which trials it leaves out.
type Checks struct {
	Arms     map[Arm]bool      // gets the arms of reached branches, and whether they were taken; nil: not wanted
	Met      *[]machine.Choice // gets the unspecified values that the launch meets; nil: not wanted
	Corner   bool              // only the threadgroups at the first corner and the last one run
	Ungraded bool              // no trials of races
	Unprobed bool              // no trials of unspecified values
	// remaining budget of trials of very many unspecified values, shared by launches; nil: no limit
	Trials *int64
}

// tellWritten marks the bytes of buffers that the launch has stored to, for those who want to know. Where moments
// have run out, shadows have been forgotten: then any byte may have been written.
func (t *Checked) tellWritten(w *Sanitizer) {
	for _, b := range t.Launch.Buffers {
		s := t.shadows[b.Index]
		for i := range b.Written {
			b.Written[i] = b.Written[i] || s != nil && (w.forgot || s.touched(i>>s.log))
		}
	}
}

// runs reports whether threadgroup i of those that are not skipped runs.
func (t *Checked) runs(i int) bool {
	l := t.Launch
	at := machine.Position(l.Skip+i, l.Groups)
	return !t.Want.Corner || at[0]+at[1]+at[2] <= 1 || l.Skip+i == l.Groups.Count()-1
}

// Checked is a launch under observation.
type Checked struct {
	P       *machine.Program
	Want    *Checks
	Launch  *machine.Dispatch
	Buffers []machine.Memory
	// per buffer of the table: its contents before the launch, for trials; nil where the kernel cannot write
	Before      [][]byte
	shadows     []*shadow
	PagePool    *pagePool
	steps       int64 // the most steps of a threadgroup
	trialCost   int64 // cost of the trials with other values so far
	TrialBudget int64 // limit of trialCost
	many        bool  // there are more than ManySites choices to try
	reads       map[int]Party
}

// written are the buffers that the kernel can write, without a copy.
func written(p *machine.Program, l *machine.Dispatch, buffers []machine.Memory) [][]byte {
	out := make([][]byte, len(buffers))
	for _, b := range l.Buffers {
		if !b.ReadOnly && p.Can[b.Index] {
			out[b.Index] = buffers[b.Index].Bytes
		}
	}
	return out
}

// copies copies the buffers that the kernel can write, for the time of the launch.
func (t *Checked) copies() [][]byte {
	out := written(t.P, t.Launch, t.Buffers)
	for i, b := range out {
		if b != nil {
			out[i] = t.PagePool.copy(b)
		}
	}
	return out
}

// SaveBefore computes what the buffers held before the launch.
func (t *Checked) SaveBefore() {
	if t.Before == nil {
		t.Before = t.copies()
		t.PagePool.undo(func(object int) []byte { return t.Before[object] })
	}
}

// Observe runs the launch once, observed, and again if an object needs a finer shadow.
func (t *Checked) Observe() (*Sanitizer, error) {
	for {
		w, done, err := t.observeOnce()
		if done {
			return w, err
		}
		t.PagePool.undo(func(object int) []byte { return t.Buffers[object].Bytes })
		t.PagePool.restart()
	}
}

// observeOnce is one observed run; done is false if another one is needed.
func (t *Checked) observeOnce() (w *Sanitizer, done bool, err error) {
	m := machine.NewMachine(t.P, t.Launch, t.Buffers, t.Launch.PerGroup.Count())
	w = &Sanitizer{Uninitialised: map[int]*UninitialisedRead{}, decisions: make(decisions, t.P.Constructs)}
	Sanitize(m, w, t.PagePool)
	t.shadows = nil
	for i := range m.Objects[:analysis.FirstThreadgroup] {
		t.shadows = append(t.shadows, shadowOf(&m.Objects[i]))
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
			done = true
			m.Finish()
			m.Retire()
		case mixed:
			CheckerOf(t.P).fine[r.object].Store(true)
		default:
			panic(r)
		}
	}()
	return w, true, t.Groups(m)
}

// Groups runs all threadgroups in grid order.
func (t *Checked) Groups(m *machine.Machine) error {
	for i := range t.Launch.Running() {
		if !t.runs(i) {
			continue
		}
		if err := m.RunGroup(t.Launch.Skip + i); err != nil {
			return err
		}
		t.steps = max(t.steps, m.Budget()-m.Steps)
	}
	return nil
}

// probe finds the unspecified values that matter, and leaves the buffers as the first run did.
func (t *Checked) probe(w *Sanitizer) {
	t.SaveBefore()
	first := launchResult{memory: t.copies(), branches: w.decisions}
	defer t.restore(first.memory)
	for _, value := range machine.Alternatives {
		all := t.Run(w, &machine.Alternative{Value: value})
		if what := t.differ(w, first, all); what != "" {
			all.memory = t.copies()
			t.attribute(w, first, all, value, what)
			return
		}
	}
}

// attribute reports every choice whose unspecified value makes a difference by itself: between the first run and one
// with another value there. If one such value hides another, it compares the run with other values everywhere with a
// run without the other value there. Of very many choices in a long launch only the first are tried, and not more than
// there is room for findings.
func (t *Checked) attribute(w *Sanitizer, first, all launchResult, value uint32, together string) {
	found, left := false, 0
	suspects := t.suspects(w)
	least, most := MinSitesTried, t.TrialBudget
	if t.many {
		least, most = 1, t.TrialBudget*ManySites/int64(len(suspects))
		if left := t.Want.Trials; left != nil {
			most = t.trialCost + *left
		}
	}
	for _, base := range []launchResult{first, all} {
		for i, c := range suspects {
			if i >= least && (t.trialCost > most || t.exhausted()) || w.Findings.full() {
				left = len(suspects) - i
				break
			}
			a := &machine.Alternative{Value: value, Only: &c.Choice}
			if base.alternative != nil {
				a = &machine.Alternative{Value: value, Except: &c.Choice}
			}
			again := t.Run(w, a)
			if what := t.differ(w, base, again); what != "" {
				changes := t.changes(w, base, again)
				known := map[uint32]string{}
				if base.alternative == nil {
					known[value] = changes
				}
				trials := t.tryValues(w, c, first, known)
				if base.alternative != nil { // what one value hides another does
					trials = append(trials, Trial{"other values everywhere but here", changes})
				}
				t.report(w, c, what, again.affected, trials)
				found = true
			}
		}
		switch {
		case found && left > 0:
			w.Findings.add(-1, Finding{
				Check: Undefined, Grade: GradeUndefined, Party: Party{Pos: t.P.Kernel.Pos, Does: "kernel"},
				Msg: fmt.Sprintf("values that Metal leaves unspecified at %d more sites are not tried one by one: "+
					"mend those that were%s", left, t.raise()),
			})
			return
		case found:
			return
		}
	}
	trials := []Trial{{"other values at all of them", t.changes(w, first, all)}}
	w.Findings.add(-1, Finding{
		Check: Undefined, Grade: graded(trials), Trials: trials, Party: Party{Pos: t.P.Kernel.Pos, Does: "kernel"},
		Msg: "values that Metal leaves unspecified at several sites together reach " + together,
	})
}

// Limits of the trials of single choices. MinSitesTried choices are tried whatever they cost; of more than ManySites,
// one is. TrialBudget bounds the cost of the others, in instructions of threads plus bytes of memory; with more than
// ManySites choices, it shrinks in proportion to their number.
//
// Launches of the catalogue have at most 2 choices, of candle's kernels 13 (scaled_dot_product_attention): all of them
// are tried, and 1 or 64 instead of MinSitesTried change neither findings nor time. A kernel with 80 choices after
// 20,000 iterations takes 0.2 CPU seconds (check -exec), and 2.2 if there are never too many. One with 8 choices takes
// 1.0, and with 2²⁸ instead of TrialBudget 9 of its 49 lines of findings are missing.
const (
	MinSitesTried = 6
	ManySites     = 64
	TrialBudget   = 1 << 32
)

// suspect is a choice that may matter. For shared memory it has the object and its first uninitialised read.
type suspect struct {
	machine.Choice
	object int
	read   *UninitialisedRead
}

func (t *Checked) suspects(w *Sanitizer) []suspect {
	var out []suspect
	for object := range analysis.FirstStatic + len(t.P.Kernel.Objects) {
		if r := w.Uninitialised[object]; r != nil {
			out = append(out, suspect{machine.Choice{Pos: declaration(t.P, object), Kind: machine.Uninitialised},
				object, r})
		}
	}
	for _, c := range t.P.Unspecified {
		if w.meets(c) {
			out = append(out, suspect{Choice: c, object: -1})
		}
	}
	return out
}

// launchResult is the result of a launch.
type launchResult struct {
	alternative *machine.Alternative
	memory      [][]byte // the buffers that it can write, or copies of them
	branches    decisions
	fault       string
	affected    *machine.Thread
}

// end notes the fault in which a run ended.
func (o *launchResult) end(err error) {
	var f *machine.Fault
	if errors.As(err, &f) && (f.Kind == machine.OutOfTime || f.Kind == machine.Unfinished) {
		panic(late{f})
	}
	o.fault = err.Error()
}

// Run runs the launch again with an alternative.
func (t *Checked) Run(w *Sanitizer, a *machine.Alternative) launchResult {
	q := CheckerOf(t.P).Probing()
	t.restore(t.Before)
	for object := range w.Uninitialised {
		if object < analysis.FirstThreadgroup && a.Takes(declaration(t.P, object), machine.Uninitialised) {
			t.fill(object, a.Value)
		}
	}
	l := t.limited()
	l.Executed = new(atomic.Int64)
	m := machine.NewMachine(q, l, t.Buffers, l.PerGroup.Count())
	branches := make(decisions, q.Constructs)
	m.Observe(recorder{decisions: branches}, machine.Branches)
	m.Alternative = a
	again := &Checked{P: q, Want: t.Want, Launch: l}
	out := launchResult{alternative: a, branches: branches}
	if err := again.Groups(m); err != nil {
		out.end(err)
	}
	out.memory, out.affected = written(t.P, l, t.Buffers), m.Affected
	m.Retire()
	t.charge(m, l.Executed.Load())
	return out
}

// exhausted reports whether trials of very many choices have used up their shared budget.
func (t *Checked) exhausted() bool {
	return t.many && t.Want.Trials != nil && *t.Want.Trials <= 0
}

// raise says how to raise the shared budget of trials, if there is one.
func (t *Checked) raise() string {
	if t.Want.Trials == nil {
		return ""
	}
	return " (-launch-budget lets trials take more)"
}

// charge adds the cost of a trial.
func (t *Checked) charge(m *machine.Machine, executed int64) {
	before := t.trialCost
	t.trialCost += executed*int64(t.Launch.PerGroup.Count()) + int64(m.P.MachineBytes(len(m.Mask)))
	for _, b := range t.Before {
		t.trialCost += int64(len(b))
	}
	if left := t.Want.Trials; left != nil && t.many {
		*left -= t.trialCost - before
	}
	if e := t.Launch.Executed; e != nil {
		e.Add(executed)
	}
}

// differ says where two runs of the launch differ; "" if they do not. Bytes of an undefined buffer that the first run
// did not write are ignored.
func (t *Checked) differ(w *Sanitizer, x, y launchResult) string {
	if x.fault != y.fault {
		return fmt.Sprintf("a fault (%s)", cmp.Or(y.fault, x.fault))
	}
	for i, bytes := range x.memory {
		if at := t.firstDifference(w, i, bytes, y.memory[i]); at >= 0 {
			return fmt.Sprintf("byte %d of %s", at, t.P.ObjectAt(i))
		}
	}
	if id, ok := x.branches.differs(y.branches); ok {
		return fmt.Sprintf("the branch at %s", t.P.Sources[id].Pos)
	}
	return ""
}

// fill makes an undefined buffer hold a value.
func (t *Checked) fill(object int, value uint32) {
	for off := range t.Buffers[object].Bytes {
		t.Buffers[object].Bytes[off] = byte(value >> (8 * (off % 4)))
	}
}

func (t *Checked) restore(contents [][]byte) {
	for i, b := range contents {
		copy(t.Buffers[i].Bytes, b)
	}
}

// firstDifference is the first byte in which the contents of a buffer differ, except bytes that may hold anything; or
// -1.
func (t *Checked) firstDifference(w *Sanitizer, object int, a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	s, free := t.shadows[object], t.free(object)
	for i := range a {
		if a[i] != b[i] && !(i < len(free) && free[i]) && !(s != nil && s.undefined && !s.touched(i>>s.log)) {
			return i
		}
	}
	return -1
}

// free are the bytes of a buffer that may hold anything after the launch.
func (t *Checked) free(object int) []bool {
	for _, b := range t.Launch.Buffers {
		if b.Index == object {
			return b.Free
		}
	}
	return nil
}

// report makes a finding of a suspect that makes a difference.
func (t *Checked) report(w *Sanitizer, c suspect, what string, affected *machine.Thread, trials []Trial) {
	f := Finding{Party: Party{Pos: c.Pos}, Grade: graded(trials), Trials: trials}
	if affected != nil {
		f.Thread, f.Group = affected.Thread, affected.Group
	}
	switch {
	case c.read != nil:
		f.Check, f.Party = Uninitialised, c.read.Party
		f.Other = &Party{Pos: declaration(t.P, c.object), Does: "declaration"}
		of := t.P.ObjectAt(c.object)
		f.Object, f.Msg = &of, fmt.Sprintf("%s is read before it is written, and what it holds reaches %s", of, what)
	case c.Kind == machine.Uninitialised:
		f.Check, f.Does = Uninitialised, "declaration"
		if read, ok := t.readOf(c.Pos); ok {
			f.Party, f.Other = read, &Party{Pos: c.Pos, Does: "declaration"}
		}
		f.Msg = fmt.Sprintf("%s is not initialised, and what it holds reaches %s", variable(t.P, c.Pos), what)
	default:
		met := w.hits[c.Choice]
		f.Check, f.Party = Undefined, met.Party
		switch {
		case met.what == machine.LaneInactive:
			f.Check = Inactive
		case c.Kind == machine.NotFinite:
			f.Check = NotFinite
			what += "; keep it finite, as by a mask of -1e30f or by clamping, or compile for relaxed math, which has " +
				"infinities and NaN"
		}
		f.Msg = fmt.Sprintf("%s is unspecified and reaches %s", met.what, what)
	}
	w.Findings.add(c.object, f)
}

// readOf is the first uninitialised read of a thread's array declared at pos.
func (t *Checked) readOf(pos syntax.Pos) (Party, bool) {
	for i, o := range t.P.Kernel.Objects {
		if o.Space == syntax.Thread && o.Pos == pos {
			read, ok := t.firstReads()[i]
			return read, ok
		}
	}
	return Party{}, false
}

// variable names what is declared at pos: an array or a variable of a thread.
func variable(p *machine.Program, pos syntax.Pos) string {
	for _, o := range p.Kernel.Objects {
		if o.Pos == pos {
			return fmt.Sprintf("%s %q", o.Space, o.Name)
		}
	}
	var names []string
	machine.EachPoison(p.Kernel, pos, func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	if len(names) == 0 {
		return "a variable"
	}
	return fmt.Sprintf("thread %q", strings.Join(names, ", "))
}
