package types

import (
	"slices"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

// A globalBinding is a buffer, a texture or a sampler of program scope, which every function
// can use. It is an argument of each kernel that does.
type globalBinding struct {
	v   *hir.Var
	arg hir.KernelArg
}

// bindingAttribute is what makes a variable of program scope a binding, nil if nothing does.
func bindingAttribute(d *syntax.VarDecl) *syntax.Attr {
	for _, a := range d.Attrs {
		if a.Scope == "" && (a.Name == "buffer" || a.Name == "texture" || a.Name == "sampler") {
			return a
		}
	}
	return nil
}

// globalBinding declares "device float *p [[buffer(0)]];" and the like.
func (c *checker) globalBinding(d *syntax.VarDecl, a *syntax.Attr, q qual) {
	p := &syntax.Param{Type: d.Type, Name: d.Name, NamePos: d.NamePos, Attrs: d.Attrs}
	p.SetPos(d.Pos())
	arg, _, ok := hir.KernelArg{}, false, false
	switch {
	case !c.since(320, a.Pos(), "[["+a.Name+"]] on a variable of program scope"):
	case d.Init != nil:
		c.errorf(nameOf(d), codeInputType, "a binding of program scope has no initial value")
	case attribute(d.Attrs, "function_constant") != nil:
		c.errorf(a.Pos(), codeUnsupported,
			"a binding of program scope that depends on a function constant is not supported")
	default:
		arg, _, ok = c.kernelArg(p, q)
	}
	if !ok || !c.complete(q, d.Pos()) {
		c.poison(d)
		return
	}
	v := paramVar(p, q)
	v.Const = v.Const || !v.Ref
	c.bindings = append(c.bindings, globalBinding{v, arg})
	c.declare(d.NamePos, d.Name, &varEntity{v: v, seq: c.nextSeq(), volatile: q.volatile})
}

// recordUse notes that the function uses v, if that is a binding.
func (c *checker) recordUse(v *hir.Var) {
	if c.fn == nil || c.fn.unevaluated || c.fn.dead > 0 || c.speculating > 0 ||
		!slices.ContainsFunc(c.bindings, func(b globalBinding) bool { return b.v == v }) {
		return
	}
	if f := c.fn.r.fn; !slices.Contains(c.bound[f], v) {
		c.bound[f] = append(c.bound[f], v)
	}
}

// bindGlobals gives a kernel the bindings that it and the functions that it calls use.
func (c *checker) bindGlobals(k *hir.Func) {
	used, seen := map[*hir.Var]bool{}, map[*hir.Func]bool{}
	var visit func(f *hir.Func)
	visit = func(f *hir.Func) {
		if seen[f] {
			return
		}
		seen[f] = true
		for _, v := range c.bound[f] {
			used[v] = true
		}
		for _, call := range c.calls[f] {
			for _, callee := range call.callees() {
				visit(callee)
			}
		}
	}
	visit(k)
	params, args := slices.Clone(k.Params), slices.Clone(k.Kernel.Args)
	var explicit []bool
	var decls []*syntax.Param
	for _, v := range params {
		decls, explicit = append(decls, argumentOf(v)), append(explicit, true)
	}
	for _, b := range c.bindings {
		if used[b.v] {
			params, args = append(params, b.v), append(args, b.arg)
			decls, explicit = append(decls, argumentOf(b.v)), append(explicit, true)
		}
	}
	if len(params) == len(k.Params) || !c.duplicateIndices(decls, args, explicit) {
		return
	}
	for i := range args {
		args[i].Slots = nil
	}
	if c.textureSlots(decls, args) {
		k.Params, k.Kernel.Args = params, args
	}
}

// argumentOf is an argument as far as faults name it.
func argumentOf(v *hir.Var) *syntax.Param {
	p := &syntax.Param{Name: v.Name}
	p.SetPos(v.Pos)
	return p
}
