package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

func choices() {
	moves()
	loop{name: "FillQ", width: 8, operands: []operand{scalar("s", 8)}, kernel: repeated, unroll: 4}.emit()
	loop{name: "SelectQ", width: 8, unroll: 2, kernel: chosenQ, operands: choice("b", 8)}.emit()
	loop{name: "CopyMaskedQ", width: 8, unroll: 2, kernel: chosenQ, operands: choice("d", 8)}.emit()
}

// moves emits the loops that copy lanes.
func moves() {
	chosen := always(func(x []VecVirtual) VecVirtual { return blend(x[0], x[1], x[2]) })
	loop{name: "Fill", width: 4, operands: []operand{scalar("s", 4)}, kernel: repeated, unroll: 4}.emit()
	loop{name: "Select", width: 4, unroll: 4, kernel: chosen, operands: choice("b", 4)}.emit()
	loop{name: "CopyMasked", width: 4, unroll: 4, kernel: chosen, operands: choice("d", 4)}.emit()
}

// choice is a mask, lanes where it is set, and lanes elsewhere.
func choice(otherwise string, width int) []operand {
	return []operand{slice("m", 4), slice("a", width), slice(otherwise, width)}
}

var (
	repeated = always(func(x []VecVirtual) VecVirtual { return x[0] })
	chosenQ  = always(func(x []VecVirtual) VecVirtual {
		return calc(VBLENDVPD, calc(VPMOVSXDQ, x[0].AsX()), x[1], x[2])
	})
)

// masks emits the loops that count the lanes set.
func masks() {
	operands := []operand{slice("a", 4), slice("b", 4)}
	loop{name: "AndMask", width: 4, operands: operands, kernel: binary(VPAND), unroll: 4, counts: true}.emit()
	loop{name: "AndNotMask", width: 4, operands: operands, unroll: 4, counts: true,
		kernel: always(func(x []VecVirtual) VecVirtual { return calc(VPANDN, x[0], x[1]) })}.emit()

	operands = []operand{slice("a", 4), scalar("s", 4), slice("d", 4)}
	loop{name: "KeepLtU", width: 4, operands: operands, unroll: 4, counts: true,
		kernel: always(func(x []VecVirtual) VecVirtual {
			atLeast := isLimit(VPMAXUD)()
			return calc(VPANDN, x[2], atLeast(x))
		})}.emit()
	loop{name: "KeepLtS", width: 4, operands: operands, unroll: 4, counts: true,
		kernel: always(func(x []VecVirtual) VecVirtual {
			return calc(VPAND, calc(VPCMPGTD, x[0], x[1]), x[2])
		})}.emit()
}
