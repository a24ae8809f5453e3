package main

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// What generated inputs show may be the fault of a guess, and what they do not show may hide
// behind one. So kernels are launched with other guesses, too.

// mostRunaways are other guesses with which a kernel hangs, before no more are tried.
const mostRunaways = 3

// amongSimdgroups prints races of simdgroups in threadgroup memory that are there in all threadgroups of several. That
// one simdgroup alone has no such race is no excuse.
func (q *inquiry) amongSimdgroups(kernel metalrun.Kernel, tried [][]observation) error {
	if len(tried) == 0 {
		return nil
	}
	var always []observation
	for _, o := range tried[len(tried)-1] {
		everywhere := !slices.ContainsFunc(tried, func(list []observation) bool { return !slices.ContainsFunc(list, o.same) })
		if everywhere && o.Grade != metalrun.GradeNote && o.Check == string(suite.CheckRace) && o.Among == metalrun.Simdgroups && o.Object.Table == "threadgroup" {
			always = append(always, o)
		}
	}
	if err := q.grade(kernel, always); err != nil {
		return err
	}
	q.tell(always)
	return nil
}

// mostLengthWork is what the launches of a kernel may take that is launched with other lengths.
const mostLengthWork = 1 << 27

// lengths launches a kernel of which nothing is found with other lengths: a fault that only some have is one, too. Some
// kernels of a place are enough. work is what it took so far.
func (q *inquiry) lengths(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size, work int64) error {
	if q.at.lengths++; q.at.lengths > mostAlike || work > mostLengthWork {
		return nil
	}
	for _, other := range s.Lengths() {
		launches := other.Launches(size)
		if len(launches[0].Given) > 0 {
			return nil
		}
		list, _, err := q.enough(ctx, kernel, other.Kernel, launches[min(1, len(launches)-1)], other.Only)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(list, observation.inBuffer) { // of longer lists of indices, some are equal
			distinct := other.Distinct()
			again, _, err := q.enough(ctx, kernel, distinct, distinct.Launches(size)[min(1, len(launches)-1)], false)
			if err != nil {
				return err
			}
			list = slices.DeleteFunc(list, func(o observation) bool { return o.inBuffer() && !slices.ContainsFunc(again, o.same) })
		}
		var faults []observation
		for _, o := range list {
			switch o.ofLength(other, size.Count()) {
			case decided:
				faults = append(faults, o)
			case undecided:
				if o.leavesArray() {
					fits, err := q.fits(ctx, kernel, s, other, size, o)
					if err != nil {
						return err
					} else if !fits {
						faults = append(faults, o)
						continue
					}
				}
				o.undecided(other.Stated)
				faults = append(faults, o)
			}
		}
		if err := q.grade(kernel, faults); err != nil {
			return err
		}
		q.tell(faults)
	}
	return nil
}

// fewer launches a kernel with small integers of which a launch takes too long, or leaves a buffer that is as long as may
// be: it may have much to do with integers as large as the guess. It reports false if small ones do not help. Others of
// its place have small ones from the beginning if it took too long.
func (q *inquiry) fewer(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u unit, size metalrun.Size, launch int, found []observation) (bool, error) {
	steps := 1
	smaller, flag, ok := s.Smaller()
	for ; ok; steps++ {
		list, hangs, err := q.enough(ctx, kernel, smaller, smaller.Launches(size)[launch], false)
		if err != nil {
			return false, err
		}
		if !hangs && !outgrown(smaller, list) {
			break
		}
		smaller, flag, ok = smaller.Smaller()
	}
	if !ok {
		return false, nil
	}
	if slices.ContainsFunc(found, func(o observation) bool { return o.fault != nil && o.fault.Hangs() }) {
		q.at.fewer += steps
	}
	for i := range found {
		if found[i].ends() && found[i].guessed() {
			found[i].dueTo([]string{flag})
		}
	}
	q.tell(slices.DeleteFunc(found, func(o observation) bool { return o.Grade != metalrun.GradeNote }))
	q.full = true
	return true, q.adhoc(ctx, kernel, smaller, u)
}

// outgrown reports whether a launch has left a buffer that is as long as may be.
func outgrown(s adhoc.Kernel, list []observation) bool {
	return slices.ContainsFunc(list, func(o observation) bool { return o.fault != nil && s.Outgrown(o.fault) })
}

