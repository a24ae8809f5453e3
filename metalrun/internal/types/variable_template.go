package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A varTemplate is a template of variables: each instance is a constant.
type varTemplate struct {
	name      string
	decl      *syntax.VarDecl
	scope     *scope
	seq       int
	limit     int // what the initialiser can see of program scope
	special   []*specialisation
	instances map[string]*varEntity // nil after an error in the initialiser
}

// variableTemplate declares a template of variables, or a specialisation of one.
func (c *checker) variableTemplate(d *syntax.VarDecl) {
	if d.Written == nil {
		c.declare(d.Pos(), d.Name, &varTemplate{name: d.Name, decl: d, scope: c.scope, seq: c.nextSeq(),
			limit: c.seq, instances: map[string]*varEntity{}})
		return
	}
	last := d.Written.Last()
	if !last.HasArgs {
		c.memberVariable(d)
		return
	}
	ent, _, ok := c.resolve(d.Written)
	if !ok {
		return
	}
	t, ok := ent.(*varTemplate)
	if !ok {
		c.errorf(d.Pos(), codeUndeclared, "no variable template %s to specialise", nameText(d.Written))
		return
	}
	t.special = append(t.special, &specialisation{tmpl: d.Template, pos: d.Pos(), args: last.Args, scope: c.scope,
		variable: d, limit: c.seq})
}

// variableInstance is the variable that a template becomes with the arguments of p.
func (c *checker) variableInstance(t *varTemplate, p *syntax.NamePart) operand {
	targs, ok := c.templateArgs(p)
	if !ok {
		return operand{}
	}
	b := newBinding(t.decl.Template, t.scope)
	if len(targs) > len(b.params) && b.variadic() < 0 {
		c.errorf(p.Pos, codeTemplateArguments, "got %d template arguments, want at most %d for %s", len(targs),
			len(b.params), t.name)
		return operand{}
	}
	if !c.setAll(b, targs, p.Pos) {
		return operand{}
	}
	if missing, ok := c.bindDefaults(b, p.Pos); !ok {
		if missing != "" {
			c.errorf(p.Pos, codeTemplateArguments, "the template parameter %s of %s has no argument", missing, t.name)
		}
		return operand{}
	}
	key := argsKey(b.args)
	v, made := t.instances[key]
	if !made {
		v = c.makeVariable(t, b, p.Pos)
		t.instances[key] = v
	}
	if v == nil {
		c.suppress() // reported where it was made
		return operand{}
	}
	return variable(p.Pos, v.v, v.volatile)
}

// makeVariable evaluates the initialiser of an instance.
func (c *checker) makeVariable(t *varTemplate, b *binding, pos syntax.Pos) *varEntity {
	special, bound, ok := c.chooseSpecial(t.name, t.decl.Template, t.scope, t.special, b.args, pos)
	if !ok {
		return nil
	}
	if c.tooDeep(pos) {
		return nil
	}
	d, limit := *t.decl, t.limit
	if special != nil {
		d, limit = *special.variable, special.limit
		d.Written = nil
	} else {
		bound = b
	}
	d.Name = t.name + argsText(b.args)
	speculating, suppressed, converting := c.speculating, c.suppressed, c.converting
	c.speculating, c.converting = 0, 0
	var made *varEntity
	ctx := context{scope: newScope(bound.scope, blockScope), limit: limit, math: c.math, depth: c.depth + 1,
		user: c.user}
	c.in(ctx, func() {
		if q, ok := c.typeOrAuto(d.Type); ok {
			c.constantVar(&d, q, t.scope.path)
			made, _ = c.scope.names[d.Name].(*varEntity)
		}
	})
	c.speculating, c.suppressed, c.converting = speculating, suppressed, converting
	return made
}

// declareMember declares a static member whose value stands outside of its class.
func (c *checker) declareMember(info *structInfo, d *syntax.VarDecl, q qual) {
	c.externVar(d, q, info.typ.Name+"::")
	if info.template != nil {
		if def := info.template.values[d.Name]; def != nil {
			c.defineMember(info, def)
		}
	}
}

