package main

import (
	"context"
	"errors"
	"io"
	"slices"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/reports/diagnostics"
	"metalconform/suite/adhoc"
	"metalconform/suite/explore"
	"metalconform/suite/kernels"
)

// newExplorer launches kernels as the flags say.
func (c *checking) newExplorer() (*explore.Explorer, error) {
	given, err := c.given()
	if err != nil {
		return nil, err
	}
	bounded := sim.Semantics{Steps: explore.MaxSteps, ThreadSteps: explore.MaxThreadSteps}
	c.limits.Set(&bounded)
	opts := explore.Options{
		Catalogue: kernels.All(), Spec: given, Seed: uint64(c.seed), Budget: c.work, Run: c.budget,
		Launches: c.verbose && c.format == string(diagnostics.Text),
		Checked: func() metalrun.Runner {
			m := bounded
			m.Check, m.SameValue = true, c.sameValue
			return sim.New(m)
		},
	}
	if c.exact.On() {
		opts.Accurate = func() metalrun.Runner {
			m := bounded
			m.Exact, m.Ranges, m.Doubles = true, true, c.exact.In == session.DoubleDouble
			return sim.New(m)
		}
	}
	if c.run.Regexp != nil {
		opts.Selects = c.run.MatchString
	}
	if c.launches.Given() {
		opts.Stated = c.launches.Catalogue()
	}
	return explore.New(opts), nil
}

// newUnit prepares the entry points of a program that -run selects. A statement that contradicts the
// source is a mistake on the command line.
func newUnit(e *explore.Explorer, p *metalrun.Program) (explore.Unit, error) {
	u, err := e.Unit(p)
	var invalid *adhoc.InvalidSpec
	var wrong *explore.Misstatement
	switch {
	case errors.As(err, &invalid):
		return u, exit.Usagef("%s: %v", p.Source().Name, invalid)
	case errors.As(err, &wrong):
		return u, exit.Usagef("%v", wrong)
	}
	return u, err
}

// launchFile launches the kernels of one file, prints what is found, and reports whether nothing was.
func (c *checking) launchFile(ctx context.Context, e *explore.Explorer, u explore.Unit, stdout io.Writer,
	out *diagnostics.Writer) (clean bool, err error) {
	r := &fileReport{
		Report: explore.Report{Strict: c.strict}, stdout: stdout, out: out, text: u.Program.Source().Text,
		format: diagnostics.Format(c.format), verbose: c.verbose,
	}
	summary, err := e.File(ctx, u, r)
	if printed := r.printGroups(); err == nil {
		err = printed
	}
	if err != nil {
		return false, exit.With(exit.Device, err)
	}
	return r.Errors == 0, errors.Join(r.sum(u, summary), errors.Join(summary.Crashed...))
}

// concerned fails if a flag states something that concerns no kernel of the files. It
// expects all files.
func (c *checking) concerned(e *explore.Explorer, units []explore.Unit) error {
	some := slices.ContainsFunc(units, func(u explore.Unit) bool { return len(u.Kernels) > 0 })
	if c.run.Regexp != nil && !some {
		return exit.Usagef("-run %q: no kernel of these files has such a name", c.run.String())
	}
	if names := e.Unlaunched(units); len(names) > 0 && c.run.Regexp == nil {
		return exit.Usagef("-launch: %s is no kernel of these files", names[0])
	}
	return c.known(units)
}
