package syntax

import "fmt"

// isFeatureTest reports whether name is one of the functions of #if.
func isFeatureTest(name string) bool {
	switch name {
	case "__has_include", "__has_attribute", "__has_cpp_attribute", "__has_builtin", "__has_feature", "__has_extension":
		return true
	}
	return false
}

// intmax is a value of a #if expression: 64 bits, signed or not.
type intmax struct {
	v        uint64
	unsigned bool
}

func truth(b bool) intmax {
	if b {
		return intmax{v: 1}
	}
	return intmax{}
}

// condition evaluates the expression of #if or #elif. A faulty one is false.
func (pp *preprocessor) condition(f *source, directive *Token, args []Token) (result bool) {
	if len(args) == 0 {
		pp.errorf(directive.Pos, codeCondition, "#%s has no condition", directive.Text)
		return false
	}
	toks := pp.expand(args, nil, expansion{condition: true})
	e := &evaluator{pp: pp, file: f, toks: toks, end: args[len(args)-1].Pos}
	defer func() {
		if r := recover(); r != nil {
			err, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			pp.errs.add(err)
			result = false
		}
	}()
	v := e.conditional(true)
	if e.i < len(e.toks) {
		e.fail("got %s, want an operator or the end of the condition", &e.toks[e.i])
	}
	return v.v != 0
}

// evaluator computes a #if expression. Operands that do not count, as the
// right one of 0 &&, are parsed with live false: their faults are no faults.
type evaluator struct {
	pp    *preprocessor
	file  *source
	toks  []Token
	i     int
	end   Pos
	depth int
}

func (e *evaluator) fail(format string, args ...any) {
	pos := e.end
	if e.i < len(e.toks) {
		pos = e.toks[e.i].Pos
	}
	panic(&Error{Pos: pos, Code: codeCondition, Msg: fmt.Sprintf(format, args...)})
}

// op is the operator at the current token, "" if there is none.
func (e *evaluator) op() string {
	if e.i == len(e.toks) {
		return ""
	}
	t := &e.toks[e.i]
	if t.Kind == Op {
		return t.Text
	}
	if t.Kind == Ident {
		return alternative[t.Text]
	}
	return ""
}

func (e *evaluator) accept(op string) bool {
	if e.op() != op {
		return false
	}
	e.i++
	return true
}

func (e *evaluator) expect(op string) {
	if !e.accept(op) {
		e.fail("got %s, want %q", e.current(), op)
	}
}

func (e *evaluator) current() *Token {
	if e.i < len(e.toks) {
		return &e.toks[e.i]
	}
	return &Token{Kind: Ident, Text: "end of line"}
}

func (e *evaluator) conditional(live bool) intmax {
	e.depth++
	if e.depth > e.pp.cfg.Budget.Limits.Of(Nesting) {
		panic(&Error{Pos: e.current().Pos, Code: codeLimit,
			Msg: e.pp.cfg.Budget.Limits.Exceeded(Nesting, "condition nests deeper than %d")})
	}
	defer func() { e.depth-- }()
	c := e.binary(1, live)
	if !e.accept("?") {
		return c
	}
	x := e.conditional(live && c.v != 0)
	e.expect(":")
	y := e.conditional(live && c.v == 0)
	unsigned := x.unsigned || y.unsigned
	if c.v == 0 {
		x = y
	}
	return intmax{x.v, unsigned}
}

