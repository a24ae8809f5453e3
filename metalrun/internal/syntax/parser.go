package syntax

import (
	"fmt"
	"slices"
)

// Parse returns the tree of the translation unit that begins with file name.
// Files maps the path of every file that may be included to its text. With a
// nil list the tree is whole; otherwise it lacks what was in error, and it is
// nil if text is missing that the rest may need.
func Parse(name string, files map[string]string, cfg Config) (*File, ErrorList) {
	pp := newPreprocessor(files, cfg)
	toks := pp.run(name)
	if toks == nil || pp.errs.has(codeInclude) || pp.errs.has(codeUnterminated) {
		errs := pp.errs.sorted()
		pp.provenance.explain(errs)
		return nil, errs
	}
	p := newParser(toks, endOf(name, files[name]))
	p.limits, p.budget = pp.cfg.Budget.Limits, pp.cfg.Budget
	f := &File{node: node{Pos{File: name, Line: 1, Col: 1}}, Name: name, Headers: pp.headers, Removed: pp.removed,
		provenance: pp.provenance, warnings: pp.warnings}
	f.Decls = p.decls(len(p.toks)-1, false)
	p.errs.list = append(pp.errs.list, beside(pp.errs.list, p.errs.list)...)
	if len(p.errs.list) > 0 {
		f.Lost = p.lost
		errs := p.errs.sorted()
		f.Explain(errs)
		return f, errs
	}
	return f, nil
}

// beside is the errors of faults in lines that have no error of others. The others are about characters and directives,
// and the rest of their line may mean nothing.
func beside(others, faults ErrorList) ErrorList {
	return slices.DeleteFunc(faults, func(f *Error) bool {
		return slices.ContainsFunc(others, func(o *Error) bool {
			return o.Pos.File == f.Pos.File && o.Pos.Line == f.Pos.Line
		})
	})
}

// parser is a recursive-descent parser over the tokens of a translation
// unit. It never goes back over a decision: where C++ is ambiguous, a
// predicate looks ahead (isType, declares, casts) and the parse follows.
// Names with their template arguments are the one thing that looking ahead
// has to parse; nameAt remembers them by token, which keeps the whole linear.
//
// A fault panics with *Error. attempt, at the boundaries of statements and
// declarations, turns it into a reported error; its caller skips to the next
// boundary.
type parser struct {
	toks  []Token
	match []int32 // of a bracket: the index of its partner, -1 if it has none

	margin map[int32]int // of an opening bracket without partner: where its text seems to end

	i     int
	names []*parsedName // by index of its first token
	errs  reporter

	scope     *scope
	dependent int  // uses of template parameters so far
	noGreater bool // ">" ends the expression: inside template arguments
	depth     int  // of recursion
	limits    Limits
	budget    *Budget
	class     *classContext
	packed    int // bound of the last pragma pack, 0 if there is none
	jumps     jumpContext
	methods   map[string]bool // names of member templates
	lost      map[string]bool // names in text that was skipped
	metal     *scope          // the namespace of the library
}

// jumpContext says which jump statements have a target.
type jumpContext struct {
	function, loop, selection bool
	labels                    bool // a switch is around, or its loops and branches
}

// newParser makes a parser of tokens that it may keep.
func newParser(toks []Token, end Pos) *parser {
	p := &parser{errs: reporter{max: maxErrors}, methods: map[string]bool{}, lost: map[string]bool{}}
	p.toks = append(splitAll(toks), Token{Kind: EOF, Pos: end, Line: true})
	p.names = make([]*parsedName, len(p.toks))
	p.matchBrackets()
	builtin := builtinScope()
	global := newScope(builtin)
	global.uses = []*scope{builtin}
	metal := newScope(global)
	metal.uses = global.uses
	global.declare("metal", &entity{means: meansNamespace, members: metal})
	p.scope, p.metal = global, metal
	return p
}

// splitAll splits the tokens that appendSplit splits, if there are any.
func splitAll(toks []Token) []Token {
	i := slices.IndexFunc(toks, splits)
	if i < 0 {
		return toks
	}
	all := append(make([]Token, 0, len(toks)+len(toks)/16+1), toks[:i]...)
	for _, t := range toks[i:] {
		all = appendSplit(all, t)
	}
	return all
}

func splits(t Token) bool { return t.Kind == Op && (t.Text == ">>" || t.Text == ">>=") }

// appendSplit appends t with ">>" as ">" ">" and ">>=" as ">" ">=", so that
// each ">" can close its own template argument list.
func appendSplit(toks []Token, t Token) []Token {
	if !splits(t) {
		return append(toks, t)
	}
	first, second := t, t
	first.Text, first.glued = ">", true
	second.Text, second.Space, second.Line = t.Text[1:], false, false
	second.Pos.Col++
	return append(toks, first, second)
}

// matchBrackets pairs brackets. If braces have no partner, the lines at the margin that
// begin a declaration show where one is missing.
func (p *parser) matchBrackets() {
	p.match = make([]int32, len(p.toks))
	if !p.pairBrackets(false) {
		p.margin = map[int32]int{}
		p.pairBrackets(true)
	}
}

