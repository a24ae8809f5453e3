package scaffold

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
	"metalconform/oracles"
	"metalconform/suite/adhoc"
)

// trial launches a kernel with memory to spare, and with less of one buffer at a time.
type trial struct {
	*Specification
	kernel   metalrun.Kernel
	checking metalrun.Kernel // that says what it sees
	size     [3]int          // of the grid, 0 where it follows from the axes
	rows     bool            // of a power of two of elements may be what axes cover
	most     int             // what integers in buffers are below, 0 for the least axis
	scale    int             // each buffer's floats are larger by so many powers of two than those of the one before

	ctx            context.Context
	work, taken    int64 // of all launches: what they may take, and have taken
	each           int64 // instructions of a threadgroup of the last launch
	plain, checked metalrun.Runner
	libraries      []metalrun.Library
	contents       map[string][]byte // of buffers that are only read, by argument, type and what integers are below
}

// spare is the number of bytes of a buffer whose length is to be found.
const spare = 1 << 19

// compile makes the kernel with values for function constants.
func (t *trial) compile(program *metalrun.Program, spec *adhoc.Spec) (*adhoc.Kernel, error) {
	kernels, program, err := adhoc.Kernels(program, spec)
	if err != nil {
		return nil, err
	}
	for _, of := range []struct {
		runner metalrun.Runner
		into   *metalrun.Kernel
	}{{t.plain, &t.kernel}, {t.checked, &t.checking}} {
		library, err := of.runner.Compile(program)
		if err != nil {
			return nil, err
		}
		t.libraries = append(t.libraries, library)
		if *of.into, err = library.Kernel(t.info.Name); err != nil {
			return nil, err
		}
	}
	return &kernels[slices.IndexFunc(kernels, func(k adhoc.Kernel) bool { return k.Info.Name == t.info.Name })], nil
}

func (t *trial) release() {
	for _, library := range t.libraries {
		library.Release()
	}
}

// seekSize finds a size of threadgroups that the kernel can be launched with: one of the likely ones, one that it is
// made for if that shows, or a thread for each element along an axis, of a power of two.
func (t *trial) seekSize(sizes []metalrun.Size) bool {
	works := func() bool {
		_, _, err := t.launch(t.kernel, t.memoryOf(0), nil)
		if err != nil && t.refused == "" {
			t.refused = err.Error()
		}
		return err == nil
	}
	var working []metalrun.Size
	for _, t.of = range sizes {
		if !works() {
			continue
		}
		if working = append(working, t.of); t.suits() {
			t.refused = ""
			return true
		}
	}
	if len(working) > 0 {
		t.of, t.refused = working[0], ""
		return true
	}
	if t.threads || !t.reads("thread_position_in_threadgroup") && !t.reads("thread_index_in_threadgroup") {
		t.of = sizes[0]
		return false
	}
	for i := range t.axes {
		before := t.axes[i].base
		if before != longBase {
			t.axes[i].base = 2 * longBase
		}
		if t.of = (metalrun.Size{X: t.axes[i].base, Y: 1, Z: 1}); t.axes[i].of != "" && works() {
			t.perAxis, t.refused = i+1, ""
			return true
		}
		t.axes[i].base = before
	}
	t.of = sizes[0]
	return false
}

// suits reports whether a launch has no races, and reads all that threads share only where it is written: with more
// threads than a kernel is made for, threadgroups write the same rows, and with less, tiles have holes.
func (t *trial) suits() bool {
	_, findings, err := t.launch(t.checking, t.memoryOf(0), nil)
	return err == nil && !slices.ContainsFunc(findings, func(f metalrun.Finding) bool {
		return f.Check == "race" || f.Check == "uninitialised" && f.Object != nil && f.Object.Table == "threadgroup"
	})
}

