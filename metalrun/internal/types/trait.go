package types

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

//go:embed prelude.metal
var preludeText string

//go:embed texture.metal
var textureText string

//go:embed clang.metal
var clangText string

// A module is a part of the standard library that is written in MSL. It is checked when a
// program first names something that may be in it.
type module struct {
	file  func() *syntax.File // the tree, which depends only on the text
	names func() map[string]bool
}

// modules are the parts, those that others use first.
var modules = []module{newModule(&preludeText), newModule(&textureText), newModule(&clangText), newModule(&eventText)}

// preludeName is the file of positions in the modules. Faults there have the
// position of the use that led to them.
const preludeName = "metal_stdlib"

func newModule(text *string) module {
	m := module{file: sync.OnceValue(func() *syntax.File {
		file, _ := syntax.Parse(preludeName, map[string]string{preludeName: "namespace metal {\n" + *text + "\n}"},
			syntax.Config{Version: 310})
		return file
	})}
	m.names = sync.OnceValue(func() map[string]bool { return declared(m.file()) })
	return m
}

// declared are the names that a module declares.
func declared(file *syntax.File) map[string]bool {
	names := map[string]bool{}
	for _, d := range file.Decls {
		for _, m := range d.(*syntax.NamespaceDecl).Decls {
			switch m := m.(type) {
			case *syntax.StructDecl:
				names[m.Name.Last().Ident] = true
			case *syntax.EnumDecl:
				names[m.Name] = true
			case *syntax.TypedefDecl:
				names[m.Name] = true
			case *syntax.FuncDecl:
				names[m.Name.Last().Ident] = true
			case *syntax.VarDecl:
				names[m.Name] = true
			}
		}
	}
	return names
}

// stdMember finds a declaration of the standard library that is written in MSL.
func (c *checker) stdMember(name string) entity {
	for i, m := range modules {
		if m.names()[name] {
			c.loadModules(i)
			return c.prelude.names[name]
		}
	}
	return nil
}

// loadModules checks the modules up to number last that have not been.
func (c *checker) loadModules(last int) {
	if c.prelude == nil {
		c.prelude = newScope(c.global, namespaceScope)
		c.prelude.path = "metal::"
	}
	for c.loaded <= last {
		decls := modules[c.loaded].file().Decls
		c.loaded++
		speculating, suppressed, classes, version := c.speculating, c.suppressed, c.classes, c.cfg.Version
		c.speculating, c.classes, c.cfg.Version = 0, nil, 400
		c.in(context{scope: c.prelude, limit: unlimited, math: c.math, user: c.user}, func() {
			for _, d := range decls {
				c.decls(d.(*syntax.NamespaceDecl).Decls)
			}
		})
		c.speculating, c.suppressed, c.classes, c.cfg.Version = speculating, suppressed, classes, version
	}
}

// stdArray reports whether s is metal::array<T, N>, whose N was no error.
func (c *checker) stdArray(t hir.Type) bool {
	s, ok := t.(*hir.Struct)
	if !ok || len(s.Fields) == 0 || c.prelude == nil || c.structs[s] == nil || c.structs[s].template == nil {
		return false
	}
	return entity(c.structs[s].template) == c.prelude.names["array"]
}

// elements is the array inside a metal::array.
func (c *checker) elements(op operand) operand {
	if op.expr == nil || !c.stdArray(op.typ()) {
		return op
	}
	return c.fieldPath(op, []int{0}, op.at())
}

// predicates are the traits that only the checker can answer, with the number of types they take.
var predicates = map[string]int{
	"is_union_v": 1, "is_function_v": 1, "is_lvalue_reference_v": 1, "is_rvalue_reference_v": 1,
	"is_trivially_copyable_v": 1,
	"is_enum_v":               1, "is_class_v": 1, "is_empty_v": 1, "is_pointer_v": 1, "is_reference_v": 1,
	"is_convertible_v": 2,
	"is_base_of_v":     2,
}

func (c *checker) predicate(name string, a []templateArg) bool {
	s, isStruct := a[0].typ.(*hir.Struct)
	switch name {
	case "is_enum_v":
		_, ok := a[0].typ.(*hir.Enum)
		return ok
	case "is_class_v":
		return isStruct && !s.Union
	case "is_empty_v":
		return isStruct && hir.IsEmpty(s)
	case "is_pointer_v":
		_, ok := a[0].typ.(*hir.Pointer)
		return ok && !a[0].q.ref
	case "is_reference_v":
		return a[0].q.ref
	case "is_union_v":
		return isStruct && s.Union
	case "is_function_v":
		sig, ok := a[0].typ.(*hir.Signature)
		return ok && !sig.Pointer
	case "is_lvalue_reference_v":
		return a[0].q.ref && !a[0].q.rvalueRef
	case "is_rvalue_reference_v":
		return a[0].q.ref && a[0].q.rvalueRef
	case "is_trivially_copyable_v":
		return !a[0].q.ref && !isVoid(a[0].typ) && !c.copies(a[0].typ) && !c.destroys(a[0].typ)
	case "is_base_of_v":
		return hir.Identical(a[0].typ, a[1].typ) || c.basePath(a[1].typ, a[0].typ) != nil
	}
	if isVoid(a[0].typ) || isVoid(a[1].typ) {
		return isVoid(a[0].typ) && isVoid(a[1].typ)
	}
	from := operand{expr: &hir.VarExpr{Node: hir.At(syntax.Pos{}, a[0].typ), Var: &hir.Var{Type: a[0].typ}},
		lvalue: true, space: syntax.Thread}
	_, ok := c.rank(from, a[1].q)
	return ok
}

