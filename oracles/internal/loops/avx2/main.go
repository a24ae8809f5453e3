// Avx2 writes the assembly of the oracles' loops for x86-64 processors with AVX2.
//
// The rule of this layer: a function does what the entry of loops.Table of the same
// name does, column by column, in the same order and without fusing a product with a sum,
// so that both give the same bits. Slices are trusted to be as long as the table promises.
//
// Operands of instructions stand in the order of Go's assembler, the destination
// last: VSUBPD(b, a, d) is d = a - b.
package main

import . "github.com/mmcloughlin/avo/build"

func main() {
	weighings()
	carries()
	pairs()
	compensated()
	binades("avxScale", true)
	binades("avxBinades", false)
	updates()
	dots()
	blocks()
	inner()
	tiles()
	recurrence("avxDecay", false)
	recurrence("avxLearn", true)
	chunkSums("avxSolve", false)
	chunkSums("avxReach", true)
	strides("avxForget", true)
	strides("avxStrides", false)
	takes()
	gather()
	opened()
	ranged()
	stepLoops()
	Generate()
}
