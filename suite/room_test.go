package suite

import "testing"

// A case of a pipeline is let in by what earlier ones of it have held beside what its declared buffers come to. What
// a case of next to nothing held says nothing of larger ones.
func TestRooms(t *testing.T) {
	sized := func(n int) Case {
		return Case{Kernel: &Kernel{Args: Args{{Name: "x", Type: F32, Extents: []Extent{Fixed(n)}, Role: RoleIn}}}}
	}
	small, c := sized(0), sized(100_000)
	c.Pipeline = &Pipeline{}
	small.Pipeline = c.Pipeline
	declared := c.room()
	if want := int64(3*(2*4+2*8)+9) * 100_000; declared != want {
		t.Fatalf("%d bytes, want %d", declared, want)
	}
	var r rooms
	for _, test := range []struct {
		of         Case
		held, want int64
	}{
		{small, 40_000, declared},
		{c, declared / 2, declared},
		{c, 4 * declared, 4 * declared},
		{c, 2 * declared, 4 * declared},
	} {
		if r.note(test.of, test.held); r.of(c) != test.want {
			t.Errorf("after %d bytes of %d: %d, want %d", test.held, test.of.room(), r.of(c), test.want)
		}
	}
}