// pairBrackets reports whether all braces have a partner. With margin, no brace but that
// of a namespace stays open where a declaration begins at the margin.
func (p *parser) pairBrackets(margin bool) bool {
	ok := true
	var open []int32
	for i := range p.toks {
		p.match[i] = -1
		if margin && len(open) > 0 && p.beginsAtMargin(i) {
			n := len(open)
			for n > 0 && !p.opensNamespace(open[n-1]) {
				n--
				p.margin[open[n]] = i
			}
			open = open[:n]
		}
		if p.toks[i].Kind != Op {
			continue
		}
		switch p.toks[i].Text {
		case "(", "[", "{":
			open = append(open, int32(i))
		case ")", "]", "}":
			want := map[string]string{")": "(", "]": "[", "}": "{"}[p.toks[i].Text]
			k := len(open) - 1
			for k >= 0 && p.toks[open[k]].Text != want && (want == "{" || p.toks[open[k]].Text != "{") {
				k--
			}
			if k >= 0 && p.toks[open[k]].Text == want {
				p.match[i], p.match[open[k]] = open[k], int32(i)
				open = open[:k]
			} else if want == "{" {
				ok = false
			}
		}
	}
	for _, i := range open {
		ok = ok && p.toks[i].Text != "{"
	}
	return ok
}

// beginsAtMargin reports whether token i begins a declaration that stands at the left
// margin.
func (p *parser) beginsAtMargin(i int) bool {
	t := &p.toks[i]
	if !t.Line || t.Pos.Col != 1 {
		return false
	}
	switch t.role {
	case roleType, roleQual, roleSpec, roleDecl, roleElaborated:
		return true
	}
	return t.is("[") && p.isAt(i+1, "[")
}

// opensNamespace reports whether the bracket at token i opens a namespace.
func (p *parser) opensNamespace(i int32) bool {
	k := int(i) - 1
	for k > 0 && (p.kindAt(k) == Ident || p.isAt(k, "::")) {
		k--
	}
	return p.toks[i].Text == "{" && k >= 0 && (p.isAt(k, "namespace") || p.kindAt(k) == String)
}

func (p *parser) tok() *Token { return &p.toks[p.i] }

func (p *parser) at(s string) bool { return p.toks[p.i].is(s) }

// peek reports whether the n-th token from here is s.
func (p *parser) peek(n int, s string) bool { return p.isAt(p.i+n, s) }

// isAt reports whether token i is s.
func (p *parser) isAt(i int, s string) bool { return i < len(p.toks) && p.toks[i].is(s) }

func (p *parser) kindAt(i int) Kind {
	if i < len(p.toks) {
		return p.toks[i].Kind
	}
	return EOF
}

// advance passes one token and returns its position.
func (p *parser) advance() Pos {
	pos := p.toks[p.i].Pos
	if p.i < len(p.toks)-1 {
		p.i++
	}
	return pos
}

func (p *parser) accept(s string) bool {
	if p.at(s) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) expect(s string) Pos {
	if p.at(s) {
		return p.advance()
	}
	if s == ";" {
		return p.semicolon()
	}
	e := p.surprise(codeExpected, "expected '%s', got %s", s, p.tok())
	if opening := map[string]string{")": "(", "]": "[", "}": "{"}[s]; opening != "" {
		if i := p.unclosed(opening, s); i >= 0 {
			e.Note(p.toks[i].Pos, "to match this '%s'", opening)
		}
	}
	panic(e)
}

// semicolon reports that none stands here, where the text before ends. If a line begins
// here, only the semicolon is missing.
func (p *parser) semicolon() Pos {
	e := p.surprise(codeExpected, "expected ';', got %s", p.tok())
	if p.i == 0 {
		panic(e)
	}
	if before := &p.toks[p.i-1]; before.Kind != Pragma && e.Code == codeExpected {
		e.Pos = before.Pos
		e.Pos.Col += int32(len(before.Text))
	}
	if !p.tok().Line || p.isOpening(p.i) || p.tok().Kind == Op {
		panic(e)
	}
	p.errs.add(e)
	return e.Pos
}

// unclosed is the index of the nearest bracket before the current token that no
// partner follows, -1 if there is none.
func (p *parser) unclosed(opening, closing string) int {
	depth := 0
	for i := p.i - 1; i >= 0 && p.i-i < 10000; i-- {
		switch {
		case p.isAt(i, closing):
			depth++
		case p.isAt(i, opening) && depth == 0:
			return i
		case p.isAt(i, opening):
			depth--
		}
	}
	return -1
}

// expectName passes an identifier.
func (p *parser) expectName(what string) *Token {
	t := p.tok()
	if t.Kind != Ident {
		p.fail(codeExpectedName, "got %s, want %s", t, what)
	}
	p.advance()
	return t
}

// fail reports a fault at the current token. A reserved word without use is
// refused by name wherever it surprises.
func (p *parser) fail(code, format string, args ...any) {
	panic(p.surprise(code, format, args...))
}