// precedence of the binary operators, of #if and of the language alike.
var precedence = map[string]int{
	"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
	"<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}

func (e *evaluator) binary(min int, live bool) intmax {
	x := e.unary(live)
	for {
		op := e.op()
		prec := precedence[op]
		if prec == 0 || prec < min {
			return x
		}
		at := e.i
		e.i++
		alive := live
		switch op {
		case "&&":
			alive = live && x.v != 0
		case "||":
			alive = live && x.v == 0
		}
		y := e.binary(prec+1, alive)
		if live && y.v == 0 && (op == "/" || op == "%") {
			e.i = at
			e.fail("division by zero")
		}
		x = apply(op, x, y)
	}
}

// apply computes one binary operator. Division by zero, which only an
// operand that does not count can hold, is zero.
func apply(op string, x, y intmax) intmax {
	unsigned := x.unsigned || y.unsigned
	less := int64(x.v) < int64(y.v)
	if unsigned {
		less = x.v < y.v
	}
	switch op {
	case "&&":
		return truth(x.v != 0 && y.v != 0)
	case "||":
		return truth(x.v != 0 || y.v != 0)
	case "==":
		return truth(x.v == y.v)
	case "!=":
		return truth(x.v != y.v)
	case "<":
		return truth(less)
	case ">=":
		return truth(!less)
	case ">":
		return truth(!less && x.v != y.v)
	case "<=":
		return truth(less || x.v == y.v)
	case "<<":
		return intmax{x.v << (y.v & 63), x.unsigned}
	case ">>":
		if x.unsigned {
			return intmax{x.v >> (y.v & 63), true}
		}
		return intmax{uint64(int64(x.v) >> (y.v & 63)), false}
	}
	r := intmax{unsigned: unsigned}
	switch op {
	case "|":
		r.v = x.v | y.v
	case "^":
		r.v = x.v ^ y.v
	case "&":
		r.v = x.v & y.v
	case "+":
		r.v = x.v + y.v
	case "-":
		r.v = x.v - y.v
	case "*":
		r.v = x.v * y.v
	case "/", "%":
		switch {
		case y.v == 0:
		case unsigned && op == "/":
			r.v = x.v / y.v
		case unsigned:
			r.v = x.v % y.v
		case op == "/":
			r.v = uint64(int64(x.v) / int64(y.v))
		default:
			r.v = uint64(int64(x.v) % int64(y.v))
		}
	}
	return r
}

func (e *evaluator) unary(live bool) intmax {
	e.depth++
	if e.depth > e.pp.cfg.Budget.Limits.Of(Nesting) {
		panic(&Error{Pos: e.current().Pos, Code: codeLimit,
			Msg: e.pp.cfg.Budget.Limits.Exceeded(Nesting, "condition nests deeper than %d")})
	}
	defer func() { e.depth-- }()
	switch {
	case e.accept("!"):
		return truth(e.unary(live).v == 0)
	case e.accept("-"):
		x := e.unary(live)
		return intmax{-x.v, x.unsigned}
	case e.accept("+"):
		return e.unary(live)
	case e.accept("~"):
		x := e.unary(live)
		return intmax{^x.v, x.unsigned}
	case e.accept("("):
		x := e.conditional(live)
		e.expect(")")
		return x
	}
	return e.operand()
}

func (e *evaluator) operand() intmax {
	t := e.current()
	switch t.Kind {
	case number:
		if isFloatNumber(t.Text) {
			e.fail("floating number %s in a condition", t.Text)
		}
		v, suffix, hex, err := intValue(t.Text)
		if err != nil {
			e.fail("%s", err.Msg)
		}
		e.i++
		return intmax{v, suffix == "u" || suffix == "ul" || hex && v>>63 != 0}
	case Char:
		v, _, err := charValue(t.Text)
		if err != nil {
			e.fail("%s", err.Msg)
		}
		e.i++
		return intmax{v: v}
	case Ident:
		if e.i == len(e.toks) {
			break
		}
		e.i++
		switch {
		case t.Text == "defined":
			return e.defined()
		case isFeatureTest(t.Text):
			return e.feature(t.Text)
		}
		return truth(t.Text == "true")
	}
	e.fail("got %s, want a value", t)
	return intmax{}
}

func (e *evaluator) defined() intmax {
	paren := e.accept("(")
	t := e.current()
	if t.Kind != Ident || e.i == len(e.toks) {
		e.fail("got %s, want a macro name", t)
	}
	e.i++
	if paren {
		e.expect(")")
	}
	return truth(e.pp.defined(t.Text))
}

// feature answers __has_include of any file, __has_attribute of the
// attributes that this front end knows, and no to all other questions.
func (e *evaluator) feature(name string) intmax {
	e.expect("(")
	if name == "__has_include" {
		header, quoted, n := headerName(e.toks[e.i:])
		if n == 0 {
			e.fail(`got %s, want "file" or <header>`, e.current())
		}
		e.i += n
		e.expect(")")
		return truth(e.pp.exists(e.file, header, quoted))
	}
	t := e.current()
	if t.Kind != Ident || e.i == len(e.toks) {
		e.fail("got %s, want a name", t)
	}
	e.i++
	if e.accept("::") {
		e.i++
	}
	e.expect(")")
	switch t.Text {
	case "always_inline", "noinline", "aligned", "packed", "maybe_unused", "optnone":
		return truth(name == "__has_attribute" || name == "__has_cpp_attribute")
	}
	return intmax{}
}
