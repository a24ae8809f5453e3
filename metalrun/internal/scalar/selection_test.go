package scalar

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestMinMax(t *testing.T) {
	for _, c := range []struct{ x, y, max, min float32 }{
		{1, 2, 2, 1}, {2, 1, 2, 1}, {nan, 1, 1, 1}, {1, nan, 1, 1}, {nan, nan, nan, nan}, {nan, -inf, -inf, -inf},
		{0, negZero, 0, 0}, {negZero, 0, negZero, negZero}, // equal: the first
		{inf, -inf, inf, -inf},
	} {
		if got := Fmax(c.x, c.y); !same(got, c.max) {
			t.Errorf("fmax(%g, %g) = %g, want %g", c.x, c.y, got, c.max)
		}
		if got := Fmin(c.x, c.y); !same(got, c.min) {
			t.Errorf("fmin(%g, %g) = %g, want %g", c.x, c.y, got, c.min)
		}
	}
}

func TestOfThree(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 2000 {
		v := []float32{float32(r.IntN(5)), float32(r.IntN(5)), float32(r.IntN(5))}
		x, y, z := v[0], v[1], v[2]
		slices.Sort(v)
		if got := [3]float32{Fmin3(x, y, z), Fmedian3(x, y, z), Fmax3(x, y, z)}; got != [3]float32(v) {
			t.Fatalf("min3, median3, max3 of %g, %g, %g = %g", x, y, z, got)
		}
	}
	for _, c := range []struct{ x, y, z, min, median, max float32 }{
		{nan, 1, 2, 1, 1, 2}, {2, nan, 1, 1, 1, 2}, {1, 2, nan, 1, 1, 2}, {nan, nan, 3, 3, 3, 3}, {nan, nan, nan, nan, nan, nan},
	} {
		if a, b, d := Fmin3(c.x, c.y, c.z), Fmedian3(c.x, c.y, c.z), Fmax3(c.x, c.y, c.z); !same(a, c.min) || !same(b, c.median) || !same(d, c.max) {
			t.Errorf("min3, median3, max3 of %g, %g, %g = %g, %g, %g", c.x, c.y, c.z, a, b, d)
		}
	}
}

func TestSelections(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float32
	}{
		{"clamp below", Clamp(-1, 0, 2), 0}, {"clamp above", Clamp(3, 0, 2), 2}, {"clamp within", Clamp(1, 0, 2), 1},
		{"clamp NaN", Clamp(nan, 0, 2), 0}, {"clamp reversed", Clamp(1, 2, 0), 0},
		{"saturate", Saturate(1.5), 1}, {"saturate NaN", Saturate(nan), 0}, {"saturate -", Saturate(-2), 0},
		{"fabs", Fabs(-2), 2}, {"fabs -0", Fabs(negZero), 0}, {"fabs NaN", Fabs(nan), nan},
		{"copysign", Copysign(3, negZero), -3}, {"copysign +", Copysign(-3, 1), 3},
		{"sign", Sign(-3), -1}, {"sign +", Sign(inf), 1}, {"sign 0", Sign(0), 0}, {"sign -0", Sign(negZero), negZero},
		{"sign NaN", Sign(nan), 0},
		{"step below", Step(1, 0.5), 0}, {"step at", Step(1, 1), 1}, {"step above", Step(1, 2), 1}, {"step NaN", Step(1, nan), 1},
		{"fdim", Fdim(3, 1), 2}, {"fdim -", Fdim(1, 3), 0}, {"fdim equal", Fdim(inf, inf), 0}, {"fdim NaN", Fdim(nan, 1), nan},
		{"fdim half", Half.fdim(2048, -0.5), 2048}, {"fdim overflow", Fdim(3e38, -3e38), inf},
		{"mix", Mix(1, 3, 0.25), 1.5}, {"mix 0", Mix(1, 3, 0), 1}, {"mix 1", Mix(1, 3, 1), 3}, {"mix NaN", Mix(1, nan, 1), nan},
		{"mix half", Half.mix(2048, 2, 0.25), 1536}, // 2 - 2048 = -2046 exact, ·1/4 = -511.5 exact, 1536.5 to even
		{"mix unfused", Mix(1, 1+0x1p-23, 0.5), 1},  // 2^-24 exact, 1 + 2^-24 to even
		{"smoothstep", Smoothstep(0, 2, 1), 0.5}, {"smoothstep below", Smoothstep(0, 2, -1), 0},
		{"smoothstep above", Smoothstep(0, 2, 5), 1}, {"smoothstep quarter", Smoothstep(0, 1, 0.25), 0.15625},
		{"smoothstep half", Half.smoothstep(0, 3, 1), 1062.0 / 4096}, // t = 1365/4096, t² to 1820/2^14, 3-2t to 1195/512
		{"divide", Divide(1, 3), 1.0 / 3}, {"divide 0", Divide(-1, 0), -inf}, {"divide 0/0", Divide(0, 0), nan},
		{"sqrt", Sqrt(2), 0x1.6a09e6p0}, {"sqrt -", Sqrt(-1), nan}, {"sqrt -0", Sqrt(negZero), negZero},
		{"rsqrt 0", Rsqrt(0), inf}, {"rsqrt -0", Rsqrt(negZero), -inf}, {"rsqrt inf", Rsqrt(inf), 0},
		{"sinpi 1", Sinpi(1), 0}, {"sinpi -1", Sinpi(-1), negZero}, {"sinpi large", Sinpi(-0x1p30), negZero},
		{"sinpi 1.5", Sinpi(1.5), -1}, {"cospi 0.5", Cospi(0.5), 0}, {"cospi 1.5", Cospi(1.5), 0}, {"cospi 3", Cospi(3), -1},
		{"tanpi 0.5", Tanpi(0.5), inf}, {"tanpi 1.5", Tanpi(1.5), -inf}, {"tanpi -0.5", Tanpi(-0.5), -inf},
		{"tanpi 1", Tanpi(1), negZero}, {"tanpi 2", Tanpi(2), 0}, {"tanpi -1", Tanpi(-1), 0}, {"tanpi 0.25", Tanpi(0.25), 1},
	} {
		if !same(c.got, c.want) {
			t.Errorf("%s: %g, want %g", c.name, c.got, c.want)
		}
	}
	if s, c := Sincos(1); s != Sin(1) || c != Cos(1) {
		t.Errorf("Sincos(1) = %g, %g", s, c)
	}
}

