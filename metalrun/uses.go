package metalrun

import (
	"cmp"
	"slices"
	"strings"

	"metalconform/metalrun/internal/ir"
)

// Uses is what a kernel does with its arguments, as far as its instructions show it. Whoever launches
// a kernel that nobody describes takes from it which integers are lengths and which are strides.
type Uses struct {
	// Fixed are the buffers, by index, of which the kernel accesses fixed places alone: the members of
	// one struct, or a list of scalars.
	Fixed map[int]bool
	// Extents are the bytes of those buffers up to the last that is accessed.
	Extents map[int]int
	// Successive are the buffers of which the kernel reads an integer and the one after it, at the same
	// index: where rows begin and end.
	Successive map[int]bool
	// Reads are the types, as MSL spells them, of what the kernel reads of buffers, where that is one type.
	Reads map[int]string
	// Writes are the types of what it stores in them, likewise.
	Writes map[int]string
	// Widest is the largest alignment, in bytes, that accesses to buffers promise, and Stored the size of the smallest
	// element that the kernel stores at an index.
	Widest, Stored int
	// Split are the axes of the grid along which the kernel divides a threadgroup's position by an integer that is no
	// literal: a host has put several axes of its data into one.
	Split [3]bool
	// Guarded are the axes of the grid along which the kernel compares positions with something: along others it relies
	// on as many as there are.
	Guarded [3]bool
	// axes along which all that the kernel asks of a thread's position is whether it is some literal, such as that of
	// the first
	First [3]bool
	// of a threadgroup, by which loops step that begin where their thread stands, or for which there is room in the
	// data; 0 if nothing says it, or not all that does agrees
	Threads  int
	Ends     bool         // each of its loops counts up to an end, or down to it
	Integers []IntegerUse // by buffer and offset
}

// IntegerUse is how the kernel uses an integer that it reads at a fixed offset of a buffer, or a float that it converts
// to an integer.
type IntegerUse struct {
	Buffer, Offset int
	Bounds         bool  // indices are compared with it
	Guards         bool  // positions of threads or threadgroups are, and what follows from them
	Strides        bool  // indices are multiplied by it
	Divides        bool  // indices are divided by it
	Adds           bool  // it is added to indices, or subtracted from them
	Divided        bool  // it is divided by another integer of the kernel's arguments, which has Parts
	Parts          bool  // other integers of arguments are divided by it
	Multiple       int   // it is divided by this number, and nobody asks for the rest; 0 and 1 mean nothing
	Cases          []int // literals that it is compared with for equality, in the order of the program
	Measures       bool  // it is the size in bytes of the buffer Of, and so are all others of its argument that of one
	Of             int
}

// Uses is what each of [Program.Kernels] does with its arguments, in their order.
func (p *Program) Uses() ([]Uses, error) {
	if _, err := p.infos(); err != nil {
		return nil, err
	}
	entries := p.supported()
	list := make([]Uses, len(entries))
	for i, e := range entries {
		list[i] = e.uses
	}
	return list, nil
}

// traceArguments follows integers of arguments through a kernel.
func traceArguments(k *ir.Kernel) *tracing {
	u := &tracing{kernel: k, regs: make([]traced, len(k.Regs)), uses: map[bufferOffset]*IntegerUse{},
		fixed: map[int]bool{}, extents: map[int]int{}, writable: map[int]bool{}}
	for _, a := range k.Args {
		if !a.Threadgroup && !a.Texture {
			u.writable[a.Index] = !a.Const
		}
	}
	u.reads, u.successive, u.sums = map[int]string{}, map[int]bool{}, map[ir.Reg]ir.Reg{}
	u.writes = map[int]string{}
	u.measured = newMeasuring()
	u.begin()
	for u.changed = true; u.changed; {
		u.changed = false
		for in := range ir.Instrs(k.Body...) {
			u.flow(in)
		}
	}
	return u
}

