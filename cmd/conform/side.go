package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"
)

// side is one of two versions of the kernels that are compared.
type side struct {
	runFlags
	name     string // for progress and messages
	root     string // that results name
	source   *suite.Shaders
	declared *suite.Declarations
	cases    []suite.Case
	missing  bool // there were no shaders
	// skippable, if not nil, says whether a waiver may keep a case from being launched.
	skippable func(suite.Case) bool
}

// lacks reports whether the shaders have not all kernels of a case.
func (s *side) lacks(c suite.Case) bool {
	return slices.ContainsFunc(c.Kernels(), func(name string) bool {
		_, _, err := s.source.Find(name)
		return errors.Is(err, suite.ErrAbsent)
	})
}

// judge judges those of the selected cases that are taken.
func (s *side) judge(ctx context.Context, runner metalrun.Runner, require session.Required, take func([]suite.Case) []suite.Case, stderr io.Writer) (reports.Run, error) {
	declared, stale, err := s.Declarations()
	if err != nil {
		return reports.Run{}, err
	}
	if declared != nil {
		declared.Skippable = s.skippable
	}
	s.Accuracies.Adopt(declared, runner.Device())
	cases, _, err := s.Vary(declared, func() (*suite.Shaders, error) { return s.source, nil })
	if err != nil {
		return reports.Run{}, err
	}
	s.declared, s.cases = declared, take(cases)
	opts := s.options(s.source, declared)
	opts.Adversaries = s.AdversaryRunners(runner.Device())
	opts.Forecast = s.Forecast.Of(s.cases, s.Portable)
	header := s.Header(s.judgement(), runner.Device(), time.Now(), s.cases, s.source)
	header.Root, header.Commit = s.root, cmp.Or(session.CommitOfCI(os.Getenv), s.commit)
	if err := s.Requirements(&header, require, declared, s.source); err != nil {
		return reports.Run{}, err
	}
	if err := session.Examine(&header, runner, s.source, s.cases); err != nil {
		return reports.Run{}, err
	}
	if declared != nil {
		stale = slices.Concat(stale, declared.Present(s.source, s.Spec.Cases(suite.Quick)))
	}
	run, err := s.results(ctx, runner, opts, header, terminal.NewProgress(stderr, len(s.cases)))
	if err != nil {
		return run, err
	}
	if declared != nil {
		stale = append(stale, declared.Unneeded(s.VariedCatalogue(s.source, declared), run.Results)...)
	}
	run.Ending.Stale = stale
	return run, nil
}

// results judges the cases of a side.
func (s *side) results(ctx context.Context, runner metalrun.Runner, opts suite.Options, header reports.Header, bar *terminal.Progress) (reports.Run, error) {
	begin := time.Now()
	var results []suite.Result
	err := suite.Run(ctx, runner, opts, s.cases, func(r suite.Result) {
		bar.Step(s.name+": "+r.Case, r.Status == suite.Fail || r.Status == suite.Error)
		results = append(results, r)
	})
	bar.Clear()
	if err == nil {
		err = session.CheckDevice(runner)
	}
	if errors.Is(err, metalrun.ErrUnusable) {
		return reports.Run{}, exit.With(exit.Device, fmt.Errorf("stopped after %d of %d cases of %s: %w", len(results), len(s.cases), s.name, err))
	}
	if err != nil {
		return reports.Run{}, exit.With(exit.Device, fmt.Errorf("interrupted after %d of %d cases of %s", len(results), len(s.cases), s.name))
	}
	indices := make([]int, len(results))
	for i := range indices {
		indices[i] = i
	}
	return reports.NewRun(header, results, indices, &reports.Ending{Ended: len(results), ElapsedNS: time.Since(begin).Nanoseconds()}), nil
}

// saveRun writes a run as conform run does.
func saveRun(dir string, run reports.Run) error {
	file, err := session.OpenOutput(dir, session.ResultsName, false)
	if err != nil {
		return err
	}
	defer file.Close()
	err = reports.JSON(file, run)
	if err == nil {
		err = file.Finish()
	}
	if err != nil {
		return exit.With(exit.Device, err)
	}
	return nil
}
