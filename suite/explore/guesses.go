package explore

import (
	"bytes"
	"context"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// What generated inputs show may be the fault of a guess, and what they do not show may hide behind one. So kernels are
// launched with other guesses, too.

// mostRunaways are other guesses with which a kernel hangs, before no more are tried.
const mostRunaways = 3

// otherwise asks for findings again with other guesses. What is not found again is a note, if it is of a kind that a
// guess may make: two threadgroups that mean one place, or threads where strides fall together, and what ends a launch.
// A race in threadgroup memory, or a value that nobody has written, counts at any size. What a fault had hidden comes
// to light, and is asked about with the guesses that it came with. A place of the source that several kernels share is
// asked about once: asked are those of this one, with what to state there, if anything helps.
func (q *exploration) otherwise(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size,
	found []Finding, asked map[findingKey][]string) ([]Finding, error) {
	a := asking{exploration: q, kernel: kernel, of: s, size: size, found: found, asked: asked,
		unfit: map[string]findingKey{}}
	for i := range found {
		at := found[i].key()
		if stated, known := a.cures(at); !known {
			a.open = append(a.open, at)
		} else if stated != nil && found[i].guessed() {
			found[i].dueTo(stated)
		}
	}
	for _, other := range s.Otherwise(size) {
		if !slices.ContainsFunc(found, func(o Finding) bool { return a.asks(o, other) }) {
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
		if _, known := a.cures(at); !known {
			a.asked[at] = nil
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
	*exploration
	kernel   metalrun.Kernel
	of       adhoc.Kernel
	size     metalrun.Size
	found    []Finding
	asked    map[findingKey][]string
	open     []findingKey          // asked about here
	unfit    map[string]findingKey // by the names of integers
	hidden   []Finding             // by what ended launches
	runaways int
	full     bool // strides that lie apart ended a launch, or took too long
}

// asks reports whether another guess may show that a finding is due to the first. One that stays in threadgroups of
// another size is asked about with the strides alone, which are more the larger threadgroups are.
func (a *asking) asks(o Finding, other adhoc.Otherwise) bool {
	if other.Name != "" && a.stays[o.key()] || o.unspecified() && a.exhausted() {
		return false
	}
	return o.mayBeDueTo(other) && slices.Contains(a.open, o.key()) && (!other.Small || a.full)
}

// ask launches the kernel with another guess, and turns into notes what that does not show.
func (a *asking) ask(ctx context.Context, other adhoc.Otherwise) error {
	unspecified := slices.ContainsFunc(a.found, func(o Finding) bool { return a.asks(o, other) && o.unspecified() })
	var alike []Finding
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
	ended, full := slices.ContainsFunc(again, Finding.ends), outgrown(other.Kernel, again)
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
		if !a.asks(*o, other) || slices.ContainsFunc(again, o.same) ||
			ended && (full && o.is(metalrun.Misaligned) || !o.ends()) {
			continue
		}
		if other.Small && !slices.ContainsFunc(alike, o.same) || other.Name != "" && a.unfit[other.Name] == o.key() {
			continue
		}
		if o.inBuffer() {
			if works, err := a.works(ctx, other.Kernel, *o); err != nil {
				return err
			} else if !works {
				continue
			}
		}
		if fits, err := a.fits(ctx, a.kernel, a.of, other, a.size, *o); err != nil {
			return err
		} else if !fits {
			a.unfit[other.Name] = o.key()
			continue
		}
		hid = hid || o.ends()
		a.asked[o.key()] = other.Stated
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
func (a *asking) uncover(ctx context.Context, s adhoc.Kernel, list []Finding) error {
	var fresh []Finding
	for _, o := range list {
		full := o.fault != nil && s.Outgrown(o.fault) // which strides apart may be
		if !full && !slices.ContainsFunc(slices.Concat(a.found, a.hidden, fresh), o.same) {
			fresh = append(fresh, o)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	list, err := a.otherwise(ctx, a.kernel, s, a.size, fresh, a.asked)
	a.hidden = append(a.hidden, list...)
	return err
}

// launches makes all launches of the kernel with other guesses. It reports whether one took too long.
func (a *asking) launches(ctx context.Context, s adhoc.Kernel, unspecified bool) (list []Finding, hung bool,
	err error) {
	for _, l := range s.Launches(a.size) {
		again, hangs, err := a.enough(ctx, a.kernel, s, l, unspecified)
		if err != nil {
			return nil, false, err
		}
		list, hung = append(list, again...), hung || hangs
	}
	return list, hung, nil
}

// works reports whether the kernel leaves anything in the buffer of a race with other guesses, in the grid that showed
// it: lengths by which another is divided may leave it nothing to do.
func (a *asking) works(ctx context.Context, s adhoc.Kernel, o Finding) (bool, error) {
	for _, l := range s.Launches(a.size) {
		if l.Grid() != o.shown.Grid() {
			continue
		}
		d := l.Dispatch()
		d.Ungraded, d.Unprobed = true, true
		at := slices.IndexFunc(d.Bindings, func(b metalrun.Binding) bool { return b.Index == o.Object.Index })
		before := slices.Clone(d.Bindings[at].Data)
		if _, err := a.launch(ctx, s.Info, Provenance{Given: l.Given, Guessed: l.Guessed},
			func() ([]metalrun.Finding, error) {
				outcome, err := a.kernel.Run(d)
				return outcome.Findings, err
			}); err != nil {
			return false, err
		}
		return !bytes.Equal(before, d.Bindings[at].Data), nil
	}
	return true, nil
}

// cures is what to state so that a finding is none, and whether that has been asked.
func (a *asking) cures(at findingKey) (stated []string, asked bool) {
	if stated, asked = a.asked[at]; !asked {
		stated, asked = a.known[at]
	}
	return stated, asked
}
