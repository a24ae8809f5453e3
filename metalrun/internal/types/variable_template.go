package types

import "metalconform/metalrun/internal/syntax"

// A varTemplate is a template of variables: each instance is a constant.
type varTemplate struct {
	name      string
	decl      *syntax.VarDecl
	scope     *scope
	seq       int
	special   []*specialisation
	instances map[string]*varEntity // nil after an error in the initialiser
}

// variableTemplate declares a template of variables, or a specialisation of one.
func (c *checker) variableTemplate(d *syntax.VarDecl) {
	if d.Written == nil {
		c.declare(d.Pos(), d.Name, &varTemplate{name: d.Name, decl: d, scope: c.scope, seq: c.nextSeq(), instances: map[string]*varEntity{}})
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
	t.special = append(t.special, &specialisation{tmpl: d.Template, pos: d.Pos(), args: last.Args, scope: c.scope, variable: d})
}

// variableInstance is the variable that a template becomes with the arguments of p.
func (c *checker) variableInstance(t *varTemplate, p *syntax.NamePart) operand {
	targs, ok := c.templateArgs(p)
	if !ok {
		return operand{}
	}
	b := newBinding(t.decl.Template, t.scope)
	if len(targs) > len(b.params) && b.variadic() < 0 {
		c.errorf(p.Pos, codeTemplateArguments, "got %d template arguments, want at most %d for %s", len(targs), len(b.params), t.name)
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
		c.muffle() // reported where it was made
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
	d := *t.decl
	if special != nil {
		d = *special.variable
		d.Written = nil
	} else {
		bound = b
	}
	d.Name = t.name + argsText(b.args)
	quiet, muffled, converting := c.quiet, c.muffled, c.converting
	c.quiet, c.converting = 0, 0
	var made *varEntity
	ctx := context{scope: newScope(bound.scope, blockScope), limit: unlimited, math: c.math, depth: c.depth + 1, user: c.user}
	c.in(ctx, func() {
		if q, ok := c.typeOrAuto(d.Type); ok {
			c.constantVar(&d, q, t.scope.path)
			made, _ = c.scope.names[d.Name].(*varEntity)
		}
	})
	c.quiet, c.muffled, c.converting = quiet, muffled, converting
	return made
}

// memberVariable is the definition of a static member outside of its struct, which has
// its value there already.
func (c *checker) memberVariable(d *syntax.VarDecl) {
	if d.Template != nil && len(d.Template.Params) > 0 {
		if d.Init != nil {
			c.errorf(d.Pos(), codeUnsupported, "a value for %s outside of its class template is not supported: give it inside", nameText(d.Written))
		}
		return // checked as lazily as the template
	}
	ent, _, ok := c.resolve(d.Written)
	if !ok {
		return
	}
	switch ent.(type) {
	case *varEntity:
		if d.Init != nil {
			c.errorf(d.Pos(), codeRedefined, "%s has its value already, in its struct", nameText(d.Written))
		}
	case *poisonEntity:
	default:
		c.errorf(d.Pos(), codeUndeclared, "%s has no member %s", qualifierText(d.Written), d.Name)
	}
}
