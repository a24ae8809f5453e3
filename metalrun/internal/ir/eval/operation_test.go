package eval_test

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/simt"
	"metalconform/metalrun/internal/syntax"
)

// memoryOf is the scalar as which values of a register type lie in memory.
var memoryOf = map[ir.Type]ir.Scalar{ir.Bool: ir.B8, ir.I32: ir.S32, ir.I64: ir.S64, ir.F32: ir.R32, ir.F16: ir.H16,
	ir.BF16: ir.T16, ir.Ptr: ir.P64}

var allTypes = []ir.Type{ir.Bool, ir.I32, ir.I64, ir.F32, ir.F16, ir.BF16, ir.Ptr}

// sample is one instruction to be computed both ways.
type sample struct {
	in        ir.Instr
	dst, args []ir.Type
	from      []ir.Scalar    // of the arguments in memory, where the type does not say
	limit     []uint64       // of the arguments, where not all of them have a meaning; 0: none
	exact     map[int]uint64 // arguments that are not drawn
	ulps      uint64         // by which a float may differ
	free      bool           // the results are the executor's choice
}

const (
	sampleThreads = 64
	argBytes      = 8
	recordBytes   = 8 * argBytes
)

// kernel is a kernel that loads arguments, executes the instruction and stores its
// results.
func (s *sample) kernel() *ir.Kernel {
	pos := syntax.Pos{File: "sample.metal", Line: 1, Col: 1}
	k := &ir.Kernel{Name: "sample", Pos: pos}
	block := &ir.Block{Pos: pos, Name: "sample"}
	k.Body = []ir.Node{block}
	register := func(info ir.RegInfo) ir.Reg {
		k.Regs = append(k.Regs, info)
		return ir.Reg(len(k.Regs) - 1)
	}
	buffer := func(i int) ir.Reg {
		k.Args = append(k.Args, ir.Arg{Name: fmt.Sprint("b", i), Index: i, Type: "uint", Size: 4, Align: 4,
			Space: syntax.Device})
		return register(ir.RegInfo{Kind: ir.Input, Type: ir.Ptr, Input: ir.BufferPointer, Index: i})
	}
	out, in := buffer(0), buffer(1)
	thread := register(ir.RegInfo{Kind: ir.Input, Type: ir.I32, Input: ir.ThreadPositionInGridX})
	at := func(base ir.Reg, disp int) *ir.Mem {
		return &ir.Mem{Space: syntax.Device, Base: base, Index: thread, Scale: recordBytes, Disp: int64(disp), Align: 1}
	}
	do := s.in
	do.Pos, do.Dst, do.Args = pos, nil, nil
	for i, t := range s.args {
		r := register(ir.RegInfo{Kind: ir.Temp, Type: t})
		block.Body = append(block.Body,
			&ir.Instr{Op: ir.Load, Pos: pos, From: s.memory(i), Dst: []ir.Reg{r}, Mem: at(in, i*argBytes)})
		do.Args = append(do.Args, r)
	}
	if s.in.Op == ir.Barrier || s.in.Op == ir.Fence {
		do.Args = []ir.Reg{register(ir.RegInfo{Kind: ir.Literal, Type: ir.I32, Bits: 1})}
	}
	if s.in.Op == ir.Atomic {
		do.Mem = &ir.Mem{Space: syntax.Device, Base: out, Index: ir.None, Disp: sampleThreads * recordBytes, Align: 4}
	}
	for _, t := range s.dst {
		do.Dst = append(do.Dst, register(ir.RegInfo{Kind: ir.Temp, Type: t}))
	}
	block.Body = append(block.Body, &do)
	for i, t := range s.dst {
		block.Body = append(block.Body, &ir.Instr{Op: ir.Store, Pos: pos, From: memoryOf[t], Args: []ir.Reg{do.Dst[i]},
			Mem: at(out, i*argBytes)})
	}
	return k
}

func (s *sample) memory(arg int) ir.Scalar {
	if arg < len(s.from) {
		return s.from[arg]
	}
	return memoryOf[s.args[arg]]
}

func (s *sample) String() string {
	return fmt.Sprint(s.in.Op, " ", s.in.Fn, " ", s.in.From, " ", s.in.To, " ", s.dst, " ", s.args)
}

