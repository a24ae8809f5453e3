package witness

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
	"simdgroup_index_in_threadgroup", "simdgroups_per_threadgroup", "threads_per_simdgroup", "dispatch_threads_per_threadgroup"}

// argument says what a parameter of an entry point gets.
type argument struct{ kind, index uint32 }

// entryPoint is a function of the translation.
type entryPoint struct {
	name      string // as C++ names it, from its namespace on
	arguments []argument
}

// translation is a program as C++.
type translation struct {
	text    string
	entries map[string]entryPoint // by host name
}

// translate makes C++ of a program.
func translate(src metalrun.Source, opts metalrun.CompileOptions) (translation, error) {
	version := opts.LanguageVersion
	if version == 0 {
		version = metalrun.DefaultVersion
	}
	cfg := syntax.Config{Version: int(version), Macros: opts.Macros, Dirs: src.Dirs, Before: src.Before, After: src.After}
	file, errs := syntax.Parse(src.Name, src.Files, cfg)
	if len(errs) > 0 {
		return translation{}, errs
	}
	t := &translator{constants: opts.FunctionConstants, entries: map[string]entryPoint{}, kernels: map[string]*syntax.FuncDecl{}, declared: map[string]bool{}}
	t.decls(file.Decls, "")
	if t.err != nil {
		return translation{}, t.err
	}
	t.rewrite(file)
	var b strings.Builder
	if err := syntax.Fprint(&b, file); err != nil {
		return translation{}, err
	}
	lines := slices.DeleteFunc(strings.Split(b.String(), "\n"), func(l string) bool { return strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "#pragma pack") })
	return translation{strings.Join(lines, "\n"), t.entries}, nil
}

type translator struct {
	constants map[int]any
	entries   map[string]entryPoint
	kernels   map[string]*syntax.FuncDecl // templates among them, by qualified name
	declared  map[string]bool             // constants that are extern somewhere
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
				var b strings.Builder
				c := syntax.NameExpr{Name: d.Name}
				if err := syntax.Fprint(&b, &c); err == nil {
					t.entry(hostName(d.Attrs, path+b.String()), path+b.String(), k)
				}
			}
		case *syntax.VarDecl:
			t.functionConstant(d)
		}
	}
}

// entry records an entry point with the attributes of its parameters.
func (t *translator) entry(host, name string, d *syntax.FuncDecl) {
	e := entryPoint{name: name}
	next := uint32(0)
	for _, p := range d.Params {
		a, known := argument{kind: 0, index: next}, false
		for _, attr := range p.Attrs {
			k := slices.Index(kinds, attr.Name)
			if k < 0 {
				continue
			}
			a, known = argument{kind: uint32(k)}, true
			if k < 2 && len(attr.Args) == 1 {
				n, ok := attr.Args[0].(*syntax.IntLit)
				if !ok {
					return // an index that has to be computed
				}
				a.index = uint32(n.Value)
			}
		}
		if !known && len(p.Attrs) > 0 {
			return // of another kind
		}
		if a.kind == 0 {
			next = a.index + 1
		}
		e.arguments = append(e.arguments, a)
	}
	t.entries[host] = e
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
		n, ok := a.Args[0].(*syntax.IntLit)
		if !ok {
			continue
		}
		value, given := t.constants[int(n.Value)]
		if !given {
			t.err = fmt.Errorf("function constant %s has no value", d.Name)
			return
		}
		text := fmt.Sprint(value)
		switch v := value.(type) {
		case bool:
			d.Init = &syntax.BoolLit{Value: v}
		case float32:
			d.Init = &syntax.FloatLit{Text: strconv.FormatFloat(float64(v), 'x', -1, 32), Value: float64(v), Suffix: "f"}
		default:
			d.Init = &syntax.IntLit{Text: text}
		}
	}
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
			n.Attrs, n.After, n.Specs.Kernel = nil, nil, false
			erase(&n.Quals)
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
	classes := map[string]bool{}
	syntax.Inspect(file, func(n syntax.Node) bool {
		if d, ok := n.(*syntax.StructDecl); ok && d.Name != nil {
			classes[d.Name.Last().Ident] = true
		}
		return true
	})
	v := syntax.Visitor{}
	v.Expr = func(x *syntax.Expr) {
		v.Visit(*x)
		*x = made(*x, classes)
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
	if l, ok := d.Init.(*syntax.InitList); ok && l.Paren {
		if n, ok := bare(d.Type).(*syntax.NamedType); ok && isVector(n.Name.Last().Ident) {
			d.Direct, d.Init = false, &syntax.ConstructExpr{Type: n, Args: l.Elems}
		}
	}
	q, ok := base(d.Type).(*syntax.QualType)
	if !ok {
		return
	}
	switch q.Quals.Space {
	case syntax.Threadgroup:
		d.Specs.Static = true
	case syntax.Constant:
		d.Specs.Static = !d.Specs.Extern && !t.declared[d.Name]
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

// bare is a type without its qualifiers.
func bare(x syntax.TypeExpr) syntax.TypeExpr {
	if q, ok := x.(*syntax.QualType); ok {
		return q.Base
	}
	return x
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

// made is an expression with constructors and casts as calls of the header. Those of the
// program's own classes are C++.
func made(x syntax.Expr, classes map[string]bool) syntax.Expr {
	call := func(name string, t syntax.TypeExpr, args ...syntax.Expr) syntax.Expr {
		part := syntax.NamePart{Ident: name, HasArgs: true, Args: []syntax.TemplateArg{{Type: t}}}
		return &syntax.CallExpr{Fun: &syntax.NameExpr{Name: &syntax.Name{Parts: []syntax.NamePart{{Ident: "metal"}, part}}}, Args: args}
	}
	switch x := x.(type) {
	case *syntax.ConstructExpr:
		n, named := x.Type.(*syntax.NamedType)
		if named && classes[n.Name.Last().Ident] {
			return x
		}
		if (!x.Brace || named && isVector(n.Name.Last().Ident)) && slices.IndexFunc(x.Args, isList) < 0 {
			return call("witness_make", x.Type, x.Args...)
		}
	case *syntax.CastExpr:
		switch {
		case x.Keyword == "as_type":
			return call("witness_bits", x.Type, x.X)
		case (x.Keyword == "" || x.Keyword == "static_cast") && isValue(x.Type):
			return call("witness_make", x.Type, x.X)
		}
	case *syntax.FloatLit:
		if x.Suffix == "h" {
			inner := *x
			inner.Text, inner.Suffix = strings.TrimRight(x.Text, "hH")+"f", "f"
			if strings.HasPrefix(x.Text, "0x") {
				inner.Text = strconv.FormatFloat(x.Value, 'x', -1, 64) + "f"
			}
			return call("witness_make", &syntax.NamedType{Name: &syntax.Name{Parts: []syntax.NamePart{{Ident: "half"}}}}, &inner)
		}
	}
	return x
}

// isVector reports whether a name is that of a vector such as float4.
func isVector(name string) bool {
	base := strings.TrimRight(name, "234")
	return len(base) == len(name)-1 && slices.Contains([]string{"char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float"}, base)
}

func isList(x syntax.Expr) bool {
	_, ok := x.(*syntax.InitList)
	return ok
}

// isValue reports whether a cast to the type makes a value: not a pointer, a reference or
// nothing.
func isValue(x syntax.TypeExpr) bool {
	switch x := x.(type) {
	case *syntax.QualType:
		return isValue(x.Base)
	case *syntax.NamedType:
		return x.Name.Last().Ident != "void"
	}
	return false
}