// usesOf looks at a kernel.
func usesOf(k *ir.Kernel) Uses {
	u := traceArguments(k)
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Add && k.Regs[in.Args[1]].Kind == ir.Literal && k.Regs[in.Args[1]].Bits == 1 &&
			k.Regs[in.Dst[0]].Kind == ir.Temp {
			u.sums[in.Dst[0]] = in.Args[0]
		}
	}
	for in := range ir.Instrs(k.Body...) {
		u.use(in)
	}
	u.measure(k.Body)
	return u.result()
}

// bufferOffset is an integer in a buffer.
type bufferOffset struct{ buffer, offset int }

// traced is what is known of a register.
type traced struct {
	from   []bufferOffset // integers of arguments that it is computed from, in order
	varies bool           // threads, iterations of a loop or contents of memory tell its values apart
	direct bool           // it is the one integer that it is from
	axis   int            // of the grid, from 1: it is a threadgroup's position along it; 0: it is none
	placed bool           // it is computed from a position
	along  [3]bool        // axes of the grid with positions that it is computed from
	// A pointer leads into a buffer, at a fixed offset or anywhere.
	pointer, anywhere bool
	buffer, offset    int
}

// tracing follows integers of arguments through a kernel.
type tracing struct {
	kernel   *ir.Kernel
	regs     []traced
	uses     map[bufferOffset]*IntegerUse
	fixed    map[int]bool // whether all accesses to a buffer so far are to fixed places
	extents  map[int]int  // bytes that accesses at fixed places reach
	writable map[int]bool
	changed  bool

	reads      map[int]string
	writes     map[int]string
	successive map[int]bool
	sums       map[ir.Reg]ir.Reg // of registers and one, the registers
	indices    []indexed
	measured   measuring
	split      [3]bool
	guarded    [3]bool
	widest     int
	stored     int
}

// indexed is a read of an integer at an index.
type indexed struct {
	base, index ir.Reg
	disp        int64
}

// begin sets what holds before any instruction: inputs tell threads apart, and so does a variable that
// is set more than once, which counts iterations of a loop or depends on a branch.
func (u *tracing) begin() {
	sets := make([]int, len(u.regs))
	for in := range ir.Instrs(u.kernel.Body...) {
		for _, d := range in.Dst {
			sets[d]++
		}
	}
	for i, r := range u.kernel.Regs {
		t := &u.regs[i]
		t.placed = r.Kind == ir.Input &&
			(perThread[r.Input] || r.Input >= ir.ThreadgroupPositionInGridX && r.Input <= ir.ThreadgroupPositionInGridZ)
		switch {
		case r.Kind == ir.Input && r.Input == ir.BufferPointer:
			t.pointer, t.buffer = true, r.Index
		case r.Kind == ir.Input && r.Input >= ir.ThreadgroupPositionInGridX && r.Input <= ir.ThreadgroupPositionInGridZ:
			t.varies, t.axis = true, 1+int(r.Input-ir.ThreadgroupPositionInGridX)
			t.along[t.axis-1] = true
		case r.Kind == ir.Input && r.Input >= ir.ThreadPositionInGridX && r.Input <= ir.ThreadPositionInGridZ:
			t.varies, t.along[r.Input-ir.ThreadPositionInGridX] = true, true
		case r.Kind == ir.Input, r.Kind == ir.Variable && sets[i] > 1:
			t.varies = true
		}
	}
}

// flow says of an instruction's results what follows from its operands.
func (u *tracing) flow(in *ir.Instr) {
	switch {
	case in.Op == ir.Load:
		u.load(in)
		return
	case in.Op == ir.PtrAdd:
		u.set(in.Dst[0], u.moved(u.regs[in.Args[0]], in.Args[1]))
		return
	}
	all := traced{varies: in.Op.Info().Effects.Has(ir.Reads | ir.Collective)}
	for _, a := range in.Args {
		t := u.regs[a]
		all.varies, all.placed = all.varies || t.varies, all.placed || t.placed
		all.from, all.along = union(all.from, t.from), either(all.along, t.along)
		if t.pointer && (in.Op == ir.Copy || in.Op == ir.Select) {
			all.pointer, all.buffer, all.offset = true, t.buffer, t.offset
			all.anywhere = t.anywhere || in.Op == ir.Select
		}
	}
	if in.Op == ir.Convert && in.From.Type().IsFloat() && !in.To.Type().IsFloat() && u.regs[in.Args[0]].direct {
		for _, at := range all.from {
			u.integer(at)
		}
	}
	if in.Op == ir.Copy || in.Op == ir.Convert {
		all.direct, all.axis = u.regs[in.Args[0]].direct, u.regs[in.Args[0]].axis
	}
	for _, d := range in.Dst {
		u.set(d, all)
	}
}