// inputs are the arguments of all threads: limits of their type and any bits.
func (s *sample) inputs() []byte {
	h := fnv.New64a()
	h.Write([]byte(s.String()))
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	b := make([]byte, sampleThreads*recordBytes)
	for t := range sampleThreads {
		for i := range s.args {
			v := bitsOf(r, s.memory(i))
			if i < len(s.limit) && s.limit[i] > 0 {
				v %= s.limit[i]
			}
			if exact, ok := s.exact[i]; ok {
				v = exact
			}
			binary.LittleEndian.PutUint64(b[t*recordBytes+i*argBytes:], v)
		}
	}
	return b
}

// bitsOf draws a value of a scalar in memory.
func bitsOf(r *rand.Rand, s ir.Scalar) uint64 {
	size := 8 * s.Size()
	edges := []uint64{0, 1, 2, ^uint64(0), 1 << (size - 1), 1<<(size-1) - 1, 1<<(size-1) + 1}
	switch s {
	case ir.B8:
		return r.Uint64() & 1
	case ir.R32, ir.H16, ir.T16:
		format := map[ir.Scalar]scalar.Format{ir.R32: scalar.F32, ir.H16: scalar.Half, ir.T16: scalar.Bfloat}[s]
		edges = nil
		for _, x := range []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -2.5, 3, math.Inf(1), math.Inf(-1), math.NaN(),
			1e-40, 0x1p-24, 65504, 2147483648, -4294967296} {
			edges = append(edges, uint64(format.Bits(format.Round(x))))
		}
		if r.IntN(2) == 0 {
			return uint64(format.Bits(format.Round(math.Ldexp(r.Float64()*2-1, r.IntN(16)-8))))
		}
	}
	v := r.Uint64() >> r.IntN(64)
	switch {
	case r.IntN(2) == 0:
		v = edges[r.IntN(len(edges))]
	case s == ir.H16:
		v |= 1 << 9 // loading a signalling NaN of half makes it quiet
	}
	return v
}

// check runs a sample both ways, if it is well formed, and reports whether it is.
func (s *sample) check(t *testing.T) bool {
	t.Helper()
	k := s.kernel()
	if ir.Verify(k) != nil {
		return false
	}
	in := s.inputs()
	want, got := make([]byte, (sampleThreads+1)*recordBytes), make([]byte, (sampleThreads+1)*recordBytes)
	err := eval.Run(k,
		eval.Launch{Threads: [3]int{sampleThreads, 1, 1}, ThreadsPerThreadgroup: [3]int{sampleThreads, 1, 1},
			Buffers: map[int][]byte{0: want, 1: in}})
	if err != nil {
		t.Errorf("%s: the definition fails: %v", s, err)
		return true
	}
	err = simt.Compile(k, simt.Options{Workers: 1}).Run(simt.Launch{Threads: simt.Size{sampleThreads, 1, 1},
		PerGroup: simt.Size{sampleThreads, 1, 1},
		Buffers:  []simt.Buffer{{Index: 0, Bytes: got}, {Index: 1, Bytes: in}}})
	if err != nil {
		t.Errorf("%s: the executor fails: %v", s, err)
		return true
	}
	for thread := range sampleThreads {
		for i, typ := range s.dst {
			off := thread*recordBytes + i*argBytes
			x, y := binary.LittleEndian.Uint64(got[off:]), binary.LittleEndian.Uint64(want[off:])
			if !s.free && !agrees(typ, x, y, s.ulps) {
				t.Errorf("%s of % x: the executor gives %#x, the definition %#x", s,
					in[thread*recordBytes:][:len(s.args)*argBytes], x, y)
				return true
			}
		}
	}
	if x, y := got[sampleThreads*recordBytes:], want[sampleThreads*recordBytes:]; !slices.Equal(x, y) {
		t.Errorf("%s: the executor leaves % x in memory, the definition % x", s, x, y)
	}
	return true
}

