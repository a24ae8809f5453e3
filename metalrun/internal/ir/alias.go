package ir

import "slices"

// Alias says that two entries of the buffer table are one memory: the pointer at Index points Offset bytes after the
// pointer at Of. The kernel declares both.
type Alias struct {
	Index, Of int
	Offset    int64
}

// Merge returns a kernel whose pointers at Index are computed from those at Of. The analyses of the kernel then see
// one object, and so do the loads and stores, the checks and the comparisons of pointers. The table of arguments keeps
// its entries. An argument that is const is not const any more if what is merged with it is not.
func Merge(k *Kernel, aliases []Alias) *Kernel {
	out := *k
	out.Regs, out.Args = slices.Clone(k.Regs), slices.Clone(k.Args)
	var before []Node
	for _, a := range aliases {
		out.widen(a)
		for r, info := range k.Regs {
			if info.Kind != Input || info.Input != BufferPointer || info.Index != a.Index {
				continue
			}
			if info.Index = a.Of; a.Offset == 0 {
				out.Regs[r] = info
				continue
			}
			base, by := Reg(len(out.Regs)), Reg(len(out.Regs)+1)
			out.Regs = append(out.Regs, info, RegInfo{Kind: Literal, Type: I64, Bits: uint64(a.Offset)})
			out.Regs[r] = RegInfo{Kind: Temp, Type: Ptr, Name: info.Name}
			before = append(before, &Instr{Op: PtrAdd, Pos: k.Pos, Dst: []Reg{Reg(r)}, Args: []Reg{base, by}})
		}
	}
	if len(before) > 0 {
		// The kernel's own block stays, since exits name it.
		out.Body = []Node{&Block{Pos: k.Pos, Name: k.Name, Body: append(before, k.Body...)}}
	}
	return &out
}

// widen makes the argument that an alias leads to what both arguments are: writable if one of them is.
func (k *Kernel) widen(a Alias) {
	at := func(index int) int {
		return slices.IndexFunc(k.Args, func(x Arg) bool { return !x.Threadgroup && !x.Texture && x.Index == index })
	}
	if from, to := k.Args[at(a.Index)], &k.Args[at(a.Of)]; !from.Const {
		to.Const, to.Space = false, from.Space
	}
}
