package ball

import (
	"math/bits"
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Each loop does the first lanes of n, in fours, and says how many; stepA and the like are the
// bytes from one lane's operand to the next's.

//go:noescape
func sums(d, a, b *Ball, n, stepA, stepB int, sign uint64) int

//go:noescape
func products(d, a, b *Ball, n, stepA, stepB int) int

//go:noescape
func fused(d, a, b, c *Ball, n, stepA, stepB, stepC int) int

//go:noescape
func anchored(d, a *Ball, n, step int, cut uint64, least, most float64) int

//go:noescape
func numbers(d *Ball, v *float32, n int)

//go:noescape
func dotted(sum, rows *Ball, trips, stride int, t *factor, c *rowLoopConstants) (done, half int)

//go:noescape
func scaled(sum, rows *Ball, trips, stride int, t *factor, c *rowLoopConstants) (done, half int)

//go:noescape
func scaledExactly(sum, rows *Ball, trips, stride int, t *factor, c *rowLoopConstants) (done, half int)

//go:noescape
func updated(sum, rows *Ball, trips, stride int, t *factor, c *rowLoopConstants, u *factor, add *Ball) (done, half int)

// tiles tells which fours of elements it leaves to Go.
//
//go:noescape
func tiles(d, a, b, c *Matrix, k *tileConstants) (left uint64)

// tileConstants is what a product of matrices compares with, and multiplies by.
type tileConstants struct{ roundings, underflow, largest float64 }

var ofTiles = tileConstants{tileRoundings, tileUnderflow, largest}

// nativeRowLoop is portableRowLoop in assembly, of rows without what X lacks.
func nativeRowLoop(t *RowLoop, sum, rows []Ball, n, at, first int) (done, half int) {
	trips, stride := len(t.t)-at, n*int(unsafe.Sizeof(Ball{}))
	switch {
	case t.exactly:
		return scaledExactly(&sum[0], &rows[0], trips, stride, &t.t[at], &t.constants)
	case t.Scale != nil:
		return scaled(&sum[0], &rows[0], trips, stride, &t.t[at], &t.constants)
	case t.Add != nil:
		return updated(&sum[0], &rows[0], trips, stride, &t.t[at], &t.constants, &t.u[at], &t.Add[first])
	}
	return dotted(&sum[0], &rows[0], trips, stride, &t.t[at], &t.constants)
}

// Native is the fastest rows that this processor can run.
func Native() *Rows {
	if cpu.X86.HasAVX2 {
		return avx2
	}
	return Portable
}

var avx2 = &Rows{
	Name: "avx2",
	Add: func(d, a, b []Ball, mask []uint32) {
		inFours(d, a, b, mask, Portable.Add, func(d, a, b *Ball, n, i, j int) int { return sums(d, a, b, n, i, j, 0) })
	},
	Sub: func(d, a, b []Ball, mask []uint32) {
		inFours(d, a, b, mask, Portable.Sub,
			func(d, a, b *Ball, n, i, j int) int { return sums(d, a, b, n, i, j, 1<<63) })
	},
	Mul: func(d, a, b []Ball, mask []uint32) { inFours(d, a, b, mask, Portable.Mul, products) },
	FMA: func(d, a, b, c []Ball, mask []uint32) {
		const size = int(unsafe.Sizeof(Ball{}))
		i, j, k := stride(a), stride(b), stride(c)
		for at := 0; at < len(d); {
			if mask == nil {
				at += fused(&d[at], &a[at*i], &b[at*j], &c[at*k], len(d)-at, i*size, j*size, k*size)
			}
			end := len(d)
			if mask == nil {
				end = min(at+4, end)
			}
			Portable.FMA(d[at:end], part(a, at, end), part(b, at, end), part(c, at, end), mask)
			at = end
		}
	},
	Anchored: func(f *Format, d, a []Ball, mask []uint32) {
		inFours(d, a, a, mask, func(d, a, _ []Ball, mask []uint32) { Portable.Anchored(f, d, a, mask) },
			func(d, a, _ *Ball, n, step, _ int) int {
				return anchored(d, a, n, step, uint64(f.cut), 4*f.normal, f.huge/2)
			})
	},
	Numbers: func(d []Ball, v []float32) {
		n := len(d) &^ 3
		if n > 0 {
			numbers(&d[0], &v[0], n)
		}
		Portable.Numbers(d[n:], v[n:])
	},
	Tile: func(d, a, b, c *Matrix) {
		for left := tiles(d, a, b, c, &ofTiles); left != 0; left &= left - 1 {
			first := 4 * bits.TrailingZeros64(left)
			for i := first; i < first+4; i++ {
				d.X[i], d.E[i] = tileElement(a, b, c, i)
			}
		}
	},
	rowLoop: nativeRowLoop,
}

// inFours runs a loop of assembly where all lanes are on, and leaves to Go what it leaves.
func inFours(d, a, b []Ball, mask []uint32, portable func(d, a, b []Ball, mask []uint32),
	loop func(d, a, b *Ball, n, stepA, stepB int) int) {
	const size = int(unsafe.Sizeof(Ball{}))
	if mask != nil {
		portable(d, a, b, mask)
		return
	}
	i, j := stride(a), stride(b)
	for at := 0; at < len(d); {
		at += loop(&d[at], &a[at*i], &b[at*j], len(d)-at, i*size, j*size)
		end := min(at+4, len(d))
		portable(d[at:end], part(a, at, end), part(b, at, end), nil)
		at = end
	}
}

// part is some lanes of an operand.
func part(a []Ball, from, to int) []Ball {
	if len(a) == 1 {
		return a
	}
	return a[from:to]
}
