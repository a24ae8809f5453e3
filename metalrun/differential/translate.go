package differential

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/syntax"
)

// argument kinds, in the order of runtime.cc.
var kinds = []string{"buffer", "threadgroup",
	"thread_position_in_grid", "threads_per_grid", "thread_position_in_threadgroup", "threads_per_threadgroup",
	"threadgroup_position_in_grid", "threadgroups_per_grid", "thread_index_in_threadgroup", "thread_index_in_simdgroup",
	"simdgroup_index_in_threadgroup", "simdgroups_per_threadgroup", "threads_per_simdgroup",
	"dispatch_threads_per_threadgroup",
	"thread_index_in_quadgroup", "quadgroup_index_in_threadgroup", "quadgroups_per_threadgroup",
	"dispatch_simdgroups_per_threadgroup", "dispatch_quadgroups_per_threadgroup"}

// kindOf is the kind of an attribute of a parameter, -1 for none.
func kindOf(name string) int {
	if name == "thread_execution_width" {
		name = "threads_per_simdgroup"
	}
	return slices.Index(kinds, name)
}

// translate makes C++ of a program.
func translate(src metalrun.Source, opts metalrun.CompileOptions) (*text, error) {
	version := opts.LanguageVersion
	if version == 0 {
		version = metalrun.DefaultVersion
	}
	cfg := syntax.Config{Version: int(version), Macros: opts.Macros, Dirs: src.Dirs, Before: src.Before,
		After: src.After}
	file, errs := syntax.Parse(src.Name, src.Files, cfg)
	if len(errs) > 0 {
		return nil, errs
	}
	t := &translator{constants: opts.FunctionConstants, text: &text{entries: map[string]*entry{}},
		kernels: map[string]*syntax.FuncDecl{}, declared: map[string]bool{}, given: map[string]bool{},
		bodies: map[*syntax.FuncDecl]*piece{}}
	t.decls(file.Decls, "")
	if t.err != nil {
		return nil, t.err
	}
	t.rewrite(file)
	if err := t.pieces(file.Decls, map[string]*piece{}); err != nil {
		return nil, err
	}
	for _, e := range t.text.entries {
		if e.of = t.bodies[e.decl]; e.as != nil {
			e.name = "(" + printed(e.as) + ")&" + e.name
		} else {
			e.name = "&" + e.name
		}
	}
	return t.text, nil
}

type translator struct {
	constants map[int]any
	text      *text
	kernels   map[string]*syntax.FuncDecl // templates among them, by qualified name
	declared  map[string]bool             // constants that are extern somewhere
	given     map[string]bool             // function constants, and whether they have a value
	bodies    map[*syntax.FuncDecl]*piece // of the kernels
	err       error
}

// decls finds entry points and gives function constants their values.
func (t *translator) decls(list []syntax.Decl, path string) {
	for _, d := range list {
		switch d := d.(type) {
		case *syntax.NamespaceDecl:
			inner := path + d.Name + "::"
			if d.Name == "" {
				inner = path
			}
			t.decls(d.Decls, inner)
		case *syntax.FuncDecl:
			if d.Specs.Kernel || has(d.Attrs, "kernel") {
				name := path + d.Name.Last().Ident
				t.kernels[name] = d
				if d.Template == nil {
					t.entry(hostName(d.Attrs, name), name, d)
				}
			}
		case *syntax.Instantiation:
			name := path + d.Name.Last().Ident
			if k := t.kernels[name]; k != nil {
				instance := path + printed(&syntax.NameExpr{Name: d.Name})
				e := t.entry(hostName(d.Attrs, instance), instance, k)
				if e != nil && d.HasParams && !d.Name.Last().HasArgs {
					e.as = &syntax.PointerType{Elem: &syntax.FuncType{Result: d.Type, Params: d.Params}}
				}
			}
		case *syntax.VarDecl:
			t.functionConstant(d)
		}
	}
}

// entry records an entry point with the attributes of its parameters, nil if it does not know all.
func (t *translator) entry(host, name string, d *syntax.FuncDecl) *entry {
	e := &entry{name: name, decl: d, number: -1}
	next := "0"
	for _, p := range d.Params {
		a, known := argument{index: next}, false
		for _, attr := range p.Attrs {
			k := kindOf(attr.Name)
			if k < 0 {
				continue
			}
			a, known = argument{kind: k, index: "0"}, true
			if k < 2 && len(attr.Args) == 1 {
				a.index = printed(attr.Args[0])
			}
		}
		if other := slices.ContainsFunc(p.Attrs,
			func(a *syntax.Attr) bool { return a.Name != "function_constant" }); !known && other {
			return nil // of another kind
		}
		if a.kind == 0 {
			next = "(" + a.index + ") + 1"
		}
		e.arguments = append(e.arguments, a)
	}
	t.text.entries[host] = e
	return e
}

