package gate

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/reports"
	"metalconform/suite"
)

// judgements are what both states come to. Of the head, own has what the head's rules say where they may differ from
// the base's.
type judgements struct {
	was, held, own reports.Run
	foreign        map[string]string // kernels that are made of files which no commit has, with such a file
}

// judgements judges the base's kernels and the head's by the base's rules, and by the head's own what these may say
// otherwise.
func (g *Gate) judgements(ctx context.Context, stderr io.Writer) (j judgements, err error) {
	none := reports.NewRun(reports.Header{Device: reports.NewDevice(g.runner.Device())}, nil, nil, &reports.Ending{})
	j = judgements{was: none, held: none, own: none, foreign: g.foreign()}
	if !g.was.missing {
		if j.was, err = g.judge(ctx, &g.was, nil, "base", stderr); err != nil {
			return j, err
		}
	}
	if g.held.Source != nil {
		if j.held, err = g.judge(ctx, &g.held, nil, "", stderr); err != nil {
			return j, err
		}
	}
	by := map[string]bool{}
	for _, c := range g.held.Cases {
		by[c.Name] = true
	}
	other := func(c suite.Case) bool { return !by[c.Name] || g.scope.reruled(c) }
	if j.own, err = g.judge(ctx, &g.is, other, "", stderr); err != nil {
		return j, err
	}
	if g.Out != "" {
		err = saveRun(filepath.Join(g.Out, "head"), j.head(g, func(string) bool { return false }))
	}
	return j, err
}

// judge judges what is concerned on one side, and of it what is other if that is given.
func (g *Gate) judge(ctx context.Context, s *Side, other func(suite.Case) bool, out string,
	stderr io.Writer) (run reports.Run, err error) {
	if g.is.Source != nil {
		s.Constants = g.is.Source // the same inputs on all sides
	}
	if err := s.choose(g.runner.Device(), g.scope.take); err != nil {
		return run, err
	}
	s.Cases = suite.WithSizes(s.Cases, g.sizes)
	cases := s.Cases
	if other != nil {
		cases = slices.DeleteFunc(slices.Clone(cases), func(c suite.Case) bool { return !other(c) })
	}
	run, err = s.Judge(ctx, g.runner, cases, stderr)
	if err == nil && g.Out != "" && out != "" {
		err = saveRun(filepath.Join(g.Out, out), run)
	}
	return run, err
}

// foreign are the kernels that are made of files which git ignores, with such a file: what the base made of them nobody
// knows.
func (g *Gate) foreign() map[string]string {
	lent := map[string]bool{}
	for _, name := range g.base.Lent() {
		lent[name] = true
	}
	kernels := map[string]string{}
	if len(lent) == 0 || g.was.Source == nil {
		return kernels
	}
	for _, k := range g.was.Spec.Names() {
		for _, file := range g.was.Source.Reads(k) {
			if name := g.repository.shown(file, holds(g.was.Source, file)); lent[name] {
				kernels[k] = name
			}
		}
	}
	return kernels
}

// base is what the head is held against: of kernels that may be asked for less nothing, and no failure that the base
// may owe to files which no commit has.
func (j judgements) base(allowed func(kernel string) bool) reports.Run {
	header := j.was.Header
	results := slices.DeleteFunc(slices.Clone(j.was.Results), func(r suite.Result) bool {
		return allowed(r.Kernel) || j.foreign[r.Kernel] != "" && failing(r)
	})
	header.Planned = len(results)
	return wholeRun(header, results, j.was.Ending.ElapsedNS) // what has expired fails whenever that was
}

// head is the one result of the head: by the base's rules, and where the head's own rules are worse for it, or where
// the base has none, by these. Declarations are held against what is true now.
func (j judgements) head(g *Gate, allowed func(kernel string) bool) reports.Run {
	own := map[string]suite.Result{}
	for _, r := range j.own.Results {
		own[r.Case] = r
	}
	var results []suite.Result
	seen := map[string]bool{}
	for _, r := range j.held.Results {
		if allowed(r.Kernel) {
			continue
		}
		seen[r.Case] = true
		if by, ok := own[r.Case]; ok && !failing(r) && failing(by) {
			by.Notes = append(slices.Clone(by.Notes), "the change's own specification and declarations say so")
			r = by
		}
		results = append(results, r)
	}
	for _, r := range j.own.Results {
		if !seen[r.Case] {
			results = append(results, r)
		}
	}
	header := j.header(g, allowed)
	header.Planned = len(results)
	run := wholeRun(header, results, j.held.Ending.ElapsedNS+j.own.Ending.ElapsedNS)
	run.Ending.Stale = j.own.Ending.Stale
	return run
}

