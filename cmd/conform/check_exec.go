package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

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

// mostRunaways are other guesses with which a kernel hangs, before no more are tried.
const mostRunaways = 3

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
	runner := sim.New(bounded)
	library, err := runner.Compile(u.program)
	if err != nil {
		return false, &exit{exitDevice, err}
	}
	defer library.Release()
	t := tally{execution: e, file: u.program.Source().Name, text: u.program.Source().Text, seen: map[string]bool{}, cured: map[placed][]string{}, learnt: map[metalrun.Position]map[string]int{}, alike: map[metalrun.Position]int{}}
	for i, info := range u.kernels {
		kernel, err := library.Kernel(info.Name)
		if err != nil {
			if err := t.print([]observation{{Source: t.file, Finding: failed(info, err)}}); err != nil {
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
		if err := t.kernel(ctx, metered{kernel, &t.work}, info, u); err != nil {
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
	cured           map[placed][]string                  // what to state so that a finding is none; nil: nothing helps
	learnt          map[metalrun.Position]map[string]int // of the lengths of buffers, by the place of the kernel
	alike           map[metalrun.Position]int            // kernels launched with other lengths, by their place
	found, warned   int
	launches, cases int
	work            int64 // of the launches so far
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
	begun := t.work
	var tried [][]observation
	s.Learn(t.learnt[s.Info.Position])
	defer func() { t.learnt[s.Info.Position] = s.Learnt() }()
	sizes := s.Threadgroups(kernel.MaxThreads())
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
	if s.Several() && sizes[last].Count() <= 32 {
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

// amongSimdgroups prints races of simdgroups in threadgroup memory that are there in all threadgroups of several. That
// one simdgroup alone has no such race is no excuse.
func (t *tally) amongSimdgroups(kernel metalrun.Kernel, tried [][]observation) error {
	if len(tried) == 0 {
		return nil
	}
	var always []observation
	for _, o := range tried[len(tried)-1] {
		everywhere := !slices.ContainsFunc(tried, func(list []observation) bool { return !slices.ContainsFunc(list, o.same) })
		if everywhere && o.Grade != metalrun.GradeNote && o.Check == string(suite.CheckRace) && strings.Contains(o.Message, " by two simdgroups ") && strings.Contains(o.Message, " of threadgroup") {
			always = append(always, o)
		}
	}
	if err := t.grade(kernel, always); err != nil {
		return err
	}
	return t.print(always)
}

// mostAlike are kernels instantiated from one place of the source that are launched with other lengths, unless their
// launches take more work than mostLengthWork.
const (
	mostAlike      = 2
	mostLengthWork = 1 << 27
)

// lengths launches a kernel of which nothing is found with other lengths: a fault that only some have is one, too.
// work is what it took so far.
func (t *tally) lengths(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size, work int64) error {
	if t.alike[s.Info.Position]++; t.alike[s.Info.Position] > mostAlike || work > mostLengthWork {
		return nil
	}
	for _, other := range s.Lengths() {
		launches := other.Launches(size)
		if len(launches[0].Given) > 0 {
			return nil
		}
		list, _, err := t.enough(ctx, kernel, other.Kernel, launches[min(1, len(launches)-1)])
		if err != nil {
			return err
		}
		if slices.ContainsFunc(list, observation.inBuffer) { // of longer lists of indices, some are equal
			distinct := other.Distinct()
			again, _, err := t.enough(ctx, kernel, distinct, distinct.Launches(size)[min(1, len(launches)-1)])
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
				if arrayLeft.MatchString(o.Message) {
					fits, err := t.fits(ctx, kernel, s, other, size, o)
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
		if err := t.grade(kernel, faults); err != nil {
			return err
		}
		if err := t.print(faults); err != nil {
			return err
		}
	}
	return nil
}

// hangs tells a kernel that does not end from one that has much to do with integers as large as the guess: that
// is launched with small ones.
func (t *tally) hangs(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u unit, found []observation) error {
	smaller, flag, ok := s.Smaller()
	for hangs := ok; ok && hangs; {
		var err error
		_, hangs, err = t.enough(ctx, kernel, smaller, smaller.Launches(smaller.Threadgroups(kernel.MaxThreads())[0])[0])
		if err != nil {
			return err
		}
		if hangs {
			smaller, flag, ok = smaller.Smaller()
		}
	}
	if !ok {
		if err := t.grade(kernel, found); err != nil {
			return err
		}
		return t.print(found)
	}
	for i := range found {
		if found[i].ends() && found[i].guessed() {
			found[i].dueTo([]string{flag})
		}
	}
	if err := t.print(slices.DeleteFunc(found, func(o observation) bool { return o.Grade != metalrun.GradeNote })); err != nil {
		return err
	}
	return t.adhoc(ctx, kernel, smaller, u)
}

// otherwise asks for findings again with other guesses. What is not found again is a note, if it is of a kind that a guess may
// make: two threadgroups that mean one place, or threads where strides fall together, and what ends a launch. A race in threadgroup
// memory, or a value that nobody has written, counts at any size. What a fault had hidden comes to light. A place of the
// source that several kernels share is asked about once.
func (t *tally) otherwise(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, size metalrun.Size, found []observation) ([]observation, error) {
	var open []placed // asked about here
	for i := range found {
		at := found[i].placed()
		if stated, known := t.cured[at]; !known {
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
			list, hangs, err := t.enough(ctx, kernel, other.Kernel, l)
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
				if fits, err := t.fits(ctx, kernel, s, other, size, *o); err != nil {
					return nil, err
				} else if !fits {
					unfit[other.Name] = o.placed()
					continue
				}
				hid = hid || o.ends()
				t.cured[o.placed()] = other.Stated
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
		if _, known := t.cured[at]; !known {
			t.cured[at] = nil
		}
	}
	return found, nil
}

// arrayLeft is the message of an access outside of an array that the kernel declares.
var arrayLeft = regexp.MustCompile(`of (\d+) bytes at offset \d+ is out of range of (?:thread|threadgroup|constant) .*, which has (\d+) bytes`)

// fits reports whether an array of the kernel holds as many elements as the other guess says, if that is why it
// shows no access outside: the largest such number then is the length of the array, or of its rows. A kernel that
// leaves the array before has a fault.
func (t *tally) fits(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, other adhoc.Otherwise, size metalrun.Size, o observation) (bool, error) {
	array := arrayLeft.FindStringSubmatch(o.Message)
	if array == nil || other.Name == "" || other.Apart {
		return true, nil
	}
	each, _ := strconv.Atoi(array[1])
	bytes, _ := strconv.Atoi(array[2])
	good, bad := min(int(other.Value), s.Size()), max(int(other.Value), s.Size())
	for good < bad-1 {
		n := (good + bad) / 2
		with := s.With(other.Name, n)
		left := false
		for _, l := range with.Launches(size) {
			list, _, err := t.enough(ctx, kernel, with, l)
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
	length := bytes / max(each, 1)
	return bad < 2 || length%good == 0 || good%max(length, 1) == 0 || !other.Bounds && good == length-1, nil
}

// enough makes a launch, again and again while it leaves a buffer whose length is a guess: the next guess is
// longer. It reports whether the launch hangs, too. What races do to results is left open.
func (t *tally) enough(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, l adhoc.Launch) (list []observation, hangs bool, err error) {
	const most = 48 // all buffers together
	for try := 1; ; try++ {
		var failed error
		list, err = t.launch(ctx, s.Info, launched{Given: l.Given, Guessed: l.Guessed}, func() ([]metalrun.Finding, error) {
			d := l.Dispatch()
			d.Ungraded = true
			outcome, err := kernel.Run(d)
			failed = err
			return outcome.Findings, err
		})
		for i := range list {
			list[i].shown = &l
		}
		var fault *metalrun.Fault
		if err != nil || !errors.As(failed, &fault) || fault.Beyond == nil || try == most || !s.Grow(fault.Beyond) {
			return list, fault != nil && fault.Exhausted, err
		}
		l = l.Again()
		t.launches-- // one with a longer buffer takes its place
	}
}

// grade tries out what races that count do to results, in the launches that showed them.
func (t *tally) grade(kernel metalrun.Kernel, list []observation) error {
	graded := map[*adhoc.Launch][]metalrun.Finding{}
	for i := range list {
		o := &list[i]
		if o.Check != string(suite.CheckRace) || o.Grade == metalrun.GradeNote || o.Trials != nil || o.shown == nil {
			continue
		}
		findings, done := graded[o.shown]
		if !done {
			outcome, err := kernel.Run(o.shown.Dispatch())
			var fault *metalrun.Fault
			if err != nil && !errors.As(err, &fault) {
				return err
			}
			findings = outcome.Findings
			graded[o.shown] = findings
		}
		for _, f := range findings {
			if (observation{Finding: f}).same(*o) && f.Message == o.Message {
				o.Grade, o.Trials = f.Grade, f.Trials
			}
		}
	}
	return nil
}

// launch makes one launch.
func (t *tally) launch(ctx context.Context, info metalrun.KernelInfo, how launched, run func() ([]metalrun.Finding, error)) ([]observation, error) {
	switch err := ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, &exit{exitDevice, fmt.Errorf("stopped before %s, after the time that -run-timeout gives", info.Name)}
	case err != nil:
		return nil, &exit{exitDevice, fmt.Errorf("interrupted in %s", info.Name)}
	}
	t.launches++
	if t.verbose && t.format == diagnostics.Text {
		fmt.Fprintf(t.stdout, "%s: %s\n\t%s\n", info.Position, info.Name, how)
	}
	findings, err := run()
	if err != nil {
		findings = append(findings, failed(info, err))
	}
	var list []observation
	for _, f := range findings {
		list = append(list, observation{Source: t.file, Finding: f, Launch: how})
	}
	return list, nil
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
