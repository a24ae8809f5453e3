package oracles

import (
	"math"
	"slices"
	"testing"
)

// folded32 is attention over a whole cache in f32.
func folded32(p MLA, c Contract, positions int, acc rounding) []float32 {
	_, l, v := attend32(p, MLAState{}, [][2]int{{0, positions}}, true, c, acc)
	return combine32(v, l, p.Rank)
}

func foldedContract() Contract {
	return Contract{Sums: map[string]Schedule{"score": Strided(32, 1), "denominator": Strided(128, 1),
		"values": Sequential()}}
}

func TestMLAFoldedBudget(t *testing.T) {
	c := foldedContract()
	const heads, rank, rope, positions = 3, 33, 8, 150
	for _, family := range []string{"normal", "equal", "dominant", "far below zero"} {
		for seed := range 3 {
			p := attention(source(family, seed), heads, rank, rope, positions, family)
			a := MLAFolded(p, c)
			within(t, family, a, folded32(p, c, positions, single))
			if family == "normal" {
				beyond(t, family+" bf16 values", a, folded32(p, c, positions, bfloat))
				beyond(t, family+" last position dropped", a, folded32(p, c, positions-1, single))
			}
		}
	}
}

// TestMLAFoldedInvariants: any tiles give the same, the order of positions does not
// matter, and a cache of equal rows returns that row.
func TestMLAFoldedInvariants(t *testing.T) {
	const heads, rank, rope, positions = 2, 16, 4, 40
	p := attention(source("folded invariants", 1), heads, rank, rope, positions, "normal")
	whole := MLAFolded(p, Contract{}).Want
	for _, size := range []int{1, 7, 39, 40} {
		var tiles [][2]int
		for first := 0; first < positions; first += size {
			tiles = append(tiles, [2]int{first, min(first+size, positions)})
		}
		_, l, v := MLATile(p, MLAState{}, tiles, true, Contract{})
		agree(t, "tiled", MLAFinalize(v.Want, l.Want, heads, rank, Contract{}).Want, whole)
	}
	permuted := p
	permuted.Latent, permuted.RopeK = nil, nil
	for i := range positions {
		pos := i * 7 % positions
		permuted.Latent = append(permuted.Latent, p.Latent[pos*rank:(pos+1)*rank]...)
		permuted.RopeK = append(permuted.RopeK, p.RopeK[pos*rope:(pos+1)*rope]...)
	}
	agree(t, "permuted", MLAFolded(permuted, Contract{}).Want, whole)
	equal := p
	equal.Latent = slices.Repeat(p.Latent[:rank], positions)
	agree(t, "equal rows", MLAFolded(equal, Contract{}).Want, slices.Repeat(p.Latent[:rank], heads))
}

func TestNonFiniteMLAFolded(t *testing.T) {
	const heads, rank, rope, positions = 3, 20, 6, 30
	c := foldedContract()
	p := attention(source("folded", 1), heads, rank, rope, positions, "normal")
	spoiled(map[string][]float64{"q'": p.QPrime, "q_pe": p.QPe, "latent": p.Latent, "rope_k": p.RopeK},
		func(name string) {
			strict(t, name, MLAFolded(p, c), folded32(p, c, positions, single))
		})
}

// TestMaskedMLAFolded has one score above −∞, then none.
func TestMaskedMLAFolded(t *testing.T) {
	const rank, positions = 20, 30
	p := attention(source("masked", 2), 1, rank, 1, positions, "normal")
	p.QPe[0] = 1
	for pos := range positions {
		p.RopeK[pos] = math.Inf(-1)
	}
	p.RopeK[17] = 0
	a := MLAFolded(p, foldedContract())
	for i, got := range a.Want {
		if want := p.Latent[17*rank+i]; got != want || !(a.Bound(i) <= 1e-4) {
			t.Errorf("v_combine[%d] = %v within %g, want %v", i, got, a.Bound(i), want)
		}
	}
	p.RopeK[17] = math.Inf(-1)
	if a := MLAFolded(p, foldedContract()); !math.IsInf(a.Bound(0), 1) {
		t.Errorf("nothing to attend to: bound %g, want +Inf", a.Bound(0))
	}
}
