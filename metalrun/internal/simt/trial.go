package simt

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"metalconform/metalrun/internal/scalar"
)

// Grade says how much a finding weighs.
type Grade string

// Grades.
const (
	Wrong      Grade = "wrong"     // a trial changed a result
	Undecided  Grade = "undefined" // Metal does not define it, and no trial changed a result
	NotAnError Grade = "note"      // worth knowing
)

// Trial is another run of a launch that Metal allows, held against the plain one.
type Trial struct {
	What    string // is different, such as "threads one by one"
	Changes string // the first thing in the results, "" for nothing
}

// graded is the grade that trials give.
func graded(trials []Trial) Grade {
	for _, t := range trials {
		if t.Changes != "" {
			return Wrong
		}
	}
	return Undecided
}

// mostTrialSteps bounds the steps of a trial in which threads run one by one; beyond it
// simdgroups do.
const mostTrialSteps = 1 << 25

// mostApart bounds the bytes that are copied for threadgroups that do not see each other.
const mostApart = 1 << 30

// tryRaces runs the launch in other orders, if threads race, and grades the races by what
// that changes. The buffers then hold what they held before.
func (t *checked) tryRaces(w *sanitizer) {
	objects := map[int]bool{}
	for _, f := range w.findings.list {
		if f.Check == Race {
			objects[f.object] = true
		}
	}
	if len(objects) == 0 {
		return
	}
	first := outcome{memory: t.p.written(t.launch, t.buffers)}
	defer t.restore(first.memory)
	var late []int
	for object := range firstStatic + len(t.p.kernel.Objects) {
		if objects[object] && !t.p.hasAtomics(object) {
			late = append(late, object)
		}
	}
	var trials []Trial
	try := func(what string, run func() error) {
		t.restore(t.before)
		trial := Trial{What: what}
		if err := run(); err != nil {
			trial.Changes = fmt.Sprintf("the launch ends in a fault (%v)", err)
		} else {
			trial.Changes = t.changes(w, first.memory, t.p.written(t.launch, t.buffers))
		}
		trials = append(trials, trial)
	}
	q, unit := t.p.inTurns(t.steps*int64(t.launch.PerGroup.count())*int64(t.launch.Groups.count()) <= mostTrialSteps)
	for _, backward := range []bool{false, true} {
		how, direction := manner{seed: 1, single: q.options.single, backward: backward}, "in a drawn order"
		if backward {
			direction = "in the opposite order"
		}
		err := t.inTurns(q, how)
		if errors.Is(err, errApart) {
			q, unit = t.p.inTurns(false)
			how.single = false
		}
		try(fmt.Sprintf("%s and threadgroups one by one, %s", unit, direction), func() error { return t.inTurns(q, how) })
	}
	if len(late) > 0 {
		q, _ := t.p.inTurns(false)
		try("what a simdgroup stores is seen by others after a barrier that orders it", func() error {
			return t.inTurns(q, manner{seed: 1, late: late})
		})
		if bytes := t.shared(late); bytes > 0 && bytes*t.launch.Groups.count() <= mostApart {
			try("what a threadgroup stores is seen by others after the launch", func() error { return t.apart(late) })
		}
	}
	grade := graded(trials)
	for i := range w.findings.list {
		if f := &w.findings.list[i]; f.Check == Race {
			f.Grade, f.Trials = grade, trials
		}
	}
}

// inTurns is the program whose threads, or else simdgroups, run one by one, and what they
// are.
func (p *Program) inTurns(single bool) (q *Program, unit string) {
	o := p.given
	o.Check, o.Schedule, o.single = false, 1, single
	if single {
		return Compile(p.source, o), "threads"
	}
	return Compile(p.source, o), "simdgroups"
}

// inTurns runs the launch as a schedule does, the threadgroups in an order of their own.
func (t *checked) inTurns(q *Program, how manner) error {
	l := *t.launch
	l.steps = 2*t.steps + 1<<16
	s := newSchedule(q, &l, t.buffers, how)
	draw := mix(how.seed)
	order := drawnOrder(&draw, l.Groups.count())
	for k := range order {
		i := order[k]
		if how.backward {
			i = order[len(order)-1-k]
		}
		group := position(i, l.Groups)
		if err := s.run(group, l.extent(group)); err != nil {
			return err
		}
	}
	return nil
}

