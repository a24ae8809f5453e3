package lanes

import "unsafe"

// view shows packed words as elements. Elements are accessed as what they are,
// never through the word around them, because another threadgroup may be
// writing its other half.
func view[T uint8 | uint16 | uint32](words []uint32) []T {
	var t T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), len(words)*4/int(unsafe.Sizeof(t)))
}

func gather[T uint8 | uint16 | uint32](decode func(T) uint32) Gather {
	return func(d, words, idx, mask []uint32, at Index) int {
		elements, idx, mask := view[T](words), idx[:len(d)], mask[:len(d)]
		for l := range d {
			switch i := idx[l] - at.Lo; {
			case i < at.Count:
				d[l] = decode(elements[i*at.Mult+at.First])
			case mask[l] != 0:
				return l
			}
		}
		return len(d)
	}
}

func lookup(d, a, words []uint32, mask uint32) {
	for l, i := range a[:len(d)] {
		d[l] = words[i&mask]
	}
}

func widening[T uint8 | uint16](decode func(T) uint32) Widening {
	return func(d, words []uint32, first uint32) {
		for l, x := range view[T](words)[first:][:len(d)] {
			d[l] = decode(x)
		}
	}
}

func widen[T uint8 | uint16 | uint32](x T) uint32 { return uint32(x) }

func scatter[T uint8 | uint16 | uint32](words, idx, mask, v []uint32, at Index) int {
	elements, idx, mask := view[T](words), idx[:len(v)], mask[:len(v)]
	for l, on := range mask {
		if on != 0 && idx[l]-at.Lo >= at.Count {
			return l
		}
	}
	for l, on := range mask {
		if on != 0 {
			elements[(idx[l]-at.Lo)*at.Mult+at.First] = T(v[l])
		}
	}
	return len(v)
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
