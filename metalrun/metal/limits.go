package metal

import (
	"fmt"

	"metalconform/metalrun"
)

// limits are what a device can take.
type limits struct {
	threadgroupMemory int // bytes of threadgroup memory that a threadgroup may have
	buffer            int // bytes of the longest buffer
	constantOffset    int // alignment of the offset of a buffer in the constant address space
}

// constantOffset is what Apple's table of feature sets has for the family: 4 bytes on
// Apple GPUs from Apple2, 32 on the others of Mac2.
func constantOffset(apple2 bool) int {
	if apple2 {
		return 4
	}
	return 32
}

// mostThreads is how many threads a threadgroup may have in the kernels that need the fewest registers, by Apple's
// table of feature sets.
const mostThreads = 1024

// checkThreads refuses threadgroups that are too large for this pipeline and not for the language: how many registers
// a kernel takes is the device's affair. A limit that the kernel sets itself is its caller's.
func checkThreads(k metalrun.KernelInfo, most, threads int) error {
	switch {
	case threads <= most:
		return nil
	case k.MaxThreads > 0 && threads > k.MaxThreads:
		return fmt.Errorf("threadgroup of %d threads: %s sets its own limit of %d", threads, k.Name, k.MaxThreads)
	}
	return fmt.Errorf("%w: it runs %s in threadgroups of at most %d threads, and this launch has %d",
		metalrun.ErrUnsupported, k.Name, most, threads)
}

// simdWidth is the width of simdgroups that the language's kernels are written for.
const simdWidth = 32

// checkMemory refuses threadgroup memory that the device does not have, which kernel
// declares static bytes of.
func (l limits) checkMemory(kernel string, static int, lengths []int) error {
	total := static
	for _, n := range lengths {
		if n > l.threadgroupMemory {
			return fmt.Errorf("threadgroup memory of %d bytes: the device has %d", n, l.threadgroupMemory)
		}
		total += mtlThreadgroupLength(n)
	}
	if total > l.threadgroupMemory {
		return fmt.Errorf("threadgroup memory of %d bytes in all, %d declared in %s: the device has %d", total, static,
			kernel, l.threadgroupMemory)
	}
	return nil
}

// checkBindings refuses what Metal's own validation ends the process for: offsets that
// are not aligned for what the kernel reads there, a buffer that is too long, and an
// argument that nothing is bound to.
func (l limits) checkBindings(args []metalrun.ArgInfo, bindings []metalrun.Binding) error {
	byIndex := map[int]metalrun.Binding{}
	for _, b := range bindings {
		byIndex[b.Index] = b
	}
	for _, a := range args {
		if a.Kind != metalrun.BufferArg {
			continue
		}
		b, ok := byIndex[a.Index]
		if !ok {
			return fmt.Errorf("buffer %d: nothing is bound to %s", a.Index, a.Name)
		}
		align := max(a.Align, 1)
		if a.Constant {
			align = max(align, l.constantOffset)
		}
		switch {
		case !b.Inline && b.Length > 0 && b.Offset%align != 0:
			return fmt.Errorf("buffer %d: offset %d of %s has to be a multiple of %d", a.Index, b.Offset, a.Name, align)
		case len(b.Data) > l.buffer:
			return fmt.Errorf("buffer %d: the device takes at most %d bytes, %s has %d", a.Index, l.buffer, a.Name,
				len(b.Data))
		}
	}
	return nil
}

// checkWidth refuses simdgroups that the kernel was not written for.
func checkWidth(k metalrun.KernelInfo, width int) error {
	if width != simdWidth && k.Collective {
		return fmt.Errorf("%w: %s works in simdgroups of %d threads, the device has %d", metalrun.ErrUnsupported,
			k.Name, simdWidth, width)
	}
	return nil
}
