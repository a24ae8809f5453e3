package suite

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"metalconform/oracles"
)

// judged is the verdict on one 16-bit element.
func judged(t *testing.T, typ Type, word uint16, answer oracles.Answer) []Failure {
	t.Helper()
	data := make([]byte, 2+2*Guard)
	poison(data, pattern)
	data[Guard], data[Guard+1] = byte(word), byte(word>>8)
	b := &buffer{arg: Arg{Name: "dst", Role: RoleOut, Type: typ, Extents: []Extent{Fixed(1)}}, data: data}
	again := *b
	again.data = slices.Clone(data)
	if poison(again.payload(), pattern); bytes.Equal(again.data, data) { // nobody has written it
		poison(again.payload(), otherPattern)
	}
	o := output{buffer: b, shape: Shape{}, answer: answer,
		left: &unwritten{launch: func() []*buffer { return []*buffer{&again} }}}
	failures, err := o.compare(&figures{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return failures
}

// TestQuietNaN: an answer may ask for a quiet NaN, of any payload and even that
// of the poison; without that any NaN is NaN, and the poison is not written.
func TestQuietNaN(t *testing.T) {
	nan := []float64{math.NaN()}
	quiet := oracles.Answer{Want: nan, Exact: true, Quiet: true}
	loud := oracles.Answer{Want: nan, Exact: true}
	const poisoned = pattern & 0xffff
	for _, test := range []struct {
		name   string
		typ    Type
		word   uint16
		answer oracles.Answer
		want   string // in the failure; empty if it passes
	}{
		{"bf16 quiet", BF16, 0x7fc0, quiet, ""},
		{"bf16 quiet with payload", BF16, 0xffff, quiet, ""},
		{"bf16 signalling", BF16, 0x7f81, quiet, "dst[0] = NaN (bits 0x7f81), want qNaN exactly"},
		{"bf16 infinity", BF16, 0x7f80, quiet, "dst[0] = +Inf (bits 0x7f80), want qNaN exactly"},
		{"bf16 like the poison", BF16, poisoned, quiet, ""},
		{"bf16 number like the poison", BF16, poisoned, oracles.Answer{Want: []float64{1}, Exact: true, Quiet: true},
			"never written"},
		{"f16 quiet", F16, 0x7e00, quiet, ""},
		{"f16 signalling", F16, 0x7dff, quiet, "(bits 0x7dff), want qNaN exactly"},
		{"f16 signalling where any will do", F16, 0x7dff, loud, ""},
		{"f16 unwritten where any will do", F16, poisoned, loud, "never written"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := judged(t, test.typ, test.word, test.answer)
			switch {
			case test.want == "" && len(got) > 0:
				t.Errorf("got %q, want no failure", got[0].String())
			case test.want != "" && (len(got) != 1 || !strings.Contains(got[0].String(), test.want)):
				t.Errorf("got %v, want one failure with %q", got, test.want)
			}
		})
	}
}
