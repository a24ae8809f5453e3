package syntax

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

func quoteRune(r rune) string {
	if r < 0x20 || r == 0x7f {
		return fmt.Sprintf("U+%04X", r)
	}
	return `"` + string(r) + `"`
}

// numberParts is a preprocessing number taken apart.
type numberParts struct {
	digits string // without separators, with the prefix 0x, 0b or 0
	suffix string // lower case
	base   int
	float  bool
}

// splitNumber takes a preprocessing number apart and checks its form.
func splitNumber(text string) (n numberParts, err error) {
	if len(text) > 1000 {
		return n, fmt.Errorf("number has more than 1000 characters")
	}
	s := strings.ToLower(text)
	if strings.Contains(s, "''") {
		return n, fmt.Errorf("number %s has two digit separators together", text)
	}
	s = strings.ReplaceAll(s, "'", "")
	n.base = 10
	switch {
	case strings.HasPrefix(s, "0x"):
		n.base = 16
	case strings.HasPrefix(s, "0b"):
		n.base = 2
	}
	i := 0
	if n.base != 10 {
		i = 2
	}
	digits := 0
	for ; i < len(s); i++ {
		if s[i] == '.' && !n.float && n.base != 2 {
			n.float = true
		} else if isDigit(s[i]) || n.base == 16 && 'a' <= s[i] && s[i] <= 'f' {
			digits++
		} else {
			break
		}
	}
	if digits == 0 {
		return n, fmt.Errorf("number %s has no digits", text)
	}
	exponent := byte('e')
	if n.base == 16 {
		exponent = 'p'
	}
	if i < len(s) && s[i] == exponent && n.base != 2 {
		j := i + 1
		if j < len(s) && (s[j] == '+' || s[j] == '-') {
			j++
		}
		if j == len(s) || !isDigit(s[j]) {
			return n, errors.New("exponent has no digits")
		}
		for i = j; i < len(s) && isDigit(s[i]); i++ {
		}
		n.float = true
	} else if n.float && n.base == 16 {
		return n, errors.New("hexadecimal floating literal requires an exponent")
	}
	n.digits, n.suffix = s[:i], s[i:]
	if !n.float && n.base == 10 && len(n.digits) > 1 && n.digits[0] == '0' {
		n.base = 8
	}
	return n, nil
}

// isFloatNumber reports whether a preprocessing number has a point or an exponent.
func isFloatNumber(text string) bool {
	text, _, _ = strings.Cut(text, "_") // a suffix of the program's own
	if strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X") {
		return strings.ContainsAny(text, ".pP")
	}
	return strings.ContainsAny(text, ".eE") && !strings.HasPrefix(text, "0b") && !strings.HasPrefix(text, "0B")
}

// intValue is the value and the normal suffix ("", "u", "l", "ul") of an
// integer literal; hex says that it was not decimal.
func intValue(text string) (value uint64, suffix string, hex bool, err *Error) {
	fail := func(code, format string, args ...any) (uint64, string, bool, *Error) {
		return 0, "", false, &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
	}
	n, e := splitNumber(text)
	if e != nil {
		return fail(codeBadNumber, "%v", e)
	}
	switch n.suffix {
	case "", "u", "l", "ul":
	case "lu", "ull", "llu":
		n.suffix = "ul"
	case "ll": // no type of a program's own, but of a literal: as wide as long
		n.suffix = "l"
	default:
		return fail(codeBadNumber, "invalid suffix '%s' on integer constant", text[len(text)-len(n.suffix):])
	}
	digits := n.digits
	switch n.base {
	case 16, 2:
		digits = digits[2:]
	case 8:
		if strings.ContainsAny(digits, "89") {
			return fail(codeBadNumber, "invalid digit '%c' in octal constant", digits[strings.IndexAny(digits, "89")])
		}
		digits = strings.TrimLeft(digits, "0") + "0"
		digits = digits[:len(digits)-1]
		if digits == "" {
			digits = "0"
		}
	}
	v, e := strconv.ParseUint(digits, n.base, 64)
	if e != nil {
		if n.base == 2 && strings.ContainsAny(n.digits[2:], "23456789") {
			return fail(codeBadNumber, "invalid digit '%c' in binary constant",
				n.digits[2+strings.IndexAny(n.digits[2:], "23456789")])
		}
		return fail(codeBadNumber, "integer literal is too large to be represented in any integer type")
	}
	return v, n.suffix, n.base != 10, nil
}

