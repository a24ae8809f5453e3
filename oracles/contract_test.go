package oracles

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestContractString(t *testing.T) {
	c := Contract{Functions: Fast, Chunk: 16, Sums: map[string]Schedule{
		"row": Strided(32, 1), "a": Sequential(), "m": MatrixTiles(), "x": AnyOrder(), "b": Strided(64, 4)}}
	const want = "f32, fast functions, subnormals may be flushed, a: sequential, b: 64 lanes by blocks of 4, " +
		"m: sequential by 8, row: 32 lanes, x: any order, chunks of 16"
	if got := c.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestTransformed compares a contract with that of a compiler which may do more: its sums are
// in any order, its own forms are open, and what the compiler may not touch stays.
func TestTransformed(t *testing.T) {
	strict := Forms{Division: Definition, Exponential: Definition, Root: Definition, Products: Definition,
		Carry: Definition, Softmax: Definition}
	own := Contract{Subnormals: Kept, Chunk: 16, Forms: strict, Sums: map[string]Schedule{"row": Strided(32, 1)}}
	for _, test := range []struct {
		reassociates, reciprocals bool
		want                      string
	}{
		{false, false, own.String()},
		{true, false, "f32, precise functions, subnormals kept, division: quotient, exponential: exp, root: rsqrt, " +
			"carry: accumulated, products: regrouped, softmax: two passes, row: any order, reassociated, chunks of 16"},
		{false, true, "f32, precise functions, subnormals kept, division: reciprocal, exponential: exp, root: sqrt, " +
			"carry: merged, products: as written, softmax: two passes, row: 32 lanes, chunks of 16"},
	} {
		if diff := cmp.Diff(test.want, own.Transformed(test.reassociates, test.reciprocals).String()); diff != "" {
			t.Errorf("reassociated %t, reciprocals %t (-want +got):\n%s", test.reassociates, test.reciprocals, diff)
		}
	}
	if own.Forms != strict || own.Sums["row"] != Strided(32, 1) {
		t.Error("the contract itself has changed")
	}
}
