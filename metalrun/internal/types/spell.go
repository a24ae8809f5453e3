package types

import (
	"fmt"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// Types and conversions in the words of clang.

// clangNames are the words for types that have names of Metal's own.
var clangNames = map[hir.Kind]string{hir.UChar: "unsigned char", hir.UShort: "unsigned short", hir.UInt: "unsigned int",
	hir.ULong: "unsigned long"}

// clangName is a scalar type without Metal's names.
func clangName(k hir.Kind) string {
	if name := clangNames[k]; name != "" {
		return name
	}
	return k.String()
}

// spelled is a type in quotes, with what its name stands for.
func spelled(t hir.Type) string {
	switch t := t.(type) {
	case hir.Kind:
		if name := clangNames[t]; name != "" {
			return fmt.Sprintf("'%s' (aka '%s')", t, name)
		}
	case hir.Vector:
		if !t.Packed {
			return fmt.Sprintf("'%s' (vector of %d '%s' values)", t, t.N, clangName(t.Elem))
		}
	}
	return "'" + plainSpelling(t) + "'"
}

// plainSpelling is a type with qualifiers in clang's order. Constant memory is const.
func plainSpelling(t hir.Type) string {
	p, ok := t.(*hir.Pointer)
	if !ok {
		return t.String()
	}
	var words []string
	if p.Const || p.Space == syntax.Constant {
		words = append(words, "const")
	}
	if p.Volatile {
		words = append(words, "volatile")
	}
	if p.Space != syntax.NoSpace {
		words = append(words, p.Space.String())
	}
	return strings.Join(append(words, plainSpelling(p.Elem), "*"), " ")
}

// spelledValue is the type of an operand: what compares vectors has no name.
func spelledValue(op operand) string {
	if v, ok := op.typ().(hir.Vector); ok && v.Elem == hir.Bool && !op.lvalue {
		return fmt.Sprintf("'bool __attribute__((ext_vector_type(%d)))' (vector of %d 'bool' values)", v.N, v.N)
	}
	return spelled(op.typ())
}

// purpose is what a value is converted for.
type purpose struct {
	what string     // "a variable", "return object", "assigning"; "" if that is not known
	pos  syntax.Pos // of the variable
}

// forPurpose runs f, which converts a value for something.
func (c *checker) forPurpose(p purpose, f func() hir.Expr) hir.Expr {
	old := c.purpose
	c.purpose = p
	e := f()
	c.purpose = old
	return e
}

// evaluated is the operand of an expression whose value is converted for something: its
// parts are not.
func (c *checker) evaluated(x syntax.Expr) (op operand) {
	old := c.purpose
	c.purpose = purpose{}
	op = c.expr(x)
	c.purpose = old
	return op
}

// conversionText says that op cannot become a value of type to, and where clang says so.
func (c *checker) conversionText(op operand, to hir.Type, pos syntax.Pos) (syntax.Pos, string) {
	from := spelledValue(op)
	category := "an rvalue"
	if op.lvalue {
		category = "an lvalue"
	}
	_, fromStruct := op.typ().(*hir.Struct)
	_, toStruct := to.(*hir.Struct)
	p := c.purpose
	switch {
	case p.what == "":
		return pos, fmt.Sprintf("got %s, want %s", op.typ(), to)
	case p.what == "assigning":
		return pos, fmt.Sprintf("assigning to %s from incompatible type %s", spelled(to), from)
	case p.pos.Line != 0:
		pos = p.pos
	}
	if fromStruct || toStruct {
		return pos, fmt.Sprintf("no viable conversion from %s to %s", from, spelled(to))
	}
	return pos, fmt.Sprintf("cannot initialize %s of type %s with %s of type %s", p.what, spelled(to), category, from)
}

// beginning is where the text of an expression begins; its position is that of its operator.
func beginning(x syntax.Expr) syntax.Pos {
	for {
		switch e := x.(type) {
		case *syntax.BinaryExpr:
			x = e.X
		case *syntax.AssignExpr:
			x = e.X
		case *syntax.CondExpr:
			x = e.Cond
		case *syntax.IndexExpr:
			x = e.X
		case *syntax.MemberExpr:
			x = e.X
		case *syntax.CallExpr:
			x = e.Fun
		case *syntax.PostfixExpr:
			x = e.X
		default:
			return x.Pos()
		}
	}
}
