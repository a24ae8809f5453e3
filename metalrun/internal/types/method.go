package types

import (
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// methodDecl declares a member function, constructor or operator of a struct.
func (c *checker) methodDecl(info *structInfo, d *syntax.FuncDecl) {
	name := d.Name.Last()
	if d.Template != nil && len(d.Template.Params) == 0 {
		c.specialiseMember(info, d)
		return
	}
	if stageOf(d) != "" {
		return
	}
	if isDestructor(d) {
		c.destructors = true
		c.destructorDecl(info, d)
		return
	}
	if isKernel(d) {
		c.errorf(d.Pos(), codeKernelMember, "a kernel cannot be a member of a struct")
		return
	}
	if d.Specs.Friend {
		c.friendFunction(info, d)
		return
	}
	f := &function{name: name.Ident, decl: d, scope: c.scope, owner: info}
	info.protectFunction(f)
	switch {
	case f.isConstructor():
		if name.Ident != lastPart(bare(info.typ.Name)) {
			c.errorf(d.Pos(), codeUnknownType, "%s has no result type", name.Ident)
			return
		}
		set := &funcSet{name: name.Ident, list: info.ctors}
		c.addFunction(set, f)
		info.ctors = set.list
	case name.Conversion != nil:
		f.name = "operator"
		set := &funcSet{name: f.name}
		c.addFunction(set, f)
		info.convs = append(info.convs, set.list...)
	default:
		if name.Ident == "operator=" {
			if d.Default {
				return
			}
			info.assigned = true
		}
		if set := c.funcSetOf(d.Pos(), info.scope, name.Ident); set != nil {
			c.addFunction(set, f)
		}
	}
}

// bare is a struct's name without template arguments.
func bare(name string) string {
	if i := strings.IndexByte(name, '<'); i >= 0 && strings.HasSuffix(name, ">") {
		return name[:i]
	}
	return name
}