// otherwise asks for findings again with other guesses. What is not found again is a note, if it is of a kind that a guess may
// make: two threadgroups that mean one place, or threads where strides fall together, and what ends a launch. A race in threadgroup
// memory, or a value that nobody has written, counts at any size. What a fault had hidden comes to light, and is asked about with
// the guesses that it came with. A place of the source that several kernels share is asked about once.
func (q *inquiry) otherwise(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size, found []observation) ([]observation, error) {
	a := asking{inquiry: q, kernel: kernel, of: s, size: size, found: found, unfit: map[string]placed{}}
	for i := range found {
		at := found[i].placed()
		if stated, known := q.cures(at); !known {
			a.open = append(a.open, at)
		} else if stated != nil && found[i].guessed() {
			found[i].dueTo(stated)
		}
	}
	for _, other := range s.Otherwise(size) {
		if !slices.ContainsFunc(found, func(o observation) bool { return a.asks(o, other) }) {
			continue
		}
		if err := a.ask(ctx, other); err != nil {
			return nil, err
		}
		if a.runaways == mostRunaways {
			break
		}
	}
	for _, at := range a.open {
		if _, known := q.cures(at); !known {
			q.cured[at] = nil
		}
	}
	for i := range found {
		if local := found[i].beyondLocal(); local != "" {
			found[i].constantsDecide(local)
		}
	}
	return append(found, a.hidden...), nil
}

// asking asks whether findings of a kernel are due to guesses.
type asking struct {
	*inquiry
	kernel   metalrun.Kernel
	of       adhoc.Kernel
	size     metalrun.Size
	found    []observation
	open     []placed          // asked about here
	unfit    map[string]placed // by the names of integers
	hidden   []observation     // by what ended launches
	runaways int
	full     bool // strides that lie apart ended a launch, or took too long
}

// asks reports whether another guess may show that a finding is due to the first.
func (a *asking) asks(o observation, other adhoc.Otherwise) bool {
	return o.mayBeDueTo(other) && slices.Contains(a.open, o.placed()) && (!other.Small || a.full)
}

// ask launches the kernel with another guess, and turns into notes what that does not show.
func (a *asking) ask(ctx context.Context, other adhoc.Otherwise) error {
	unspecified := slices.ContainsFunc(a.found, func(o observation) bool { return a.asks(o, other) && o.unspecified() })
	var alike []observation
	if other.Small {
		list, ended, err := a.launches(ctx, a.of.Smallest(), unspecified)
		if err != nil || ended {
			return err
		}
		alike = list
	}
	again, hung, err := a.launches(ctx, other.Kernel, unspecified)
	if err != nil {
		return err
	}
	ended := slices.ContainsFunc(again, observation.ends)
	a.full = a.full || other.Apart && ended
	if hung {
		a.runaways++
		return nil
	}
	if ended && !other.Apart {
		return nil
	}
	hid := false
	for i := range a.found {
		o := &a.found[i]
		if !a.asks(*o, other) || slices.ContainsFunc(again, o.same) || ended && !o.ends() {
			continue
		}
		if other.Small && !slices.ContainsFunc(alike, o.same) || other.Name != "" && a.unfit[other.Name] == o.placed() {
			continue
		}
		if fits, err := a.fits(ctx, a.kernel, a.of, other, a.size, *o); err != nil {
			return err
		} else if !fits {
			a.unfit[other.Name] = o.placed()
			continue
		}
		hid = hid || o.ends()
		a.cured[o.placed()] = other.Stated
		o.dueTo(other.Stated)
	}
	if !hid {
		return nil
	}
	if !unspecified {
		if again, _, err = a.launches(ctx, other.Kernel, true); err != nil {
			return err
		}
	}
	return a.uncover(ctx, other.Kernel, again)
}

