package suite

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"metalconform/oracles"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// measured are the metrics of an output that holds got where want is exact and
// every error is within its bound.
func measured(t testing.TB, typ Type, got, want []float64, extents ...Extent) Metrics {
	t.Helper()
	if extents == nil {
		extents = []Extent{Fixed(len(want))}
	}
	b, err := poisoned(Out("out", typ, extents...), Shape{})
	if err != nil {
		t.Fatal(err)
	}
	p := b.payload()[:0]
	for _, x := range got {
		p = typ.append(p, x)
	}
	answer := oracles.Answer{Want: want, Budget: []oracles.Term{{Error: slices.Repeat([]float64{math.MaxFloat64}, len(want))}}}
	var f figures
	o := output{buffer: b, shape: Shape{}, answer: answer}
	if _, err := o.judge(&f); err != nil {
		t.Fatal(err)
	}
	return f.outputs[0]
}

// TestUlpErrors has one element for each clause of the definition.
func TestUlpErrors(t *testing.T) {
	for _, test := range []struct {
		name      string
		typ       Type
		got, want float64
		err       float64 // with its sign
		rounded   bool    // got is want rounded to nearest
	}{
		{"equal", F32, 1.5, 1.5, 0, true},
		{"fraction", F32, 1.5 + 0x1p-23, 1.5 + 0x1p-25, 0.75, false},
		{"rounded to nearest", F32, 1.5, 1.5 + 0x1.8p-25, 0, true},
		{"tie to even", F32, 1.5, 1.5 + 0x1p-24, 0, true},
		{"tie to odd", F32, 1.5 + 0x1p-23, 1.5 + 0x1p-24, 0.5, false},
		{"power of two from above", F32, 1 + 0x1p-23, 1, 2, false},
		{"power of two from below", F32, 1 - 0x1p-24, 1, -1, false},
		{"just above a power of two", F32, 1 - 0x1p-24, 1 + 0x1p-30, -0.5 - 0x1p-7, false},
		{"bf16 power of two", BF16, 2 + 0x1p-6, 2, 2, false},
		{"bf16", BF16, 3 + 0x1p-6, 3 + 0x1p-8, 0.75, false},
		{"f16", F16, 1000.5, 1000, 1, false},
		{"not by the unit of a large result", F32, 0x1p20, 1.5, (0x1p20 - 1.5) * 0x1p23, false},
		{"negative", F32, -1.5 - 0x1p-23, -1.5, -1, false},
		{"zero", F32, 0, 0, 0, true},
		{"negative zero", F32, math.Copysign(0, -1), 0, 0, true},
		{"number for zero", F32, 0x1p-149, 0, 1, false},
		{"flushed", F32, 0, 0x1p-127, 0, false},
		{"flushed f16", F16, 0, -0x1p-15, 0, false},
		{"zero for a normal number", F32, 0, 0x1p-126, -0x1p23, false},
		{"subnormal", F32, 0x1p-130, 0x1p-130 + 0x1p-148, -2, false},
		{"below a number that overflows", F16, 65504, 65520, -0.5, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := measured(t, test.typ, []float64{test.got}, []float64{test.want})
			want := Ulps{Max: Peak{Value: math.Abs(test.err)}, Mean: math.Abs(test.err), Bias: test.err}
			want.P99, want.P999 = want.Mean, want.Mean
			if want.Outward = test.err; test.want < 0 {
				want.Outward = -test.err
			}
			if test.err != 0 {
				want.Max.At = []int{0}
			}
			if diff := cmp.Diff(&want, m.Ulp); diff != "" {
				t.Errorf("ulp (-want +got):\n%s", diff)
			}
			if got := m.Misrounded == 0; got != test.rounded {
				t.Errorf("rounded to nearest: %v, want %v", got, test.rounded)
			}
			format, _ := test.typ.Format()
			if got := ulpError(format, test.got, test.want); got != test.err {
				t.Errorf("ulpError = %v, want %v", got, test.err)
			}
		})
	}
}

