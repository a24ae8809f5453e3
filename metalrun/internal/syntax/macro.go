package syntax

import (
	"slices"
	"strings"
)

// macro is one definition. A macro with a dynamic function expands to the
// one token that it makes.
type macro struct {
	name     string
	pos      Pos  // of the name in its definition; none for what the host defines
	header   bool // defined by a built-in header or by the compiler
	function bool
	params   []string
	variadic bool // the last parameter takes all remaining arguments
	optional bool // __VA_OPT__ is in the body
	body     []bodyToken
	dynamic  func(pp *preprocessor, use *Token) string
	trace    *MacroTrace // nil unless lines are traced
}

// bodyToken is a token of a macro's body; param is the index of the
// parameter that it names, or -1.
type bodyToken struct {
	Token
	param int
}

// hideSet is the set of macros that must not expand a token: those whose
// expansion it came from. Sets are shared and never change.
type hideSet struct {
	name string
	rest *hideSet
	size int
}

func (h *hideSet) len() int {
	if h == nil {
		return 0
	}
	return h.size
}

func (h *hideSet) has(name string) bool {
	for ; h != nil; h = h.rest {
		if h.name == name {
			return true
		}
	}
	return false
}

func (h *hideSet) with(name string) *hideSet {
	if h.has(name) {
		return h
	}
	return &hideSet{name, h, h.len() + 1}
}

func (h *hideSet) union(o *hideSet) *hideSet {
	if h == nil {
		return o
	}
	for ; o != nil && o != h; o = o.rest {
		h = h.with(o.name)
	}
	return h
}

func (h *hideSet) intersect(o *hideSet) *hideSet {
	if h == o {
		return h
	}
	var both *hideSet
	for ; h != nil; h = h.rest {
		if o.has(h.name) {
			both = &hideSet{h.name, both, both.len() + 1}
		}
	}
	return both
}

// define obeys #define.
func (pp *preprocessor) define(f *source, directive *Token, args []Token) {
	t, ok := pp.macroName(directive, args)
	if !ok {
		return
	}
	if old := pp.macros[t.Text]; old != nil && old.dynamic != nil || t.Text == "defined" || isFeatureTest(t.Text) {
		pp.errorf(t.Pos, codeMacro, "macro %q is built in and cannot be redefined", t.Text)
		return
	}
	m := &macro{name: t.Text, header: f.header}
	if !f.header {
		m.pos = t.Pos
	}
	body := args[1:]
	switch {
	case len(body) > 0 && body[0].is("(") && !body[0].Space:
		m.function = true
		n, ok := pp.parameters(m, body)
		if !ok {
			return
		}
		body = body[n:]
	case len(body) > 0 && !body[0].Space:
		pp.errorf(body[0].Pos, codeMacro, "got %s after the macro's name, want a space", &body[0])
		return
	}
	if pp.setBody(m, body) {
		pp.forget(f, t)
		pp.macros[m.name] = m
		pp.trace.define(m, directive, args)
	}
}

// forget removes a macro's definition.
func (pp *preprocessor) forget(f *source, t *Token) {
	m := pp.macros[t.Text]
	switch {
	case m == nil:
		return
	case m.dynamic != nil:
		pp.errorf(t.Pos, codeMacro, "macro %q is built in and cannot be removed", t.Text)
		return
	case m.header && !f.header:
		pp.removed = append(pp.removed, m.name)
	}
	delete(pp.macros, t.Text)
}

