package oracles

import (
	"math"
	"strings"
	"testing"
)

// What was measured makes a limit sharper where the specification's holds at every
// argument, and wider where it does not; what nobody has measured stays as specified.
func TestMeasured(t *testing.T) {
	m := &Measured{Device: "a device"}
	m.Set("exp", Precise, 1.25, true)
	m.Set("exp", Fast, 9, true)
	m.Set("rsqrt", Precise, 1.5, false)
	m.Set("rsqrt", Fast, 1, false)
	m.Set("sqrt", Precise, 0.25, true)
	m.Set("divide", Precise, 2, false)
	m.Set("log", Precise, 17, true)
	for _, test := range []struct {
		name  string
		class Functions
		x     float64
		want  float64
	}{
		{"exp", Precise, 1, 1.25},
		{"exp", Fast, 1, 5}, // 3 + ⌊2⌋, which is less than what was measured at another argument
		{"exp", Fast, 40, 9},
		{"exp2", Precise, 1, 4},
		{"rsqrt", Precise, 1, 1.5},
		{"rsqrt", Fast, 1, 2},
		{"sqrt", Precise, 1, 0.5}, // no function is better than correctly rounded
		{"log", Precise, 1, 4},
		{"divide", Fast, 1, 2.5},
		{"reciprocal", Precise, 1, 2},
		{"reciprocal", Fast, 1, 1},
	} {
		if got := (Accuracy{test.class, m}).ulps(test.name, test.x); got != test.want {
			t.Errorf("%s %s of %g: %g ulp, want %g", test.class, test.name, test.x, got, test.want)
		}
	}
	if got := (Contract{Measured: m}).String(); !strings.HasPrefix(got,
		"f32, precise functions as measured on a device, ") {
		t.Errorf("a contract in words: %s", got)
	}
}

// An answer has the sharper bound, and with division that is not correctly rounded what
// was exact no longer is.
func TestMeasuredBounds(t *testing.T) {
	m := &Measured{Device: "a device"}
	m.Set("exp", Precise, 1, true)
	forms := Forms{Sigmoid: Definition, Exponential: Definition}
	x, gate := []float64{2}, []float64{0.7}
	specified, measured := SigmoidGate(x, gate, Contract{Forms: forms}),
		SigmoidGate(x, gate, Contract{Forms: forms, Measured: m})
	if got, want := measured.Bound(0), specified.Bound(0); !(got < 0.8*want) {
		t.Errorf("bound %g with an exponential of 1 ulp, %g with 4", got, want)
	}
	m.Set("divide", Precise, 1, false)
	a := Contract{Measured: m}.arithmetic()
	if q := a.quotient(exactly(1), exactly(4)); !(q.e >= 0x1p-26) || math.IsInf(q.e, 0) {
		t.Errorf("1/4 is off by %g where divisions are off by an ulp", q.e)
	}
	if r := a.inverseRoot(4); r.e == 0 {
		t.Error("1/√4 is exact where divisions are not")
	}
}
