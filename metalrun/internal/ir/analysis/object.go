package analysis

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/syntax"
)

// Memory that threads share has one numbering for a whole launch: the entries of the buffer table, those of the
// threadgroup table, then the kernel's own objects.
const (
	FirstThreadgroup = 31 // number of the threadgroup table's first entry
	FirstStatic      = 62 // number of Kernel.Objects[0]
)

// NoObject is the number of an object that is not known.
const NoObject = -1

// KnownObject is the object that a base register names in an address space, or NoObject. Private memory has no number.
func KnownObject(k *ir.Kernel, base ir.Reg, space syntax.Space) int {
	info := k.Regs[base]
	switch {
	case space == syntax.Thread:
	case info.Kind == ir.Address:
		return FirstStatic + info.Index
	case info.Kind == ir.Input && info.Input == ir.BufferPointer:
		return info.Index
	case info.Kind == ir.Input && info.Input == ir.ThreadgroupPointer:
		return FirstThreadgroup + info.Index
	}
	return NoObject
}

// PointsInto is the object that a pointer was computed from along a chain of temporaries, or NoObject.
func (u *Uniformity) PointsInto(r ir.Reg, space syntax.Space) int {
	for {
		if object := KnownObject(u.k, r, space); object >= 0 {
			return object
		}
		d := u.setter[r]
		if d == nil || d.Op != ir.PtrAdd && d.Op != ir.Copy || u.k.Regs[r].Kind != ir.Temp {
			return NoObject
		}
		r = d.Args[0]
	}
}

// Destinations are, by register, the object that a pointer leads to wherever it was computed, or a negative number if
// that is unknown: a variable leads to what all that it is set to leads to. The lattice is flat: no destination so far,
// one object, any object.
func (u *Uniformity) Destinations() []int {
	const nowhere = -2 // so far
	to := make([]int, len(u.k.Regs))
	for r := range to {
		if to[r] = nowhere; u.k.Regs[r].Kind != ir.Temp && u.k.Regs[r].Kind != ir.Variable {
			to[r] = KnownObject(u.k, ir.Reg(r), syntax.Device)
		}
	}
	fixpoint.Iterate(func(p *fixpoint.Pass) {
		for _, d := range u.defs {
			for _, r := range d.in.Dst {
				object := NoObject
				switch d.in.Op {
				case ir.PtrAdd, ir.Copy:
					object = to[d.in.Args[0]]
				case ir.Select:
					object = eitherObject(to[d.in.Args[1]], to[d.in.Args[2]])
				}
				fixpoint.Move(p, &to[r], eitherObject(object, to[r]))
			}
		}
	})
	return to
}

// eitherObject is the destination of a pointer that may have one of two. Less than NoObject is none so far.
func eitherObject(a, b int) int {
	switch {
	case a < NoObject:
		return b
	case b < NoObject || a == b:
		return a
	}
	return NoObject
}

// Aligned reports whether an access of several elements is known to have the alignment of its type: objects begin at
// multiples of every alignment. The alignment of single elements is not a matter of this.
func Aligned(k *ir.Kernel, in *ir.Instr) bool {
	m, align := in.Mem, int64(in.Mem.Align)
	return align <= int64(in.From.Size()) ||
		KnownObject(k, m.Base, m.Space) >= 0 && m.Disp%align == 0 && (m.Index == ir.None || m.Scale%align == 0)
}
