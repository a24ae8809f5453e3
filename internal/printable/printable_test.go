package printable

import (
	"strings"
	"testing"
)

func TestSpelling(t *testing.T) {
	const text = "a\n\t\r\x1b\u202e\u200b\u2028é\xff\ufeff\u00a0\U000e0001\ufffdz"
	for _, test := range []struct{ name, got, want string }{
		{"line", Line(text), `a\n\t\r\x1b\u202e\u200b\u2028é\xff\ufeff` + "\u00a0" + `\U000e0001` + "\ufffdz"},
		{"row", Row(text), `a\n` + "\t" + `\r\x1b\u202e\u200b\u2028é\xff\ufeff` + "\u00a0" + `\U000e0001` + "\ufffdz"},
		{"text", Text(text), "a\n\t" + `\r\x1b\u202e\u200b\u2028é\xff\ufeff` + "\u00a0" + `\U000e0001` + "\ufffdz"},
		{"message", Message("a\n" + strings.Repeat("é", 3000)),
			`a\n` + strings.Repeat("é", 2047) + "… (1906 more bytes)"},
		{"harmless", Line("×10⁻³ ← 漢字"), "×10⁻³ ← 漢字"},
	} {
		if test.got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, test.got, test.want)
		}
	}
}
