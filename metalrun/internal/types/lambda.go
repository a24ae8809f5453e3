package types

import (
	"fmt"
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A lambda is an object of a struct of its own, the closure: what it captures are the
// fields, its body is the operator().

// captureEntity is a captured variable, or "this", inside the body of a lambda.
type captureEntity struct {
	closure *structInfo
	field   int
}

// lambdaKey tells the lambdas of one expression in several instances of a template apart.
type lambdaKey struct {
	x     *syntax.LambdaExpr
	scope *scope
}

// lambda is the closure that x makes.
func (c *checker) lambda(x *syntax.LambdaExpr) operand {
	if c.cfg.Version < 400 {
		c.errorf(x.Pos(), codeLanguageVersion, "lambda expressions are not supported in Metal %d.%d", c.cfg.Version/100,
			c.cfg.Version/10%10)
		return operand{}
	}
	key := lambdaKey{x, c.scope}
	if e, ok := c.lambdas[key]; ok {
		return value(e)
	}
	info := c.newStruct(&syntax.StructDecl{Keyword: "struct", Body: true}, "", c.scope)
	info.typ.Name = fmt.Sprintf("(lambda at %s)", x.Pos())
	info.lambda, info.enclosing = true, c.function()
	made := &hir.Construct{Node: hir.At(x.Pos(), info.typ)}
	if !c.captures(x, info, made) {
		return operand{}
	}
	c.layout(info, info.decl)
	info.complete = true
	c.lambdas[key] = made
	if !c.callOperator(x, info) {
		return operand{}
	}
	return value(made)
}

// callOperator declares the operator() of a closure and checks its body.
func (c *checker) callOperator(x *syntax.LambdaExpr, info *structInfo) bool {
	d := &syntax.FuncDecl{Template: x.Template, Result: x.Result, Body: x.Body, Params: x.Params}
	d.SetPos(x.Pos())
	d.Name = &syntax.Name{Parts: []syntax.NamePart{{Pos: x.Pos(), Ident: "operator()"}}}
	d.Name.SetPos(x.Pos())
	d.Quals.Const = !x.Mutable
	d.Specs.Constexpr = true
	if d.Result == nil {
		auto := &syntax.AutoType{}
		auto.SetPos(x.Pos())
		d.Result = auto
	}
	if !c.defaultsOfLambda(x) {
		return false
	}
	abbreviated(d)
	set := &funcSet{name: "operator()"}
	info.scope.names[set.name] = set
	f := &function{name: set.name, decl: d, scope: info.scope, owner: info}
	errs := len(c.errs) + c.suppressed
	ctx := c.context
	ctx.scope = info.scope
	limit := c.limit
	c.in(ctx, func() {
		c.classes = append(c.classes, info) // the body comes below
		c.addFunction(set, f)
		c.classes = c.classes[:len(c.classes)-1]
	})
	f.limit = limit
	if f.plain != nil {
		c.ensureBody(f.plain, d.Pos())
	}
	return len(c.errs)+c.suppressed == errs
}

// abbreviated makes parameters of type auto parameters of a template.
func abbreviated(d *syntax.FuncDecl) {
	tmpl := &syntax.Template{}
	if d.Template != nil {
		*tmpl = *d.Template
		tmpl.Params = slices.Clone(tmpl.Params)
	}
	params := make([]*syntax.Param, len(d.Params))
	for i, p := range d.Params {
		t := &syntax.TemplateParam{Name: fmt.Sprintf("auto:%d", i), Variadic: p.Variadic}
		q := *p
		var found bool
		if q.Type, found = namedAuto(p.Type, t.Name); found {
			tmpl.Params = append(tmpl.Params, t)
		}
		params[i] = &q
	}
	if len(tmpl.Params) > 0 {
		d.Template, d.Params = tmpl, params
	}
}

// namedAuto is a type with auto replaced by a name; found tells whether there was one.
func namedAuto(x syntax.TypeExpr, name string) (t syntax.TypeExpr, found bool) {
	switch x := x.(type) {
	case *syntax.AutoType:
		n := &syntax.NamedType{Name: &syntax.Name{Parts: []syntax.NamePart{{Pos: x.Pos(), Ident: name}}}}
		n.SetPos(x.Pos())
		n.Name.SetPos(x.Pos())
		return n, true
	case *syntax.QualType:
		q := *x
		q.Base, found = namedAuto(x.Base, name)
		return &q, found
	case *syntax.ReferenceType:
		r := *x
		r.Elem, found = namedAuto(x.Elem, name)
		return &r, found
	case *syntax.PointerType:
		p := *x
		p.Elem, found = namedAuto(x.Elem, name)
		return &p, found
	}
	return x, false
}

// captures gives the closure its fields and their values.
func (c *checker) captures(x *syntax.LambdaExpr, info *structInfo, made *hir.Construct) bool {
	ok := true
	for _, k := range x.Captures {
		if info.scope.names[k.Name] != nil {
			c.errorf(k.Pos, codeRedeclared, "%s is captured already", k.Name)
			return false
		}
		ok = c.capture(k, info, made) && ok
	}
	if x.Default == "" {
		return ok
	}
	syntax.Inspect(x.Body, func(n syntax.Node) bool {
		name := ""
		switch n := n.(type) {
		case *syntax.ThisExpr:
			name = "this"
		case *syntax.Name:
			if !n.Global {
				name = n.Parts[0].Ident
			}
		}
		if name != "" && c.isThis(name) {
			name = "this"
		}
		if name != "" && info.scope.names[name] == nil && c.capturable(name) {
			k := syntax.Capture{Pos: n.Pos(), Name: name, Ref: x.Default == "&"}
			ok = c.capture(k, info, made) && ok
		}
		return true
	})
	return ok
}

// isThis reports whether a name denotes a member that is accessed through this.
func (c *checker) isThis(name string) bool {
	if c.fn == nil || c.fn.this == nil {
		return false
	}
	switch e := c.lookup(name).ent.(type) {
	case *fieldEntity:
		return true
	case *funcSet:
		return len(e.list) > 0 && e.list[0].owner != nil && !e.list[0].isStatic()
	}
	return false
}

// capturable reports whether a name denotes a variable of the enclosing function whose
// object the body needs: not what is constant, nor what all threads share.
func (c *checker) capturable(name string) bool {
	if name == "this" {
		_, ok := c.thisObject(syntax.Pos{})
		return ok
	}
	switch e := c.lookup(name).ent.(type) {
	case *varEntity:
		return c.isLocal(e)
	case *captureEntity:
		return true
	case *packEntity:
		for _, elem := range e.elems {
			switch elem := elem.(type) {
			case *varEntity:
				return c.isLocal(elem)
			case *captureEntity:
				return true
			}
		}
	}
	return false
}

func (c *checker) isLocal(e *varEntity) bool {
	_, scalar := e.v.Type.(hir.Kind)
	return e.owner != nil && !(scalar && e.v.Data != nil) && !isShared(e.v)
}

// isShared reports whether v is a threadgroup variable, which is one object for all threads.
func isShared(v *hir.Var) bool { return v.Space == syntax.Threadgroup && !v.Ref }

// capture adds one capture to a closure.
func (c *checker) capture(k syntax.Capture, info *structInfo, made *hir.Construct) bool {
	if k.Name == "this" || k.Name == "*this" {
		op, ok := c.thisObject(k.Pos)
		if !ok {
			c.errorf(k.Pos, codeNoObject, "this exists in member functions only")
			return false
		}
		return c.captureObject("this", op, k.Name == "this", info, made) != nil
	}
	if k.Init != nil {
		op := c.expr(k.Init)
		if op.list != nil {
			c.errorf(k.Pos, codeBracedList, "a braced list has no type")
			return false
		}
		return !op.bad() && c.captureObject(k.Name, op, k.Ref, info, made) != nil
	}
	switch e := c.lookup(k.Name).ent.(type) {
	case *varEntity, *captureEntity:
		return c.captureEntity(k, e, info, made) != nil
	case *packEntity:
		pack := &packEntity{}
		for _, elem := range e.elems {
			captured := c.captureEntity(k, elem, info, made)
			if captured == nil {
				return false
			}
			pack.elems = append(pack.elems, captured)
		}
		info.scope.names[k.Name] = pack
		return true
	}
	c.errorf(k.Pos, codeUndeclared, "%s is no variable that a lambda can capture", k.Name)
	return false
}

func (c *checker) captureEntity(k syntax.Capture, e entity, info *structInfo, made *hir.Construct) entity {
	op := c.denote(nameExpr(k.Pos, k.Name), e)
	if op.bad() {
		return nil
	}
	return c.captureObject(k.Name, op, k.Ref, info, made)
}

// captureObject keeps a copy of an object, or its address, in a field of the closure.
func (c *checker) captureObject(name string, op operand, byReference bool, info *structInfo,
	made *hir.Construct) entity {
	f := hir.Field{Name: name}
	var e hir.Expr
	if byReference {
		if !op.lvalue || op.noAddr != "" {
			c.errorf(op.at(), codeReferenceBinding, "a reference cannot be captured to %s", op.describe())
			return nil
		}
		q := qual{typ: op.typ(), space: op.space, isConst: op.const_, volatile: op.volatile, ref: true}
		f.Type, f.Const, f.Ref = pointerTo(q), true, true
		e = c.kept(f, op.expr)
	} else {
		f.Type = op.typ()
		switch f.Type.(type) {
		case *hir.Array, *hir.Struct:
			e = c.copyOf(op, f.Type, op.at())
		default:
			if e = c.rvalue(op); e != nil {
				f.Type = e.Type()
			}
		}
	}
	if e == nil {
		return nil
	}
	captured := &captureEntity{info, len(info.typ.Fields)}
	info.scope.names[name] = captured
	info.typ.Fields = append(info.typ.Fields, f)
	info.inits = append(info.inits, nil)
	made.Args = append(made.Args, e)
	return captured
}

// captured is what a captured variable denotes in the body of the lambda.
func (c *checker) captured(pos syntax.Pos, e *captureEntity) operand {
	if c.fn == nil || c.fn.this == nil || c.fn.this.Type != hir.Type(e.closure.typ) {
		c.errorf(pos, codeOuterVariable, "%s belongs to the enclosing function", e.closure.typ.Fields[e.field].Name)
		return operand{}
	}
	return c.fieldPath(variable(pos, c.fn.this, false), []int{e.field}, pos)
}

// thisObject is the object that this points to; ok is false where there is none.
func (c *checker) thisObject(pos syntax.Pos) (op operand, ok bool) {
	if c.fn == nil || c.fn.this == nil {
		return operand{}, false
	}
	if owner := c.fn.r.of.owner; owner != nil && owner.lambda {
		e, ok := owner.scope.names["this"].(*captureEntity)
		if !ok {
			return operand{}, false
		}
		return c.captured(pos, e), true
	}
	return variable(pos, c.fn.this, false), true
}

// A lambda without captures is a pointer to a function too: to a static member of its
// closure that has the same parameters and the same body.

// lambdaFunction is that member of the closure s, nil if s is none or has captures.
func (c *checker) lambdaFunction(s *hir.Struct) *funcSet {
	const name = "(function)"
	info := c.structs[s]
	if info == nil || !info.lambda || len(s.Fields) > 0 {
		return nil
	}
	if set, ok := info.scope.names[name].(*funcSet); ok {
		return set
	}
	body := info.scope.names["operator()"].(*funcSet).list[0]
	d := *body.decl
	d.Name = nameExpr(d.Pos(), name).Name
	d.Quals.Const, d.Specs.Static = false, true
	set := &funcSet{name: name}
	info.scope.names[name] = set
	ctx := c.context
	ctx.scope = info.scope
	c.in(ctx, func() {
		c.classes = append(c.classes, info)
		c.addFunction(set, &function{name: name, decl: &d, scope: info.scope, owner: info,
			definitionPoint: definitionPoint{limit: body.limit}})
		c.classes = c.classes[:len(c.classes)-1]
	})
	return set
}

// lambdaPointer converts a closure to a pointer to a function; ok is false if it is none for sig.
func (c *checker) lambdaPointer(s *hir.Struct, sig *hir.Signature, pos syntax.Pos) (e hir.Expr, ok bool) {
	set := c.lambdaFunction(s)
	if set == nil {
		return nil, false
	}
	r := c.matching(operand{fns: set, pos: pos}, sig)
	if r == nil {
		return nil, false
	}
	return c.addressOfRoutine(r, pos), true
}

// lambdaValue is the pointer that a closure becomes as the operand of a unary plus.
func (c *checker) lambdaValue(op operand, pos syntax.Pos) (operand, bool) {
	s, ok := op.typ().(*hir.Struct)
	if !ok {
		return op, false
	}
	set := c.lambdaFunction(s)
	if set == nil || set.list[0].isTemplate() {
		return op, false
	}
	return c.functionOperand(operand{fns: set, pos: pos}, pos), true
}
