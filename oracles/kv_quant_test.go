package oracles

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"metalconform/fixtures"
)

// cached is a cache of random bytes with a norm for every block.
func cached(r *rand.Rand, family string, bits, dim, norms int, scale float64) Cache {
	p := Cache{Bits: bits, Heads: 2, Dim: dim, Capacity: 4, NormsPerPos: norms, Scale: scale,
		Levels: fixtures.Codebook(bits)}
	for i, x := range p.Levels {
		p.Levels[i] = F32.Round(x)
	}
	width := dim
	if bits == 4 {
		width /= 2
	}
	p.Packed = make([]uint32, p.Heads*p.Capacity*width)
	for i := range p.Packed {
		p.Packed[i] = r.Uint32() & 255
	}
	p.Norms = inputs(r, family, F32, p.Heads*p.Capacity*norms)
	return p
}

// TestDequantizeCacheInRationals computes the values again, in many digits and
// from bits taken one by one.
func TestDequantizeCacheInRationals(t *testing.T) {
	t.Parallel()
	for _, bits := range []int{4, 5, 6, 8} {
		for dim := 2; dim <= 2048; dim *= 4 {
			norms := max(1, dim/256)
			p := cached(source("cache", bits*dim), "normal", bits, dim, norms, 3)
			got := DequantizeCache(p, 1, 2, Contract{}).Want
			for i, y := range got {
				h, pos, d := i/(2*dim), 1+i/dim%2, i%dim
				want := bigLevel(p, (h*4+pos)*dim+d)
				norm := p.Norms[(h*4+pos)*norms]
				divisor := new(big.Float).SetPrec(200).SetInt64(int64(dim))
				divisor.Sqrt(divisor)
				if dim > 256 {
					norm = p.Norms[(h*4+pos)*norms+d/256]
					divisor.SetInt64(3)
				}
				want.Mul(want, big.NewFloat(norm))
				want.Quo(want, divisor)
				if w, _ := want.Float64(); math.Abs(y-w) > 1e-15*math.Abs(w) {
					t.Fatalf("%d bits, dim %d: out[%d, %d, %d] = %v, want %v", bits, dim, h, pos-1, d, y, w)
				}
			}
		}
	}
}

// bigLevel is the level of a coordinate, counted over the whole cache.
func bigLevel(p Cache, coordinate int) *big.Float {
	stored := 8
	if p.Bits == 4 {
		stored = 4
	}
	index := 0
	for b := range p.Bits {
		at := coordinate*stored + b
		index += int(p.Packed[at/8]>>(at%8)&1) << b
	}
	return new(big.Float).SetPrec(200).SetFloat64(p.Levels[index])
}

// dequantized32 is a plain evaluation in f32. product says how the three
// numbers are put together.
func dequantized32(p Cache, start, n int, product func(level, norm, scale float32) float32) []float32 {
	var out []float32
	for h := range p.Heads {
		for t := range n {
			at := h*p.Capacity + start + t
			for d := range p.Dim {
				scale, norm := float32(p.Scale), p.Norms[at*p.NormsPerPos+min(d/256, p.NormsPerPos-1)]
				if p.Dim <= 256 {
					scale = rsqrt32(float32(p.Dim))
				}
				out = append(out, product(float32(p.Levels[p.index(at, d)]), float32(norm), scale))
			}
		}
	}
	return out
}

func TestDequantizeCacheBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	t.Parallel()
	short := map[string]func(l, n, r float32) float32{
		"left to right": func(l, n, r float32) float32 { return float32(l*n) * r },
		"norm first":    func(l, n, r float32) float32 { return l * float32(n*r) },
		"level first":   func(l, n, r float32) float32 { return float32(l*r) * n },
	}
	long := map[string]func(l, n, s float32) float32{
		"left to right":   func(l, n, s float32) float32 { return float32(l*n) / s },
		"norm first":      func(l, n, s float32) float32 { return l * float32(n/s) },
		"level first":     func(l, n, s float32) float32 { return float32(l/s) * n },
		"reciprocal":      func(l, n, s float32) float32 { return float32(l*n) * float32(1/s) },
		"reciprocal norm": func(l, n, s float32) float32 { return l * float32(n*float32(1/s)) },
	}
	for _, family := range families {
		for _, bits := range []int{4, 6} {
			for _, dim := range []int{2, 64, 128, 512, 2048} {
				for _, scale := range []float64{1, 3, 16} {
					products, norms := short, 1
					if dim > 256 {
						products, norms = long, 2
					}
					name := fmt.Sprintf("%s/bits=%d/dim=%d/scale=%g", family, bits, dim, scale)
					p := cached(source(name, bits), family, bits, dim, norms, scale)
					a := DequantizeCache(p, 1, 3, Contract{})
					for how, product := range products {
						got := dequantized32(p, 1, 3, product)
						if over := worst(a, got); !(over <= 1) {
							t.Errorf("%s %s: a faithful evaluation is %.3g x its bound", name, how, over)
						}
						if family == "integers" && (dim == 64 || dim > 256 && scale != 3) {
							checkExact(t, name+" "+how, p, a, got)
						}
					}
					if family == "normal" {
						beyondCache(t, name, p, a, products["left to right"])
					}
				}
			}
		}
	}
}

