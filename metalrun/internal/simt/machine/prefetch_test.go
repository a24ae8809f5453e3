package machine

import (
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/simt/lanes"
)

// TestForesee notes what is brought near for an access that begins at such words.
func TestForesee(t *testing.T) {
	words := make([]uint32, 1<<15)
	for _, c := range []struct {
		name   string
		at     []int
		wanted []int
	}{
		{"side by side", []int{0, 32, 64, 96}, nil},
		{"a page each", []int{0, 1024, 2048, 3072}, nil},
		{"further", []int{0, 4000, 8000, 12000}, []int{12000, 16000}},
		{"downwards", []int{9000, 7000, 5000, 3000}, []int{3000, 1000}},
		{"now here, now there", []int{0, 4000, 5000, 9000, 10000}, nil},
		{"once more", []int{8000, 8000, 8000, 8000}, nil},
	} {
		table := *lanes.Portable
		var got []int
		table.Fetch = func(at uintptr, bytes int) {
			if bytes != 4*32 {
				t.Errorf("%s: %d bytes, want %d", c.name, bytes, 4*32)
			}
			got = append(got, int(at-uintptr(unsafe.Pointer(&words[0])))/4)
		}
		m := &Machine{P: &Program{Table: &table}}
		m.predictors = make([]stridePredictor, 2)
		for _, at := range c.at {
			m.Prefetch(1, words[at:at+32])
		}
		if diff := cmp.Diff(c.wanted, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
