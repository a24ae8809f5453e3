package syntax

import "slices"

// Trace is what the preprocessor leaves of the lines of the files that it reads, and what it makes of their macros.
type Trace struct {
	Files map[string]bool // that were read
	// Left has by file and line the column of the first token that is left for the parser. Brackets and separators do
	// not count. The name of an object-like macro is left, whatever it expands to.
	Left   map[string]map[int32]int32
	Macros []*MacroTrace // in the order of their definitions
}

// MacroTrace is one definition of a macro.
type MacroTrace struct {
	Name        string
	File        string
	First, Last int32 // the lines of the definition
	Empty       bool  // it expands to nothing
	Asked       bool  // a condition depends on it
	Uses        []Pos // where it is expanded: of a macro in a macro, where the outermost is
}

// TraceLines preprocesses a translation unit as [Preprocess] does, and tells what becomes of its lines.
func TraceLines(name string, files map[string]string, cfg Config) *Trace {
	pp := newPreprocessor(files, cfg)
	pp.trace = &Trace{Files: map[string]bool{}, Left: map[string]map[int32]int32{}}
	pp.run(name)
	return pp.trace
}

// leave notes that a token is left. A nil Trace notes nothing.
func (r *Trace) leave(t *Token) {
	if r == nil || t.Kind == Op && slices.Contains([]string{"{", "}", "(", ")", ";", ","}, t.Text) {
		return
	}
	lines := r.Left[t.Pos.File]
	if lines == nil {
		lines = map[int32]int32{}
		r.Left[t.Pos.File] = lines
	}
	if col, ok := lines[t.Pos.Line]; !ok || t.Pos.Col < col {
		lines[t.Pos.Line] = t.Pos.Col
	}
}

// define notes a definition.
func (r *Trace) define(m *macro, directive *Token, args []Token) {
	if r == nil || m.header {
		return
	}
	m.trace = &MacroTrace{Name: m.name, File: directive.Pos.File, First: directive.Pos.Line,
		Last: args[len(args)-1].Pos.Line, Empty: len(m.body) == 0}
	r.Macros = append(r.Macros, m.trace)
}

// expand notes that the use of a macro is expanded.
func (r *Trace) expand(m *macro, use *Token, x expansion) {
	if r == nil {
		return
	}
	if !m.function && !x.condition {
		r.leave(use)
	}
	if m.trace != nil {
		m.trace.Asked = m.trace.Asked || x.condition
		if !slices.Contains(m.trace.Uses, use.Pos) && !x.condition {
			m.trace.Uses = append(m.trace.Uses, use.Pos)
		}
	}
}
