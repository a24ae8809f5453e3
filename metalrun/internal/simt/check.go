package simt

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// Check is Run for a program with Options.Check: its threadgroups run one after
// the other, observed. Findings come in the order in which they were made. It takes
// a few times the memory of the buffers that the kernel may write, for any grid.
func (p *Program) Check(l Launch) ([]Finding, error) {
	if err := p.check(&l); err != nil {
		return nil, err
	}
	buffers, finish := bind(l.Buffers)
	defer finish()
	t := &checked{p: p, launch: &l, buffers: buffers, ledger: p.newLedger(), most: mostTried}
	defer t.ledger.release()
	w, err := t.observe()
	if l.Arms != nil {
		p.arms(w.outcomes, l.Arms)
	}
	if l.Met != nil {
		for _, c := range t.suspects(w) {
			*l.Met = append(*l.Met, c.Choice)
		}
	}
	if err == nil {
		err = t.try(w)
	}
	return w.findings.list, err
}

// try tells what becomes of the results when the launch runs again in other ways that Metal
// allows. Its error is the end of the launch's time: a trial that it ends shows nothing.
func (t *checked) try(w *sanitizer) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case late:
			f := *r.Fault
			f.Kind, f.Msg = Unfinished, fmt.Sprintf("the checks still run the launch in other ways after %v, which -timeout can raise", t.p.options.Timeout)
			err = &f
		default:
			panic(r)
		}
	}()
	sites := len(t.suspects(w))
	t.many = sites > manySites
	switch {
	case t.launch.Unprobed || sites == 0:
	case t.exhausted():
		w.findings.add(-1, Finding{
			Check: Undefined, Grade: GradeNote, Party: Party{Pos: t.p.kernel.Pos, Does: "kernel"},
			Msg: fmt.Sprintf("values that Metal leaves unspecified at %d sites are not tried in each launch%s", sites, t.raise()),
		})
	default:
		t.probe(w)
	}
	if !t.launch.Ungraded {
		t.gradeRaces(w)
	} else {
		w.findings.list = slices.DeleteFunc(w.findings.list, func(f Finding) bool { return f.disorder }) // nothing shows that it is one
	}
	return nil
}

// late is the panic of a trial that has run out of the launch's time.
type late struct{ *Fault }

// checked is a launch under observation.
type checked struct {
	p       *Program
	launch  *Launch
	buffers []memory
	before  [][]byte // per buffer of the table: its contents before the launch, for trials; nil where the kernel cannot write
	shadows []*shadow
	ledger  *ledger
	steps   int64 // the most that a threadgroup took
	tried   int64 // what launches again with other values have taken
	most    int64 // of that, before limits hold
	many    bool  // there are so many sites of unspecified values that this is bounded
	reads   map[int]Party
}

// written are the buffers that the kernel can write, as they are.
func (p *Program) written(l *Launch, buffers []memory) [][]byte {
	out := make([][]byte, len(buffers))
	for _, b := range l.Buffers {
		if !b.ReadOnly && p.can[b.Index] {
			out[b.Index] = buffers[b.Index].bytes
		}
	}
	return out
}

// copies copies them, for the time of the launch.
func (t *checked) copies() [][]byte {
	out := t.p.written(t.launch, t.buffers)
	for i, b := range out {
		if b != nil {
			out[i] = t.ledger.copy(b)
		}
	}
	return out
}

// recall finds out what the buffers held before the launch.
func (t *checked) recall() {
	if t.before == nil {
		t.before = t.copies()
		t.ledger.undo(func(object int) []byte { return t.before[object] })
	}
}

// observe runs the launch once, observed, and again if an object turns out to
// need a closer look.
func (t *checked) observe() (*sanitizer, error) {
	for {
		w, done, err := t.observeOnce()
		if done {
			return w, err
		}
		t.ledger.undo(func(object int) []byte { return t.buffers[object].bytes })
		t.ledger.restart()
	}
}

// observeOnce is one such run; done is false if another is needed.
func (t *checked) observeOnce() (w *sanitizer, done bool, err error) {
	m := newMachine(t.p, t.launch, t.buffers, t.launch.PerGroup.count())
	w = &sanitizer{uninitialised: map[int]*uninitialisedRead{}, outcomes: make(outcomes, t.p.constructs)}
	m.sanitize(w, t.ledger)
	t.shadows = nil
	for i := range m.objects[:analysis.FirstThreadgroup] {
		t.shadows = append(t.shadows, m.objects[i].shadow)
	}
	m.outcomes = w.outcomes
	defer func() {
		switch r := recover().(type) {
		case nil:
			done = true
			t.launch.Work.add(m)
			m.retire()
		case mixed:
			t.p.fine[r.object].Store(true)
		default:
			panic(r)
		}
	}()
	return w, true, t.groups(m)
}

