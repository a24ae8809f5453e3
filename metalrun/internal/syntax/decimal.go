package syntax

import (
	"math"
	"strconv"
	"strings"
)

// Decimal is the number that the text of a floating literal says, which its format may not have. The zero Decimal says
// nothing but the value in the format.
type Decimal struct {
	Value float64
	// Half is how far a number may be that the text stands for, such as log₂ e for 1.44269504: half a unit of the last
	// digit. It is 0 where the text has too few digits for that: 0.999 is meant as it is.
	Half float64
	// Format is what exact arithmetic makes of the numbers that literals have in their formats, where a constant is
	// computed from several; 0 for the number that the constant itself has in its format.
	Format float64
}

// manyDigits are as many significant digits as tell any two neighbouring numbers of f32 apart nearly everywhere: who
// writes so many has rounded a longer number to them. More than allDigits are written for a wider format.
const manyDigits, allDigits = 8, 15

// DecimalOf is what the text of a literal says; zero for a text in another base.
func DecimalOf(text string) Decimal {
	n, err := splitNumber(text)
	if err != nil || n.base == 16 {
		return Decimal{}
	}
	lower := strings.ToLower(n.digits)
	value, _ := strconv.ParseFloat(lower, 64)
	if value == 0 || math.IsInf(value, 0) {
		return Decimal{}
	}
	mantissa, exponent, _ := strings.Cut(lower, "e")
	power, _ := strconv.Atoi(exponent)
	whole, fraction, _ := strings.Cut(mantissa, ".")
	d := Decimal{Value: value}
	if n := len(strings.TrimLeft(whole+fraction, "0")); n >= manyDigits && n <= allDigits && fraction != "" {
		d.Half = 0.5 * math.Pow(10, float64(power-len(fraction)))
	}
	return d
}

// Known reports whether the text says more than the value in the format.
func (d Decimal) Known() bool { return d.Value != 0 }

// In is d of a constant with that number in its format.
func (d Decimal) In(held float64) Decimal {
	if d.Format == 0 {
		d.Format = held
	}
	if d.Value == 0 {
		d.Value = held
	}
	return d
}

// Neg is -d.
func (d Decimal) Neg() Decimal { return Decimal{-d.Value, d.Half, -d.Format} }

// Plus is d + e.
func (d Decimal) Plus(e Decimal) Decimal {
	return Decimal{d.Value + e.Value, d.Half + e.Half, d.Format + e.Format}
}

// Times is d·e.
func (d Decimal) Times(e Decimal) Decimal {
	half := float64(math.Abs(d.Value)*e.Half) + float64(math.Abs(e.Value)*d.Half)
	return Decimal{float64(d.Value * e.Value), half, float64(d.Format * e.Format)}
}

// Over is d/e.
func (d Decimal) Over(e Decimal) Decimal {
	q := d.Value / e.Value
	return Decimal{q, (d.Half + float64(math.Abs(q)*e.Half)) / math.Abs(e.Value), d.Format / e.Format}
}
