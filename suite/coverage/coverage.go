// Package coverage tells which lines of sources launches execute, and why nothing executes others.
//
// Coverage is by statement. The front end puts a mark before each statement of a program, and a device that tells which
// marks threads come to launches it. What the preprocessor removes and what it makes of macros is known from a trace of
// its own. A line stands for the statements that begin on it, or else for the one that it continues.
//
// Invariants: what is covered depends on the launches alone, not on their order or on how many run at once. A line of a
// change that only formats, comments or declares is never named.
//
// The rule of the layer: coverage knows programs and positions. It knows nothing of cases, kernels' specifications and
// verdicts.
package coverage

import (
	"cmp"
	"slices"
	"sync"

	"metalconform/metalrun"
)

// Coverage is what launches execute of the lines of the sources. Each launch that ends well is made once more, with
// marks before all statements, until all statements of its kernel are executed. A Coverage may serve several runs.
//
// A statement is executed if some thread comes to it in some launch, or if the front end evaluates it in a constant
// expression. It counts by its place in the source: that of a template is executed if one instance executes it.
type Coverage struct {
	runner metalrun.Runner

	mu       sync.Mutex
	texts    map[string]map[int]metalrun.SourceLine // of the files that programs are made of
	listings []*metalrun.Listing
	executed map[metalrun.Statement]bool // false for those of kernels that are compiled
	whole    map[Kernel]bool             // all of whose statements are executed
}

// Kernel is what a compiled kernel depends on.
type Kernel struct {
	Of    any // the sources
	Name  string
	Build string
	Math  metalrun.Math
}

// New is a coverage that knows nothing yet. The runner tells what launches execute, as the simulator does whose
// semantics have Cover.
func New(runner metalrun.Runner) *Coverage {
	return &Coverage{runner: runner, texts: map[string]map[int]metalrun.SourceLine{},
		executed: map[metalrun.Statement]bool{}, whole: map[Kernel]bool{}}
}

// Runner tells what launches execute.
func (c *Coverage) Runner() metalrun.Runner { return c.runner }

// A Reason says why nothing executes a line.
type Reason string

// Why nothing executes a line.
const (
	Removed  Reason = "removed by the preprocessor in every variant that is compiled"
	Compiler Reason = "of another value with another version or other options of the compiler"
	Macro    Reason = "a macro that nothing expands"
	Cases    Reason = "reached by no case"
	Function Reason = "in a function that no judged kernel calls"
	File     Reason = "in a file that no judged kernel is made of"
)

// Line is a line that nothing executes, or the first of several that follow each other, for one reason.
type Line struct {
	metalrun.Position        // of the first; its column is 1
	Last              int    `json:"last"` // the last line
	Why               Reason `json:"why"`
}

// Enter notes the program that a case is compiled from.
func (c *Coverage) Enter(p *metalrun.Program) error {
	l, err := p.Listing()
	if err != nil {
		return err
	}
	source := p.Source()
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.listings, l) {
		return nil
	}
	c.listings = append(c.listings, l)
	for _, file := range l.Files {
		if text, ok := source.Files[file]; ok && c.texts[file] == nil {
			c.texts[file] = metalrun.SourceLines(text)
		}
	}
	return nil
}

// Pending reports whether a launch of a kernel may execute something new.
func (c *Coverage) Pending(k Kernel) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.whole[k]
}

// Note adds what a launch of a kernel has executed.
func (c *Coverage) Note(k Kernel, list []metalrun.Covered) {
	c.mu.Lock()
	defer c.mu.Unlock()
	whole := len(list) > 0
	for _, s := range list {
		yes := c.executed[s.Statement] || s.Executed
		c.executed[s.Statement] = yes
		whole = whole && yes
	}
	c.whole[k] = whole
}

// Changed are those of the lines with some numbers that nothing executes, in order. Lines without code of their own
// are not among them: comments, brackets, declarations, labels, directives other than definitions of macros.
func (c *Coverage) Changed(file string, lines []int) []Line {
	c.mu.Lock()
	defer c.mu.Unlock()
	j := &lineJudge{Coverage: c, file: file, lines: c.texts[file]}
	var list []Line
	for _, n := range slices.Compact(slices.Sorted(slices.Values(lines))) {
		why := j.line(n)
		if why == "" {
			continue
		}
		if last := len(list) - 1; last >= 0 && list[last].Why == why && list[last].Last == n-1 {
			list[last].Last = n
			continue
		}
		list = append(list, Line{metalrun.Position{File: file, Line: n, Col: 1}, n, why})
	}
	return list
}

// lineJudge asks about lines of one file.
type lineJudge struct {
	*Coverage
	file  string
	lines map[int]metalrun.SourceLine
}

