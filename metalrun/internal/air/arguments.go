package air

import (
	"strings"

	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// argument is what the metadata say of a parameter of a kernel.
type argument struct {
	param        int
	kind         string // buffer, thread_position_in_grid
	name, typ    string
	index, count int // in the table
	size, align  int // of what it points to
	bytes        int // of a buffer that is one object
	space        int
	written      bool
	members      *bitcode.Node // of the struct that it points to
}

// maxTable is more entries than a table of arguments has.
const maxTable = 1 << 10

// arguments reads the list of a kernel's arguments.
func arguments(f *bitcode.Func, list *bitcode.Node) (args []argument) {
	for _, n := range list.Operands() {
		ops := n.Operands()
		if len(ops) < 2 {
			continue
		}
		a := argument{kind: strings.TrimPrefix(text(ops[1]), "air."), count: 1}
		param, ok := number(ops[0])
		if !ok || param < 0 || param >= len(f.Params) {
			continue
		}
		a.param = param
		for i := 2; i < len(ops); i++ {
			i += a.property(text(ops[i]), ops[i+1:])
		}
		if t := f.Params[param].Type; t.Kind == bitcode.Pointer {
			a.space = t.Space // metadata before AIR 2.6 do not say it
		}
		if a.index < 0 || a.index > maxTable || a.size < 0 || a.align < 0 || a.align > 1<<12 {
			refuseArgument(&a)
		}
		args = append(args, a)
	}
	return args
}

// refuseArgument makes an argument whose numbers make no sense one of a kind that nothing supports.
func refuseArgument(a *argument) { *a = argument{param: a.param, kind: "malformed", name: a.name} }

// property reads what follows a key, and says how many operands that is.
func (a *argument) property(key string, rest []*bitcode.Node) int {
	if len(rest) == 0 {
		a.written = a.written || key == "air.read_write" || key == "air.write"
		return 0
	}
	v, _ := number(rest[0])
	switch key {
	case "air.location_index":
		a.index = v
		if len(rest) > 1 {
			a.count, _ = number(rest[1])
		}
		return 2
	case "air.address_space":
		a.space = v
	case "air.buffer_size":
		a.bytes = v
	case "air.arg_type_size":
		a.size = v
	case "air.arg_type_align_size":
		a.align = v
	case "air.arg_type_name":
		a.typ = text(rest[0])
	case "air.arg_name":
		a.name = text(rest[0])
	case "air.struct_type_info":
		a.members = rest[0]
	case "air.read_write", "air.write":
		a.written = true
		return 0
	default:
		return 0
	}
	return 1
}

// isBuffer reports whether an argument is a pointer to memory of a table.
func (a argument) isBuffer() bool { return a.kind == "buffer" || a.kind == "indirect_buffer" }

// parameters gives the parameters of the entry point their values.
func (l *lowerer) parameters(fr *frame, args []argument) {
	for _, a := range args {
		p := fr.f.Params[a.param]
		if a.isBuffer() && p.Type.Kind == bitcode.Pointer {
			x := ir.Arg{Name: a.name, Pos: l.k.Pos, Index: a.index, Type: a.typ, Size: a.size,
				Align: powerOfTwo(a.align), Const: !a.written, Space: space(a.space)}
			source := ir.BufferPointer
			if x.Space == syntax.Threadgroup {
				x.Threadgroup, source = true, ir.ThreadgroupPointer
			}
			l.k.Args = append(l.k.Args, x)
			fr.vals[p] = value{regs: []ir.Reg{l.input(source, a.index, a.name)}}
			continue
		}
		fr.vals[p] = value{regs: l.position(a, p.Type)}
	}
	for _, p := range fr.f.Params {
		if _, ok := fr.vals[p]; !ok {
			refuse("parameter %d is described by no metadata", p.Number)
		}
	}
}

// powerOfTwo is the largest one that is not greater.
func powerOfTwo(n int) int {
	p := 1
	for p*2 <= n {
		p *= 2
	}
	return p
}

// positions are the inputs of a kernel by their attribute in source.
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

// position is an input that identifies the thread.
func (l *lowerer) position(a argument, t *bitcode.Type) []ir.Reg {
	source, ok := positions[a.kind]
	e, n := elementOf(t), 1
	if t.Kind == bitcode.Vector {
		n = t.Len
	}
	if !ok || e.Kind != bitcode.Integer || n > 3 || n > 1 && source >= ir.ThreadIndexInThreadgroup {
		refuse("the argument %s is a %s, which is not supported", a.name, strings.ReplaceAll(a.kind, "_", " "))
	}
	regs := make([]ir.Reg, n)
	for i := range regs {
		regs[i] = l.input(source+ir.Source(i), 0, a.kind)
		if e.Bits == 64 {
			regs[i] = l.convert(ir.U32, ir.U64, regs[i])
		}
		regs[i] = l.narrow(e, regs[i])
	}
	return regs
}
