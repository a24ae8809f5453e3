package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// inquiry launches one kernel of a file in every way that it needs, and collects what is found.
type inquiry struct {
	*execution
	file  string
	at    place
	known map[placed][]string // what to state so that findings of others are none; nil: nothing helps
	cured map[placed][]string // likewise, of its own
	told  []told

	launches, cases int
	work            int64 // of the launches so far
}

// told is what an inquiry has to say: a launch that it has made, or observations.
type told struct {
	launch string
	list   []observation
}

func (q *inquiry) tell(list []observation) { q.told = append(q.told, told{list: list}) }

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

// shows notes that threadgroups of a size, after others, show nothing.
func (p *place) shows(size metalrun.Size) {
	if p.size != size {
		p.size, p.clean = size, 0
	}
	p.clean++
}

// take takes over what one more kernel has shown. Of a place that others are launched like, only that they may not be.
func (p *place) take(q place) {
	if p.clean < mostAlike {
		*p = q
		return
	}
	p.learnt = maps.Clone(p.learnt)
	maps.Copy(p.learnt, q.learnt)
	if q.clean < mostAlike {
		p.clean = 0
	}
}

// conduct launches the kernel.
func (q *inquiry) conduct(ctx context.Context, u unit, info metalrun.KernelInfo) error {
	bounded := sim.Semantics{Check: true, SameValue: q.sameValue, Steps: maxSteps, ThreadSteps: maxThreadSteps}
	q.limits.set(&bounded)
	library, err := sim.New(bounded).Compile(u.program)
	if err != nil {
		return &exit{exitDevice, err}
	}
	defer library.Release()
	kernel, err := library.Kernel(info.Name)
	if err != nil {
		q.tell([]observation{q.failed(info, err)})
		return nil
	}
	return q.kernel(ctx, metered{kernel, &q.work}, info, u)
}

// kernel launches one entry point in every way and tells what is found.
func (q *inquiry) kernel(ctx context.Context, kernel metalrun.Kernel, info metalrun.KernelInfo, u unit) error {
	few, err := q.launchesOf(info)
	if err != nil {
		return err
	}
	ofFile := few != nil
	if !ofFile {
		few, err = q.of(info)
	}
	if err != nil {
		note := metalrun.Finding{Check: "arguments", Kernel: info.Name, Party: declared(info), Grade: metalrun.GradeNote,
			Message: fmt.Sprintf("%s does not have the arguments of the catalogue's kernel of that name, and gets generated inputs (%v)", info.Name, err)}
		q.tell([]observation{{Source: q.file, Finding: note}})
	}
	if k, ok := u.adhoc[info.Name]; ok {
		if why := k.Unfilled(); why != "" {
			note := metalrun.Finding{Check: "arguments", Kernel: info.Name, Party: declared(info), Grade: metalrun.GradeNote, Message: info.Name + " is not launched: " + why}
			q.tell([]observation{{Source: q.file, Finding: note}})
			return nil
		}
		return q.adhoc(ctx, kernel, k, u)
	}
	for _, c := range few {
		if !ofFile {
			q.cases++
		}
		list, err := q.launch(ctx, info, launched{Case: c.Name}, func() ([]metalrun.Finding, error) { return suite.Observe(kernel, c, q.seed) })
		if err != nil {
			return err
		}
		q.tell(list)
	}
	return nil
}

// adhoc launches a kernel with generated inputs, in threadgroups of each size that it
// may have. If one size shows nothing, the findings at others are notes, because the
// kernel may be made for that size. Otherwise the size with the fewest findings
// counts, of those at which launches end.
func (q *inquiry) adhoc(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, u unit) error {
	begun, at := q.work, &q.at
	s.Learn(at.learnt)
	defer func() { at.learnt = s.Learnt() }()
	sizes := s.Threadgroups(kernel.MaxThreads())
	if clean, err := q.asOthers(ctx, kernel, s, sizes, at); clean || err != nil {
		return err
	}
	var tried [][]observation
	for _, size := range sizes {
		var all []observation
		for _, l := range s.Launches(size) {
			list, hangs, err := q.enough(ctx, kernel, s, l)
			if err != nil {
				return err
			}
			all = append(all, list...)
			if hangs { // most likely at any size, and each takes as long
				return q.hangs(ctx, kernel, s, u, all)
			}
		}
		tried = append(tried, all)
		if counted(all) == 0 {
			break
		}
	}
	last := len(tried) - 1
	if q.exact.given() {
		list, err := q.accuracy(ctx, s, sizes[last], u)
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
		found, err := q.otherwise(ctx, kernel, s, sizes[best], tried[best])
		if err == nil {
			err = q.grade(kernel, found)
		}
		if err != nil {
			return err
		}
		q.tell(found)
		return nil
	}
	at.shows(sizes[last])
	if oneSimdgroup(s, sizes[last]) {
		if err := q.amongSimdgroups(kernel, tried[:last]); err != nil {
			return err
		}
	}
	for i, list := range tried[:last] {
		for j := range list {
			list[j].elsewhere(sizes[i], sizes[last])
		}
		q.tell(list)
	}
	q.tell(tried[last])
	return q.lengths(ctx, kernel, s, sizes[last], q.work-begun)
}

// oneSimdgroup reports whether a size has one simdgroup of a kernel that may have several.
func oneSimdgroup(s adhoc.Kernel, size metalrun.Size) bool { return s.Several() && size.Count() <= 32 }

// asOthers launches a kernel once, as the others of its place that show nothing. It reports false where it shows
// something, or where there are no such others.
func (q *inquiry) asOthers(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, sizes []metalrun.Size, at *place) (clean bool, err error) {
	if at.clean < mostAlike || q.exact.given() || !slices.Contains(sizes, at.size) || oneSimdgroup(s, at.size) {
		return false, nil
	}
	launches := s.Launches(at.size)
	list, hangs, err := q.enough(ctx, kernel, s, launches[len(launches)-1])
	if err != nil || hangs || counted(list) > 0 {
		return false, err
	}
	q.tell(list)
	return true, nil
}
