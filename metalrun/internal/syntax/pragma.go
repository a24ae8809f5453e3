package syntax

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// pragma obeys #pragma: once is done here, those that concern the program
// become tokens, the rest is ignored as compilers do.
func (pp *preprocessor) pragma(f *source, hash *Token, args []Token) {
	if len(args) == 0 {
		return
	}
	if args[0].Text == "once" {
		pp.once[f.name] = true
		return
	}
	if t, ok := pp.pragmaToken(hash, args); ok {
		pp.out = append(pp.out, t)
	}
}

// operatorPragma replaces _Pragma("…") at the head of toks; n is how many
// tokens it takes.
func (pp *preprocessor) operatorPragma(toks []Token, out *[]Token) (n int) {
	if len(toks) < 4 || !toks[1].is("(") || toks[2].Kind != String || !toks[3].is(")") {
		pp.errorf(toks[0].Pos, codePragma, `_Pragma wants one string in parentheses`)
		return 1
	}
	text, err := stringValue(toks[2].Text)
	if err != nil {
		pp.errorf(toks[2].Pos, err.Code, "%s", err.Msg)
		return 4
	}
	args := scan(toks[0].Pos.File, text, len(text), pp.errs.add)
	pp.copied(toks[0].Pos, len(args))
	for i := range args {
		args[i].Pos, args[i].Line = toks[0].Pos, false
	}
	if t, ok := pp.pragmaToken(&toks[0], args); ok {
		*out = append(*out, t)
	}
	return 4
}

// pragmaToken checks a pragma and makes its token; ok is false for one to be ignored.
func (pp *preprocessor) pragmaToken(at *Token, args []Token) (t Token, ok bool) {
	if len(args) == 0 {
		return t, false
	}
	if reason := unsupportedPragma(args); reason != "" {
		pp.errorf(args[0].Pos, codeUnsupported, "#pragma %s is not supported: %s", spell(args), reason)
		return t, false
	}
	rest := args[1:]
	switch args[0].Text {
	case "METAL":
		if !isInternals(rest) && (len(rest) == 0 || rest[0].Text != "fp" || !fpPragmas[0].valid(rest[1:])) {
			pp.errorf(args[0].Pos, codePragma, "got #pragma %s, want %s or METAL internals : enable|disable",
				spell(args), fpPragmas[0].wanted())
			return t, false
		}
	case "STDC":
		if len(rest) == 0 || rest[0].Text != "FP_CONTRACT" {
			return t, false
		}
		if len(rest) != 2 || !slices.Contains([]string{"ON", "OFF", "DEFAULT"}, rest[1].Text) {
			pp.errorf(args[0].Pos, codePragma, "got #pragma %s, want STDC FP_CONTRACT ON|OFF|DEFAULT", spell(args))
			return t, false
		}
	case "pack":
		if rest = pp.expand(rest, nil, expansion{}); !validPack(rest) {
			pp.errorf(args[0].Pos, codePragma,
				"got #pragma %s, want pack([push,] 1|2|4|8|16), pack(push), pack(pop) or pack()", spell(args))
			return t, false
		}
		bound := pp.packing.most
		if pp.packing.obey(rest); pp.packing.most == bound {
			return t, false
		}
		return Token{Kind: Pragma, Text: pp.packing.text(), Pos: at.Pos, Line: true}, true
	case "unroll", "nounroll":
		rest = pp.expand(rest, nil, expansion{})
	case "GCC":
		if len(rest) > 0 && rest[0].Text == "diagnostic" {
			pp.warnings.obey(at.Pos, rest[1:])
		}
		if len(rest) == 0 || rest[0].Text != "unroll" {
			return t, false
		}
		rest = append([]Token{rest[0]}, pp.expand(rest[1:], nil, expansion{})...)
	case "clang":
		switch {
		case len(rest) > 0 && rest[0].Text == "diagnostic":
			pp.warnings.obey(at.Pos, rest[1:])
			return t, false
		case len(rest) > 0 && rest[0].Text == "optimize":
			if len(rest) != 2 || rest[1].Text != "on" && rest[1].Text != "off" {
				pp.errorf(args[0].Pos, codePragma, "got #pragma %s, want clang optimize on|off", spell(args))
				return t, false
			}
		case len(rest) > 0 && rest[0].Text == "fp":
			if !fpPragmas[1].valid(rest[1:]) {
				pp.errorf(args[0].Pos, codePragma, "got #pragma %s, want %s", spell(args), fpPragmas[1].wanted())
				return t, false
			}
		case len(rest) > 0 && rest[0].Text == "loop" &&
			slices.ContainsFunc(rest, func(t Token) bool { return strings.HasPrefix(t.Text, "unroll") }):
			rest = append([]Token{rest[0]}, pp.expand(rest[1:], nil, expansion{})...)
		default:
			return t, false
		}
	default:
		return t, false
	}
	text := pragmaText(append([]Token{args[0]}, rest...))
	if isUnroll(text) && !validUnroll(args[0].Text, rest) {
		pp.errorf(args[0].Pos, codePragma, "got #pragma %s, want unroll, unroll(N), nounroll, GCC unroll N "+
			"or clang loop unroll(full|enable|disable) or unroll_count(N)", text)
		return t, false
	}
	return Token{Kind: Pragma, Text: text, Pos: at.Pos, Line: true}, true
}

