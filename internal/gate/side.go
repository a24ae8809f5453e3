package gate

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
	"metalconform/internal/printable"
	"metalconform/internal/session"
	"metalconform/internal/terminal"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"
)

// Side is one of two versions of the kernels that are compared.
type Side struct {
	session.Selection
	commit   string // of the kernels, unless CI names one
	Name     string // for progress and messages
	Root     string // that results name
	Source   *suite.Shaders
	declared *suite.Declarations
	Cases    []suite.Case
	missing  bool // there were no shaders
	// skippable, if not nil, says whether a waiver may keep a case from being launched.
	skippable func(suite.Case) bool
}

// Lacks reports whether the shaders have not all kernels of a case.
func (s *Side) Lacks(c suite.Case) bool {
	return slices.ContainsFunc(c.Kernels(), func(name string) bool {
		_, _, err := s.Source.Find(name)
		return errors.Is(err, suite.ErrAbsent)
	})
}

// options are those of a run of cases with some version of the side's kernels.
func (s *Side) options(source *suite.Shaders) suite.Options {
	opts := s.Selection.Options(source, s.declared)
	opts.Repeat = 1
	return opts
}

// Judge judges those of the selected cases that are taken.
func (s *Side) Judge(ctx context.Context, runner metalrun.Runner, require session.Required,
	take func([]suite.Case) []suite.Case, stderr io.Writer) (reports.Run, error) {
	declared, stale, err := s.Declarations()
	if err != nil {
		return reports.Run{}, err
	}
	if declared != nil {
		declared.Skippable = s.skippable
	}
	s.Accuracies.Adopt(declared, runner.Device())
	cases, _, err := s.Vary(declared, func() (*suite.Shaders, error) { return s.Source, nil })
	if err != nil {
		return reports.Run{}, err
	}
	s.declared, s.Cases = declared, take(cases)
	opts := s.options(s.Source)
	opts.Adversaries = s.AdversaryRunners(runner.Device())
	opts.Forecast = s.Forecast.Of(s.Cases, s.Portable)
	header := s.Header(session.RunFacts{}, runner.Device(), time.Now(), s.Cases, s.Source)
	header.Root, header.Commit = s.Root, cmp.Or(session.CommitOfCI(os.Getenv), s.commit)
	if err := s.Requirements(&header, require, declared, s.Source); err != nil {
		return reports.Run{}, err
	}
	if err := session.Examine(&header, runner, s.Source, s.Cases); err != nil {
		return reports.Run{}, err
	}
	if declared != nil {
		stale = slices.Concat(stale, declared.Present(s.Source, s.Spec.Cases(suite.Quick)))
	}
	run, err := s.results(ctx, runner, opts, header, terminal.NewProgress(stderr, len(s.Cases)))
	if err != nil {
		return run, err
	}
	if declared != nil {
		stale = append(stale, declared.Unneeded(s.VariedCatalogue(s.Source, declared), run.Results)...)
	}
	run.Ending.Stale = stale
	return run, nil
}

// results judges the cases of a side.
func (s *Side) results(ctx context.Context, runner metalrun.Runner, opts suite.Options, header reports.Header,
	bar *terminal.Progress) (reports.Run, error) {
	begin := time.Now()
	var results []suite.Result
	err := suite.Run(ctx, runner, opts, s.Cases, func(r suite.Result) {
		bar.Step(s.Name+": "+r.Case, r.Status == suite.Fail || r.Status == suite.Error)
		results = append(results, r)
	})
	bar.Clear()
	if err == nil {
		err = session.CheckDevice(runner)
	}
	if errors.Is(err, metalrun.ErrUnusable) {
		return reports.Run{}, exit.With(exit.Device,
			fmt.Errorf("stopped after %d of %s of %s: %w", len(results), printable.Count(len(s.Cases), "case"), s.Name,
				err))
	}
	if err != nil {
		return reports.Run{}, exit.With(exit.Device,
			fmt.Errorf("interrupted after %d of %s of %s", len(results), printable.Count(len(s.Cases), "case"), s.Name))
	}
	indices := make([]int, len(results))
	for i := range indices {
		indices[i] = i
	}
	return reports.NewRun(header, results, indices,
		&reports.Ending{Ended: len(results), ElapsedNS: time.Since(begin).Nanoseconds()}), nil
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
