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
		list, _, err := q.enough(ctx, kernel, other.Kernel, launches[min(1, len(launches)-1)])
		if err != nil {
			return err
		}
		if slices.ContainsFunc(list, observation.inBuffer) { // of longer lists of indices, some are equal
			distinct := other.Distinct()
			again, _, err := q.enough(ctx, kernel, distinct, distinct.Launches(size)[min(1, len(launches)-1)])
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

// hangs tells a kernel that does not end from one that has much to do with integers as large as the guess: that
// is launched with small ones.
func (q *inquiry) hangs(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u unit, found []observation) error {
	smaller, flag, ok := s.Smaller()
	for hangs := ok; ok && hangs; {
		var err error
		_, hangs, err = q.enough(ctx, kernel, smaller, smaller.Launches(smaller.Threadgroups(kernel.MaxThreads())[0])[0])
		if err != nil {
			return err
		}
		if hangs {
			smaller, flag, ok = smaller.Smaller()
		}
	}
	if !ok {
		if err := q.grade(kernel, found); err != nil {
			return err
		}
		q.tell(found)
		return nil
	}
	for i := range found {
		if found[i].ends() && found[i].guessed() {
			found[i].dueTo([]string{flag})
		}
	}
	q.tell(slices.DeleteFunc(found, func(o observation) bool { return o.Grade != metalrun.GradeNote }))
	return q.adhoc(ctx, kernel, smaller, u)
}

// otherwise asks for findings again with other guesses. What is not found again is a note, if it is of a kind that a guess may
// make: two threadgroups that mean one place, or threads where strides fall together, and what ends a launch. A race in threadgroup
// memory, or a value that nobody has written, counts at any size. What a fault had hidden comes to light. A place of the
// source that several kernels share is asked about once.
func (q *inquiry) otherwise(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size, found []observation) ([]observation, error) {
	var open []placed // asked about here
	for i := range found {
		at := found[i].placed()
		if stated, known := q.cures(at); !known {
			open = append(open, at)
		} else if stated != nil && found[i].guessed() {
			found[i].dueTo(stated)
		}
	}
	unfit := map[string]placed{} // by the names of integers
	runaways := 0
	for _, other := range s.Otherwise(size) {
		if !slices.ContainsFunc(found, func(o observation) bool { return o.mayBeDueTo(other) && slices.Contains(open, o.placed()) }) {
			continue
		}
		var again []observation
		hung := false
		for _, l := range other.Launches(size) {
			list, hangs, err := q.enough(ctx, kernel, other.Kernel, l)
			if err != nil {
				return nil, err
			}
			again, hung = append(again, list...), hung || hangs
		}
		ended := slices.ContainsFunc(again, func(o observation) bool { return o.ends() })
		if hung {
			runaways++
		}
		if runaways == mostRunaways {
			break
		}
		if hung || ended && !other.Apart {
			continue
		}
		hid := false
		for i := range found {
			if o := &found[i]; o.mayBeDueTo(other) && slices.Contains(open, o.placed()) && !slices.ContainsFunc(again, o.same) && !(ended && !o.ends()) {
				if other.Name != "" && unfit[other.Name] == o.placed() {
					continue
				}
				if fits, err := q.fits(ctx, kernel, s, other, size, *o); err != nil {
					return nil, err
				} else if !fits {
					unfit[other.Name] = o.placed()
					continue
				}
				hid = hid || o.ends()
				q.cured[o.placed()] = other.Stated
				o.dueTo(other.Stated)
			}
		}
		for _, o := range again {
			if hid && !slices.ContainsFunc(found, o.same) {
				found = append(found, o)
			}
		}
	}
	for _, at := range open {
		if _, known := q.cures(at); !known {
			q.cured[at] = nil
		}
	}
	for i := range found {
		if local := found[i].beyondLocal(); local != "" {
			found[i].constantsDecide(local)
		}
	}
	return found, nil
}

// repeated turns races of threadgroups into notes that do the same work again along an axis of the grid: one of them there
// leaves the same in every buffer, and has no such race.
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
		narrow, ok := o.shown.Narrow(along)
		if !ok {
			continue
		}
		same, err := alike(kernel, *o, narrow)
		if err != nil {
			return err
		}
		if same {
			o.dueTo([]string{narrow.Grid()})
		}
	}
	return nil
}

// alike reports whether a launch leaves the same in every buffer as that which showed a finding, and shows none at
// its place.
func alike(kernel metalrun.Kernel, o observation, other adhoc.Launch) (bool, error) {
	var left [2]metalrun.Dispatch
	for i, l := range []adhoc.Launch{*o.shown, other} {
		left[i] = l.Dispatch()
		left[i].Ungraded = true
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
			list, _, err := q.enough(ctx, kernel, with, l)
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
