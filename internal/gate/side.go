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
	"metalconform/suite/coverage"
)

// Side is one state of kernels under one state of what decides: specifications, declarations and all that flags name.
type Side struct {
	session.Selection
	Require session.Required
	Name    string // for progress and messages
	Root    string // that results name
	Source  *suite.Shaders
	Cases   []suite.Case // that are concerned

	coverage *coverage.Coverage // that what is judged adds to; nil: nobody asks
	commit   string             // of the kernels, unless CI names one
	declared *suite.Declarations
	stale    []suite.Outdated
	missing  bool // there were no shaders
}

// open reads the declarations and the shaders. lenient says that they are not of one state.
func (s *Side) open(ctx context.Context, flag string, lenient bool) (err error) {
	if s.declared, s.stale, err = s.Declarations(); err != nil {
		return err
	}
	if s.declared != nil {
		s.declared.Lenient = lenient
	}
	s.Source, err = s.OpenShaders(ctx, flag, s.Shaders, s.declared)
	return err
}

// rules are the texts of what decides: of every kernel, and of each by itself.
func (s *Side) rules() (all map[string]string, of map[string]map[string]string, err error) {
	names, specifications, err := s.DecidingFiles()
	if err != nil {
		return nil, nil, err
	}
	texts := map[string]string{}
	read := func(names []string) (map[string]string, error) {
		list := map[string]string{}
		for _, name := range names {
			text, known := texts[name]
			if !known {
				b, err := s.ReadRule(name)
				if err != nil {
					return nil, err
				}
				text = string(b)
				texts[name] = text
			}
			list[name] = text
		}
		return list, nil
	}
	if all, err = read(names); err != nil {
		return nil, nil, err
	}
	of = map[string]map[string]string{}
	for kernel, names := range specifications {
		if of[kernel], err = read(names); err != nil {
			return nil, nil, err
		}
	}
	return all, of, nil
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

// choose finds the selected cases that are taken.
func (s *Side) choose(device metalrun.Device, take func([]suite.Case) []suite.Case) error {
	s.Accuracies.Adopt(s.declared, device)
	cases, _, err := s.Vary(s.declared, func() (*suite.Shaders, error) { return s.Source, nil })
	s.Cases = take(cases)
	return err
}

// Judge judges some of the chosen cases.
func (s *Side) Judge(ctx context.Context, runner metalrun.Runner, cases []suite.Case,
	stderr io.Writer) (reports.Run, error) {
	opts := s.options(s.Source)
	opts.Adversaries = s.AdversaryRunners(runner.Device())
	opts.Forecast, opts.Coverage = s.Forecast.Of(cases, s.Portable), s.coverage
	header := s.Header(session.RunFacts{}, runner.Device(), time.Now(), cases, s.Source)
	header.Root, header.Commit = s.Root, cmp.Or(session.CommitOfCI(os.Getenv), s.commit)
	if err := s.Requirements(&header, s.Require, s.declared, s.Source); err != nil {
		return reports.Run{}, err
	}
	if err := session.Examine(&header, runner, s.Source, cases); err != nil {
		return reports.Run{}, err
	}
	stale := s.stale
	if s.declared != nil {
		stale = slices.Concat(stale, s.declared.Present(s.Source, s.Spec.Cases(suite.Quick)))
	}
	run, err := s.results(ctx, runner, opts, header, cases, terminal.NewProgress(stderr, len(cases)))
	if err != nil {
		return run, err
	}
	if s.declared != nil {
		stale = append(stale, s.declared.Unneeded(s.VariedCatalogue(s.Source, s.declared), run.Results)...)
	}
	run.Ending.Stale = stale
	return run, nil
}

// results judges cases of a side.
func (s *Side) results(ctx context.Context, runner metalrun.Runner, opts suite.Options, header reports.Header,
	cases []suite.Case, bar *terminal.Progress) (reports.Run, error) {
	begin := time.Now()
	var results []suite.Result
	err := suite.Run(ctx, runner, opts, cases, func(r suite.Result) {
		bar.Step(s.Name+": "+r.Case, r.Status == suite.Fail || r.Status == suite.Error)
		results = append(results, r)
	})
	bar.Clear()
	if err == nil {
		err = session.CheckDevice(runner)
	}
	if errors.Is(err, metalrun.ErrUnusable) {
		return reports.Run{}, exit.With(exit.Device,
			fmt.Errorf("stopped after %d of %s of %s: %w", len(results), printable.Count(len(cases), "case"),
				s.Name, err))
	}
	if err != nil {
		return reports.Run{}, exit.With(exit.Device,
			fmt.Errorf("interrupted after %d of %s of %s", len(results), printable.Count(len(cases), "case"), s.Name))
	}
	return wholeRun(header, results, time.Since(begin).Nanoseconds()), nil
}

// wholeRun is a run that has ended, of these results.
func wholeRun(header reports.Header, results []suite.Result, ns int64) reports.Run {
	indices := make([]int, len(results))
	for i := range indices {
		indices[i] = i
	}
	return reports.NewRun(header, results, indices, &reports.Ending{Ended: len(results), ElapsedNS: ns})
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
