package differential

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// pieces adds declarations to the text. known has the functions that were there before: those that address spaces alone
// tell apart are one in C++.
func (t *translator) pieces(list []syntax.Decl, known map[string]*piece) error {
	for i := 0; i < len(list); i++ {
		switch d := list[i].(type) {
		case *syntax.NamespaceDecl:
			begin := "namespace " + d.Name + " {"
			if d.Inline {
				begin = "inline " + begin
			}
			t.add(&piece{whole: begin, fixed: true})
			if err := t.pieces(d.Decls, map[string]*piece{}); err != nil {
				return err
			}
			t.add(&piece{whole: "}", fixed: true})
		case *syntax.Instantiation:
			if d.Keyword != "" || t.kernels[d.Name.Last().Ident] == nil {
				t.add(&piece{whole: printed(d)})
			}
		case *syntax.FuncDecl:
			t.function(d, known)
		case *syntax.VarDecl:
			end := i + 1
			for end < len(list) && joined(list[end]) {
				end++
			}
			t.add(&piece{whole: printed(&syntax.File{Decls: list[i:end]})})
			i = end - 1
		case *syntax.StructDecl:
			t.class(d, known)
		default:
			t.add(&piece{whole: printed(d)})
		}
	}
	return nil
}

func joined(d syntax.Decl) bool {
	v, ok := d.(*syntax.VarDecl)
	return ok && v.Joined
}

func (t *translator) add(p *piece) {
	lines := strings.Split(p.whole, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, "#") && !strings.HasPrefix(l, "#pragma pack") {
			lines[i] = ""
		}
	}
	p.whole = strings.Join(lines, "\n")
	t.text.pieces = append(t.text.pieces, p)
}

// function adds a function that was not there before.
func (t *translator) function(d *syntax.FuncDecl, known map[string]*piece) {
	p := &piece{whole: printed(d), name: d.Name.Last().Ident}
	t.bodies[d] = p
	if d.Body != nil {
		key := signature(d)
		if first := known[key]; first != nil {
			if body := printed(d.Body); body != first.body {
				first.refused = "functions that address spaces alone tell apart"
			}
			return
		}
		known[key], p.body = p, printed(d.Body)
		head := *d
		head.Body, head.Inits = nil, nil
		p.rest = strings.TrimSuffix(printed(&head), ";") + " = delete;"
	}
	t.add(p)
}

// class adds a class that was not there before.
func (t *translator) class(d *syntax.StructDecl, known map[string]*piece) {
	p := &piece{whole: printed(d)}
	if d.Name != nil {
		p.name = d.Name.Last().Ident
	}
	if d.Body && d.Name != nil {
		head := *d
		head.Body, head.Members, head.Bases = false, nil, nil
		key := printed(&head)
		if first := known[key]; first != nil {
			if first.whole != p.whole {
				first.refused = "classes that address spaces alone tell apart"
			}
			return
		}
		known[key], p.rest = p, key
	}
	t.add(p)
}

// signature is what tells a function from its overloads, and its specialisations from each other.
func signature(d *syntax.FuncDecl) string {
	head := *d
	head.Body, head.Inits, head.Params = nil, nil, nil
	for _, p := range d.Params {
		bare := *p
		bare.Name, bare.Default, bare.Attrs = "", nil, nil
		head.Params = append(head.Params, &bare)
	}
	return printed(&head)
}

// distinct are the members of a class of which no two are told apart by address spaces alone. If they do not do the
// same, nobody may call them.
func distinct(members []syntax.Decl) []syntax.Decl {
	known := map[string]*syntax.FuncDecl{}
	return slices.DeleteFunc(members, func(m syntax.Decl) bool {
		f, ok := m.(*syntax.FuncDecl)
		if !ok {
			return false
		}
		key := signature(f)
		first := known[key]
		if first == nil {
			known[key] = f
		} else if first.Body != nil && f.Body != nil && printed(first.Body) != printed(f.Body) {
			first.Body, first.Inits, first.Delete = nil, nil, true
		}
		return first != nil
	})
}