// agrees compares results: floats of the same sign within some ulps, all NaNs being one.
func agrees(t ir.Type, x, y, ulps uint64) bool {
	format, float := map[ir.Type]scalar.Format{ir.F32: scalar.F32, ir.F16: scalar.Half, ir.BF16: scalar.Bfloat}[t]
	if x == y || !float {
		return x == y
	}
	a, b := format.FromBits(uint32(x)), format.FromBits(uint32(y))
	return a != a && b != b || max(x, y)-min(x, y) <= ulps && a == a && b == b
}

// TestEveryOperation computes every operation of the IR in all types that it
// admits, by the executor and by its definition.
func TestEveryOperation(t *testing.T) {
	for op := ir.Nop; op <= ir.Cover; op++ {
		checked := 0
		for _, s := range samples(op) {
			if s.check(t) {
				checked++
			}
		}
		if checked == 0 {
			t.Errorf("no instruction of %s is well formed", op)
		}
	}
}

// samples are instructions of an operation, some of them not well formed.
func samples(op ir.Op) (list []sample) {
	switch op {
	case ir.Poison:
		for _, t := range allTypes {
			list = append(list, sample{in: ir.Instr{Op: op}, dst: []ir.Type{t}, free: true})
		}
		return list
	case ir.Load, ir.Store:
		for _, t := range allTypes {
			list = append(list, sample{in: ir.Instr{Op: ir.Copy}, dst: []ir.Type{t}, args: []ir.Type{t}})
		}
		return list
	case ir.Convert, ir.Bitcast:
		for from := ir.B8; from <= ir.P64; from++ {
			for to := ir.B8; to <= ir.P64; to++ {
				list = append(list, sample{in: ir.Instr{Op: op, From: from, To: to}, dst: []ir.Type{to.Type()},
					args: []ir.Type{from.Type()}, from: []ir.Scalar{from}})
			}
		}
		return list
	case ir.Atomic:
		return atomics()
	case ir.Math:
		return functionCalls()
	case ir.Simd:
		return exchanges()
	case ir.Barrier:
		return []sample{{in: ir.Instr{Op: op, Fn: "threadgroup"}}, {in: ir.Instr{Op: op, Fn: "simdgroup"}}}
	case ir.Fence:
		return []sample{{in: ir.Instr{Op: op}}}
	case ir.MatMul:
		for _, d := range allTypes {
			for _, a := range allTypes {
				list = append(list,
					sample{in: ir.Instr{Op: op}, dst: []ir.Type{d, d}, args: []ir.Type{a, a, a, a, d, d}})
			}
		}
		return list
	}
	for _, dst := range tuples(1) {
		for _, args := range tuples(2) {
			list = append(list, sample{in: ir.Instr{Op: op}, dst: dst, args: args})
		}
		for _, t := range allTypes {
			list = append(list, sample{in: ir.Instr{Op: op}, dst: dst, args: []ir.Type{t, t, t}},
				sample{in: ir.Instr{Op: op}, dst: dst, args: []ir.Type{ir.Bool, t, t}})
		}
	}
	return append(list, sample{in: ir.Instr{Op: op}, dst: []ir.Type{ir.I32, ir.I32}, args: []ir.Type{ir.I64}})
}

// tuples are the lists of at most n types.
func tuples(n int) [][]ir.Type {
	list := [][]ir.Type{nil}
	for from := 0; n > 0; n-- {
		end := len(list)
		for _, t := range list[from:end] {
			for _, more := range allTypes {
				list = append(list, append(slices.Clone(t), more))
			}
		}
		from = end
	}
	return list
}

func atomics() (list []sample) {
	for _, fn := range []string{"load", "store", "exchange", "compare_exchange", "add", "sub", "and", "or", "xor",
		"min", "max"} {
		for from := ir.B8; from <= ir.P64; from++ {
			t := from.Type()
			s := sample{in: ir.Instr{Op: ir.Atomic, Fn: fn, From: from}, dst: []ir.Type{t}, args: []ir.Type{t},
				from: []ir.Scalar{from}}
			if t == ir.F32 {
				s.limit = []uint64{0x7f800000} // no NaN, whose bits differ
			}
			switch fn {
			case "load":
				s.args = nil
			case "store":
				s.dst = nil
			case "compare_exchange":
				s.dst, s.args, s.from, s.limit = []ir.Type{ir.Bool, t}, []ir.Type{t, t}, []ir.Scalar{from, from},
					[]uint64{3, 3}
			}
			if arithmetic := len(fn) == 3; t == ir.F32 && strings.Contains("and or xor min max", fn) ||
				t == ir.Bool && (arithmetic || fn == "or") {
				continue
			}
			list = append(list, s)
		}
	}
	return list
}

