package suite

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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

// isFinite reports whether x is neither NaN nor infinite: Inf − Inf is NaN.
func isFinite(x float64) bool { return x-x == 0 }

// mostNear is how many names a message suggests.
const mostNear = 3

// Nearest are up to three of the names, those with the least edit distance from one
// that does not exist, the nearest first. What would have to change in half of its
// letters is not near.
func Nearest(name string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	if len(name) > mostMistyped {
		return nil
	}
	var list []candidate // the nearest so far, in order
	var row []int
	for _, n := range names {
		limit := (max(len(name), len(n)) - 1) / 2
		if len(list) == mostNear {
			limit = min(limit, list[mostNear-1].distance)
		}
		row = slices.Grow(row[:0], len(n)+1)[:len(n)+1]
		d := distance(name, n, limit, row)
		if d > limit {
			continue
		}
		c := candidate{n, d}
		i, _ := slices.BinarySearchFunc(list, c, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
		})
		list = slices.Insert(list, i, c)
		list = list[:min(len(list), mostNear)]
	}
	var near []string
	for _, c := range list {
		near = append(near, c.name)
	}
	return near
}

// mostMistyped is the length of the longest name that anybody mistypes.
const mostMistyped = 300

// distance is the number of bytes to insert, delete or replace that turns a into b, or any number above the limit if it
// is above the limit. It overwrites row, which has a place for each prefix of b.
func distance(a, b string, limit int, row []int) int {
	if max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	for j := range row { // from the first i bytes of a to the first j of b
		row[j] = j
	}
	for i := range len(a) {
		corner, least := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			replaced := corner
			if a[i] != b[j] {
				replaced++
			}
			corner = row[j+1]
			row[j+1] = min(replaced, row[j]+1, corner+1)
			least = min(least, row[j+1])
		}
		if least > limit { // the distance is not below the least of any row
			return limit + 1
		}
	}
	return row[len(b)]
}
