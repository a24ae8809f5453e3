package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"metalconform/internal/crash"
	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/reports/diagnostics"
	"metalconform/suite"
	"metalconform/suite/adhoc"
	"metalconform/suite/kernels"
)

// Launches with inputs that mean nothing may not end. These bound what one threadgroup
// executes, and all its threads together.
const (
	maxSteps       = 1 << 24
	maxThreadSteps = 1 << 27
)

// casesPerKernel are those of a kernel of the catalogue that are launched.
const casesPerKernel = 3

// unit is a well-formed file with its entry points.
type unit struct {
	program *metalrun.Program
	kernels []metalrun.KernelInfo
	adhoc   map[string]adhoc.Kernel // those that are launched with generated inputs
}

// execution launches the kernels of files and prints what is found.
type execution struct {
	stdout    io.Writer
	verbose   bool
	format    diagnostics.Format
	out       *diagnostics.Writer // of formats that are neither text nor JSON
	run       session.Pattern
	sameValue bool
	limits    session.LaunchLimits
	most      int64 // work of all launches of a file
	strict    bool  // what no trial shows to change a result counts too
	exact     session.Exactness
	spec      *adhoc.Spec
	seed      uint64                  // of the cases
	cases     map[string][]suite.Case // of the catalogue, by kernel
	stated    []suite.Case            // of launch files
}

// newExecution prepares launches with what is given.
func newExecution(stdout io.Writer, out *diagnostics.Writer, given *adhoc.Spec, files session.LaunchFiles) *execution {
	e := &execution{stdout: stdout, out: out, spec: given, cases: map[string][]suite.Case{}}
	for _, c := range suite.Cases(kernels.All(), suite.Quick) {
		if c.Pipeline == nil {
			e.cases[c.Kernel.Name] = append(e.cases[c.Kernel.Name], c)
		}
	}
	if files.Given() {
		e.stated = suite.Cases(files.Catalogue(), suite.Quick)
	}
	return e
}

// newUnit prepares the entry points of a program that run selects.
func (e *execution) newUnit(p *metalrun.Program) (unit, error) {
	src := p.Source()
	uncatalogued, p, err := adhoc.Kernels(p, e.spec)
	if err != nil {
		return unit{}, invalidSpec(src, err)
	}
	u := unit{program: p, adhoc: map[string]adhoc.Kernel{}}
	for _, s := range uncatalogued {
		if e.run.Regexp != nil && !e.run.MatchString(s.Info.Name) {
			continue
		}
		u.kernels = append(u.kernels, s.Info)
		stated, err := e.launchesOf(s.Info)
		if err != nil {
			return unit{}, err
		}
		if few, _ := e.of(s.Info); few != nil || stated != nil {
			continue
		}
		if err := s.Mistake(); err != nil {
			return unit{}, invalidSpec(src, err)
		}
		u.adhoc[s.Info.Name] = s
	}
	return u, nil
}

// invalidSpec is an error of a source. One of a specification that contradicts the
// source is a mistake on the command line.
func invalidSpec(src metalrun.Source, err error) error {
	var m *adhoc.InvalidSpec
	if errors.As(err, &m) {
		return exit.Usagef("%s: %v", src.Name, m)
	}
	return err
}

// launchesOf are the cases of launch files that launch a kernel. One that does not take their
// arguments is a mistake of the file.
func (e *execution) launchesOf(info metalrun.KernelInfo) (list []suite.Case, err error) {
	for _, c := range e.stated {
		if c.Kernel.Name == info.Name {
			list = append(list, c)
		}
	}
	if len(list) > 0 {
		if k := list[0].Kernel; k.Build != nil {
			return nil, exit.Usagef("-launch: %s has constants or macros: state them with -constant and -D, and leave them out of the file", k.Name)
		} else if err := k.Takes(info); err != nil {
			return nil, exit.Usagef("-launch: %v", err)
		}
	}
	return list, nil
}

// of are the cases of the catalogue that launch a kernel. A kernel that is not the
// catalogue's has none; the error says why if it has the name of one that is.
func (e *execution) of(info metalrun.KernelInfo) ([]suite.Case, error) {
	few := suite.Few(e.cases[info.Name], info.Name, casesPerKernel)
	if len(few) == 0 {
		return nil, nil
	}
	if err := few[0].Kernel.Takes(info); err != nil {
		return nil, err
	}
	return few, nil
}

// file launches the kernels of one file and reports whether nothing was found.
func (e *execution) file(ctx context.Context, u unit) (clean bool, err error) {
	t := tally{
		execution: e, unit: u, file: u.program.Source().Name, text: u.program.Source().Text,
		stores: make(chan *adhoc.Store, min(mostAtOnce, runtime.GOMAXPROCS(0))),
		done:   make([]*inquiry, len(u.kernels)), waiting: map[int]*inquiry{}, turns: map[string]int{}, seen: map[string]bool{}, again: map[string]*again{}, cured: map[placed][]string{}, places: map[metalrun.Position]*place{},
	}
	for range cap(t.stores) {
		t.stores <- &adhoc.Store{}
	}
	rest := make([]int, len(u.kernels))
	for i := range rest {
		rest[i] = i
	}
	for len(rest) > 0 && t.work < t.most && err == nil {
		var some, again []int
		some, rest = t.batch(rest)
		if again, err = t.launch(ctx, some); err == nil {
			rest = slices.Concat(again, rest)
			slices.Sort(rest)
			err = t.flush(rest)
		}
	}
	if flushed := t.flush(nil); flushed != nil {
		return false, flushed
	}
	if err == nil && len(rest) > 0 {
		err = t.print([]observation{{Source: t.file, Finding: t.unaffordable(u.kernels[rest[0]], len(rest))}})
	}
	if gathered := t.findings(); err == nil {
		err = gathered
	}
	if err != nil {
		return false, err
	}
	return t.found == 0, errors.Join(t.sum(u), errors.Join(t.crashed...))
}

