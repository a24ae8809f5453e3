package lanes

import "unsafe"

// Word is a type that the lane loops treat as bits. Shifts of signed types
// repeat the sign bit.
type Word interface {
	int32 | uint32 | int64 | uint64
}

// Int32s returns the lanes of x as signed numbers, in the same memory.
func Int32s(x []uint32) []int32 {
	return unsafe.Slice((*int32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// Int64s returns the lanes of x as signed numbers, in the same memory.
func Int64s(x []uint64) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// Float32s returns the lanes of x read as float32, in the same memory.
func Float32s(x []uint32) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}

// AndVV sets d = a & b.
func AndVV[T Word](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] & b[i]
	}
}

// AndVS sets d = a & s.
func AndVS[T Word](d, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] & s
	}
}

// OrVV sets d = a | b.
func OrVV[T Word](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] | b[i]
	}
}

// OrVS sets d = a | s.
func OrVS[T Word](d, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] | s
	}
}

// XorVV sets d = a ^ b.
func XorVV[T Word](d, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	for i := range d {
		d[i] = a[i] ^ b[i]
	}
}

// XorVS sets d = a ^ s.
func XorVS[T Word](d, a []T, s T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = a[i] ^ s
	}
}

// NotV sets d = ^a.
func NotV[T Word](d, a []T) {
	a = a[:len(d)]
	for i := range d {
		d[i] = ^a[i]
	}
}

// ShlVV sets d = a << b, with b taken modulo the width.
func ShlVV[T Word](d, a, b []T) {
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

// ShlVS sets d = a << s, with s taken modulo the width.
func ShlVS[T Word](d, a []T, s T) {
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

// ShrVV sets d = a >> b, with b taken modulo the width.
func ShrVV[T Word](d, a, b []T) {
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

// ShrVS sets d = a >> s, with s taken modulo the width.
func ShrVS[T Word](d, a []T, s T) {
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

// ShlSV sets d = s << b, with b taken modulo the width.
func ShlSV[T Word](d []T, s T, b []T) {
	b = b[:len(d)]
	width := uint(unsafe.Sizeof(s)) * 8
	for i := range d {
		d[i] = s << (uint(b[i]) & (width - 1))
	}
}

// ShrSV sets d = s >> b, with b taken modulo the width.
func ShrSV[T Word](d []T, s T, b []T) {
	b = b[:len(d)]
	width := uint(unsafe.Sizeof(s)) * 8
	for i := range d {
		d[i] = s >> (uint(b[i]) & (width - 1))
	}
}