// parameters reads "(a, b, ...)" and returns how many tokens it takes.
func (pp *preprocessor) parameters(m *macro, toks []Token) (int, bool) {
	i := 1
	if i < len(toks) && toks[i].is(")") {
		return i + 1, true
	}
	for {
		if i == len(toks) {
			pp.errorf(toks[0].Pos, codeMacro, `parameter list of macro %q has no ")"`, m.name)
			return 0, false
		}
		t := &toks[i]
		pp.spend(t.Pos, len(m.params)/paramsPerStep)
		switch {
		case m.variadic:
			pp.errorf(t.Pos, codeMacro, `got %s, want ")" after "..."`, t)
			return 0, false
		case t.is("..."):
			m.variadic = true
			m.params = append(m.params, "__VA_ARGS__")
		case t.Kind != Ident:
			pp.errorf(t.Pos, codeMacro, "got %s, want a parameter name", t)
			return 0, false
		case t.Text == "__VA_ARGS__" || slices.Contains(m.params, t.Text):
			pp.errorf(t.Pos, codeMacro, "parameter %q of macro %q cannot be used twice", t.Text, m.name)
			return 0, false
		default:
			m.params = append(m.params, t.Text)
			if i+1 < len(toks) && toks[i+1].is("...") {
				m.variadic = true
				i++
			}
		}
		i++
		if i < len(toks) && toks[i].is(")") {
			return i + 1, true
		}
		if i < len(toks) && !toks[i].is(",") {
			pp.errorf(toks[i].Pos, codeMacro, `got %s, want "," or ")" in a parameter list`, &toks[i])
			return 0, false
		}
		if i < len(toks) {
			i++
		}
	}
}

// setBody checks and stores a macro's replacement.
func (pp *preprocessor) setBody(m *macro, body []Token) bool {
	for i, t := range body {
		b := bodyToken{Token: t, param: -1}
		if t.Kind == Ident {
			pp.spend(t.Pos, len(m.params)/paramsPerStep)
			b.param = slices.Index(m.params, t.Text)
			if b.param < 0 && (t.Text == "__VA_ARGS__" || t.Text == "__VA_OPT__" && !m.variadic) {
				pp.errorf(t.Pos, codeMacro, "%s may not appear in macro %q", t.Text, m.name)
				return false
			}
		}
		b.Line = false
		switch {
		case t.is("##") && (i == 0 || i == len(body)-1):
			pp.errorf(t.Pos, codeMacro, `"##" may not stand at either end of macro %q`, m.name)
			return false
		case t.is("#") && m.function && (i+1 == len(body) || slices.Index(m.params, body[i+1].Text) < 0):
			pp.errorf(t.Pos, codeMacro, `"#" is not followed by a parameter of macro %q`, m.name)
			return false
		}
		m.body = append(m.body, b)
	}
	return pp.checkOptional(m)
}

// expansion says where tokens are expanded.
type expansion struct {
	depth     int  // of macro arguments within macro arguments
	condition bool // in #if: the operands of defined and __has_include stay
}

// input is a stack of token lists, read from the last.
type input struct{ lists [][]Token }

func (in *input) push(toks []Token) {
	if len(toks) > 0 {
		in.lists = append(in.lists, toks)
	}
}

func (in *input) peek() *Token {
	for n := len(in.lists); n > 0; n-- {
		if list := in.lists[n-1]; len(list) > 0 {
			return &list[0]
		}
		in.lists = in.lists[:n-1]
	}
	return nil
}

func (in *input) next() *Token {
	t := in.peek()
	if t != nil {
		n := len(in.lists) - 1
		in.lists[n] = in.lists[n][1:]
	}
	return t
}

// expand appends toks to out with all macros expanded. It is Prosser's
// algorithm: each token carries the set of macros that may not expand it.
func (pp *preprocessor) expand(toks, out []Token, x expansion) []Token {
	if x.depth > pp.cfg.Budget.Limits.Of(Nesting) {
		pp.exceeded(toks[0].Pos, Nesting, "macro arguments nest deeper than %d")
	}
	in := &input{}
	in.push(toks)
	for t := in.next(); t != nil; t = in.next() {
		pp.copied(t.Pos, 1)
		if t.Kind != Ident {
			out = append(out, *t)
			continue
		}
		if x.condition && (t.Text == "defined" || isFeatureTest(t.Text)) {
			out = pp.keepOperand(t, in, out)
			continue
		}
		m := pp.macros[t.Text]
		if m != nil {
			pp.spend(t.Pos, t.hide.len()/8) // to look there twice
		}
		if m == nil || t.hide.has(t.Text) {
			out = append(out, *t)
			continue
		}
		if m.dynamic != nil {
			made := *t
			made.Text = m.dynamic(pp, t)
			made.Kind = number
			if made.Text[0] == '"' {
				made.Kind = String
			}
			out = append(out, made)
			continue
		}
		if !m.function {
			pp.provenance.expansion(t.Pos, m)
			pp.trace.expand(m, t, x)
			in.push(pp.substitute(m, t, nil, t.hide.with(m.name), x))
			continue
		}
		if p := in.peek(); p == nil || !p.is("(") {
			out = append(out, *t)
			continue
		}
		args, end := pp.arguments(m, t, in)
		if end == nil {
			return out
		}
		if len(args) != len(m.params) {
			word := "few"
			if len(args) > len(m.params) {
				word = "many"
			}
			pp.errorf(t.Pos, codeMacro,
				"too %s arguments provided to function-like macro invocation: %s takes %d, not %d", word, m.name,
				len(m.params), len(args))
			continue
		}
		pp.provenance.expansion(t.Pos, m)
		pp.trace.expand(m, t, x)
		in.push(pp.substitute(m, t, args, t.hide.intersect(end.hide).with(m.name), x))
	}
	return out
}

