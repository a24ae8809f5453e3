package ir

// Observed is a copy of k with an Observe in front of every access that is
// wanted.
func Observed(k *Kernel, wanted func(access *Instr) bool) *Kernel {
	number := 0
	return rewrite(k, func(_ *Kernel, before []Node, in *Instr) []Node {
		if !wanted(in) {
			return before
		}
		mem := *in.Mem
		o := &Instr{Op: Observe, Pos: in.Pos, From: in.From, Mem: &mem, Number: number}
		number++
		switch in.Op {
		case Load:
			o.Fn, o.Count = "load", len(in.Dst)
		case Store:
			o.Fn, o.Count, o.Args = "store", len(in.Args), in.Args
		default:
			o.Fn, o.Count = "atomic", 1
		}
		return append(before, o)
	})
}