// moved is a pointer with a number of bytes added to it.
func (u *tracing) moved(t traced, by ir.Reg) traced {
	if r := u.kernel.Regs[by]; r.Kind == ir.Literal {
		t.offset += int(r.Bits)
		return t
	}
	t.anywhere = true
	t.varies = t.varies || u.regs[by].varies
	t.from = union(t.from, u.regs[by].from)
	return t
}

// load is flow for what is read: an integer of an argument, or memory that may hold anything.
func (u *tracing) load(in *ir.Instr) {
	base := u.regs[in.Mem.Base]
	known := base.pointer && !base.anywhere && in.Mem.Index == ir.None && !u.writable[base.buffer] && in.From != ir.P64
	for i, d := range in.Dst {
		if !known {
			u.set(d, traced{varies: !base.pointer || base.anywhere || in.Mem.Index != ir.None ||
				u.writable[base.buffer]})
			continue
		}
		at := bufferOffset{base.buffer, base.offset + int(in.Mem.Disp) + i*in.From.Size()}
		if !in.From.Type().IsFloat() {
			u.integer(at)
		}
		u.set(d, traced{from: []bufferOffset{at}, direct: true})
	}
}

// integer notes that there is one at a place.
func (u *tracing) integer(at bufferOffset) {
	if u.uses[at] == nil {
		u.uses[at] = &IntegerUse{Buffer: at.buffer, Offset: at.offset}
	}
}

// set adds what is known of a register.
func (u *tracing) set(r ir.Reg, add traced) {
	t := &u.regs[r]
	from := union(t.from, add.from)
	if len(from) > len(t.from) || add.varies && !t.varies || add.pointer && !t.pointer || add.anywhere && !t.anywhere ||
		add.direct && !t.direct {
		u.changed = true
	}
	if t.pointer && add.pointer && (t.buffer != add.buffer || t.offset != add.offset) && !t.anywhere {
		t.anywhere, u.changed = true, true
	}
	if add.pointer && !t.pointer {
		t.pointer, t.buffer, t.offset = true, add.buffer, add.offset
	}
	if along := either(t.along, add.along); along != t.along || add.placed && !t.placed {
		t.along, t.placed, u.changed = along, t.placed || add.placed, true
	}
	t.axis = max(t.axis, add.axis)
	t.from, t.varies, t.anywhere, t.direct = from, t.varies || add.varies, t.anywhere || add.anywhere,
		t.direct || add.direct
}

