package metalrun

import (
	"cmp"
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/syntax"
)

// KernelInfo is what the front end knows about one entry point.
type KernelInfo struct {
	Name                    string // host name
	Position                Position
	Declared                Position // as a function, or as the template that it instantiates at Position
	Args                    []ArgInfo
	StaticThreadgroupMemory int // bytes of threadgroup variables declared in the body
	MaxThreads              int // max_total_threads_per_threadgroup, 0 if not given
	// Required is the size that threadgroups have to have, by required_threads_per_threadgroup;
	// zero if not given.
	Required Size
	// Inputs are the positions, indices and sizes of thread and grid that the body
	// uses, component by component: thread_position_in_grid.x,
	// thread_index_in_simdgroup. Loading or storing a simdgroup_matrix uses the
	// latter.
	Inputs []string
	// Collective says that the threads of a simdgroup or quad work together in
	// reductions, shuffles, votes or matrices.
	Collective bool
	Features   []Feature // that it uses and a device may lack
	// FastMathFlags are the flags of its floating operations, all together.
	FastMathFlags FastMathFlags
	// AsksFinite says that it asks of numbers whether they are NaN or infinite where its fast-math flags take that for
	// impossible: by isnan and the like, or by comparing them with themselves or with infinity.
	AsksFinite bool
}

// Signature is the name and the arguments of an entry point.
type Signature struct {
	Name               string   // host name
	Position, Declared Position // as in [KernelInfo]
	Args               []ArgInfo
}

// ArgInfo is one entry of a kernel's argument table.
type ArgInfo struct {
	Name     string
	Kind     ArgKind
	Index    int    // [[buffer(n)]], [[threadgroup(n)]] and so on, given or assigned in declaration order
	Entries  int    // of its table that textures and samplers take, several if it is an array; otherwise 0
	Type     string // pointee as MSL spells it; of a texture or sampler, its own type
	Size     int    // bytes of the pointee; of a texture, of a texel
	Align    int
	Writable bool
	Constant bool // in the constant address space
	// Reference says that the argument is a single object, passed by reference or by value. A pointer, or a reference
	// to an array of one element in device memory, stands for any number of objects.
	Reference bool
	Fields    []FieldInfo // scalars of the pointee in ascending order; none for void and for an empty struct
	Tail      *TailInfo   // of a reference to a struct in device memory that ends in an array of one element; else nil
}

// TailInfo is the last member of a struct, if that is an array of one element. Generators of MSL write so for an array
// of as many elements as the buffer has room for.
type TailInfo struct {
	Name   string // with the structs around it: last.data
	Offset int
	Type   string // of an element, which has this size and alignment
	Size   int
	Align  int
	Fields []FieldInfo // scalars of an element
}

// FieldInfo is a run of scalars in what an argument points to: a member of a
// struct, or the whole of anything else. Vectors, matrices and arrays of them are
// one run; unless it is packed, a vector of three has a fourth scalar as padding.
// The elements of an array of structs are listed one after the other under the same
// names.
//
// Unions, and structs of more than 4096 runs, are described as words: uint, or
// ushort or uchar where the alignment is less than 4 bytes.
type FieldInfo struct {
	Name   string // with the structs around it: rope.base; "" if the pointee is no struct
	Type   string // of one scalar as MSL spells it: uint, bfloat, atomic_int; of an enumeration, what it is based on
	Offset int    // bytes from the beginning of the pointee
	Size   int    // bytes of one scalar
	Count  int    // scalars, without gaps
}

// ArgKind is the table an argument is bound in.
type ArgKind uint8

const (
	BufferArg ArgKind = iota
	ThreadgroupArg
	TextureArg
	SamplerArg
)

// describe is what is known of an entry point and its lowered body.
func describe(f *hir.Func, k *ir.Kernel, known layouts) KernelInfo {
	return KernelInfo{
		Name: f.Name, Position: position(f.Pos), Declared: position(f.Kernel.Declared), Args: describeArgs(f, known),
		MaxThreads:              f.Kernel.MaxThreads,
		Required:                Size{f.Kernel.Required[0], f.Kernel.Required[1], f.Kernel.Required[2]},
		StaticThreadgroupMemory: analysis.ThreadgroupMemory(k), Inputs: inputs(k), Collective: collective(k.Body),
		Features: features(k), FastMathFlags: fastMathFlags(k),
		AsksFinite: fastmath.AsksFinite(k),
	}
}

