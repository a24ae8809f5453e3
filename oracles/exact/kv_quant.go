package exact

import (
	"math/big"

	"metalconform/oracles"
)

// normBlock is the number of coordinates that share a norm.
const normBlock = 256

// DequantizeCache is the high-precision reference of [oracles.DequantizeCache].
func DequantizeCache(p oracles.Cache, start, n int) oracles.Reference {
	return func(i int) *big.Float {
		h, t, d := i/(n*p.Dim), i/p.Dim%n, i%p.Dim
		position := h*p.Capacity + start + t
		norm := p.Norms[position*p.NormsPerPos+min(d/normBlock, p.NormsPerPos-1)]
		y := num(p.Levels[level(p, position, d)]).times(num(norm))
		if p.Dim <= normBlock {
			return y.over(num(float64(p.Dim)).root()).Float
		}
		return y.over(num(p.Scale)).Float
	}
}

// level is the index of coordinate d of a position: half a byte, the even one
// first, or the low bits of a byte.
func level(p oracles.Cache, position, d int) uint32 {
	at := position*p.Dim + d
	if p.Bits == 4 {
		return p.Packed[at/2] >> (at % 2 * 4) % 16
	}
	return p.Packed[at] % (1 << p.Bits)
}
