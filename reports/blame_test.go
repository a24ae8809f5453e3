package reports

import (
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"
)

// TestBlameOfAFormula: where no rounding is to blame, no line gets a share, and what is not known is said.
func TestBlameOfAFormula(t *testing.T) {
	line := suite.BlamedLine{File: "k.metal", Line: 29, Code: "acc *= x;", Share: 0.718, Bound: 1, Times: 3}
	for _, test := range []struct {
		name      string
		change    func(*suite.Blame)
		says, not string
	}{
		{"roundings", func(*suite.Blame) {}, "71.8 %", "not rounding"},
		{"nothing rounds", func(b *suite.Blame) { b.Lines = nil }, "no line is to blame", "share"},
		{"no intermediate value", func(b *suite.Blame) { b.Formula = &suite.OtherFormula{Ratio: 1e6} },
			"not rounding: the formula differs. In exact arithmetic the kernel is off by 0.742, " +
				"which no rounding of the definition explains", "71.8"},
		{"why it is not known", func(b *suite.Blame) { b.Formula = &suite.OtherFormula{Ratio: 1e6} },
			"cannot be known: the definition has no intermediate values", "29"},
		{"operands and stores", func(b *suite.Blame) {
			b.Formula = &suite.OtherFormula{Ratio: 2,
				Reads: []suite.Summary{{Arg: "x", Extents: []int{2, 5}, Part: []int{1}},
					{Arg: "w", Extents: []int{5}}},
				Stored: []metalrun.Position{{File: "k.metal", Line: 31}}}
		}, "Its definition takes x[1, :] and w.\nThe kernel stores it at k.metal:31: follow the value back", "71.8"},
		{"in a pipeline", func(b *suite.Blame) {
			b.Stage, b.Formula = "stage 2, k", &suite.OtherFormula{Ratio: 2}
		}, "stage 2, k is judged on the inputs that it got", "71.8"},
		{"after an intermediate value", func(b *suite.Blame) {
			b.Formula = &suite.OtherFormula{Ratio: 2, Agrees: []suite.Element{{Arg: "scale", Index: []int{3}}},
				Lines: []suite.BlamedLine{line}}
		}, "scale[3] still agrees with the definition.\nThe values first differ in a line " +
			"that it does not depend on:\n" +
			"  k.metal:29  acc *= x;", "71.8"},
		{"in lines of both", func(b *suite.Blame) {
			b.Formula = &suite.OtherFormula{Ratio: 2, Agrees: []suite.Element{{Arg: "scale", Index: []int{3}}}}
		}, "cannot be known: all lines that round are those of both", "71.8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := suite.Blame{Case: "k/n=1", Kernel: "k", Output: "y", Type: "f32", Index: []int{3}, Want: 1,
				Exact: 1.742,
				Got:   1.742, Lines: []suite.BlamedLine{line}}
			test.change(&b)
			var out strings.Builder
			if err := DefaultStyle.Blame(&out, b); err != nil {
				t.Fatal(err)
			}
			if text := out.String(); !strings.Contains(text, test.says) || strings.Contains(text, test.not) {
				t.Errorf("want %q and not %q in\n%s", test.says, test.not, text)
			}
		})
	}
}
