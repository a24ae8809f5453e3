package eval

import (
	"math"
	"strings"

	"metalconform/metalrun/internal/ir"
)

func (t *thread) values(regs []ir.Reg) []uint64 {
	out := make([]uint64, len(regs))
	for i, r := range regs {
		out[i] = t.regs[r]
	}
	return out
}

// poison is what indeterminate registers hold.
const poison = 0xdeadbeefdeadbeef

func (t *thread) instr(in *ir.Instr) {
	switch in.Op {
	case ir.Nop, ir.Fence, ir.Converge, ir.Cover:
		return
	case ir.Load:
		t.load(in)
		return
	case ir.Store:
		t.store(in)
		return
	case ir.Atomic:
		t.atomic(in)
		return
	case ir.Barrier:
		t.wait(in, nil)
		return
	}
	args := t.values(in.Args)
	var results []uint64
	switch in.Op {
	case ir.Simd, ir.MatMul:
		results = t.wait(in, args)
	case ir.Math:
		results = t.math(in, args)
	case ir.Unpack:
		results = []uint64{args[0] & math.MaxUint32, args[0] >> 32}
	default:
		results = []uint64{t.single(in, args)}
	}
	for i, d := range in.Dst {
		t.regs[d] = results[i]
	}
}

// single computes the operations with one result.
func (t *thread) single(in *ir.Instr, args []uint64) uint64 {
	typ := t.g.k.Regs[in.Dst[0]].Type
	switch in.Op {
	case ir.Copy:
		return args[0]
	case ir.Poison:
		return poison & mask(typ)
	case ir.Select:
		if args[0] != 0 {
			return args[1]
		}
		return args[2]
	case ir.Convert:
		return convert(in.From, in.To, args[0])
	case ir.Bitcast:
		return args[0] & mask(in.To.Type()) & widthMask(in.To)
	case ir.Pack:
		return args[0] | args[1]<<32
	case ir.PtrAdd:
		return args[0] + args[1]
	case ir.PtrSub:
		return args[0] - args[1]
	case ir.FMA:
		return round(typ, fma(float(typ, args[0]), float(typ, args[1]), float(typ, args[2])))
	case ir.Neg:
		return negate(typ, args[0])
	case ir.Not:
		return ^args[0] & mask(typ)
	}
	operand := t.g.k.Regs[in.Args[0]].Type
	if operand == ir.Bool {
		operand = ir.I64
	}
	if operand == ir.Ptr {
		operand = ir.I64
	}
	return binary(in.Op, operand, args[0], args[1])
}

func mask(t ir.Type) uint64 {
	switch t {
	case ir.Bool:
		return 1
	case ir.I32, ir.F32:
		return math.MaxUint32
	case ir.F16, ir.BF16:
		return math.MaxUint16
	}
	return math.MaxUint64
}

func widthMask(s ir.Scalar) uint64 {
	if s.Size() == 8 {
		return math.MaxUint64
	}
	return 1<<(8*s.Size()) - 1
}

func negate(t ir.Type, v uint64) uint64 {
	switch t {
	case ir.F32:
		return v ^ 1<<31
	case ir.F16, ir.BF16:
		return v ^ 1<<15
	}
	return -v & mask(t)
}

// math computes the functions of floats and of integers.
func (t *thread) math(in *ir.Instr, args []uint64) []uint64 {
	if i := strings.LastIndexByte(in.Fn, '_'); i > 0 {
		if s, ok := suffixes[in.Fn[i+1:]]; ok {
			result := integerFunction(in.Fn[:i], s, args)
			if in.Fn[:i] == "absdiff" && s.Type() == ir.I32 {
				return []uint64{result} // unsigned
			}
			return []uint64{narrow(s, result)}
		}
	}
	typ := t.g.k.Regs[in.Args[0]].Type
	if f, ok := bitFunctions[in.Fn]; ok {
		return f(typ, args)
	}
	var y float64
	if len(args) > 1 {
		y = float(typ, args[1])
	}
	return []uint64{round(typ, realFunction(in.Fn, float(typ, args[0]), y))}
}

var suffixes = map[string]ir.Scalar{"s8": ir.S8, "u8": ir.U8, "s16": ir.S16, "u16": ir.U16, "s32": ir.S32,
	"u32": ir.U32, "s64": ir.S64, "u64": ir.U64}
