package main

import (
	"context"
	"fmt"
	"slices"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite/adhoc"
)

// constantGuesses are values for function constants other than the first guess: most say how many
// simdgroups, rows or blocks there are.
var constantGuesses = []int{1, 4}

// mostHalvings bound the search for constants that are enough: each compiles the kernel anew, up to twice.
const mostHalvings = 3

// rebuilding asks for findings again with other function constants.
type rebuilding struct {
	*inquiry
	kernel adhoc.Kernel
	size   metalrun.Size
	unit   unit
	made   map[string]*rebuild // by the constants and their value
}

// rebuild is what launches of a kernel with other function constants show.
type rebuild struct {
	ends   bool // all of them
	shown  []observation
	stated []string
}

// rebuilt asks for findings again with other function constants, of some kernels of a place. What is not found again is a note, if it ended a
// launch or is a race in device memory; what it had hidden comes to light.
func (q *inquiry) rebuilt(ctx context.Context, s adhoc.Kernel, size metalrun.Size, u unit, found []observation) ([]observation, error) {
	r := rebuilding{q, s, size, u, map[string]*rebuild{}}
	names := s.Guessed()
	if q.at.rebuilt >= mostAlike {
		names = nil
	}
	for i := 0; i < len(found) && len(names) > 0; i++ {
		o := found[i]
		if _, before := q.known[o.placed()]; before || !o.guessed() || !o.ends() && !o.inBuffer() {
			continue
		}
		for _, value := range constantGuesses {
			with, err := r.fitting(ctx, o, names, value)
			if err != nil {
				return nil, err
			} else if with == nil {
				continue
			}
			q.cured[o.placed()] = with.stated
			found[i].dueTo(with.stated)
			for _, x := range with.shown {
				if o.ends() && !slices.ContainsFunc(found, x.same) {
					found = append(found, x)
				}
			}
			break
		}
	}
	if len(r.made) > 0 {
		q.at.rebuilt++
	}
	return found, nil
}

// fitting is the kernel with a value for as few function constants as it takes to show no such finding, nil if there
// is none.
func (r *rebuilding) fitting(ctx context.Context, o observation, names []string, value int) (*rebuild, error) {
	with, err := r.without(ctx, o, names, value)
	smaller := true
	for tries := 0; smaller && with != nil && len(names) > 1 && tries < mostHalvings && err == nil; tries++ {
		smaller = false
		half := len(names) / 2
		for _, part := range [][]string{names[:half], names[half:]} {
			var less *rebuild
			if less, err = r.without(ctx, o, part, value); less != nil {
				with, names, smaller = less, part, true
				break
			}
		}
	}
	if err != nil || with == nil || !o.leavesArray() || len(names) > 1 {
		return with, err
	}
	good, bad := value, r.kernel.Size()
	for good < bad-1 {
		n := (good + bad) / 2
		less, err := r.without(ctx, o, names, n)
		if err != nil {
			return nil, err
		}
		if less != nil {
			good = n
		} else {
			bad = n
		}
	}
	if length := o.length(); length%good != 0 && good%max(length, 1) != 0 {
		return nil, nil
	}
	return with, nil
}

// without is the kernel with a value for function constants, nil if its launches do not end or show the finding.
func (r *rebuilding) without(ctx context.Context, o observation, names []string, value int) (*rebuild, error) {
	key := fmt.Sprint(names, value)
	if r.made[key] == nil {
		made, err := r.make(ctx, names, value)
		if err != nil {
			return nil, err
		}
		r.made[key] = made
	}
	with := r.made[key]
	if !with.ends || slices.ContainsFunc(with.shown, o.same) {
		return nil, nil
	}
	return with, nil
}

// make launches the kernel. One that does not compile with a value ends no launch.
func (r *rebuilding) make(ctx context.Context, names []string, value int) (*rebuild, error) {
	other, p, err := r.kernel.Rebuilt(r.unit.program, names, value)
	if err != nil {
		return &rebuild{}, nil
	}
	library, err := sim.New(r.semantics()).Compile(p)
	if err != nil {
		return nil, &exit{exitDevice, err}
	}
	defer library.Release()
	kernel, err := library.Kernel(r.kernel.Info.Name)
	if err != nil {
		return &rebuild{}, nil
	}
	made := &rebuild{ends: true, stated: other.Stated}
	for _, l := range other.Launches(r.size) {
		list, _, err := r.enough(ctx, metered{kernel, &r.work}, other.Kernel, l)
		if err != nil {
			return nil, err
		}
		for i := range list {
			list[i].shown = nil // the launch is one of another program
		}
		made.shown = append(made.shown, list...)
		if slices.ContainsFunc(list, observation.ends) {
			made.ends = false
			break
		}
	}
	return made, nil
}
