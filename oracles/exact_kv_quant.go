package oracles

import "math/big"

// ExactDequantizeCache is the exact twin of [DequantizeCache].
func ExactDequantizeCache(p Cache, start, n int) Exact {
	return func(i int) *big.Float {
		h, t, d := i/(n*p.Dim), i/p.Dim%n, i%p.Dim
		position := h*p.Capacity + start + t
		norm := p.Norms[position*p.NormsPerPos+min(d/normBlock, p.NormsPerPos-1)]
		y := num(p.Levels[p.index(position, d)]).times(num(norm))
		if p.Dim <= normBlock {
			return y.over(num(float64(p.Dim)).root()).Float
		}
		return y.over(num(p.Scale)).Float
	}
}
