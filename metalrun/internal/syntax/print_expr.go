package syntax

import (
	"fmt"
	"strconv"
	"strings"
)

// Precedences of expressions other than binary operators, 1 to 10,
// which are scaled to leave room below.
const (
	precComma       = 1
	precAssignment  = 2
	precConditional = 3
	precBinary      = 3 // added to the operator's own
	precUnary       = 20
	precPostfix     = 21
	precPrimary     = 22
)

// precedenceOf is how tightly the outermost operator of x binds.
func precedenceOf(x Expr) int {
	switch x := x.(type) {
	case *BinaryExpr:
		if x.Op == "," {
			return precComma
		}
		return precBinary + precedence[x.Op]
	case *AssignExpr:
		return precAssignment
	case *CondExpr:
		return precConditional
	case *UnaryExpr, *SizeofExpr:
		return precUnary
	case *CastExpr:
		if x.Keyword == "" {
			return precUnary
		}
		return precPostfix
	case *PostfixExpr, *CallExpr, *IndexExpr, *MemberExpr, *ConstructExpr:
		return precPostfix
	}
	return precPrimary
}

// brackets runs f where ">" needs no parentheses.
func (p *printer) brackets(f func()) {
	saved := p.noGreater
	p.noGreater = false
	f()
	p.noGreater = saved
}

// expr writes x, in parentheses if it binds less tightly than min.
func (p *printer) expr(x Expr, min int) {
	b, ok := x.(*BinaryExpr)
	greater := ok && p.noGreater && (b.Op == ">" || b.Op == ">>")
	if precedenceOf(x) < min || greater {
		p.write("(")
		p.brackets(func() { p.operand(x) })
		p.write(")")
		return
	}
	p.operand(x)
}

// operand writes x without parentheses round it.
func (p *printer) operand(x Expr) {
	switch x := x.(type) {
	case *NameExpr:
		p.name(x.Name)
	case *IntLit:
		p.write(intText(x))
	case *FloatLit:
		p.write(floatText(x))
	case *UserLit:
		p.write(x.Text + strings.TrimPrefix(x.Operator.Last().Ident, literalPrefix))
	case *BoolLit:
		p.write(strconv.FormatBool(x.Value))
	case *StringLit:
		p.write(quoteString(x.Value))
	case *NullLit:
		p.write("nullptr")
	case *BadExpr:
		p.write("?")
	case *ThisExpr:
		p.write("this")
	case *ParenExpr:
		p.write("(")
		p.brackets(func() { p.expr(x.X, 0) })
		p.write(")")
	case *UnaryExpr:
		p.unary(x)
	case *PostfixExpr:
		p.expr(x.X, precPostfix)
		p.write(x.Op)
	case *BinaryExpr:
		prec := precedenceOf(x)
		p.expr(x.X, prec)
		if x.Op != "," {
			p.write(" ")
		}
		p.write(x.Op, " ")
		p.expr(x.Y, prec+1)
	case *AssignExpr:
		p.expr(x.X, precConditional)
		p.write(" ", x.Op, " ")
		p.expr(x.Y, precAssignment)
	case *CondExpr:
		p.expr(x.Cond, precConditional+1)
		if x.X == nil {
			p.write(" ?: ")
		} else {
			p.write(" ? ")
			p.expr(x.X, 0)
			p.write(" : ")
		}
		p.expr(x.Y, precAssignment)
	case *CallExpr:
		p.expr(x.Fun, precPostfix)
		p.write("(")
		p.args(x.Args)
		p.write(")")
	case *IndexExpr:
		p.expr(x.X, precPostfix)
		p.write("[")
		p.brackets(func() { p.expr(x.Index, 0) })
		p.write("]")
	case *MemberExpr:
		p.expr(x.X, precPostfix)
		switch x.X.(type) {
		case *IntLit, *FloatLit, *UserLit:
			p.write(" ") // "1.x" would be one number
		}
		p.write([]string{".", "->"}[b2i(x.Arrow)])
		p.name(x.Member)
	case *CastExpr:
		p.cast(x)
	case *ConstructExpr:
		p.typ(x.Type, nil)
		if x.Brace {
			p.initList(&InitList{Elems: x.Args, Fields: x.Fields})
			break
		}
		p.write("(")
		p.args(x.Args)
		p.write(")")
	case *SizeofExpr:
		p.sizeof(x)
	case *InitList:
		p.initList(x)
	case *PackExpr:
		p.expr(x.X, precAssignment)
		p.write(" ...") // "2..." would be one number
	case *FoldExpr:
		p.fold(x)
	case *LambdaExpr:
		p.lambda(x)
	case *StmtExpr:
		p.write("(")
		p.brackets(func() { p.block(x.Body) })
		p.write(")")
	default:
		panic(fmt.Sprintf("syntax: unknown expression %T", x))
	}
}

