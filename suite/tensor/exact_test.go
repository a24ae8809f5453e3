package tensor

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// edges are integers at which words of 32 and of 64 bits, and numbers of float64, end.
func edges() []*big.Int {
	var all []*big.Int
	for _, k := range []uint{0, 1, 8, 31, 32, 52, 53, 54, 62, 63, 64, 106, 127, 160} {
		for _, off := range []int64{-1, 0, 1} {
			n := new(big.Int).Add(new(big.Int).Lsh(big.NewInt(1), k), big.NewInt(off))
			all = append(all, n, new(big.Int).Neg(n))
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		n := new(big.Int).SetUint64(r.Uint64())
		all = append(all, new(big.Int).Lsh(n, uint(r.IntN(50))), new(big.Int).SetUint64(r.Uint64()>>r.IntN(63)))
	}
	return all
}

func wholes(of []*big.Int) []Integer {
	all := make([]Integer, len(of))
	for i, n := range of {
		all[i] = Large(new(big.Int).Set(n))
	}
	return all
}

// TestIntegersAsTensors: tensors have integers of any size as they are, moved or not.
func TestIntegersAsTensors(t *testing.T) {
	of := edges()
	x := OfIntegers(wholes(of), len(of)/2, 2)
	if !x.Exact() || !x.Wide() {
		t.Fatal("not exact")
	}
	turned, err := x.Transpose()
	if err != nil {
		t.Fatal(err)
	}
	back, err := turned.Transpose()
	if err != nil {
		t.Fatal(err)
	}
	joined, err := Concatenate(0, back, x)
	if err != nil {
		t.Fatal(err)
	}
	for i, n := range slices.Concat(of, of) {
		if got := joined.Integer(i).Big(); got.Cmp(n) != 0 {
			t.Errorf("element %d is %s, want %s", i, got, n)
		}
	}
}

// TestIntegerArithmetic holds operations against math/big.
func TestIntegerArithmetic(t *testing.T) {
	floor := func(z, r, x, y *big.Int) {
		z.DivMod(x, y, r) // of Euclid: what is left is not negative
		if y.Sign() < 0 && r.Sign() != 0 {
			z.Sub(z, big.NewInt(1))
			r.Add(r, y)
		}
	}
	all := edges()
	for _, x := range all {
		for _, y := range all {
			n, m, z, r := Large(new(big.Int).Set(x)), Large(new(big.Int).Set(y)), new(big.Int), new(big.Int)
			check := func(name string, got Integer, want *big.Int) {
				t.Helper()
				if got.IsNone() || got.Big().Cmp(want) != 0 {
					t.Errorf("%s %s %s is %s, want %s", x, name, y, got.Big(), want)
				}
			}
			check("+", n.Add(m), z.Add(x, y))
			check("-", n.Sub(m), z.Sub(x, y))
			check("*", n.Mul(m), z.Mul(x, y))
			check("&", n.Bits(m, func(x, y int64) int64 { return x & y }, (*big.Int).And), z.And(x, y))
			if y.Sign() != 0 {
				floor(z, r, x, y)
				check("//", n.Div(m), z)
				check("%", n.Mod(m), r)
			} else if !n.Div(m).IsNone() || !n.Mod(m).IsNone() {
				t.Errorf("%s over 0 is something", x)
			}
			if y.IsInt64() && y.Int64() >= 0 && y.Int64() <= mostShift {
				check("<<", n.Shl(m), z.Lsh(x, uint(y.Int64())))
				check(">>", n.Shr(m), z.Rsh(x, uint(y.Int64())))
			}
			if n.Compare(m) != x.Cmp(y) {
				t.Errorf("%s and %s compare as %d", x, y, n.Compare(m))
			}
		}
		low := new(big.Int).And(x, new(big.Int).SetUint64(1<<64-1)).Uint64()
		n := Large(new(big.Int).Set(x))
		if got := n.Wrap(64, true).Big(); got.Int64() != int64(low) || !got.IsInt64() {
			t.Errorf("%s wraps to %s, want %d", x, got, int64(low))
		}
		if got := n.Wrap(32, false).Big(); got.Uint64() != low&(1<<32-1) {
			t.Errorf("%s wraps to %s, want %d", x, got, low&(1<<32-1))
		}
	}
}
