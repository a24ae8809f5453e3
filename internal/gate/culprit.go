package gate

import (
	"context"
	"slices"

	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"
)

// Bounds of a search for the lines that are to blame.
const (
	mostTried    = 24 // failures
	mostCulprits = 32 // changed places in the files of a kernel
)

// culprits finds, for the failures that are new, the changed place that each is due to:
// without it the case does not fail, or it alone makes it fail. What cannot be told so is
// left to the kernel's first changed line.
func (g *Gate) culprits(ctx context.Context, v reports.View) error {
	s := suspects{g}
	failures := v.Table().Failures
	for _, f := range failures[:min(mostTried, len(failures))] {
		if ctx.Err() != nil {
			return exit.With(exit.Device, ctx.Err())
		}
		if h, ok := s.culprit(ctx, f.Result, g.hunks); ok {
			g.blame[f.Case] = metalrun.Position{File: h.file, Line: h.line}
		}
	}
	return nil
}

// suspects tries versions of the shaders that lack a part of what has changed.
type suspects struct {
	*Gate
}

// judged is the side of the head that has a case of a name: by the rules of the base, if they have it.
func (s suspects) judged(name string) (*Side, suite.Case, bool) {
	for _, side := range []*Side{&s.held, &s.is} {
		if i := slices.IndexFunc(side.Cases, func(c suite.Case) bool { return c.Name == name }); i >= 0 {
			return side, side.Cases[i], true
		}
	}
	return nil, suite.Case{}, false
}

// culprit is the changed place that a case fails for.
func (s suspects) culprit(ctx context.Context, r suite.Result, hunks []Hunk) (Hunk, bool) {
	side, c, ok := s.judged(r.Case)
	if !ok {
		return Hunk{}, false
	}
	var reads []string
	for _, k := range c.Kernels() {
		reads = append(reads, side.Source.Reads(k)...)
	}
	hunks = slices.DeleteFunc(slices.Clone(hunks), func(h Hunk) bool { return !slices.Contains(reads, h.file) })
	if len(hunks) == 0 || len(hunks) > mostCulprits {
		return Hunk{}, false
	}
	if len(hunks) == 1 {
		return hunks[0], true
	}
	for i := range hunks {
		if fails, ok := s.fails(ctx, side, c, hunks[i:i+1]); ok && !fails {
			return hunks[i], true
		}
	}
	for i := range hunks {
		others := slices.Delete(slices.Clone(hunks), i, i+1)
		if fails, ok := s.fails(ctx, side, c, others); ok && fails {
			return hunks[i], true
		}
	}
	return Hunk{}, false
}

// fails reports whether a case fails without some hunks, and whether it can be judged so.
func (s suspects) fails(ctx context.Context, side *Side, c suite.Case, without []Hunk) (fails, ok bool) {
	source := side.Source.Edited(undone(side.Source.Texts(), without))
	defer source.Release()
	opts := side.options(source)
	opts.Adversaries = side.AdversaryRunners(s.runner.Device())
	err := suite.Run(ctx, s.runner, opts, []suite.Case{c}, func(r suite.Result) {
		fails, ok = r.Status == suite.Fail, r.Status == suite.Fail || r.Status == suite.Pass
	})
	return fails, ok && err == nil
}

// blamed are, for each kernel and pipeline that a change concerns, the changed line that a
// failure is shown at: the first within the entry point, or else the first in its file, or
// in one that it includes.
func (g *Gate) blamed() map[string]metalrun.Position {
	lines := linesIn(g.hunks)
	blame := map[string]metalrun.Position{}
	for _, name := range g.is.Spec.Names() {
		file, info, err := g.is.Source.Find(name)
		if err != nil {
			continue
		}
		if at, ok := changedLine(lines, g.is.Source.Reads(name), file, info.Position.Line); ok {
			blame[name] = at
		}
	}
	for _, f := range g.is.Spec.Catalogue() {
		for _, p := range f.Pipelines {
			for _, k := range p.Kernels {
				if at, ok := blame[k]; ok {
					blame[p.Name] = at
					break
				}
			}
		}
	}
	return blame
}

// changedLine is the changed line nearest behind the beginning of an entry point, or the
// last before it, or the first of another file.
func changedLine(lines map[string][]int, reads []string, file string, begin int) (metalrun.Position, bool) {
	if own := lines[file]; len(own) > 0 {
		line := own[len(own)-1]
		if i := slices.IndexFunc(own, func(n int) bool { return n >= begin }); i >= 0 {
			line = own[i]
		}
		return metalrun.Position{File: file, Line: line}, true
	}
	for _, name := range reads {
		if len(lines[name]) > 0 {
			return metalrun.Position{File: name, Line: lines[name][0]}, true
		}
	}
	return metalrun.Position{}, false
}
