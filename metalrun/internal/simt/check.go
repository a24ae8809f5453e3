package simt

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Check is Run for a program with Options.Check: its threadgroups run one after
// the other, observed. Findings come in the order in which they were made. Memory
// is a few times that of the buffers that the kernel may write, whatever the grid.
func (p *Program) Check(l Launch) ([]Finding, error) {
	if err := p.check(&l); err != nil {
		return nil, err
	}
	buffers, finish := bind(l.Buffers)
	defer finish()
	t := &checked{p: p, launch: &l, buffers: buffers, before: written(&l, buffers), ledger: p.ledger(l.Groups.count())}
	defer p.ledgers.Put(t.ledger)
	w, err := t.watched()
	if err == nil && len(p.openings)+len(w.unwritten) > 0 {
		t.weigh(w)
	}
	return w.findings.list, err
}

// checked is a launch under observation.
type checked struct {
	p       *Program
	launch  *Launch
	buffers []memory
	before  [][]byte // per buffer of the table: its contents before the launch, nil where the kernel cannot write
	after   [][]byte
	shadows []*shadow
	ledger  *ledger
	steps   int64 // the most that a threadgroup took
}

// written copies the buffers that a kernel can write.
func written(l *Launch, buffers []memory) [][]byte {
	out := make([][]byte, len(buffers))
	for _, b := range l.Buffers {
		if !b.ReadOnly {
			out[b.Index] = slices.Clone(buffers[b.Index].bytes)
		}
	}
	return out
}

// watched runs the launch once, observed, and again where an object turns out to
// need a closer look.
func (t *checked) watched() (*watch, error) {
	for {
		w, done, err := t.watchedOnce()
		t.ledger.used += uint32(t.launch.Groups.count())
		if done {
			return w, err
		}
		t.restore(t.before)
	}
}

// watchedOnce is one such run; done is false if another is needed.
func (t *checked) watchedOnce() (w *watch, done bool, err error) {
	m := newMachine(t.p, t.launch, t.buffers, t.launch.PerGroup.count())
	w = &watch{unwritten: map[int]*unread{}, outcomes: make(outcomes, t.p.constructs)}
	w.clock.first = t.ledger.used + 1
	m.watched(w, t.ledger)
	t.shadows = nil
	for i := range m.objects[:firstThreadgroup] {
		t.shadows = append(t.shadows, m.objects[i].shadow)
	}
	m.outcomes = w.outcomes
	defer func() {
		switch r := recover().(type) {
		case nil:
			done = true
		case mixed:
			t.p.fine[r.place].Store(true)
		default:
			panic(r)
		}
	}()
	return w, true, t.groups(m)
}

// groups runs all threadgroups in grid order.
func (t *checked) groups(m *machine) error {
	for i := range t.launch.Groups.count() {
		if w := m.watch; w != nil {
			w.clock.group = w.clock.first + uint32(i)
		}
		if err := m.runGroup(i); err != nil {
			return err
		}
		t.steps = max(t.steps, m.budget()-m.steps)
	}
	return nil
}

// weigh finds out which open values matter, and leaves the buffers as the first
// run did.
func (t *checked) weigh(w *watch) {
	t.after = written(t.launch, t.buffers)
	defer t.restore(t.after)
	for i, value := range alternatives {
		if what, _, differs := t.differs(w, t.p.alternative(i), value, nil); differs {
			t.blame(w, value, what)
			return
		}
	}
}

// blame reports every place whose open value makes a difference alone, or all of
// them if only several do together.
func (t *checked) blame(w *watch, value uint32, together string) {
	found := false
	for _, c := range t.candidates(w) {
		q := t.p.withAlternative(&alternative{value, &c.Choice})
		if what, stranger, differs := t.differs(w, q, value, &c.Choice); differs {
			t.report(w, c, what, stranger)
			found = true
		}
	}
	if !found {
		w.findings.add(-1, Finding{
			Check: Undefined, Party: Party{Pos: t.p.kernel.Pos},
			Msg: "values that Metal leaves open, at several places together, reach " + together,
		})
	}
}

// candidate is an opening, and for shared memory the object with its first read.
type candidate struct {
	Choice
	place int
	read  *unread
}

func (t *checked) candidates(w *watch) []candidate {
	var out []candidate
	for place := range firstStatic + len(t.p.kernel.Objects) {
		if r := w.unwritten[place]; r != nil {
			out = append(out, candidate{Choice{t.p.declaration(place), uninitialised}, place, r})
		}
	}
	for _, c := range t.p.openings {
		out = append(out, candidate{Choice: c, place: -1})
	}
	return out
}