// tally is what was found in a file.
type tally struct {
	*execution
	unit
	file            string
	text            func(file string) (string, bool) // of the sources
	stores          chan *adhoc.Store                // one for each kernel that is launched at once
	done            []*inquiry                       // by kernel, until they are printed
	waiting         map[int]*inquiry                 // by kernel, of those that are to be launched in every way
	turns           map[string]int                   // how many were, by what they had shown before
	printed         int                              // kernels
	seen            map[string]bool
	again           map[string]*again   // by what they are about; of text
	told            []*again            // in order
	cured           map[placed][]string // what to state so that a finding is none; nil: nothing helps
	places          map[metalrun.Position]*place
	found, warned   int
	launches, cases int
	work            int64 // of the launches so far
	crashed         []error
}

// Kernels are launched side by side in batches, whose length no machine decides: what is learnt of a place is known
// to those of later batches.
const (
	batchSize  = 16
	batchAhead = 1 << 10 // kernels that a batch is chosen from
	mostAtOnce = 4       // since each takes the memory of a launch
)

// batch chooses those of the kernels that are left which are launched next: one of each place of which not enough is
// known to launch others alike, and one of those that have shown the same which others of their place have not.
func (t *tally) batch(rest []int) (some, left []int) {
	var later []int
	open, n := map[string]bool{}, 0
	for ; n < min(len(rest), batchAhead) && len(some) < batchSize; n++ {
		info := t.kernels[rest[n]]
		at, key, alone := t.at(info), info.Declared.String(), false
		if q := t.waiting[rest[n]]; q != nil {
			key += fmt.Sprint(q.unlike)
			alone = !slices.ContainsFunc(q.unlike, at.known) && t.turns[key] < mostAlike
		} else {
			alone = len(at.sizes()) == 0
		}
		if open[key] {
			later = append(later, rest[n])
			continue
		}
		if open[key] = alone; alone {
			t.turns[key]++
		}
		some = append(some, rest[n])
	}
	left = rest[n-len(later):]
	copy(left, later)
	return some, left
}

// launch launches the kernels of a batch, and takes over what they show in the order of the source. Those that others of
// their place are not like have to be launched again, in every way.
func (t *tally) launch(ctx context.Context, some []int) (again []int, err error) {
	var all sync.WaitGroup
	failures := make([]error, len(some))
	for n, i := range some {
		info := t.kernels[i]
		q := &inquiry{execution: t.execution, trials: max(t.most/trialsPart, 1), file: t.file, at: *t.at(info), known: t.cured, cured: map[placed][]string{}, tried: map[trialSite]bool{}}
		if before := t.waiting[i]; before != nil {
			q.full, q.told, q.launches = true, before.told, before.launches
			delete(t.waiting, i)
		}
		t.done[i] = q
		q.store = <-t.stores
		all.Go(func() {
			defer func() { t.stores <- q.store }()
			defer crash.Catch(&failures[n])
			failures[n] = q.conduct(ctx, t.unit, info)
		})
	}
	all.Wait()
	for _, i := range some {
		q := t.done[i]
		for at, stated := range q.cured {
			if _, asked := t.cured[at]; !asked {
				t.cured[at] = stated
			}
		}
		t.at(t.kernels[i]).take(q)
		t.work += q.work
	}
	for n, i := range some {
		var internal *crash.Crash
		switch err := failures[n]; {
		case errors.As(err, &internal):
			t.crashed = append(t.crashed, fmt.Errorf("%s: %s: %w", t.file, t.kernels[i].Name, err))
		case err != nil:
			return nil, err
		case t.done[i].unlike != nil:
			t.waiting[i], t.done[i] = t.done[i], nil
			again = append(again, i)
		}
	}
	return again, nil
}

// flush prints what is known of the kernels up to the first of those that are left, or of all.
func (t *tally) flush(left []int) error {
	end := len(t.done)
	if len(left) > 0 {
		end = left[0]
	}
	for ; t.printed < end; t.printed++ {
		q := t.done[t.printed]
		if q == nil { // not launched
			continue
		}
		t.done[t.printed] = nil
		t.launches, t.cases = t.launches+q.launches, t.cases+q.cases
		for _, x := range q.told {
			if _, err := io.WriteString(t.stdout, x.launch); err != nil {
				return err
			}
			if err := t.print(x.list); err != nil {
				return err
			}
		}
	}
	return nil
}

// at is the place of a kernel.
func (t *tally) at(info metalrun.KernelInfo) *place {
	if t.places[info.Declared] == nil {
		t.places[info.Declared] = &place{}
	}
	return t.places[info.Declared]
}

// concerned fails if a flag states something that concerns no kernel of the files. It
// expects all files.
func (e *execution) concerned(flags *specFlags, units []unit) error {
	some := slices.ContainsFunc(units, func(u unit) bool { return len(u.kernels) > 0 })
	if e.run.Regexp != nil && !some {
		return exit.Usagef("-run %q: no kernel of these files has such a name", e.run.String())
	}
	for _, c := range e.stated {
		if !slices.ContainsFunc(units, func(u unit) bool {
			return slices.ContainsFunc(u.kernels, func(k metalrun.KernelInfo) bool { return k.Name == c.Kernel.Name })
		}) && e.run.Regexp == nil {
			return exit.Usagef("-launch: %s is no kernel of these files", c.Kernel.Name)
		}
	}
	return flags.known(units)
}
