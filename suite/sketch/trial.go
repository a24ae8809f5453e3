package sketch

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	"metalconform/metalrun"
	"metalconform/oracles"
)

// trial launches a kernel with memory to spare, and with less of one buffer at a time.
type trial struct {
	*Sketch
	kernel   metalrun.Kernel
	checking metalrun.Kernel // that says what it sees
	scale    int             // times as many threads along x
}

// spare is the number of bytes of a buffer whose length is to be found.
const spare = 1 << 19

// run finds how far buffers are written and read. A kernel for which no launch is found keeps its
// lengths open.
func (t *trial) run() {
	t.seekRows()
	before, inverse := t.memoryOf(0xa5), t.memoryOf(0x5a)
	after, _, err := t.launch(t.kernel, before, nil)
	if err != nil {
		return
	}
	other, _, err := t.launch(t.kernel, inverse, nil)
	if err != nil {
		return
	}
	_, findings, err := t.launch(t.checking, before, nil)
	if err != nil {
		return
	}
	for i := range t.args {
		a := &t.args[i]
		if a.passed() || a.Size == 0 {
			continue
		}
		if a.Writable {
			a.writes = written(before[i], after[i], inverse[i], other[i], a.Size)
		}
		for _, f := range findings {
			if f.Check == "uninitialised" && f.Object != nil && f.Object.Name == a.Name {
				a.sees = true
			}
		}
		a.reads = t.reach(i)
	}
	if long := t.long(); long >= 0 {
		of := t.of
		if t.axes[long].base = 33; t.of.X == longBase {
			t.of.X = 33
		}
		_, _, err := t.launch(t.kernel, t.memoryOf(0), nil)
		t.axes[long].base, t.of, t.ragged = longBase, of, err == nil
	}
}

// seekRows gives the grid an axis of its own if it is no length that the kernel knows of: a grid
// that is twice as large then writes twice as much.
func (t *trial) seekRows() {
	long := t.long()
	if !t.threads || long < 0 || t.grid[0] != long || len(t.axes) > 1 || t.axes[long].of == "" {
		return
	}
	extent := func(threads int) int {
		t.scale = threads
		defer func() { t.scale = 1 }()
		before, inverse := t.memoryOf(0xa5), t.memoryOf(0x5a)
		after, _, err := t.launch(t.kernel, before, nil)
		other, _, wrong := t.launch(t.kernel, inverse, nil)
		most := 0
		for i, a := range t.args {
			if err == nil && wrong == nil && a.Writable {
				most = max(most, written(before[i], after[i], inverse[i], other[i], a.Size))
			}
		}
		return most
	}
	if once := extent(1); once > 0 && extent(2) > once {
		t.axes = append(t.axes, axis{name: "rows", base: 3})
		t.grid[0] = len(t.axes) - 1
	}
}

// seekStrides finds axes by which rows lie apart: a buffer is touched up to the end of its last row
// whatever they are, as long as rows do not overlap.
func (t *trial) seekStrides() {
	for i, a := range t.args {
		n := max(a.reads, a.writes)
		if _, _, product := t.product(n); a.passed() || product {
			continue
		}
		v, ok := t.view(n)
		if !ok {
			continue
		}
		axes, args := slices.Clone(t.axes), slices.Clone(t.args)
		stride := &t.axes[v.stride]
		stride.base, stride.apart = strideBase, t.axes[v.row].name
		if t.run(); max(t.args[i].reads, t.args[i].writes) != v.elements(t.axes) {
			t.axes, t.args = axes, args
		}
	}
}

// seekThreads gives threadgroups as many threads as rows are long, if lengths are products of axes
// only so.
func (t *trial) seekThreads() {
	open := func() bool {
		return slices.ContainsFunc(t.args, func(a argument) bool {
			_, _, product := t.product(max(a.reads, a.writes))
			return !a.passed() && !product
		})
	}
	if t.threads || t.long() < 0 || !t.Sketch.reads("thread_position_in_threadgroup") || t.info.Collective || !open() {
		return
	}
	before, args := t.of, slices.Clone(t.args)
	t.of = metalrun.Size{X: longBase, Y: 1, Z: 1}
	if t.run(); open() {
		t.of, t.args = before, args
		return
	}
	t.perRow = true
}

// written is the number of elements up to the last that either launch changes.
func written(x, x2, y, y2 []byte, size int) int {
	last := -1
	for i := range x {
		if x[i] != x2[i] || y[i] != y2[i] {
			last = i
		}
	}
	return (last + size) / size
}

