package types

import (
	_ "embed"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

//go:embed event.metal
var eventText string

// labelled are functions of Apple's compiler by their labels, as event.metal defines them.
var labelled = map[string]string{
	"air.simdgroup_async_copy_1d.p3i8.p1i8": "__event_copy_1d_in",
	"air.simdgroup_async_copy_1d.p1i8.p3i8": "__event_copy_1d_out",
	"air.simdgroup_async_copy_2d.p3i8.p1i8": "__event_copy_2d_in",
	"air.simdgroup_async_copy_2d.p1i8.p3i8": "__event_copy_2d_out",
	"air.wait_simdgroup_events":             "__event_wait",
}

// literalLabel begins a label that is the name of a function as it stands.
const literalLabel = "\x01"

// asmLabel is the attribute __asm("name") after a declaration, nil if there is none.
func asmLabel(d *syntax.FuncDecl) *syntax.Attr {
	for _, a := range d.Attrs {
		if a.Name == syntax.AsmLabel && a.Scope == "gnu" && len(a.Args) == 1 {
			return a
		}
	}
	return nil
}

// labelText is the label itself.
func labelText(a *syntax.Attr) string {
	if s, ok := a.Args[0].(*syntax.StringLit); ok {
		return s.Value
	}
	return ""
}

// checkLabel says what compilers make of the label of a declaration.
func (c *checker) checkLabel(d *syntax.FuncDecl) {
	a := asmLabel(d)
	if a == nil || !strings.Contains(labelText(a), ".") || strings.HasPrefix(labelText(a), literalLabel) {
		return
	}
	if pos := a.Args[0].Pos(); c.cfg.Version >= 400 {
		c.errorf(pos, codeAsmLabel,
			"illegal string literal in 'asm': a compiler that has Metal 4 takes no label with a dot")
	} else {
		c.warnf(pos, codeAsmLabel,
			"compilers since that of macOS 26 refuse this label: illegal string literal in 'asm'")
	}
}

// labelledDefinition is the library's definition of the function that a label names, nil if
// there is none or if it has other parameters.
func (c *checker) labelledDefinition(r *routine) *syntax.FuncDecl {
	a := asmLabel(r.decl)
	if a == nil {
		return nil
	}
	set, ok := c.stdMember(labelled[strings.TrimPrefix(labelText(a), literalLabel)]).(*funcSet)
	if !ok || r.decl.Template != nil || len(set.list[0].plain.params) != len(r.params) {
		return nil
	}
	for i, p := range set.list[0].plain.params {
		if !labelTakes(p.typ, r.params[i].typ) {
			return nil
		}
	}
	r.scope = c.prelude
	return set.list[0].def
}

// labelTakes reports whether a parameter of the library's definition can be one of the
// declaration: what pointers point to is no part of the label.
func labelTakes(own, declared hir.Type) bool {
	p, isPtr := own.(*hir.Pointer)
	q, alsoPtr := declared.(*hir.Pointer)
	if isPtr && alsoPtr {
		return p.Space == q.Space
	}
	return hir.Identical(own, declared)
}
