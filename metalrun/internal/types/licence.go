package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Licence is what a compiler may do with a floating operation besides rounding it as
// written: the fast-math flags of LLVM, which Metal's compiler is built on (LLVM Language
// Reference, "Fast-Math Flags"), and contraction within an expression. A transformation
// needs the licence of every operation that it touches.
type Licence uint8

const (
	Reassociate   Licence = 1 << iota // sums and products in any order, distributed
	NoNaNs                            // neither arguments nor result are NaN, or the result is unspecified
	NoInfs                            // the same of infinities
	NoSignedZeros                     // the sign of a zero does not matter
	Reciprocal                        // x/y may be x·(1/y)
	ContractFast                      // products and sums fuse across statements
	Approximate                       // a function or quotient is the fast variant
	ContractOn                        // products and sums of one expression fuse
)

// Mode is a mode of floating-point mathematics, as the compiler's option -fmetal-math-mode
// and the pragma METAL fp math_mode have it.
type Mode uint8

const (
	Safe Mode = iota
	Relaxed
	Fast
)

// ModeRow is a mode and what it permits.
type ModeRow struct {
	Name    string
	Licence Licence
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

// licences are the names of the single permissions, as LLVM's assembly spells its flags.
var licences = [...]string{"reassoc", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "contract-on"}

// String lists the permissions.
func (l Licence) String() string {
	var names []string
	for i, name := range licences {
		if l>>i&1 != 0 {
			names = append(names, name)
		}
	}
	return strings.Join(names, " ")
}

// with is the licence with a permission given or taken.
func (l Licence) with(p Licence, given bool) Licence {
	if given {
		return l | p
	}
	return l &^ p
}

// contracting is the licence with another degree of contraction: off, on or fast.
func (l Licence) contracting(degree string) Licence {
	return l.with(ContractOn, degree != "off").with(ContractFast, strings.HasPrefix(degree, "fast"))
}

// contraction is the degree of contraction that a mode has where no pragma speaks.
func (m ModeRow) contraction() string {
	if m.Licence&ContractFast != 0 {
		return "fast"
	}
	return "on"
}

// pragma obeys a pragma for the rest of the block or file. A mode sets every permission and
// the others change theirs, in the order in which they stand, as clang's own pragmas do.
func (c *checker) pragma(pos syntax.Pos, text string) {
	if state, ok := strings.CutPrefix(text, "clang optimize "); ok {
		if c.fn != nil {
			c.errorf(pos, codeUnsupported, "got #pragma %s in a function, want it outside functions", text)
		}
		c.unoptimised = state == "off"
		return
	}
	if c.fn != nil && c.fn.r.unoptimised() {
		return
	}
	for option := range syntax.FPOptions(text) {
		switch option.Name {
		case "math_mode":
			for _, m := range Modes {
				if m.Name == option.Value {
					c.math = m.Licence
				}
			}
		case "contract":
			if option.Value == "default" {
				option.Value = Modes[c.cfg.Mode].contraction()
			}
			c.math = c.math.contracting(option.Value)
		case "reassociate":
			c.math = c.math.with(Reassociate, option.Value == "on")
		case "reciprocal":
			c.math = c.math.with(Reciprocal, option.Value == "on")
		}
	}
}

// unoptimised reports whether the compiler leaves a routine as it is written, by the attribute
// optnone or a pragma clang optimize off around it, which gives functions that attribute.
func (r *routine) unoptimised() bool {
	return r.of.unoptimised || slices.ContainsFunc(r.def.Attrs, func(a *syntax.Attr) bool { return a.Name == "optnone" })
}

// licence is what the compiler may do in the body of a routine.
func (r *routine) licence() Licence {
	if r.unoptimised() {
		return 0
	}
	return r.of.math
}
