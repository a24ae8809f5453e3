package explore

import (
	"context"
	"errors"
	"fmt"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/adhoc"
)

// enough makes a launch, again and again while it leaves a buffer whose length is a guess: the next guess is
// longer. It reports whether the launch hangs, too. What races do to results is left open, and who does not ask for
// unspecified values learns nothing of them.
func (q *exploration) enough(ctx context.Context, kernel metalrun.Kernel, s adhoc.Kernel, l adhoc.Launch,
	unspecified bool) (list []Finding, hangs bool, err error) {
	const most = 48 // all buffers together
	for try := 1; ; try++ {
		var failed error
		before := q.work
		list, err = q.launch(ctx, s.Info, Provenance{Given: l.Given, Guessed: l.Guessed, Part: l.InPart()},
			func() ([]metalrun.Finding, error) {
				d := l.Dispatch()
				d.Ungraded, d.Unprobed, d.Trials = true, !unspecified, &q.trials
				outcome, err := kernel.Run(d)
				failed, q.met = err, outcome.Met
				return outcome.Findings, err
			})
		if try > fewTries {
			q.work += (triesFactor - 1) * (q.work - before)
		}
		for _, c := range q.met {
			if unspecified {
				q.tried[choiceKey{c, l.Of()}] = true
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
func (q *exploration) grade(kernel metalrun.Kernel, list []Finding) error {
	if err := q.repeated(kernel, list); err != nil {
		return err
	}
	return q.tryOut(kernel, list)
}

// tryOut tries out what races that count do to results, in the launches that showed them.
func (q *exploration) tryOut(kernel metalrun.Kernel, list []Finding) error {
	byLaunch := map[*adhoc.Launch][]metalrun.Finding{}
	for i := range list {
		o := &list[i]
		if o.Check != string(suite.CheckRace) || o.Grade == metalrun.GradeNote || o.Trials != nil || o.shown == nil {
			continue
		}
		if before, tried := q.at.answers.grades[o.key()]; tried && q.alike {
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
			if (Finding{Finding: f}).same(*o) && f.Message == o.Message {
				o.Grade, o.Trials = f.Grade, f.Trials
			}
		}
		tried := graded{o.Kernel, o.Grade, o.Trials}
		q.answers = q.answers.with(answers{grades: map[findingKey]graded{o.key(): tried}})
	}
	return nil
}

// launch makes one launch.
func (q *exploration) launch(ctx context.Context, info metalrun.KernelInfo, how Provenance,
	run func() ([]metalrun.Finding, error)) ([]Finding, error) {
	switch err := context.Cause(ctx); {
	case err != nil && !errors.Is(err, context.Canceled):
		return nil, fmt.Errorf("stopped before %s: %w, which is what -run-timeout gives", info.Name, err)
	case err != nil:
		return nil, fmt.Errorf("interrupted in %s", info.Name)
	}
	if q.work >= q.budget {
		return nil, errSpent
	}
	q.launches++
	if q.Launches {
		q.reported = append(q.reported, report{launch: &how})
	}
	findings, err := run()
	var internal *crash.Crash
	if errors.As(err, &internal) {
		return nil, err
	}
	var list []Finding
	for _, f := range findings {
		list = append(list, Finding{Source: q.file, Finding: f, Launch: how})
	}
	if err != nil {
		o := q.failed(info, err)
		o.Launch = how
		list = append(list, o)
	}
	return list, nil
}
