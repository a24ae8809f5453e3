package gate

import (
	"slices"

	"metalconform/metalrun"
)

// touched is where a change may have brought in a mistake that its tests would miss: edits of other lines say nothing
// of the change.
type touched struct {
	lines map[string][]int  // that differ, by file
	had   map[string]string // texts of the base, by file; others are new, and all of their lines
	whole map[string]bool   // kernels that something else than shaders concerns, such as their specification
}

// touched is that of the change with these hunks.
func (g *Gate) touched(hunks []Hunk) touched {
	t := touched{lines: linesIn(hunks), had: map[string]string{}, whole: map[string]bool{}}
	if g.was.Source != nil {
		t.had = g.was.Source.Texts()
	}
	for _, k := range g.is.Spec.Names() {
		t.whole[k] = g.scope.why != "" || g.scope.ruled[k]
	}
	return t
}

// has reports whether an edit that entry points lead to is of the change.
func (t touched) has(kernels []string, at metalrun.Position) bool {
	if _, old := t.had[at.File]; !old {
		return true
	}
	return slices.Contains(t.lines[at.File], at.Line) ||
		slices.ContainsFunc(kernels, func(k string) bool { return t.whole[k] })
}
