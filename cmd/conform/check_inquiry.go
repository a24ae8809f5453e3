package main

import (
	"context"
	"fmt"
	"slices"

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
	shown *sight              // by launches in every way; nil: there were none

	full   bool    // the kernel is launched in every way if others are not like it
	unlike []sight // what it has shown that others have not, where that has to wait

	told []told

	launches, cases int
	work            int64           // of the launches so far
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
	q.limits.set(&bounded)
	library, err := sim.New(bounded).Compile(u.program)
	if err != nil {
		return &exit{exitDevice, err}
	}
	defer library.Release()
	kernel, err := library.Kernel(info.Name)
	if err != nil {
		q.tell([]observation{q.failed(info, err)})
		return nil
	}
	defer q.forget()
	defer q.settle()
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
		return q.adhoc(ctx, kernel, k, u)
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

// adhoc launches a kernel with generated inputs, in threadgroups of each size that it
// may have. If one size shows nothing, the findings at others are notes, because the
// kernel may be made for that size. Otherwise the size with the fewest findings
// counts, of those at which launches end.
func (q *inquiry) adhoc(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u unit) error {
	begun, at := q.work, &q.at
	s.Learn(at.learnt)
	defer func() { at.learnt = s.Learnt() }()
	sizes := s.Threadgroups(kernel.MaxThreads())
	like, unlike, err := q.asOthers(ctx, kernel, s, sizes)
	switch {
	case like || err != nil:
		return err
	case len(unlike) > 0 && !q.full: // one of several of which that may be said has to be first
		q.unlike = unlike
		return nil
	}
	var tried [][]observation
	var shown []sight // of each size
	for _, size := range sizes {
		var all, first []observation
		var last sight
		for i, l := range s.Launches(size) {
			list, hangs, err := q.enough(ctx, kernel, s, l, true)
			if err != nil {
				return err
			}
			if i == 0 {
				first = list
			}
			all, last = append(all, list...), sightOf(size, first, list)
			if !hangs && !outgrown(s, list) {
				continue
			}
			if done, err := q.fewer(ctx, kernel, s, u, size, i, all); done || err != nil {
				return err
			}
			if hangs { // most likely at any size, and each takes as long
				err := q.grade(kernel, all)
				q.tell(all)
				return err
			}
		}
		tried, shown = append(tried, all), append(shown, last)
		if counted(all) == 0 {
			break
		}
	}
	last := len(tried) - 1
	if q.exact.given() {
		list, err := q.accuracy(ctx, s, sizes[last], u)
		if err != nil {
			return err
		}
		tried[last] = append(tried[last], list...)
	}
	if counted(tried[last]) > 0 {
		best := 0
		for i, list := range tried {
			if hidden, before := slices.ContainsFunc(list, observation.ends), slices.ContainsFunc(tried[best], observation.ends); !hidden && before || hidden == before && counted(list) < counted(tried[best]) {
				best = i
			}
		}
		q.shown = &shown[best]
		if n := s.Counted(); n > 0 {
			miscounted(tried, sizes, best, n)
			if counted(tried[best]) == 0 && oneSimdgroup(s, sizes[best]) {
				if err := q.amongSimdgroups(kernel, slices.Delete(slices.Clone(tried), best, best+1)); err != nil {
					return err
				}
			}
		}
		found, err := q.otherwise(ctx, kernel, s, sizes[best], tried[best])
		if err == nil {
			err = q.grade(kernel, found)
		}
		if err != nil {
			return err
		}
		q.tell(found)
		return nil
	}
	q.shown = &shown[last]
	if oneSimdgroup(s, sizes[last]) {
		if err := q.amongSimdgroups(kernel, tried[:last]); err != nil {
			return err
		}
	}
	for i, list := range tried[:last] {
		for j := range list {
			list[j].elsewhere(sizes[i], sizes[last])
		}
		q.tell(list)
	}
	q.tell(tried[last])
	return q.lengths(ctx, kernel, s, sizes[last], q.work-begun)
}

// miscounted turns findings of threadgroup memory that nobody has written into notes at a size with another number of
// simdgroups than function constants say, if they are not found at one with that number: the others would have written it.
func miscounted(tried [][]observation, sizes []metalrun.Size, best, simdgroups int) {
	for i, list := range tried {
		if sizes[i].Count() != 32*simdgroups || i == best {
			continue
		}
		for j := range tried[best] {
			o := &tried[best][j]
			hidden := func(x observation) bool { return x.ends() && x.shown != nil && x.shown.Grid() == o.shown.Grid() }
			if o.Check == string(suite.CheckUninitial) && o.shown != nil && !slices.ContainsFunc(list, o.same) && !slices.ContainsFunc(list, hidden) {
				o.elsewhere(sizes[best], sizes[i])
			}
		}
	}
}

// oneSimdgroup reports whether a size has one simdgroup of a kernel that may have several.
func oneSimdgroup(s adhoc.Kernel, size metalrun.Size) bool { return s.Several() && size.Count() <= 32 }

// asOthers makes the first and the last launch of a kernel in each size in which others of its place show the same. Where it
// shows something else than they, that is unlike.
func (q *inquiry) asOthers(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size) (like bool, unlike []sight, err error) {
	if q.exact.given() {
		return false, nil, nil
	}
	for _, size := range q.at.sizes() {
		if !slices.Contains(sizes, size) || oneSimdgroup(s, size) {
			continue
		}
		launches := s.Launches(size)
		last := len(launches) - 1
		first, hangs, err := q.enough(ctx, kernel, s, launches[0], true)
		if err != nil || hangs {
			return false, nil, err
		}
		list := first
		if last > 0 {
			if list, hangs, err = q.enough(ctx, kernel, s, launches[last], false); err != nil || hangs {
				return false, nil, err
			}
		}
		shown := sightOf(size, first, list)
		if list = seen(first, list); q.at.known(shown) && q.asked(list) {
			err := q.grade(kernel, list)
			q.tell(list)
			return true, nil, err
		}
		unlike = append(unlike, shown)
	}
	return false, unlike, nil
}

// asked reports whether all that counts has been asked for with other guesses, and turns into notes what these do not show.
func (q *inquiry) asked(list []observation) bool {
	for i := range list {
		o := &list[i]
		stated, asked := q.cures(o.placed())
		if !asked && o.Grade != metalrun.GradeNote {
			return false
		}
		if stated != nil && o.guessed() {
			o.dueTo(stated)
		}
	}
	return true
}