// pragmaText writes a pragma in the one form that later passes compare: no
// space inside parentheses or before them, one wherever else there was any.
func pragmaText(toks []Token) string {
	var b strings.Builder
	for i := range toks {
		if i > 0 && !toks[i].is("(") && !toks[i].is(")") && !toks[i-1].is("(") &&
			(toks[i].Space || toks[i].Line || touch(&toks[i-1], &toks[i])) {
			b.WriteByte(' ')
		}
		b.WriteString(toks[i].Text)
	}
	return b.String()
}

// isUnroll reports whether a pragma speaks of the loop that follows it.
func isUnroll(text string) bool {
	for _, prefix := range []string{"unroll", "nounroll", "GCC unroll", "clang loop"} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return false
}

// Unroll is how often the pragmas before a loop ask a compiler to repeat its body: 0 if
// they do not say, 1 not at all, [UnrollFully] as often as the loop goes round.
func Unroll(pragmas []string) int {
	times := 0
	for _, text := range pragmas {
		digits := strings.IndexFunc(text, unicode.IsDigit)
		switch {
		case strings.HasPrefix(text, "nounroll"), strings.Contains(text, "disable"):
			times = 1
		case digits >= 0:
			end := digits
			for end < len(text) && unicode.IsDigit(rune(text[end])) {
				end++
			}
			if n, err := strconv.Atoi(text[digits:end]); err == nil {
				times = n
			}
		case strings.Contains(text, "unroll"):
			times = UnrollFully
		}
	}
	return times
}

// UnrollFully asks for as many bodies as the loop goes round, or as a compiler likes.
const UnrollFully = -1

// validUnroll checks the operands of the unroll family.
func validUnroll(first string, rest []Token) bool {
	switch first {
	case "unroll":
		n := len(rest)
		return n == 0 || n == 1 && rest[0].Kind != Op || n >= 3 && rest[0].is("(") && rest[n-1].is(")")
	case "nounroll":
		return len(rest) == 0
	case "GCC":
		return len(rest) == 2
	}
	for rest = rest[1:]; len(rest) >= 4; {
		n := 2
		for n < len(rest) && !rest[n].is(")") {
			n++
		}
		if rest[0].Kind != Ident || !rest[1].is("(") || n == 2 || n == len(rest) {
			return false
		}
		rest = rest[n+1:]
	}
	return len(rest) == 0
}

// isInternals reports whether a METAL pragma is one of the library's own headers.
func isInternals(rest []Token) bool {
	return len(rest) == 3 && rest[0].Text == "internals" && rest[1].is(":") &&
		(rest[2].Text == "enable" || rest[2].Text == "disable")
}
