package metrics

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"metalconform/oracles"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Types of elements.
var (
	f32  = Buffer{Type: "f32", Format: oracles.F32, Float: true}
	bf16 = Buffer{Type: "bf16", Format: oracles.BF16, Float: true}
	f16  = Buffer{Type: "f16", Format: oracles.F16, Float: true}
	i32  = Buffer{Type: "i32"}
)

// measured is what a meter makes of an output of one axis that holds got, rounded
// to its type, where want is exact and every error is within its bound.
func measured(b Buffer, got, want []float64) Output {
	b.Name, b.Extents = "out", []int{len(want)}
	m := NewMeter(b)
	for i, x := range got {
		if b.Float {
			x = b.Format.Round(x)
		}
		if math.IsNaN(x-want[i]) || math.IsInf(x-want[i], 0) {
			m.NonFinite(x, want[i])
		} else {
			m.Judged(i, math.Abs(x-want[i])/math.MaxFloat64)
			m.Add(i, x, want[i], 0)
		}
	}
	return m.Output(All())
}

// numbers are the values of an output by key, without elements.
func numbers(o Output) map[string]float64 {
	list := map[string]float64{}
	for _, v := range o.Metrics {
		list[v.Key] = v.Value
	}
	return list
}

// TestUlpErrors has one element for each clause of the definition.
func TestUlpErrors(t *testing.T) {
	for _, test := range []struct {
		name      string
		typ       Buffer
		got, want float64
		err       float64 // with its sign
		rounded   bool    // got is want rounded to nearest
	}{
		{"equal", f32, 1.5, 1.5, 0, true},
		{"fraction", f32, 1.5 + 0x1p-23, 1.5 + 0x1p-25, 0.75, false},
		{"rounded to nearest", f32, 1.5, 1.5 + 0x1.8p-25, 0, true},
		{"tie to even", f32, 1.5, 1.5 + 0x1p-24, 0, true},
		{"tie to odd", f32, 1.5 + 0x1p-23, 1.5 + 0x1p-24, 0.5, false},
		{"power of two from above", f32, 1 + 0x1p-23, 1, 2, false},
		{"power of two from below", f32, 1 - 0x1p-24, 1, -1, false},
		{"just above a power of two", f32, 1 - 0x1p-24, 1 + 0x1p-30, -0.5 - 0x1p-7, false},
		{"bf16 power of two", bf16, 2 + 0x1p-6, 2, 2, false},
		{"bf16", bf16, 3 + 0x1p-6, 3 + 0x1p-8, 0.75, false},
		{"f16", f16, 1000.5, 1000, 1, false},
		{"not by the unit of a large result", f32, 0x1p20, 1.5, (0x1p20 - 1.5) * 0x1p23, false},
		{"negative", f32, -1.5 - 0x1p-23, -1.5, -1, false},
		{"zero", f32, 0, 0, 0, true},
		{"negative zero", f32, math.Copysign(0, -1), 0, 0, true},
		{"number for zero", f32, 0x1p-149, 0, 1, false},
		{"flushed", f32, 0, 0x1p-127, 0, false},
		{"flushed f16", f16, 0, -0x1p-15, 0, false},
		{"zero for a normal number", f32, 0, 0x1p-126, -0x1p23, false},
		{"subnormal", f32, 0x1p-130, 0x1p-130 + 0x1p-148, -2, false},
		{"below a number that overflows", f16, 65504, 65520, -0.5, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := measured(test.typ, []float64{test.got}, []float64{test.want})
			size, outward := math.Abs(test.err), test.err
			if test.want < 0 {
				outward = -test.err
			}
			var at []int
			if test.err != 0 {
				at = []int{0}
			}
			want := Values{
				{Ulp, size, at}, {"ulp_p999", size, nil}, {"ulp_p99", size, nil}, {"ulp_mean", size, nil},
				{"ulp_bias", test.err, nil}, {"ulp_outward", outward, nil},
			}
			got := slices.DeleteFunc(slices.Clone(m.Metrics),
				func(v Value) bool { return !strings.HasPrefix(v.Key, Ulp) })
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("ulp (-want +got):\n%s", diff)
			}
			if got := m.number("misrounded") == 0; got != test.rounded {
				t.Errorf("rounded to nearest: %v, want %v", got, test.rounded)
			}
			if got := UlpError(test.typ.Format, test.got, test.want); got != test.err {
				t.Errorf("UlpError = %v, want %v", got, test.err)
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
		class     string
	}{
		{"NaN in both", nan, nan, "nan"},
		{"NaN for a number", nan, 1, "nan_made"},
		{"NaN for an infinity", nan, -inf, "nan_made"},
		{"number for NaN", 1, nan, "nan_lost"},
		{"infinity for NaN", inf, nan, "nan_lost"},
		{"infinity in both", -inf, -inf, "inf"},
		{"other infinity", inf, -inf, "inf_sign"},
		{"number for an infinity", 65504, inf, "inf_lost"},
		{"infinity for a number", inf, 65000, "overflow"},
		{"infinity for what rounds to it", inf, 65520, "inf"},
		{"infinity for what rounds to the largest number", inf, 65519, "overflow"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := measured(f16, []float64{2, test.got}, []float64{2, test.want})
			if m.Elements != 1 {
				t.Errorf("%d elements measured, want 1", m.Elements)
			}
			for _, class := range []string{"nan", "inf", "nan_made", "nan_lost", "overflow", "inf_lost", "inf_sign"} {
				if _, there := m.Metrics.Find(class); there != (class == test.class) {
					t.Errorf("%s: %v, want %s alone", class, there, test.class)
				}
			}
		})
	}
}

