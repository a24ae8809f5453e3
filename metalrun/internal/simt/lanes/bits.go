package lanes

import "unsafe"

// word is a type that the lane loops treat as bits. Shifts of signed types
// repeat the sign bit.
type word interface {
	int32 | uint32 | int64 | uint64
}

// int32s returns the lanes of x as signed numbers, in the same memory.
func int32s(x []uint32) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// int64s returns the lanes of x as signed numbers, in the same memory.
func int64s(x []uint64) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// Float32s returns the lanes of x read as float32, in the same memory.
func Float32s(x []uint32) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// andVV sets d = a & b.
func andVV[T word](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

// andVS sets d = a & s.
func andVS[T word](d, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] & s
	}
}

// orVV sets d = a | b.
func orVV[T word](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] | b[i]
	}
}

// orVS sets d = a | s.
func orVS[T word](d, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] | s
	}
}

// xorVV sets d = a ^ b.
func xorVV[T word](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}

// xorVS sets d = a ^ s.
func xorVS[T word](d, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] ^ s
	}
}

// notV sets d = ^a.
func notV[T word](d, a []T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = ^a[i]
	}
}

// shlVV sets d = a << b, with b taken modulo the width.
func shlVV[T word](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	if unsafe.Sizeof(T(0)) == 4 {
		for i := range d {
			d[i] = a[i] << (uint(b[i]) & 31)
		}
		return
	}
	for i := range d {
		d[i] = a[i] << (uint(b[i]) & 63)
	}
}

// shlVS sets d = a << s, with s taken modulo the width.
func shlVS[T word](d, a []T, s T) {
	a = a[:len(d)]
	if n := uint(s) & 63; unsafe.Sizeof(s) == 4 {
		for i := range d {
			d[i] = a[i] << (n & 31)
		}
	} else {
		for i := range d {
			d[i] = a[i] << (n & 63)
		}
	}
}

// shrVV sets d = a >> b, with b taken modulo the width.
func shrVV[T word](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	if unsafe.Sizeof(T(0)) == 4 {
		for i := range d {
			d[i] = a[i] >> (uint(b[i]) & 31)
		}
		return
	}
	for i := range d {
		d[i] = a[i] >> (uint(b[i]) & 63)
	}
}

// shrVS sets d = a >> s, with s taken modulo the width.
func shrVS[T word](d, a []T, s T) {
	a = a[:len(d)]
	if n := uint(s) & 63; unsafe.Sizeof(s) == 4 {
		for i := range d {
			d[i] = a[i] >> (n & 31)
		}
	} else {
		for i := range d {
			d[i] = a[i] >> (n & 63)
		}
	}
}

// shlSV sets d = s << b, with b taken modulo the width.
func shlSV[T word](d []T, s T, b []T) {
	b = b[:len(d)]
	width := uint(unsafe.Sizeof(s)) * 8
	for i := range d {
		d[i] = s << (uint(b[i]) & (width - 1))
	}
}

// shrSV sets d = s >> b, with b taken modulo the width.
func shrSV[T word](d []T, s T, b []T) {
	b = b[:len(d)]
	width := uint(unsafe.Sizeof(s)) * 8
	for i := range d {
		d[i] = s >> (uint(b[i]) & (width - 1))
	}
}

// field sets d = a>>shift & mask.
func field(d, a []uint32, shift, mask uint32) {
	a = a[:len(d)]
	for i, x := range a {
		d[i] = x >> (shift & 31) & mask
	}
}