// seekConstants makes function constants that are true false where buffers are not touched: strides of what is not
// contiguous, say. Where they are then, the constants are axes.
func (t *trial) seekConstants(program *metalrun.Program) {
	untouched := func() (n int) {
		for _, a := range t.args {
			if !a.passed() && a.reads == 0 && a.writes == 0 {
				n++
			}
		}
		return n
	}
	before, args, kernel, checking := untouched(), slices.Clone(t.args), t.kernel, t.checking
	values := map[string]string{}
	for _, c := range t.constants {
		if values[c.Name] = c.Value; c.Bool {
			values[c.Name] = "false"
		}
	}
	if before == 0 || !slices.ContainsFunc(t.constants, func(c constant) bool { return c.Bool }) {
		return
	}
	if _, err := t.compile(program, &adhoc.Spec{Constants: values}); err == nil {
		t.run()
	}
	if untouched() < before {
		for i := range t.constants {
			t.constants[i].varies = t.constants[i].Bool
		}
	}
	for i, was := range args {
		if was.reads > 0 || was.writes > 0 {
			t.args[i] = was
		}
	}
	t.kernel, t.checking = kernel, checking
}

// run finds how far buffers are written and read, where axes are as long as they are and where all are of other
// lengths. A kernel for which no launch is found keeps its lengths open.
func (t *trial) run() {
	if !t.measure() {
		return
	}
	t.step()
	t.seekRows()
	first, axes, of := slices.Clone(t.args), slices.Clone(t.axes), t.of
	for i := range t.axes {
		t.axes[i].base = axes[i].otherBase()
	}
	for i, a := range t.axes {
		for _, b := range t.axes {
			if a.below == b.name {
				t.axes[i].base = b.base - 1
			}
		}
	}
	if t.perAxis > 0 {
		t.of.X = t.axes[t.perAxis-1].base
	}
	ok := t.measure()
	for i := range first {
		if first[i].other = 0; ok {
			first[i].other = t.args[i].touched()
		}
	}
	t.args, t.axes, t.of = first, axes, of
	t.seekWords()
	t.seekRagged()
}

// seekWords finds integers that may be any: a launch with such ends well, with no more of any buffer than others touch.
func (t *trial) seekWords() {
	for i := range t.args {
		a := &t.args[i]
		if !a.picks() || strings.Contains(strings.ToLower(a.Name), "pos") {
			continue
		}
		contents, lengths := t.memoryOf(0), map[int]int{}
		contents[i] = slices.Clone(contents[i])
		word := uint32(1)
		for at := 0; at+4 <= len(contents[i]); at += 4 {
			word = word*1664525 + 1013904223
			binary.LittleEndian.PutUint32(contents[i][at:], word)
		}
		for j, b := range t.args {
			if !b.passed() && b.Size > 0 {
				lengths[j] = b.touched() * b.Size
			}
		}
		_, _, err := t.launch(t.kernel, contents, lengths)
		a.words = err == nil
	}
}

