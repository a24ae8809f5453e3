package explore

import (
	"bytes"
	"errors"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// How many threadgroups there are is a guess along each axis. A host that launches one along some axis has no races
// there.

// repeated turns races in device memory into notes that a host does not have which launches fewer threadgroups.
func (q *exploration) repeated(kernel metalrun.Kernel, list []Finding) error {
	for i := range list {
		o := &list[i]
		if o.Grade == metalrun.GradeNote || !o.inBuffer() || o.shown == nil || len(o.Launch.Given) > 0 {
			continue
		}
		grid, err := q.fewerGroups(kernel, *o)
		if err != nil {
			return err
		}
		if grid != "" {
			o.dueTo([]string{grid})
		}
	}
	return nil
}

// fewerGroups is such a grid, "" if there is none.
func (q *exploration) fewerGroups(kernel metalrun.Kernel, o Finding) (grid string, err error) {
	of := inGrid{o.key(), o.shown.Grid(), o.shown.Of()}
	if grid, asked := q.at.answers.grids[of]; asked && q.alike {
		return grid, nil
	}
	grid, err = sameWork(kernel, o)
	if err == nil && grid == "" {
		grid, err = oneAlong(kernel, o)
	}
	if err == nil {
		q.answers = q.answers.with(answers{grids: map[inGrid]string{of: grid}})
	}
	return grid, err
}

// apart are the axes along which the parties of a race are in different threadgroups.
func (o Finding) apart() (along [3]bool) {
	for axis := range along {
		along[axis] = o.Threadgroup[axis] != o.Other.Threadgroup[axis]
	}
	return along
}

// sameWork is the grid with one threadgroup along the axes between threadgroups that race, if they do the same work
// again: that leaves the same in every buffer, and has no such race.
func sameWork(kernel metalrun.Kernel, o Finding) (grid string, err error) {
	if o.Among != metalrun.Threadgroups {
		return "", nil
	}
	narrow, ok := o.shown.Narrow(o.apart())
	if !ok {
		return "", nil
	}
	same, err := alike(kernel, o, narrow)
	if err != nil || !same {
		return "", err
	}
	return narrow.Grid(), nil
}

// oneAlong is a grid with one threadgroup along an axis where a host may have one, if that has no such race. Beside an
// axis into which it has put several of its data, the others are not those of the data. Two statements that write may
// write two parts of a buffer, of which the second lies behind as many rows as there are: along an axis on which no
// position is compared with anything there may be one.
func oneAlong(kernel metalrun.Kernel, o Finding) (grid string, err error) {
	var fewer []adhoc.Launch
	if o.Among == metalrun.Threadgroups {
		if whole, ok := o.shown.Unsplit(o.apart()); ok {
			fewer = append(fewer, whole)
		}
	}
	if o.Position != o.Other.Position && o.Does == "write" && o.Other.Does == "write" {
		var beyond [3]bool // the first threadgroup, which is always there
		for axis := range beyond {
			beyond[axis] = o.Threadgroup[axis] != 0 || o.Other.Threadgroup[axis] != 0
		}
		fewer = append(fewer, o.shown.Unguarded(beyond)...)
	}
	for _, l := range fewer {
		if shows, err := showsAgain(kernel, o, l); err != nil || !shows {
			return l.Grid(), err
		}
	}
	return "", nil
}

// showsAgain reports whether a launch shows a finding of another, or ends early.
func showsAgain(kernel metalrun.Kernel, o Finding, other adhoc.Launch) (bool, error) {
	d := other.Dispatch()
	d.Ungraded, d.Unprobed = true, !o.unspecified()
	outcome, err := kernel.Run(d)
	var fault *metalrun.Fault
	if err != nil && !errors.As(err, &fault) {
		return false, err
	}
	return fault != nil || slices.ContainsFunc(outcome.Findings,
		func(f metalrun.Finding) bool { return Finding{Finding: f}.same(o) }), nil
}

// alike reports whether a launch leaves the same in every buffer as that which showed a finding, and shows none at
// its place.
func alike(kernel metalrun.Kernel, o Finding, other adhoc.Launch) (bool, error) {
	var left [2]metalrun.Dispatch
	for i, l := range []adhoc.Launch{*o.shown, other} {
		left[i] = l.Dispatch()
		left[i].Ungraded, left[i].Unprobed = true, true
		outcome, err := kernel.Run(left[i])
		var fault *metalrun.Fault
		if err != nil && !errors.As(err, &fault) {
			return false, err
		}
		found := slices.ContainsFunc(outcome.Findings,
			func(f metalrun.Finding) bool { return Finding{Finding: f}.same(o) })
		if err != nil || i == 1 && found {
			return false, nil
		}
		for j, b := range left[0].Bindings { // whose memory the next launch has
			if i == 0 {
				left[0].Bindings[j].Data = slices.Clone(b.Data)
			}
		}
	}
	return slices.EqualFunc(left[0].Bindings, left[1].Bindings,
		func(a, b metalrun.Binding) bool { return bytes.Equal(a.Data, b.Data) }), nil
}