// use notes what an instruction does with integers of arguments.
func (u *tracing) use(in *ir.Instr) {
	if in.Mem != nil {
		if base := u.regs[in.Mem.Base]; base.pointer {
			known, accessed := u.fixed[base.buffer]
			u.fixed[base.buffer] = (known || !accessed) && !base.anywhere && in.Mem.Index == ir.None
			u.reading(in, base.buffer)
			u.widest = max(u.widest, in.Mem.Align)
			if size := in.From.Size(); in.Op == ir.Store && (base.anywhere || in.Mem.Index != ir.None) &&
				(u.stored == 0 || size < u.stored) {
				u.stored = size
			}
			if !base.anywhere && in.Mem.Index == ir.None {
				u.extents[base.buffer] = max(u.extents[base.buffer],
					base.offset+int(in.Mem.Disp)+max(len(in.Dst), 1)*in.From.Size())
			}
		}
	}
	if len(in.Args) < 2 || len(in.Dst) == 0 || u.kernel.Regs[in.Args[0]].Type.IsFloat() {
		return
	}
	a, b := in.Args[0], in.Args[1]
	switch in.Op {
	case ir.PtrAdd:
		if x := u.integerUse(b); x != nil {
			x.Adds = true
		}
	case ir.Add, ir.Sub:
		u.pair(a, b, func(x *IntegerUse) { x.Adds = true })
	case ir.Mul, ir.Shl:
		u.pair(a, b, func(x *IntegerUse) { x.Strides = true })
	case ir.Eq, ir.Ne, ir.SLt, ir.SLe, ir.ULt, ir.ULe:
		u.pair(a, b, func(x *IntegerUse) { x.Bounds = true })
		if u.regs[a].placed != u.regs[b].placed {
			u.pair(a, b, func(x *IntegerUse) { x.Guards = true })
		}
		u.guarded = either(u.guarded, either(u.regs[a].along, u.regs[b].along))
		if in.Op == ir.Eq || in.Op == ir.Ne {
			u.compared(a, b)
		}
	case ir.Math:
		if strings.HasPrefix(in.Fn, "min_") || strings.HasPrefix(in.Fn, "max_") {
			u.pair(a, b, func(x *IntegerUse) { x.Bounds = true })
		}
	case ir.UDiv, ir.SDiv, ir.URem, ir.SRem:
		u.divided(in.Op, a, b)
	case ir.LShr, ir.AShr:
		if r := u.kernel.Regs[b]; r.Kind == ir.Literal && r.Bits < 16 {
			u.multiple(a, 1<<r.Bits)
		}
	}
}

// compared notes that an integer is one of several cases.
func (u *tracing) compared(a, b ir.Reg) {
	x, literal := u.integerUse(a), u.kernel.Regs[b]
	if x == nil {
		x, literal = u.integerUse(b), u.kernel.Regs[a]
	}
	if n := int(int32(literal.Bits)); x != nil && literal.Kind == ir.Literal && n >= 0 && !slices.Contains(x.Cases, n) {
		x.Cases = append(x.Cases, n)
	}
}

// Choice is the first of the cases that an integer chooses from; false if it does anything else.
func (x IntegerUse) Choice() (n int, is bool) {
	if len(x.Cases) < 2 || !x.only() {
		return 0, false
	}
	return x.Cases[0], true
}

// Switch reports whether an integer is compared with zero, and does nothing else.
func (x IntegerUse) Switch() bool { return slices.Equal(x.Cases, []int{0}) && x.only() }

// only reports whether an integer is in no expression, but for comparisons with literals.
func (x IntegerUse) only() bool {
	return !x.Bounds && !x.Strides && !x.Divides && !x.Adds && !x.Divided && !x.Parts && !x.Measures && x.Multiple == 0
}

// reading notes what is read of a buffer, and whether the element before is read, too.
func (u *tracing) reading(in *ir.Instr, buffer int) {
	types := u.reads
	if in.Op == ir.Store {
		types = u.writes
	} else if in.Op != ir.Load {
		return
	}
	name := spelt[in.From]
	if before, some := types[buffer]; some && before != name {
		name = ""
	}
	if types[buffer] = name; in.Op == ir.Store {
		return
	}
	size := int64(in.From.Size())
	if in.From.Type().IsFloat() || in.From == ir.P64 || in.Mem.Index == ir.None || in.Mem.Scale != size {
		return
	}
	at := indexed{in.Mem.Base, in.Mem.Index, in.Mem.Disp}
	if of, one := u.sums[at.index]; one {
		at.index, at.disp = of, at.disp+size
	}
	for _, other := range u.indices {
		if other.base == at.base && other.index == at.index &&
			(other.disp-at.disp == size || at.disp-other.disp == size) {
			u.successive[buffer] = true
		}
	}
	u.indices = append(u.indices, at)
}

// spelt are the types of memory as MSL spells them.
var spelt = map[ir.Scalar]string{
	ir.B8: "bool", ir.S8: "char", ir.U8: "uchar", ir.S16: "short", ir.U16: "ushort", ir.S32: "int", ir.U32: "uint",
	ir.S64: "long", ir.U64: "ulong",
	ir.H16: "half", ir.T16: "bfloat", ir.R32: "float",
}