// TestFigures has the conventional figures of small outputs, worked out by hand:
// cosine and NMSE, the counts, and the largest absolute and relative errors with
// their elements.
func TestFigures(t *testing.T) {
	inf := math.Inf(1)
	one := []float64{3, 4, 0, 0}
	for _, test := range []struct {
		name                string
		got, want           []float64
		cosine, nmse        float64
		misrounded, flushed float64
		abs, rel            Value
	}{
		{"equal", one, one, 1, 0, 0, 0, Value{}, Value{}},
		{"all zero", []float64{0, 0}, []float64{0, math.Copysign(0, -1)}, 1, 0, 0, 0, Value{}, Value{}},
		{"twice", []float64{6, 8, 0, 0}, one, 1, 1, 2, 0, Value{Value: 4, At: []int{1}}, Value{Value: 1, At: []int{0}}},
		{"zeroed", []float64{0, 0, 0, 0}, one, 0, 1, 2, 0, Value{Value: 4, At: []int{1}},
			Value{Value: 1, At: []int{0}}},
		{"numbers for zeros", []float64{0, 2}, []float64{0, 0}, 0, inf, 1, 0, Value{Value: 2, At: []int{1}}, Value{}},
		{"negated", []float64{-3, -4, 0, 0}, one, -1, 4, 2, 0, Value{Value: 8, At: []int{1}},
			Value{Value: 2, At: []int{0}}},
		{"orthogonal", []float64{4, -3, 0, 0}, one, 0, 2, 2, 0, Value{Value: 7, At: []int{1}},
			Value{Value: 1.75, At: []int{1}}},
		{"error of a tenth", []float64{3, 4, 0, 0.5}, one, 5 / math.Sqrt(25.25), 0.01, 1, 0,
			Value{Value: 0.5, At: []int{3}}, Value{}},
		{"squares that overflow", []float64{3, 1}, []float64{3, 0x1p600}, 0, inf, 1, 0,
			Value{Value: 0x1p600, At: []int{1}}, Value{Value: 1, At: []int{1}}},
		// Vectors of subnormals have no direction, nor what a device makes of them.
		{"subnormal", []float64{0x1p-130, 0}, []float64{0x1.8p-130, 0x1p-130}, 1, 0, 2, 1,
			Value{Value: 0x1p-130, At: []int{1}}, Value{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := measured(f32, test.got, test.want)
			want := map[string]float64{
				Cosine: test.cosine, "nmse": test.nmse, "rel_rmse": math.Sqrt(test.nmse),
				"snr":        -10 * math.Log10(test.nmse),
				"misrounded": test.misrounded, "flushed": test.flushed,
			}
			got := map[string]float64{}
			for key := range want {
				got[key] = m.number(key)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-15, 0)); diff != "" {
				t.Errorf("figures (-want +got):\n%s", diff)
			}
			for key, want := range map[string]Value{"abs": test.abs, "rel": test.rel} {
				want.Key = key
				if got, _ := m.Metrics.Find(key); cmp.Diff(want, got) != "" {
					t.Errorf("%s is %+v, want %+v", key, got, want)
				}
			}
		})
	}
}

func TestIntegers(t *testing.T) {
	m := measured(i32, []float64{1, -2, 7}, []float64{1, -2, 3})
	want := map[string]float64{
		ErrorRatio: 4 / math.MaxFloat64, "abs": 4, "rel": 4.0 / 3, Cosine: 26 / math.Sqrt(54*14),
		"nmse": 16.0 / 14, "rel_rmse": math.Sqrt(16.0 / 14), "snr": -10 * math.Log10(16.0/14), "misrounded": 1,
	}
	if diff := cmp.Diff(want, numbers(m), cmpopts.EquateApprox(1e-15, 0)); diff != "" {
		t.Errorf("metrics (-want +got):\n%s", diff)
	}
	if m.Histogram != nil {
		t.Errorf("integers have the histogram %v", m.Histogram)
	}
}

// TestBias tells a cast that truncates, whose errors are below one unit and pass
// every tolerance, from one that rounds.
func TestBias(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	want := make([]float64, 20000)
	for i := range want {
		want[i] = float64(float32(r.NormFloat64()))
	}
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
		m := measured(bf16, test.got, want)
		bias, outward, most := m.number("ulp_bias"), m.number("ulp_outward"), m.number(Ulp)
		if math.Abs(bias-test.bias) > within || math.Abs(outward-test.outward) > within {
			t.Errorf("%s: bias %.4f, outward %.4f, want %g and %g", test.name, bias, outward, test.bias, test.outward)
		}
		if limit := 1.0; most > limit || test.bias == test.outward && most != 0 {
			t.Errorf("%s: largest error %g ulp", test.name, most)
		}
	}
}

// TestQuantiles compares the histogram with sorted errors.
func TestQuantiles(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 99, 100, 101, 1000, 5000} {
		u := &Ulps{}
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
			got := u.Quantile(p)
			if exact < 0x1p57 && exact >= 0x1p-6 && !(exact <= got && got <= exact*(1+1.0/32)) ||
				exact == 0 && got != 0 || got < exact {
				t.Errorf("n = %d: quantile %g = %g, want %g or a little more", n, p, got, exact)
			}
		}
	}
}

func TestRatio(t *testing.T) {
	for _, test := range []struct{ a, b, want float64 }{
		{0, 0, 1}, {3, 2, 1.5}, {0, 2, 0}, {1, 0, math.Inf(1)}, {math.Inf(1), 0.5, math.Inf(1)},
	} {
		if got := ratio(test.a, test.b); got != test.want {
			t.Errorf("ratio(%g, %g) = %g, want %g", test.a, test.b, got, test.want)
		}
	}
}
