package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// ThreadgroupMemory is the number of bytes that the threadgroup variables of a kernel take. A variable that is written
// and never read does not count, because Metal's compiler removes it.
func ThreadgroupMemory(k *ir.Kernel) int {
	read := readObjects(k)
	bytes := 0
	for i, o := range k.Objects {
		if o.Space == syntax.Threadgroup && read[i] {
			bytes = (bytes+15)&^15 + o.Size
		}
	}
	return bytes
}

// readObjects tells of each object of a kernel whether an instruction may read it: one that takes an address in it and
// is neither a store to it nor arithmetic that makes another address.
func readObjects(k *ir.Kernel) []bool {
	read := make([]bool, len(k.Objects))
	pointsTo := make([][]int, len(k.Regs)) // the objects that an address may lie in
	for r, reg := range k.Regs {
		if reg.Kind == ir.Address && k.Objects[reg.Index].Space == syntax.Threadgroup {
			pointsTo[r] = []int{reg.Index}
		}
	}
	for changed := true; changed; {
		changed = false
		for in := range ir.Instrs(k.Body...) {
			for _, r := range in.Reads() {
				if r == ir.None {
					continue
				}
				for _, object := range pointsTo[r] {
					switch {
					case read[object] || storesTo(in, r):
					case in.Mem == nil && derivesAddress(k, in):
						for _, d := range in.Dst {
							if !slices.Contains(pointsTo[d], object) {
								pointsTo[d], changed = append(pointsTo[d], object), true
							}
						}
					default:
						read[object], changed = true, true
					}
				}
			}
		}
	}
	return read
}

// storesTo reports whether an instruction does nothing with an address but to store there.
func storesTo(in *ir.Instr, r ir.Reg) bool {
	return in.Op == ir.Store && !in.Mem.Volatile && in.Mem.Base == r && !slices.Contains(in.Args, r)
}

// derivesAddress reports whether an instruction gives addresses alone.
func derivesAddress(k *ir.Kernel, in *ir.Instr) bool {
	return len(in.Dst) > 0 && !slices.ContainsFunc(in.Dst, func(d ir.Reg) bool { return k.Regs[d].Type != ir.Ptr })
}