// unary writes an operator and its operand, apart where they would join.
func (p *printer) unary(x *UnaryExpr) {
	p.write(x.Op)
	if u, ok := x.X.(*UnaryExpr); ok && u.Op[0] == x.Op[0] {
		p.write(" ")
	}
	p.expr(x.X, precUnary)
}

func (p *printer) cast(x *CastExpr) {
	if x.Keyword == "" {
		p.write("(")
		p.brackets(func() { p.typ(x.Type, nil) })
		p.write(")")
		p.expr(x.X, precUnary)
		return
	}
	p.write(x.Keyword, "<")
	saved := p.noGreater
	p.noGreater = true
	p.typ(x.Type, nil)
	p.noGreater = saved
	p.write(">(")
	p.brackets(func() { p.expr(x.X, 0) })
	p.write(")")
}

func (p *printer) sizeof(x *SizeofExpr) {
	p.write([]string{"sizeof", "alignof", "__builtin_offsetof"}[b2i(x.Align)+2*b2i(x.Offset)])
	switch {
	case x.Offset:
		p.write("(")
		p.brackets(func() { p.typ(x.Type, nil) })
		p.write(", ")
		p.expr(x.X, precAssignment)
		p.write(")")
	case x.Pack:
		p.write("...(")
		p.expr(x.X, 0)
		p.write(")")
	case x.Type != nil:
		p.write("(")
		p.brackets(func() { p.typ(x.Type, nil) })
		p.write(")")
	default:
		if _, ok := x.X.(*ParenExpr); !ok {
			p.write(" ")
		}
		p.expr(x.X, precUnary)
	}
}

func (p *printer) args(args []Expr) {
	p.brackets(func() { list(p, args, func(x Expr) { p.expr(x, precAssignment) }) })
}

func (p *printer) initList(l *InitList) {
	p.write([]string{"{", "("}[b2i(l.Paren)])
	p.brackets(func() {
		for i, x := range l.Elems {
			if i > 0 {
				p.write(", ")
			}
			if i < len(l.Fields) && l.Fields[i] != "" {
				p.write(".", l.Fields[i], " = ")
			}
			if i < len(l.Designators) && l.Designators[i] != nil {
				p.arrayDesignator(l.Designators[i])
			}
			p.expr(x, precAssignment)
		}
	})
	p.write([]string{"}", ")"}[b2i(l.Paren)])
}

func (p *printer) arrayDesignator(at *ArrayDesignator) {
	p.write("[")
	p.expr(at.First, precConditional)
	if at.Last != nil {
		p.write(" ... ")
		p.expr(at.Last, precConditional)
	}
	p.write("] = ")
}

func (p *printer) fold(x *FoldExpr) {
	operand := func(x Expr) { p.expr(x, precUnary) }
	p.write("(")
	p.brackets(func() {
		switch {
		case x.Left && x.Init != nil:
			operand(x.Init)
			p.write(" ", x.Op, " ... ", x.Op, " ")
			operand(x.X)
		case x.Left:
			p.write("... ", x.Op, " ")
			operand(x.X)
		default:
			operand(x.X)
			p.write(" ", x.Op, " ...")
			if x.Init != nil {
				p.write(" ", x.Op, " ")
				operand(x.Init)
			}
		}
	})
	p.write(")")
}

func (p *printer) lambda(x *LambdaExpr) {
	p.write("[", x.Default)
	for i, c := range x.Captures {
		if i > 0 || x.Default != "" {
			p.write(", ")
		}
		p.write([]string{"", "&"}[b2i(c.Ref && c.Name != "this")], c.Name)
		if c.Init != nil {
			p.write(" = ")
			p.brackets(func() { p.expr(c.Init, precAssignment) })
		}
	}
	p.write("]")
	if x.Template != nil {
		p.templateParams(x.Template)
	}
	p.params(x.Params)
	p.write([]string{"", " mutable"}[b2i(x.Mutable)])
	if x.Result != nil {
		p.write(" -> ")
		p.typ(x.Result, nil)
	}
	p.write(" ")
	p.brackets(func() { p.block(x.Body) })
}

// intText is the literal as written, or made from its value in an edited tree.
func intText(x *IntLit) string {
	switch {
	case x.Text != "":
		return x.Text
	case x.Chars > 0:
		return fmt.Sprintf(`'\%03o'`, byte(x.Value))
	case x.Hex:
		return "0x" + strconv.FormatUint(x.Value, 16) + x.Suffix
	}
	return strconv.FormatUint(x.Value, 10) + x.Suffix
}

// floatText is the literal as written, or made from its value in an edited
// tree: hexadecimal, which is exact.
func floatText(x *FloatLit) string {
	if x.Text != "" {
		return x.Text
	}
	return strconv.FormatFloat(x.Value, 'x', -1, 64) + x.Suffix
}
