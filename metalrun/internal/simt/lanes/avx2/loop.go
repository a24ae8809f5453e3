package main

import (
	"fmt"
	"strings"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// A body emits the operation on one block of lanes and gives the result.
type body func(x []VecVirtual) VecVirtual

// A kernel emits what happens once, before the loop, and gives the body.
type kernel func() body

// always is the kernel of a body that needs no preparation.
func always(b body) kernel { return func() body { return b } }

// binary is the kernel of one instruction of two operands, a op b.
func binary(instruction any) kernel {
	return always(func(x []VecVirtual) VecVirtual { return calc(instruction, x[1], x[0]) })
}

// An operand of a loop is a slice of lanes or one scalar of width bytes.
type operand struct {
	name   string
	width  int
	scalar bool
}

func (o operand) declaration() string {
	word := fmt.Sprintf("uint%d", 8*o.width)
	if o.scalar {
		return o.name + " " + word
	}
	return o.name + " []" + word
}

func slice(name string, width int) operand  { return operand{name, width, false} }
func scalar(name string, width int) operand { return operand{name, width, true} }

// A loop is a function that sets every lane of a slice d by an operation on its
// operands. An operand d is the old content of d.
type loop struct {
	name     string
	width    int // of a lane of d in bytes
	operands []operand
	kernel   kernel
	unroll   int  // blocks of vectors in the main loop
	counts   bool // returns how many lanes of the result are all ones
}

func (l loop) signature() string {
	decls := []string{slice("d", l.width).declaration()}
	for _, o := range l.operands {
		if o.name != "d" {
			decls = append(decls, o.declaration())
		}
	}
	result := ""
	if l.counts {
		result = " int"
	}
	return "func(" + strings.Join(decls, ", ") + ")" + result
}

// lanes is how many lanes of the widest operand a register holds.
func (l loop) lanes() int {
	widest := l.width
	for _, o := range l.operands {
		widest = max(widest, o.width)
	}
	return bytes() / widest
}

// emit writes the function: a loop over unroll blocks of lanes, one over
// blocks, and one over single lanes, which stand alone in their registers; longer registers take these at once. They
// share the body.
func (l loop) emit() {
	text(l.name, l.signature())
	d := base("d")
	registers := make([]Register, len(l.operands))
	for j, o := range l.operands {
		switch {
		case o.scalar:
			registers[j] = repeat(o.name, o.width)
		case o.name == "d":
			registers[j] = d
		default:
			registers[j] = base(o.name)
		}
	}
	n := Load(Param("d").Len(), GP64())
	i := GP64()
	XORQ(i, i)
	var count VecVirtual
	if l.counts {
		count = zeros()
	}
	op := l.kernel()
	block := func(lanes, first int) {
		x := make([]VecVirtual, len(l.operands))
		for j, o := range l.operands {
			if o.scalar {
				x[j] = registers[j].(VecVirtual)
			} else {
				x[j] = load(lanesAt(registers[j], i, o.width).Offset(first*o.width), lanes*o.width)
			}
		}
		result := op(x)
		if l.counts {
			VPSUBD(result, count, count)
		}
		store(result, lanesAt(d, i, l.width).Offset(first*l.width), lanes*l.width)
	}
	if l.unroll > 1 {
		while(i, n, l.lanes()*l.unroll, "unrolled", func() {
			for k := range l.unroll {
				block(l.lanes(), k*l.lanes())
			}
		})
	}
	while(i, n, l.lanes(), "block", func() { block(l.lanes(), 0) })
	if *wide {
		rest(i, n, func() { block(l.lanes(), 0) })
	} else {
		while(i, n, 1, "lane", func() { block(1, 0) })
	}
	if l.counts {
		Store(sum(count), ReturnIndex(0))
	}
	VZEROUPPER()
	RET()
}

// while emits a loop that does step lanes from i on as long as so many are left
// of n.
func while(i, n Register, step int, label string, body func()) {
	last := GP64()
	LEAQ(Mem{Base: n, Disp: -step}, last)
	CMPQ(i, last)
	JG(LabelRef(label + "_end"))
	Label(label)
	body()
	if step < 1<<7 {
		ADDQ(Imm(uint64(step)), i)
	} else {
		ADDQ(U32(step), i)
	}
	CMPQ(i, last)
	JLE(LabelRef(label))
	Label(label + "_end")
}

// sum adds up eight lanes.
func sum(v VecVirtual) Register {
	half := XMM()
	VEXTRACTI128(Imm(1), v, half)
	VPADDD(v.AsX(), half, half)
	for _, order := range []uint64{0b1110, 0b0001} {
		t := XMM()
		VPSHUFD(Imm(order), half, t)
		VPADDD(t, half, half)
	}
	total := GP64()
	VMOVD(half, total.As32())
	return total
}

// forms emits the loops of two vectors, and of a vector and a scalar either way.
func forms(name string, width, unroll int, k kernel) {
	for _, f := range []struct {
		suffix   string
		operands []operand
	}{
		{"VV", []operand{slice("a", width), slice("b", width)}},
		{"VS", []operand{slice("a", width), scalar("s", width)}},
		{"SV", []operand{scalar("s", width), slice("b", width)}},
	} {
		loop{name: name + f.suffix, width: width, operands: f.operands, kernel: k, unroll: unroll}.emit()
	}
}

// unary emits a loop over one vector of 32-bit lanes.
func unary(name string, unroll int, k kernel) {
	loop{name: name, width: 4, operands: []operand{slice("a", 4)}, kernel: k, unroll: unroll}.emit()
}
