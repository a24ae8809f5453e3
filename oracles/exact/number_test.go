package exact

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"metalconform/oracles"
)

// close256 reports whether got and want agree to so many bits.
func close256(got, want number, bits int) bool {
	d := got.minus(want)
	return d.isZero() || d.MantExp(nil) <= want.MantExp(nil)-bits
}

// TestFunctions compares the functions with digits from tables, and with
// each other by identities that no error in a series would keep.
func TestFunctions(t *testing.T) {
	sin1, cos1 := num(1).sincos()
	far := num(1 << 24)
	sinFar, cosFar := far.sincos()
	sin2Far, _ := far.times(num(2)).sincos()
	third := num(1).over(num(3))
	for _, test := range []struct {
		name      string
		got, want number
	}{
		{"e", num(1).exp(),
			digits("2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217")},
		{"exp(ln 2)", ln2.exp(), num(2)},
		{"exp(x)·exp(−x)", num(88.7).exp().times(num(-88.7).exp()), num(1)},
		{"exp(1e4)", num(1e4).exp(), num(5e3).exp().times(num(5e3).exp())},
		{"exp(log1p(x))", third.log1p().exp(), num(1).plus(third)},
		{"log1p(1)", num(1).log1p(), ln2},
		{"log1p of a tiny number", num(0x1p-300).log1p(), num(0x1p-300)},
		{"softplus(x) − softplus(−x)", num(2.5).softplus().minus(num(-2.5).softplus()), num(2.5)},
		{"sigmoid(x) + sigmoid(−x)", num(30).sigmoid().plus(num(-30).sigmoid()), num(1)},
		{"sin 1", sin1,
			digits("0.84147098480789650665250232163029899962256306079837106567275170999191040439123966894863974")},
		{"cos 1", cos1,
			digits("0.54030230586813971740093660744297660373231042061792222767009725538110039477447176451795186")},
		{"sin² + cos² far out", sinFar.times(sinFar).plus(cosFar.times(cosFar)), num(1)},
		{"sin 2x far out", sin2Far, sinFar.times(cosFar).times(num(2))},
		{"√2", num(2).root().times(num(2).root()), num(2)},
	} {
		if !close256(test.got, test.want, 200) {
			t.Errorf("%s is %s, want %s", test.name, test.got.Text('g', 60), test.want.Text('g', 60))
		}
	}
	for _, x := range []float64{-700, -87.3, -1, -1e-9, 0.3, 12.5, 700} {
		sin, cos := num(x).sincos()
		for name, pair := range map[string][2]float64{
			"exp": {f64(num(x).exp()), math.Exp(x)}, "sin": {f64(sin), math.Sin(x)}, "cos": {f64(cos), math.Cos(x)},
		} {
			if math.Abs(pair[0]-pair[1]) > 0x1p-51*math.Abs(pair[1]) {
				t.Errorf("%s(%g) is %v, package math has %v", name, x, pair[0], pair[1])
			}
		}
	}
}

func f64(x number) float64 {
	y, _ := x.Float64()
	return y
}

// TestRounding compares the rounding of numbers of 256 bits with that of
// float64, on numbers, midpoints and their neighbours over the whole range of
// every format, and beyond what a float64 can tell apart.
func TestRounding(t *testing.T) {
	for _, f := range []oracles.Format{oracles.F32, oracles.BF16, oracles.F16} {
		for e := f.MinExponent() - f.Precision() - 1; e <= f.MaxExponent(); e++ {
			for _, m := range []float64{1, 1.25, 1.5, 1.75, 2 - f.UnitRoundoff(), 2 - 2*f.UnitRoundoff(),
				1 + f.UnitRoundoff(), 1 + 3*f.UnitRoundoff()} {
				for _, x := range []float64{math.Ldexp(m, e), -math.Ldexp(m+0x1p-50, e), math.Ldexp(m-0x1p-50, e)} {
					if got, want := f64(num(x).to(f)), f.Round(x); got != want {
						t.Errorf("%v: %g rounds to %g, want %g", f, x, got, want)
					}
				}
			}
		}
		midpoint := num(1 + f.UnitRoundoff())
		if got := f64(midpoint.plus(num(0x1p-200)).to(f)); got != 1+2*f.UnitRoundoff() {
			t.Errorf("%v: above a midpoint by 2⁻²⁰⁰ rounds to %v", f, got)
		}
	}
}

// TestNaN checks that a number panics where it is NaN, whatever way it comes
// about.
func TestNaN(t *testing.T) {
	inf := math.Inf(1)
	for name, value := range map[string]func() number{
		"NaN": func() number { return num(math.NaN()) },
		"∞−∞": func() number { return num(inf).minus(num(inf)) },
		"0·∞": func() number { return num(0).times(num(inf)) },
		"∞/∞": func() number { return num(inf).over(num(inf)) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if p, ok := recover().(big.ErrNaN); !ok {
					t.Errorf("panic %v, want big.ErrNaN", p)
				}
			}()
			t.Error(fmt.Sprint("got ", value()))
		})
	}
}
