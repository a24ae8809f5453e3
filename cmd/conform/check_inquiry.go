package main

import (
	"context"
	"fmt"
	"slices"

	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// inquiry launches one kernel of a file in every way that it needs, and collects what is found.
type inquiry struct {
	*execution
	file  string
	at    place
	known map[placed][]string // what to state so that findings of others are none; nil: nothing helps
	cured map[placed][]string // likewise, of its own
	stays map[placed]bool     // what no other guess cures in threadgroups of another size
	store *adhoc.Store        // of its launches
	shown *sight              // by launches in every way; nil: there were none

	met    []metalrun.Choice  // by the last launch
	tried  map[trialSite]bool // where launches have tried other values
	like   *sight             // of others, that whole grids have shown
	part   bool               // a part was launched before
	inPart *sight             // that this has shown, if it is not known; nil: there is none

	alike   bool // the kernel shows what others of its place do, and takes over what that came to
	answers answers

	full   bool    // the kernel is launched in every way if others are not like it
	unlike []sight // what it has shown that others have not, where that has to wait

	told []told

	launches, cases int
	work            int64           // of the launches so far
	trials          int64           // that trials of very many unspecified values may still take
	late            *metalrun.Fault // of the first launch that ran out of time; nil: none did
}

// told is what an inquiry has to say: a launch that it has made, or observations.
type told struct {
	launch string
	list   []observation
}

func (q *inquiry) tell(list []observation) { q.told = append(q.told, told{list: list}) }

// conduct launches the kernel.
func (q *inquiry) conduct(ctx context.Context, u unit, info metalrun.KernelInfo) error {
	bounded := sim.Semantics{Check: true, SameValue: q.sameValue, Steps: maxSteps, ThreadSteps: maxThreadSteps}
	q.limits.Set(&bounded)
	library, err := sim.New(bounded).Compile(u.program)
	if err != nil {
		return exit.With(exit.Device, err)
	}
	defer library.Release()
	kernel, err := library.Kernel(info.Name)
	if err != nil {
		q.tell([]observation{q.failed(info, err)})
		return nil
	}
	defer q.forget()
	defer q.weigh()
	if err := q.kernel(ctx, metered{kernel, &q.work, &q.late}, info, u); err != nil {
		return err
	}
	q.unknown(info)
	return nil
}

// forget lets go of the launches behind observations, and of their buffers.
func (q *inquiry) forget() {
	for _, x := range q.told {
		for i := range x.list {
			x.list[i].shown = nil
		}
	}
}

// kernel launches one entry point in every way and tells what is found.
func (q *inquiry) kernel(ctx context.Context, kernel metalrun.Kernel, info metalrun.KernelInfo, u unit) error {
	few, err := q.launchesOf(info)
	if err != nil {
		return err
	}
	ofFile := few != nil
	if !ofFile {
		few, err = q.of(info)
	}
	if err != nil {
		note := metalrun.Finding{Check: "arguments", Kernel: info.Name, Party: declared(info), Grade: metalrun.GradeNote,
			Message: fmt.Sprintf("%s does not have the arguments of the catalogue's kernel of that name, and gets generated inputs (%v)", info.Name, err)}
		q.tell([]observation{{Source: q.file, Finding: note}})
	}
	if k, ok := u.adhoc[info.Name]; ok {
		if why := k.Unfilled(); why != "" {
			note := metalrun.Finding{Check: "arguments", Kernel: info.Name, Party: declared(info), Grade: metalrun.GradeNote, Message: info.Name + " is not launched: " + why}
			q.tell([]observation{{Source: q.file, Finding: note}})
			return nil
		}
		for range q.at.fewer { // as others of the place had to
			if smaller, _, ok := k.Smaller(); ok {
				k = smaller
			}
		}
		return q.adhoc(ctx, kernel, k.Using(q.store), u)
	}
	for _, c := range few {
		if !ofFile {
			q.cases++
		}
		list, err := q.launch(ctx, info, launched{Case: c.Name}, func() ([]metalrun.Finding, error) { return suite.Observe(kernel, c, q.seed) })
		if err != nil {
			return err
		}
		q.tell(list)
	}
	return nil
}

// asOthers makes the first and the last launch of a kernel in each size in which others of its place show the same. Where it
// shows something else than they, that is unlike.
func (q *inquiry) asOthers(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size) (like bool, unlike []sight, err error) {
	if q.exact.Given() {
		return false, nil, nil
	}
	for _, size := range q.at.sizes() {
		if !slices.Contains(sizes, size) {
			continue
		}
		like, hangs := false, false
		if q.at.common(size) {
			q.part = true
			like, hangs, _, err = q.asOther(ctx, kernel, s, sizes, size, true)
		}
		if !like && !hangs && err == nil {
			var shown sight
			like, hangs, shown, err = q.asOther(ctx, kernel, s, sizes, size, false)
			unlike = append(unlike, shown)
		}
		if like || hangs || err != nil {
			return like, nil, err
		}
	}
	return false, unlike, nil
}

// asOther does so in one size, in part if others have shown the same there often enough: then the last launch is made alone, of the
// first threadgroup, its neighbours and the last, and has to meet no unspecified values but those that were tried in others.
func (q *inquiry) asOther(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size, size metalrun.Size, part bool) (like, hangs bool, shown sight, err error) {
	first, last, hangs, err := q.firstAndLast(ctx, kernel, s, size, true, part)
	if err != nil || hangs || part && !q.at.tries(q.met, size) {
		return false, hangs, shown, err
	}
	shown = sightOf(size, first, last)
	list, other, hangs, err := q.inCompany(ctx, kernel, s, sizes, shown, part)
	if err != nil || hangs {
		return false, hangs, shown, err
	}
	here := seen(first, last)
	shown.among = other
	known := q.at.known(shown) || part && q.at.partly(shown)
	if !known && part {
		q.inPart = &shown
	}
	if !known || !q.asked(here) {
		return false, false, shown, nil
	}
	if err := q.miscounted(ctx, kernel, s, sizes, here); err != nil {
		return false, false, shown, err
	}
	q.alike = true
	if !part {
		q.like = &shown
	}
	list = append(list, here...)
	err = q.grade(kernel, list)
	q.tell(list)
	return true, false, shown, err
}

// firstAndLast makes the first and the last launch of a kernel in threadgroups of a size, which may be one, or a part of the last alone.
func (q *inquiry) firstAndLast(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size, unspecified, part bool) (first, last []observation, hangs bool, err error) {
	launches := s.Launches(size)
	if part {
		last, hangs, err = q.enough(ctx, kernel, s, launches[len(launches)-1].Corner(), false)
		return nil, last, hangs, err
	}
	first, hangs, err = q.enough(ctx, kernel, s, launches[0], unspecified)
	if end := len(launches) - 1; end > 0 && !hangs && err == nil {
		last, hangs, err = q.enough(ctx, kernel, s, launches[end], false)
		return first, last, hangs, err
	}
	return first, first, hangs, err
}

// inCompany looks for what kernels that are like a sight of one simdgroup show in threadgroups of several, and is what this one
// shows there, with its races that are told of them.
func (q *inquiry) inCompany(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size, shown sight, part bool) (list []observation, here *company, hangs bool, err error) {
	for _, other := range q.at.companies(shown) {
		if other == nil || !slices.Contains(sizes, other.size) {
			continue
		}
		first, last, hangs, err := q.firstAndLast(ctx, kernel, s, other.size, false, part)
		if err != nil || hangs {
			return nil, nil, hangs, err
		}
		here = companyOf(other.size, last)
		if !here.same(other) {
			continue
		}
		for _, o := range slices.Concat(first, last) {
			stated, told := other.told[o.placed()]
			if told && stated != nil {
				o.dueTo(stated)
			}
			if told {
				list = append(list, o)
			}
		}
		break
	}
	return list, here, false, nil
}

// asked reports whether all that counts has been asked for with other guesses, and turns into notes what these do not show,
// or what function constants decide.
func (q *inquiry) asked(list []observation) bool {
	for i := range list {
		o := &list[i]
		stated, asked := q.known[o.placed()]
		if !asked && o.Grade != metalrun.GradeNote {
			return false
		}
		if stated != nil && o.guessed() {
			o.dueTo(stated)
		}
		if local := o.beyondLocal(); local != "" {
			o.constantsDecide(local)
		}
	}
	return true
}
