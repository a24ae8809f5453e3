package analysis

import (
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// lower compiles the only kernel of a source.
func lower(t *testing.T, text string) *ir.Kernel {
	t.Helper()
	file, errs := syntax.Parse("test.metal", map[string]string{"test.metal": text}, syntax.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	program, errs := types.Check(file, types.Config{})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	k, err := ir.Lower(program.Kernels[0])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// assembler builds kernels, one instruction at a time.
type assembler struct {
	k    *ir.Kernel
	list *[]ir.Node
}

func assemble(build func(a *assembler)) *ir.Kernel {
	body := &ir.Block{Name: "test"}
	a := &assembler{k: &ir.Kernel{Name: "test", Body: []ir.Node{body}}, list: &body.Body}
	build(a)
	return a.k
}

func (a *assembler) literal(v int) ir.Reg {
	return a.k.Register(ir.RegInfo{Kind: ir.Literal, Type: ir.I32, Bits: uint64(v)})
}

func (a *assembler) input(s ir.Source) ir.Reg {
	return a.k.Register(ir.RegInfo{Kind: ir.Input, Type: ir.I32, Input: s})
}

func (a *assembler) variable(t ir.Type) ir.Reg {
	return a.k.Register(ir.RegInfo{Kind: ir.Variable, Type: t})
}

func (a *assembler) put(n ir.Node) { *a.list = append(*a.list, n) }

// op appends d = o(args) with a new temporary d.
func (a *assembler) op(o ir.Op, t ir.Type, args ...ir.Reg) ir.Reg {
	d := a.k.Temporary(t)
	a.set(o, d, args...)
	return d
}

func (a *assembler) set(o ir.Op, d ir.Reg, args ...ir.Reg) {
	a.put(&ir.Instr{Op: o, Dst: []ir.Reg{d}, Args: args})
}

// within appends to another list.
func (a *assembler) within(list *[]ir.Node, build func()) {
	outer := a.list
	a.list = list
	build()
	a.list = outer
}
