package ir

// Leads are, for each register, the buffers that a pointer in it may lead to, a bit for each index. A pointer that comes from
// memory may lead to every buffer whose pointer is kept there.
func Leads(k *Kernel) (leads []uint64) {
	leads = make([]uint64, len(k.Regs))
	for r, info := range k.Regs {
		if info.Kind == Input && info.Input == BufferPointer {
			leads[r] = 1 << info.Index
		}
	}
	var kept uint64
	for changed := true; changed; {
		changed = false
		for in := range Instrs(k.Body...) {
			var to uint64
			switch in.Op {
			case PtrAdd, Copy:
				to = leads[in.Args[0]]
			case Select:
				to = leads[in.Args[1]] | leads[in.Args[2]]
			case Load:
				to = kept
			case Store:
				for _, r := range in.Args {
					changed = changed || leads[r]&^kept != 0
					kept |= leads[r]
				}
			}
			for _, r := range in.Dst {
				if k.Regs[r].Type == Ptr && to&^leads[r] != 0 {
					leads[r], changed = leads[r]|to, true
				}
			}
		}
	}
	return leads
}
