package oracles

import (
	"math"
	"testing"
)

// The bound of a norm that is put together is that which its oracle derives, but for what the
// oracle knows of products in any order; and it holds a computation in f32.
func TestBounds(t *testing.T) {
	x, weight := []float64{1.5, -0.25, 3, 0.125, 7}, []float64{1, 2, 0.5, 3, 1}
	b := Contract{}.Bounds()
	var squares, out []Bounded
	for _, v := range x {
		squares = append(squares, b.Mul(Exactly(v), Exactly(v)))
	}
	scale := b.Rsqrt(b.Add(b.Div(b.Sum("square", squares...), Exactly(5)), Exactly(1e-5)))
	for i, v := range x {
		out = append(out, b.Mul(b.Mul(Exactly(v), scale), Exactly(weight[i])))
	}
	got, want := b.Answer(out...), RMSNorm(x, weight, 1e-5, Contract{})
	var sum float32
	for _, v := range x {
		sum += float32(v) * float32(v)
	}
	inverse := 1 / float32(math.Sqrt(float64(sum/5+1e-5)))
	for i := range x {
		if math.Abs(got.Want[i]-want.Want[i]) > 1e-15 || got.Bound(i) < want.Bound(i)/2 ||
			got.Bound(i) > 2*want.Bound(i) {
			t.Errorf("element %d: %v to %v, the oracle has %v to %v", i, got.Want[i], got.Bound(i), want.Want[i],
				want.Bound(i))
		}
		if y := float64(float32(x[i]) * inverse * float32(weight[i])); math.Abs(y-got.Want[i]) > got.Bound(i) {
			t.Errorf("element %d: f32 has %v, want %v to %v", i, y, got.Want[i], got.Bound(i))
		}
	}
	if y := b.Stored(BF16, Exactly(1.01)); math.Abs(BF16.Round(1.01)-1.01) > y.Error() || y.Value() != 1.01 ||
		y.Error() > 1.02*0x1p-8 {
		t.Errorf("1.01 in bf16 is %v to %v", y.Value(), y.Error())
	}
	if y := b.Stored(F16, Exactly(65519)); !math.IsInf(y.Error(), 1) {
		t.Errorf("65519 in f16 is %v to %v", y.Value(), y.Error())
	}
}
