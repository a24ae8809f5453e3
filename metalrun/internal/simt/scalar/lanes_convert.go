package scalar

import "math"

// Conversions of lanes. Each is the scalar conversion of the same kind: one
// rounding, truncation with saturation to integers.

// F32FromU32 sets d to the unsigned numbers a.
func F32FromU32(d []float32, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float32(a[i])
	}
}

// F32FromI32 sets d to the signed numbers a.
func F32FromI32(d []float32, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float32(int32(a[i]))
	}
}

// U32FromF32 sets d to the numbers a truncated to unsigned.
func U32FromF32(d []uint32, a []float32) {
	a = a[:len(d)]
	for i := range d {
		if x := a[i]; x >= 0 && x < 1<<32 {
			d[i] = uint32(int64(x))
		} else {
			d[i] = ToInteger[uint32](x)
		}
	}
}

// I32FromF32 sets d to the numbers a truncated to signed.
func I32FromF32(d []uint32, a []float32) {
	a = a[:len(d)]
	for i := range d {
		if x := a[i]; x >= -1<<31 && x < 1<<31 {
			d[i] = uint32(int32(x))
		} else {
			d[i] = uint32(ToInteger[int32](x))
		}
	}
}

// RoundHalfV sets d to a rounded to half.
func RoundHalfV(d, a []float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = RoundHalf(a[i])
	}
}

// RoundBfloatV sets d to a rounded to bfloat.
func RoundBfloatV(d, a []float32) {
	a = a[:len(d)]
	for i := range d {
		u := math.Float32bits(a[i])
		if u&^(1<<31) > 0x7f800000 {
			u = u | 1<<22
		} else {
			u += 0x7fff + u>>16&1
		}
		d[i] = math.Float32frombits(u &^ 0xffff)
	}
}

// FlushF32V sets d to a with subnormal numbers replaced by zeros of their sign.
func FlushF32V(d, a []float32) {
	flushBits(Uint32s(d), Uint32s(a))
}

func flushBits(d, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		u := a[i]
		if u&0x7f800000 == 0 {
			u &= 1 << 31
		}
		d[i] = u
	}
}

// CanonicalNaN replaces every NaN in d by 0x7fc00000. Sign and payload of a
// computed NaN depend on the processor; where they could become visible as bits
// this makes them equal everywhere.
func CanonicalNaN(d []float32) {
	for i, x := range d {
		if x != x {
			d[i] = quietNaN
		}
	}
}
