package ir

import (
	"strings"
	"testing"

	"metalconform/metalrun/internal/syntax"
)

// sample is a well-formed kernel that has every kind of register and node:
//
//	%0 @buffer 0   %1 &object   %2 lane   %3 = 7   %4 = 1.5   %5 = true
//	%6 variable i32 %7 variable f32 %8… temporaries
func sample() *Kernel {
	pos := syntax.Pos{File: "sample.metal", Line: 1, Col: 1}
	k := &Kernel{
		Name: "sample", Pos: pos,
		Args:    []Arg{{Name: "p", Index: 0, Type: "float", Size: 4, Align: 4, Space: syntax.Device}},
		Objects: []Object{{Name: "shared", Space: syntax.Threadgroup, Size: 64, Align: 4, Elem: R32}},
		Regs: []RegInfo{
			{Kind: Input, Type: Ptr, Input: BufferPointer, Index: 0, Name: "p"},
			{Kind: Address, Type: Ptr, Index: 0, Name: "shared"},
			{Kind: Input, Type: I32, Input: ThreadIndexInSimdgroup},
			{Kind: Literal, Type: I32, Bits: 7},
			{Kind: Literal, Type: F32, Bits: 0x3fc00000},
			{Kind: Literal, Type: Bool, Bits: 1},
			{Kind: Variable, Type: I32, Name: "i"},
			{Kind: Variable, Type: F32, Name: "sum"},
			{Kind: Temp, Type: F32},  // 8: loaded
			{Kind: Temp, Type: Bool}, // 9: condition of the loop
			{Kind: Temp, Type: F32},  // 10: product
			{Kind: Temp, Type: I64},  // 11
			{Kind: Temp, Type: F32},  // 12, 13: matrix
			{Kind: Temp, Type: F32},
			{Kind: Temp, Type: F32}, // 14: spare
		},
	}
	block := &Block{Pos: pos, Name: "sample"}
	loop := &Loop{Pos: pos, Cond: 9}
	loop.Head = []Node{&Instr{Op: SLt, Dst: []Reg{9}, Args: []Reg{6, 3}}}
	loop.Body = []Node{
		&Instr{Op: Load, From: R32, Dst: []Reg{8},
			Mem: &Mem{Space: syntax.Device, Base: 0, Index: 6, IndexSigned: true, Scale: 4, Align: 4}},
		&Instr{Op: Mul, Dst: []Reg{10}, Args: []Reg{8, 4}, Group: 1},
		&Instr{Op: Add, Dst: []Reg{7}, Args: []Reg{7, 10}, Group: 1},
		&If{Pos: pos, Cond: 5, Then: []Node{&Exit{Pos: pos, Kind: Continue, Loop: loop}}},
	}
	loop.Post = []Node{&Instr{Op: Add, Dst: []Reg{6}, Args: []Reg{6, 3}}}
	block.Body = []Node{
		&Instr{Op: Copy, Dst: []Reg{6}, Args: []Reg{3}},
		&Instr{Op: Poison, Dst: []Reg{7}},
		loop,
		&Instr{Op: Convert, From: S32, To: S64, Dst: []Reg{11}, Args: []Reg{2}},
		&Instr{Op: MatMul, Dst: []Reg{12, 13}, Args: []Reg{4, 4, 4, 4, 7, 7}},
		&Instr{Op: Store, From: R32, Args: []Reg{12, 13},
			Mem: &Mem{Space: syntax.Threadgroup, Base: 1, Index: None, Disp: 8, Align: 4}},
		&Instr{Op: Barrier, Fn: "threadgroup", Args: []Reg{3}},
		&If{Pos: pos, Cond: 5, Then: []Node{&Exit{Pos: pos, Kind: Leave, Block: block}}},
	}
	k.Body = []Node{block}
	return k
}

func (k *Kernel) sampleBlock() *Block { return k.Body[0].(*Block) }
func (k *Kernel) sampleLoop() *Loop   { return k.sampleBlock().Body[2].(*Loop) }

