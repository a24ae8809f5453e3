package profile

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLineCache compares a cache with a list that is searched from the front.
func TestLineCache(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	c, list := emptyCache, make([]uint64, cacheLines)
	for i := range list {
		list[i] = noLine
	}
	for step := range int64(20000) {
		if random.IntN(100) == 0 {
			n := random.IntN(10)
			c.age(int64(n))
			list = append(slices.Repeat([]uint64{noLine}, n), list...)[:cacheLines]
		}
		line := uint64(random.IntN(1+random.IntN(100)))<<random.IntN(3) | uint64(random.IntN(2))<<objectShift
		want, place := 0, slices.Index(list, line)
		if place >= 0 {
			for share := Shares - 1; want == 0; share-- {
				if place < cacheLines>>share {
					want = share + 1
				}
			}
			list = slices.Delete(list, place, place+1)
		}
		list = append([]uint64{line}, list...)[:cacheLines]
		if got := c.use(line, step); got != want {
			t.Fatalf("step %d: line %x at place %d is held by %d shares, want %d", step, line, place, got, want)
		}
	}
}
