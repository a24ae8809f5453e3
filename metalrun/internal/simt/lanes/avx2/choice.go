package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

func choices() {
	fill := always(func(x []VecVirtual) VecVirtual { return x[0] })
	loop{name: "Fill", width: 4, operands: []operand{scalar("s", 4)}, kernel: fill, unroll: 4}.emit()
	loop{name: "FillQ", width: 8, operands: []operand{scalar("s", 8)}, kernel: fill, unroll: 4}.emit()

	choose := always(func(x []VecVirtual) VecVirtual { return blend(x[0], x[1], x[2]) })
	chooseQ := always(func(x []VecVirtual) VecVirtual {
		return calc(VBLENDVPD, calc(VPMOVSXDQ, x[0].AsX()), x[1], x[2])
	})
	for _, c := range []struct{ name, otherwise string }{{"Select", "b"}, {"CopyMasked", "d"}} {
		loop{name: c.name, width: 4, unroll: 4, kernel: choose,
			operands: []operand{slice("m", 4), slice("a", 4), slice(c.otherwise, 4)}}.emit()
		loop{name: c.name + "Q", width: 8, unroll: 2, kernel: chooseQ,
			operands: []operand{slice("m", 4), slice("a", 8), slice(c.otherwise, 8)}}.emit()
	}
}

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
