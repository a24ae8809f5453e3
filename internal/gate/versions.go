package gate

import (
	"context"
	"io"
	"slices"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"
)

// Versions compares two directories with kernels on one device.
type Versions struct {
	session.Selection
	Policy   config.PolicyFlags
	Times    Times
	AllCases bool // are timed, not one of each kernel
}

// Compare judges the kernels of both directories and takes their times where there is a GPU.
func (v Versions) Compare(ctx context.Context, base, head string, stderr io.Writer) (c *reports.Comparison, before,
	after reports.Run, err error) {
	if err = v.Times.Check(); err != nil {
		return nil, before, after, err
	}
	v.Work, v.Shaders = true, head
	if err = v.FindProject(nil); err != nil { // what HEAD says holds for both
		return nil, before, after, err
	}
	was, err := v.version(ctx, "BASE", base)
	if err != nil {
		return nil, before, after, err
	}
	is, err := v.version(ctx, "HEAD", head)
	if err != nil {
		return nil, before, after, err
	}
	runner, _, err := v.Open()
	if err != nil {
		return nil, before, after, err
	}
	defer runner.Close()
	there := func(cases []suite.Case) []suite.Case {
		return slices.DeleteFunc(cases, func(c suite.Case) bool { return was.Lacks(c) && is.Lacks(c) })
	}
	for _, side := range []*Side{was, is} {
		if err = side.choose(runner.Device(), there); err != nil {
			return nil, before, after, err
		}
	}
	if before, err = was.Judge(ctx, runner, was.Cases, stderr); err != nil {
		return nil, before, after, err
	}
	if len(was.Cases) == 0 {
		return nil, before, after, exit.Usagef(
			"neither %s nor %s exports any of the kernels to be judged (conform list names them)", base, head)
	}
	if after, err = is.Judge(ctx, runner, is.Cases, stderr); err != nil {
		return nil, before, after, err
	}
	flags := v.Selection.Options(nil, nil).ReplayFlags // of both versions
	before.Options.Flags, after.Options.Flags = flags, flags
	policy, err := v.Policy.Policy(after)
	if err != nil {
		return nil, before, after, err
	}
	baseSet, headSet := reports.Set{Run: before}, reports.Set{Run: after}
	if runner.Device().Clock == metalrun.GPUClock {
		cases := suite.Measurable(is.Cases)
		if !v.AllCases {
			cases = suite.Largest(cases)
		}
		if err := v.Times.Take(ctx, runner, was, is, cases, &baseSet, &headSet, stderr); err != nil {
			return nil, before, after, err
		}
	}
	c = reports.Compare(baseSet, headSet, policy)
	c.Together = true
	return c, baseSet.Run, headSet.Run, nil
}

// version opens the kernels of a directory.
func (v Versions) version(ctx context.Context, name, dir string) (*Side, error) {
	s := &Side{Selection: v.Selection, Name: name, Root: dir}
	s.Shaders = dir
	return s, s.open(ctx, name, false)
}