// printed is a node as text.
func printed(n syntax.Node) string {
	var b strings.Builder
	if err := syntax.Fprint(&b, n); err != nil {
		return ""
	}
	return b.String()
}

// functionConstant makes the host's value the constant's own.
func (t *translator) functionConstant(d *syntax.VarDecl) {
	for _, a := range d.Attrs {
		if slices.Contains(kinds, a.Name) {
			t.err = fmt.Errorf("[[%s]] at program scope has no counterpart in C++", a.Name)
			return
		}
		if a.Name != "function_constant" || len(a.Args) != 1 {
			continue
		}
		n, ok := integer(a.Args[0])
		if !ok {
			t.err = fmt.Errorf("the index of function constant %s is computed from names", d.Name)
			return
		}
		value, given := t.constants[n]
		if t.given[d.Name] = given; !given {
			d.Init = &syntax.InitList{}
			continue
		}
		text := fmt.Sprint(value)
		switch v := value.(type) {
		case bool:
			d.Init = &syntax.BoolLit{Value: v}
		case float32:
			d.Init = &syntax.FloatLit{Text: strconv.FormatFloat(float64(v), 'x', -1, 32), Value: float64(v),
				Suffix: "f"}
		default:
			d.Init = &syntax.IntLit{Text: text}
		}
	}
}

// integer is the value of an expression of literals.
func integer(x syntax.Expr) (n int, ok bool) {
	switch x := x.(type) {
	case *syntax.IntLit:
		return int(x.Value), true
	case *syntax.ParenExpr:
		return integer(x.X)
	case *syntax.BinaryExpr:
		a, ok := integer(x.X)
		b, also := integer(x.Y)
		switch x.Op {
		case "+":
			return a + b, ok && also
		case "-":
			return a - b, ok && also
		case "*":
			return a * b, ok && also
		}
	}
	return 0, false
}

func has(attrs []*syntax.Attr, name string) bool {
	return slices.ContainsFunc(attrs, func(a *syntax.Attr) bool { return a.Name == name })
}

// alignments are the attributes that C++ has too.
func alignments(attrs []*syntax.Attr) []*syntax.Attr {
	attrs = slices.DeleteFunc(attrs, func(a *syntax.Attr) bool { return a.Name != "alignas" && a.Name != "packed" })
	for _, a := range attrs {
		if a.Name == "packed" {
			a.Scope = "gnu"
		}
	}
	return attrs
}

// hostName is the name that host_name gives, or another one.
func hostName(attrs []*syntax.Attr, other string) string {
	for _, a := range attrs {
		if a.Name == "host_name" && len(a.Args) == 1 {
			if s, ok := a.Args[0].(*syntax.StringLit); ok {
				return s.Value
			}
		}
	}
	return other
}

// rewrite turns what C++ lacks into what it has, in the whole tree.
func (t *translator) rewrite(file *syntax.File) {
	syntax.Inspect(file, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.QualType:
			erase(&n.Quals)
		case *syntax.FuncDecl:
			n.Delete = n.Delete || has(n.Attrs, syntax.AsmLabel) // of Metal's compiler, which clang has not
			kernel := n.Specs.Kernel || has(n.Attrs, "kernel")
			n.Specs.Static = n.Specs.Static || kernel && (n.Template == nil || len(n.Template.Params) > 0)
			n.Attrs, n.After, n.Specs.Kernel = nil, nil, false
			erase(&n.Quals)
			if n.Result == nil && n.Name.Last().Conversion == nil {
				n.Quals.Const = false // of a constructor
			}
		case *syntax.Instantiation:
			n.Attrs, n.Specs.Kernel = nil, false
		case *syntax.VarDecl:
			n.Attrs = alignments(n.Attrs)
			t.variable(n)
		case *syntax.Param:
			n.Attrs = nil
		case *syntax.StructDecl:
			n.Attrs = alignments(n.Attrs)
		case *syntax.ForStmt:
			n.Attrs, n.Pragmas = nil, nil
		case *syntax.RangeStmt:
			n.Attrs, n.Pragmas = nil, nil
		case *syntax.WhileStmt:
			n.Pragmas = nil
		case *syntax.DoStmt:
			n.Pragmas = nil
		case *syntax.FloatLit:
			literal(n)
		}
		return true
	})
	fields := map[string]bool{}
	syntax.Inspect(file, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.StructDecl); ok {
			d.Members = distinct(d.Members)
			for _, m := range d.Members {
				if v, ok := m.(*syntax.VarDecl); ok {
					fields[v.Name] = true
				}
			}
		}
		return true
	})
	v := syntax.Visitor{}
	v.Expr = func(x *syntax.Expr) {
		v.Visit(*x)
		*x = t.made(*x, fields)
	}
	v.Stmt = func(s, _ *syntax.Stmt) { v.Visit(*s) }
	for _, d := range file.Decls {
		v.Visit(d)
	}
}

