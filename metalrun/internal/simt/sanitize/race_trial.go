package sanitize

import (
	"errors"
	"maps"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
)

// A race is graded by what becomes of the results when the launch runs again as Metal
// allows it: threads, simdgroups and threadgroups one by one, in an order and in the
// opposite one, so that of two accesses that nothing orders each comes first in one of
// them; and with stores that others see as late as barriers permit, which tells a
// barrier that orders the memory from one that only lets threads wait. What threads of a
// simdgroup do together makes them wait for each other, and so do data that one gets
// from another by it.

// raceTrials are the trials of a launch.
type raceTrials struct {
	*Checked
	w       *Sanitizer
	plain   *machine.Program // unobserved
	first   launchResult     // of the observed run
	closer  map[int]bool     // the threadgroups that are run by parts; nil for all
	list    []Trial
	orderly []Trial                   // in other orders alone, whatever tells them
	parts   map[bool]*machine.Program // see compiled
	pools   map[bool]*machine.Pool    // of single threads or whole simdgroups, between schedules
}

// trialPolicy is how a trial runs the parts of threadgroups.
type trialPolicy struct {
	seed     uint64
	single   bool  // a part is a thread, and otherwise a simdgroup
	backward bool  // in the opposite of the drawn orders
	late     []int // objects in which a part sees the stores of others only after a barrier that orders them
	unit     int   // bytes of these objects that are stored together; 0 means one
}

// Limits of trials. In steps of threads: what all threadgroups may take to be run thread
// by thread, and what those that a finding names may; beyond it simdgroups run one by one.
// In bytes: copies of memory for parts that do not see each other's stores.
const (
	mostSteps      = 1 << 22
	mostNamedSteps = 1 << 25
	mostCopies     = 1 << 26
	mostMachines   = 1 << 26 // one for each thread

	// Of code that processors keep close: the steps of a thread that goes through longer code alone take as many
	// times longer.
	nearInstructions = 1 << 11
)

// gradeRaces tries what races do to the results, and leaves the buffers as the observed
// run did.
func (t *Checked) gradeRaces(w *Sanitizer) {
	objects, closer, vector, found := map[int]bool{}, map[int]bool{}, 0, false
	for _, f := range w.Findings.List {
		if f.Check == Race {
			objects[f.object], found = objects[f.object] || !f.disorder, true
			closer[t.Launch.Number(f.Group)], closer[t.Launch.Number(f.Other.Group)] = true, true
			vector = max(vector, f.vector)
		}
	}
	if !found {
		return
	}
	maps.DeleteFunc(objects, func(_ int, plain bool) bool { return !plain })
	t.SaveBefore()
	r := &raceTrials{Checked: t, w: w, plain: unobserved(t.P, false), first: launchResult{memory: t.copies()},
		closer: closer, parts: map[bool]*machine.Program{}, pools: map[bool]*machine.Pool{}}
	defer t.restore(r.first.memory)
	late := slices.DeleteFunc(slices.Sorted(maps.Keys(objects)), CheckerOf(t.P).hasAtomics)
	for _, try := range []func(){
		func() { r.bySimdgroup(late) },
		func() { r.byThread(late, vector) },
		func() { r.apart(late) },
	} {
		if len(r.list) < leastTrials || graded(r.list) != GradeWrong ||
			len(objects) == 0 && graded(r.orderly) != GradeWrong {
			try()
		}
	}
	r.gradeDisorder()
	for i := range w.Findings.List {
		if f := &w.Findings.List[i]; f.Check == Race && !f.disorder {
			f.Grade, f.Trials = graded(r.list), r.list
		}
	}
}

// leastTrials are made even if the first of them change results.
const leastTrials = 3

// orders tries an order and the opposite one, and reports whether there was time for it.
// Where atomics tell in which order threads come to them, what changes is no fault of the
// race, and other trials have to show it.
func (r *raceTrials) orders(of string, how trialPolicy) bool {
	how.seed = 1
	opposite := how
	opposite.backward = true
	for _, x := range []struct {
		order string
		how   trialPolicy
	}{{"a drawn", how}, {"the opposite", opposite}} {
		out, err := r.schedule(x.how)
		if err != nil {
			return false
		}
		what := of + " one by one in " + x.order + " order"
		r.note(what, out)
		if !CheckerOf(r.P).telling() {
			r.list = append(r.list, Trial{what, r.changes(r.w, r.first, out)})
		}
	}
	return true
}

// bySimdgroup tries simdgroups one by one, and stores that arrive late, held against the
// same order with stores that arrive at once.
func (r *raceTrials) bySimdgroup(late []int) {
	r.orders("simdgroups", trialPolicy{})
	simdgroups := (r.Launch.PerGroup.Count() + machine.Simdgroup - 1) / machine.Simdgroup
	if len(late) == 0 || r.size(late)*simdgroups > mostCopies {
		return
	}
	base, _ := r.schedule(trialPolicy{seed: 1})
	base.memory = r.copies()
	out, _ := r.schedule(trialPolicy{seed: 1, late: late})
	r.add("stores that other simdgroups see only after a barrier that orders them", base, out)
}

// byThread tries the same thread by thread, and if components of a vector are stored, that
// the others go with them.
func (r *raceTrials) byThread(late []int, vector int) {
	if !r.threadByThread() || !r.orders("threads", trialPolicy{single: true}) {
		return
	}
	if len(late) == 0 || r.size(late)*r.Launch.PerGroup.Count() > mostCopies {
		return
	}
	base, _ := r.schedule(trialPolicy{seed: 1, single: true})
	base.memory = r.copies()
	out, _ := r.schedule(trialPolicy{seed: 1, single: true, late: late})
	r.add("stores that other threads see only after a barrier that orders them", base, out)
	if vector > 0 {
		out, _ := r.schedule(trialPolicy{seed: 1, single: true, late: late, unit: vector})
		r.add("stores to components that write their vectors whole", base, out)
	}
}