// shared is the size of those of the objects that threadgroups share.
func (t *checked) shared(objects []int) int {
	bytes := 0
	for _, o := range objects {
		if o < firstThreadgroup {
			bytes += len(t.buffers[o].bytes)
		}
	}
	return bytes
}

// apart runs the threadgroups so that in some objects none sees what others store.
func (t *checked) apart(objects []int) error {
	o := t.p.given
	o.Check = false
	l := *t.launch
	l.steps = 2*t.steps + 1<<16
	m := newMachine(Compile(t.p.source, o), &l, t.buffers, l.PerGroup.count())
	results := map[int][]byte{}
	for _, object := range objects {
		if object < firstThreadgroup {
			results[object] = append([]byte(nil), t.before[object]...)
		}
	}
	for i := range l.Groups.count() {
		if err := m.runGroup(i); err != nil {
			return err
		}
		for object, result := range results {
			before := t.before[object]
			for at, b := range t.buffers[object].bytes {
				if b != before[at] {
					result[at] = b
				}
			}
			copy(t.buffers[object].bytes, before)
		}
	}
	for object, result := range results {
		copy(t.buffers[object].bytes, result)
	}
	return nil
}

// hasAtomics reports whether atomics may access an object: those always see each other.
func (p *Program) hasAtomics(object int) bool {
	for _, site := range p.sites {
		if site.atomic && (site.access.object < 0 || site.access.object == object) {
			return true
		}
	}
	return false
}

// changes is the first element of the buffers that two runs leave different, with its
// values, or "".
func (t *checked) changes(w *sanitizer, plain, trial [][]byte) string {
	for object, bytes := range plain {
		if at := t.firstDifference(w, object, bytes, trial[object]); at >= 0 {
			return t.p.difference(object, at, bytes, trial[object])
		}
	}
	return ""
}

// difference spells an element that differs, as its argument is declared, or a byte of
// it.
func (p *Program) difference(object, at int, plain, trial []byte) string {
	for _, a := range p.kernel.Args {
		if a.Threadgroup || a.Index != object || a.Size == 0 || (at/a.Size+1)*a.Size > len(plain) {
			continue
		}
		i := at / a.Size
		x, y := spelt(a.Type, plain[i*a.Size:][:a.Size]), spelt(a.Type, trial[i*a.Size:][:a.Size])
		return fmt.Sprintf("%s[%d] is %s and was %s", a.Name, i, y, x)
	}
	return fmt.Sprintf("byte %d of %s is %#02x and was %#02x", at, p.objectTitle(object), trial[at], plain[at])
}

// spelt is an element of a type, in hexadecimal if it is no number.
func spelt(typ string, b []byte) string {
	var bits uint64
	for i, x := range b[:min(len(b), 8)] {
		bits |= uint64(x) << (8 * i)
	}
	signed := scalar.Int{Bits: uint8(8 * min(len(b), 8)), Signed: true}
	switch strings.TrimPrefix(typ, "atomic_") {
	case "float":
		return fmt.Sprint(f32frombits(uint32(bits)))
	case "half":
		return fmt.Sprint(f32frombits(halfToLane(uint32(bits))))
	case "bfloat":
		return fmt.Sprint(f32frombits(uint32(bits) << 16))
	case "int", "short", "char", "long":
		return fmt.Sprint(int64(signed.Canonical(bits)))
	case "uint", "ushort", "uchar", "ulong":
		return fmt.Sprint(bits)
	}
	return fmt.Sprintf("0x%x", bits)
}

// trialValues stand in turn in place of an unspecified value.
var trialValues = [...]uint32{0x7149f2ca, 0, ^uint32(0)}

// tryValues runs the launch with other values at one site, and gives what that changes.
func (t *checked) tryValues(w *sanitizer, c suspect, first outcome) []Trial {
	var trials []Trial
	for _, value := range trialValues {
		a := &alternative{value: value, only: &c.Choice}
		again := t.run(w, t.p.withAlternative(a), a)
		trial := Trial{What: fmt.Sprintf("%#08x (as a float %v) in its place", value, math.Float32frombits(value))}
		switch {
		case again.fault != first.fault:
			trial.Changes = fmt.Sprintf("the launch ends in a fault (%s)", again.fault)
		default:
			trial.Changes = t.changes(w, first.memory, again.memory)
		}
		trials = append(trials, trial)
	}
	return trials
}