// traitValue is NAME_v<args>.
func (c *checker) traitValue(n *syntax.Name, std bool) (operand, bool) {
	last := n.Last()
	inside := c.scope
	for inside != nil && inside != c.prelude {
		inside = inside.parent
	}
	if name, ok := strings.CutPrefix(last.Ident, "__is_"); ok && last.HasArgs {
		return c.intrinsicTrait(n, "is_"+name+"_v")
	}
	if !std && (inside == nil || c.prelude == nil) || !last.HasArgs || !strings.HasSuffix(last.Ident, "_v") {
		return operand{}, false
	}
	targs, ok := c.templateArgs(last)
	if !ok {
		return operand{}, true
	}
	if want := predicates[last.Ident]; want > 0 {
		if len(targs) != want || targs[0].typ == nil || targs[want-1].typ == nil {
			c.errorf(n.Pos(), codeTemplateArguments, "got %d template arguments, want %d types for %s", len(targs),
				want, last.Ident)
			return operand{}, true
		}
		bits := uint64(0)
		if c.predicate(last.Ident, targs) {
			bits = 1
		}
		return value(constant(n.Pos(), hir.Bool, bits)), true
	}
	t, ok := c.stdMember(strings.TrimSuffix(last.Ident, "_v")).(*classTemplate)
	if !ok {
		return operand{}, false
	}
	q, ok := c.classInstance(t, targs, n.Pos())
	if !ok {
		return operand{}, true
	}
	if s, isStruct := q.typ.(*hir.Struct); isStruct {
		if v, isVar := c.memberField(c.structs[s], "value").(*varEntity); isVar {
			return variable(n.Pos(), v.v, false), true
		}
	}
	return operand{}, false
}

// intrinsicTrait is __is_NAME(types), which the compiler answers even if the program calls by the names of the library.
func (c *checker) intrinsicTrait(n *syntax.Name, name string) (operand, bool) {
	targs, ok := c.templateArgs(n.Last())
	if !ok {
		return operand{}, true
	}
	want, known := predicates[name]
	if name == "is_same_v" {
		want, known = 2, true
	}
	if !known || len(targs) != want {
		c.errorf(n.Pos(), codeUnsupported, "%s with %d types is not supported", n.Last().Ident, len(targs))
		return operand{}, true
	}
	answer := name == "is_same_v" && sameQual(targs[0].q, targs[want-1].q)
	if name != "is_same_v" {
		answer = c.predicate(name, targs)
	}
	return value(constant(n.Pos(), hir.Bool, hir.BoolBits(answer))), true
}

// unsupportedTypes begin the names of types of the library that programs for
// other stages or with other resources use.
var unsupportedTypes = []string{
	"imageblock", "intersector", "intersection_query", "intersection_result", "intersection_params",
	"primitive_acceleration_structure",
	"instance_acceleration_structure", "tensor", "cooperative_tensor", "depth2d_ms_array", "depthcube_array",
	"texture2d_ms_array",
	"intersection_function_table", "array_ref", "raytracing", "render_command", "compute_command",
	"acceleration_structure",
	"dextents", "extents", "command_buffer", "compute_pipeline_state", "render_pipeline_state", "depth_stencil_state",
	"mesh_grid_properties",
	"mesh", "patch_control_point", "r8unorm", "r8snorm", "r16unorm", "r16snorm", "rg8", "rg16", "rgba8", "rgba16",
	"srgba8", "rgb10a2", "rg11b10f", "rgb9e5",
}

// tensorTypes are what <metal_tensor> declares since Metal 4.
var tensorTypes = []string{"tensor", "cooperative_tensor", "dextents", "extents"}

// unsupportedType is a type of the library that this front end does not have, nil for
// any other name. Those of <metal_tensor> are Metal 4's.
func (c *checker) unsupportedType(name string) hir.Type {
	if c.cfg.Version < 400 && slices.Contains(tensorTypes, name) {
		return absentType{name, codeLanguageVersion, c.tooEarly(400, name)}
	}
	for _, u := range unsupportedTypes {
		if strings.HasPrefix(name, u) {
			return absentType{name, codeUnsupported, "the type " + name + " is not supported"}
		}
	}
	return nil
}

// isStdType reports whether the library has a type of that name.
func (c *checker) isStdType(name string) bool {
	_, atomic := atomicNames[name]
	return atomic || stdNamedType(name) != nil || c.stdMember(name) != nil
}
