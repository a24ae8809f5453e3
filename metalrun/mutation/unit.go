package mutation

import (
	"strings"
	"sync"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/syntax"
)

// Unit is a translation unit whose entry points can be mutated. Its text is the
// source as the front end prints it: one file, macros expanded, comments gone.
// It may be used by several goroutines at once.
type Unit struct {
	name    string
	program *metalrun.Program
	text    string

	mu    sync.Mutex
	forms map[string]form // of the original's entry points
}

// Open makes a unit of a program.
func Open(p *metalrun.Program) *Unit {
	u := &Unit{name: p.Source().Name, program: p, forms: map[string]form{}}
	p.Tree(func(f *syntax.File) { u.text = printed(f) })
	return u
}

// Source is the unit as it is printed, without an edit.
func (u *Unit) Source() metalrun.Source {
	if u.isLibrary() {
		return metalrun.SourceText(u.name, u.program.Source().Files[u.name])
	}
	return metalrun.SourceText(u.name, u.text)
}

func printed(f *syntax.File) string {
	var b strings.Builder
	syntax.Fprint(&b, f) // a Builder does not fail
	return b.String()
}

// analyse is what the front end makes of another source of the unit, as far as some entry points
// need it. Mutants are not traced: they are not among the files of a run.
func (u *Unit) analyse(src metalrun.Source, kernels []string) (*metalrun.Program, error) {
	options := u.program.Options()
	options.Trace = nil
	return metalrun.Analyse(src, options.For(kernels...))
}
