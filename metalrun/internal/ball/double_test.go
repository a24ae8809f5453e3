package ball

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// of is the value of a, to more bits than it has.
func (a Double) of() *big.Float {
	x := new(big.Float).SetPrec(400).SetFloat64(a.Hi)
	return x.Add(x, new(big.Float).SetFloat64(a.Lo))
}

// off is how far got is from want, relative to it.
func off(got Double, want *big.Float) float64 {
	d := new(big.Float).Sub(got.of(), want)
	if want.Sign() != 0 {
		d.Quo(d, want)
	}
	x, _ := d.Float64()
	return math.Abs(x)
}

// TestDoubleArithmetic compares operations with numbers of 400 bits.
func TestDoubleArithmetic(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	number := func() Double { return sumOf(r.NormFloat64(), r.NormFloat64()*0x1p-54) }
	for range 1000 {
		a, b := number(), number()
		for name, test := range map[string]struct {
			got  Double
			want *big.Float
		}{
			"+": {AddDouble(a, b), new(big.Float).Add(a.of(), b.of())},
			"−": {SubDouble(a, b), new(big.Float).Sub(a.of(), b.of())},
			"·": {MulDouble(a, b), new(big.Float).Mul(a.of(), b.of())},
			"/": {DivDouble(a, b), new(big.Float).Quo(a.of(), b.of())},
			"√": {root(Abs(Ball{X: a.Hi, L: a.Lo}).Double()), new(big.Float).Sqrt(new(big.Float).Abs(a.of()))},
		} {
			if e := off(test.got, test.want); e > 0x1p-98 {
				t.Fatalf("%v %s %v is off by %.3g", a, name, b, e)
			}
		}
	}
}

// TestDoubleFunctions compares functions with constants that are known to 40 digits, and with each
// other elsewhere.
func TestDoubleFunctions(t *testing.T) {
	for _, test := range []struct {
		name string
		x    float64
		want string
	}{
		{"exp", 1, "2.718281828459045235360287471352662497757"},
		{"log", 2, "0.6931471805599453094172321214581765680755"},
		{"log", 10, "2.302585092994045684017991454684364207601"},
		{"sqrt", 2, "1.414213562373095048801688724209698078570"},
		{"rsqrt", 2, "0.7071067811865475244008443621048490392848"},
		{"sin", 1, "0.8414709848078965066525023216302989996226"},
		{"cos", 1, "0.5403023058681397174009366074429766037323"},
		{"tanh", 1, "0.7615941559557648881194582826047935904128"},
		{"exp2", 0.5, "1.414213562373095048801688724209698078570"},
		{"exp10", 0.5, "3.162277660168379331998893544432718533720"},
		{"log2", 10, "3.321928094887362347870319429489390175865"},
		{"log10", 2, "0.3010299956639811952137388947244930267682"},
	} {
		want, _, _ := big.ParseFloat(test.want, 10, 400, big.ToNearestEven)
		if e := off(doubles[test.name](Double{Hi: test.x}), want); e > 0x1p-95 {
			t.Errorf("%s %g is off by %.3g", test.name, test.x, e)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		x := sumOf(r.NormFloat64()*8, r.NormFloat64()*0x1p-54)
		s, c := sine(x, 0), sine(x, 1)
		sh, ch := doubles["sinh"](x), doubles["cosh"](x)
		for name, test := range map[string]struct{ got, want Double }{
			"log exp":     {logarithm(exponential(x)), x},
			"sin² + cos²": {AddDouble(MulDouble(s, s), MulDouble(c, c)), one},
			"e^|x|": {AddDouble(Abs(Ball{X: sh.Hi, L: sh.Lo}).Double(), ch),
				exponential(Abs(Ball{X: x.Hi, L: x.Lo}).Double())},
			"tan":  {MulDouble(doubles["tan"](x), c), s},
			"tanh": {MulDouble(doubles["tanh"](x), ch), sh},
			"exp2": {doubles["exp2"](DivDouble(x, ln2)), exponential(x)},
			"e^(x ln 3)": {DoubleFunction("pow")(Double{Hi: 3}, x),
				exponential(MulDouble(x, logarithm(Double{Hi: 3})))},
			"a small angle": {sine(x.times2(-60), 0), x.times2(-60)},
		} {
			if e := off(test.got, test.want.of()); e > 0x1p-85 {
				t.Errorf("%s of %v is off by %.3g", name, x, e)
			}
		}
	}
}

// TestNearestDecidesTies: just between two numbers the rest of the value decides.
func TestNearestDecidesTies(t *testing.T) {
	const tie = 1 + 0x1p-8 // 1 is even
	for _, test := range []struct{ x, low, want float64 }{
		{tie, 0, 1}, {tie, 0x1p-80, 1 + 0x1p-7}, {tie, -0x1p-80, 1},
		{tie - 0x1p-52, 0x1p-54, 1}, {tie + 0x1p-52, -0x1p-54, 1 + 0x1p-7},
	} {
		if got := Bfloat.Anchored(Ball{test.x, 0x1p-20, test.low}).X; got != test.want {
			t.Errorf("%v + %v is rounded to %v, want %v", test.x, test.low, got, test.want)
		}
	}
}
