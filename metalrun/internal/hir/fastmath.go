package hir

import "strings"

// FastMathFlags say what a compiler may do with a floating operation other than round it as
// written: the fast-math flags of LLVM, which Metal's compiler is built on (LLVM Language
// Reference, "Fast-Math Flags"), and contraction within an expression. A transformation
// needs the flags of every operation that it touches.
type FastMathFlags uint8

// The flags, by their bits.
const (
	Reassociate   FastMathFlags = 1 << iota // sums and products in any order, distributed
	NoNaNs                                  // the result is unspecified if an argument or the result is NaN
	NoInfs                                  // the same for infinities
	NoSignedZeros                           // the sign of a zero does not matter
	Reciprocal                              // x/y may be x·(1/y)
	ContractFast                            // products and sums fuse across statements
	Approximate                             // a function or quotient is the fast variant
	ContractOn                              // products and sums of one expression fuse
)

// Mode is a mode of floating-point mathematics, as the compiler's option -fmetal-math-mode
// and the pragma METAL fp math_mode have it.
type Mode uint8

// The modes.
const (
	// Safe permits nothing that changes a result, except contraction within an expression.
	Safe Mode = iota
	// Relaxed permits what Fast does, but honours infinities and NaNs.
	Relaxed
	// Fast permits everything except approximate functions.
	Fast
)

// ModeRow is a mode and what it permits.
type ModeRow struct {
	Name  string
	Flags FastMathFlags
}

// Modes are the rows of all modes.
//
// Metal Shading Language Specification 3.2 and 4.0, section 1.6.3: "fast" assumes that
// there are no NaNs and no infinities, does without signed zeros, and allows reciprocals,
// reassociation and contraction across statements; "relaxed" is the same but honours
// infinities and NaNs; "safe" makes no transformation that could change a result, and
// contracts within an expression. Up to 3.1 the compiler knows fast and safe only, as
// -ffast-math and -fno-fast-math or MTLCompileOptions.fastMathEnabled: the same two sets.
// Which variant functions have is another option, -fmetal-math-fp32-functions; no mode
// permits approximate functions by itself.
var Modes = [...]ModeRow{
	Safe:    {"safe", ContractOn},
	Relaxed: {"relaxed", relaxed},
	Fast:    {"fast", relaxed | NoNaNs | NoInfs},
}

const relaxed = Reassociate | NoSignedZeros | Reciprocal | ContractFast | ContractOn

// flagNames are the names of the single flags, as LLVM's assembly spells its flags.
var flagNames = [...]string{"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "contract-on"}

// String lists the flags.
func (f FastMathFlags) String() string {
	var names []string
	for i, name := range flagNames {
		if f>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// With is f with a permission given or taken.
func (f FastMathFlags) With(p FastMathFlags, given bool) FastMathFlags {
	if given {
		return f | p
	}
	return f &^ p
}

// Contracting is f with another degree of contraction: off, on or fast.
func (f FastMathFlags) Contracting(degree string) FastMathFlags {
	return f.With(ContractOn, degree != "off").With(ContractFast, strings.HasPrefix(degree, "fast"))
}

// Contraction is the degree of contraction that a mode has where no pragma says otherwise.
func (m ModeRow) Contraction() string {
	if m.Flags&ContractFast != 0 {
		return "fast"
	}
	return "on"
}
