package metalrun

import (
	"cmp"
	"slices"
	"strings"

	"metalconform/internal/crash"
	"metalconform/metalrun/internal/consteval"
	"metalconform/metalrun/internal/syntax"
)

// Statement names a statement that can be executed. Those that a macro makes have one position, and a number each.
type Statement struct {
	Position
	Number int
}

// Compare puts statements in the order of the source.
func (s Statement) Compare(o Statement) int {
	return cmp.Or(strings.Compare(s.File, o.File), s.Line-o.Line, s.Col-o.Col, s.Number-o.Number)
}

func statement(id syntax.StmtID) Statement { return Statement{position(id.Pos), id.Number} }

// Covered is a statement of a kernel, and whether some thread of a launch came to it.
type Covered struct {
	Statement
	Executed bool
}

// Covering is the program with a mark before each statement: a device that executes it can tell which statements
// threads come to. Apart from that it does the same.
func (p *Program) Covering() (made *Program, err error) {
	defer crash.Catch(&err)
	if p.library != nil { // it has no statements
		return p, nil
	}
	opts := p.options
	p.Tree(func(f *syntax.File) { opts.coverage = consteval.NewCoverage(f) })
	return newProgram(p.source, opts, p.tree)
}

// Evaluated are the statements that the front end has executed to evaluate constant expressions of a program of
// [Program.Covering], in the order of the source.
func (p *Program) Evaluated() []Statement {
	if p.options.coverage == nil {
		return nil
	}
	var list []Statement
	for _, id := range p.options.coverage.Evaluated() {
		list = append(list, statement(id))
	}
	slices.SortFunc(list, Statement.Compare)
	return list
}

// Listing is what becomes of the lines of a program's files before anything is executed.
type Listing struct {
	Files []string // that were read, in the order of their names
	// Left has by file and line the first column of what the preprocessor leaves there. Brackets and separators do not
	// count.
	Left   map[string]map[int]int
	Macros []ListedMacro // in the order of their definitions
	Bodies []ListedBody  // of functions. One within another comes after it
}

// ListedMacro is one definition of a macro.
type ListedMacro struct {
	File        string
	First, Last int        // its lines
	Empty       bool       // it expands to nothing
	Asked       bool       // a condition of the preprocessor depends on it
	Uses        []Position // where it is expanded: of a macro in a macro, where the outermost is
}

// ListedBody is the body of a function or of a lambda expression.
type ListedBody struct {
	From, To   Position // its braces
	Statements []ListedStatement
}

// ListedStatement is a statement of a body, but of no body within. Arms of ?: are such, too, and what stands on the
// right of && or || and has effects.
type ListedStatement struct {
	Statement
	// To is where the last token of an arm begins. Of a statement it is the zero position.
	To Position
	// Guard says that it is the return of a thread that lies outside of the grid, as of "if (i >= n) return;".
	Guard bool
	// Silent says that it cannot be executed: it declares no variable.
	Silent bool
}

// Listing is that of the program's files. Programs that [Program.Specialise] has made of one tree share theirs.
func (p *Program) Listing() (l *Listing, err error) {
	defer crash.Catch(&err)
	t := p.tree
	t.mu.Lock()
	defer t.mu.Unlock()
	if p.library != nil {
		return &Listing{}, nil
	}
	if t.listing == nil {
		budget := &syntax.Budget{All: p.options.Budget, Limits: p.options.Limits}
		trace := syntax.TraceLines(p.source.Name, p.source.Files, p.options.syntax(p.source, budget))
		t.listing = listing(trace, syntax.Bodies(t.file))
	}
	return t.listing, nil
}

func listing(trace *syntax.Trace, bodies []*syntax.Body) *Listing {
	l := &Listing{Left: map[string]map[int]int{}}
	for file := range trace.Files {
		l.Files = append(l.Files, position(syntax.Pos{File: file}).File)
	}
	slices.Sort(l.Files)
	for file, lines := range trace.Left {
		left := map[int]int{}
		for line, col := range lines {
			left[int(line)] = int(col)
		}
		l.Left[position(syntax.Pos{File: file}).File] = left
	}
	for _, m := range trace.Macros {
		listed := ListedMacro{File: position(syntax.Pos{File: m.File}).File, First: int(m.First), Last: int(m.Last),
			Empty: m.Empty, Asked: m.Asked}
		for _, at := range m.Uses {
			listed.Uses = append(listed.Uses, position(at))
		}
		l.Macros = append(l.Macros, listed)
	}
	for _, b := range bodies {
		listed := ListedBody{From: position(b.From), To: position(b.To)}
		for _, s := range b.Statements {
			listed.Statements = append(listed.Statements, ListedStatement{Statement: statement(s.StmtID),
				To: listedTo(s.To), Guard: s.Guard, Silent: s.Silent})
		}
		l.Bodies = append(l.Bodies, listed)
	}
	return l
}

func listedTo(at syntax.Pos) Position {
	if at.Line == 0 {
		return Position{}
	}
	return position(at)
}

// SourceLine is what stands on a line of a text, as the preprocessor's scanner sees it.
type SourceLine struct {
	Directive string // the name of the directive that the line is part of, "" for none
	First     string // the first token other than an operator, "" for none
	// Code says that there is more than a comment, brackets, separators, else, a label or an access specifier.
	Code bool
	// Literals are the integers of at least 2 that are written there, in the order of the source.
	Literals []int64
	// Compiler says that a macro is named there whose value depends on the compiler's version or options.
	Compiler bool
}

// SourceLines are the lines of a text that are not empty, by their numbers.
func SourceLines(text string) map[int]SourceLine {
	lines := map[int]SourceLine{}
	for n, l := range syntax.ScanLines(text) {
		lines[int(n)] = SourceLine(l)
	}
	return lines
}