// fastMathFlags are the flags of all instructions together.
func fastMathFlags(k *ir.Kernel) (all FastMathFlags) {
	for in := range ir.Instrs(k.Body...) {
		all |= in.Allow
	}
	return all
}

// staticThreadgroupMemory is what the kernel's own threadgroup variables take, in
// inputs are the inputs that instructions read (a lowered kernel has registers for
// no others), in the order of the language's declarations.
func inputs(k *ir.Kernel) []string {
	var sources []ir.Source
	for _, r := range k.Regs {
		if r.Kind == ir.Input && r.Type != ir.Ptr {
			sources = append(sources, r.Input)
		}
	}
	slices.Sort(sources)
	var names []string
	for _, s := range slices.Compact(sources) {
		names = append(names, s.String())
	}
	return names
}

// collective reports whether threads have to execute an instruction together,
// barriers aside.
func collective(nodes []ir.Node) bool {
	return slices.ContainsFunc(nodes, func(n ir.Node) bool {
		switch n := n.(type) {
		case *ir.Instr:
			return n.Op.Info().Effects.Has(ir.Collective)
		case *ir.If:
			return collective(n.Then) || collective(n.Else)
		case *ir.Loop:
			return collective(n.Head) || collective(n.Body) || collective(n.Post)
		case *ir.Block:
			return collective(n.Body)
		}
		return false
	})
}

// describeResource describes a texture or a sampler.
func describeResource(v *hir.Var, arg hir.KernelArg) ArgInfo {
	a := ArgInfo{Name: v.Name, Kind: SamplerArg, Index: arg.Index, Entries: arg.Count, Type: v.Type.String()}
	if arg.Kind == hir.TextureArg {
		a.Kind, a.Size, a.Align, a.Fields = TextureArg, arg.Texel.Size(), arg.Texel.Align(),
			run(arg.Texel.Elem, arg.Texel)
		a.Writable = strings.Contains(a.Type, "write")
	}
	return a
}

// describeArgs lists the argument table of an entry point: buffers, then
// threadgroup memory, textures and samplers, each by index.
func describeArgs(f *hir.Func, known layouts) []ArgInfo {
	var args []ArgInfo
	for i, arg := range f.Kernel.Args {
		v := f.Params[i]
		a := ArgInfo{Name: v.Name, Index: arg.Index, Constant: v.Space == syntax.Constant, Writable: !v.Const,
			Reference: true}
		pointee := v.Type
		if p, ok := v.Type.(*hir.Pointer); ok && !v.Ref {
			pointee, a.Writable, a.Constant, a.Reference = p.Elem, !p.Const, p.Space == syntax.Constant, false
		}
		switch arg.Kind {
		case hir.BufferArg:
			if elem := unbounded(pointee); elem != nil && a.Reference && v.Space == syntax.Device {
				pointee, a.Reference = elem, false
			}
			if a.Reference && v.Space == syntax.Device {
				a.Tail = known.tail(pointee)
			}
		case hir.TableArg:
			a.Reference, a.Writable, a.Type, a.Size, a.Align = false, false, v.Type.String(), 8, 8
			a.Fields = []FieldInfo{{Type: "visible *", Size: 8, Count: 1}}
			args = append(args, a)
			continue
		case hir.ValueArg:
			a.Writable, a.Constant = false, true
		case hir.ThreadgroupArg:
			a.Kind = ThreadgroupArg
		case hir.TextureArg, hir.SamplerArg:
			args = append(args, describeResource(v, arg))
			continue
		default:
			continue
		}
		a.Writable = a.Writable && !a.Constant
		a.Type, a.Size, a.Align = pointee.String(), pointee.Size(), pointee.Align()
		a.Fields = slices.Clone(known.fields(pointee))
		args = append(args, a)
	}
	slices.SortStableFunc(args, func(a, b ArgInfo) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Index, b.Index))
	})
	return args
}
