package main

import "testing"

// Little that is kept may have five times as much garbage beside it, much only half.
func TestGarbagePercent(t *testing.T) {
	for kept, want := range map[uint64]int{0: 500, 10 << 20: 500, 96 << 20: 400, 384 << 20: 100, 1 << 30: 50, 1 << 40: 50} {
		if got := garbagePercent(kept, 2); got != want {
			t.Errorf("%d bytes: %d %%, want %d", kept, got, want)
		}
	}
}
