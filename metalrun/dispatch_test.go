package metalrun

import "testing"

func TestCheckDispatch(t *testing.T) {
	data := make([]byte, 8192)
	valid := func(edit func(d *Dispatch)) Dispatch {
		d := Dispatch{
			Threadgroups:          Size{2, 1, 1},
			ThreadsPerThreadgroup: Size{32, 2, 1},
			ThreadgroupMemory:     []int{0, 40},
			Bindings: []Binding{
				{Index: 0, Data: data, Offset: 64, Length: 8128},
				{Index: 30, Data: data, Offset: 8192},
				{Index: 3, Data: data, Length: 4096, Inline: true},
			},
		}
		edit(&d)
		return d
	}
	bind := func(b Binding) func(d *Dispatch) { return func(d *Dispatch) { d.Bindings = append(d.Bindings, b) } }
	tests := []struct {
		name string
		edit func(d *Dispatch)
		want string
	}{
		{"valid", func(d *Dispatch) {}, ""},
		{"threads", func(d *Dispatch) { d.Threads, d.Threadgroups = Size{100, 1, 1}, Size{} }, ""},
		{"no grid", func(d *Dispatch) { d.Threadgroups = Size{} }, "0×0×0 threadgroups"},
		{"both grids", func(d *Dispatch) { d.Threads = Size{1, 1, 1} }, "both"},
		{"empty grid", func(d *Dispatch) { d.Threadgroups.Y = 0 }, "2×0×1 threadgroups"},
		{"negative grid", func(d *Dispatch) { d.Threads, d.Threadgroups = Size{4, -1, 1}, Size{} }, "4×-1×1 threads"},
		{"no threads", func(d *Dispatch) { d.ThreadsPerThreadgroup = Size{} }, "threads per threadgroup"},
		{"too many threads", func(d *Dispatch) { d.ThreadsPerThreadgroup = Size{32, 32, 2} }, "at most 1024"},
		{"overflowing threads", func(d *Dispatch) { d.ThreadsPerThreadgroup = Size{1 << 32, 1 << 32, 1} }, "at most 1024"},
		{"negative memory", func(d *Dispatch) { d.ThreadgroupMemory[1] = -16 }, "threadgroup memory 1 "},
		{"too many lengths", func(d *Dispatch) { d.ThreadgroupMemory = make([]int, 32) }, "at most 31"},
		{"index -1", bind(Binding{Index: -1}), "buffer index -1"},
		{"index 31", bind(Binding{Index: 31}), "buffer index 31"},
		{"twice", bind(Binding{Index: 3, Data: data}), "buffer 3 is bound twice"},
		{"past the end", bind(Binding{Index: 1, Data: data, Offset: 8000, Length: 193}), "193 bytes at 8000"},
		{"offset past the end", bind(Binding{Index: 1, Data: data, Offset: 8193}), "at 8193"},
		{"negative offset", bind(Binding{Index: 1, Data: data, Offset: -1}), "at -1"},
		{"negative length", bind(Binding{Index: 1, Data: data, Length: -1}), "-1 bytes"},
		{"empty inline", bind(Binding{Index: 1, Data: data, Inline: true}), "setBytes"},
		{"long inline", bind(Binding{Index: 1, Data: data, Length: 4097, Inline: true}), "setBytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := checkDispatch(valid(test.edit), 1024); !failsWith(err, test.want) {
				t.Errorf("checkDispatch: %v, want %q", err, test.want)
			}
		})
	}
}
