package config

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"metalconform/internal/budget"
	"metalconform/metalrun"
)

// CompileBounds are flags that bound what a source may ask of the compiler.
type CompileBounds struct {
	budget int
	limits metalrun.Limits
	Run    *budget.Budget // that includes of all files take from; nil: they are not bounded
}

// Add defines the flags.
func (b *CompileBounds) Add(flags *pflag.FlagSet) {
	flags.IntVar(&b.budget, "compile-budget", metalrun.DefaultBudget,
		"refuse a file that takes more than `N` steps to compile")
	flags.Var(limitFlag{&b.limits}, "compile-limit",
		"set a limit of the compiler, as `NAME=N`; repeatable. conform help limits lists the names")
}

// With are the options with the bounds.
func (b *CompileBounds) With(opts metalrun.CompileOptions) metalrun.CompileOptions {
	opts.Budget, opts.Limits = b.budget, b.limits
	if run := b.Run; run != nil {
		opts.Include = func(bytes int) error { return run.Take(budget.Included, int64(bytes)) }
	}
	return opts
}

// ReplayFlags are those that were given.
func (b *CompileBounds) ReplayFlags() []string {
	var list []string
	if b.budget != metalrun.DefaultBudget && b.budget != 0 {
		list = append(list, fmt.Sprintf("-compile-budget %d", b.budget))
	}
	for limit := range strings.FieldsSeq(b.limits.String()) {
		list = append(list, "-compile-limit "+limit)
	}
	return list
}

// limitFlag is a flag that sets one of the limits.
type limitFlag struct{ limits *metalrun.Limits }

func (f limitFlag) String() string     { return f.limits.String() }
func (f limitFlag) Type() string       { return "limit" }
func (f limitFlag) Set(s string) error { return f.limits.Set(s) }