// differs runs the launch again as program q does and says what comes out
// differently.
func (t *checked) differs(w *watch, q *Program, value uint32, only *Choice) (what string, stranger *Party, differs bool) {
	t.restore(t.before)
	expected := slices.Clone(t.after)
	for place := range w.unwritten {
		if place < firstThreadgroup && (only == nil || only.Pos == t.p.declaration(place)) {
			expected[place] = t.replace(w, place, value)
		}
	}
	l := *t.launch
	l.steps = 2*t.steps + 1<<16
	m := newMachine(q, &l, t.buffers, l.PerGroup.count())
	m.outcomes = make(outcomes, q.constructs)
	again := &checked{p: q, launch: &l}
	if err := again.groups(m); err != nil {
		return fmt.Sprintf("a fault (%s)", err), m.stranger, true
	}
	for i, bytes := range expected {
		if bytes != nil && t.buffers[i].size > 0 {
			if at := firstDifference(bytes, t.buffers[i].bytes); at >= 0 {
				return fmt.Sprintf("byte %d of %s", at, t.p.placeName(i)), m.stranger, true
			}
		}
	}
	if id, ok := w.outcomes.differs(m.outcomes); ok {
		return fmt.Sprintf("the branch at %s", t.p.sources[id].pos), m.stranger, true
	}
	return "", nil, false
}

// replace fills an undefined buffer, and gives what it is to hold behind the
// launch: what nobody wrote stays.
func (t *checked) replace(w *watch, place int, value uint32) []byte {
	s, bytes := t.shadows[place], t.buffers[place].bytes
	out := slices.Clone(t.after[place])
	for off := range bytes {
		bytes[off] = byte(value >> (8 * (off % 4)))
		if !w.clock.recent(&s.writes[off>>s.log]) {
			out[off] = bytes[off]
		}
	}
	return out
}

func (t *checked) restore(contents [][]byte) {
	for i, b := range contents {
		copy(t.buffers[i].bytes, b)
	}
}

// firstDifference is the first byte in which two buffers differ, or -1.
func firstDifference(a, b []byte) int {
	if bytes.Equal(a, b) {
		return -1
	}
	for i := range a {
		if a[i] != b[i] {
			return i
		}
	}
	return -1
}

// report makes a finding of an opening that makes a difference.
func (t *checked) report(w *watch, c candidate, what string, stranger *Party) {
	f := Finding{Party: Party{Pos: c.Pos}}
	if stranger != nil {
		f.Thread, f.Group = stranger.Thread, stranger.Group
	}
	switch {
	case c.read != nil:
		f.Check, f.Party = Uninitialised, c.read.Party
		f.Other = &Party{Pos: t.p.declaration(c.place), Does: "declaration"}
		f.Msg = fmt.Sprintf("%s is read before it is written, and what it holds reaches %s", t.p.placeName(c.place), what)
	case c.Kind == uninitialised:
		f.Check, f.Does = Uninitialised, "declaration"
		if read, ok := t.readOf(c.Pos); ok {
			f.Party, f.Other = read, &Party{Pos: c.Pos, Does: "declaration"}
		}
		f.Msg = fmt.Sprintf("%s is not initialised, and what it holds reaches %s", t.p.variable(c.Pos), what)
	case c.Kind == inactive:
		f.Check, f.Does = Inactive, "read"
		f.Msg = "the value of a lane that is not active is open and reaches " + what
	case c.Kind == zeroDivisor:
		f.Check, f.Does = Undefined, "division"
		f.Msg = "the result of an integer division by zero, or of the least integer by -1, is open and reaches " + what
	default:
		f.Check, f.Does = Undefined, "conversion"
		f.Msg = "the conversion of a float out of the range of the integer type is open and reaches " + what
	}
	w.findings.add(c.place, f)
}

// readOf is the first read of a thread's array, declared at a place, that comes
// before a store.
func (t *checked) readOf(pos syntax.Pos) (Party, bool) {
	for i, o := range t.p.kernel.Objects {
		if o.Space == syntax.Thread && o.Pos == pos {
			read, ok := t.firstReads()[i]
			return read, ok
		}
	}
	return Party{}, false
}

// variable names what is declared at a place: an array or a variable of a thread.
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