// checkExact holds elements with a norm of a power of two to their bits.
func checkExact(t *testing.T, name string, p Cache, a Answer, got []float32) {
	t.Helper()
	exact := 0
	for i, want := range a.Want {
		h, pos, d := i/(3*p.Dim), 1+i/p.Dim%3, i%p.Dim
		norm := p.Norms[(h*p.Capacity+pos)*p.NormsPerPos+min(d/256, p.NormsPerPos-1)]
		if fraction, _ := math.Frexp(math.Abs(norm)); fraction != 0.5 {
			continue
		}
		exact++
		if a.Bound(i) != 0 || float64(got[i]) != want {
			t.Fatalf("%s: element %d is %v, want %v within %v", name, i, got[i], want, a.Bound(i))
		}
	}
	if exact == 0 {
		t.Logf("%s: no norm is a power of two", name)
	}
}

// beyondCache holds faulty evaluations to exceeding the bound.
func beyondCache(t *testing.T, name string, p Cache, a Answer, product func(l, n, s float32) float32) {
	t.Helper()
	faulty := func(what string, edit func(*Cache), start int, product func(l, n, s float32) float32) {
		q := p
		edit(&q)
		beyond(t, name+" "+what, a, dequantized32(q, start, 3, product))
	}
	same := func(*Cache) {}
	faulty("position before", same, 0, product)
	faulty("half an ulp of f16", same, 1,
		func(l, n, s float32) float32 { return float32(F16.Round(float64(product(l, n, s)))) })
	if p.Dim == 64 {
		return
	}
	if p.Dim > 256 {
		faulty("norm of the first block", func(q *Cache) {
			q.Norms = make([]float64, len(p.Norms))
			for i := range q.Norms {
				q.Norms[i] = p.Norms[i/p.NormsPerPos*p.NormsPerPos]
			}
		}, 1, product)
		if p.Scale != 1 {
			faulty("scale dropped", same, 1, func(l, n, _ float32) float32 { return l * n })
		}
		return
	}
	faulty("divided by dim", same, 1, func(l, n, r float32) float32 { return l * n * r * r })
}

// TestDequantizeCacheNonFinite puts one norm out of range: it reaches its block
// of its position and nothing else.
func TestDequantizeCacheNonFinite(t *testing.T) {
	for _, norm := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, test := range []struct{ dim, norms, block, first, end int }{
			{64, 1, 0, 0, 64}, {512, 2, 0, 0, 256}, {512, 2, 1, 256, 512}, {2048, 3, 2, 512, 2048},
		} {
			p := cached(source("one", test.dim), "positive", 6, test.dim, test.norms, 3)
			p.Norms[(1*p.Capacity+2)*test.norms+test.block] = norm
			a := DequantizeCache(p, 1, 3, Contract{})
			for i, y := range a.Want {
				h, pos, d := i/(3*test.dim), 1+i/test.dim%3, i%test.dim
				hit := h == 1 && pos == 2 && test.first <= d && d < test.end
				if finite(y) == hit || hit && a.Bound(i) != 0 {
					t.Fatalf("norm %v of block %d, dim %d: out[%d, %d, %d] = %v within %v", norm, test.block, test.dim,
						h, pos-1, d, y, a.Bound(i))
				}
			}
		}
	}
}

// TestDequantizeCacheOverflow: what some association may overflow is left open.
func TestDequantizeCacheOverflow(t *testing.T) {
	p := Cache{Packed: []uint32{15, 8}, Norms: []float64{3e38}, Levels: make([]float64, 16), Bits: 4, Heads: 1, Dim: 4,
		Capacity: 1, NormsPerPos: 1}
	p.Levels[15], p.Levels[8], p.Levels[0] = 1.5, 0.5, 0.25
	a := DequantizeCache(p, 0, 1, Contract{})
	if !math.IsInf(a.Bound(0), 1) || math.IsInf(a.Bound(2), 1) || math.IsInf(a.Bound(1), 1) {
		t.Errorf("bounds %v, %v and %v, want only the first open", a.Bound(0), a.Bound(1), a.Bound(2))
	}
}
