package syntax

import (
	"fmt"
	"strings"
)

// Config is what a compilation sets from outside.
type Config struct {
	Version int               // value of __METAL_VERSION__: 310 for Metal 3.1; 0 means DefaultVersion
	Fast    bool              // fast mathematics, which macros tell of
	Macros  map[string]string // object-like macros defined before the first line; "" defines as 1
	Dirs    []string          // where includes are looked up last
	Before  string            // text ahead of the first file, in a file of its own
	After   string            // and text that follows it
	Budget  *Budget           // what the work is counted in; nil means one of its own
}

// Names of the files in which [Config.Before] and [Config.After] stand.
const (
	BeforeName = "<command line>"
	AfterName  = "<instantiations>"
)

// DefaultVersion is the language version when none is configured.
const DefaultVersion = 320

// Preprocess returns the tokens of a translation unit with includes, macros
// and conditionals expanded. Files maps the path of every file that may be
// included to its text; name is the path of the first.
func Preprocess(name string, files map[string]string, cfg Config) ([]Token, ErrorList) {
	pp := newPreprocessor(files, cfg)
	toks := pp.run(name)
	if len(pp.errs.list) > 0 {
		return nil, pp.errs.sorted()
	}
	return toks, nil
}

// preprocessor expands one translation unit. Its directives run over the
// scanned tokens of each file, line by line; the text between two directives
// is expanded as a whole, so that a macro call may span lines.
type preprocessor struct {
	files      map[string]string
	scanned    map[string][]Token
	once       map[string]bool
	macros     map[string]*macro
	headers    []string // built-in headers in order of inclusion
	removed    []string // macros of built-in headers that the program redefined
	cfg        Config
	depth      int
	counter    int
	packing    packing
	warnings   *warnings // by themselves: the tree keeps them, and nothing else of this
	out        []Token
	errs       reporter
	provenance *provenance
	trace      *Trace // nil unless lines are traced
}

// fatal ends a preprocessing that has met a limit; its error is reported before.
type fatal struct{}

func newPreprocessor(files map[string]string, cfg Config) *preprocessor {
	if cfg.Budget == nil {
		cfg.Budget = &Budget{}
	}
	pp := &preprocessor{
		cfg:        cfg,
		files:      files,
		scanned:    map[string][]Token{},
		once:       map[string]bool{},
		errs:       reporter{max: maxErrors},
		provenance: newProvenance(),
		warnings:   &warnings{},
	}
	pp.macros = predefined(cfg, pp.errs.add)
	return pp
}

func (pp *preprocessor) run(name string) (toks []Token) {
	text, ok := pp.files[name]
	if !ok {
		pp.errorf(Pos{File: name, Line: 1, Col: 1}, codeInclude, "file %q is not there", name)
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(fatal); !ok {
				panic(r)
			}
		}
	}()
	if pp.cfg.Before != "" {
		pp.file(BeforeName, pp.cfg.Before, false)
	}
	pp.file(name, text, false)
	if pp.cfg.After != "" {
		pp.file(AfterName, pp.cfg.After, false)
	}
	if pp.trace != nil {
		for i := range pp.out {
			pp.trace.leave(&pp.out[i])
		}
	}
	return pp.finish(pp.out)
}

func (pp *preprocessor) errorf(pos Pos, code, format string, args ...any) {
	pp.errs.add(&Error{Pos: pos, Code: code, Msg: fmt.Sprintf(format, args...)})
}

// exceeded ends the preprocessing at a limit.
func (pp *preprocessor) exceeded(pos Pos, l Limit, format string) {
	pp.errorf(pos, codeLimit, "%s", pp.cfg.Budget.Limits.Exceeded(l, format))
	panic(fatal{})
}

// Work of the preprocessor: macros make much of little text, all of it alive at once.
const (
	tokenWork = 6 // steps for a token that is copied, of 56 bytes in a list that may have room for two
	textBytes = 4 // of a text that # or ## makes, and copies, in a step

	bytesScanned  = 64 // of a file in a step
	tokensSkipped = 64 // in a step: a file may be included again and again
	paramsPerStep = 16 // of a macro, among which a name is looked for
)

// copied counts n tokens that are copied at pos.
func (pp *preprocessor) copied(pos Pos, n int) { pp.spend(pos, tokenWork*n) }

// spend counts n steps of work done at pos.
func (pp *preprocessor) spend(pos Pos, n int) {
	if err := pp.cfg.Budget.Spend(pos, n); err != nil {
		pp.errs.add(err)
		panic(fatal{})
	}
}

