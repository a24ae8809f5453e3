package suite

import (
	"fmt"
	"math"
	"strconv"
)

// Value is a number of a buffer or of an oracle as data. JSON has finite ones as
// numbers that read back to the same float64, and the others as the strings "NaN",
// "+Inf" and "-Inf".
type Value float64

// What JSON has no number for.
const jsonNaN, jsonInf, jsonMinusInf = `"NaN"`, `"+Inf"`, `"-Inf"`

// MarshalJSON writes the number so that nothing of it is lost.
func (v Value) MarshalJSON() ([]byte, error) {
	switch x := float64(v); {
	case math.IsNaN(x):
		return []byte(jsonNaN), nil
	case math.IsInf(x, 1):
		return []byte(jsonInf), nil
	case math.IsInf(x, -1):
		return []byte(jsonMinusInf), nil
	default:
		return strconv.AppendFloat(nil, x, 'g', -1, 64), nil
	}
}

// UnmarshalJSON reads what MarshalJSON writes.
func (v *Value) UnmarshalJSON(text []byte) error {
	switch string(text) {
	case jsonNaN:
		*v = Value(math.NaN())
	case jsonInf:
		*v = Value(math.Inf(1))
	case jsonMinusInf:
		*v = Value(math.Inf(-1))
	default:
		x, err := strconv.ParseFloat(string(text), 64)
		if err != nil {
			return fmt.Errorf("%s is no number: want one, %s, %s or %s", text, jsonNaN, jsonInf, jsonMinusInf)
		}
		*v = Value(x)
	}
	return nil
}

// Equal reports whether two numbers are the same value: all NaN are, and the zeros
// are not.
func (v Value) Equal(w Value) bool {
	x, y := float64(v), float64(w)
	return math.Float64bits(x) == math.Float64bits(y) || math.IsNaN(x) && math.IsNaN(y)
}

// Text spells the number as a value of the type of that name: so that neighbouring
// f32 numbers differ, and integers in all their digits.
func (v Value) Text(typeName string) string {
	switch typeName {
	case F32.String(), BF16.String(), F16.String(), "":
		return fmt.Sprintf("%.9g", float64(v))
	}
	return fmt.Sprintf("%.0f", float64(v))
}