// measure finds how far buffers are written and read.
func (t *trial) measure() bool {
	before, inverse := t.memoryOf(0xa5), t.memoryOf(0x5a)
	after, _, err := t.launch(t.kernel, before, nil)
	if err != nil {
		return false
	}
	other, _, err := t.launch(t.kernel, inverse, nil)
	if err != nil {
		return false
	}
	_, findings, err := t.launch(t.checking, before, nil)
	if err != nil {
		return false
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
	t.vary()
	return true
}

// vary takes up what a kernel touches only where numbers are other ones, as one that leaves a loop at the first that
// is too large: each buffer is of another size than the next.
func (t *trial) vary() {
	defer func() { t.scale = 0 }()
	for _, t.scale = range []int{-2, 2} {
		lengths := map[int]int{}
		for i, a := range t.args {
			if !a.passed() && a.Size > 0 {
				lengths[i] = a.touched() * a.Size
			}
		}
		var fault *metalrun.Fault
		if _, _, err := t.launch(t.kernel, t.memoryOf(0xa5), lengths); !errors.As(err, &fault) {
			continue
		}
		for i := range t.args {
			if a := &t.args[i]; !a.passed() && a.Size > 0 {
				a.reads = max(a.reads, t.reach(i))
			}
		}
	}
}

// step finds how much less is touched of each buffer if the grid is one shorter along an axis, or a part of it: what
// lies within a turn of it.
func (t *trial) step() {
	for at, s := range t.grid {
		n := s.of(t.axes)
		if len(s.axes) != 1 || s.by > 1 || s.times > 1 || n < 2 {
			continue
		}
		t.size[at] = n - max(t.axes[s.axes[0]].parts, 1)
		for i := range t.args {
			if a := &t.args[i]; !a.passed() && a.touched() > 1 {
				a.steps[at] = a.touched() - t.touches(i)
			}
		}
		t.size[at] = 0
	}
}

// touches is how far a buffer is written or read.
func (t *trial) touches(arg int) int {
	if !t.args[arg].Writable {
		return t.reach(arg)
	}
	before, inverse := t.memoryOf(0xa5), t.memoryOf(0x5a)
	after, _, err := t.launch(t.kernel, before, nil)
	other, _, wrong := t.launch(t.kernel, inverse, nil)
	if err != nil || wrong != nil {
		return 0
	}
	return max(t.reach(arg), written(before[arg], after[arg], inverse[arg], other[arg], max(t.args[arg].Size, 1)))
}

// seekRows finds buffers of which the contents of others pick rows: how many of them the kernel touches says nothing of
// how many there are.
func (t *trial) seekRows() {
	if !slices.ContainsFunc(t.args, argument.picks) {
		return
	}
	for i := range t.args {
		a := &t.args[i]
		if a.row = 0; a.passed() || a.touched() < 2 {
			continue
		}
		t.most = 1
		one := t.touches(i)
		t.most = 2
		two := t.touches(i)
		t.most = 0
		stride := slices.IndexFunc(t.axes,
			func(x axis) bool { return x.of != "" && x.base == two-one && x.base != longBase })
		a.depends = two > one
		switch {
		case two <= one:
		case one == two-one:
			a.row = one
		case stride >= 0:
			a.row, a.stride = one, stride+1
		}
	}
}

// seekPicked makes strides of rows that integers pick longer than the rows.
func (t *trial) seekPicked() {
	again := false
	for _, a := range t.args {
		if a.stride == 0 || t.axes[a.stride-1].base >= a.row {
			continue
		}
		if row := t.rowOf(a); row != "" {
			t.axes[a.stride-1].base, t.axes[a.stride-1].apart = strideBase+2*a.stride, row
			again = true
		}
	}
	if again {
		t.run()
	}
}

// rowOf is the extent of the rows of a buffer that integers pick from.
func (s *Specification) rowOf(a argument) string {
	list, row, ok := s.product(a.row, 0)
	if !ok || row == "" || len(list) > 0 {
		return ""
	}
	return row
}

// picks reports whether it holds integers that may say where other buffers are accessed.
func (a argument) picks() bool {
	return !a.passed() && !a.Writable && slices.Contains([]string{"u32", "i32", "u64", "i64"}, a.elements)
}

// seekRagged finds whether rows may have 33 elements.
func (t *trial) seekRagged() {
	long := t.long()
	if long < 0 {
		return
	}
	of := t.of
	if t.axes[long].base = 33; t.of.X == longBase {
		t.of.X = 33
	}
	_, _, err := t.launch(t.kernel, t.memoryOf(0), nil)
	t.axes[long].base, t.of, t.ragged = longBase, of, err == nil
}

// seekStrides finds axes by which rows lie apart: a buffer is touched up to the end of its last row
// whatever they are, as long as rows do not overlap.
func (t *trial) seekStrides() {
	for i, a := range t.args {
		n := a.touched()
		if _, _, product := t.product(n, a.other); a.passed() || product || a.row > 0 {
			continue
		}
		v, ok := t.view(n)
		if !ok {
			continue
		}
		axes, args := slices.Clone(t.axes), slices.Clone(t.args)
		stride := &t.axes[v.stride]
		stride.base, stride.apart = strideBase, t.axes[v.row].name
		if t.run(); t.args[i].touched() != v.elements(t.axes) {
			t.axes, t.args = axes, args
		}
	}
}

// spread is rows and columns that both lie apart, each part an axis.
type spread struct{ rows, by, columns, apart int }

// elements are those up to the last.
func (v spread) elements(length func(axis) int, axes []axis) int {
	return (length(axes[v.rows])-1)*length(axes[v.by]) + (length(axes[v.columns])-1)*length(axes[v.apart]) + 1
}

// seekSpread finds buffers whose rows and columns have a stride each: with two sets of lengths there is one way only.
func (t *trial) seekSpread() {
	base := func(a axis) int { return a.base }
	for i := range t.args {
		a := &t.args[i]
		if _, _, product := t.product(a.touched(), a.other); a.passed() || product || a.other == 0 || a.row > 0 ||
			t.apart(a.touched()) {
			continue
		}
		var found []spread
		for rows := range t.axes {
			for by := range t.axes {
				for columns := range t.axes {
					for apart := range t.axes {
						v := spread{rows, by, columns, apart}
						of := []int{rows, by, columns, apart}
						slices.Sort(of)
						if len(slices.Compact(of)) == 4 && t.inGrid(rows) && t.inGrid(columns) && !t.inGrid(by) &&
							!t.inGrid(apart) && t.axes[columns].base == longBase &&
							v.elements(base, t.axes) == a.touched() && v.elements(axis.otherBase, t.axes) == a.other {
							found = append(found, v)
						}
					}
				}
			}
		}
		if len(found) != 1 {
			continue
		}
		v := found[0]
		t.axes[v.apart].base, t.axes[v.by].base = 2, 2*strideBase
		t.axes[v.by].apart = t.axes[v.columns].name + " * " + t.axes[v.apart].name
		t.run()
		t.args[i].spread = &v
	}
}

// seekWindows finds axes that are places on others, such as where a cache is written: a buffer is touched up to the end
// of that axis where the place is its last.
func (t *trial) seekWindows() {
	for i, a := range t.args {
		n := a.touched()
		if _, _, product := t.product(n, a.other); a.passed() || n == 0 || product || t.apart(n) || a.row > 0 ||
			a.spread != nil {
			continue
		}
		t.seekWindow(i)
	}
}

// products is of how many arguments the lengths are known to be products of axes.
func (t *trial) products() (n int) {
	for _, a := range t.args {
		if _, _, ok := t.product(a.touched(), a.other); ok || a.passed() {
			n++
		}
	}
	return n
}

// seekFuller tries threadgroups of the other sizes if what is written has gaps: tiles that a kernel goes through in
// steps of more rows or columns than the threads have.
func (t *trial) seekFuller(sizes []metalrun.Size) {
	gaps := slices.ContainsFunc(t.args, func(a argument) bool {
		_, by := t.multiple(a.touched(), a.other)
		_, _, product := t.product(a.touched(), a.other)
		return a.Writable && a.touched() > 0 && a.other > 0 && !product && by == 0 && !t.apart(a.touched())
	})
	if !gaps {
		return
	}
	before, first := t.products(), t.of
	axes, args, grid := t.axes, t.args, t.grid
	for _, of := range sizes {
		if of == first {
			continue
		}
		t.of, t.axes, t.args = of, slices.Clone(axes), slices.Clone(args)
		if t.suits() {
			if t.run(); t.products() > before {
				return
			}
		}
		t.of, t.axes, t.args, t.grid = first, axes, args, grid
	}
}

// seekWindow tries pairs of axes, and keeps the first that makes a buffer's length a product.
func (t *trial) seekWindow(arg int) {
	ends := func(along, n, other int) bool {
		outer, row, product := t.product(n, other)
		name := t.axes[along].name
		return product && (row == name || slices.Contains(outer, fmt.Sprintf("%q", name)))
	}
	before := t.products()
	for place := range t.axes {
		for along := range t.axes {
			if place == along || t.axes[place].of == "" || t.axes[place].below != "" || t.axes[along].below != "" ||
				t.inGrid(place) || t.axes[place].base == longBase || t.axes[along].base == 1 {
				continue
			}
			axes, args := slices.Clone(t.axes), slices.Clone(t.args)
			t.axes[place].base, t.axes[place].below = t.axes[along].base-1, t.axes[along].name
			if ends(along, t.touches(arg), 0) {
				if t.run(); ends(along, t.args[arg].touched(), t.args[arg].other) && t.args[arg].other > 0 &&
					t.products() > before {
					return
				}
			}
			t.axes, t.args = axes, args
		}
	}
}

// seekThreads gives threadgroups as many threads as an axis is long, that of rows or else one of a power of two, if
// lengths are products of axes only so.
func (t *trial) seekThreads() {
	open := func() bool {
		return slices.ContainsFunc(t.args, func(a argument) bool {
			_, _, product := t.product(a.touched(), a.other)
			return !a.passed() && !product && a.row == 0 && a.spread == nil && !t.apart(a.touched())
		})
	}
	if t.threads || t.long() < 0 || t.perAxis > 0 || !t.Specification.reads("thread_position_in_threadgroup") ||
		t.info.Collective || !open() {
		return
	}
	of, args, axes := t.of, slices.Clone(t.args), slices.Clone(t.axes)
	for i := -1; i < len(axes); i++ {
		at := i
		if i < 0 {
			at = t.long()
		} else if axes[i].of == "" || axes[i].base == longBase || usualBase(axes[i].name) > 0 {
			continue
		} else {
			t.axes[i].base = 2 * longBase
		}
		t.of, t.perAxis = metalrun.Size{X: t.axes[at].base, Y: 1, Z: 1}, at+1
		if t.run(); !open() {
			return
		}
		t.of, t.perAxis, t.args, t.axes = of, 0, slices.Clone(args), slices.Clone(axes)
	}
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
// ends well. A launch with too few ends early, so that it is looked for from below.
func (t *trial) reach(arg int) int {
	size := t.args[arg].Size
	low, high, next, contents := 0, spare/size, 0, t.memoryOf(0xa5)
	for low < high {
		n := min(next, (low+high)/2)
		_, _, err := t.launch(t.kernel, contents, map[int]int{arg: n * size})
		var fault *metalrun.Fault
		switch {
		case err == nil:
			high, next = n, n
		case errors.As(err, &fault):
			low, next = n+1, 2*n+1
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
	if t.most > 0 {
		least = t.most
	}
	all := make([][]byte, len(t.args))
	for i, a := range t.args {
		if a.passed() {
			all[i] = t.inline(a)
			continue
		}
		if a.Writable {
			all[i] = make([]byte, spare)
			if !a.atomic() && pattern != 0 {
				all[i] = bytes.Repeat([]byte{pattern}, spare)
			}
			continue
		}
		all[i] = t.filled(i, a.elements, least, math.Ldexp(1, t.scale*i))
		if a.named || a.offsets != nil {
			all[i] = t.places(a)
		}
	}
	return all
}

// filled is the contents of a buffer that no launch writes. Each argument has its own memory, since what is bound
// twice is one memory.
func (t *trial) filled(arg int, elements string, least int, scale float64) []byte {
	key := fmt.Sprint(arg, " ", elements, " ", least, " ", scale)
	if t.contents[key] == nil {
		b := make([]byte, spare)
		fill(b, elements, least, scale)
		if t.contents == nil {
			t.contents = map[string][]byte{}
		}
		t.contents[key] = b
	}
	return t.contents[key]
}

// fill writes small numbers, floats times a power of two.
func fill(b []byte, typ string, least int, scale float64) {
	var word [8]byte
	size := 4
	for i, at := 0, 0; at+size <= len(b); i, at = i+1, at+size {
		switch typ {
		case "f32":
			binary.LittleEndian.PutUint32(word[:], math.Float32bits(float32(scale*(1+float64(i%7)/8))))
		case "f16":
			size = 2
			binary.LittleEndian.PutUint16(word[:], uint16(oracles.F16.Bits(scale*(1+float64(i%7)/8))))
		case "bf16":
			size = 2
			binary.LittleEndian.PutUint16(word[:], uint16(oracles.BF16.Bits(scale*(1+float64(i%7)/8))))
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
		if value, err := strconv.ParseFloat(p.value, 64); err == nil {
			x = value
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

// launchWork is the work of a launch that does nothing, groupWork that of a threadgroup that does nothing, and
// byteWork that of preparing and comparing a byte of its buffers.
const (
	launchWork = 1 << 17
	groupWork  = 1 << 11
	byteWork   = 1
	mostLate   = 4 // launches that end for want of time and are all that there may be
	mostPart   = 8 // launches as long as one may be are all that there may be
)

// launch launches with the contents of buffers, of which some are shorter, and returns what they
// hold then. Nothing is launched any more once all launches have taken what they may.
func (t *trial) launch(kernel metalrun.Kernel, contents [][]byte, lengths map[int]int) ([][]byte, []metalrun.Finding,
	error) {
	if t.taken > t.work && t.spent == nil {
		t.spent = fmt.Errorf("the launches took the %d steps that they may, which -launch-budget can raise", t.work)
	}
	if err := errors.Join(t.ctx.Err(), t.spent); err != nil {
		return contents, nil, err
	}
	d := metalrun.Dispatch{ThreadsPerThreadgroup: t.of, Ungraded: true}
	size := metalrun.Size{X: t.extent(0), Y: t.extent(1), Z: t.extent(2)}
	if t.threads {
		d.Threads = size
	} else {
		d.Threadgroups = size
	}
	for range t.memory {
		d.ThreadgroupMemory = append(d.ThreadgroupMemory,
			(32<<10-(t.info.StaticThreadgroupMemory+15)/16*16)/t.memory/16*16)
	}
	held := make([][]byte, len(contents))
	for i, a := range t.args {
		if held[i] = contents[i]; a.Writable {
			held[i] = slices.Clone(contents[i])
		}
		length := len(held[i])
		if n, ok := lengths[i]; ok {
			length = n
		}
		d.Bindings = append(d.Bindings, metalrun.Binding{Index: a.Index, Data: held[i], Length: length,
			Inline: a.passed(), Undefined: a.Writable})
	}
	groups, threads := int64(t.groups(size)), int64(t.of.Count())
	if t.each > t.work/mostPart/groups/threads {
		t.skipped = fmt.Errorf("a launch of %d threadgroups would take more than 1/%d of the %d steps that all may, "+
			"which -launch-budget can raise", groups, mostPart, t.work)
		return contents, nil, t.skipped
	}
	outcome, err := kernel.Run(d)
	t.each = (outcome.Executed + outcome.Costly) / groups
	t.taken += launchWork + groupWork*groups + (outcome.Executed+outcome.Costly)*threads
	for _, b := range d.Bindings {
		t.taken += byteWork * int64(b.Length)
	}
	var fault *metalrun.Fault
	if errors.As(err, &fault) && fault.ByClock() {
		t.taken += t.work / mostLate
	}
	return held, outcome.Findings, err
}

// groups are the threadgroups of a grid, at least one.
func (t *trial) groups(size metalrun.Size) int {
	if !t.threads {
		return max(size.Count(), 1)
	}
	along := func(n, of int) int { return (n + max(of, 1) - 1) / max(of, 1) }
	return max(along(size.X, t.of.X)*along(size.Y, t.of.Y)*along(size.Z, t.of.Z), 1)
}

// extent is the size of the grid on an axis.
func (t *trial) extent(at int) int {
	if t.size[at] > 0 {
		return t.size[at]
	}
	return t.grid[at].of(t.axes)
}
