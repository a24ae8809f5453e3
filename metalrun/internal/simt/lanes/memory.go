package lanes

// half is element e of packed 16-bit words.
func half(w []uint32, e uint32) uint32 { return w[e>>1] >> (e & 1 * 16) & 0xffff }

func gather(element func(words []uint32, e uint32) uint32) Gather {
	return func(d, words, idx, mask []uint32, at Index) int {
		idx, mask = idx[:len(d)], mask[:len(d)]
		for l := range d {
			switch i := idx[l] - at.Lo; {
			case i < at.Count:
				d[l] = element(words, i*at.Mult+at.First)
			case mask[l] != 0:
				return l
			}
		}
		return len(d)
	}
}

// scatter writes elements of which 1<<shift are in a word.
func scatter(shift, element uint32) Scatter {
	return func(words, idx, mask, v []uint32, at Index) int {
		idx, mask = idx[:len(v)], mask[:len(v)]
		for l, on := range mask {
			if on != 0 && idx[l]-at.Lo >= at.Count {
				return l
			}
		}
		for l, on := range mask {
			if on == 0 {
				continue
			}
			e := (idx[l]-at.Lo)*at.Mult + at.First
			w, bit := &words[e>>shift], e&(1<<shift-1)*(32>>shift)
			*w = *w&^(element<<bit) | v[l]&element<<bit
		}
		return len(v)
	}
}

func narrow(d []uint32, a []uint64, mask []uint32, origin, limit uint64, shift uint) int {
	a, mask = a[:len(d)], mask[:len(d)]
	for l := range d {
		off := a[l] - origin
		if mask[l] != 0 && (off >= limit || off&(1<<shift-1) != 0) {
			return l
		}
		d[l] = uint32(off >> shift)
	}
	return len(d)
}
