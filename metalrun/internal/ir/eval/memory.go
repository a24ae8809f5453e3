package eval

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// input is the value that the launch gives to an input register.
func (t *thread) input(info ir.RegInfo) uint64 {
	g := t.g
	var local, position, threadgroups, count [3]int
	local[0] = t.index % g.size[0]
	local[1] = t.index / g.size[0] % g.size[1]
	local[2] = t.index / (g.size[0] * g.size[1])
	asked := g.launch.ThreadsPerThreadgroup
	for i := range local {
		position[i] = g.origin[i] + local[i]
		threadgroups[i] = g.origin[i] / asked[i]
		count[i] = (g.launch.Threads[i] + asked[i] - 1) / asked[i]
	}
	size := g.size[0] * g.size[1] * g.size[2]
	full := asked[0] * asked[1] * asked[2]
	vectors := map[ir.Source][3]int{
		ir.ThreadPositionInGridX: position, ir.ThreadPositionInThreadgroupX: local,
		ir.ThreadgroupPositionInGridX: threadgroups,
		ir.ThreadsPerGridX:            g.launch.Threads, ir.ThreadsPerThreadgroupX: g.size,
		ir.DispatchThreadsPerThreadgroupX: asked,
		ir.ThreadgroupsPerGridX:           count,
	}
	for first, v := range vectors {
		if i := int(info.Input) - int(first); i >= 0 && i < 3 {
			return uint64(v[i])
		}
	}
	switch info.Input {
	case ir.BufferPointer, ir.ThreadgroupPointer:
		return uint64(ir.FirstArg+info.Index) << ir.ObjectShift
	case ir.ThreadIndexInThreadgroup:
		return uint64(t.index)
	case ir.ThreadIndexInSimdgroup:
		return uint64(t.index % 32)
	case ir.ThreadIndexInQuadgroup:
		return uint64(t.index % 4)
	case ir.SimdgroupIndexInThreadgroup:
		return uint64(t.index / 32)
	case ir.QuadgroupIndexInThreadgroup:
		return uint64(t.index / 4)
	case ir.SimdgroupsPerThreadgroup:
		return uint64((size + 31) / 32)
	case ir.QuadgroupsPerThreadgroup:
		return uint64((size + 3) / 4)
	case ir.ThreadsPerSimdgroup:
		return 32
	case ir.DispatchSimdgroupsPerThreadgroup:
		return uint64((full + 31) / 32)
	}
	return uint64((full + 3) / 4) // dispatch_quadgroups_per_threadgroup
}

// bytes is the memory of n elements at a memory operand.
func (t *thread) bytes(in *ir.Instr, n int) []byte {
	m := in.Mem
	p := t.regs[m.Base] + uint64(m.Disp)
	if m.Index != ir.None {
		i := int64(t.regs[m.Index])
		if t.g.k.Regs[m.Index].Type == ir.I32 && m.IndexSigned {
			i = int64(int32(i))
		}
		p += uint64(i * m.Scale)
	}
	offset := int64(p<<16) >> 16
	object := int((p - uint64(offset)) >> ir.ObjectShift)
	var b []byte
	switch {
	case m.Space == syntax.Thread:
		b = t.memory[object]
	case m.Space == syntax.Threadgroup || object >= ir.FirstObject:
		b = t.g.shared[object]
	default:
		b = t.g.launch.Buffers[object-ir.FirstArg]
	}
	size := int64(n * in.From.Size())
	if offset < 0 || offset+size > int64(len(b)) {
		if i := object - ir.FirstObject; m.Space == syntax.Thread && t.g.k.Objects[i].Deeper != "" {
			t.fail(in.Pos, "%s", t.g.k.Objects[i].Deeper)
		}
		t.fail(in.Pos, "%s of %d bytes at offset %d of %s object %d, which has %d bytes", in.Op, size, offset, m.Space,
			object, len(b))
	}
	if offset%int64(in.From.Size()) != 0 {
		t.fail(in.Pos, "misaligned %s at offset %d of %s object %d", in.Op, offset, m.Space, object)
	}
	return b[offset : offset+size]
}

func (t *thread) load(in *ir.Instr) {
	size := in.From.Size()
	b := t.bytes(in, len(in.Dst))
	values := make([]uint64, len(in.Dst))
	for i := range values {
		values[i] = decode(in.From, b[i*size:][:size])
	}
	for i, d := range in.Dst {
		t.regs[d] = values[i]
	}
}

func (t *thread) store(in *ir.Instr) {
	size := in.From.Size()
	b := t.bytes(in, len(in.Args))
	for i, a := range in.Args {
		encode(b[i*size:][:size], t.regs[a])
	}
}

// decode reads an element into register form.
func decode(s ir.Scalar, b []byte) uint64 {
	var v uint64
	for i, x := range b {
		v |= uint64(x) << (8 * i)
	}
	switch s {
	case ir.B8:
		return truth(v != 0)
	case ir.S8:
		return uint64(uint32(int32(int8(v))))
	case ir.S16:
		return uint64(uint32(int32(int16(v))))
	}
	return v
}

func encode(b []byte, v uint64) {
	for i := range b {
		b[i] = byte(v >> (8 * i))
	}
}

func (t *thread) atomic(in *ir.Instr) {
	b := t.bytes(in, 1)
	old := decode(in.From, b)
	args := t.values(in.Args)
	set := func(v uint64) { encode(b, v) }
	switch in.Fn {
	case "store":
		set(args[0])
		return
	case "exchange":
		set(args[0])
	case "compare_exchange":
		success := old == args[0]
		if success {
			set(args[1])
		}
		t.regs[in.Dst[0]], t.regs[in.Dst[1]] = truth(success), old
		return
	case "load":
	case "min", "max":
		less := orderedInt(in.From, old) < orderedInt(in.From, args[0])
		if in.From == ir.U64 {
			less = old < args[0]
		}
		if less == (in.Fn == "max") {
			set(args[0])
		}
	default:
		op := map[string]ir.Op{"add": ir.Add, "sub": ir.Sub, "and": ir.And, "or": ir.Or, "xor": ir.Xor}[in.Fn]
		set(binary(op, in.From.Type(), old, args[0]))
	}
	t.regs[in.Dst[0]] = old
}