// groups runs all threadgroups in grid order.
func (t *checked) groups(m *machine) error {
	for i := range t.launch.running() {
		if !t.launch.runs(i) {
			continue
		}
		if w := m.sanitizer; w != nil {
			w.begin(m, i)
		}
		if err := m.runGroup(t.launch.Skip + i); err != nil {
			return err
		}
		t.steps = max(t.steps, m.budget()-m.steps)
	}
	return nil
}

// probe finds out which unspecified values matter, and leaves the buffers as the
// first run did.
func (t *checked) probe(w *sanitizer) {
	t.recall()
	first := outcome{memory: t.copies(), branches: w.outcomes}
	defer t.restore(first.memory)
	for _, value := range alternatives {
		all := t.run(w, &alternative{value: value})
		if what := t.differ(w, first, all); what != "" {
			all.memory = t.copies()
			t.attribute(w, first, all, value, what)
			return
		}
	}
}

// attribute reports every site whose unspecified value makes a difference alone:
// between the first run and one with another value there, or, where one such value
// hides another, between the run with other values everywhere and one without it
// there. Of very many sites in a long launch only the first are tried, and no more than
// there is room for findings.
func (t *checked) attribute(w *sanitizer, first, all outcome, value uint32, together string) {
	found, left := false, 0
	suspects := t.suspects(w)
	least, most := leastTried, t.most
	if t.many {
		least, most = 1, t.most*manySites/int64(len(suspects))
		if left := t.launch.Trials; left != nil {
			most = t.tried + *left
		}
	}
	for _, base := range []outcome{first, all} {
		for i, c := range suspects {
			if i >= least && (t.tried > most || t.exhausted()) || w.findings.full() {
				left = len(suspects) - i
				break
			}
			a := &alternative{value: value, only: &c.Choice}
			if base.alternative != nil {
				a = &alternative{value: value, except: &c.Choice}
			}
			again := t.run(w, a)
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
			w.findings.add(-1, Finding{
				Check: Undefined, Grade: GradeUndefined, Party: Party{Pos: t.p.kernel.Pos, Does: "kernel"},
				Msg: fmt.Sprintf("values that Metal leaves unspecified at %d more sites are not tried one by one: mend those that were%s", left, t.raise()),
			})
			return
		case found:
			return
		}
	}
	trials := []Trial{{"other values at all of them", t.changes(w, first, all)}}
	w.findings.add(-1, Finding{
		Check: Undefined, Grade: graded(trials), Trials: trials, Party: Party{Pos: t.p.kernel.Pos, Does: "kernel"},
		Msg: "values that Metal leaves unspecified at several sites together reach " + together,
	})
}

// What the trials of single sites may take, in instructions of threads and bytes of memory: so many sites are tried
// whatever they take, unless there are very many, of which the first is, and the more there are the less the others may take.
const (
	leastTried = 6
	manySites  = 64
	mostTried  = 1 << 32
)

// instructions are those of a body.
func instructions(body []ir.Node) int {
	n := 0
	ir.Walk(body, func(ir.Node) bool { n++; return true })
	return n
}

// suspect is a site of unspecified values, for shared memory with the object and
// its first uninitialised read.
type suspect struct {
	Choice
	object int
	read   *uninitialisedRead
}

func (t *checked) suspects(w *sanitizer) []suspect {
	var out []suspect
	for object := range analysis.FirstStatic + len(t.p.kernel.Objects) {
		if r := w.uninitialised[object]; r != nil {
			out = append(out, suspect{Choice{t.p.declaration(object), uninitialised}, object, r})
		}
	}
	for _, c := range t.p.unspecified {
		if w.meets(c) {
			out = append(out, suspect{Choice: c, object: -1})
		}
	}
	return out
}

// outcome is what a launch came to.
type outcome struct {
	alternative *alternative
	memory      [][]byte // of the buffers that it can write: those themselves, until it runs again, or copies
	branches    outcomes
	fault       string
	affected    *Party
}

// end notes the fault in which a run ended.
func (o *outcome) end(err error) {
	var f *Fault
	if errors.As(err, &f) && f.Kind == OutOfTime {
		panic(late{f})
	}
	o.fault = err.Error()
}

// run runs the launch again with an alternative.
func (t *checked) run(w *sanitizer, a *alternative) outcome {
	q := t.p.probing()
	t.restore(t.before)
	for object := range w.uninitialised {
		if object < analysis.FirstThreadgroup && a.takes(t.p.declaration(object), uninitialised) {
			t.fill(object, a.value)
		}
	}
	l := t.limited()
	l.Executed = new(atomic.Int64)
	m := newMachine(q, l, t.buffers, l.PerGroup.count())
	m.outcomes, m.alternative = make(outcomes, q.constructs), a
	again := &checked{p: q, launch: l}
	out := outcome{alternative: a, branches: m.outcomes}
	if err := again.groups(m); err != nil {
		out.end(err)
	}
	out.memory, out.affected = t.p.written(l, t.buffers), m.affected
	m.retire()
	t.charge(m, l.Executed.Load())
	return out
}