// erase removes an address space. What lies in constant memory is const.
func erase(q *syntax.Quals) {
	q.Const = q.Const || q.Space == syntax.Constant
	q.Space, q.Restrict, q.Coherent = syntax.NoSpace, false, false
}

// variable makes what threads of a threadgroup share, and what a program has once, static.
func (t *translator) variable(d *syntax.VarDecl) {
	q, ok := base(d.Type).(*syntax.QualType)
	if !ok {
		return
	}
	switch q.Quals.Space {
	case syntax.Threadgroup:
		d.Specs.Static = true
	case syntax.Constant:
		outside := d.Written != nil && len(d.Written.Parts) > 1 // a member that is defined outside of its class
		d.Specs.Static = !d.Specs.Extern && !t.declared[d.Name] && !outside
		if d.Specs.Extern {
			t.declared[d.Name] = true
		}
	}
}

// base is the type of the elements of an array.
func base(x syntax.TypeExpr) syntax.TypeExpr {
	for {
		a, ok := x.(*syntax.ArrayType)
		if !ok {
			return x
		}
		x = a.Elem
	}
}

// literal gives a floating literal the type that Metal gives it.
func literal(x *syntax.FloatLit) {
	text := strings.TrimRight(x.Text, "fFhH")
	if strings.HasPrefix(x.Text, "0x") || strings.HasPrefix(x.Text, "0X") {
		text = strconv.FormatFloat(x.Value, 'x', -1, 64)
	}
	if x.Suffix == "" || x.Suffix == "f" {
		x.Text, x.Suffix = text+"f", "f"
	}
}

// made is an expression with what C++ lacks as calls of the header. fields are names of members of the program's own
// classes.
func (t *translator) made(x syntax.Expr, fields map[string]bool) syntax.Expr {
	switch x := x.(type) {
	case *syntax.CastExpr:
		if x.Keyword == "as_type" {
			return call("witness_bits", []syntax.TemplateArg{{Type: x.Type}}, x.X)
		}
	case *syntax.FloatLit:
		if name := narrow[x.Suffix]; name != "" {
			inner := *x
			inner.Text, inner.Suffix = strconv.FormatFloat(x.Value, 'x', -1, 64)+"f", "f"
			return call(name, nil, &inner)
		}
	case *syntax.MemberExpr:
		if swizzled := swizzle(x.Member); swizzled != nil && !fields[x.Member.Last().Ident] {
			of := x.X
			if x.Arrow {
				of = &syntax.UnaryExpr{Op: "*", X: of}
			}
			return call("witness_swizzle", swizzled, of)
		}
	case *syntax.CallExpr:
		if name, ok := x.Fun.(*syntax.NameExpr); ok && name.Name.Last().Ident == "is_function_constant_defined" &&
			len(x.Args) == 1 {
			return &syntax.BoolLit{Value: t.given[printed(x.Args[0])]}
		}
	case *syntax.AssignExpr:
		place(x.X)
	case *syntax.UnaryExpr:
		if x.Op == "++" || x.Op == "--" {
			place(x.X)
		}
	case *syntax.PostfixExpr:
		place(x.X)
	}
	return x
}

// narrow are the types of literals by suffix.
var narrow = map[string]string{"h": "half", "bf": "bfloat"}

// call is a call of a function or a constructor.
func call(name string, template []syntax.TemplateArg, args ...syntax.Expr) syntax.Expr {
	part := syntax.NamePart{Ident: name, HasArgs: template != nil, Args: template}
	return &syntax.CallExpr{Fun: &syntax.NameExpr{Name: &syntax.Name{Parts: []syntax.NamePart{part}}}, Args: args}
}

// place makes a swizzle one that is assigned to.
func place(x syntax.Expr) {
	if p, ok := x.(*syntax.ParenExpr); ok {
		x = p.X
	}
	if c, ok := x.(*syntax.CallExpr); ok {
		if n, ok := c.Fun.(*syntax.NameExpr); ok && n.Name.Last().Ident == "witness_swizzle" {
			n.Name.Last().Ident = "witness_place"
		}
	}
}

// swizzle are the places that a name such as xyz means, nil if it means none.
func swizzle(n *syntax.Name) (places []syntax.TemplateArg) {
	last := n.Last()
	if len(n.Parts) > 1 || len(last.Ident) < 2 || len(last.Ident) > 4 || last.HasArgs {
		return nil
	}
	for _, set := range []string{"xyzw", "rgba"} {
		places = nil
		for _, r := range last.Ident {
			if i := strings.IndexRune(set, r); i >= 0 {
				places = append(places, syntax.TemplateArg{X: &syntax.IntLit{Text: strconv.Itoa(i), Value: uint64(i)}})
			}
		}
		if len(places) == len(last.Ident) {
			return places
		}
	}
	return nil
}
