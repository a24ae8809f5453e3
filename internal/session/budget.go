package session

import (
	"fmt"
	"time"

	"github.com/spf13/pflag"

	"metalconform/internal/budget"
	"metalconform/internal/exit"
	"metalconform/suite"
)

// AddBudget defines the flag that raises limits of a run.
func AddBudget(flags *pflag.FlagSet, b *budget.Budget) {
	flags.Var(b, "budget",
		"set a limit of the whole run, as `NAME=N`; repeatable; put it before -spec if reading that file needs it. "+
			"conform help limits lists the names")
}

// Limit makes the limits those of input that is not trusted, for commands that judge what a pull request brings.
func (s *Selection) Limit(flags *pflag.FlagSet) {
	s.Spec.Budget.Trust(budget.Untrusted)
	s.Limits.Shorten(flags, untrustedTimeout)
}

// untrustedTimeout bounds a launch of a kernel that is not trusted.
const untrustedTimeout = 20 * time.Second

// AddBudget makes a budget of a run that reads these files, and defines its flag.
func (s *Specifications) AddBudget(flags *pflag.FlagSet) {
	s.Budget = budget.New(budget.Own)
	AddBudget(flags, s.Budget)
}

// Afford takes from the budget what the cases of the files need on so many devices.
func (s *Specifications) Afford(set suite.Set, devices int64) error {
	return s.afford(suite.Cases(s.Families, set), devices)
}

func (s *Specifications) afford(cases []suite.Case, devices int64) error {
	if len(s.Files) == 0 {
		return nil
	}
	p := newPlan(s.Families, devices)
	for _, c := range cases {
		p.add(c)
	}
	if err := p.take(s.Budget); err != nil {
		return exit.Usagef("%w", err)
	}
	return nil
}

// variants refuses declarations with more combinations of matrices than the budget has.
func (s Selection) variants(declared *suite.Declarations) error {
	if declared == nil {
		return nil
	}
	n := 0
	for _, c := range declared.Compilations {
		n += len(c.Variants)
	}
	if err := s.Spec.Budget.Fits(budget.Variants, int64(n)); err != nil {
		return exit.Usagef("conform.toml: %d combinations of matrices: %w", n, err)
	}
	return nil
}

// devices is about how many devices launch a case.
func (s Selection) devices() int64 {
	n := int64(1 + s.Adversaries.N)
	if s.Spec.Given() {
		n++ // executes it exactly
	}
	return n
}

// affordVariants refuses cases of which the variants and the math modes make too many. Where nothing says the mode they
// are counted once: afford counts what becomes of them.
func (s Selection) affordVariants(source *suite.Shaders, cases []suite.Case) error {
	if len(s.Spec.Files) == 0 {
		return nil
	}
	n := source.VariedCount(cases) * max(1, len(s.Math.Modes))
	if err := s.Spec.Budget.Fits(budget.Cases, int64(n)); err != nil {
		return exit.Usagef("%w", fmt.Errorf("%d cases in all variants and math modes: %w", n, err))
	}
	return nil
}
