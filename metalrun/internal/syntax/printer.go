package syntax

import (
	"fmt"
	"io"
	"strings"
)

// Fprint writes any node as source. A tree that Parse made parses again to
// the same tree, positions aside; in a tree that was edited, parentheses and
// braces are added where the tree's structure needs them.
func Fprint(w io.Writer, n Node) error {
	p := &printer{}
	p.node(n)
	_, err := io.WriteString(w, p.String())
	return err
}

// spellNode writes a node on one line, for messages.
func spellNode(n Node) string {
	p := &printer{}
	p.node(n)
	return strings.Join(strings.Fields(p.String()), " ")
}

// printer writes source with four spaces of indentation a level.
type printer struct {
	strings.Builder
	indent    int
	noGreater bool // inside template arguments: ">" needs parentheses
}

func (p *printer) write(s ...string) {
	for _, x := range s {
		p.WriteString(x)
	}
}

// line begins a new line.
func (p *printer) line() {
	if p.Len() > 0 {
		p.WriteByte('\n')
	}
	for range p.indent {
		p.WriteString("    ")
	}
}

func (p *printer) node(n Node) {
	switch n := n.(type) {
	case *File:
		p.file(n)
	case *Name:
		p.name(n)
	case TypeExpr:
		p.typ(n, nil)
	case Decl:
		p.decls(one(n))
	case *Attr:
		p.attrs([]*Attr{n})
	case *Param:
		p.param(n)
	case *Template:
		p.template(n)
	case *TemplateParam:
		p.templateParam(n)
	case Stmt:
		p.stmt(n)
	case Expr:
		p.expr(n, 0)
	default:
		panic(fmt.Sprintf("syntax: unknown node %T", n))
	}
}

func (p *printer) file(f *File) {
	for _, h := range f.Headers {
		p.write("#include <", h, ">\n")
	}
	for _, m := range f.Removed {
		p.write("#undef ", m, "\n")
	}
	p.decls(f.Decls)
	p.write("\n")
}

// list writes elements separated by ", ".
func list[T any](p *printer, elems []T, f func(T)) {
	for i, e := range elems {
		if i > 0 {
			p.write(", ")
		}
		f(e)
	}
}

// decls writes declarations, each group of joined declarators as one.
func (p *printer) decls(decls []Decl) {
	for i := 0; i < len(decls); i++ {
		d := decls[i]
		v, ok := d.(*VarDecl)
		if a, ok := d.(*AccessDecl); ok {
			p.indent--
			p.line()
			p.write(a.Access, ":")
			p.indent++
			continue
		}
		if !ok {
			p.decl(d)
			continue
		}
		p.line()
		i += p.variables(v, decls[i+1:])
		p.write(";")
	}
}

// variables writes v and those of rest that are joined to it, without the
// semicolon, and returns the number of the latter.
func (p *printer) variables(v *VarDecl, rest []Decl) (n int) {
	if v.Template != nil {
		p.template(v.Template)
		p.line()
	}
	if v.Name == "" && len(v.Attrs) > 0 {
		p.attrs(v.Attrs)
		p.write(" ")
	}
	p.specs(v.Specs)
	p.base(v.Type)
	p.variable(v)
	for ; n < len(rest); n++ {
		next, ok := rest[n].(*VarDecl)
		if !ok || !next.Joined {
			break
		}
		p.write(",")
		p.variable(next)
	}
	return n
}

// variable writes a declarator with its initial value.
func (p *printer) variable(v *VarDecl) {
	name := func() {
		switch {
		case v.Written != nil:
			p.name(v.Written)
		case len(v.Bindings) > 0:
			p.write("[")
			list(p, v.Bindings, func(b Binding) { p.write(b.Name) })
			p.write("]")
		default:
			p.write(v.Name)
		}
		if v.Name != "" && len(v.Attrs) > 0 {
			p.write(" ")
			p.attrs(v.Attrs)
		}
	}
	if v.Name == "" && len(v.Bindings) == 0 {
		name = nil
	}
	p.declarator(v.Type, name)
	if v.Bits != nil {
		p.write(" : ")
		p.expr(v.Bits, precConditional)
	}
	if v.Init == nil {
		return
	}
	l, braces := v.Init.(*InitList)
	switch {
	case v.Direct && braces:
		p.initList(l)
	case v.Direct:
		p.write("(")
		p.expr(v.Init, precAssignment)
		p.write(")")
	default:
		p.write(" = ")
		p.expr(v.Init, precAssignment)
	}
}