// conditional is one open #if.
type conditional struct {
	pos    Pos
	active bool // this group is compiled
	taken  bool // some group of this #if was, or none may be
	last   bool // #else has been
}

// source is the state of one file's preprocessing.
type source struct {
	name      string
	header    bool   // a built-in header
	lineDelta int32  // by #line
	lineFile  string // by #line
	open      []conditional
}

func (f *source) active() bool { return len(f.open) == 0 || f.open[len(f.open)-1].active }

// relocate moves toks to where #line said that they are.
func (f *source) relocate(toks []Token) []Token {
	if f.lineDelta == 0 && f.lineFile == "" {
		return toks
	}
	moved := make([]Token, len(toks))
	for i, t := range toks {
		t.Pos.Line += f.lineDelta
		if f.lineFile != "" {
			t.Pos.File = f.lineFile
		}
		moved[i] = t
	}
	return moved
}

// file preprocesses one file into pp.out.
func (pp *preprocessor) file(name, text string, header bool) {
	toks, ok := pp.scanned[name]
	if !ok {
		if pp.trace != nil {
			pp.trace.Files[name] = true
		}
		toks = pp.scan(name, text)
		pp.scanned[name] = toks
	}
	if pp.out == nil && !header {
		pp.out = make([]Token, 0, 1+min(len(toks)+len(toks)/4, pp.cfg.Budget.Left()/tokenWork))
	}
	f := &source{name: name, header: header}
	for len(toks) > 0 {
		n := 1
		if isDirective(&toks[0]) {
			for n < len(toks) && !toks[n].Line {
				n++
			}
			pp.directive(f, f.relocate(toks[:n]))
		} else {
			for n < len(toks) && !isDirective(&toks[n]) {
				n++
			}
			if f.active() {
				pp.out = pp.expand(f.relocate(toks[:n]), pp.out, expansion{})
			}
		}
		pp.spend(toks[0].Pos, 1+n/tokensSkipped)
		toks = toks[n:]
	}
	for _, c := range f.open {
		pp.errorf(c.pos, codeUnterminated, "unterminated conditional directive")
	}
}

// scan makes the tokens of a file, as many as the budget has room for.
func (pp *preprocessor) scan(name, text string) []Token {
	pp.spend(Pos{File: name, Line: 1, Col: 1}, len(text)/bytesScanned)
	toks := scan(name, text, pp.cfg.Budget.Left()/tokenWork, pp.errs.add)
	if n := len(toks); n > 0 {
		pp.copied(toks[n-1].Pos, n)
	}
	return toks
}

func isDirective(t *Token) bool { return t.Line && t.Kind == Op && t.Text == "#" }

// directive obeys one line that begins with #.
func (pp *preprocessor) directive(f *source, line []Token) {
	if len(line) == 1 {
		return
	}
	hash, name, args := &line[0], &line[1], line[2:]
	switch name.Text {
	case "if", "ifdef", "ifndef", "elif", "else", "endif":
		pp.conditional(f, hash, name, args)
		return
	}
	if !f.active() {
		return
	}
	switch name.Text {
	case "define":
		pp.define(f, name, args)
	case "undef":
		if t, ok := pp.macroName(name, args); ok {
			pp.noMore("#undef", args[1:])
			pp.forget(f, t)
		}
	case "include", "import":
		pp.include(f, name, args)
	case "pragma":
		pp.pragma(f, hash, args)
	case "error":
		pp.errorf(name.Pos, codeErrorMessage, "#error %s", spell(args))
	case "warning":
	case "line":
		pp.line(f, name, pp.expand(args, nil, expansion{}))
	default:
		if name.Kind == number {
			pp.line(f, hash, line[1:]) // a line marker of a preprocessed file
			return
		}
		pp.errorf(name.Pos, codeDirective, "unknown directive #%s", name.Text)
	}
}

// macroName is the name that #define, #undef, #ifdef and #ifndef begin with.
func (pp *preprocessor) macroName(directive *Token, args []Token) (*Token, bool) {
	if len(args) == 0 {
		pp.errorf(directive.Pos, codeDirective, "#%s has no macro name", directive.Text)
		return nil, false
	}
	if args[0].Kind != Ident {
		pp.errorf(args[0].Pos, codeDirective, "got %s, want a macro name", &args[0])
		return nil, false
	}
	return &args[0], true
}

// noMore refuses what is left on a directive's line.
func (pp *preprocessor) noMore(directive string, rest []Token) {
	if len(rest) > 0 {
		pp.errorf(rest[0].Pos, codeDirective, "got %s after %s, want the end of the line", &rest[0], directive)
	}
}

