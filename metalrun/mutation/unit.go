package mutation

import (
	"strings"
	"sync"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// Unit is a translation unit whose entry points can be mutated. Its text is the
// source as the front end prints it: one file, macros expanded, comments gone.
// It may be used by several goroutines at once, but for Mutants.
type Unit struct {
	name    string
	options metalrun.CompileOptions
	file    *syntax.File
	text    string

	mu    sync.Mutex
	forms map[string]form // of the original's entry points
}

// Open parses a source. The error is a metalrun.Diagnostics if the front end
// refuses it.
func Open(src metalrun.Source, options metalrun.CompileOptions) (*Unit, error) {
	if _, err := metalrun.Inspect(src, options); err != nil {
		return nil, err
	}
	file, errs := syntax.Parse(src.Name, src.Files, config(options))
	if len(errs) > 0 {
		return nil, errs
	}
	u := &Unit{name: src.Name, options: options, file: file, forms: map[string]form{}}
	u.text = u.print()
	return u, nil
}

// Source is the unit as it is printed, without an edit.
func (u *Unit) Source() metalrun.Source { return metalrun.SourceText(u.name, u.text) }

func (u *Unit) print() string {
	var b strings.Builder
	syntax.Fprint(&b, u.file) // a Builder does not fail
	return b.String()
}

func config(options metalrun.CompileOptions) syntax.Config {
	version := options.LanguageVersion
	if version == 0 {
		version = metalrun.DefaultVersion
	}
	return syntax.Config{Version: int(version), Macros: options.Macros}
}

// check parses and checks a text of the unit.
func (u *Unit) check(text string) (*types.Program, error) {
	cfg := config(u.options)
	file, errs := syntax.Parse(u.name, map[string]string{u.name: text}, cfg)
	if len(errs) > 0 {
		return nil, errs
	}
	program, errs := types.Check(file, types.Config{
		Version: cfg.Version, FastFunctions: u.options.FastFunctions, FunctionConstants: u.options.FunctionConstants,
	})
	if len(errs) > 0 {
		return nil, errs
	}
	return program, nil
}

// lower translates the entry point called name.
func lower(program *types.Program, name string) (*ir.Kernel, error) {
	k, err := ir.Lower(program.Kernel(name))
	if err != nil {
		return nil, err
	}
	return k, ir.Verify(k)
}
