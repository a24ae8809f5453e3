package lanes

import (
	"math"

	"metalconform/metalrun/internal/scalar"
)

// Conversions of lanes. Each is the scalar conversion of the same kind: one
// rounding, truncation with saturation to integers.

// fromU32 sets d to the unsigned numbers a.
func fromU32(d []float32, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float32(a[i])
	}
}

// fromI32 sets d to the signed numbers a.
func fromI32(d []float32, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = float32(int32(a[i]))
	}
}

// toU32 sets d to the numbers a truncated to unsigned.
func toU32(d []uint32, a []float32) {
	a = a[:len(d)]
	for i := range d {
		if x := a[i]; x >= 0 && x < 1<<32 {
			d[i] = uint32(int64(x))
		} else {
			d[i] = scalar.ToInteger[uint32](x)
		}
	}
}

// toI32 sets d to the numbers a truncated to signed.
func toI32(d []uint32, a []float32) {
	a = a[:len(d)]
	for i := range d {
		if x := a[i]; x >= -1<<31 && x < 1<<31 {
			d[i] = uint32(int32(x))
		} else {
			d[i] = uint32(scalar.ToInteger[int32](x))
		}
	}
}

// roundHalf sets d to a rounded to half.
func roundHalf(d, a []float32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = scalar.RoundHalf(a[i])
	}
}

// roundBfloat sets d to a rounded to bfloat.
func roundBfloat(d, a []float32) {
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

func flush(d, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		u := a[i]
		if u&0x7f800000 == 0 {
			u &= 1 << 31
		}
		d[i] = u
	}
}

func quietNaN(d, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		u := a[i]
		if u&^(1<<31) > 0x7f800000 {
			u = 0x7fc00000
		}
		d[i] = u
	}
}

func fromHalfBits(d, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = math.Float32bits(scalar.FromHalfBits(uint16(a[i])))
	}
}

func extendU(d []uint64, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = uint64(a[i])
	}
}

func extendS(d []uint64, a []uint32) {
	a = a[:len(d)]
	for i := range d {
		d[i] = uint64(int64(int32(a[i])))
	}
}

func low(d []uint32, a []uint64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = uint32(a[i])
	}
}

func high(d []uint32, a []uint64) {
	a = a[:len(d)]
	for i := range d {
		d[i] = uint32(a[i] >> 32)
	}
}