// keepOperand copies "defined X", "defined(X)" or "__has_include(…)" as it is.
func (pp *preprocessor) keepOperand(t *Token, in *input, out []Token) []Token {
	out = append(out, *t)
	depth := 0
	for p := in.peek(); p != nil; p = in.peek() {
		switch {
		case p.is("("):
			depth++
		case p.is(")"):
			depth--
		}
		out = append(out, *in.next())
		if depth <= 0 {
			break
		}
	}
	return out
}

// arguments reads the arguments of a call of m; end is its closing
// parenthesis, nil if there is none.
func (pp *preprocessor) arguments(m *macro, name *Token, in *input) (args [][]Token, end *Token) {
	in.next()
	depth := 0
	var arg []Token
	for t := in.next(); ; t = in.next() {
		if t == nil {
			pp.errorf(name.Pos, codeUnterminated,
				`call of macro %q has no ")" before the next directive or the end of the file`, m.name)
			return nil, nil
		}
		pp.copied(t.Pos, 1)
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
		if depth < 0 {
			args, end = append(args, arg), t
			break
		}
		if depth == 0 && t.is(",") && !(m.variadic && len(args) == len(m.params)-1) {
			args, arg = append(args, arg), nil
			continue
		}
		arg = append(arg, *t)
	}
	if len(m.params) == 0 && len(args) == 1 && len(args[0]) == 0 {
		args = nil
	}
	if m.variadic && len(args) == len(m.params)-1 {
		args = append(args, nil)
	}
	return args, end
}

// substitute returns the body of m with its parameters replaced. Tokens of
// the body take the position of the use.
func (pp *preprocessor) substitute(m *macro, use *Token, args [][]Token, hide *hideSet, x expansion) []Token {
	var out []Token
	expanded := make([][]Token, len(args))
	argument := func(i int) []Token {
		if expanded[i] == nil && len(args[i]) > 0 {
			deeper := x
			deeper.depth++
			expanded[i] = pp.expand(args[i], nil, deeper)
		}
		pp.copied(use.Pos, len(expanded[i]))
		return expanded[i]
	}
	body := m.body
	if m.optional {
		body = m.withOptional(len(argument(len(args)-1)) > 0)
		pp.copied(use.Pos, len(body))
	}
	for i := 0; i < len(body); i++ {
		b := &body[i]
		pasted := i+1 < len(body) && body[i+1].is("##")
		switch {
		case b.is("#") && m.function:
			i++
			out = append(out, pp.stringified(b, args[body[i].param], use))
		case b.is("##") && i > 0:
			i++
			if r := &body[i]; m.function && r.is("#") && i+1 < len(body) {
				i++
				out = pp.paste(m, use, out, []Token{pp.stringified(r, args[body[i].param], use)}, false)
			} else {
				out = pp.paste(m, use, out, pp.operand(r, args, use), m.variadic && r.param == len(m.params)-1)
			}
		case b.param >= 0 && pasted:
			out = append(out, pp.operand(b, args, use)...)
		case b.param >= 0:
			n := len(out)
			out = append(out, argument(b.param)...)
			if n < len(out) {
				out[n].Space, out[n].Line = b.Space, false
			}
		default:
			t := b.Token
			t.Pos = use.Pos
			out = append(out, t)
		}
	}
	kept := out[:0]
	var before, after *hideSet // of the last token that had any: neighbours share theirs
	for _, t := range out {
		pp.copied(use.Pos, 1)
		if t.Kind == placemarker {
			continue
		}
		switch {
		case t.hide == nil:
			t.hide = hide
		case t.hide == before:
			t.hide = after
		default:
			pp.spend(use.Pos, hide.len()/8+t.hide.len()*hide.len()/64)
			before, after = t.hide, t.hide.union(hide)
			t.hide = after
		}
		kept = append(kept, t)
	}
	if len(kept) > 0 {
		kept[0].Space, kept[0].Line = use.Space, use.Line
	}
	return kept
}

