package types

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/syntax"
)

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
			for _, m := range hir.Modes {
				if m.Name == option.Value {
					c.math = m.Flags
				}
			}
		case "contract":
			if option.Value == "default" {
				option.Value = hir.Modes[c.cfg.Mode].Contraction()
			}
			c.math = c.math.Contracting(option.Value)
		case "reassociate":
			c.math = c.math.With(hir.Reassociate, option.Value == "on")
		case "reciprocal":
			c.math = c.math.With(hir.Reciprocal, option.Value == "on")
		}
	}
}

// unoptimised reports whether the compiler leaves a routine as it is written, by the attribute
// optnone or a pragma clang optimize off around it, which gives functions that attribute.
func (r *routine) unoptimised() bool {
	return r.definedAt().unoptimised ||
		slices.ContainsFunc(r.def.Attrs, func(a *syntax.Attr) bool { return a.Name == "optnone" })
}

// fastMath is the fast-math flags of the body of a routine.
func (r *routine) fastMath() hir.FastMathFlags {
	if r.unoptimised() {
		return 0
	}
	return r.definedAt().math
}
