package explore

import (
	"context"
	"maps"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// Nobody says how many threads the threadgroups of a kernel have, so it is launched with several numbers of them. It
// is made for one, or for any: what is found at that with the least counts.

// sizeTrial is what the launches in threadgroups of one size have shown.
type sizeTrial struct {
	size  metalrun.Size
	found []Finding
	last  observation     // of the first launch and the last
	among *multiSimdgroup // of the first launch and the last, in threadgroups of several simdgroups
}

// counted is how much was found that counts.
func (t sizeTrial) counted() int { return counted(t.found) }

// hides reports whether a launch ended early, after which more may be found.
func (t sizeTrial) hides() bool { return slices.ContainsFunc(t.found, Finding.ends) }

// compare puts sizes at which launches end first, and of those the ones with the least found.
func (t sizeTrial) compare(other sizeTrial) int {
	if t.hides() != other.hides() {
		if t.hides() {
			return 1
		}
		return -1
	}
	return t.counted() - other.counted()
}

// generated launches a kernel with generated inputs, in threadgroups of each size that it may have. If one size shows
// nothing, the findings at others are notes, because the kernel may be made for that size.
func (q *exploration) generated(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u Unit) error {
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
	var tried []sizeTrial
	for _, size := range sizes {
		t, done, err := q.trial(ctx, kernel, s, u, size)
		if done || err != nil {
			return err
		}
		if tried = append(tried, t); t.counted() == 0 || q.exhausted() {
			break
		}
	}
	last := &tried[len(tried)-1]
	if q.Accurate != nil {
		list, err := q.accuracy(ctx, s, last.size, u)
		if err != nil {
			return err
		}
		last.found = append(last.found, list...)
	}
	if last.counted() > 0 {
		return q.tellLeast(ctx, kernel, s, sizes, tried)
	}
	q.shown = &last.last
	others := tried[:len(tried)-1]
	if oneSimdgroup(s, last.size) {
		if err := q.amongSimdgroups(ctx, kernel, s, others); err != nil {
			return err
		}
	}
	for _, t := range others {
		for j := range t.found {
			t.found[j].elsewhere(t.size, last.size)
		}
		q.tell(t.found)
	}
	q.tell(last.found)
	return q.lengths(ctx, kernel, s, last.size, q.work-begun)
}

// trial launches a kernel in threadgroups of one size. It reports whether everything is reported: a kernel that hangs
// there most likely does so at any size, and each takes as long, and one with smaller integers is tried at all sizes
// instead.
func (q *exploration) trial(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u Unit,
	size metalrun.Size) (t sizeTrial, done bool, err error) {
	t.size = size
	var first []Finding
	for i, l := range s.Launches(size) {
		list, hangs, err := q.enough(ctx, kernel, s, l, true)
		if err != nil {
			return t, false, err
		}
		if i == 0 {
			first = list
		}
		t.found, t.last = append(t.found, list...), observationOf(size, first, list)
		t.among = multiSimdgroupOf(size, list)
		if !hangs && !outgrown(s, list) {
			continue
		}
		if done, err := q.fewer(ctx, kernel, s, u, size, i, t.found); done || err != nil {
			return t, done, err
		}
		if hangs {
			if s.Ends() {
				for i := range t.found {
					t.found[i].heavy()
				}
			}
			err := q.grade(kernel, t.found)
			q.tell(t.found)
			return t, true, err
		}
	}
	return t, false, nil
}

// tellLeast asks at one size after the other whether what is found there is due to guesses, until nothing is left, and
// tells what is left where that is least.
func (q *exploration) tellLeast(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size,
	tried []sizeTrial) error {
	slices.SortStableFunc(tried, sizeTrial.compare)
	best, cured := 0, map[findingKey][]string{}
	q.stays = map[findingKey]bool{}
	for i := range tried {
		t := &tried[i]
		asked, err := q.excuse(ctx, kernel, s, t)
		if err != nil {
			return err
		}
		if err := q.miscounted(ctx, kernel, s, sizes, t.found); err != nil {
			return err
		}
		for at, stated := range asked {
			q.stays[at] = q.stays[at] || stated == nil
		}
		if i == 0 || t.compare(tried[best]) < 0 {
			best, cured = i, asked
		}
		if t.counted() == 0 {
			break
		}
	}
	at := tried[best]
	q.shown = &at.last
	maps.Copy(q.cured, cured)
	if at.counted() == 0 && oneSimdgroup(s, at.size) {
		if err := q.amongSimdgroups(ctx, kernel, s, slices.Delete(tried, best, best+1)); err != nil {
			return err
		}
	}
	err := q.tryOut(kernel, at.found)
	q.tell(at.found)
	return err
}

// excuse turns into notes what is due to guesses in threadgroups of one size, and adds what that had hidden. asked are
// the places that it asked about.
func (q *exploration) excuse(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel,
	t *sizeTrial) (asked map[findingKey][]string, err error) {
	if err := q.repeated(kernel, t.found); err != nil {
		return nil, err
	}
	asked = map[findingKey][]string{}
	if t.found, err = q.otherwise(ctx, kernel, s, t.size, t.found, asked); err != nil {
		return nil, err
	}
	return asked, q.repeated(kernel, t.found)
}

// miscounted turns findings of memory that nobody has written into notes, if function constants say how many
// simdgroups there are and they are not found with that number: the others would have written it.
func (q *exploration) miscounted(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size,
	list []Finding) error {
	right := slices.IndexFunc(sizes, func(of metalrun.Size) bool { return of.Count() == 32*s.Counted() })
	if right < 0 || q.exhausted() {
		return nil
	}
	for i := range list {
		o := &list[i]
		if o.Grade == metalrun.GradeNote || o.Check != string(suite.CheckUninitial) || o.shown == nil ||
			o.shown.Of() == sizes[right] {
			continue
		}
		again, _, err := q.enough(ctx, kernel, o.shown.Kernel(), o.shown.In(sizes[right]), true)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(again, o.same) && !slices.ContainsFunc(again, Finding.ends) {
			o.elsewhere(o.shown.Of(), sizes[right])
		}
	}
	return nil
}

// oneSimdgroup reports whether a size has one simdgroup of a kernel that may have several.
func oneSimdgroup(s adhoc.Kernel, size metalrun.Size) bool { return s.Several() && size.Count() <= 32 }

// amongSimdgroups prints races of simdgroups that are there in all threadgroups of several, and are not due to other
// guesses. That one simdgroup alone has no such race is no excuse. Two statements that write to one buffer may do so
// because lengths do not go together, and function constants may say which simdgroup has which rows.
func (q *exploration) amongSimdgroups(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel,
	several []sizeTrial) error {
	if len(several) == 0 {
		return nil
	}
	last := &several[len(several)-1]
	always := sizeTrial{size: last.size}
	last.found = slices.DeleteFunc(last.found, func(o Finding) bool {
		elsewhere := slices.ContainsFunc(several,
			func(t sizeTrial) bool { return !slices.ContainsFunc(t.found, o.same) })
		if elsewhere || o.Grade == metalrun.GradeNote || o.Check != string(suite.CheckRace) ||
			o.Among != metalrun.Simdgroups || o.inBuffer() && (s.Counted() > 0 || o.Position != o.Other.Position) {
			return false
		}
		always.found = append(always.found, o)
		return true
	})
	asked, err := q.excuse(ctx, kernel, s, &always)
	if err != nil {
		return err
	}
	if err := q.tryOut(kernel, always.found); err != nil {
		return err
	}
	q.shown.among = last.among
	for _, o := range always.found {
		last.among.reported[o.key()] = asked[o.key()]
	}
	q.tell(always.found)
	return nil
}
