package mutation

import "metalconform/metalrun/internal/syntax"

// target is a declaration of program scope that can be mutated, with the entry
// points that lead to it.
type target struct {
	name    string
	decl    syntax.Decl
	kernels []string
}

// targets are the declarations that the entry points lead to by name, in the
// order of the source: functions with a body, variables, enumerations, and
// structures for their member functions. A name leads to every declaration of that
// name: overloads are not told apart, so an entry point may seem to lead to a
// function that it does not call.
func targets(f *syntax.File, kernels []string) []target {
	named := map[string][]int{} // declarations by the names that they declare
	all := flatten(f.Decls)
	for i, d := range all {
		for _, name := range declared(d) {
			named[name] = append(named[name], i)
		}
	}
	leads := make([][]string, len(all))
	for _, kernel := range kernels {
		reached := map[int]bool{}
		var follow func(i int)
		follow = func(i int) {
			if reached[i] {
				return
			}
			reached[i] = true
			leads[i] = append(leads[i], kernel)
			for _, name := range used(all[i]) {
				for _, j := range named[name] {
					if !isEntry(all[j]) { // nobody calls an entry point
						follow(j)
					}
				}
			}
		}
		for i, d := range all {
			if hostName(d) == kernel {
				follow(i)
			}
		}
	}
	var list []target
	for i, d := range all {
		if len(leads[i]) > 0 && len(declared(d)) > 0 {
			list = append(list, target{declared(d)[0], d, leads[i]})
		}
	}
	return list
}

// flatten lists declarations with those of their namespaces.
func flatten(decls []syntax.Decl) []syntax.Decl {
	var all []syntax.Decl
	for _, d := range decls {
		if n, ok := d.(*syntax.NamespaceDecl); ok {
			all = append(all, flatten(n.Decls)...)
			continue
		}
		all = append(all, d)
	}
	return all
}

// declared are the names that a declaration makes known.
func declared(d syntax.Decl) []string {
	switch d := d.(type) {
	case *syntax.FuncDecl:
		return []string{d.Name.Last().Ident}
	case *syntax.VarDecl:
		return []string{d.Name}
	case *syntax.TypedefDecl:
		return []string{d.Name}
	case *syntax.StructDecl:
		if d.Name != nil {
			return []string{d.Name.Last().Ident}
		}
	case *syntax.EnumDecl:
		names := []string{d.Name}
		for _, v := range d.Values {
			names = append(names, v.Name)
		}
		return names
	}
	return nil
}

// used are the names that a declaration mentions.
func used(d syntax.Decl) []string {
	var names []string
	syntax.Inspect(d, func(n syntax.Node) bool {
		if name, ok := n.(*syntax.Name); ok {
			for _, part := range name.Parts {
				names = append(names, part.Ident)
			}
		}
		return true
	})
	return names
}

// isEntry reports whether d is an entry point with a name of its own. A template
// of entry points is not: its instantiations lead to it.
func isEntry(d syntax.Decl) bool {
	f, ok := d.(*syntax.FuncDecl)
	return ok && f.Specs.Kernel && f.Template == nil
}

// hostName is the name under which a host finds the entry point that d declares
// or instantiates, "" for other declarations.
func hostName(d syntax.Decl) string {
	var attrs []*syntax.Attr
	name := ""
	switch d := d.(type) {
	case *syntax.FuncDecl:
		if isEntry(d) || d.Template != nil && len(d.Template.Params) == 0 {
			attrs, name = d.Attrs, d.Name.Last().Ident
		}
	case *syntax.Instantiation:
		attrs = d.Attrs
	}
	for _, a := range attrs {
		if a.Name != "host_name" || len(a.Args) != 1 {
			continue
		}
		if s, ok := a.Args[0].(*syntax.StringLit); ok {
			name = s.Value
		}
	}
	return name
}
