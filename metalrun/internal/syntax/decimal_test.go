package syntax

import "testing"

// TestDecimals: the text of a literal says a number, and of many digits that a number near it may be meant.
func TestDecimals(t *testing.T) {
	for text, want := range map[string]Decimal{
		"0.999f": {Value: 0.999}, "1.44269504f": {1.44269504, 5e-9, 0}, "1e-5f": {Value: 1e-5},
		"0.00018033688h": {0.00018033688, 5e-12, 0}, "20.300002": {20.300002, 5e-7, 0},
		"1.2345678e2f": {123.45678, 5e-6, 0},
		"0x1.8p3f":     {}, "0.0f": {}, "3.14159265358979323846f": {Value: 3.14159265358979323846},
	} {
		got := DecimalOf(text)
		if got.Value != want.Value || got.Half < want.Half*(1-1e-9) || got.Half > want.Half*(1+1e-9) {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
	a, b := Decimal{3, 0.5, 4}, Decimal{-2, 0.25, -1}
	if got := a.Plus(b.Neg()); got != (Decimal{5, 0.75, 5}) {
		t.Errorf("3 ± 0.5 - -2 ± 0.25: %v", got)
	}
	if got := a.Times(b); got != (Decimal{-6, 1.75, -4}) {
		t.Errorf("3 ± 0.5 times -2 ± 0.25: %v", got)
	}
	if got := a.Over(b); got != (Decimal{-1.5, 0.4375, -4}) {
		t.Errorf("3 ± 0.5 over -2 ± 0.25: %v", got)
	}
}
