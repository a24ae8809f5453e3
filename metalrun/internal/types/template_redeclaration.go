package types

import (
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Function templates that are declared more than once. Two declarations are of one template
// if they are written alike but for the names of parameters.

// redeclaresTemplate reports whether f declares a template of the set once more, whose
// defaults then stay and whose body it may give.
func (c *checker) redeclaresTemplate(set *funcSet, f *function) bool {
	if f.owner != nil || givesDefaults(f.decl.Template) {
		return false
	}
	i := slices.IndexFunc(set.list, func(old *function) bool {
		return old.isTemplate() && old.owner == nil && old.scope == f.scope &&
			len(old.decl.Params) == len(f.decl.Params) &&
			len(old.decl.Template.Params) == len(f.decl.Template.Params) && c.templateForm(old) == c.templateForm(f)
	})
	switch {
	case i < 0:
		return false
	case f.def == nil:
	case set.list[i].def != nil:
		c.errorf(namePos(f.decl), codeRedefined, "redefinition of '%s'", f.name).Note(namePos(set.list[i].def),
			"previous definition is here")
	default:
		old := set.list[i]
		old.def, old.definitionPoint = f.def, f.definitionPoint
		c.outside[old.decl] = outsideMember{f.def, f.definitionPoint}
	}
	return true
}

// givesDefaults reports whether parameters of a template have defaults.
func givesDefaults(t *syntax.Template) bool {
	return slices.ContainsFunc(t.Params,
		func(p *syntax.TemplateParam) bool { return p.Default != nil || p.DefaultType != nil })
}

// templateForm spells what tells a template from its overloads, with numbers for parameters.
func (c *checker) templateForm(f *function) string {
	if f.form != "" {
		return f.form
	}
	d := f.decl
	numbers := map[string]string{}
	var b strings.Builder
	for i, p := range d.Template.Params {
		numbers[p.Name] = fmt.Sprintf("$%d", i)
		fmt.Fprintf(&b, "%v %v", p.Template != nil, p.Variadic)
		if p.Type != nil {
			b.WriteString(renamed(p.Type, numbers))
		}
	}
	for i, p := range d.Params {
		if p.Name != "" {
			numbers[p.Name] = fmt.Sprintf("#%d", i)
		}
		fmt.Fprintf(&b, ", %v %s", p.Variadic, renamed(p.Type, numbers))
	}
	if d.Result != nil {
		b.WriteString(" " + renamed(d.Result, numbers))
	}
	f.form = b.String()
	c.spend(c.at, 2+len(f.form)/bytesPerStep)
	return f.form
}

// renamed spells a type with other names for some.
func renamed(x syntax.TypeExpr, names map[string]string) string {
	var text strings.Builder
	if syntax.Fprint(&text, x) != nil {
		return ""
	}
	var b strings.Builder
	for rest := text.String(); rest != ""; {
		n := strings.IndexFunc(rest, func(r rune) bool { return !isNameRune(r) })
		switch {
		case n < 0:
			n = len(rest)
		case n == 0:
			b.WriteByte(rest[0])
			rest = rest[1:]
			continue
		}
		word := rest[:n]
		if name, ok := names[word]; ok {
			word = name
		}
		b.WriteString(word)
		rest = rest[n:]
	}
	return b.String()
}

func isNameRune(r rune) bool {
	return r == '_' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
}