// exhausted reports whether trials of very many sites have taken all that they may together.
func (t *checked) exhausted() bool {
	return t.many && t.launch.Trials != nil && *t.launch.Trials <= 0
}

// raise is how to let trials take more, if they share what they may.
func (t *checked) raise() string {
	if t.launch.Trials == nil {
		return ""
	}
	return " (-launch-budget lets trials take more)"
}

// charge counts what a launch again has taken.
func (t *checked) charge(m *machine, executed int64) {
	before := t.tried
	t.tried += executed*int64(t.launch.PerGroup.count()) + int64(m.p.machineBytes(len(m.mask)))
	for _, b := range t.before {
		t.tried += int64(len(b))
	}
	if left := t.launch.Trials; left != nil && t.many {
		*left -= t.tried - before
	}
	if e := t.launch.Executed; e != nil {
		e.Add(executed)
	}
}

// differ says where two runs of the launch differ, or nothing. What the first run
// did not write of an undefined buffer does not count.
func (t *checked) differ(w *sanitizer, x, y outcome) string {
	if x.fault != y.fault {
		return fmt.Sprintf("a fault (%s)", cmp.Or(y.fault, x.fault))
	}
	for i, bytes := range x.memory {
		if at := t.firstDifference(w, i, bytes, y.memory[i]); at >= 0 {
			return fmt.Sprintf("byte %d of %s", at, t.p.objectAt(i))
		}
	}
	if id, ok := x.branches.differs(y.branches); ok {
		return fmt.Sprintf("the branch at %s", t.p.sources[id].pos)
	}
	return ""
}

// fill makes an undefined buffer hold a value.
func (t *checked) fill(object int, value uint32) {
	for off := range t.buffers[object].bytes {
		t.buffers[object].bytes[off] = byte(value >> (8 * (off % 4)))
	}
}

func (t *checked) restore(contents [][]byte) {
	for i, b := range contents {
		copy(t.buffers[i].bytes, b)
	}
}

// firstDifference is the first byte in which the contents of a buffer differ that may not
// hold anything, or -1.
func (t *checked) firstDifference(w *sanitizer, object int, a, b []byte) int {
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
func (t *checked) free(object int) []bool {
	for _, b := range t.launch.Buffers {
		if b.Index == object {
			return b.Free
		}
	}
	return nil
}

// report makes a finding of a suspect that makes a difference.
func (t *checked) report(w *sanitizer, c suspect, what string, affected *Party, trials []Trial) {
	f := Finding{Party: Party{Pos: c.Pos}, Grade: graded(trials), Trials: trials}
	if affected != nil {
		f.Thread, f.Group = affected.Thread, affected.Group
	}
	switch {
	case c.read != nil:
		f.Check, f.Party = Uninitialised, c.read.Party
		f.Other = &Party{Pos: t.p.declaration(c.object), Does: "declaration"}
		of := t.p.objectAt(c.object)
		f.Object, f.Msg = &of, fmt.Sprintf("%s is read before it is written, and what it holds reaches %s", of, what)
	case c.Kind == uninitialised:
		f.Check, f.Does = Uninitialised, "declaration"
		if read, ok := t.readOf(c.Pos); ok {
			f.Party, f.Other = read, &Party{Pos: c.Pos, Does: "declaration"}
		}
		f.Msg = fmt.Sprintf("%s is not initialised, and what it holds reaches %s", t.p.variable(c.Pos), what)
	default:
		met := w.encounters[c.Choice]
		f.Check, f.Party = Undefined, met.Party
		switch {
		case met.what == laneInactive:
			f.Check = Inactive
		case c.Kind == notFinite:
			f.Check = NotFinite
			what += "; keep it finite, as by a mask of -1e30f or by clamping, or compile for relaxed math, which has infinities and NaN"
		}
		f.Msg = fmt.Sprintf("%s is unspecified and reaches %s", met.what, what)
	}
	w.findings.add(c.object, f)
}

// readOf is the first uninitialised read of a thread's array declared at pos.
func (t *checked) readOf(pos syntax.Pos) (Party, bool) {
	for i, o := range t.p.kernel.Objects {
		if o.Space == syntax.Thread && o.Pos == pos {
			read, ok := t.firstReads()[i]
			return read, ok
		}
	}
	return Party{}, false
}

// variable names what is declared at pos: an array or a variable of a thread.
func (p *Program) variable(pos syntax.Pos) string {
	for _, o := range p.kernel.Objects {
		if o.Pos == pos {
			return fmt.Sprintf("%s %q", o.Space, o.Name)
		}
	}
	var names []string
	eachPoison(p.kernel, pos, func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	})
	if len(names) == 0 {
		return "a variable"
	}
	return fmt.Sprintf("thread %q", strings.Join(names, ", "))
}
