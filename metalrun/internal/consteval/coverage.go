package consteval

import (
	"sync"

	"metalconform/metalrun/internal/syntax"
)

// Coverage asks a check for a [hir.Cover] before each statement, and gets the statements that constant expressions
// execute. Several checkers may use it at once.
type Coverage struct {
	ids map[syntax.Node]syntax.StmtID

	mu        sync.Mutex
	evaluated map[syntax.StmtID]bool
}

// NewCoverage is the coverage of a file, none of which is executed yet.
func NewCoverage(f *syntax.File) *Coverage {
	return &Coverage{ids: syntax.Statements(f), evaluated: map[syntax.StmtID]bool{}}
}

// Evaluated are the statements that constant expressions have executed.
func (c *Coverage) Evaluated() []syntax.StmtID {
	c.mu.Lock()
	defer c.mu.Unlock()
	var list []syntax.StmtID
	for id := range c.evaluated {
		list = append(list, id)
	}
	return list
}

// Execute notes that a constant expression executes a statement.
func (c *Coverage) Execute(id syntax.StmtID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.evaluated[id] = true
}

// Statement is the name of a statement, or of a part of one, that is to have a mark.
func (c *Coverage) Statement(s syntax.Node) (id syntax.StmtID, ok bool) {
	id, ok = c.ids[s]
	return id, ok
}
