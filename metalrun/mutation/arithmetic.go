package mutation

import "metalconform/metalrun/internal/syntax"

// otherArithmetic are the operators that stand for an arithmetic one.
func otherArithmetic(op string) []string {
	switch op {
	case "+":
		return []string{"-"}
	case "-":
		return []string{"+"}
	case "*":
		return []string{"/", "+"}
	case "/":
		return []string{"*", "%"}
	case "%":
		return []string{"/"}
	}
	return nil
}

func arithmetic(s editPoint) []edit {
	if b, ok := binary(s); ok {
		return all(&b.Op, otherArithmetic(b.Op)...)
	}
	return nil
}

// operand leaves out one side: a term of a sum, a factor, a sign.
func operand(s editPoint) []edit {
	if b, ok := binary(s); ok {
		switch b.Op {
		case "+", "*":
			return all(s.expr, b.X, b.Y)
		case "-", "/", "%":
			return all(s.expr, b.X)
		}
	}
	if u, ok := unary(s); ok && u.Op == "-" {
		return all(s.expr, u.X)
	}
	return nil
}

func bits(s editPoint) []edit {
	if b, ok := binary(s); ok {
		switch b.Op {
		case "&":
			return append(all(&b.Op, "|"), all(s.expr, b.X)...)
		case "|":
			return all(&b.Op, "&")
		case "^":
			return all(&b.Op, "&")
		case "<<":
			return append(all(&b.Op, ">>"), all(s.expr, b.X)...)
		case ">>":
			return append(all(&b.Op, "<<"), all(s.expr, b.X)...)
		}
	}
	if u, ok := unary(s); ok && u.Op == "~" {
		return all(s.expr, u.X)
	}
	return nil
}

func logic(s editPoint) []edit {
	if b, ok := binary(s); ok {
		switch b.Op {
		case "&&":
			return all(&b.Op, "||")
		case "||":
			return all(&b.Op, "&&")
		}
	}
	if u, ok := unary(s); ok && u.Op == "!" {
		return all(s.expr, u.X)
	}
	return nil
}

func assignment(s editPoint) []edit {
	if s.expr == nil {
		return nil
	}
	switch x := (*s.expr).(type) {
	case *syntax.AssignExpr:
		switch x.Op {
		case "+=":
			return all(&x.Op, "-=", "=")
		case "-=":
			return all(&x.Op, "+=", "=")
		case "*=":
			return all(&x.Op, "/=", "=")
		case "/=":
			return all(&x.Op, "*=", "=")
		case "%=", "&=", "|=", "^=":
			return all(&x.Op, "=")
		case "<<=":
			return all(&x.Op, ">>=", "=")
		case ">>=":
			return all(&x.Op, "<<=", "=")
		}
	case *syntax.UnaryExpr:
		return step(&x.Op)
	case *syntax.PostfixExpr:
		return step(&x.Op)
	}
	return nil
}

// step counts the other way.
func step(op *string) []edit {
	switch *op {
	case "++":
		return all(op, "--")
	case "--":
		return all(op, "++")
	}
	return nil
}

// binary is the binary expression at the site.
func binary(s editPoint) (*syntax.BinaryExpr, bool) {
	if s.expr == nil {
		return nil, false
	}
	b, ok := (*s.expr).(*syntax.BinaryExpr)
	return b, ok
}

// unary is the prefix expression at the site.
func unary(s editPoint) (*syntax.UnaryExpr, bool) {
	if s.expr == nil {
		return nil, false
	}
	u, ok := (*s.expr).(*syntax.UnaryExpr)
	return u, ok
}
