package main

import (
	"runtime"
	"testing"
)

// Little that is kept may have five times as much garbage beside it, much only half.
func TestGarbagePercent(t *testing.T) {
	for kept, want := range map[uint64]int{0: 500, 10 << 20: 500, 96 << 20: 400, 384 << 20: 100, 1 << 30: 50,
		1 << 40: 50} {
		if got := garbagePercent(kept, 2); got != want {
			t.Errorf("%d bytes: %d %%, want %d", kept, got, want)
		}
	}
}

// Who reads results on a machine of many cores needs no more memory than on another.
func TestBusyCores(t *testing.T) {
	for _, test := range []struct {
		args []string
		want int
	}{{nil, runtime.GOMAXPROCS(0)}, {[]string{"run", "report"}, runtime.GOMAXPROCS(0)}, {[]string{"report", "out"}, 1},
		{[]string{"open"}, 1}} {
		if got := busyCores(test.args); got != test.want {
			t.Errorf("%q: %d cores, want %d", test.args, got, test.want)
		}
	}
}
