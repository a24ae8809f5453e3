package explore

import (
	"context"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// Lengths are guesses, too, but any has to do: what a kernel does wrong with a row of 13 or 1100 elements is a fault
// although the guess does not show it. How many elements there may be, and which other lengths go with them, a host
// may know.

// mostLengthWork is what the launches of a kernel may take that is launched with other lengths.
const mostLengthWork = 1 << 27

// lengths launches a kernel of which nothing is found with other lengths: a fault that only some have is one, too. Some
// kernels of a place are enough. work is what it took so far.
func (q *exploration) lengths(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size,
	work int64) error {
	if q.at.lengths++; q.at.lengths > AlikeLaunched || work > mostLengthWork {
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
		if slices.ContainsFunc(list, Finding.inBuffer) { // of longer lists of indices, some are equal
			distinct := other.Distinct()
			again, _, err := q.enough(ctx, kernel, distinct, distinct.Launches(size)[min(1, len(launches)-1)], false)
			if err != nil {
				return err
			}
			list = slices.DeleteFunc(list,
				func(o Finding) bool { return o.inBuffer() && !slices.ContainsFunc(again, o.same) })
		}
		if !other.Only && slices.ContainsFunc(list,
			func(o Finding) bool { return o.inBuffer() && o.ofLength(other, size.Count()) == decided }) {
			if list, err = q.whateverLength(ctx, kernel, other, size, list); err != nil {
				return err
			}
		}
		var faults []Finding
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
		if err := q.inSmaller(ctx, kernel, s, size, faults); err != nil {
			return err
		}
		if err := q.grade(kernel, faults); err != nil {
			return err
		}
		q.tell(faults)
	}
	return nil
}

// inSmaller turns findings into notes that threadgroups of fewer threads do not show: an array may have an element for
// each simdgroup that a host launches.
func (q *exploration) inSmaller(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size,
	list []Finding) error {
	for i := range list {
		o := &list[i]
		if o.Grade == metalrun.GradeNote || o.shown == nil || !o.leavesArray() {
			continue
		}
		for _, smaller := range s.Threadgroups(kernel.MaxThreads()) {
			if smaller.Count() >= size.Count() || q.exhausted() {
				continue
			}
			again, hangs, err := q.enough(ctx, kernel, o.shown.Kernel(), o.shown.In(smaller), false)
			if err != nil {
				return err
			}
			if !hangs && !slices.ContainsFunc(again, Finding.ends) {
				o.elsewhere(size, smaller)
				break
			}
		}
	}
	return nil
}

// whateverLength leaves out races in buffers that are not there if all lengths are the one: two of them may have to go
// together.
func (q *exploration) whateverLength(ctx context.Context, kernel metalrun.Kernel, other adhoc.Otherwise,
	size metalrun.Size, list []Finding) ([]Finding, error) {
	alike := other.Alike()
	launches := alike.Launches(size)
	again, _, err := q.enough(ctx, kernel, alike, launches[min(1, len(launches)-1)], false)
	if err != nil || slices.ContainsFunc(again, Finding.ends) {
		return list, err
	}
	return slices.DeleteFunc(list, func(o Finding) bool { return o.inBuffer() && !slices.ContainsFunc(again, o.same) }),
		nil
}

// fits reports whether an array of the kernel holds as many elements as the other guess says, if that is why it
// shows no access outside: the largest such number then is the length of the array, or of its rows. A kernel that
// leaves the array before has a fault.
func (q *exploration) fits(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, other adhoc.Otherwise,
	size metalrun.Size, o Finding) (bool, error) {
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
	return bad < 2 || length%good == 0 || good%max(length, 1) == 0 || !other.Bounds && good == length-1 ||
		bad%(length+1) == 0, nil // a share of it that is rounded down, such as of each lane, grows by one there
}
