package lower

import (
	"math"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// positions maps the attribute of a builtin input to its first component.
var positions = map[string]ir.Source{
	"thread_position_in_grid":             ir.ThreadPositionInGridX,
	"thread_position_in_threadgroup":      ir.ThreadPositionInThreadgroupX,
	"threadgroup_position_in_grid":        ir.ThreadgroupPositionInGridX,
	"threads_per_grid":                    ir.ThreadsPerGridX,
	"threads_per_threadgroup":             ir.ThreadsPerThreadgroupX,
	"dispatch_threads_per_threadgroup":    ir.DispatchThreadsPerThreadgroupX,
	"threadgroups_per_grid":               ir.ThreadgroupsPerGridX,
	"grid_size":                           ir.ThreadsPerGridX,
	"thread_index_in_threadgroup":         ir.ThreadIndexInThreadgroup,
	"thread_index_in_simdgroup":           ir.ThreadIndexInSimdgroup,
	"thread_index_in_quadgroup":           ir.ThreadIndexInQuadgroup,
	"simdgroup_index_in_threadgroup":      ir.SimdgroupIndexInThreadgroup,
	"quadgroup_index_in_threadgroup":      ir.QuadgroupIndexInThreadgroup,
	"simdgroups_per_threadgroup":          ir.SimdgroupsPerThreadgroup,
	"quadgroups_per_threadgroup":          ir.QuadgroupsPerThreadgroup,
	"threads_per_simdgroup":               ir.ThreadsPerSimdgroup,
	"thread_execution_width":              ir.ThreadsPerSimdgroup,
	"dispatch_simdgroups_per_threadgroup": ir.DispatchSimdgroupsPerThreadgroup,
	"dispatch_quadgroups_per_threadgroup": ir.DispatchQuadgroupsPerThreadgroup,
}

// entry lowers the entry point: its parameters, then its body.
func (l *lowerer) entry(fn *hir.Func) {
	block := &ir.Block{Pos: fn.Pos, Name: fn.Name}
	list := l.into(func() {
		for i, v := range fn.Params {
			restore := l.at(v.Pos)
			l.kernelParam(v, fn.Kernel.Args[i])
			restore()
		}
		l.frame = &frame{block: block}
		l.stmts(fn.Body.List, true)
	})
	block.Body = append(l.prelude, list...)
	l.k.Body = []ir.Node{block}
}

func (l *lowerer) kernelParam(v *hir.Var, arg hir.KernelArg) {
	switch arg.Kind {
	case hir.BufferArg:
		l.pointerParam(v, arg, l.input(ir.BufferPointer, arg.Index, v.Name))
	case hir.ThreadgroupArg:
		l.pointerParam(v, arg, l.input(ir.ThreadgroupPointer, arg.Index, v.Name))
	case hir.ValueArg:
		l.argument(v, arg, v.Type, syntax.Constant, true)
		base := l.input(ir.BufferPointer, arg.Index, v.Name)
		source := memory(v.Type, address{space: syntax.Constant, base: base, index: ir.None})
		if !l.storage.written[v] && !l.storage.addressed[v] {
			l.vars[v] = source
			return
		}
		l.declare(v, l.read(source))
	case hir.InputArg:
		l.declare(v, l.positionInput(v.Type, arg.Input))
	case hir.TextureArg:
		var regs []ir.Reg
		for i, slot := range arg.Slots {
			a := ir.Arg{Name: v.Name, Pos: v.Pos, Index: slot, Texture: true, Entry: arg.Index + i,
				Type: v.Type.String(), Size: 1, Align: 16, Space: syntax.Device}
			l.k.Args = append(l.k.Args, a)
			regs = append(regs, l.input(ir.BufferPointer, slot, v.Name))
		}
		l.declare(v, regs)
	case hir.TableArg:
		l.k.Args = append(l.k.Args, ir.Arg{Name: v.Name, Pos: v.Pos, Index: arg.Index, Type: v.Type.String(), Size: 8,
			Align: 8, Const: true, Space: syntax.Device})
		l.declare(v, []ir.Reg{l.input(ir.BufferPointer, arg.Index, v.Name)})
	case hir.SamplerArg:
		l.declare(v, l.zero(v.Type)) // as a host gets it that sets nothing
	case hir.AbsentArg:
		null := l.op(ir.Copy, ir.Ptr, l.literal(ir.Ptr, 0)) // an access faults
		if v.Ref {
			l.vars[v] = memory(v.Type, address{space: v.Space, base: null, index: ir.None})
			return
		}
		if _, ok := v.Type.(*hir.Pointer); !ok {
			l.declare(v, l.zero(v.Type))
			return
		}
		l.declare(v, []ir.Reg{null})
	}
}

// pointerParam binds a pointer or reference parameter to its launch argument.
func (l *lowerer) pointerParam(v *hir.Var, arg hir.KernelArg, base ir.Reg) {
	if v.Ref {
		l.argument(v, arg, v.Type, v.Space, v.Const)
		l.vars[v] = memory(v.Type, address{space: v.Space, base: base, index: ir.None})
		return
	}
	p, ok := v.Type.(*hir.Pointer)
	if !ok {
		l.fail("kernel-argument", "argument %s of kernel %s is no pointer", v.Name, l.k.Name)
	}
	l.argument(v, arg, p.Elem, p.Space, p.Const)
	l.declare(v, []ir.Reg{base})
}

func (l *lowerer) argument(v *hir.Var, arg hir.KernelArg, elem hir.Type, space syntax.Space, readOnly bool) {
	l.k.Args = append(l.k.Args, ir.Arg{
		Name: v.Name, Pos: v.Pos, Threadgroup: arg.Kind == hir.ThreadgroupArg, Index: arg.Index,
		Type: elem.String(), Size: elem.Size(), Align: elem.Align(),
		Const: readOnly || space == syntax.Constant, Space: space,
	})
}

// positionInput is the value of a builtin input. Of one that counts the grid, a
// 16-bit type holds the low bits; those of a threadgroup fit.
func (l *lowerer) positionInput(t hir.Type, attr string) []ir.Reg {
	first, ok := positions[attr]
	if attr == "grid_origin" { // of launches that read per-thread stage-in data; others begin at 0
		return l.zero(t)
	}
	if !ok {
		l.fail("kernel-input", "input [[%s]] is not supported", attr)
	}
	n := 1
	kind := scalarKind(t)
	if vec, ok := t.(hir.Vector); ok {
		n, kind = vec.N, vec.Elem
	}
	regs := make([]ir.Reg, n)
	for i := range regs {
		regs[i] = l.input(first+ir.Source(i), 0, attr)
		switch {
		case kind.Size() == 8:
			regs[i] = l.convert(ir.U32, ir.U64, regs[i])
		case kind.Size() == 2 && inputBound(first+ir.Source(i)) > math.MaxUint16:
			regs[i] = l.convert(ir.U32, ir.U16, regs[i])
		}
	}
	return regs
}
