package metalrun

import (
	"fmt"
	"strings"

	"metalconform/metalrun/internal/hir"
)

// MathMode is what the compiler may do with floating-point arithmetic where no pragma of the
// source says otherwise. The front end's table (types.Modes) says what each mode permits.
type MathMode = hir.Mode

const (
	MathSafe    = hir.Safe    // no value-changing transformation
	MathRelaxed = hir.Relaxed // may reassociate; honours infinities and NaN
	MathFast    = hir.Fast    // may reassociate and assume finite values
)

// FastMathFlags are the value-changing rewrites that a compiler may apply to an operation.
type FastMathFlags = hir.FastMathFlags

// The flags that error bounds and inputs depend on. The front end has the others.
const (
	Reassociate = hir.Reassociate // sums and products in any order, distributed
	NoNaNs      = hir.NoNaNs      // an operation that meets a NaN is unspecified
	NoInfs      = hir.NoInfs      // one that meets an infinity is
	Reciprocal  = hir.Reciprocal  // x/y may be x·(1/y)
)

// Math is how a host lets floating-point mathematics be compiled: the options -fmetal-math-mode and
// -fmetal-math-fp32-functions, or MathMode and mathFloatingPointFunctions of MTLCompileOptions.
type Math struct {
	Mode          MathMode
	FastFunctions bool // unqualified f32 functions mean fast:: and not precise::
}

// Maths lists the usual combinations: each mode with its functions. The last one is the default of Metal's compiler.
func Maths() []Math { return []Math{{MathSafe, false}, {MathRelaxed, true}, {MathFast, true}} }

// String is the mode, and the functions if they are not those that go with it: safe, fast,
// fast+precise.
func (m Math) String() string {
	name := hir.Modes[m.Mode].Name
	if m.FastFunctions == (m.Mode != MathSafe) {
		return name
	}
	return name + "+" + functionNames[m.FastFunctions]
}

var functionNames = map[bool]string{false: "precise", true: "fast"}

// ParseMath parses the result of [Math.String].
func ParseMath(s string) (Math, error) {
	mode, functions, given := strings.Cut(s, "+")
	for i, row := range hir.Modes {
		m := Math{MathMode(i), MathMode(i) != MathSafe}
		if given {
			m.FastFunctions = functions == functionNames[true]
		}
		if row.Name == mode && (!given || functionNames[m.FastFunctions] == functions) {
			return m, nil
		}
	}
	return Math{},
		fmt.Errorf("want safe, relaxed or fast, with the functions behind a + if they are others than precise, fast " +
			"and fast: safe+fast, fast+precise")
}

// Math is the arithmetic of the options.
func (o CompileOptions) Math() Math { return Math{o.MathMode, o.FastFunctions} }

// With are the options with other arithmetic.
func (o CompileOptions) With(m Math) CompileOptions {
	o.MathMode, o.FastFunctions = m.Mode, m.FastFunctions
	return o
}