// reach is the number of elements up to the last that is accessed: the least with which a launch
// ends well.
func (t *trial) reach(arg int) int {
	size := t.args[arg].Size
	low, high, contents := 0, spare/size, t.memoryOf(0xa5)
	for low < high {
		n := (low + high) / 2
		_, _, err := t.launch(t.kernel, contents, map[int]int{arg: n * size})
		var fault *metalrun.Fault
		switch {
		case err == nil:
			high = n
		case errors.As(err, &fault):
			low = n + 1
		default:
			return 0
		}
	}
	return low
}

// memoryOf is what buffers hold: floats about 1, integers below every axis, and a pattern in what
// is only written.
func (t *trial) memoryOf(pattern byte) [][]byte {
	least := 64
	for _, a := range t.axes {
		least = min(least, a.base)
	}
	all := make([][]byte, len(t.args))
	for i, a := range t.args {
		if a.passed() {
			all[i] = t.inline(a)
			continue
		}
		all[i] = make([]byte, spare)
		if a.Writable {
			for j := range all[i] {
				if all[i][j] = pattern; a.atomic() {
					all[i][j] = 0
				}
			}
			continue
		}
		fill(all[i], a.elements, least)
	}
	return all
}

// fill writes small numbers.
func fill(b []byte, typ string, least int) {
	var word [8]byte
	size := 4
	for i, at := 0, 0; at+size <= len(b); i, at = i+1, at+size {
		switch typ {
		case "f32":
			binary.LittleEndian.PutUint32(word[:], math.Float32bits(1+float32(i%7)/8))
		case "f16":
			size = 2
			binary.LittleEndian.PutUint16(word[:], uint16(oracles.F16.Bits(1+float64(i%7)/8)))
		case "bf16":
			size = 2
			binary.LittleEndian.PutUint16(word[:], uint16(oracles.BF16.Bits(1+float64(i%7)/8)))
		case "u8", "i8", "bool":
			size = 1
			word[0] = byte(i % min(least, 2))
		case "u16", "i16":
			size = 2
			binary.LittleEndian.PutUint16(word[:], uint16(i%least))
		case "u64", "i64":
			size = 8
			binary.LittleEndian.PutUint64(word[:], uint64(i%least))
		default:
			binary.LittleEndian.PutUint32(word[:], uint32(i%least))
		}
		copy(b[at:], word[:size])
	}
}

// inline is what setBytes passes.
func (t *trial) inline(a argument) []byte {
	b := make([]byte, a.Size)
	for _, p := range a.scalars {
		x := 0.0
		for _, axis := range t.axes {
			if p.value == `"`+axis.name+`"` {
				x = float64(axis.base)
			}
		}
		switch {
		case p.value == "1":
			x = 1
		case p.value == "1e-5":
			x = 1e-5
		}
		put(b[p.offset:], p.typ, x)
	}
	return b
}

// put encodes a number.
func put(b []byte, typ string, x float64) {
	switch typ {
	case "f32":
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(x)))
	case "f16":
		binary.LittleEndian.PutUint16(b, uint16(oracles.F16.Bits(x)))
	case "bf16":
		binary.LittleEndian.PutUint16(b, uint16(oracles.BF16.Bits(x)))
	case "u8", "i8", "bool":
		b[0] = byte(int64(x))
	case "u16", "i16":
		binary.LittleEndian.PutUint16(b, uint16(int64(x)))
	case "u64", "i64":
		binary.LittleEndian.PutUint64(b, uint64(int64(x)))
	default:
		binary.LittleEndian.PutUint32(b, uint32(int64(x)))
	}
}

// launch launches with the contents of buffers, of which some are shorter, and returns what they
// hold then.
func (t *trial) launch(kernel metalrun.Kernel, contents [][]byte, lengths map[int]int) ([][]byte, []metalrun.Finding, error) {
	d := metalrun.Dispatch{ThreadsPerThreadgroup: t.of}
	size := metalrun.Size{X: t.extent(0) * t.scale, Y: t.extent(1), Z: t.extent(2)}
	if t.threads {
		d.Threads = size
	} else {
		d.Threadgroups = size
	}
	for range t.memory {
		d.ThreadgroupMemory = append(d.ThreadgroupMemory, (32<<10-(t.info.StaticThreadgroupMemory+15)/16*16)/t.memory/16*16)
	}
	held := make([][]byte, len(contents))
	for i, a := range t.args {
		held[i] = slices.Clone(contents[i])
		length := len(held[i])
		if n, ok := lengths[i]; ok {
			length = n
		}
		d.Bindings = append(d.Bindings, metalrun.Binding{Index: a.Index, Data: held[i], Length: length, Inline: a.passed(), Undefined: a.Writable})
	}
	outcome, err := kernel.Run(d)
	return held, outcome.Findings, err
}

// extent is the size of the grid on an axis.
func (s *Sketch) extent(at int) int {
	if s.grid[at] < 0 {
		return 1
	}
	return s.axes[s.grid[at]].base
}
