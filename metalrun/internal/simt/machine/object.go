package machine

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// Object is an object of a launch.
type Object struct {
	Table string     // "buffer" or "threadgroup"; of a variable its address space
	Index int        // in the table, -1 for a variable of the kernel
	Name  string     // as declared, "" for a binding without a declaration
	Pos   syntax.Pos // of a variable
}

// String is for messages.
func (o Object) String() string {
	switch {
	case o.Index < 0:
		return fmt.Sprintf("%s %q (%s)", o.Table, o.Name, o.Pos)
	case o.Name == "":
		return fmt.Sprintf("%s(%d)", o.Table, o.Index)
	}
	return fmt.Sprintf("%s(%d) %q", o.Table, o.Index, o.Name)
}

// objectIn is object n of an address space.
func (p *Program) objectIn(space syntax.Space, n int) Object {
	if i := n - ir.FirstObject; i >= 0 && i < len(p.Kernel.Objects) {
		return p.declared(i)
	}
	o := Object{Table: "buffer", Index: n - ir.FirstArg}
	if space == syntax.Threadgroup {
		o.Table = "threadgroup"
	}
	for _, a := range p.Kernel.Args {
		if a.Index == o.Index && a.Threadgroup == (space == syntax.Threadgroup) {
			o.Name = a.Name
			break
		}
	}
	return o
}

// declared is a variable of the kernel.
func (p *Program) declared(i int) Object {
	o := p.Kernel.Objects[i]
	return Object{Table: o.Space.String(), Index: -1, Name: o.Name, Pos: o.Pos}
}

// ObjectAt is object i of a machine.
func (p *Program) ObjectAt(i int) Object {
	switch {
	case i >= analysis.FirstStatic:
		return p.declared(i - analysis.FirstStatic)
	case i >= analysis.FirstThreadgroup:
		return p.objectIn(syntax.Threadgroup, i-analysis.FirstThreadgroup+ir.FirstArg)
	}
	return p.objectIn(syntax.Device, i+ir.FirstArg)
}

// ObjectOf is the object whose contents are given.
func (m *Machine) ObjectOf(mem *Memory) Object {
	for i := range m.Objects {
		if &m.Objects[i] == mem {
			return m.P.ObjectAt(i)
		}
	}
	return Object{Table: "memory", Index: -1, Pos: m.P.Kernel.Pos}
}
