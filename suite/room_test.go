package suite

import "testing"

// A case of a pipeline is let in by what earlier ones of it have held beside what its declared buffers come to.
func TestRooms(t *testing.T) {
	c := Case{Kernel: &Kernel{Args: Args{{Name: "x", Type: F32, Extents: []Extent{Fixed(1000)}, Role: RoleIn}}}, Pipeline: &Pipeline{}}
	declared := c.room()
	if want := int64(3*(2*4+2*8)+9) * 1000; declared != want {
		t.Fatalf("%d bytes, want %d", declared, want)
	}
	var r rooms
	for _, test := range []struct{ held, want int64 }{{declared / 2, declared}, {4 * declared, 4 * declared}, {2 * declared, 4 * declared}} {
		if r.note(c, test.held); r.of(c) != test.want {
			t.Errorf("after %d bytes: %d, want %d", test.held, r.of(c), test.want)
		}
	}
}