func (p *printer) specs(s Specs) {
	for _, x := range []struct {
		set  bool
		word string
	}{
		{s.Friend, "friend "}, {s.Mutable, "mutable "}, {s.Extern, "extern "}, {s.Static, "static "},
		{s.Inline, "inline "},
		{s.Constexpr, "constexpr "}, {s.Explicit, "explicit "}, {s.Kernel, "kernel "},
		{s.Stage != "", s.Stage + " "},
	} {
		if x.set {
			p.write(x.word)
		}
	}
}

func (p *printer) decl(d Decl) {
	p.line()
	switch d := d.(type) {
	case *FuncDecl:
		p.function(d)
	case *Instantiation:
		p.instantiation(d)
	case *StructDecl:
		p.record(d)
		p.write(";")
	case *FriendDecl:
		if d.Template != nil {
			p.template(d.Template)
			p.line()
		}
		p.write("friend ")
		p.typ(d.Type, nil)
		p.write(";")
	case *EnumDecl:
		p.enum(d)
		p.write(";")
	case *TypedefDecl:
		p.typedef(d)
	case *UsingDecl:
		switch {
		case d.Alias != "":
			p.write("namespace ", d.Alias, " = ")
		case d.Namespace:
			p.write("using namespace ")
		case d.Enum:
			p.write("using enum ")
		default:
			p.write("using ")
		}
		p.name(d.Name)
		p.write(";")
	case *NamespaceDecl:
		if d.Inline {
			p.write("inline ")
		}
		p.write("namespace ")
		if d.Name != "" {
			p.write(d.Name, " ")
		}
		p.body(len(d.Decls) == 0, func() { p.decls(d.Decls) })
	case *StaticAssert:
		p.write("static_assert(")
		p.expr(d.X, precConditional)
		if d.Msg != "" {
			p.write(", ", quoteString(d.Msg))
		}
		p.write(");")
	case *PragmaDecl:
		p.write("#pragma ", d.Text)
	case *EmptyDecl:
		p.write(";")
	default:
		panic(fmt.Sprintf("syntax: unknown declaration %T", d))
	}
}

// body writes "{", f one level deeper, and "}"; nothing between them if empty.
func (p *printer) body(empty bool, f func()) {
	if empty {
		p.write("{}")
		return
	}
	p.write("{")
	p.indent++
	f()
	p.indent--
	p.line()
	p.write("}")
}

func (p *printer) typedef(d *TypedefDecl) {
	if d.Using {
		if d.Template != nil {
			p.template(d.Template)
			p.line()
		}
		p.write("using ", d.Name, " = ")
		p.typ(d.Type, nil)
	} else {
		p.write("typedef ")
		p.typ(d.Type, func() { p.write(d.Name) })
	}
	p.write(";")
}

