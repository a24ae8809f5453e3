package metalrun

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestIndexWidths names the variable that is too narrow, or the line if there is none.
func TestIndexWidths(t *testing.T) {
	const ahead = "using namespace metal;\nkernel void k(device float *y, constant uint &cols, " +
		"uint2 p [[thread_position_in_grid]]) {\n"
	for _, test := range []struct{ body, variable, line string }{
		{"const uint at = p.y * cols; y[at] = 1;", "at", "const uint at = p.y * cols; y[at] = 1;"},
		{"\tuint at = p.x; at += p.y * cols; y[at] = 1;", "at", "uint at = p.x; at += p.y * cols; y[at] = 1;"},
		{"\ty[p.y * cols + p.x] = 1; ", "", "y[p.y * cols + p.x] = 1;"},
		{"uint h = p.y * 2654435761u; y[h % cols] = 1;", "", ""},
		{"y[ulong(p.y) * cols + p.x] = 1;", "", ""},
	} {
		p, err := Analyse(Source{Name: "k.metal", Files: map[string]string{"k.metal": ahead + test.body + "\n}\n"}},
			CompileOptions{})
		if err != nil {
			t.Fatal(err)
		}
		w, err := p.IndexWidths("k")
		if err != nil {
			t.Fatal(err)
		}
		launch := func(rows, cols int) Dispatch {
			return Dispatch{Threads: Size{cols, rows, 1}, ThreadsPerThreadgroup: Size{32, 1, 1}, Bindings: []Binding{
				{Index: 1, Inline: true, Data: binary.LittleEndian.AppendUint32(nil, uint32(cols)), Length: 4}}}
		}
		w.Expect(launch(64, 64))
		got, possible := w.Find(launch(1<<17, 1<<16), true)
		var variable, line string
		if got != nil {
			variable, line = got.Variable, got.Line
		}
		if diff := cmp.Diff([]string{test.variable, test.line}, []string{variable, line}); diff != "" || !possible {
			t.Errorf("%s: possible %v (-want +got):\n%s", test.body, possible, diff)
		}
	}
}