func (k *Kernel) sampleInstr(i int) *Instr { return k.sampleBlock().Body[i].(*Instr) }
func (k *Kernel) loopInstr(i int) *Instr   { return k.sampleLoop().Body[i].(*Instr) }

func TestVerifyAcceptsSample(t *testing.T) {
	if err := Verify(sample()); err != nil {
		t.Fatal(err)
	}
}

// Each fault breaks one rule and no other.
var verifyFaults = []struct {
	name, want string
	plant      func(*Kernel)
}{
	{"two bodies", "the body has 2 nodes", func(k *Kernel) { k.Body = append(k.Body, &Block{}) }},
	{"body is no block", "want a block", func(k *Kernel) { k.Body = []Node{&If{Cond: 5}} }},
	{"object in device space", `object 0 shared is in space "device"`,
		func(k *Kernel) { k.Objects[0].Space = syntax.Device }},
	{"object alignment", "alignment 3", func(k *Kernel) { k.Objects[0].Align = 3 }},
	{"constant without data", "has 0 bytes of data", func(k *Kernel) {
		k.Objects = append(k.Objects, Object{Name: "c", Space: syntax.Constant, Size: 4, Align: 4})
	}},
	{"threadgroup with data", "has data", func(k *Kernel) { k.Objects[0].Data = make([]byte, 64) }},
	{"register type", "has no type", func(k *Kernel) { k.Regs[14].Type = Ptr + 1 }},
	{"register kind", "has no kind", func(k *Kernel) { k.Regs[14].Kind = Address + 1 }},
	{"bool literal", "which are no bool", func(k *Kernel) { k.Regs[5].Bits = 2 }},
	{"integer literal", "which are no i32", func(k *Kernel) { k.Regs[3].Bits = 0xffffffff }},
	{"float literal", "which are no f32", func(k *Kernel) { k.Regs[4].Bits = 1 << 32 }},
	{"input type", "input %2 has type f32", func(k *Kernel) { k.Regs[2].Type = F32 }},
	{"input source", "has no source", func(k *Kernel) { k.Regs[2].Input = DispatchQuadgroupsPerThreadgroup + 1 }},
	{"undeclared argument", "which no argument declares", func(k *Kernel) { k.Regs[0].Index = 1 }},
	{"address of no object", "names object 1 of 1", func(k *Kernel) { k.Regs[1].Index = 1 }},
	{"argument index", "argument p has index -1", func(k *Kernel) { k.Args[0].Index, k.Regs[0].Index = -1, -1 }},
	{"argument table", "is in the wrong table", func(k *Kernel) { k.Args[0].Space = syntax.Threadgroup }},
	{"argument alignment", "and alignment 0", func(k *Kernel) { k.Args[0].Align = 0 }},

	{"use before set", "reads temporary %10 before it is set",
		func(k *Kernel) { k.loopInstr(1).Dst[0], k.loopInstr(1).Args[0] = 14, 10 }},
	{"use out of scope", "reads temporary %8, which is not set on every path",
		func(k *Kernel) { k.sampleInstr(4).Args[0] = 8 }},
	{"use in post of what the body sets", "reads temporary %11, which is not set on every path", func(k *Kernel) {
		l := k.sampleLoop()
		l.Body = append([]Node{k.sampleInstr(3)}, l.Body...)
		l.Post = append(l.Post, &Instr{Op: Add, Dst: []Reg{11}, Args: []Reg{11, 11}})
		k.sampleBlock().Body[3] = &Instr{Op: Nop}
	}},
	{"set twice", "sets temporary %11 a second time", func(k *Kernel) {
		k.sampleBlock().Body = append([]Node{&Instr{Op: Convert, From: S32, To: S64, Dst: []Reg{11}, Args: []Reg{2}}},
			k.sampleBlock().Body...)
	}},
	{"set a literal", "neither a temporary nor a variable", func(k *Kernel) { k.sampleInstr(0).Dst[0] = 3 }},
	{"register out of range", "reads register %99", func(k *Kernel) { k.sampleInstr(0).Args[0] = 99 }},
	{"result out of range", "sets register %99", func(k *Kernel) { k.sampleInstr(0).Dst[0] = 99 }},

	{"operand types", "cannot make (f32) from (f32, i32)", func(k *Kernel) { k.loopInstr(1).Args[1] = 3 }},
	{"operand count", "cannot make (f32) from (f32)", func(k *Kernel) { k.loopInstr(1).Args = []Reg{8} }},
	{"relation of floats", "slt cannot make", func(k *Kernel) { k.sampleLoop().Head[0].(*Instr).Args = []Reg{4, 4} }},
	{"conversion source", "convert cannot make (i64) from (f32)", func(k *Kernel) { k.sampleInstr(3).Args[0] = 4 }},
	{"conversion of pointers", "converts pointers", func(k *Kernel) { k.sampleInstr(3).From = P64 }},
	{"bitcast widths", "bitcast has no meaning from u32 to f16", func(k *Kernel) {
		k.sampleBlock().Body[3] = &Instr{Op: Bitcast, From: U32, To: H16, Dst: []Reg{11}, Args: []Reg{2}}
	}},
	{"select condition", "select cannot make", func(k *Kernel) {
		k.sampleBlock().Body[3] = &Instr{Op: Select, Dst: []Reg{14}, Args: []Reg{3, 4, 4}}
	}},
	{"pack", "pack cannot make",
		func(k *Kernel) { k.sampleBlock().Body[3] = &Instr{Op: Pack, Dst: []Reg{11}, Args: []Reg{3}} }},
	{"no operation", "is no operation", func(k *Kernel) { k.sampleInstr(3).Op = Cover + 1 }},
	{"matrix types", "matmul cannot make", func(k *Kernel) { k.sampleInstr(4).Args[0] = 3 }},
	{"group of integers", "has contraction group", func(k *Kernel) { k.sampleLoop().Post[0].(*Instr).Group = 1 }},
	{"group of a load", "has contraction group", func(k *Kernel) { k.loopInstr(0).Group = 1 }},
	{"barrier flags", "flags that are not literal", func(k *Kernel) { k.sampleInstr(6).Args[0] = 6 }},
	{"barrier scope", "has scope grid", func(k *Kernel) { k.sampleInstr(6).Fn = "grid" }},
	{"math function", "sqr is no function", func(k *Kernel) {
		k.sampleBlock().Body[3] = &Instr{Op: Math, Fn: "sqr", Dst: []Reg{14}, Args: []Reg{4}}
	}},
	{"math arity", "pow cannot make", func(k *Kernel) {
		k.sampleBlock().Body[3] = &Instr{Op: Math, Fn: "pow", Dst: []Reg{14}, Args: []Reg{4}}
	}},
	{"integer function of floats", "cannot make (f32) from (f32)", func(k *Kernel) {
		k.sampleBlock().Body[3] = &Instr{Op: Math, Fn: "clz_s32", Dst: []Reg{14}, Args: []Reg{4}}
	}},
	{"simd function", "simd_average is no function", func(k *Kernel) {
		k.sampleBlock().Body[3] = &Instr{Op: Simd, Fn: "simd_average", From: R32, Dst: []Reg{14}, Args: []Reg{4}}
	}},
	{"simd element", "cannot make (f32) from (f32)", func(k *Kernel) {
		k.sampleBlock().Body[3] = &Instr{Op: Simd, Fn: "simd_sum", From: S32, Dst: []Reg{14}, Args: []Reg{4}}
	}},
	{"atomic operation", "increment of u32 is no operation", func(k *Kernel) {
		k.sampleBlock().Body[5] = &Instr{Op: Atomic, Fn: "increment", From: U32, Dst: []Reg{6}, Args: []Reg{3},
			Mem: &Mem{Space: syntax.Device, Base: 0, Index: None, Align: 4}}
	}},

	{"load without memory", "has a memory operand: false", func(k *Kernel) { k.loopInstr(0).Mem = nil }},
	{"arithmetic with memory", "has a memory operand: true",
		func(k *Kernel) { k.loopInstr(1).Mem = k.loopInstr(0).Mem }},
	{"element type", "of i32 cannot make (f32)", func(k *Kernel) { k.loopInstr(0).From = S32 }},
	{"store of nothing", "store of f32 cannot make", func(k *Kernel) { k.sampleInstr(5).Args = nil }},
	{"base type", "the base of a memory operand has type i32", func(k *Kernel) { k.loopInstr(0).Mem.Base = 6 }},
	{"index type", "an index of type f32", func(k *Kernel) { k.loopInstr(0).Mem.Index = 4 }},
	{"index without scale", "an index of type i32 with scale 0", func(k *Kernel) { k.loopInstr(0).Mem.Scale = 0 }},
	{"scale without index", "without index has scale 4", func(k *Kernel) { k.sampleInstr(5).Mem.Scale = 4 }},
	{"alignment", "a memory operand has alignment 6", func(k *Kernel) { k.loopInstr(0).Mem.Align = 6 }},
	{"address space", "has no address space", func(k *Kernel) { k.loopInstr(0).Mem.Space = syntax.NoSpace }},
	{"store to constant", "store writes to constant memory", func(k *Kernel) {
		k.Args[0].Space, k.sampleInstr(5).Mem.Base, k.sampleInstr(5).Mem.Space = syntax.Constant, 0, syntax.Constant
	}},
	{"space of object", "access to device memory at the address of shared in threadgroup memory",
		func(k *Kernel) { k.sampleInstr(5).Mem.Space = syntax.Device }},
	{"space of argument", "access to threadgroup memory through argument p",
		func(k *Kernel) { k.loopInstr(0).Mem.Space = syntax.Threadgroup }},
	{"atomic in thread memory", "atomic in thread memory", func(k *Kernel) {
		k.Objects = append(k.Objects, Object{Name: "o", Space: syntax.Thread, Size: 4, Align: 4})
		k.Regs = append(k.Regs, RegInfo{Kind: Address, Type: Ptr, Index: 1})
		k.sampleBlock().Body[5] = &Instr{Op: Atomic, Fn: "add", From: U32, Dst: []Reg{6}, Args: []Reg{3},
			Mem: &Mem{Space: syntax.Thread, Base: Reg(len(k.Regs) - 1), Index: None, Align: 4}}
	}},

	{"condition type", "the condition has type i32", func(k *Kernel) { k.sampleLoop().Cond = 6 }},
	{"exit of a loop outside", "leaves a loop that does not enclose it", func(k *Kernel) {
		k.sampleBlock().Body[7].(*If).Then[0] = &Exit{Kind: Break, Loop: k.sampleLoop()}
	}},
	{"exit of a block outside", "leaves a block that does not enclose it", func(k *Kernel) {
		k.sampleBlock().Body[7].(*If).Then[0].(*Exit).Block = &Block{}
	}},
	{"exit kind", "exit of kind 2 has a loop true and a block false", func(k *Kernel) {
		k.sampleLoop().Body[3].(*If).Then[0].(*Exit).Kind = Leave
	}},
	{"code behind an exit", "followed by 1 nodes", func(k *Kernel) {
		n := k.sampleBlock().Body[7].(*If)
		n.Then = append(n.Then, &Instr{Op: Nop})
	}},
	{"loop in two places", "occurs twice", func(k *Kernel) {
		k.sampleBlock().Body = append(k.sampleBlock().Body, &Block{}, k.sampleLoop())
	}},
}

func TestVerifyRefusesFaults(t *testing.T) {
	for _, f := range verifyFaults {
		t.Run(f.name, func(t *testing.T) {
			k := sample()
			f.plant(k)
			err := Verify(k)
			if err == nil || !strings.Contains(err.Error(), f.want) {
				t.Errorf("got %v, want an error with %q", err, f.want)
			}
		})
	}
}

func BenchmarkVerify(b *testing.B) {
	k := sample()
	for b.Loop() {
		if err := Verify(k); err != nil {
			b.Fatal(err)
		}
	}
}
