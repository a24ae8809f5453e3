package syntax

import (
	"bufio"
	"io"
	"strings"
)

// Kind is the class of a token.
type Kind uint8

const (
	EOF Kind = iota
	Ident
	Keyword
	Int    // 12, 0x1fu
	Float  // 1.5f, 0x1p-3h
	Char   // 'a', as written
	String // "text", as written
	Op     // operators and punctuation
	Pragma // a #pragma or _Pragma that concerns the program; Text is all after "#pragma"

	number      // a preprocessing number, before it is known to be Int or Float
	bad         // text that is no token; refused when it survives conditional groups
	placemarker // an empty macro argument next to ##
)

func (k Kind) String() string {
	return [...]string{"end of file", "identifier", "keyword", "integer", "float", "character", "string",
		"operator", "pragma", "number", "bad text", "placemarker"}[k]
}

// Token is one token of a preprocessed translation unit. Text is the token
// as written.
type Token struct {
	Kind  Kind
	Space bool // white space stands before it
	Line  bool // first token of its line
	glued bool // the next token touches this one: ">" ">" may be ">>"
	role  role // of a keyword
	Text  string
	Pos   Pos

	hide *hideSet // macros that may not expand this identifier
}

func (t *Token) String() string {
	switch t.Kind {
	case EOF:
		return "end of file"
	case Pragma:
		return "#pragma " + t.Text
	}
	return `"` + t.Text + `"`
}

// is reports whether t is the operator or keyword s.
func (t *Token) is(s string) bool {
	return (t.Kind == Op || t.Kind == Keyword) && t.Text == s
}

// FprintTokens prints tokens as source that scans to the same tokens, on the
// lines that they began and with a pragma on a line of its own.
func FprintTokens(w io.Writer, toks []Token) error {
	b := bufio.NewWriter(w)
	for i := range toks {
		b.WriteString(gap(toks, i))
		b.WriteString(toks[i].spelling())
	}
	b.WriteByte('\n')
	return b.Flush()
}

// gap is the white space before toks[i].
func gap(toks []Token, i int) string {
	if i == 0 {
		return ""
	}
	before, t := &toks[i-1], &toks[i]
	switch {
	case before.Kind == Pragma || t.Kind == Pragma || t.Line && !t.is("#"): // "#" at the start of a line is a directive
		return "\n"
	case t.Space || t.Line || touch(before, t):
		return " "
	}
	return ""
}

// spelling is a token as source.
func (t *Token) spelling() string {
	if t.Kind == Pragma {
		return "#pragma " + t.Text
	}
	return t.Text
}

// touch reports whether a and b, written without a space, could scan as
// other tokens than a and b.
func touch(a, b *Token) bool {
	if a.Kind == Op && b.Kind == Op {
		last, first := a.Text[len(a.Text)-1], b.Text[0]
		switch first {
		case '=', '+', '-', '<', '>', '&', '|', '#', ':', '.', '*', '/', '%':
			return last != '(' && last != ')' && last != '[' && last != ']' && last != '{' && last != '}' &&
				last != ';' && last != ','
		}
		return false
	}
	if a.Kind == Op {
		return a.Text == "." && wordLike(b) || a.Text == "#"
	}
	if b.Kind == Op {
		return (a.Kind == Int || a.Kind == Float) && (b.Text[0] == '.' || b.Text[0] == '+' || b.Text[0] == '-')
	}
	return wordLike(a) || wordLike(b)
}

func wordLike(t *Token) bool {
	return t.Kind == Ident || t.Kind == Keyword || t.Kind == Int || t.Kind == Float
}

// isOperator2 reports whether a and b make an operator; "<<=", ">>=", "..."
// and "->*" are the only longer ones.
func isOperator2(a, b byte) bool {
	if b == '=' {
		return strings.IndexByte("<>=!+-*/%&|^", a) >= 0
	}
	if a == b {
		return strings.IndexByte(":+-<>&|#", a) >= 0
	}
	return a == '-' && b == '>' || a == '.' && b == '*'
}

// operators1 are the bytes that are operators by themselves.
const operators1 = "{}[]()#;:?.+-*/%^&|~!=<>,"

// alternative spells operators by name, as C++ does.
var alternative = map[string]string{
	"and": "&&", "or": "||", "not": "!", "xor": "^", "bitand": "&", "bitor": "|", "compl": "~",
	"and_eq": "&=", "or_eq": "|=", "xor_eq": "^=", "not_eq": "!=",
}

