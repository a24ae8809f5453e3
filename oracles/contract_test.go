package oracles

import "testing"

func TestContractString(t *testing.T) {
	c := Contract{Functions: Fast, Chunk: 16, Sums: map[string]Schedule{
		"row": Strided(32, 1), "a": Sequential(), "m": MatrixTiles(), "x": AnyOrder(), "b": Strided(64, 4)}}
	const want = "f32, fast functions, subnormals may be flushed, a: sequential, b: 64 lanes by blocks of 4, " +
		"m: sequential by 8, row: 32 lanes, x: any order, chunks of 16"
	if got := c.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
