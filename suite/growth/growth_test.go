package growth

import (
	"encoding/binary"
	"fmt"
	"testing"

	"metalconform/metalrun"
)

// rowsOfColumns are launches of a thread for each column of rows, with a buffer of float.
func rowsOfColumns(limits ...int) Space {
	return Space{Sweep: [][]int{{3, 96}, {5, 1000}}, Limits: limits, Launch: func(p []int) (Launch, bool) {
		if p[1]%4 != 0 {
			return Launch{}, false
		}
		sizes := binary.LittleEndian.AppendUint32(nil, uint32(p[0]))
		sizes = binary.LittleEndian.AppendUint32(sizes, uint32(p[1]))
		return Launch{Elements: p[0] * p[1], Bytes: 4 * p[0] * p[1], Dispatches: []metalrun.Dispatch{{
			Threads: metalrun.Size{X: p[1], Y: p[0], Z: 1}, ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 1, Z: 1},
			Bindings: []metalrun.Binding{{Index: 1, Inline: true, Data: sizes, Length: len(sizes)}}}}}, true
	}}
}

// TestSmallest grows launches to declared limits, or as far as memory goes.
func TestSmallest(t *testing.T) {
	for _, test := range []struct {
		name, body string
		limits     []int
		want       string
	}{
		{"as many elements as 32 bits count", "y[p.y * s[1] + p.x] = 1;", []int{0, 0}, "<nil>"},
		{"beyond the sign", "int at = p.y * s[1]; y[at + int(p.x)] = 1;", []int{0, 0}, " [22369622 96] false"},
		{"within limits", "int at = p.y * s[1]; y[at + int(p.x)] = 1;", []int{1 << 14, 1 << 10}, "<nil>"},
		{"both limits together", "int at = p.y * s[1]; y[at + int(p.x)] = 1;", []int{1 << 20, 1 << 12},
			"at [524289 4096] true"},
		{"one limit", "uint at = p.y * s[1]; y[at + p.x] = 1;", []int{MemoryAlone, 96}, " [44739243 96] false"},
		{"rows in 16 bits", "ushort row = p.y; y[ulong(row) * s[1] + p.x] = 1;", []int{1 << 17, 96},
			"row [65537 96] true"},
		{"a local array", "float own[128]; for (short i = 0; i < short(s[1]); i++) own[i] = i; y[p.x] = own[p.x % 96];",
			[]int{3, 0}, "<nil>"},
		{"steps of the grid", "for (uint at = p.y * s[1] + p.x; at < s[0] * s[1]; at += s[0] * s[1]) y[at] = 1;",
			[]int{0, 0}, "<nil>"},
		{"a hash", "uint h = p.y * 2654435761u; y[h % s[1]] = 1;", []int{0, 0}, "<nil>"},
	} {
		text := "using namespace metal;\nkernel void k(device float *y, constant uint *s, " +
			"uint2 p [[thread_position_in_grid]]) {\n" + test.body + "\n}\n"
		program, err := metalrun.Analyse(metalrun.Source{Name: "k.metal", Files: map[string]string{"k.metal": text}},
			metalrun.CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		widths, err := program.IndexWidths("k")
		if err != nil {
			t.Fatal(err)
		}
		got := "<nil>"
		if f := Smallest(widths, rowsOfColumns(test.limits...)); f != nil {
			got = fmt.Sprint(f.Variable, " ", f.Point, " ", f.Bounded)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
