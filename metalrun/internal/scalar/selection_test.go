package scalar

import "testing"

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

func TestSelections(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want float32
	}{
		{"fabs", Fabs(-2), 2}, {"fabs -0", Fabs(negZero), 0}, {"fabs NaN", Fabs(nan), nan},
		{"copysign", Copysign(3, negZero), -3}, {"copysign +", Copysign(-3, 1), 3},
		{"sign", Sign(-3), -1}, {"sign +", Sign(inf), 1}, {"sign 0", Sign(0), 0}, {"sign -0", Sign(negZero), negZero},
		{"sign NaN", Sign(nan), 0},
		{"fdim", F32.fdim(3, 1), 2}, {"fdim -", F32.fdim(1, 3), 0}, {"fdim equal", F32.fdim(inf, inf), 0},
		{"fdim NaN", F32.fdim(nan, 1), nan},
		{"fdim half", Half.fdim(2048, -0.5), 2048}, {"fdim overflow", F32.fdim(3e38, -3e38), inf},
		{"sqrt", F32.sqrt(2), 0x1.6a09e6p0}, {"sqrt -", F32.sqrt(-1), nan}, {"sqrt -0", F32.sqrt(negZero), negZero},
		{"rsqrt 0", Rsqrt(0), inf}, {"rsqrt -0", Rsqrt(negZero), -inf}, {"rsqrt inf", Rsqrt(inf), 0},
		{"sinpi 1", Sinpi(1), 0}, {"sinpi -1", Sinpi(-1), negZero}, {"sinpi large", Sinpi(-0x1p30), negZero},
		{"sinpi 1.5", Sinpi(1.5), -1}, {"cospi 0.5", Cospi(0.5), 0}, {"cospi 1.5", Cospi(1.5), 0},
		{"cospi 3", Cospi(3), -1},
		{"tanpi 0.5", Tanpi(0.5), inf}, {"tanpi 1.5", Tanpi(1.5), -inf}, {"tanpi -0.5", Tanpi(-0.5), -inf},
		{"tanpi 1", Tanpi(1), negZero}, {"tanpi 2", Tanpi(2), 0}, {"tanpi -1", Tanpi(-1), 0},
		{"tanpi 0.25", Tanpi(0.25), 1},
	} {
		if !same(c.got, c.want) {
			t.Errorf("%s: %g, want %g", c.name, c.got, c.want)
		}
	}
}
