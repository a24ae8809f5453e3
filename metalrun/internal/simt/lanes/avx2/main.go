// Avx2 writes the assembly of the lane loops for x86-64 processors with AVX2,
// FMA and F16C, and with -wide those that gain from longer registers for processors with AVX-512.
//
// The rule of this layer: a function does what the entry of lanes.Table of the
// same name does, and every instruction that rounds rounds as the portable loop
// does, so that both give the same bits. Slices are trusted to have the length
// that the table promises; nothing is read or written outside of them.
//
// Operands of instructions stand in the order of Go's assembler, the destination
// last: VSUBPS(b, a, d) is d = a - b.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	flag.Parse()
	if *wide {
		lengthened()
		Generate()
		return
	}
	floats()
	integers()
	wides()
	conversions()
	choices()
	masks()
	narrow()
	gathers()
	scatters()
	rowLoops()
	simdgroups()
	tiles()
	exponentials()
	Generate()
}

// lengthened is the loops for AVX-512: those that do little for each lane.
func lengthened() {
	arithmetic()
	integerArithmetic()
	moves()
	shortConversions()
	gathers()
	rowLoops()
	simdgroupRows()
	exponentials()
}