// uncover takes over what a fault had hidden and other guesses show, as far as that is not due to further ones.
func (a *asking) uncover(ctx context.Context, s adhoc.Kernel, list []observation) error {
	var fresh []observation
	for _, o := range list {
		full := o.fault != nil && s.Outgrown(o.fault) // which strides apart may be
		if !full && !slices.ContainsFunc(slices.Concat(a.found, a.hidden, fresh), o.same) {
			fresh = append(fresh, o)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	list, err := a.otherwise(ctx, a.kernel, s, a.size, fresh)
	a.hidden = append(a.hidden, list...)
	return err
}

// launches makes all launches of the kernel with other guesses. It reports whether one took too long.
func (a *asking) launches(ctx context.Context, s adhoc.Kernel, unspecified bool) (list []observation, hung bool, err error) {
	for _, l := range s.Launches(a.size) {
		again, hangs, err := a.enough(ctx, a.kernel, s, l, unspecified)
		if err != nil {
			return nil, false, err
		}
		list, hung = append(list, again...), hung || hangs
	}
	return list, hung, nil
}

// repeated turns races of threadgroups into notes that do the same work again along an axis of the grid: one of them there
// leaves the same in every buffer, and has no such race. Beside an axis into which a host has put several of its data,
// it need not leave the same: then the others are not those of the data.
func repeated(kernel metalrun.Kernel, list []observation) error {
	for i := range list {
		o := &list[i]
		if o.Grade == metalrun.GradeNote || !o.inBuffer() || o.Among != metalrun.Threadgroups || o.shown == nil || len(o.Launch.Given) > 0 {
			continue
		}
		var along [3]bool
		for axis := range along {
			along[axis] = o.Threadgroup[axis] != o.Other.Threadgroup[axis]
		}
		if narrow, ok := o.shown.Narrow(along); ok {
			same, err := alike(kernel, *o, narrow)
			if err != nil {
				return err
			}
			if same {
				o.dueTo([]string{narrow.Grid()})
				continue
			}
		}
		if whole, ok := o.shown.Unsplit(along); ok {
			shows, err := showsAgain(kernel, *o, whole)
			if err != nil {
				return err
			}
			if !shows {
				o.dueTo([]string{whole.Grid()})
			}
		}
	}
	return nil
}

// showsAgain reports whether a launch shows a finding of another, or ends early.
func showsAgain(kernel metalrun.Kernel, o observation, other adhoc.Launch) (bool, error) {
	d := other.Dispatch()
	d.Ungraded, d.Unprobed = true, true
	outcome, err := kernel.Run(d)
	var fault *metalrun.Fault
	if err != nil && !errors.As(err, &fault) {
		return false, err
	}
	return fault != nil || slices.ContainsFunc(outcome.Findings, func(f metalrun.Finding) bool { return observation{Finding: f}.same(o) }), nil
}

// alike reports whether a launch leaves the same in every buffer as that which showed a finding, and shows none at
// its place.
func alike(kernel metalrun.Kernel, o observation, other adhoc.Launch) (bool, error) {
	var left [2]metalrun.Dispatch
	for i, l := range []adhoc.Launch{*o.shown, other} {
		left[i] = l.Dispatch()
		left[i].Ungraded, left[i].Unprobed = true, true
		outcome, err := kernel.Run(left[i])
		var fault *metalrun.Fault
		if err != nil && !errors.As(err, &fault) {
			return false, err
		}
		found := slices.ContainsFunc(outcome.Findings, func(f metalrun.Finding) bool { return observation{Finding: f}.same(o) })
		if err != nil || i == 1 && found {
			return false, nil
		}
		for j, b := range left[i].Bindings { // which the next launch has again
			left[i].Bindings[j].Data = slices.Clone(b.Data)
		}
	}
	return slices.EqualFunc(left[0].Bindings, left[1].Bindings, func(a, b metalrun.Binding) bool { return bytes.Equal(a.Data, b.Data) }), nil
}

// cures is what to state so that a finding is none, and whether that has been asked.
func (q *inquiry) cures(at placed) (stated []string, asked bool) {
	if stated, asked = q.cured[at]; !asked {
		stated, asked = q.known[at]
	}
	return stated, asked
}

// fits reports whether an array of the kernel holds as many elements as the other guess says, if that is why it
// shows no access outside: the largest such number then is the length of the array, or of its rows. A kernel that
// leaves the array before has a fault.
func (q *inquiry) fits(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, other adhoc.Otherwise, size metalrun.Size, o observation) (bool, error) {
	if !o.leavesArray() || other.Name == "" || other.Apart {
		return true, nil
	}
	good, bad := min(int(other.Value), s.Size()), max(int(other.Value), s.Size())
	for good < bad-1 {
		n := (good + bad) / 2
		with := s.With(other.Name, n)
		left := false
		for _, l := range with.Launches(size) {
			list, _, err := q.enough(ctx, kernel, with, l, false)
			if err != nil {
				return false, err
			}
			left = left || slices.ContainsFunc(list, o.same)
		}
		if left {
			bad = n
		} else {
			good = n
		}
	}
	access := o.fault.Access
	length := int(access.Size / access.Bytes)
	return bad < 2 || length%good == 0 || good%max(length, 1) == 0 || !other.Bounds && good == length-1, nil
}
