package metalrun

import (
	"fmt"

	"metalconform/metalrun/internal/syntax"
)

// Unit is a program after preprocessing: one text that a compiler without our files
// and options translates to the same kernels.
type Unit struct{ unit syntax.Unit }

// Unit preprocesses the program's source under its options.
func (p *Program) Unit() (Unit, error) {
	if p.library != nil {
		return Unit{}, fmt.Errorf("%s is a compiled library: only the simulator executes it, give -backend simulator",
			p.source.Name)
	}
	u, errs := syntax.NewUnit(p.source.Name, p.source.Files,
		p.options.syntax(p.source, &syntax.Budget{All: p.options.Budget, Limits: p.options.Limits}))
	if len(errs) > 0 {
		return Unit{}, diagnostics(p.source, nil, errs)
	}
	return Unit{u}, nil
}

// Text is the source that is left.
func (u Unit) Text() string { return u.unit.Text }

// Origin is where the token at a line and column of the text came from. It reports
// false for what stands in no file.
func (u Unit) Origin(line, col int) (Position, bool) {
	pos, ok := u.unit.Origin(line, col)
	return position(pos), ok
}
