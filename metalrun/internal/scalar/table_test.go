package scalar

import (
	"math"
	"math/big"
	"testing"
)

func TestTables(t *testing.T) {
	for i, got := range expTable {
		want := bApprox(refExp(bMul(bQuo(bf(float64(i)), bf(64)), refLn2())))
		if math.Float64bits(want)-uint64(i)<<46 != got {
			t.Errorf("expTable[%d] = %#x", i, got)
		}
	}
	for i, row := range logTable {
		if want := -bApprox(refLog(bf(row.inverse))); row.log != want && !(row.inverse == 1 && row.log == 0) {
			t.Errorf("logTable[%d].log = %x, want %x", i, row.log, want)
		}
		if b := math.Float64bits(row.inverse); b<<(12+12) != 0 {
			t.Errorf("logTable[%d].inverse = %x has more than 13 bits", i, row.inverse)
		}
		for _, b := range []uint64{uint64(i) << 45, uint64(i+1)<<45 - 1} {
			z := math.Float64frombits(logOrigin + b)
			if r := z*row.inverse - 1; math.Abs(r) > 0x1.03p-8 || z == 1 && row.inverse != 1 {
				t.Errorf("logTable[%d]: r = %g at %g", i, r, z)
			}
		}
	}
	for i, got := range atanTable {
		if want := bApprox(refAtan(bf(float64(i) / 16))); got != want {
			t.Errorf("atanTable[%d] = %x, want %x", i, got, want)
		}
	}
	fraction := bQuo(bf(0x1p-7), refPi())
	n, _ := bScale(fraction, 64*len(twoOverPi)).Int(nil)
	got := new(big.Int)
	for _, w := range twoOverPi {
		got.Or(got.Lsh(got, 64), new(big.Int).SetUint64(w))
	}
	if got.Cmp(n) != 0 {
		t.Errorf("twoOverPi = %x, want %x", got, n)
	}
}

func TestConstants(t *testing.T) {
	near := func(name string, want *big.Float, bits int, parts ...float64) {
		sum := bf(0)
		for _, p := range parts {
			sum = bAdd(sum, bf(p))
		}
		if d := bSub(sum, want); d.Sign() != 0 && d.MantExp(nil) > want.MantExp(nil)-bits {
			t.Errorf("%s is off by %g", name, d)
		}
	}
	near("64/ln 2", bQuo(bf(64), refLn2()), 53, inverseLn2)
	near("ln 2/64", bScale(refLn2(), -6), 84, ln2High, ln2Low)
	near("ln 10", refLnX(), 80, ln10High, ln10Low)
	near("64·log2 10", bScale(bQuo(refLnX(), refLn2()), 6), 53, log2of10)
	near("ln 2", refLn2(), 53, ln2)
	near("1/ln 2", bQuo(bf(1), refLn2()), 53, inverseLn2E)
	near("1/ln 10", bQuo(bf(1), refLnX()), 53, inverseLn10)
	near("2/π", bQuo(bf(2), refPi()), 53, twoOverPi64)
	near("π/2", bScale(refPi(), -1), 118, halfPiHigh, halfPiMid, halfPiLow)
	near("π/2", bScale(refPi(), -1), 53, halfPi)
	near("π", refPi(), 53, pi)
	for name, c := range map[string]struct {
		x    float64
		bits uint
	}{"ln2High": {ln2High, 32}, "ln10High": {ln10High, 29}, "halfPiHigh": {halfPiHigh, 33},
		"halfPiMid": {halfPiMid, 33}} {
		if math.Float64bits(c.x)<<(11+c.bits) != 0 {
			t.Errorf("%s has more than %d bits", name, c.bits)
		}
	}
}
