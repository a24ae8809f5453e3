package lanes

import (
	"math"

	"metalconform/metalrun/internal/scalar"
)

// fmaTile adds to d the product of the 8×8 matrices a and b, all row-major:
// d[i,j] takes a[i,k]·b[k,j] by fused multiply-add, k ascending, each step
// rounded once to float32.
func fmaTile(d, a, b *[64]float32) {
	var wide [64]float64
	for i, x := range b {
		wide[i] = float64(x)
	}
	for i := 0; i < 64; i += 8 {
		row := (*[8]float32)(d[i:])
		for k, x := range (*[8]float32)(a[i:]) {
			m := float64(x)
			for j, y := range (*[8]float64)(wide[8*k:]) {
				p := float64(m * y)
				q := float64(row[j])
				sum := p + q
				if u := math.Float64bits(sum); scalar.Doubtful(u) {
					v := sum - p
					if e := float64(p-float64(sum-v)) + float64(q-v); e != 0 {
						sum = scalar.NextOdd(u, e)
					}
				}
				row[j] = float32(sum)
			}
		}
	}
}

// mulAddTile is fmaTile with product and sum rounded each.
func mulAddTile(d, a, b *[64]float32) {
	for i := 0; i < 64; i += 8 {
		row := (*[8]float32)(d[i:])
		for k, x := range (*[8]float32)(a[i:]) {
			for j, y := range (*[8]float32)(b[8*k:]) {
				row[j] = float32(x*y) + row[j]
			}
		}
	}
}
