package syntax

import (
	"math"
	"slices"
)

// ScannedLine is what stands on a line of a text.
type ScannedLine struct {
	Directive string // the name of the directive that the line is part of, "" for none
	First     string // the first token other than an operator, "" for none
	// Code says that there is more than a comment, brackets, separators, else, a label or an access specifier.
	Code     bool
	Literals []int64 // the integers of at least 2, in the order of the source
	Compiler bool    // a macro is named whose value depends on the compiler's version or options
}

// compilers are the macros whose value depends on the compiler's version or options.
var compilers = []string{"__METAL_VERSION__", "__cplusplus", "__FINITE_MATH_ONLY__", "__FAST_MATH__", "__OPTIMIZE__",
	"__VERSION__", "__clang_version__", "__clang_major__", "__clang_minor__", "__clang_patchlevel__",
	"__apple_build_version__", "__APPLE_CC__"}

// ScanLines are the lines of a text on which a token stands.
func ScanLines(text string) map[int32]ScannedLine {
	toks := scan("", text, len(text), func(*Error) {})
	lines := map[int32]ScannedLine{}
	directive := ""
	for i := range toks {
		t := &toks[i]
		if t.Line {
			directive = ""
			if isDirective(t) {
				if directive = "#"; i+1 < len(toks) && !toks[i+1].Line {
					directive = toks[i+1].Text
				}
			}
		}
		l := lines[t.Pos.Line]
		l.Directive = directive
		if l.First == "" && t.Kind != Op {
			l.First = t.Text
		}
		l.Code = l.Code || isCode(toks, i)
		if t.Kind == number {
			if v, _, _, err := intValue(t.Text); err == nil && v >= 2 && v <= math.MaxInt64 {
				l.Literals = append(l.Literals, int64(v))
			}
		}
		l.Compiler = l.Compiler || t.Kind == Ident && slices.Contains(compilers, t.Text)
		lines[t.Pos.Line] = l
	}
	return lines
}

// isCode reports whether a token is of what can be executed. A label is all tokens from case to its colon.
func isCode(toks []Token, i int) bool {
	t := &toks[i]
	switch t.Kind {
	case Op:
		return false
	case Ident:
		switch t.Text {
		case "else", "default", "public", "private", "protected", "_Pragma":
			return false
		}
	}
	for j := i; j >= 0 && i-j < mostOfLabel; j-- { // the label that it may be part of
		switch {
		case toks[j].Kind == Ident && toks[j].Text == "case":
			return false
		case toks[j].Kind == Op && (toks[j].Text == ";" || toks[j].Text == ":" || toks[j].Text == "{" ||
			toks[j].Text == "}"):
			return true
		}
	}
	return true
}

// mostOfLabel is more tokens than a label has.
const mostOfLabel = 16
