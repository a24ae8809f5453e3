package mutation

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/syntax"
)

// Mutant is a unit with one edit.
type Mutant struct {
	// ID names the mutant by the position of its edit: norm.metal:34:9/operand/1.
	ID string
	// Key names it by what the edit does, so that edits of the source elsewhere
	// leave the name as it is: the file, the declaration, the operator, and the
	// printed line with «old → new» where the edit is.
	Key string

	File     string            // of the unit
	Function string            // declaration of program scope that is edited
	Operator string            // of the table
	Position metalrun.Position // in the source that was parsed, of the expression or statement
	Kernels  []string          // entry points that lead to Function
	Change   string            // the edited lines, as in Key
	Diff     string            // the edited lines of the printed source: removed ones with -, added ones with +

	unit  *Unit
	patch patch
	edit  *metalrun.LibraryEdit // of a compiled library; nil of source
}

// Source is the mutant's text.
func (m *Mutant) Source() metalrun.Source {
	if m.edit != nil {
		return metalrun.EditLibrary(m.unit.program.Source(), *m.edit)
	}
	return metalrun.SourceText(m.unit.name, m.text())
}

func (m *Mutant) text() string { return m.patch.apply(m.unit.text) }

// Mutants are the mutants of the declarations that the entry points lead to, in
// the order of the source. An edit that prints as the original, or as an earlier
// edit of the same site, makes none.
func (u *Unit) Mutants(kernels []string, operators []Operator) []*Mutant {
	if u.isLibrary() {
		return u.libraryMutants(kernels, operators)
	}
	e := &enumeration{unit: u, operators: operators, ids: map[string]int{}, keys: map[string]int{}}
	u.program.Tree(func(f *syntax.File) {
		for _, t := range targets(f, kernels) {
			e.target = t
			e.part, e.before = partOf(f, t.decl)
			e.text = printed(e.part)
			editPoints(t.decl, e.site)
		}
	})
	return e.list
}

// enumeration collects the mutants of a unit.
type enumeration struct {
	unit      *Unit
	operators []Operator
	target    target
	part      *syntax.File   // what is printed again for each edit of the target
	before    int            // the bytes of the unit's text before it
	text      string         // of it
	ids, keys map[string]int // how often each has been given
	list      []*Mutant
}

func (e *enumeration) site(s editPoint) {
	pos := s.position()
	var seen []patch
	for _, o := range e.operators {
		for _, edit := range o.edits(s) {
			edit.do()
			p := difference(e.text, printed(e.part))
			edit.undo()
			p.first, p.end = p.first+e.before, p.end+e.before
			if p.empty() || slices.Contains(seen, p) {
				continue
			}
			seen = append(seen, p)
			e.add(o.Name, pos, p)
		}
	}
}

// partOf is the part of a file that holds a declaration, and how many bytes are
// printed before it: the declarations of program scope of which one is it, or has it in a
// namespace, and which are printed together.
func partOf(f *syntax.File, d syntax.Decl) (part *syntax.File, before int) {
	joined := func(i int) bool {
		v, ok := f.Decls[i].(*syntax.VarDecl)
		return ok && v.Joined
	}
	first := slices.IndexFunc(f.Decls,
		func(x syntax.Decl) bool { return slices.Contains(flatten([]syntax.Decl{x}), d) })
	end := first + 1
	for joined(first) {
		first--
	}
	for end < len(f.Decls) && joined(end) {
		end++
	}
	if head := printed(&syntax.File{Headers: f.Headers, Removed: f.Removed, Decls: f.Decls[:first]}); head != "\n" {
		before = len(head)
	}
	return &syntax.File{Decls: f.Decls[first:end]}, before
}

func (e *enumeration) add(operator string, pos syntax.Pos, p patch) {
	u := e.unit
	m := &Mutant{
		File: u.name, Function: e.target.name, Operator: operator, Kernels: e.target.kernels,
		Position: metalrun.Position{File: pos.File, Line: int(pos.Line), Col: int(pos.Col)},
		unit:     u, patch: p,
	}
	m.Change, m.Diff = p.marked(u.text), p.lines(u.text)
	id := fmt.Sprintf("%s/%s", m.Position, operator)
	e.ids[id]++
	m.ID = fmt.Sprintf("%s/%d", id, e.ids[id])
	m.Key = strings.Join([]string{m.File, m.Function, operator + ":", m.Change}, " ")
	if e.keys[m.Key]++; e.keys[m.Key] > 1 {
		m.Key += fmt.Sprintf(" (%d)", e.keys[m.Key])
	}
	e.list = append(e.list, m)
}

func (s editPoint) position() syntax.Pos {
	if s.stmt != nil {
		return (*s.stmt).Pos()
	}
	return (*s.expr).Pos()
}