// compiled is the program for parts of a threadgroup: single threads, or whole simdgroups.
func (r *raceTrials) compiled(single bool) *machine.Program {
	if r.parts[single] == nil {
		r.parts[single] = r.P.Again(func(o *machine.Options) { o.Check, o.Single = false, single })
	}
	return r.parts[single]
}

// threadByThread reports whether there is time for that, in which threadgroups r.closer
// says.
func (r *raceTrials) threadByThread() bool {
	n := r.Launch.PerGroup.Count()
	if n*r.plain.MachineBytes(1)+(n/machine.Simdgroup+1)*r.plain.MachineBytes(machine.Simdgroup) > mostMachines {
		return false
	}
	length := r.P.Length // steps are those of loops
	each := (r.steps + length) * int64(n) * (1 + length/nearInstructions)
	if each*int64(r.Launch.Running()) <= mostSteps {
		r.closer = nil
		return true
	}
	return each*int64(len(r.closer)) <= mostNamedSteps
}

// apart tries threadgroups that do not see what others store.
func (r *raceTrials) apart(objects []int) {
	objects = slices.DeleteFunc(objects, func(o int) bool { return o >= analysis.FirstThreadgroup })
	if len(objects) == 0 || r.size(objects)*r.Launch.Running() > 4*mostCopies {
		return
	}
	r.restore(r.Before)
	results := map[int][]byte{}
	for _, o := range objects {
		results[o] = slices.Clone(r.Before[o])
	}
	run := r.executor()
	var out launchResult
	for i := range r.Launch.Running() {
		if !r.runs(i) {
			continue
		}
		if err := run(r.Launch.Skip + i); err != nil {
			out.end(err)
			break
		}
		for o, result := range results {
			copyChanges(result, r.Buffers[o].Bytes, r.Before[o], 1)
			copy(r.Buffers[o].Bytes, r.Before[o])
		}
	}
	for o, result := range results {
		copy(r.Buffers[o].Bytes, result)
	}
	out.memory = written(r.P, r.Launch, r.Buffers)
	r.add("stores that other threadgroups do not see", r.first, out)
}

func (r *raceTrials) add(what string, run, trial launchResult) {
	r.list = append(r.list, Trial{what, r.changes(r.w, run, trial)})
}

// schedule runs the launch from its beginning as a schedule does, the threadgroups in an
// order of their own. Those that are not looked at closer run as they do without one.
func (r *raceTrials) schedule(how trialPolicy) (launchResult, error) {
	r.restore(r.Before)
	l := r.limited()
	p, c := r.compiled(how.single), r.pools[how.single]
	if delete(r.pools, how.single); c == nil {
		c = machine.NewPool(p, l, r.Buffers, how.single)
	}
	var delay machine.StoreBuffer
	if len(how.late) > 0 {
		delay = newDelayedStores(p, c.Machines, how)
	}
	s := machine.NewSchedule(p, l, c, machine.Policy{Seed: how.seed, Single: how.single, Backward: how.backward}, delay)
	run := r.executor()
	draw := machine.Mix(how.seed)
	order := machine.DrawnOrder(&draw, l.Running())
	if how.backward {
		slices.Reverse(order)
	}
	var out launchResult
	for _, i := range order {
		if !r.runs(i) {
			continue
		}
		i += l.Skip
		err := error(nil)
		if group := machine.Position(i, l.Groups); r.closer == nil || r.closer[i] {
			err = s.Run(group, l.Extent(group))
		} else {
			err = run(i)
		}
		if errors.Is(err, machine.ErrApart) {
			return out, err
		}
		if err != nil {
			out.end(err)
			break
		}
	}
	if out.fault == "" {
		r.pools[how.single] = c
	}
	out.memory = written(r.P, l, r.Buffers)
	return out, nil
}

// executor runs threadgroups as the observed run does.
func (r *raceTrials) executor() func(i int) error {
	return machine.NewMachine(r.plain, r.limited(), r.Buffers, r.Launch.PerGroup.Count()).RunGroup
}

// limited is the launch with what it may take: not much more than it did. Where its steps are used up no trial begins.
func (t *Checked) limited() *machine.Dispatch {
	if t.Launch.Exhausted() {
		panic(late{t.P.Late(t.Launch, machine.Size{})})
	}
	l := *t.Launch
	l.Steps = 2*t.steps + 1<<16
	return &l
}

// size is how many bytes the objects have.
func (r *raceTrials) size(objects []int) int {
	bytes := 0
	for _, o := range objects {
		switch {
		case o < analysis.FirstThreadgroup:
			bytes += len(r.Buffers[o].Bytes)
		case o < analysis.FirstStatic:
			bytes += r.Launch.Threadgroup[o-analysis.FirstThreadgroup]
		default:
			bytes += r.P.Kernel.Objects[o-analysis.FirstStatic].Size
		}
	}
	return bytes
}

// hasAtomics reports whether atomics may access an object: those are always seen.
func (p *checker) hasAtomics(object int) bool {
	return slices.ContainsFunc(p.Sites, func(o *observer) bool {
		return o.atomic && (o.object < 0 || o.object == object)
	})
}

// tellsOrder reports whether results may depend on the order in which threads come to
// atomics.
func tellsOrder(k *ir.Kernel) bool {
	tells := analysis.TellsArrival(k)
	for in := range ir.Instrs(k.Body...) {
		if tells(in) {
			return true
		}
	}
	return false
}