// operand is what stands at one side of ##: an argument as written, or the
// token itself. A missing argument leaves a placemarker.
func (pp *preprocessor) operand(b *bodyToken, args [][]Token, use *Token) []Token {
	if b.param < 0 {
		t := b.Token
		t.Pos = use.Pos
		return []Token{t}
	}
	arg := args[b.param]
	pp.copied(use.Pos, len(arg))
	if len(arg) == 0 {
		return []Token{{Kind: placemarker, Pos: use.Pos, Space: b.Space}}
	}
	arg = slices.Clone(arg)
	arg[0].Space = b.Space
	return arg
}

// paste joins the last token of left with the first of right. After a comma
// and before variadic arguments ## is the usual extension: the comma goes
// when there are no arguments.
func (pp *preprocessor) paste(m *macro, use *Token, left, right []Token, variadic bool) []Token {
	n := len(left) - 1
	if n < 0 {
		return right
	}
	l, r := left[n], right[0]
	switch {
	case l.Text == "," && variadic && r.Kind == placemarker:
		return left[:n]
	case l.Text == "," && variadic:
		return append(left, right...)
	case r.Kind == placemarker:
		return left
	case l.Kind == placemarker:
		r.Space = l.Space
		return append(append(left[:n], r), right[1:]...)
	}
	pp.spend(use.Pos, (len(l.Text)+len(r.Text))/textBytes)
	text := l.Text + r.Text
	var toks []Token
	if !strings.HasPrefix(text, "//") && !strings.HasPrefix(text, "/*") {
		toks = scan("", text, len(text), func(*Error) {})
	}
	if len(toks) != 1 || toks[0].Kind == bad {
		pp.errorf(use.Pos, codeMacro, "macro %q pastes %s and %s, which is not one token", m.name, &l, &r)
		return append(left, right...)
	}
	t := toks[0]
	t.Pos, t.Space, t.Line = l.Pos, l.Space, l.Line
	t.hide = l.hide.intersect(r.hide)
	return append(append(left[:n], t), right[1:]...)
}

// stringified is the operator # at token hash applied to arg.
func (pp *preprocessor) stringified(hash *bodyToken, arg []Token, use *Token) Token {
	n := 0
	for i := range arg {
		n += len(arg[i].Text)
	}
	pp.spend(use.Pos, n/textBytes)
	text := stringify(arg)
	return Token{Kind: String, Text: text, Space: hash.Space, Pos: use.Pos}
}

// stringify is the operator #.
func stringify(arg []Token) string {
	var b strings.Builder
	for i := range arg {
		t := &arg[i]
		if i > 0 && (t.Space || t.Line) {
			b.WriteByte(' ')
		}
		if t.Kind != String && t.Kind != Char {
			b.WriteString(t.Text)
			continue
		}
		for j := 0; j < len(t.Text); j++ {
			if c := t.Text[j]; c == '"' || c == '\\' {
				b.WriteByte('\\')
			}
			b.WriteByte(t.Text[j])
		}
	}
	return `"` + enclosed(b.String()) + `"`
}

// enclosed is what may stand between quotation marks: no backslash escapes the last of them, and all between them are
// escaped. The standard does not define what # makes of a single backslash.
func enclosed(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			b.WriteString(`\"`)
		case text[i] != '\\':
			b.WriteByte(text[i])
		case i+1 < len(text):
			b.WriteString(text[i : i+2])
			i++
		}
	}
	return b.String()
}
