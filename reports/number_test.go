package reports

import (
	"math"
	"testing"
	"time"
)

func TestFigure(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1.00", 0.5: "0.500", 0.0312: "0.0312", 0.001: "0.00100", 0.000999: "9.99e-04",
		9.994: "9.99", 9.996: "10.0", 99.94: "99.9", 99.96: "100", 123.4: "123", 123456: "123456",
		999499: "999499", 999500: "1.00e+06", 3.1e12: "3.10e+12", -0.25: "-0.250", 0.9996: "1.00",
		math.Inf(1): "∞", math.Inf(-1): "-∞", math.MaxFloat64: "∞", -math.MaxFloat64: "-∞",
	} {
		if got := Figure(x); got != want {
			t.Errorf("figure(%v) = %s, want %s", x, got, want)
		}
	}
	if got := Figure(math.NaN()); got != "NaN" {
		t.Errorf("figure(NaN) = %s", got)
	}
}

func TestCosine(t *testing.T) {
	for c, want := range map[float64]string{
		1: "1.000000000", math.Nextafter(1, 0): "1.000000000", 1 - 1e-11: "0.999999999", 0.5: "0.500000000",
		-1: "-1.000000000", 0: "0.000000000", 0.123: "0.123000000",
	} {
		if got := Cosine(c); got != want {
			t.Errorf("cosine(%v) = %s, want %s", c, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 ns", 999: "999 ns", 1000: "1.00 µs", 1500: "1.50 µs", 999499: "999 µs", 999500: "1.00 ms",
		12345678: "12.3 ms", time.Second: "1.00 s", 90 * time.Second: "90.0 s",
	} {
		if got := Duration(d); got != want {
			t.Errorf("duration(%d) = %s, want %s", int64(d), got, want)
		}
	}
}
