package oracles

import "testing"

// TestPanels holds dot products by panels to those of one pair of vectors, bit for bit.
func TestPanels(t *testing.T) {
	t.Parallel()
	for _, s := range []Schedule{Sequential(), Strided(32, 1), Strided(32, 4), {Lanes: 3, Block: 5},
		{Lanes: 8, Tree: true}, MatrixTiles(), AnyOrder()} {
		for _, c := range []struct{ rows, width, first, n int }{{1, 1, 0, 1}, {9, 31, 2, 7}, {20, 128, 0, 20},
			{33, 200, 16, 8}, {40, 12, 39, 1}} {
			for _, family := range []string{"normal", "cancelling", "integers"} {
				r := source(family, c.width)
				x := inputs(r, family, F32, c.rows*c.width)
				query := inputs(r, "normal", F32, c.width)
				row := func(i int) []float64 { return x[i*c.width:][:c.width] }
				k := newOnlineSoftmax(float64(float32(0.3)), Contract{Sums: map[string]Schedule{"score": s}})
				keys := newFactors(c.rows, row)
				for j, got := range k.scored(c.first, c.n, query, keys) {
					at := row(c.first + j)
					want := k.scaledProduct(k.scale, k.score.dotOf(query, at, absoluteSum(query)+absoluteSum(at)),
						func() (float64, float64) {
							_, magnitude, squares := products(query, at)
							return magnitude, squares
						})
					if !alike(got, want) {
						t.Errorf("%v, %s, %d rows of %d: %v, alone %v", s, family, c.rows, c.width, got, want)
					}
				}
			}
		}
	}
}

// alike reports whether two numbers are the same but for the order in which float64 added up
// what they scatter.
func alike(a, b approx) bool {
	close := func(x, y float64) bool { return x-y <= 1e-14*y && y-x <= 1e-14*y }
	return a.v == b.v && close(a.e, b.e) && close(a.systematic, b.systematic) && close(a.variance, b.variance)
}