// surprise is the fault at the current token.
func (p *parser) surprise(code, format string, args ...any) *Error {
	t := p.tok()
	if c, msg := t.refusal(); c != "" {
		return &Error{Pos: t.Pos, Code: c, Msg: msg}
	}
	return &Error{Pos: t.Pos, Code: code, Msg: fmt.Sprintf(format, args...)}
}

func (p *parser) failAt(pos Pos, code, format string, args ...any) {
	panic(&Error{Pos: pos, Code: code, Msg: fmt.Sprintf(format, args...)})
}

// report notes an error without leaving the construct.
func (p *parser) report(pos Pos, code, format string, args ...any) {
	p.errs.add(&Error{Pos: pos, Code: code, Msg: fmt.Sprintf(format, args...)})
}

// enter counts one level of recursion; the caller leaves with p.depth--.
func (p *parser) enter() {
	p.depth++
	if p.depth > p.limits.Of(Nesting) {
		p.failAt(p.tok().Pos, codeLimit, "%s", p.limits.Exceeded(Nesting, "program nests deeper than %d"))
	}
}

// searchesPerStep are the scopes that a step of a compilation looks at.
const searchesPerStep = 2

// placesPerSearch are the scopes known to have been looked at that cost as much as one that has not.
const placesPerSearch = 16

// chargeSearches counts what looking names up has taken. Too much is the last error.
func (p *parser) chargeSearches() {
	work := p.scope.work
	n := *work / searchesPerStep
	if n == 0 || p.budget == nil {
		return
	}
	*work %= searchesPerStep
	if err := p.budget.Spend(p.tok().Pos, n); err != nil {
		p.errs.max = len(p.errs.list) + 1
		panic(err)
	}
}

// attempt runs f; on a fault it reports it, restores the context and returns false.
func (p *parser) attempt(f func()) (ok bool) {
	scope, noGreater, depth, class, jumps := p.scope, p.noGreater, p.depth, p.class, p.jumps
	defer func() {
		if r := recover(); r != nil {
			err, fault := r.(*Error)
			if !fault {
				panic(r)
			}
			p.errs.add(err)
			p.scope, p.noGreater, p.depth, p.class, p.jumps = scope, noGreater, depth, class, jumps
			ok = false
		}
	}()
	f()
	return true
}

// skip goes to the next boundary before token limit: past a semicolon, or
// past a group in braces that ends its line or, for declarations, any.
func (p *parser) skip(start, limit int, declaration bool) {
	p.skipTo(start, limit, declaration)
	for i := start; i < p.i; i++ {
		if p.toks[i].Kind == Ident && p.scope.lookup(p.toks[i].Text) == nil {
			p.lost[p.toks[i].Text] = true
		}
	}
}

func (p *parser) skipTo(start, limit int, declaration bool) {
	if p.i <= start && p.i < limit {
		p.i = start
		if !p.isOpening(p.i) && !p.at(";") {
			p.i++
		}
	}
	fault := p.i
	for i := start; i < p.i; i++ {
		if end := int(p.match[i]); p.isOpening(i) && end >= p.i && end < limit {
			p.i = end + 1
		}
	}
	for p.i < limit {
		switch {
		case p.margin != nil && p.i > start && p.beginsAtMargin(p.i):
			return
		case p.i > start && p.isAt(p.i-1, "}") && (declaration && p.i > fault || p.tok().Line):
			if p.at(";") {
				p.i++
			}
			return
		case p.at(";"):
			p.i++
			return
		case p.isOpening(p.i):
			end := int(p.match[p.i])
			if end < 0 || end >= limit {
				p.i = limit
				return
			}
			p.i = end + 1
		default:
			p.i++
		}
	}
}

func (p *parser) isOpening(i int) bool {
	t := &p.toks[i]
	return t.is("(") || t.is("[") || t.is("{")
}

// push opens a scope; the caller closes it with pop.
func (p *parser) push() *scope {
	p.scope = newScope(p.scope)
	return p.scope
}

func (p *parser) pop() { p.scope = p.scope.parent }

// home is the scope that declarations go to.
func (p *parser) home() *scope {
	s := p.scope
	for s.template {
		s = s.parent
	}
	return s
}

// namespaceScope is the namespace around the classes that are being parsed.
func (p *parser) namespaceScope() *scope {
	s := p.scope
	for s.template || s.class != "" {
		s = s.parent
	}
	return s
}

// declareValue declares a variable, function, parameter or enumerator.
func (p *parser) declareValue(name string, template bool) {
	if name != "" {
		p.home().declare(name, &entity{means: meansValue, template: template})
	}
}

// relaxed runs f where ">" is an operator again, inside brackets.
func (p *parser) relaxed(f func()) {
	saved := p.noGreater
	p.noGreater = false
	f()
	p.noGreater = saved
}

// binaryOp is the binary operator at the current token and the number of
// tokens that it takes; "" if there is none.
func (p *parser) binaryOp() (op string, n int) {
	t := p.tok()
	if t.Kind != Op {
		return "", 0
	}
	if t.Text == ">" {
		if p.noGreater {
			return "", 0
		}
		if t.glued {
			return ">" + p.toks[p.i+1].Text, 2
		}
	}
	return t.Text, 1
}

func isAssignment(op string) bool {
	return slices.Contains([]string{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}, op)
}
