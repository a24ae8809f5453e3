package metrics

import "testing"

// TestScaled has a sum that cancels: its error is a great many ulp of what is left, and
// half a roundoff of what was added.
func TestScaled(t *testing.T) {
	b := f32
	b.Extents = []int{2}
	m := NewMeter(b)
	m.Add(0, 0x1p-25, 0x1p-80, 1)
	m.Add(1, 3, 3, 1e30)
	if e := m.Scaled.Max; e.At != 0 || e.Value < 0.49 || e.Value > 0.51 || m.Ulps.Max.Value < 1e15 {
		t.Errorf("the error is %g u·Σ|terms| at %d and %g ulp, want 0.5 at 0 and a great many", e.Value, e.At,
			m.Ulps.Max.Value)
	}
	// An element without a scale of its own has at least that of its value.
	m = NewMeter(b)
	m.Add(0, 1+0x1p-23, 1, 0)
	if e := m.Scaled.Max.Value; e != 2 {
		t.Errorf("an ulp of 1 is %g u, want 2", e)
	}
}