// failing reports whether a result fails a run.
func failing(r suite.Result) bool { return r.Status == suite.Fail || r.Status == suite.Error }

// header joins the headers of the head's judgements.
func (j judgements) header(g *Gate, allowed func(kernel string) bool) reports.Header {
	if g.held.Source == nil {
		return j.own.Header
	}
	h := j.held.Header
	known := map[string]bool{} // to the base
	for _, k := range h.Kernels {
		known[k.Name] = true
	}
	free := func(name string) bool { return allowed(name) || !known[name] }
	h.Kernels = slices.DeleteFunc(slices.Clone(h.Kernels), func(k reports.Kernel) bool { return allowed(k.Name) })
	for _, k := range j.own.Kernels {
		if free(k.Name) {
			h.Kernels = append(h.Kernels, k)
		}
	}
	h.Required = slices.DeleteFunc(slices.Clone(h.Required), func(q reports.Requirement) bool {
		return allowed(q.Kernel)
	})
	for _, q := range j.own.Required {
		if !slices.ContainsFunc(h.Required, func(o reports.Requirement) bool { return o.Kernel == q.Kernel }) {
			h.Required = append(h.Required, q)
		}
	}
	h.Absent = slices.Clone(h.Absent)
	for _, a := range j.own.Absent {
		a.Kernels = slices.DeleteFunc(slices.Clone(a.Kernels), func(k string) bool { return !free(k) })
		h.Absent = append(h.Absent, a)
	}
	h.Shaders = g.shadersOf(j, allowed)
	return h
}

// shadersOf are the files that the head is made of. One that does not compile counts if the change has to do with it:
// by the base's rules, unless it is a new one or only has kernels that may be asked for less.
func (g *Gate) shadersOf(j judgements, allowed func(kernel string) bool) map[string]reports.Shader {
	all := map[string]reports.Shader{}
	for name, s := range j.own.Shaders {
		all[name] = s
	}
	for name, s := range j.held.Shaders {
		if (g.was.Source == nil || holds(g.was.Source, name)) && !g.free(name, allowed) || all[name].SHA256 == "" {
			all[name] = s
		}
	}
	for name, s := range all {
		if !g.scope.touched(g.was.Source, g.is.Source, name) {
			s.Diagnostics, s.Panicked = nil, false
			all[name] = s
		}
	}
	return all
}

// free reports whether kernels are made of a file, and all of them may be asked for less.
func (g *Gate) free(file string, allowed func(kernel string) bool) bool {
	some := false
	for _, k := range slices.Concat(g.was.Spec.Names(), g.is.Spec.Names()) {
		_, had := contents(g.was.Source, k)[file]
		if _, has := contents(g.is.Source, k)[file]; !had && !has {
			continue
		}
		if !allowed(k) {
			return false
		}
		some = true
	}
	return some
}

// declared says what declarations of the head would change that the base does not have: they count once they are
// merged.
func (j judgements) declared() (lines []string) {
	by := map[string]suite.Result{}
	for _, r := range j.held.Results {
		by[r.Case] = r
	}
	type change struct {
		was, is suite.Status
		kernels []string
		cases   int
	}
	changes := map[string]*change{}
	var order []string
	for _, r := range j.own.Results {
		was, ok := by[r.Case]
		if !ok {
			continue
		}
		for _, at := range places(r) {
			if slices.Contains(places(was), at) && was.Status == r.Status {
				continue
			}
			key := fmt.Sprint(at, was.Status, r.Status)
			c := changes[key]
			if c == nil {
				c = &change{was: was.Status, is: r.Status}
				changes[key] = c
				order = append(order, key)
				lines = append(lines, at.String())
			}
			if c.cases++; !slices.Contains(c.kernels, r.Kernel) {
				c.kernels = append(c.kernels, r.Kernel)
			}
		}
	}
	for i, key := range order {
		c := changes[key]
		lines[i] += fmt.Sprintf(" counts once it is merged: then the verdict on %s of %s is %s, and now it is %s",
			printable.Count(c.cases, "case"), strings.Join(c.kernels, ", "), c.is, c.was)
	}
	return lines
}

// places are where the verdict on a case was declared.
func places(r suite.Result) []suite.Position {
	list := slices.Clone(r.Declared)
	for _, c := range r.Contracts {
		list = append(list, c.Position)
	}
	return list
}