// functionCalls calls every function in every type. Floats may differ by an ulp: the
// definition rounds what package math gives.
func functionCalls() (list []sample) {
	for _, f := range scalar.FloatFunctions {
		for _, t := range []ir.Type{ir.F32, ir.F16, ir.BF16} {
			call := ir.Instr{Op: ir.Math, Fn: f.Name}
			for _, args := range [][]ir.Type{{t}, {t, t}, {t, ir.I32}} {
				for _, dst := range [][]ir.Type{{t}, {ir.I32}, {ir.Bool}, {t, t}, {t, ir.I32}} {
					list = append(list, sample{in: call, dst: dst, args: args, ulps: 1})
				}
			}
		}
	}
	for from := ir.S8; from <= ir.U64; from++ {
		of := scalar.Int{Bits: uint8(8 * from.Size()), Signed: strings.HasPrefix(from.String(), "i")}
		for _, f := range scalar.IntegerFunctions[of] {
			s := sample{in: ir.Instr{Op: ir.Math, Fn: f.Name + "_" + strings.Replace(from.String(), "i", "s", 1)},
				dst: []ir.Type{from.Type()}}
			for range f.Args {
				s.args, s.from, s.limit = append(s.args, from.Type()), append(s.from, from), append(s.limit, 0)
			}
			switch n := f.Args; {
			case f.Field: // within the bits of the type
				s.args[n-2], s.args[n-1], s.from[n-2], s.from[n-1] = ir.I32, ir.I32, ir.U32, ir.U32
				s.limit[n-2], s.limit[n-1] = uint64(of.Bits)/2, uint64(of.Bits)/2+1
			case f.Words && of.Bits == 32:
				s.limit[0], s.limit[1] = 1<<23, 1<<23
			case f.Words:
				continue
			}
			list = append(list, s)
		}
	}
	return list
}

// exchanges are the functions of lanes, where all are active.
func exchanges() (list []sample) {
	for _, f := range ir.SimdFunctions {
		for prefix, lanes := range map[string]uint64{"simd_": 32, "quad_": 4} {
			for _, from := range []ir.Scalar{ir.S8, ir.U8, ir.S16, ir.U16, ir.S32, ir.U32, ir.H16, ir.R32} {
				in := func(t ir.Type) ir.Type {
					if t > ir.Ptr {
						return from.Type()
					}
					return t
				}
				s := sample{in: ir.Instr{Op: ir.Simd, Fn: prefix + f.Name, From: from}, dst: []ir.Type{in(f.Result)},
					exact: map[int]uint64{3: lanes / 2}}
				for _, a := range f.Args {
					memory := memoryOf[in(a)]
					if a > ir.Ptr {
						memory = from
					}
					limit := uint64(0)
					if a == ir.I32 {
						limit = lanes / 2
					}
					s.args, s.from, s.limit = append(s.args, in(a)), append(s.from, memory), append(s.limit, limit)
				}
				if from.Type().IsFloat() && slices.Contains([]string{"and", "or", "xor"}, f.Name) {
					continue
				}
				list = append(list, s)
			}
		}
	}
	return list
}

// TestFunctionsAreDefined compares the rows of the functions with the definitions.
func TestFunctionsAreDefined(t *testing.T) {
	floats, integers := eval.Functions()
	var wantFloats, wantIntegers []string
	for _, f := range scalar.FloatFunctions {
		wantFloats = append(wantFloats, f.Name)
	}
	for _, f := range scalar.IntegerFunctions[scalar.Int{Bits: 32}] {
		wantIntegers = append(wantIntegers, f.Name)
	}
	for _, names := range [][]string{floats, integers, wantFloats, wantIntegers} {
		slices.Sort(names)
	}
	if diff := cmp.Diff(wantFloats, floats) + cmp.Diff(wantIntegers, integers); diff != "" {
		t.Errorf("functions that have a row (-) and those that have a definition (+):\n%s", diff)
	}
}
