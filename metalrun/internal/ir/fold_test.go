package ir_test

import (
	"encoding/binary"
	"math"
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/internal/syntax"
)

// edges are literals of each type at which operations behave differently.
var edges = map[ir.Type][]uint64{
	ir.Bool: {0, 1},
	ir.I32:  integers(0, 1, -1, 2, 7, -7, 31, 32, 33, 255, -128, 65535, math.MaxInt32, math.MinInt32, 0x12345678),
	ir.I64:  integers(0, 1, -1, 2, 7, -7, 31, 32, 63, 64, 65, 1<<32, math.MaxUint32, math.MaxInt64, math.MinInt64),
	ir.F32: floats(0, float32(math.Copysign(0, -1)), 1, -1.5, 3, 0.1, 16777217, 1e38, -1e38, 1.2e-38, 1e-40,
		2147483648, -129, 300, float32(math.Inf(1)), float32(math.NaN())),
	ir.F16:  {0, 0x8000, 0x3c00, 0xc100, 0x7bff, 0x0001, 0x7c00, 0x7e00},
	ir.BF16: {0, 0x8000, 0x3f80, 0xc0a0, 0x7f7f, 0x0001, 0x7f80, 0x7fc0},
	ir.Ptr:  {0, 1 << 48, 1<<48 + 8},
}

func integers(list ...int64) (out []uint64) {
	for _, v := range list {
		out = append(out, uint64(v))
	}
	return out
}

func floats(list ...float32) (out []uint64) {
	for _, v := range list {
		out = append(out, uint64(math.Float32bits(v)))
	}
	return out
}

var stored = []ir.Scalar{ir.B8, ir.S8, ir.U8, ir.S16, ir.U16, ir.S32, ir.U32, ir.S64, ir.U64, ir.H16, ir.T16, ir.R32}

// storage is a scalar that holds all of a register.
var storage = map[ir.Type]ir.Scalar{ir.Bool: ir.B8, ir.I32: ir.U32, ir.I64: ir.U64, ir.F32: ir.R32, ir.F16: ir.H16,
	ir.BF16: ir.T16, ir.Ptr: ir.P64}

// TestFoldFollowsDefinition compares what the compiler computes on literals
// with what running the instruction gives. Not every case folds, but each kind
// of operation must fold somewhere.
func TestFoldFollowsDefinition(t *testing.T) {
	folded := map[ir.Op]int{}
	try := func(in ir.Instr, result ir.Type, operands []ir.Type, args []uint64) {
		got, ok := ir.Fold(&in, operands[0], args)
		if !ok {
			return
		}
		folded[in.Op]++
		if want := runInstr(t, in, result, operands, args); got != want {
			t.Errorf("%s %s→%s of %v %#x: folded to %#x, want %#x", in.Op, in.From, in.To, operands, args, got, want)
		}
	}
	for typ, values := range edges {
		for _, a := range values {
			for _, op := range []ir.Op{ir.Neg, ir.Not} {
				if typ != ir.Ptr && (op == ir.Not) != typ.IsFloat() && (op == ir.Not || typ != ir.Bool) {
					try(ir.Instr{Op: op}, typ, []ir.Type{typ}, []uint64{a})
				}
			}
			for _, b := range values {
				for op := ir.Add; op <= ir.FLe; op++ {
					result := typ
					if op >= ir.Eq {
						result = ir.Bool
					}
					if op != ir.Neg && op != ir.FMA && op != ir.Not {
						try(ir.Instr{Op: op}, result, []ir.Type{typ, typ}, []uint64{a, b})
					}
				}
				for _, c := range edges[ir.Bool] {
					try(ir.Instr{Op: ir.Select}, typ, []ir.Type{ir.Bool, typ, typ}, []uint64{c, a, b})
				}
			}
		}
	}
	for _, from := range stored {
		for _, to := range stored {
			for _, a := range edges[from.Type()] {
				if a = inRange(from, a); from != to {
					try(ir.Instr{Op: ir.Convert, From: from, To: to}, to.Type(), []ir.Type{from.Type()}, []uint64{a})
				}
			}
		}
	}
	for _, pair := range [][2]ir.Scalar{{ir.U32, ir.R32}, {ir.R32, ir.U32}, {ir.U16, ir.H16}, {ir.T16, ir.U16},
		{ir.U64, ir.P64}} {
		for _, a := range edges[pair[0].Type()] {
			try(ir.Instr{Op: ir.Bitcast, From: pair[0], To: pair[1]}, pair[1].Type(), []ir.Type{pair[0].Type()},
				[]uint64{inRange(pair[0], a)})
		}
	}
	for op := ir.Add; op <= ir.Pack; op++ {
		if folded[op] == 0 && op != ir.FMA && op != ir.Unpack && op != ir.Pack {
			t.Errorf("%s never folds", op)
		}
	}
}

// inRange is a literal that a register of format s can hold.
func inRange(s ir.Scalar, v uint64) uint64 {
	switch s {
	case ir.S8:
		return uint64(int64(int8(v)))
	case ir.U8:
		return uint64(uint8(v))
	case ir.S16:
		return uint64(int64(int16(v)))
	case ir.U16:
		return uint64(uint16(v))
	}
	return v
}

// runInstr evaluates one instruction and gives its result as a literal.
func runInstr(t *testing.T, in ir.Instr, result ir.Type, operands []ir.Type, args []uint64) uint64 {
	t.Helper()
	k := &ir.Kernel{Name: "fold", Args: []ir.Arg{{Name: "out", Size: 8, Align: 8, Space: syntax.Device}},
		Regs: []ir.RegInfo{{Kind: ir.Input, Type: ir.Ptr, Name: "out"}, {Kind: ir.Temp, Type: result}}}
	in.Dst, in.Args = []ir.Reg{1}, nil
	for i, a := range args {
		in.Args = append(in.Args, ir.Reg(len(k.Regs)))
		k.Regs = append(k.Regs, ir.RegInfo{Kind: ir.Literal, Type: operands[i], Bits: a})
	}
	s := storage[result]
	store := &ir.Instr{Op: ir.Store, From: s, Args: []ir.Reg{1},
		Mem: &ir.Mem{Space: syntax.Device, Index: ir.None, Align: s.Size()}}
	k.Body = []ir.Node{&ir.Block{Body: []ir.Node{&in, store}}}
	if err := ir.Verify(k); err != nil {
		t.Fatalf("%v\n%s", err, k)
	}
	out := make([]byte, 8)
	if err := eval.Run(k, eval.Launch{Threads: [3]int{1, 1, 1}, ThreadsPerThreadgroup: [3]int{1, 1, 1},
		Buffers: map[int][]byte{0: out}}); err != nil {
		t.Fatal(err)
	}
	v := binary.LittleEndian.Uint64(out)
	if result == ir.I32 {
		return uint64(int64(int32(v)))
	}
	return v
}
