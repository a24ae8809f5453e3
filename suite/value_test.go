package suite

import (
	"encoding/json"
	"math"
	"testing"
)

// Every float64 reads back as what was written: zeros keep their signs, and what is
// not finite is no number of JSON.
func TestValueJSON(t *testing.T) {
	for x, want := range map[Value]string{
		0: "0", Value(math.Copysign(0, -1)): "-0", 0.1: "0.1", 2339.3531917892533: "2339.3531917892533",
		0x1p-1074:  "5e-324",
		4294967295: "4.294967295e+09", Value(math.MaxFloat64): "1.7976931348623157e+308",
		Value(math.NaN()): `"NaN"`, Value(math.Inf(1)): `"+Inf"`, Value(math.Inf(-1)): `"-Inf"`,
	} {
		text, err := json.Marshal(x)
		if err != nil || string(text) != want {
			t.Errorf("%v is written as %s, %v; want %s", float64(x), text, err, want)
		}
		var back Value
		if err := json.Unmarshal(text, &back); err != nil || !back.Equal(x) {
			t.Errorf("%s is read as %v, %v", text, float64(back), err)
		}
	}
	if Value(0).Equal(Value(math.Copysign(0, -1))) {
		t.Error("the zeros are the same")
	}
	for _, text := range []string{`"Inf"`, `"1"`, `true`, `1e999`} {
		var back Value
		if err := json.Unmarshal([]byte(text), &back); err == nil {
			t.Errorf("%s is read as %v", text, float64(back))
		}
	}
}

// Neighbouring f32 numbers differ, and integers have all their digits.
func TestValueText(t *testing.T) {
	for _, test := range []struct {
		x         Value
		typ, want string
	}{
		{1 + 0x1p-23, "f32", "1.00000012"}, {1, "bf16", "1"}, {Value(math.Inf(-1)), "f16", "-Inf"},
		{4294967295, "u32", "4294967295"}, {-2147483647, "i32", "-2147483647"}, {0.5, "", "0.5"},
	} {
		if got := test.x.Text(test.typ); got != test.want {
			t.Errorf("%v as %s is %s, want %s", float64(test.x), test.typ, got, test.want)
		}
	}
}