// pair notes a use of the integers that one operand is from, if the other varies.
func (u *tracing) pair(a, b ir.Reg, note func(*IntegerUse)) {
	for _, x := range [][2]ir.Reg{{a, b}, {b, a}} {
		if of, other := u.regs[x[0]], u.regs[x[1]]; !of.varies && other.varies {
			for _, at := range of.from {
				if use := u.uses[at]; use != nil {
					note(use)
				}
			}
		}
	}
}

// divided notes what a share or a rest says of integers.
func (u *tracing) divided(op ir.Op, a, b ir.Reg) {
	if u.regs[a].varies && !u.regs[b].varies {
		u.pair(b, a, func(x *IntegerUse) { x.Divides = true })
		if axis := u.regs[a].axis; axis > 0 && u.kernel.Regs[b].Kind != ir.Literal {
			u.split[axis-1] = true
		}
	}
	of, by := u.integerUse(a), u.integerUse(b)
	if (op == ir.UDiv || op == ir.SDiv) && of != nil && by != nil && of != by {
		of.Divided, by.Parts = true, true
	}
	if r := u.kernel.Regs[b]; r.Kind == ir.Literal && r.Bits > 1 && r.Bits < 1<<16 {
		if op == ir.UDiv || op == ir.SDiv {
			u.multiple(a, int(r.Bits))
		} else if x := u.integerUse(a); x != nil {
			x.Multiple = -1
		}
	}
}

// multiple notes that an integer is divided by a number.
func (u *tracing) multiple(a ir.Reg, by int) {
	if x := u.integerUse(a); x != nil && x.Multiple >= 0 {
		x.Multiple = max(x.Multiple, by)
	}
}

// integerUse is the integer that a register is, nil if it is not one.
func (u *tracing) integerUse(r ir.Reg) *IntegerUse {
	if t := u.regs[r]; t.direct && !t.varies && len(t.from) == 1 {
		return u.uses[t.from[0]]
	}
	return nil
}

// result is what was noted, in order.
func (u *tracing) result() Uses {
	out := Uses{Fixed: map[int]bool{}, Extents: map[int]int{}, Successive: u.successive, Reads: map[int]string{},
		Writes: map[int]string{},
		Split:  u.split, Guarded: u.guarded, First: firstOnly(u.kernel), Threads: steppedThreads(u.kernel),
		Ends:   endingLoops(u.kernel),
		Widest: u.widest, Stored: u.stored}
	for buffer, fixed := range u.fixed {
		if fixed {
			out.Fixed[buffer], out.Extents[buffer] = true, u.extents[buffer]
		}
	}
	for buffer, name := range u.reads {
		if name != "" {
			out.Reads[buffer] = name
		}
	}
	for buffer, name := range u.writes {
		if name != "" {
			out.Writes[buffer] = name
		}
	}
	for _, x := range u.uses {
		x.Multiple = max(x.Multiple, 0)
		x.Of, x.Measures = u.measures(bufferOffset{x.Buffer, x.Offset})
		out.Integers = append(out.Integers, *x)
	}
	slices.SortFunc(out.Integers, func(a, b IntegerUse) int {
		return cmp.Or(a.Buffer-b.Buffer, a.Offset-b.Offset)
	})
	return out
}

// either are the axes that are in one of two sets.
func either(a, b [3]bool) [3]bool { return [3]bool{a[0] || b[0], a[1] || b[1], a[2] || b[2]} }

// union is what is in one of two ordered lists.
func union(a, b []bufferOffset) []bufferOffset {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 {
		return b
	}
	all := slices.Clone(a)
	for _, x := range b {
		if i, found := slices.BinarySearchFunc(all, x, comparePlaces); !found {
			all = slices.Insert(all, i, x)
		}
	}
	if len(all) == len(a) {
		return a
	}
	return all
}

func comparePlaces(a, b bufferOffset) int { return cmp.Or(a.buffer-b.buffer, a.offset-b.offset) }
