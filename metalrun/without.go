package metalrun

import (
	"fmt"
	"slices"
)

// Without is a runner that refuses the kernels that use a feature, as a device that lacks it does. why says what is
// wrong with the feature there.
func Without(r Runner, f Feature, why error) Runner { return &without{r, f, why} }

// without forwards what else a runner may tell.
type without struct {
	Runner
	feature Feature
	why     error
}

func (r *without) Compile(p *Program) (Library, error) {
	l, err := r.Runner.Compile(p)
	if err != nil {
		return nil, err
	}
	return &withoutLibrary{l, r, p}, nil
}

// Condition is that of the device, if it tells one.
func (r *without) Condition() (Condition, error) {
	m, ok := r.Runner.(Monitor)
	if !ok {
		return Condition{}, fmt.Errorf("%s does not tell its condition", r.Device().Name)
	}
	return m.Condition()
}

// Methods are those of the runner, if it tells them.
func (r *without) Methods() ([]Method, error) {
	if i, ok := r.Runner.(Inspector); ok {
		return i.Methods()
	}
	return nil, nil
}

type withoutLibrary struct {
	Library
	runner  *without
	program *Program
}

func (l *withoutLibrary) Kernel(name string) (Kernel, error) {
	info, err := l.program.Kernel(name)
	if err != nil {
		return nil, err
	}
	if slices.Contains(info.Features, l.runner.feature) {
		return nil, fmt.Errorf("%w: %s uses %s: %w", ErrUnsupported, name, l.runner.feature, l.runner.why)
	}
	return l.Library.Kernel(name)
}

// Warnings are the compiler's, if it keeps them.
func (l *withoutLibrary) Warnings() string {
	if w, ok := l.Library.(Warner); ok {
		return w.Warnings()
	}
	return ""
}
