// Avx2 writes the assembly of the oracles' loops for x86-64 processors with AVX2, and with -wide that of
// the loops over panels for those with AVX-512, which take a row of a panel at once.
//
// The rule of this layer: a function does what the entry of loops.Table of the same
// name does, column by column, in the same order and without fusing a product with a sum,
// so that both give the same bits. Slices are trusted to be as long as the table promises.
//
// Operands of instructions stand in the order of Go's assembler, the destination
// last: VSUBPD(b, a, d) is d = a - b.
package main

import (
	"flag"

	. "github.com/mmcloughlin/avo/build"
)

func main() {
	flag.Parse()
	if *wide {
		widen()
	} else {
		weighings()
		carries()
		pairs()
		compensated()
		takes()
		opened()
		ranged()
		stepLoops()
	}
	binades("Scale", true)
	binades("Binades", false)
	updates()
	dots()
	blocks()
	inner()
	tiles()
	recurrence("Decay", false)
	recurrence("Learn", true)
	chunkSums("Solve", false)
	chunkSums("Reach", true)
	strides("Forget", true)
	strides("Strides", false)
	gather()
	Generate()
}
