package ir

// Licence is what a compiler may do with an operation besides rounding it as written: the
// fast-math flags of LLVM, which Metal's compiler is built on (LLVM Language Reference,
// "Fast-Math Flags"). A transformation needs the licence of every operation that it touches.
type Licence uint8

const (
	Reassociate   Licence = 1 << iota // sums and products in any order, distributed
	NoNaNs                            // neither arguments nor result are NaN, or the result is unspecified
	NoInfs                            // the same of infinities
	NoSignedZeros                     // the sign of a zero does not matter
	Reciprocal                        // x/y may be x·(1/y)
	ContractFast                      // products and sums fuse across statements
	Approximate                       // functions may be replaced by approximate ones
)
