package spec

import (
	"strings"
	"testing"

	"metalconform/suite"
)

// Blocks hold halves where they are said to, and any bytes elsewhere.
func TestBlocks(t *testing.T) {
	f, err :=
		read(`kernel(name = "k", args = [input("x", u8, "n", 6, fill = blocks(6, {2: uniform(0.5, 1)})), output("y", f32, "n")],
    threads = "n", threads_per_threadgroup = 32, base = {"n": 50}, oracle = lambda x: x.T[0])`)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, 300)
	f.Kernels[0].Sweep.Inputs[0].Fills["x"](suite.Generator("k", "x", 1), nil, x)
	seen := map[float64]bool{}
	for i := 0; i < 300; i += 6 {
		if high := x[i+3]; high != 0x38 && high != 0x39 && high != 0x3a && high != 0x3b && high != 0x3c {
			t.Errorf("block %d has %#x as the upper byte of a half from 0.5 to 1", i/6, int(high))
		}
		seen[x[i]] = true
	}
	if len(seen) < 20 {
		t.Errorf("%d first bytes", len(seen))
	}
	for _, text := range []string{`blocks(6, {5: normal})`, `blocks(6, {0: 1})`} {
		if _, err := read("x = " + text); err == nil ||
			!strings.Contains(err.Error(), "want the place of a half in 6 bytes, and a fill") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