// conditional obeys #if and its relatives, which count even in excluded groups.
func (pp *preprocessor) conditional(f *source, hash, name *Token, args []Token) {
	switch name.Text {
	case "if", "ifdef", "ifndef":
		if len(f.open) == pp.cfg.Budget.Limits.Of(Nesting) {
			pp.exceeded(hash.Pos, Nesting, "conditionals nest deeper than %d")
		}
		c := conditional{pos: hash.Pos, taken: true}
		if f.active() {
			c.active = pp.truth(f, name, args)
			c.taken = c.active
		}
		f.open = append(f.open, c)
		return
	}
	if len(f.open) == 0 {
		pp.errorf(hash.Pos, codeConditional, "#%s without #if", name.Text)
		return
	}
	c := &f.open[len(f.open)-1]
	switch {
	case name.Text == "endif":
		pp.noMore("#endif", args)
		f.open = f.open[:len(f.open)-1]
	case c.last:
		pp.errorf(hash.Pos, codeConditional, "#%s after #else", name.Text)
	case name.Text == "else":
		pp.noMore("#else", args)
		c.active, c.taken, c.last = !c.taken, true, true
	default:
		c.active = false
		if !c.taken {
			c.active = pp.truth(f, name, args)
			c.taken = c.active
		}
	}
}

// truth decides one of #if, #elif, #ifdef and #ifndef.
func (pp *preprocessor) truth(f *source, name *Token, args []Token) bool {
	switch name.Text {
	case "if", "elif":
		return pp.condition(f, name, args)
	}
	t, ok := pp.macroName(name, args)
	if !ok {
		return false
	}
	pp.noMore("#"+name.Text, args[1:])
	return pp.defined(t.Text) == (name.Text == "ifdef")
}

func (pp *preprocessor) defined(name string) bool {
	m := pp.macros[name]
	if m != nil && m.trace != nil {
		m.trace.Asked = true
	}
	return m != nil || isFeatureTest(name)
}

// line obeys #line: the next line has the given number, and file if there is one.
func (pp *preprocessor) line(f *source, at *Token, args []Token) {
	if len(args) == 0 {
		pp.errorf(at.Pos, codeDirective, "#line has no number")
		return
	}
	n, _, _, err := intValue(args[0].Text)
	if args[0].Kind != number || err != nil || n == 0 || n > 1<<30 || strings.Trim(args[0].Text, "0123456789") != "" {
		pp.errorf(args[0].Pos, codeDirective, "got %s, want a line number", &args[0])
		return
	}
	if len(args) > 1 {
		if args[1].Kind != String {
			pp.errorf(args[1].Pos, codeDirective, "got %s, want a file name in quotes", &args[1])
			return
		}
		name, err := stringValue(args[1].Text)
		if err != nil {
			pp.errorf(args[1].Pos, err.Code, "%s", err.Msg)
			return
		}
		f.lineFile = name
	}
	// args[0] was moved by the old delta; what counts is the line in the file.
	f.lineDelta = int32(n) - (at.Pos.Line - f.lineDelta + 1)
}

// spell writes tokens as one line with single spaces where there was space.
func spell(toks []Token) string {
	var b strings.Builder
	for i := range toks {
		if i > 0 && (toks[i].Space || toks[i].Line) {
			b.WriteByte(' ')
		}
		b.WriteString(toks[i].Text)
	}
	return b.String()
}

// finish turns preprocessing tokens into tokens of the language.
func (pp *preprocessor) finish(in []Token) []Token {
	out := in[:0]
	for i := 0; i < len(in); i++ {
		t := in[i]
		t.hide = nil
		switch t.Kind {
		case number:
			t.Kind = Int
			if isFloatNumber(t.Text) {
				t.Kind = Float
			}
		case Ident:
			if t.Text == "__extension__" {
				if i+1 < len(in) {
					in[i+1].Line, in[i+1].Space = in[i+1].Line || t.Line, true
				}
				continue // it silences warnings and means nothing
			}
			if t.Text == "_Pragma" {
				n := pp.operatorPragma(in[i:], &out)
				i += n - 1
				continue
			}
			if word := synonyms[t.Text]; word != "" {
				t.Text = word
			}
			if op, ok := alternative[t.Text]; ok {
				t.Kind, t.Text, t.Space = Op, op, true
			} else if t.role = keywords[t.Text]; t.role != roleNone {
				t.Kind = Keyword
			}
		case bad:
			pp.errs.add(badToken(&t))
			continue
		}
		out = append(out, t)
	}
	return out
}