// TestCatalogue asks for every function of the specification by its name.
func TestCatalogue(t *testing.T) {
	for f := F32; f <= Bfloat; f++ {
		for _, name := range []string{"abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "cospi",
			"degrees", "exp", "exp10", "exp2", "fabs", "floor", "fract", "log", "log10", "log2", "radians", "rint", "round",
			"rsqrt", "saturate", "sign", "sin", "sinh", "sinpi", "sqrt", "tan", "tanh", "tanpi", "trunc"} {
			if g := f.Unary(name); g == nil {
				t.Errorf("format %d has no %s", f, name)
			} else if x := g(nan); x == x && name != "sign" && name != "saturate" {
				t.Errorf("format %d: %s(NaN) = %g", f, name, x)
			}
		}
		for _, c := range []struct {
			name string
			want float32 // of (0.5, 2)
		}{{"atan2", 0.24497866}, {"copysign", 0.5}, {"divide", 0.25}, {"fdim", 0}, {"fmax", 2}, {"max", 2}, {"fmin", 0.5}, {"min", 0.5},
			{"fmod", 0.5}, {"nextafter", 0.5 + 0x1p-1*f.ulpOfOne()}, {"pow", 0.25}, {"powr", 0.25}, {"step", 1}} {
			if g := f.Binary(c.name); g == nil || g(0.5, 2) != f.Narrow(c.want) {
				t.Errorf("format %d: %s(0.5, 2) is not %g", f, c.name, c.want)
			}
		}
		for _, c := range []struct {
			name string
			want float32 // of (0.5, 2, 3)
		}{{"clamp", 2}, {"fma", 4}, {"fmax3", 3}, {"max3", 3}, {"fmedian3", 2}, {"median3", 2}, {"fmin3", 0.5}, {"min3", 0.5},
			{"mix", 5}, {"smoothstep", 1}} {
			if g := f.Ternary(c.name); g == nil || g(0.5, 2, 3) != c.want {
				t.Errorf("format %d: %s(0.5, 2, 3) is not %g", f, c.name, c.want)
			}
		}
		if f.Unary("erf") != nil || f.Binary("hypot") != nil || f.Ternary("exp") != nil {
			t.Errorf("format %d has functions that MSL has not", f)
		}
	}
}

// ulpOfOne is the distance from 1 to the next number.
func (f Format) ulpOfOne() float32 { return f.nextafter(1, 2) - 1 }
