package syntax

import (
	"iter"
	"slices"
	"strings"
)

// FPOption is what a pragma says of floating-point mathematics: METAL fp math_mode(fast)
// has the name math_mode and the value fast, STDC FP_CONTRACT OFF the name contract and the
// value off.
type FPOption struct{ Name, Value string }

// fpPragma is a family of such pragmas: how it begins, and the values of each option.
type fpPragma struct {
	head    string
	several bool // options may follow one another
	options []fpValues
}

type fpValues struct {
	name   string
	values []string
}

var onOff = []string{"on", "off"}

// fpPragmas are those of Metal (Metal Shading Language Specification 3.2, section 1.6.5 "Floating-Point
// Pragmas") and those of clang (Clang Language Extensions, "Extensions to specify floating-point flags").
var fpPragmas = []fpPragma{
	{head: "METAL fp", options: []fpValues{{"contract", []string{"off", "on", "fast"}},
		{"math_mode", []string{"safe", "relaxed", "fast"}}}},
	{head: "clang fp", several: true, options: []fpValues{
		{"contract", []string{"off", "on", "fast", "fast-honor-pragmas"}}, {"reassociate", onOff},
		{"reciprocal", onOff},
		{"exceptions", []string{"ignore", "maytrap", "strict"}}, {"eval_method", []string{"source"}},
	}},
}

// unsupportedPragma says why a pragma that clang knows cannot be ignored here as those are that no
// compiler of Metal's family obeys; it is empty for all others. Clang obeys float_control and
// FENV_ACCESS on targets with strict floating point and ignores them, with a warning, on those without,
// such as its own GPUs ("'#pragma float_control' is not supported on this target - ignored"): what
// Apple's target does is not published.
func unsupportedPragma(args []Token) string {
	word := func(i int) string {
		if i < len(args) {
			return args[i].Text
		}
		return ""
	}
	switch {
	case word(0) == "float_control":
		return "clang ignores it on GPUs; write #pragma METAL fp math_mode(safe|relaxed|fast) or contract(off|on|fast)"
	case word(0) == "STDC" && word(1) == "FENV_ACCESS" && word(2) == "ON":
		return "a GPU has no floating-point environment to access"
	case word(0) == "STDC" && word(1) == "FENV_ROUND" && word(2) != "FE_TONEAREST" && word(2) != "FE_DYNAMIC":
		return "results are judged with rounding to nearest"
	case word(0) == "clang" && word(1) == "attribute":
		return "write the attributes at the functions that it is for"
	}
	return ""
}

// valid reports whether toks, which follow the head, are options that the family has.
func (f fpPragma) valid(toks []Token) bool {
	n := 0
	for ; len(toks) > 0; n++ {
		end := slices.IndexFunc(toks, func(t Token) bool { return t.is(")") })
		if end < 3 || !toks[1].is("(") || n > 0 && !f.several {
			return false
		}
		i := slices.IndexFunc(f.options, func(o fpValues) bool { return o.name == toks[0].Text })
		if i < 0 || !slices.Contains(f.options[i].values, spell(toks[2:end])) {
			return false
		}
		toks = toks[end+1:]
	}
	return n > 0
}

// wanted says what the family offers.
func (f fpPragma) wanted() string {
	var list []string
	for _, o := range f.options {
		list = append(list, f.head+" "+o.name+"("+strings.Join(o.values, "|")+")")
	}
	return strings.Join(list, ", ")
}

// FPOptions are the options of a pragma, as [Token.Text] has it; none of a pragma about
// something else.
func FPOptions(text string) iter.Seq[FPOption] {
	return func(yield func(FPOption) bool) {
		if value, ok := strings.CutPrefix(text, "STDC FP_CONTRACT "); ok {
			yield(FPOption{"contract", strings.ToLower(value)})
			return
		}
		for _, f := range fpPragmas {
			rest, ok := strings.CutPrefix(text, f.head+" ")
			for ok && rest != "" {
				var o FPOption
				o.Name, rest, _ = strings.Cut(rest, "(")
				o.Value, rest, _ = strings.Cut(rest, ")")
				if rest = strings.TrimSpace(rest); !yield(o) {
					return
				}
			}
		}
	}
}