// defineMember gives a static member of a class the value that stands outside of it.
func (c *checker) defineMember(info *structInfo, def *syntax.VarDecl) {
	declared, ok := info.scope.names[def.Name].(*varEntity)
	if !ok {
		return
	}
	d := *def
	d.Written, d.Template, d.NamePos = nil, nil, def.Written.Last().Pos
	ctx := c.context
	ctx.scope = newScope(info.scope, blockScope)
	if def.Template != nil && len(def.Template.Params) > 0 {
		b := newBinding(def.Template, info.scope)
		if !c.setAll(b, info.targs, def.Pos()) {
			return
		}
		ctx.scope = b.scope
	}
	c.in(ctx, func() {
		q, ok := c.typeOrAuto(d.Type)
		if !ok || !c.sameDeclared(declared, q, &d) {
			return
		}
		c.constantVar(&d, q, info.typ.Name+"::")
		made, ok := c.scope.names[d.Name].(*varEntity)
		if !ok {
			return
		}
		declared.declared = false
		define(declared.v, made.v)
		if c.eval.Unset[made.v] {
			c.eval.Unset[declared.v] = true
		}
	})
}

// memberVariable is the definition of a static member outside of its class, which has its
// value there already unless it has it here.
func (c *checker) memberVariable(d *syntax.VarDecl) {
	if d.Template != nil && len(d.Template.Params) > 0 {
		if d.Init != nil {
			c.memberOfTemplate(d)
		}
		return // checked as lazily as the template
	}
	ent, where, ok := c.resolve(d.Written)
	if !ok {
		return
	}
	switch e := ent.(type) {
	case *varEntity:
		inClass := where.scope != nil && where.scope.kind == structScope
		switch {
		case d.Init == nil:
		case inClass && (e.declared || d.Template != nil && where.scope.str.givenOutside(d.Name)):
			c.defineMember(where.scope.str, d)
		default:
			c.errorf(d.Written.Last().Pos, codeRedefined, "%s has its value already, in its struct",
				nameText(d.Written))
		}
	case *poisonEntity:
	default:
		c.errorf(d.Pos(), codeUndeclared, "%s has no member %s", qualifierText(d.Written), d.Name)
	}
}

// givenOutside reports whether the template of a class gives a static member its value outside of it, so that a
// specialisation may give another.
func (info *structInfo) givenOutside(name string) bool {
	return info.template != nil && info.template.values[name] != nil
}

// memberOfTemplate keeps the value of a static member for the instances of its class template, and
// gives it to those that there are.
func (c *checker) memberOfTemplate(d *syntax.VarDecl) {
	t, ok := c.lookup(d.Written.Parts[0].Ident).ent.(*classTemplate)
	if !ok || len(d.Written.Parts) != 2 || !ownParameters(d.Written.Parts[0].Args, d.Template.Params) {
		c.errorf(d.Pos(), codeUnsupported,
			"a value for %s outside of its class template is not supported: give it inside", nameText(d.Written))
		return
	}
	if t.values == nil {
		t.values = map[string]*syntax.VarDecl{}
	}
	if old := t.values[d.Name]; old != nil {
		c.errorf(d.Written.Last().Pos, codeRedefined, "redefinition of '%s'", d.Name).Note(old.Written.Last().Pos,
			"previous definition is here")
		return
	}
	t.values[d.Name] = d
	for _, key := range sortedKeys(t.instances) {
		if s, ok := t.instances[key].typ.(*hir.Struct); ok && c.structs[s] != nil {
			if e, ok := c.structs[s].scope.names[d.Name].(*varEntity); ok && e.declared {
				c.defineMember(c.structs[s], d)
			}
		}
	}
}

// ownParameters reports whether template arguments are the parameters themselves, in order.
func ownParameters(args []syntax.TemplateArg, params []*syntax.TemplateParam) bool {
	return slices.EqualFunc(args, params, func(a syntax.TemplateArg, p *syntax.TemplateParam) bool {
		switch {
		case a.Type != nil:
			n, ok := a.Type.(*syntax.NamedType)
			return ok && nameText(n.Name) == p.Name && a.Pack == p.Variadic
		case a.X != nil:
			n, ok := a.X.(*syntax.NameExpr)
			return ok && nameText(n.Name) == p.Name && a.Pack == p.Variadic
		}
		return false
	})
}