// TestClasses has one element for each way of not being finite.
func TestClasses(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	for _, test := range []struct {
		name      string
		got, want float64 // in f16
		classes   Classes
	}{
		{"NaN in both", nan, nan, Classes{NaN: 1}},
		{"NaN for a number", nan, 1, Classes{NaNMade: 1}},
		{"NaN for an infinity", nan, -inf, Classes{NaNMade: 1}},
		{"number for NaN", 1, nan, Classes{NaNLost: 1}},
		{"infinity for NaN", inf, nan, Classes{NaNLost: 1}},
		{"infinity in both", -inf, -inf, Classes{Inf: 1}},
		{"other infinity", inf, -inf, Classes{InfSign: 1}},
		{"number for an infinity", 65504, inf, Classes{InfLost: 1}},
		{"infinity for a number", inf, 65000, Classes{Overflow: 1}},
		{"infinity for what rounds to it", inf, 65520, Classes{Inf: 1}},
		{"infinity for what rounds to the largest number", inf, 65519, Classes{Overflow: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := measured(t, F16, []float64{2, test.got}, []float64{2, test.want})
			if m.Elements != 1 {
				t.Errorf("%d elements measured, want 1", m.Elements)
			}
			if diff := cmp.Diff(&test.classes, m.NonFinite); diff != "" {
				t.Errorf("classes (-want +got):\n%s", diff)
			}
		})
	}
	if m := measured(t, F16, []float64{2, 1}, []float64{2, 1}); m.NonFinite != nil {
		t.Errorf("%+v where everything is finite", *m.NonFinite)
	}
}

