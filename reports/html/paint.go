package html

import (
	"html/template"
	"strings"
)

// keywords of MSL that a reader looks for.
var keywords = map[string]bool{
	"kernel": true, "device": true, "constant": true, "threadgroup": true, "thread": true, "const": true,
	"constexpr": true,
	"static":    true, "inline": true, "template": true, "typename": true, "struct": true, "enum": true, "using": true,
	"namespace": true,
	"if":        true, "else": true, "for": true, "while": true, "do": true, "switch": true, "case": true,
	"default":  true,
	"break":    true,
	"continue": true, "return": true, "void": true, "bool": true, "char": true, "uchar": true, "short": true,
	"ushort": true,
	"int":    true, "uint": true, "long": true, "ulong": true, "half": true, "bfloat": true, "float": true,
	"float2": true,
	"float4": true,
	"true":   true, "false": true, "metal": true,
}

// paint is each line of a shader as HTML, with comments, directives, keywords and
// numbers marked. It knows as much of the language as that takes.
func paint(lines []string) []template.HTML {
	painted := make([]template.HTML, len(lines))
	comment := false // a block comment that an earlier line opened
	for i, line := range lines {
		painted[i], comment = paintLine(line, comment)
	}
	return painted
}

// paintLine paints a line that begins within a block comment or not, and says
// whether it ends in one.
func paintLine(line string, comment bool) (template.HTML, bool) {
	var b strings.Builder
	span := func(class, text string) {
		if class == "" {
			b.WriteString(template.HTMLEscapeString(text))
			return
		}
		b.WriteString(`<span class="` + class + `">` + template.HTMLEscapeString(text) + `</span>`)
	}
	if !comment && strings.HasPrefix(strings.TrimSpace(line), "#") {
		span("directive", line)
		return template.HTML(b.String()), false
	}
	for line != "" {
		size, class := 0, ""
		switch {
		case comment, strings.HasPrefix(line, "/*"):
			size, class = len(line), "comment"
			from := 2
			if comment {
				from = 0
			}
			end := strings.Index(line[min(from, len(line)):], "*/")
			if comment = end < 0; !comment {
				size = from + end + len("*/")
			}
		case strings.HasPrefix(line, "//"):
			size, class = len(line), "comment"
		case letter(line[0]):
			size = run(line, func(c byte) bool { return letter(c) || digit(c) })
			if keywords[line[:size]] {
				class = "keyword"
			}
		case digit(line[0]):
			size, class = run(line, func(c byte) bool { return letter(c) || digit(c) || c == '.' }), "number"
		default:
			size = max(run(line, func(c byte) bool { return !letter(c) && !digit(c) && c != '/' }), 1)
		}
		span(class, line[:size])
		line = line[size:]
	}
	return template.HTML(b.String()), comment
}

// run is the length of what a text begins with.
func run(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func letter(c byte) bool { return c == '_' || 'a' <= c|0x20 && c|0x20 <= 'z' }
func digit(c byte) bool  { return '0' <= c && c <= '9' }
