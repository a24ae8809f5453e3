package simt

import (
	"encoding/binary"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// assembler builds kernels for tests, one instruction at a time.
type assembler struct {
	k    *ir.Kernel
	list *[]ir.Node
}

func assemble(build func(a *assembler)) *ir.Kernel {
	body := &ir.Block{Name: "test"}
	a := &assembler{k: &ir.Kernel{Name: "test", Body: []ir.Node{body}}, list: &body.Body}
	build(a)
	return a.k
}

func (a *assembler) reg(info ir.RegInfo) ir.Reg {
	a.k.Regs = append(a.k.Regs, info)
	return ir.Reg(len(a.k.Regs) - 1)
}

func (a *assembler) literal(v int) ir.Reg {
	return a.reg(ir.RegInfo{Kind: ir.Literal, Type: ir.I32, Bits: uint64(v)})
}

func (a *assembler) input(s ir.Source) ir.Reg {
	return a.reg(ir.RegInfo{Kind: ir.Input, Type: ir.I32, Input: s})
}

func (a *assembler) variable(t ir.Type) ir.Reg { return a.reg(ir.RegInfo{Kind: ir.Variable, Type: t}) }

// buffer declares buffer(i).
func (a *assembler) buffer(i int) ir.Reg {
	a.k.Args = append(a.k.Args, ir.Arg{Name: string(rune('a' + i)), Index: i, Size: 4, Align: 4})
	return a.reg(ir.RegInfo{Kind: ir.Input, Type: ir.Ptr, Input: ir.BufferPointer, Index: i})
}

func (a *assembler) put(n ir.Node) { *a.list = append(*a.list, n) }

// op appends d = o(args) with a new temporary d.
func (a *assembler) op(o ir.Op, t ir.Type, args ...ir.Reg) ir.Reg {
	d := a.reg(ir.RegInfo{Kind: ir.Temp, Type: t})
	a.set(o, d, args...)
	return d
}

func (a *assembler) set(o ir.Op, d ir.Reg, args ...ir.Reg) {
	a.put(&ir.Instr{Op: o, Dst: []ir.Reg{d}, Args: args})
}

func (a *assembler) store(base, index, value ir.Reg) {
	a.put(&ir.Instr{Op: ir.Store, Args: []ir.Reg{value}, From: ir.U32,
		Mem: &ir.Mem{Space: syntax.Device, Base: base, Index: index, Scale: 4, Align: 4}})
}

func (a *assembler) load(base, index ir.Reg) ir.Reg {
	d := a.reg(ir.RegInfo{Kind: ir.Temp, Type: ir.I32})
	a.put(&ir.Instr{Op: ir.Load, Dst: []ir.Reg{d}, From: ir.U32,
		Mem: &ir.Mem{Space: syntax.Device, Base: base, Index: index, Scale: 4, Align: 4}})
	return d
}

// within appends to another list.
func (a *assembler) within(list *[]ir.Node, build func()) {
	outer := a.list
	a.list = list
	build()
	a.list = outer
}

func words(b []byte) []uint32 {
	w := make([]uint32, len(b)/4)
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return w
}

// square writes the square of each thread's position.
func square() *ir.Kernel {
	return assemble(func(a *assembler) {
		out, id := a.buffer(0), a.input(ir.ThreadPositionInGridX)
		a.store(out, id, a.op(ir.Mul, ir.I32, id, id))
	})
}

// TestWorkers runs one grid with several numbers of workers: the bytes must agree.
func TestWorkers(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		out := make([]byte, 4*10000)
		err := Compile(square(), machine.Options{Workers: workers}).Run(Launch{
			Threads: machine.Size{10000, 1, 1}, PerGroup: machine.Size{6, 1, 1},
			Buffers: []machine.Buffer{{Index: 0, Bytes: out}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, w := range words(out) {
			if w != uint32(i*i) {
				t.Fatalf("%d workers: out[%d] = %d, want %d", workers, i, w, i*i)
			}
		}
	}
}

// TestThreadgroupsInTurn compares a grid with the definition in which threads of every third threadgroup end early,
// and the last threadgroup is smaller: nothing of one is left to the next.
func TestThreadgroupsInTurn(t *testing.T) {
	text := products(`threadgroup float shared[40];
	if (i / 40 % 3 == 1 && id > 5) return;
	float own[3];
	own[id % 3] = c;
	shared[id] = a[lane] + i;
	threadgroup_barrier(mem_flags::mem_threadgroup);
	s = shared[(id + 1) % 6] + own[id % 3];
	if (id % 5 != 2) for (c = id; c < n; c += 7) s += a[c & 31];`)
	for _, threads := range []int{40, 267, 280, 4000} {
		runLaunch{n: 50, stride: 1, active: 5000, threads: threads, group: 40, weightWords: 100,
			memoryWords: 400}.agree(t, text)
	}
}

// TestFirstFault runs a grid in which every threadgroup from the second on
// faults: the launch reports the first of them, whoever comes first.
func TestFirstFault(t *testing.T) {
	for _, workers := range []int{1, 4} {
		err := Compile(square(), machine.Options{Workers: workers}).Run(Launch{
			Threads: machine.Size{1 << 15, 1, 1}, PerGroup: machine.Size{32, 1, 1},
			Buffers: []machine.Buffer{{Index: 0, Bytes: make([]byte, 4*40)}},
		})
		var f *machine.Fault
		if !errors.As(err, &f) {
			t.Fatalf("got %v, want a fault", err)
		}
		want := machine.Fault{
			Kind:   machine.OutOfRange,
			Msg:    `write of 4 bytes at offset 160 is out of range of buffer(0) "a", which has 160 bytes`,
			Thread: machine.Size{8, 0, 0}, Group: machine.Size{1, 0, 0},
			Access: &machine.Access{Object: machine.Object{Table: "buffer", Name: "a"}, Offset: 160, Bytes: 4,
				Size: 160},
		}
		if diff := cmp.Diff(want, *f); diff != "" {
			t.Errorf("%d workers (-want +got):\n%s", workers, diff)
		}
	}
}

// TestUnalignedBuffer binds memory at an odd address: results come back to it.
func TestUnalignedBuffer(t *testing.T) {
	whole := make([]byte, 4*8+1)
	err := Compile(square(), machine.Options{}).Run(Launch{
		Threads: machine.Size{8, 1, 1}, PerGroup: machine.Size{8, 1, 1},
		Buffers: []machine.Buffer{{Index: 0, Bytes: whole[1:]}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint32{0, 1, 4, 9, 16, 25, 36, 49}, words(whole[1:])); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInPlaceOrder reads a private element, overwrites it, and only then uses
// what was read: deferring the read past the write would give the new value.
func TestInPlaceOrder(t *testing.T) {
	k := assemble(func(a *assembler) {
		out, id := a.buffer(0), a.input(ir.ThreadPositionInGridX)
		a.k.Objects = []ir.Object{{Name: "s", Space: syntax.Thread, Size: 4, Align: 4, Elem: ir.U32}}
		s := a.reg(ir.RegInfo{Kind: ir.Address, Type: ir.Ptr})
		mem := func() *ir.Mem { return &ir.Mem{Space: syntax.Thread, Base: s, Index: ir.None, Align: 4} }
		write := func(v ir.Reg) { a.put(&ir.Instr{Op: ir.Store, Args: []ir.Reg{v}, From: ir.U32, Mem: mem()}) }
		write(id)
		old := a.reg(ir.RegInfo{Kind: ir.Temp, Type: ir.I32})
		a.put(&ir.Instr{Op: ir.Load, Dst: []ir.Reg{old}, From: ir.U32, Mem: mem()})
		write(a.literal(100))
		a.store(out, id, old)
	})
	out := make([]byte, 4*4)
	if err := Compile(k, machine.Options{}).Run(Launch{Threads: machine.Size{4, 1, 1}, PerGroup: machine.Size{4, 1, 1},
		Buffers: []machine.Buffer{{Index: 0, Bytes: out}}}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint32{0, 1, 2, 3}, words(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDeferredVariable computes a product from a variable that changes before
// the product is used.
func TestDeferredVariable(t *testing.T) {
	k := assemble(func(a *assembler) {
		out, id := a.buffer(0), a.input(ir.ThreadPositionInGridX)
		x := a.variable(ir.F32)
		a.put(&ir.Instr{Op: ir.Convert, Dst: []ir.Reg{x}, Args: []ir.Reg{id}, From: ir.U32, To: ir.R32})
		product := a.op(ir.Mul, ir.F32, x, x)
		a.set(ir.Copy, x, a.reg(ir.RegInfo{Kind: ir.Literal, Type: ir.F32, Bits: uint64(math.Float32bits(100))}))
		sum := a.op(ir.Add, ir.F32, product, x)
		a.put(&ir.Instr{Op: ir.Store, Args: []ir.Reg{sum}, From: ir.R32,
			Mem: &ir.Mem{Space: syntax.Device, Base: out, Index: id, Scale: 4, Align: 4}})
	})
	out := make([]byte, 4*4)
	if err := Compile(k, machine.Options{}).Run(Launch{Threads: machine.Size{4, 1, 1}, PerGroup: machine.Size{4, 1, 1},
		Buffers: []machine.Buffer{{Index: 0, Bytes: out}}}); err != nil {
		t.Fatal(err)
	}
	var got []float32
	for _, w := range words(out) {
		got = append(got, math.Float32frombits(w))
	}
	if diff := cmp.Diff([]float32{100, 101, 104, 109}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSumOrders adds numbers whose sum depends on the order.
func TestSumOrders(t *testing.T) {
	add := func(a, b machine.Element) machine.Element {
		return machine.Element(machine.F32bits(machine.F32frombits(uint32(a)) + machine.F32frombits(uint32(b))))
	}
	lanes := func(x ...float32) (v []machine.Element, on []bool) {
		for _, x := range x {
			v, on = append(v, machine.Element(machine.F32bits(x))), append(on, x == x)
		}
		return v, on
	}
	nan := float32(math.NaN()) // stands for an inactive lane
	big := float32(1 << 25)
	for _, c := range []struct {
		name  string
		order machine.SumOrder
		lanes []float32
		want  float32
	}{
		{"ascending loses the small ones", machine.Ascending, []float32{big, 1, 1, -big}, 0},
		{"butterfly pairs 0 with 2 and 1 with 3", machine.Butterfly, []float32{big, 1, -big, 1}, 2},
		{"butterfly loses them elsewhere", machine.Butterfly, []float32{big, 1, 1, -big}, 0},
		{"tree pairs neighbours", machine.Tree, []float32{big, -big, 1, 1}, 2},
		{"tree joins the pairs", machine.Tree, []float32{1, 1, big, -big}, 2},
		{"inactive lanes do not count", machine.Ascending, []float32{nan, 3, nan, 4}, 7},
		{"nor in a butterfly", machine.Butterfly, []float32{nan, 3, nan, 4}, 7},
		{"nor in a tree", machine.Tree, []float32{nan, nan, nan, 4}, 4},
	} {
		v, on := lanes(c.lanes...)
		sum, ok := machine.Reduce(v, on, add, c.order, nil)
		if got := machine.F32frombits(uint32(sum)); !ok || got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	if _, ok := machine.Reduce(make([]machine.Element, 4), make([]bool, 4), add, machine.Ascending, nil); ok {
		t.Error("a group without active lanes has a sum")
	}
}

// TestTiles checks that the lanes' elements are a matrix, each of them once.
func TestTiles(t *testing.T) {
	seen := map[int]bool{}
	for l := range machine.Simdgroup {
		i := lanes.TileIndex(l)
		seen[i], seen[i+1] = true, true
	}
	if len(seen) != 64 {
		t.Errorf("32 lanes hold %d of 64 elements", len(seen))
	}
	for lane, want := range map[int][2]int{0: {0, 0}, 1: {0, 2}, 2: {1, 0}, 7: {3, 2}, 8: {0, 4}, 16: {4, 0},
		31: {7, 6}} {
		if got := [2]int{lanes.TileIndex(lane) / 8, lanes.TileIndex(lane) % 8}; got != want {
			t.Errorf("lane %d begins at %v, want %v", lane, got, want)
		}
	}
}

// TestPointers takes pointers apart whose offset is negative or large.
func TestPointers(t *testing.T) {
	for _, c := range []struct {
		object int
		off    int64
	}{{1, 0}, {1, -4}, {31, 1 << 40}, {64, -(1 << 40)}, {100, 1<<47 - 1}} {
		p := uint64(c.object)<<ir.ObjectShift + uint64(c.off)
		if object, off := machine.Split(p); object != c.object || off != c.off {
			t.Errorf("split(%#x) = %d, %d, want %d, %d", p, object, off, c.object, c.off)
		}
	}
}

// TestLaunchErrors names what is wrong with a launch.
func TestLaunchErrors(t *testing.T) {
	buffer := []machine.Buffer{{Index: 0, Bytes: make([]byte, 64)}}
	for _, c := range []struct {
		launch Launch
		want   string
	}{
		{Launch{Threads: machine.Size{1, 1, 1}, PerGroup: machine.Size{0, 1, 1}, Buffers: buffer},
			"every extent must be positive"},
		{Launch{Threads: machine.Size{1, 1, 1}, PerGroup: machine.Size{1025, 1, 1}, Buffers: buffer},
			"exceed the limit of 1024"},
		{Launch{Threads: machine.Size{1, 1, 1}, PerGroup: machine.Size{1, 1, 1}}, `buffer(0) "a" is not bound`},
		{Launch{Threads: machine.Size{1, 1, 1}, PerGroup: machine.Size{1, 1, 1}, Buffers: append(buffer, buffer...)},
			"bound twice"},
		{Launch{Threads: machine.Size{1, 1, 1}, PerGroup: machine.Size{1, 1, 1},
			Buffers: []machine.Buffer{{Index: 31}}}, "out of the range"},
		{Launch{Threads: machine.Size{1, 1, 1}, PerGroup: machine.Size{1, 1, 1}, Buffers: buffer,
			Threadgroup: []int{32769}}, "exceed the limit of 32768"},
	} {
		err := Compile(square(), machine.Options{}).Run(c.launch)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want …%s…", err, c.want)
		}
	}
}

// TestDeviceAtomics checks that a kernel with atomics in device memory runs
// its threadgroups in order, so that what they get back does not depend on
// the number of workers.
func TestDeviceAtomics(t *testing.T) {
	k := assemble(func(a *assembler) {
		counter, out, id := a.buffer(0), a.buffer(1), a.input(ir.ThreadPositionInGridX)
		old := a.reg(ir.RegInfo{Kind: ir.Temp, Type: ir.I32})
		a.put(&ir.Instr{Op: ir.Atomic, Fn: "add", Dst: []ir.Reg{old}, Args: []ir.Reg{a.literal(1)}, From: ir.U32,
			Mem: &ir.Mem{Space: syntax.Device, Base: counter, Index: ir.None, Align: 4}})
		a.store(out, id, old)
	})
	out := make([]byte, 4*64)
	err := Compile(k, machine.Options{Workers: 8}).Run(Launch{Threads: machine.Size{64, 1, 1},
		PerGroup: machine.Size{4, 1, 1},
		Buffers:  []machine.Buffer{{Index: 0, Bytes: make([]byte, 4)}, {Index: 1, Bytes: out}}})
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range words(out) {
		if w != uint32(i) {
			t.Fatalf("thread %d got %d", i, w)
		}
	}
}

// TestLoadKeepsInactive checks that a load under a mask touches no memory for
// idle threads: their index would be out of range.
func TestLoadKeepsInactive(t *testing.T) {
	k := assemble(func(a *assembler) {
		in, out, id := a.buffer(0), a.buffer(1), a.input(ir.ThreadPositionInGridX)
		branch := &ir.If{Cond: a.op(ir.ULt, ir.Bool, id, a.literal(2))}
		a.within(&branch.Then, func() { a.store(out, id, a.load(in, id)) })
		a.put(branch)
	})
	in, out := make([]byte, 8), make([]byte, 16)
	binary.LittleEndian.PutUint32(in[4:], 7)
	err := Compile(k, machine.Options{}).Run(Launch{Threads: machine.Size{4, 1, 1}, PerGroup: machine.Size{4, 1, 1},
		Buffers: []machine.Buffer{{Index: 0, Bytes: in}, {Index: 1, Bytes: out}}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint32{0, 7, 0, 0}, words(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