// TestFigures has the conventional figures of small outputs, worked out by hand.
func TestFigures(t *testing.T) {
	inf := math.MaxFloat64 // as results write it
	one := []float64{3, 4, 0, 0}
	for _, test := range []struct {
		name      string
		got, want []float64
		figures   Metrics
	}{
		{"equal", one, one, Metrics{Cosine: 1, SNR: inf}},
		{"all zero", []float64{0, 0}, []float64{0, math.Copysign(0, -1)}, Metrics{Cosine: 1, SNR: inf}},
		{"twice", []float64{6, 8, 0, 0}, one, Metrics{
			Cosine: 1, NMSE: 1, RelRMSE: 1, SNR: 0, Misrounded: 2, Abs: Peak{4, []int{1}}, Rel: Peak{1, []int{0}},
		}},
		{"zeroed", []float64{0, 0, 0, 0}, one, Metrics{
			NMSE: 1, RelRMSE: 1, Misrounded: 2, Abs: Peak{4, []int{1}}, Rel: Peak{1, []int{0}},
		}},
		{"numbers for zeros", []float64{0, 2}, []float64{0, 0}, Metrics{
			NMSE: inf, RelRMSE: inf, SNR: -inf, Misrounded: 1, Abs: Peak{2, []int{1}},
		}},
		{"negated", []float64{-3, -4, 0, 0}, one, Metrics{
			Cosine: -1, NMSE: 4, RelRMSE: 2, SNR: -10 * math.Log10(4), Misrounded: 2, Abs: Peak{8, []int{1}}, Rel: Peak{2, []int{0}},
		}},
		{"orthogonal", []float64{4, -3, 0, 0}, one, Metrics{
			NMSE: 2, RelRMSE: math.Sqrt2, SNR: -10 * math.Log10(2), Misrounded: 2, Abs: Peak{7, []int{1}}, Rel: Peak{1.75, []int{1}},
		}},
		{"error of a tenth", []float64{3, 4, 0, 0.5}, one, Metrics{
			Cosine: 5 / math.Sqrt(25.25), NMSE: 0.01, RelRMSE: 0.1, SNR: 20, Misrounded: 1, Abs: Peak{0.5, []int{3}},
		}},
		{"squares that overflow", []float64{3, 1}, []float64{3, 0x1p600}, Metrics{
			NMSE: inf, RelRMSE: inf, SNR: -inf, Misrounded: 1, Abs: Peak{0x1p600, []int{1}}, Rel: Peak{1, []int{1}},
		}},
		// Vectors of subnormals have no direction, nor what a device makes of them.
		{"subnormal", []float64{0x1p-130, 0}, []float64{0x1.8p-130, 0x1p-130}, Metrics{
			Cosine: 1, SNR: inf, Misrounded: 2, Flushed: 1, Abs: Peak{0x1p-130, []int{1}},
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := measured(t, F32, test.got, test.want)
			ignore := cmpopts.IgnoreFields(Metrics{}, "Output", "Type", "Extents", "Elements", "ErrorRatio", "Ulp", "Histogram", "Slices", "Map")
			if diff := cmp.Diff(test.figures, m, ignore, cmpopts.EquateApprox(1e-15, 0)); diff != "" {
				t.Errorf("figures (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMetricsOfIntegers(t *testing.T) {
	m := measured(t, I32, []float64{1, -2, 7}, []float64{1, -2, 3})
	want := Metrics{
		Output: "out", Type: "i32", Extents: []int{3}, Elements: 3, ErrorRatio: m.ErrorRatio, Misrounded: 1,
		Abs: Peak{4, []int{2}}, Rel: Peak{4.0 / 3, []int{2}}, Cosine: 26 / math.Sqrt(54*14),
		NMSE: 16.0 / 14, RelRMSE: math.Sqrt(16.0 / 14), SNR: -10 * math.Log10(16.0/14),
	}
	if diff := cmp.Diff(want, m, cmpopts.EquateApprox(1e-15, 0)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
}

// TestBias tells a cast that truncates, whose errors are below one unit and pass
// every tolerance, from one that rounds.
func TestBias(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want := make([]float64, 20000)
	Normal(r, nil, want)
	truncated, down := make([]float64, len(want)), make([]float64, len(want))
	for i, x := range want {
		truncated[i] = float64(math.Float32frombits(math.Float32bits(float32(x)) &^ 0xffff))
		if down[i] = truncated[i]; x < down[i] {
			down[i] = float64(math.Float32frombits((math.Float32bits(float32(x)) &^ 0xffff) + 1<<16))
		}
	}
	// Half of the results are those that rounding gives, the others are short by
	// half a unit to a whole one.
	const mean, within = 3.0 / 8, 0.01
	for _, test := range []struct {
		name          string
		got           []float64
		bias, outward float64
	}{
		{"rounded to nearest", want, 0, 0},
		{"truncated", truncated, 0, -mean},
		{"rounded down", down, -mean, 0},
	} {
		u := *measured(t, BF16, test.got, want).Ulp
		if math.Abs(u.Bias-test.bias) > within || math.Abs(u.Outward-test.outward) > within {
			t.Errorf("%s: bias %.4f, outward %.4f, want %g and %g", test.name, u.Bias, u.Outward, test.bias, test.outward)
		}
		if limit := 1.0; u.Max.Value > limit || test.bias == test.outward && u.Max.Value != 0 {
			t.Errorf("%s: largest error %g ulp", test.name, u.Max.Value)
		}
	}
}

// TestQuantiles compares the histogram with sorted errors.
func TestQuantiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 99, 100, 101, 1000, 5000} {
		u := &ulps{}
		var all []float64
		for i := range n {
			e := math.Ldexp(r.Float64(), r.IntN(90)-4) // beyond both ends of the bins
			if r.IntN(3) == 0 {
				e = 0
			}
			u.add(i, e, 1)
			all = append(all, e)
		}
		slices.Sort(all)
		for _, p := range []float64{0.5, 0.9, 0.99, 0.999} {
			exact := all[int(math.Ceil(p*float64(n)))-1]
			got := u.quantile(p)
			if exact < 0x1p57 && exact >= 0x1p-6 && !(exact <= got && got <= exact*(1+1.0/32)) || exact == 0 && got != 0 || got < exact {
				t.Errorf("n = %d: quantile %g = %g, want %g or a little more", n, p, got, exact)
			}
		}
	}
}

func TestRatio(t *testing.T) {
	for _, test := range []struct{ a, b, want float64 }{
		{0, 0, 1}, {3, 2, 1.5}, {0, 2, 0}, {1, 0, math.MaxFloat64}, {math.MaxFloat64, 0.5, math.MaxFloat64},
	} {
		if got := ratio(test.a, test.b); got != test.want {
			t.Errorf("ratio(%g, %g) = %g, want %g", test.a, test.b, got, test.want)
		}
	}
}