// synonyms are other spellings of keywords that clang knows, with and without underscores at the end.
var synonyms = map[string]string{
	"__inline": "inline", "__inline__": "inline", "__const": "const", "__const__": "const", "__volatile": "volatile",
	"__volatile__": "volatile",
	"__signed":     "signed", "__signed__": "signed", "__alignof": "alignof", "__alignof__": "alignof",
	"_Alignof": "alignof", "_Alignas": "alignas",
	"__attribute": "__attribute__", "__decltype": "decltype", "__nullptr": "nullptr",
}

// keywords are the reserved words with the role that the parser gives them.
var keywords = map[string]role{
	"void": roleType, "bool": roleType, "char": roleType, "short": roleType, "int": roleType, "long": roleType,
	"signed": roleType, "unsigned": roleType, "half": roleType, "bfloat": roleType, "float": roleType,

	"const": roleQual, "volatile": roleQual, "__restrict": roleQual, "__restrict__": roleQual,
	"device": roleQual, "constant": roleQual, "thread": roleQual, "threadgroup": roleQual,
	"threadgroup_imageblock": roleQual, "object_data": roleQual, "ray_data": roleQual,

	"static": roleSpec, "inline": roleSpec, "constexpr": roleSpec, "extern": roleSpec, "explicit": roleSpec,
	"friend": roleSpec, "mutable": roleSpec, "kernel": roleSpec, "vertex": roleSpec, "fragment": roleSpec,
	"typedef": roleSpec, "alignas": roleSpec, "__attribute__": roleSpec,

	"struct": roleElaborated, "class": roleElaborated, "union": roleElaborated, "enum": roleElaborated,
	"typename": roleElaborated, "auto": roleElaborated, "decltype": roleElaborated,
	"__auto_type": roleElaborated, "__underlying_type": roleElaborated, "__typeof__": roleElaborated,
	"__typeof": roleElaborated,

	"using": roleDecl, "namespace": roleDecl, "template": roleDecl, "static_assert": roleDecl,
	"_Static_assert": roleDecl,

	"if": rolePlain, "else": rolePlain, "for": rolePlain, "while": rolePlain, "do": rolePlain, "switch": rolePlain,
	"case": rolePlain, "default": rolePlain, "break": rolePlain, "continue": rolePlain, "return": rolePlain,
	"true": rolePlain, "false": rolePlain, "nullptr": rolePlain, "this": rolePlain, "sizeof": rolePlain,
	"alignof": rolePlain, "operator": rolePlain, "static_cast": rolePlain, "reinterpret_cast": rolePlain,
	"const_cast": rolePlain, "as_type": rolePlain, "public": rolePlain, "private": rolePlain, "protected": rolePlain,

	"double": roleRefused, "wchar_t": roleRefused, "char16_t": roleRefused, "char32_t": roleRefused,
	"__int128": roleRefused,
	"goto":     roleRefused, "virtual": roleRefused, "new": roleRefused, "delete": roleRefused, "try": roleRefused,
	"catch": roleRefused, "throw": roleRefused, "dynamic_cast": roleRefused, "typeid": roleRefused, "asm": roleRefused,
	"__asm__": roleRefused, "__asm": roleRefused, "thread_local": roleRefused, "register": roleRefused,
	"noexcept": roleRefused, "export": roleRefused,
}

// role is what a keyword does in the grammar.
type role uint8

const (
	roleNone       role = iota // not a keyword
	roleType                   // a word of a builtin type
	roleQual                   // a qualifier or address space
	roleSpec                   // another declaration specifier
	roleElaborated             // begins a type
	roleDecl                   // begins a declaration
	rolePlain                  // statements, operands, operators
	roleRefused                // reserved, and refused wherever it appears
)

// refusal is the error for a keyword that Metal, or this front end, has no
// use for; "" for any other token.
func (t *Token) refusal() (code, msg string) {
	if t.role != roleRefused {
		return "", ""
	}
	switch t.Text {
	case "double", "wchar_t", "char16_t", "char32_t", "__int128":
		return codeNotMetalType, t.Text + " is not a Metal type"
	case "try", "catch", "throw":
		return codeNotMetal, t.Text + " is not supported in Metal, which has no exceptions"
	case "export":
		return codeUnsupported, t.Text + " is not supported"
	}
	return codeNotMetal, t.Text + " is not supported in Metal"
}

// literalPrefix is what the name of a literal operator has before its suffix.
const literalPrefix = `operator""`
