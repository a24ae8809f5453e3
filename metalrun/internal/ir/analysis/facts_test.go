package analysis

import (
	"fmt"
	"testing"

	"metalconform/metalrun/internal/ir"
)

// TestUse shows the facts that an executor asks for before it compiles an access: is the base the same in all threads,
// do the lanes access one element after the other, which object is it, may the kernel write that object?
func TestUse(t *testing.T) {
	k := kernel(t, "out[i + n] = in[i * 2];")
	u := InThreadgroup(k)
	line, writable := u.ConsecutiveInLine(), Writable(k)
	var got []string
	for in := range ir.Instrs(k.Body...) {
		if m := in.Mem; m != nil && m.Index != ir.None {
			object := u.PointsInto(m.Base, m.Space)
			got = append(got, fmt.Sprintf("%s: uniform base %t, consecutive %t, object %d, writable %t",
				in.Op, !u.Varying(m.Base), line[m.Index], object, writable[object]))
		}
	}
	want := []string{
		"load: uniform base true, consecutive false, object 2, writable false",
		"store: uniform base true, consecutive true, object 0, writable true",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
