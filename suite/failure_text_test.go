package suite

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// number is a value for a literal.
func number(x float64) *Value { return new(Value(x)) }

// What a reader is told follows from the facts of a failure alone, and is the same
// once they have been through JSON.
func TestFailureText(t *testing.T) {
	at := &metalrun.Party{Position: metalrun.Position{File: "k.metal", Line: 3, Col: 4}, Does: "write",
		Thread: [3]int{7, 0, 0}}
	entry := Entry{Position: Position{"conform.toml", 3}, Reason: "known",
		Expires: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)}
	for _, test := range []struct {
		failure Failure
		want    string
	}{
		{Failure{Check: CheckExact, Arg: "out", Type: "u32", Index: []int{1, 2}, Got: number(4294967295),
			Want: number(0), Count: 2, Of: 9, First: []int{0, 1}},
			"out[1, 2] = 4294967295, want 0 exactly; 2 of 9 elements differ, the first out[0, 1]"},
		{Failure{Check: CheckExact, Arg: "out", Type: "bf16", Index: []int{0}, Got: number(1), GotBits: "0x7f81",
			Quiet: true, Count: 1, Of: 1, First: []int{0}},
			"out[0] = 1 (bits 0x7f81), want qNaN exactly; 1 of 1 element differs"},
		{Failure{Check: CheckNonFinite, Stage: "stage 2, softmax", Arg: "out", Index: []int{0}, Got: number(1),
			Want: number(2), Count: 3, Of: 4},
			"stage 2, softmax: out[0] = 1, want 2; 3 of 4 elements are NaN or infinite and must be finite"},
		{Failure{Check: CheckBound, Arg: "out", Index: []int{0}, Got: number(1), Want: number(2), Error: 1,
			ErrorRatio: 4, Bound: &Bound{0.25, []Term{{"sum", 0.25}, {"exp", 0}}}},
			"out[0] = 1, want 2: error 4 x bound\n\t|got-want| = 1, bound = 0.25 = 0.25 sum"},
		{Failure{Check: CheckDeterminism, Arg: "out", Index: []int{0}, Got: number(1), Want: number(2), Count: 1, Of: 4,
			First: []int{0}, Repeat: &Repetition{3, 5, 2}},
			"out[0] = 2 in the first run and 1 in run 3, from the same inputs; 1 of 4 elements differs; 2 distinct " +
				"outputs in 5 runs"},
		{Failure{Check: CheckEqual, Stage: "a = b", Arg: "b", Index: []int{0}, Got: number(1), Want: number(2),
			GotBits: "0x1", WantBits: "0x2", Same: &Element{Arg: "a", Index: []int{0}}},
			"a = b: b[0] = 1 (bits 0x1), a[0] = 2 (bits 0x2), must have the same bits"},
		{Failure{Check: CheckGuard, Arg: "out", Outside: &Outside{Bytes: 0}}, "out was written 0 bytes past its end"},
		{Failure{Check: CheckGuard, Arg: "out", Outside: &Outside{8, true}},
			"out was written 8 bytes before its start"},
		{Failure{Check: CheckCosine, Arg: "out", Cosine: number(0.5)}, "cosine of out is 0.5"},
		{Failure{Check: CheckFault, Kernel: "k", Text: "index out of range", At: at},
			"k.metal:3:4: index out of range\n\tin k, thread (7,0,0) of threadgroup (0,0,0)"},
		{Failure{Check: CheckFault, Text: "the device was lost"}, "the device was lost"},
		{Failure{Check: CheckRace, Kernel: "k", Text: "not ordered", At: at, Other: at},
			"k.metal:3:4: race: not ordered\n\tin k, write at k.metal:3:4 by thread (7,0,0) of threadgroup (0,0,0)\n" +
				"\twrite at k.metal:3:4 by thread (7,0,0) of threadgroup (0,0,0)"},
		{Failure{Check: CheckArguments, Kernel: "k", Text: "no argument", At: at}, "k.metal:3:4: no argument"},
		{Failure{Check: CheckExpected, Expected: &UnmetExpectation{entry, CheckBound, "end to end", true}},
			"passes, and is expected to fail the bound check in end to end (conform.toml:3, until 2027-03-01: " +
				"known): the " +
				"entry is no longer needed for it"},
		{Failure{Check: CheckExpected, Expected: &UnmetExpectation{Entry: entry, Check: CheckBound}},
			"is expected to fail only the bound check (conform.toml:3, until 2027-03-01: known)"},
		{Failure{Check: CheckRefusal}, "the host accepts a shape that it has to refuse"},
	} {
		text, err := json.Marshal(test.failure)
		if err != nil {
			t.Fatal(err)
		}
		var back Failure
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.failure, back); diff != "" {
			t.Errorf("read back (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(test.want, back.String()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.failure.Check, diff)
		}
	}
}

