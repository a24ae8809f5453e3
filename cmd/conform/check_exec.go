package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
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
	run       pattern
	sameValue bool
	limits    launchLimits
	most      int64 // work of all launches of a file
	strict    bool  // what no trial shows to change a result counts too
	exact     exactness
	spec      *adhoc.Spec
	seed      uint64                  // of the cases
	cases     map[string][]suite.Case // of the catalogue, by kernel
	stated    []suite.Case            // of launch files
}

// newExecution prepares launches with what is given.
func newExecution(stdout io.Writer, out *diagnostics.Writer, given *adhoc.Spec, files launchFiles) *execution {
	e := &execution{stdout: stdout, out: out, spec: given, cases: map[string][]suite.Case{}}
	for _, c := range suite.Cases(kernels.All(), suite.Quick) {
		if c.Pipeline == nil {
			e.cases[c.Kernel.Name] = append(e.cases[c.Kernel.Name], c)
		}
	}
	if files.given() {
		e.stated = suite.Cases(files.catalogue(), suite.Quick)
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
		return usageError("%s: %v", src.Name, m)
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
			return nil, usageError("-launch: %s has constants or macros: state them with -constant and -D, and leave them out of the file", k.Name)
		} else if err := k.Takes(info); err != nil {
			return nil, usageError("-launch: %v", err)
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
	bounded := sim.Semantics{Check: true, SameValue: e.sameValue, Steps: maxSteps, ThreadSteps: maxThreadSteps}
	e.limits.set(&bounded)
	t := tally{execution: e, file: u.program.Source().Name, text: u.program.Source().Text, seen: map[string]bool{}, cured: map[placed][]string{}, places: map[metalrun.Position]*place{}}
	for i, info := range u.kernels {
		// A library keeps the kernels that it has compiled, of which a file may have thousands.
		library, err := sim.New(bounded).Compile(u.program)
		if err != nil {
			return false, &exit{exitDevice, err}
		}
		kernel, err := library.Kernel(info.Name)
		if err != nil {
			if err := t.print([]observation{t.failed(info, err)}); err != nil {
				return false, err
			}
			continue
		}
		if t.work >= t.most {
			if err := t.print([]observation{{Source: t.file, Finding: t.unaffordable(info, len(u.kernels)-i)}}); err != nil {
				return false, err
			}
			break
		}
		err = t.kernel(ctx, metered{kernel, &t.work}, info, u)
		library.Release()
		if err != nil {
			return false, err
		}
	}
	return t.found == 0, t.sum(u)
}

// tally is what was found in a file.
type tally struct {
	*execution
	file            string
	text            func(file string) (string, bool) // of the sources
	seen            map[string]bool
	cured           map[placed][]string // what to state so that a finding is none; nil: nothing helps
	places          map[metalrun.Position]*place
	found, warned   int
	launches, cases int
	work            int64 // of the launches so far
}

// place is where one or more kernels are declared, such as the instances of a template, and what those launched so
// far have shown.
type place struct {
	learnt  map[string]int // of the lengths of buffers
	lengths int            // kernels launched with other lengths
	clean   int            // kernels in a row that show nothing in threadgroups of size and none smaller
	size    metalrun.Size
}

// mostAlike are kernels of one place that are launched in every way, if nothing is found.
const mostAlike = 2

// at is the place of a kernel.
func (t *tally) at(info metalrun.KernelInfo) *place {
	if t.places[info.Position] == nil {
		t.places[info.Position] = &place{}
	}
	return t.places[info.Position]
}

// shows notes that threadgroups of a size, after others, show nothing.
func (p *place) shows(size metalrun.Size) {
	if p.size != size {
		p.size, p.clean = size, 0
	}
	p.clean++
}

// kernel launches one entry point in every way and prints what is found.
func (t *tally) kernel(ctx context.Context, kernel metalrun.Kernel, info metalrun.KernelInfo, u unit) error {
	few, err := t.launchesOf(info)
	if err != nil {
		return err
	}
	ofFile := few != nil
	if !ofFile {
		few, err = t.of(info)
	}
	if err != nil {
		note := metalrun.Finding{Check: "arguments", Kernel: info.Name, Party: declared(info), Grade: metalrun.GradeNote,
			Message: fmt.Sprintf("%s does not have the arguments of the catalogue's kernel of that name, and gets generated inputs (%v)", info.Name, err)}
		if err := t.print([]observation{{Source: t.file, Finding: note}}); err != nil {
			return err
		}
	}
	if k, ok := u.adhoc[info.Name]; ok {
		if why := k.Unfilled(); why != "" {
			note := metalrun.Finding{Check: "arguments", Kernel: info.Name, Party: declared(info), Grade: metalrun.GradeNote, Message: info.Name + " is not launched: " + why}
			return t.print([]observation{{Source: t.file, Finding: note}})
		}
		return t.adhoc(ctx, kernel, k, u)
	}
	for _, c := range few {
		if !ofFile {
			t.cases++
		}
		list, err := t.launch(ctx, info, launched{Case: c.Name}, func() ([]metalrun.Finding, error) { return suite.Observe(kernel, c, t.seed) })
		if err == nil {
			err = t.print(list)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// adhoc launches a kernel with generated inputs, in threadgroups of each size that it
// may have. If one size shows nothing, the findings at others are notes, because the
// kernel may be made for that size. Otherwise the size with the fewest findings
// counts, of those at which launches end.
func (t *tally) adhoc(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u unit) error {
	begun, at := t.work, t.at(s.Info)
	s.Learn(at.learnt)
	defer func() { at.learnt = s.Learnt() }()
	sizes := s.Threadgroups(kernel.MaxThreads())
	if clean, err := t.asOthers(ctx, kernel, s, sizes, at); clean || err != nil {
		return err
	}
	var tried [][]observation
	for _, size := range sizes {
		var all []observation
		for _, l := range s.Launches(size) {
			list, hangs, err := t.enough(ctx, kernel, s, l)
			if err != nil {
				return err
			}
			all = append(all, list...)
			if hangs { // most likely at any size, and each takes as long
				return t.hangs(ctx, kernel, s, u, all)
			}
		}
		tried = append(tried, all)
		if counted(all) == 0 {
			break
		}
	}
	last := len(tried) - 1
	if t.exact.given() {
		list, err := t.accuracy(ctx, s, sizes[last], u)
		if err != nil {
			return err
		}
		tried[last] = append(tried[last], list...)
	}
	if counted(tried[last]) > 0 {
		at.clean = 0
		best := 0
		for i, list := range tried {
			if hidden, before := slices.ContainsFunc(list, observation.ends), slices.ContainsFunc(tried[best], observation.ends); !hidden && before || hidden == before && counted(list) < counted(tried[best]) {
				best = i
			}
		}
		found, err := t.otherwise(ctx, kernel, s, sizes[best], tried[best])
		if err == nil {
			err = t.grade(kernel, found)
		}
		if err != nil {
			return err
		}
		return t.print(found)
	}
	at.shows(sizes[last])
	if oneSimdgroup(s, sizes[last]) {
		if err := t.amongSimdgroups(kernel, tried[:last]); err != nil {
			return err
		}
	}
	for i, list := range tried[:last] {
		for j := range list {
			list[j].elsewhere(sizes[i], sizes[last])
		}
		if err := t.print(list); err != nil {
			return err
		}
	}
	if err := t.print(tried[last]); err != nil {
		return err
	}
	return t.lengths(ctx, kernel, s, sizes[last], t.work-begun)
}

// oneSimdgroup reports whether a size has one simdgroup of a kernel that may have several.
func oneSimdgroup(s adhoc.Kernel, size metalrun.Size) bool { return s.Several() && size.Count() <= 32 }

// asOthers launches a kernel once, as the others of its place that show nothing. It reports false where it shows
// something, or where there are no such others.
func (t *tally) asOthers(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size, at *place) (clean bool, err error) {
	if at.clean < mostAlike || t.exact.given() || !slices.Contains(sizes, at.size) || oneSimdgroup(s, at.size) {
		return false, nil
	}
	launches := s.Launches(at.size)
	list, hangs, err := t.enough(ctx, kernel, s, launches[len(launches)-1])
	if err != nil || hangs || counted(list) > 0 {
		return false, err
	}
	return true, t.print(list)
}

// concerned fails if a flag states something that concerns no kernel of the files. It
// expects all files.
func (e *execution) concerned(flags *specFlags, units []unit) error {
	some := slices.ContainsFunc(units, func(u unit) bool { return len(u.kernels) > 0 })
	if e.run.Regexp != nil && !some {
		return usageError("-run %q: no kernel of these files has such a name", e.run.String())
	}
	for _, c := range e.stated {
		if !slices.ContainsFunc(units, func(u unit) bool {
			return slices.ContainsFunc(u.kernels, func(k metalrun.KernelInfo) bool { return k.Name == c.Kernel.Name })
		}) && e.run.Regexp == nil {
			return usageError("-launch: %s is no kernel of these files", c.Kernel.Name)
		}
	}
	return flags.known(units)
}