// floatValue is the value of a floating literal, rounded once to the format
// of its suffix ("", "f", "h", "bf").
func floatValue(text string) (value float64, suffix string, err *Error) {
	fail := func(code, format string, args ...any) (float64, string, *Error) {
		return 0, "", &Error{Code: code, Msg: fmt.Sprintf(format, args...)}
	}
	n, e := splitNumber(text)
	if e != nil {
		return fail(codeBadNumber, "%v", e)
	}
	switch n.suffix {
	case "", "f":
		// ParseFloat returns the infinity that the literal means with a range error.
		v, _ := strconv.ParseFloat(n.digits, 32)
		return v, n.suffix, nil
	case "h":
		return roundDecimal(n.digits, 11, -14, 15), "h", nil
	case "bf":
		return roundDecimal(n.digits, 8, -126, 127), "bf", nil
	case "l":
		return fail(codeNotMetalType, "long double is not a Metal type")
	}
	return fail(codeBadNumber, "invalid suffix '%s' on floating constant", text[len(text)-len(n.suffix):])
}

// roundDecimal rounds a literal to nearest, ties to even, in a binary format
// with the given number of significand bits and exponents of its least and
// greatest normal numbers. Rounding goes through float64, whose own rounding
// matters only where it lands halfway between two numbers of the format:
// there the exact value decides.
func roundDecimal(digits string, bits, minExp, maxExp int) float64 {
	d, _ := strconv.ParseFloat(digits, 64)
	if d == 0 || math.IsInf(d, 0) {
		return d
	}
	_, exp := math.Frexp(d)
	step := math.Ldexp(1, max(exp-1, minExp)-bits+1)
	low := math.Floor(d/step) * step // exact: step is a power of two
	high := low + step
	v := low
	switch half := low + step/2; {
	case d > half:
		v = high
	case d == half:
		switch compareDecimal(digits, d) {
		case 1:
			v = high
		case 0:
			if math.Mod(low/step, 2) != 0 {
				v = high
			}
		}
	}
	if v >= math.Ldexp(1, maxExp+1) {
		return math.Inf(1)
	}
	return v
}

// compareDecimal compares the exact value of a literal near d with d.
func compareDecimal(digits string, d float64) int {
	x, ok := new(big.Rat).SetString(digits)
	if !ok {
		return 0
	}
	return x.Cmp(new(big.Rat).SetFloat64(d))
}

// charValue is the value of a character constant as written, and how many characters it has. Of several the
// last four make an int, the first of them its highest byte.
func charValue(text string) (v uint64, chars int, _ *Error) {
	body := text[1 : len(text)-1]
	s, err := unescape(body)
	switch {
	case err != nil:
		return 0, 1, &Error{Code: codeBadChar, Msg: err.Error()}
	case s == "":
		return 0, 1, &Error{Code: codeBadChar, Msg: "character constant is empty"}
	case strings.IndexFunc(body, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0:
		return 0, 1, &Error{Code: codeBadChar, Msg: "character too large for enclosing character literal type"}
	case len(s) == 1:
		return uint64(int64(int8(s[0]))), 1, nil
	}
	var word uint32
	for _, b := range []byte(s) {
		word = word<<8 | uint32(b)
	}
	return uint64(int64(int32(word))), len(s), nil
}

// stringValue is the value of a string literal as written.
func stringValue(text string) (string, *Error) {
	s, err := unescape(text[1 : len(text)-1])
	if err != nil {
		return "", &Error{Code: codeBadChar, Msg: err.Error()}
	}
	return s, nil
}

// unescape replaces the escapes of a character or string literal.
func unescape(s string) (string, error) {
	if strings.IndexByte(s, '\\') < 0 {
		return s, nil
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b.WriteByte(s[i])
			continue
		}
		if i++; i == len(s) {
			return "", fmt.Errorf("escape without a character")
		}
		if k := strings.IndexByte("abfnrtv\\'\"?", s[i]); k >= 0 {
			b.WriteByte("\a\b\f\n\r\t\v\\'\"?"[k])
			continue
		}
		j, base, limit := i, 8, 3
		if s[i] == 'x' {
			j, base, limit = i+1, 16, 2
		}
		end := j
		for end < len(s) && end-j < limit && isBaseDigit(s[end], base) {
			end++
		}
		v, err := strconv.ParseUint(s[j:end], base, 8)
		if err != nil {
			return "", fmt.Errorf(`unknown escape "\%c"`, s[i])
		}
		b.WriteByte(byte(v))
		i = end - 1
	}
	return b.String(), nil
}

func isBaseDigit(c byte, base int) bool {
	if base == 16 {
		return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f'
	}
	return '0' <= c && c <= '7'
}

// quoteString writes s as a string literal.
func quoteString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