// A case that was not judged says why, and one that relies on a choice of the device
// says on which.
func TestResultText(t *testing.T) {
	for _, test := range []struct {
		result Result
		want   []string
	}{
		{Result{Status: Pass}, nil},
		{Result{Status: Fail,
			Failures: []Failure{{Check: CheckGuard, Arg: "x", Outside: &Outside{Bytes: 3}, Adversary: 2}}},
			[]string{"x was written 3 bytes past its end\n" +
				"\ton adversary 2 only, a device that resolves every unspecified behaviour against the kernel"}},
		{Result{Status: Fail, Failures: []Failure{{Check: CheckRefusal, Adversary: 1}},
			Relies: &Reliance{metalrun.Position{File: "k.metal", Line: 1, Col: 2}, "accuracy of exp"}},
			[]string{"the host accepts a shape that it has to refuse\n\ton adversary 1 only: relies on unspecified " +
				"behaviour, and fails if the device chooses otherwise at k.metal:1:2: accuracy of exp"}},
		{Result{Status: Skip, Reason: "absent"}, []string{"absent"}},
		{Result{Status: Error, Reason: "no such axis", Panicked: true, StoppedAt: "stage 1, a"},
			[]string{"stage 1, a: panic: no such axis"}},
		{Result{Status: Waived, Waiver: &Entry{Position: Position{"c.toml", 1}, Reason: "hangs",
			Expires: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)}},
			[]string{"not judged: c.toml:1, until 2027-03-01: hangs"}},
		{Result{Status: Fail,
			Failures: []Failure{{Check: CheckRefusal}, {Check: CheckGuard, Arg: "x", Outside: &Outside{Bytes: 3}}},
			Relies:   &Reliance{metalrun.Position{File: "k.metal", Line: 1, Col: 2}, "accuracy of exp"}},
			[]string{"the host accepts a shape that it has to refuse",
				"x was written 3 bytes past its end\n" +
					"\trelies on unspecified behaviour: passes under the reference semantics, " +
					"and fails if the device chooses otherwise at k.metal:1:2: accuracy of exp"}},
		{Result{Status: Fail, Failures: []Failure{{Check: CheckNonFinite, Arg: "x", NoRemedy: true},
			{Check: CheckNonFinite, Arg: "y", NoRemedy: true}}},
			[]string{"x = , want ", "y = , want \n\tno declaration explains it"}},
		{Result{Status: Fail,
			Failures: []Failure{{Check: CheckNonFinite, Arg: "x",
				Remedy: &Remedy{Kernel: "k", ErrorRatio: 0.25, Expires: "2027-03-01", Contract: []oracles.Setting{
					{Key: "sums", Name: "a", Value: "any order"}, {Key: "sums", Name: "b", Value: "sequential"},
					{Key: "functions", Value: "fast"}}}}}},
			[]string{"x = , want \n\tif that is what the kernel is meant to do, declare it in conform.toml: the " +
				"error is then 0.25 of the bound\n\t\t[[contract]]\n\t\tkernel = \"k\"\n" +
				"\t\tsums = { a = \"any order\", b = \"sequential\" }\n\t\tfunctions = \"fast\"\n" +
				"\t\treason = \"say why\"\n\t\texpires = 2027-03-01"}},
		{Result{Status: Fail, Failures: []Failure{{Check: CheckNonFinite, Arg: "x", Unasked: true},
			{Check: CheckNonFinite, Arg: "y", Unasked: true}}},
			[]string{"x = , want ",
				"y = , want \n\tthese inputs hold infinities or NaN: if no host passes such values, inputs = " +
					"[standard(finite = True)] leaves them out, conform.Finite in Go"}},
		{Result{Status: Fail, Failures: []Failure{{Check: CheckNonFinite, Arg: "x", Family: "wide"}}},
			[]string{
				"x = , want \n" +
					"\tif no host passes inputs such as wide, inputs = [standard(without = [\"wide\"])] " +
					"leaves them out, Without(\"wide\") in Go, and standard(\"x\", …) names the " +
					"arguments that it is for",
			}},
		{Result{Status: Fail,
			Failures: []Failure{{Check: CheckCosine, Arg: "x", Cosine: number(0),
				Remedy: &Remedy{Kernel: "k", ErrorRatio: 1, Expires: "2027-03-01", Instead: "c.toml:9"}}}},
			[]string{"cosine of x is 0\n\tif that is what the kernel is meant to do, declare it in place of the " +
				"entry at c.toml:9: the error is then 1 of the bound\n" +
				"\t\t[[contract]]\n\t\tkernel = \"k\"\n\t\treason = \"say why\"\n\t\texpires = 2027-03-01"}},
	} {
		if diff := cmp.Diff(test.want, test.result.Sentences()); diff != "" {
			t.Errorf("sentences (-want +got):\n%s", diff)
		}
	}
}
