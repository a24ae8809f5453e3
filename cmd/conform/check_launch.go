package main

import (
	"context"
	"errors"
	"fmt"

	"metalconform/internal/crash"
	"metalconform/internal/exit"
	"metalconform/metalrun"
	"metalconform/reports/diagnostics"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// enough makes a launch, again and again while it leaves a buffer whose length is a guess: the next guess is
// longer. It reports whether the launch hangs, too. What races do to results is left open, and who does not ask for
// unspecified values learns nothing of them.
func (q *inquiry) enough(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, l adhoc.Launch, unspecified bool) (list []observation, hangs bool, err error) {
	const most = 48 // all buffers together
	for try := 1; ; try++ {
		var failed error
		list, err = q.launch(ctx, s.Info, launched{Given: l.Given, Guessed: l.Guessed, Part: l.InPart()}, func() ([]metalrun.Finding, error) {
			d := l.Dispatch()
			d.Ungraded, d.Unprobed, d.Trials = true, !unspecified, &q.trials
			outcome, err := kernel.Run(d)
			failed, q.met = err, outcome.Met
			return outcome.Findings, err
		})
		for _, c := range q.met {
			if unspecified {
				q.tried[trialSite{c, l.Of()}] = true
			}
		}
		for i := range list {
			list[i].shown = &l
		}
		var fault *metalrun.Fault
		if err != nil || !errors.As(failed, &fault) || try == most || !s.Grow(fault) {
			return list, fault != nil && fault.Hangs(), err
		}
		l = l.Again()
		q.launches-- // one with a longer buffer takes its place
	}
}

// grade turns races into notes that are due to the guessed grid, and tries out the others.
func (q *inquiry) grade(kernel metalrun.Kernel, list []observation) error {
	if err := q.repeated(kernel, list); err != nil {
		return err
	}
	return q.tryOut(kernel, list)
}

// tryOut tries out what races that count do to results, in the launches that showed them.
func (q *inquiry) tryOut(kernel metalrun.Kernel, list []observation) error {
	byLaunch := map[*adhoc.Launch][]metalrun.Finding{}
	for i := range list {
		o := &list[i]
		if o.Check != string(suite.CheckRace) || o.Grade == metalrun.GradeNote || o.Trials != nil || o.shown == nil {
			continue
		}
		if before, tried := q.at.answers.grades[o.placed()]; tried && q.alike {
			o.Grade, o.Trials = before.grade, before.elsewhere()
			continue
		}
		findings, done := byLaunch[o.shown]
		if !done {
			d := o.shown.Dispatch()
			d.Unprobed = true
			outcome, err := kernel.Run(d)
			var fault *metalrun.Fault
			if err != nil && !errors.As(err, &fault) {
				return err
			}
			findings = outcome.Findings
			byLaunch[o.shown] = findings
		}
		for _, f := range findings {
			if (observation{Finding: f}).same(*o) && f.Message == o.Message {
				o.Grade, o.Trials = f.Grade, f.Trials
			}
		}
		tried := graded{o.Kernel, o.Grade, o.Trials}
		q.answers = q.answers.with(answers{grades: map[placed]graded{o.placed(): tried}})
	}
	return nil
}

// launch makes one launch.
func (q *inquiry) launch(ctx context.Context, info metalrun.KernelInfo, how launched, run func() ([]metalrun.Finding, error)) ([]observation, error) {
	switch err := ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, exit.With(exit.Device, fmt.Errorf("stopped before %s, after the time that -run-timeout gives", info.Name))
	case err != nil:
		return nil, exit.With(exit.Device, fmt.Errorf("interrupted in %s", info.Name))
	}
	q.launches++
	if q.verbose && q.format == diagnostics.Text {
		q.told = append(q.told, told{launch: fmt.Sprintf("%s: %s\n\t%s\n", info.Position, info.Name, how)})
	}
	findings, err := run()
	var internal *crash.Crash
	if errors.As(err, &internal) {
		return nil, err
	}
	var list []observation
	for _, f := range findings {
		list = append(list, observation{Source: q.file, Finding: f, Launch: how})
	}
	if err != nil {
		o := q.failed(info, err)
		o.Launch = how
		list = append(list, o)
	}
	return list, nil
}
