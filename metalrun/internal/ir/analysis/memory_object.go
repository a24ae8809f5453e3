package analysis

import (
	"maps"
	"math/bits"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// MemoryObject is an object of an address space. Constant memory is in the device space: both reach the buffers. In the
// thread space the number of an object is that in Kernel.Objects, elsewhere it is the launch's.
type MemoryObject struct {
	Space  syntax.Space
	Object int
}

// Contents is how a kernel uses an object.
type Contents struct {
	Depends bool // it may hold values that depend on the rounding of floats
	Types   map[ir.Scalar]bool
}

// Mixed reports whether elements are accessed as different types, so that one could be taken for something else.
func (c *Contents) Mixed() bool { return len(c.Types) > 1 }

// Log is the logarithm of the bytes of the smallest element.
func (c *Contents) Log() uint {
	size := 8
	for s := range c.Types {
		size = min(size, s.Size())
	}
	return uint(bits.TrailingZeros(uint(size)))
}

// join is the use of two objects taken together.
func (c *Contents) join(other *Contents) {
	if c.Types == nil {
		c.Types = map[ir.Scalar]bool{}
	}
	maps.Copy(c.Types, other.Types)
	c.Depends = c.Depends || other.Depends
}

// objects is a set of objects that a pointer may lead to: entries of the argument tables in the low half, objects of
// the kernel in the high half. Objects from number 63 on share a bit.
type objects struct{ low, high uint64 }

// anywhere is every object.
var anywhere = objects{^uint64(0), ^uint64(0)}

func (o objects) with(p objects) objects { return objects{o.low | p.low, o.high | p.high} }

// static is the set of one object of the kernel.
func static(index int) objects { return objects{high: 1 << min(index, 63)} }

// has reports whether an object of the kernel is in the set.
func (o objects) has(index int) bool { return o.high>>min(index, 63)&1 != 0 }

// inSpace are the objects of a set that an address space has.
func (o objects) inSpace(k *ir.Kernel, of syntax.Space) (list []MemoryObject) {
	space, first := of, 0
	switch of {
	case syntax.Constant:
		space = syntax.Device
	case syntax.Threadgroup:
		first = FirstThreadgroup
	}
	if space != syntax.Thread {
		for _, a := range k.Args {
			if a.Threadgroup == (space == syntax.Threadgroup) && o.low>>a.Index&1 != 0 {
				list = append(list, MemoryObject{space, first + a.Index})
			}
		}
	}
	for i, object := range k.Objects {
		switch {
		case !o.has(i):
		case object.Space == of && space == syntax.Thread:
			list = append(list, MemoryObject{space, i})
		case object.Space == of || object.Space == syntax.Constant && space == syntax.Device:
			list = append(list, MemoryObject{space, FirstStatic + i})
		}
	}
	return list
}