func (p *printer) function(d *FuncDecl) {
	for _, t := range d.Outer {
		p.template(t)
		p.line()
	}
	if d.Template != nil {
		p.template(d.Template)
		p.line()
	}
	if len(d.Attrs) > 0 {
		p.attrs(d.Attrs)
		p.write(" ")
	}
	if d.Guide {
		p.name(d.Name)
		p.params(d.Params)
		p.write(" -> ")
		p.typ(d.Result, nil)
		p.write(";")
		return
	}
	p.specs(d.Specs)
	signature := func() {
		p.name(d.Name)
		p.params(d.Params)
		p.quals(" ", d.Quals, "")
		if d.Ref != "" {
			p.write(" ", d.Ref)
		}
		if len(d.After) > 0 {
			p.write(" ")
			p.attrs(d.After)
		}
	}
	switch {
	case d.Trailing:
		p.write("auto ")
		signature()
		p.write(" -> ")
		p.typ(d.Result, nil)
	case d.Result == nil:
		signature()
	default:
		p.typ(d.Result, signature)
	}
	for i, x := range d.Inits {
		p.write([]string{", ", " : "}[b2i(i == 0)], x.Name, []string{"(", "{"}[b2i(x.Brace)])
		p.args(x.Args)
		p.write([]string{")", "}"}[b2i(x.Brace)])
	}
	switch {
	case d.Default:
		p.write(" = default;")
	case d.Delete:
		p.write(" = delete;")
	case d.Body == nil:
		p.write(";")
	default:
		p.write(" ")
		p.block(d.Body)
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *printer) instantiation(d *Instantiation) {
	if d.Extern {
		p.write("extern ")
	}
	p.write("template ")
	if d.Keyword != "" {
		p.write(d.Keyword, " ")
		p.name(d.Name)
		p.write(";")
		return
	}
	if len(d.Attrs) > 0 {
		p.attrs(d.Attrs)
		p.write(" ")
	}
	p.specs(d.Specs)
	p.typ(d.Type, func() {
		p.name(d.Name)
		if d.HasParams {
			p.params(d.Params)
		}
	})
	p.write(";")
}

func (p *printer) params(params []*Param) {
	p.write("(")
	p.brackets(func() { list(p, params, p.param) })
	p.write(")")
}

func (p *printer) param(x *Param) {
	if x.Name == "" && len(x.Attrs) > 0 {
		p.attrs(x.Attrs)
		p.write(" ")
	}
	name := func() {
		if x.Variadic {
			p.write("...")
		}
		p.write(x.Name)
		if x.Name != "" && len(x.Attrs) > 0 {
			p.write(" ")
			p.attrs(x.Attrs)
		}
	}
	if x.Name == "" && !x.Variadic {
		name = nil
	}
	p.typ(x.Type, name)
	if x.Default != nil {
		p.write(" = ")
		p.expr(x.Default, precAssignment)
	}
}

func (p *printer) template(t *Template) {
	p.write("template ")
	p.templateParams(t)
}

func (p *printer) templateParams(t *Template) {
	p.write("<")
	list(p, t.Params, p.templateParam)
	p.write(">")
}

func (p *printer) templateParam(x *TemplateParam) {
	saved := p.noGreater
	p.noGreater = true
	if x.Template != nil {
		p.template(x.Template)
		p.write(" ")
	}
	if x.Type == nil {
		p.write([]string{"typename", "class"}[b2i(x.Template != nil)])
		if x.Variadic {
			p.write("...")
		}
		if x.Name != "" {
			p.write(" ", x.Name)
		}
		if x.DefaultType != nil {
			p.write(" = ")
			p.typ(x.DefaultType, nil)
		}
	} else {
		name := func() {
			if x.Variadic {
				p.write("...")
			}
			p.write(x.Name)
		}
		if x.Name == "" && !x.Variadic {
			name = nil
		}
		p.typ(x.Type, name)
		if x.Default != nil {
			p.write(" = ")
			p.expr(x.Default, precConditional)
		}
	}
	p.noGreater = saved
}

func (p *printer) record(d *StructDecl) {
	if d.Template != nil {
		p.template(d.Template)
		p.line()
	}
	p.write(d.Keyword)
	if len(d.Attrs) > 0 {
		p.write(" ")
		p.attrs(d.Attrs)
	}
	if d.Name != nil {
		p.write(" ")
		p.name(d.Name)
	}
	for i, b := range d.Bases {
		p.write([]string{", ", " : "}[b2i(i == 0)])
		if b.Access != "" {
			p.write(b.Access, " ")
		}
		p.typ(b.Type, nil)
		p.write([]string{"", "..."}[b2i(b.Pack)])
	}
	if d.Body {
		p.write(" ")
		p.body(len(d.Members) == 0, func() { p.decls(d.Members) })
	}
}

func (p *printer) enum(d *EnumDecl) {
	p.write("enum")
	if d.Scoped {
		p.write(" class")
	}
	if d.Name != "" {
		p.write(" ", d.Name)
	}
	if d.Underlying != nil {
		p.write(" : ")
		p.typ(d.Underlying, nil)
	}
	if !d.Body {
		return
	}
	p.write(" ")
	p.body(len(d.Values) == 0, func() {
		for _, v := range d.Values {
			p.line()
			p.write(v.Name)
			if v.Value != nil {
				p.write(" = ")
				p.expr(v.Value, precConditional)
			}
			p.write(",")
		}
	})
}

// attrs writes attributes in one list; alignas has a form of its own.
func (p *printer) attrs(attrs []*Attr) {
	open := false
	for i, a := range attrs {
		alignas := a.Name == "alignas" && a.Scope == ""
		if open && alignas {
			p.write("]]")
			open = false
		}
		switch {
		case i > 0 && open:
			p.write(", ")
		case i > 0:
			p.write(" ")
		}
		if !open && !alignas {
			p.write("[[")
			open = true
		}
		if a.Scope != "" {
			p.write(a.Scope, "::")
		}
		p.write(a.Name)
		if len(a.Args) > 0 || alignas {
			p.write("(")
			p.args(a.Args)
			p.write(")")
		}
	}
	if open {
		p.write("]]")
	}
}
