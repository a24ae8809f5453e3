package explore

import (
	"context"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// fewer launches a kernel with small integers of which a launch takes too long, or leaves a buffer that is as long as
// may be: it may have much to do with integers as large as the guess. It reports false if small ones do not help.
// Others of its place have small ones from the beginning if it took too long.
func (q *exploration) fewer(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u Unit, size metalrun.Size,
	launch int, found []Finding) (bool, error) {
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
	if slices.ContainsFunc(found, func(o Finding) bool { return o.fault != nil && o.fault.Hangs() }) {
		q.at.fewer += steps
	}
	for i := range found {
		if found[i].ends() && found[i].guessed() {
			found[i].dueTo([]string{flag})
		}
	}
	q.tell(slices.DeleteFunc(found, func(o Finding) bool { return o.Grade != metalrun.GradeNote }))
	q.full = true
	return true, q.generated(ctx, kernel, smaller, u)
}

// outgrown reports whether a launch has left a buffer that is as long as may be.
func outgrown(s adhoc.Kernel, list []Finding) bool {
	return slices.ContainsFunc(list, func(o Finding) bool { return o.fault != nil && s.Outgrown(o.fault) })
}
