package main

import (
	"bytes"
	"errors"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// How many threadgroups there are is a guess along each axis. A host that launches one along some axis has no races there.

// repeated turns races of threadgroups into notes that do the same work again along an axis of the grid: one of them there
// leaves the same in every buffer, and has no such race. Beside an axis into which a host has put several of its data,
// it need not leave the same: then the others are not those of the data. Two statements that write may write two parts of a buffer,
// of which the second lies behind as many rows as there are: those of an axis along which no position is compared with anything may
// be one.
func repeated(kernel metalrun.Kernel, list []observation) error {
	for i := range list {
		o := &list[i]
		if o.Grade == metalrun.GradeNote || !o.inBuffer() || o.shown == nil || len(o.Launch.Given) > 0 {
			continue
		}
		var along [3]bool // axes without which one of its threadgroups is not there
		for axis := range along {
			along[axis] = o.Threadgroup[axis] != 0 || o.Other.Threadgroup[axis] != 0
		}
		var fewer []adhoc.Launch
		if o.Position != o.Other.Position && o.Does == "write" && o.Other.Does == "write" {
			fewer = o.shown.Unguarded(along)
		}
		if o.Among == metalrun.Threadgroups {
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
				fewer = append(fewer, whole)
			}
		}
		for _, l := range fewer {
			shows, err := showsAgain(kernel, *o, l)
			if err != nil {
				return err
			}
			if !shows {
				o.dueTo([]string{l.Grid()})
				break
			}
		}
	}
	return nil
}

// showsAgain reports whether a launch shows a finding of another, or ends early.
func showsAgain(kernel metalrun.Kernel, o observation, other adhoc.Launch) (bool, error) {
	d := other.Dispatch()
	d.Ungraded, d.Unprobed = true, !o.unspecified()
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
