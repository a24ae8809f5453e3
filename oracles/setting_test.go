package oracles

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A setting changes what it names and nothing else, and is found again.
func TestSettings(t *testing.T) {
	own := Contract{Subnormals: Kept, Forms: Forms{Sigmoid: Either},
		Sums: map[string]Schedule{"row": Strided(32, 1), "tail": AnyOrder()}}
	for _, test := range []struct {
		setting Setting
		want    string // the contract in words, or part of the error
		line    string
	}{
		{Setting{"sums", "row", "sequential"},
			"f32, precise functions, subnormals kept, sigmoid: tanh, row: sequential, tail: any order",
			`sums = { row = "sequential" }`},
		{Setting{Key: "functions", Value: "fast"},
			"f32, fast functions, subnormals kept, sigmoid: tanh, row: 32 lanes, tail: any order",
			`functions = "fast"`},
		{Setting{Key: "subnormals", Value: "flushed"},
			"f32, precise functions, subnormals may be flushed, sigmoid: tanh, row: 32 lanes, tail: any order",
			`subnormals = "flushed"`},
		{Setting{Key: "accumulators", Value: "bf16"},
			"f32, precise functions, subnormals kept, bf16 accumulators, sigmoid: tanh, row: 32 lanes, tail: any order",
			`accumulators = "bf16"`},
		{Setting{"forms", "division", "quotient"},
			"f32, precise functions, subnormals kept, division: quotient, sigmoid: tanh, row: 32 lanes, tail: " +
				"any order", `forms = { division = "quotient" }`},
		{Setting{"forms", "sigmoid", "exp"}, "f32, precise functions, subnormals kept, row: 32 lanes, tail: any order",
			`forms = { sigmoid = "exp" }`},
		{Setting{"forms", "division", "exact"}, `forms of division are quotient or reciprocal, not "exact"`, ""},
		{Setting{"forms", "devision", "quotient"},
			`no operation is called "devision": there is division, exponential, root, sigmoid, softplus, carry, ` +
				`products, softmax`, ""},
		{Setting{"sums", "head", "sequential"}, `no sum "head" whose order can be declared: it has row, tail`, ""},
		{Setting{"sums", "row", "random"}, `"random" is not an order of summation`, ""},
		{Setting{Key: "functions", Value: "quick"}, `functions are precise or fast, not "quick"`, ""},
		{Setting{Key: "luck", Value: "good"}, `a contract has no "luck"`, ""},
	} {
		c, err := own.With(test.setting)
		switch {
		case test.line == "":
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v: error %v, want %q", test.setting, err, test.want)
			}
		case err != nil:
			t.Errorf("%v: %v", test.setting, err)
		case c.String() != test.want || test.setting.String() != test.line:
			t.Errorf("%s makes %s, want %s and %s", test.setting, c, test.line, test.want)
		default:
			if diff := cmp.Diff([]Setting{test.setting}, c.Unlike(own)); diff != "" {
				t.Errorf("settings of %s (-want +got):\n%s", c, diff)
			}
		}
	}
	if own.Sums["row"] != Strided(32, 1) {
		t.Error("the contract itself has changed")
	}
}

// What a contract may come to allow leaves out what it allows already.
func TestWider(t *testing.T) {
	c := Contract{Subnormals: Kept, Forms: Forms{Root: Definition, Sigmoid: Either},
		Sums: map[string]Schedule{"row": Strided(32, 1), "tail": AnyOrder(), "head": Sequential()}}
	want := []Setting{
		{"sums", "head", "any order"}, {"sums", "row", "any order"},
		{"forms", "root", "sqrt"}, {"forms", "softplus", "log"}, {"forms", "softmax", "online"},
		{"functions", "", "fast"},
		{"accumulators", "", "f16"}, {"accumulators", "", "bf16"}, {"intermediates", "", "f16"},
		{"intermediates", "", "bf16"}, {"subnormals", "", "flushed"},
	}
	if diff := cmp.Diff(want, c.Wider()); diff != "" {
		t.Errorf("wider (-want +got):\n%s", diff)
	}
	for _, s := range want {
		var err error
		if c, err = c.With(s); err != nil {
			t.Fatal(err)
		}
	}
	if got := c.Wider(); got != nil {
		t.Errorf("the widest of all could allow %v", got)
	}
}