// line says why nothing executes a line, "" if something does or if it has no code.
func (j *lineJudge) line(n int) Reason {
	if j.lines == nil {
		return File
	}
	l := j.lines[n]
	switch {
	case l.Directive == "define":
		return j.definition(n)
	case l.Directive != "" || !l.Code:
		return ""
	case l.Compiler && l.First != "static_assert":
		return Compiler
	}
	left := false
	why := Reason("")
	for _, listing := range j.listings {
		col, ok := listing.Left[j.file][n]
		if !ok {
			continue
		}
		left = true
		reason := j.left(listing, metalrun.Position{File: j.file, Line: n, Col: col})
		if reason == "" {
			return ""
		}
		why = worse(why, reason)
	}
	if !left {
		return Removed
	}
	return why
}

// worse is the reason that says more: a function that is called in one program is not reached by cases.
func worse(a, b Reason) Reason {
	if a == Cases || b == "" {
		return a
	}
	return b
}

// left says why nothing executes what the preprocessor leaves of a line from a position on, in one program.
func (j *lineJudge) left(listing *metalrun.Listing, at metalrun.Position) Reason {
	var around *metalrun.ListedBody
	begins := false
	for i := range listing.Bodies {
		b := &listing.Bodies[i]
		if b.From.File != at.File || b.From.Line > at.Line || b.To.Line < at.Line {
			continue
		}
		if !before(at, b.From) && !before(b.To, at) {
			around = b
		}
		for _, s := range b.Statements {
			if s.File == at.File && s.Line == at.Line {
				begins = true
				if why := j.statement(b, s); why != "" {
					return why
				}
			}
		}
	}
	if begins || around == nil || j.lines[at.Line].First == "while" { // the end of a do
		return ""
	}
	return j.inside(around, at)
}

// inside says why nothing executes the statement of a body that a position is in: the last that begins before it, or
// the last arm that is not over there.
func (j *lineJudge) inside(b *metalrun.ListedBody, at metalrun.Position) Reason {
	var last *metalrun.ListedStatement
	for i := range b.Statements {
		s := &b.Statements[i]
		if s.To.Line > 0 && before(s.To, at) {
			continue
		}
		if s.File == at.File && !before(at, s.Position) && (last == nil || !before(s.Position, last.Position)) {
			last = s
		}
	}
	if last == nil {
		return ""
	}
	return j.statement(b, *last)
}

// statement says why nothing executes a statement of a body.
func (j *lineJudge) statement(b *metalrun.ListedBody, s metalrun.ListedStatement) Reason {
	called := func(s metalrun.ListedStatement) bool {
		_, compiled := j.executed[s.Statement]
		return compiled
	}
	switch {
	case s.Silent, j.executed[s.Statement]:
		return ""
	case !slices.ContainsFunc(b.Statements, called):
		return Function
	case s.Guard:
		return ""
	}
	return Cases
}

// definition says why nothing executes a line of the definition of a macro.
func (j *lineJudge) definition(n int) Reason {
	defined, expanded := false, false
	why := Reason("")
	groups := map[int][]bool{} // which of the statements are executed that a use makes, by their number
	for _, listing := range j.listings {
		for _, m := range listing.Macros {
			if m.File != j.file || n < m.First || n > m.Last {
				continue
			}
			if j.lines[n].Compiler && len(m.Uses) > 0 {
				return Compiler
			}
			if m.Empty || m.Asked {
				return ""
			}
			defined, expanded = true, expanded || len(m.Uses) > 0
			for _, use := range m.Uses {
				reason := j.use(listing, use, groups)
				if reason == "" {
					return ""
				}
				why = worse(why, reason)
			}
		}
	}
	switch {
	case !defined:
		return Removed
	case !expanded:
		return Macro
	}
	return why
}

// use says why nothing executes what a use of a macro expands to. Of the statements that it makes, it notes those that
// are executed: together the uses may execute all.
func (j *lineJudge) use(listing *metalrun.Listing, at metalrun.Position, groups map[int][]bool) Reason {
	var around *metalrun.ListedBody
	var made []metalrun.ListedStatement
	for i := range listing.Bodies {
		b := &listing.Bodies[i]
		if b.From.File == at.File && !before(at, b.From) && !before(b.To, at) {
			around = b
			for _, s := range b.Statements {
				if s.Position == at {
					made = append(made, s)
				}
			}
		}
	}
	switch {
	case around == nil:
		return ""
	case len(made) == 0:
		return j.inside(around, at)
	}
	group := groups[len(made)]
	if group == nil {
		group = make([]bool, len(made))
		groups[len(made)] = group
	}
	why := Reason("")
	for i, s := range made {
		reason := j.statement(around, s)
		if group[i] = group[i] || reason == ""; !group[i] {
			why = worse(why, reason)
		}
	}
	return why
}

// before reports whether a position stands ahead of another one in a file.
func before(a, b metalrun.Position) bool { return cmp.Or(a.Line-b.Line, a.Col-b.Col) < 0 }
