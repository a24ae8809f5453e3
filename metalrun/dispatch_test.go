package metalrun_test

import (
	"testing"

	"metalconform/metalrun"
)

func TestDispatchCheck(t *testing.T) {
	data := make([]byte, 8192)
	valid := func(edit func(d *metalrun.Dispatch)) metalrun.Dispatch {
		d := metalrun.Dispatch{
			Threadgroups:          metalrun.Size{X: 2, Y: 1, Z: 1},
			ThreadsPerThreadgroup: metalrun.Size{X: 32, Y: 2, Z: 1},
			ThreadgroupMemory:     []int{0, 40},
			Bindings: []metalrun.Binding{
				{Index: 0, Data: data, Offset: 64, Length: 8128},
				{Index: 30, Data: data, Offset: 8192},
				{Index: 3, Data: data, Length: 4096, Inline: true},
			},
		}
		edit(&d)
		return d
	}
	bind := func(b metalrun.Binding) func(d *metalrun.Dispatch) {
		return func(d *metalrun.Dispatch) { d.Bindings = append(d.Bindings, b) }
	}
	tests := []struct {
		name string
		edit func(d *metalrun.Dispatch)
		want string
	}{
		{"valid", func(d *metalrun.Dispatch) {}, ""},
		{"threads", func(d *metalrun.Dispatch) {
			d.Threads, d.Threadgroups = metalrun.Size{X: 100, Y: 1, Z: 1}, metalrun.Size{}
		}, ""},
		{"no grid", func(d *metalrun.Dispatch) { d.Threadgroups = metalrun.Size{} }, "0×0×0 threadgroups"},
		{"both grids", func(d *metalrun.Dispatch) { d.Threads = metalrun.Size{X: 1, Y: 1, Z: 1} }, "both"},
		{"empty grid", func(d *metalrun.Dispatch) { d.Threadgroups.Y = 0 }, "2×0×1 threadgroups"},
		{"negative grid", func(d *metalrun.Dispatch) {
			d.Threads, d.Threadgroups = metalrun.Size{X: 4, Y: -1, Z: 1}, metalrun.Size{}
		}, "4×-1×1 threads"},
		{"no threads", func(d *metalrun.Dispatch) { d.ThreadsPerThreadgroup = metalrun.Size{} },
			"threads per threadgroup"},
		{"too many threads", func(d *metalrun.Dispatch) { d.ThreadsPerThreadgroup = metalrun.Size{X: 32, Y: 32, Z: 2} },
			"at most 1024"},
		{"overflowing threads", func(d *metalrun.Dispatch) {
			d.ThreadsPerThreadgroup = metalrun.Size{X: 1 << 32, Y: 1 << 32, Z: 1}
		}, "at most 1024"},
		{"the last threadgroup", func(d *metalrun.Dispatch) { d.Skip = 1 }, ""},
		{"no threadgroup", func(d *metalrun.Dispatch) { d.Skip = 2 }, "2 of 2 threadgroups skipped"},
		{"skipping backwards", func(d *metalrun.Dispatch) { d.Skip = -1 }, "-1 of 2 threadgroups skipped"},
		{"far away", func(d *metalrun.Dispatch) { d.Bindings[0].Before = 1 << 40 }, ""},
		{"before its beginning", func(d *metalrun.Dispatch) { d.Bindings[0].Before = -16 }, "buffer 0: its window"},
		{"at an odd place", func(d *metalrun.Dispatch) { d.Bindings[0].Before = 4 }, "multiple of 16"},
		{"part of setBytes", func(d *metalrun.Dispatch) { d.Bindings[2].Before = 16 }, "no setBytes"},
		{"negative memory", func(d *metalrun.Dispatch) { d.ThreadgroupMemory[1] = -16 }, "threadgroup memory 1 "},
		{"overflowing extent", func(d *metalrun.Dispatch) {
			d.Threads, d.Threadgroups = metalrun.Size{X: 1<<32 + 1, Y: 1, Z: 1}, metalrun.Size{}
		}, "at most 2^32"},
		{"overflowing grid", func(d *metalrun.Dispatch) {
			d.Threadgroups = metalrun.Size{X: 1 << 32, Y: 1 << 16, Z: 2}
		}, "at most 2^48 together"},
		{"too many lengths", func(d *metalrun.Dispatch) { d.ThreadgroupMemory = make([]int, 32) }, "at most 31"},
		{"index -1", bind(metalrun.Binding{Index: -1}), "buffer index -1"},
		{"index 31", bind(metalrun.Binding{Index: 31}), "buffer index 31"},
		{"twice", bind(metalrun.Binding{Index: 3, Data: data}), "buffer 3 is bound twice"},
		{"past the end", bind(metalrun.Binding{Index: 1, Data: data, Offset: 8000, Length: 193}), "193 bytes at 8000"},
		{"offset past the end", bind(metalrun.Binding{Index: 1, Data: data, Offset: 8193}), "at 8193"},
		{"negative offset", bind(metalrun.Binding{Index: 1, Data: data, Offset: -1}), "at -1"},
		{"negative length", bind(metalrun.Binding{Index: 1, Data: data, Length: -1}), "-1 bytes"},
		{"empty inline", bind(metalrun.Binding{Index: 1, Data: data, Inline: true}), "setBytes"},
		{"long inline", bind(metalrun.Binding{Index: 1, Data: data, Length: 4097, Inline: true}), "setBytes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if err := valid(test.edit).Check(1024); !failsWith(err, test.want) {
				t.Errorf("Check: %v, want %q", err, test.want)
			}
		})
	}
}
