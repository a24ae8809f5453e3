package main

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
func (g *gating) culprits(ctx context.Context, v reports.View) error {
	hunks, err := g.repository.hunks(ctx)
	if err != nil {
		return exit.With(exit.Device, err)
	}
	s := suspects{g}
	failures := v.Table().Failures
	for _, f := range failures[:min(mostTried, len(failures))] {
		if ctx.Err() != nil {
			return exit.With(exit.Device, ctx.Err())
		}
		if h, ok := s.culprit(ctx, f.Result, hunks); ok {
			g.blame[f.Case] = metalrun.Position{File: h.file, Line: h.line}
		}
	}
	return nil
}

// suspects tries versions of the shaders that lack a part of what has changed.
type suspects struct {
	*gating
}

// culprit is the changed place that a case fails for.
func (s suspects) culprit(ctx context.Context, r suite.Result, hunks []hunk) (hunk, bool) {
	i := slices.IndexFunc(s.is.cases, func(c suite.Case) bool { return c.Name == r.Case })
	if i < 0 {
		return hunk{}, false
	}
	c := s.is.cases[i]
	var reads []string
	for _, k := range c.Kernels() {
		reads = append(reads, s.is.source.Reads(k)...)
	}
	hunks = slices.DeleteFunc(slices.Clone(hunks), func(h hunk) bool { return !slices.Contains(reads, h.file) })
	if len(hunks) == 0 || len(hunks) > mostCulprits {
		return hunk{}, false
	}
	if len(hunks) == 1 {
		return hunks[0], true
	}
	for i := range hunks {
		if fails, ok := s.fails(ctx, c, hunks[i:i+1]); ok && !fails {
			return hunks[i], true
		}
	}
	for i := range hunks {
		others := slices.Delete(slices.Clone(hunks), i, i+1)
		if fails, ok := s.fails(ctx, c, others); ok && fails {
			return hunks[i], true
		}
	}
	return hunk{}, false
}

// fails reports whether a case fails without some hunks, and whether it can be judged so.
func (s suspects) fails(ctx context.Context, c suite.Case, without []hunk) (fails, ok bool) {
	source := s.is.source.Edited(undone(s.is.source.Texts(), without))
	defer source.Release()
	opts := s.is.options(source, s.is.declared)
	opts.Adversaries = s.is.AdversaryRunners(s.runner.Device())
	err := suite.Run(ctx, s.runner, opts, []suite.Case{c}, func(r suite.Result) {
		fails, ok = r.Status == suite.Fail, r.Status == suite.Fail || r.Status == suite.Pass
	})
	return fails, ok && err == nil
}
