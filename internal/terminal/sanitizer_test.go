package terminal

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What text of others can try on a terminal or on the log of a CI system.
func TestSanitizer(t *testing.T) {
	for in, want := range map[string]string{
		"plain: a::b\n\t1 µs\n":             "plain: a::b\n\t1 µs\n",
		"a\n::error::pwned\n":               "a\n:\\u003aerror::pwned\n",
		"\t ::set-output name=x::y":         "\t :\\u003aset-output name=x::y",
		"\x1b[31mred\x1b[0m":                "\x1b[31mred\x1b[0m",
		"\x1b[8mhidden\x1b[2K\x1b[30;40m":   `\u001b[8mhidden\u001b[2K\u001b[30;40m`,
		"an older ##[error]forged":          `an older ##\u005berror]forged`,
		"##vso[task.setvariable]a":          `##vso\u005btask.setvariable]a`,
		" ##teamcity[x '##'] #a[ ## a[1]":   ` ##teamcity\u005bx '##'] #a[ ## a[1]`,
		"\x1b]0;title\x07":                  `\u001b]0;title\u0007`,
		"\x1b[2Jcleared\x1bc":               `\u001b[2Jcleared\u001bc`,
		"over\rwritten\b\x7f":               `over\u000dwritten\u0008\u007f`,
		"\u202etxt.exe\u2066":               `\u202etxt.exe\u2066`,
		"line\u2028::error::x\u0085":        `line\u2028::error::x\u0085`,
		"not UTF-8: \xff\xc3(":              `not UTF-8: \xff\xc3(`,
		"null \x00, 8-bit CSI \u009b31mred": `null \u0000, 8-bit CSI \u009b31mred`,
	} {
		var b strings.Builder
		e := NewSanitizer(&b, 0)
		for i := range len(in) { // wherever writes end
			if strings.Contains(in, "\x1b[") { // but within our own sequences
				e.Write([]byte(in))
				break
			}
			e.Write([]byte(in[i : i+1]))
		}
		if diff := cmp.Diff(want, b.String()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", in, diff)
		}
	}
}

// A line of messages that never ends says how much is left out, and the next one begins anew.
func TestLongLines(t *testing.T) {
	const in = "1234567890\n12345678901\x1b234\n\nab\n"
	for size := 1; size < len(in); size++ { // of writes
		var b strings.Builder
		e := NewSanitizer(&b, 10)
		for text := in; text != ""; text = text[min(size, len(text)):] {
			e.Write([]byte(text[:min(size, len(text))]))
		}
		if diff := cmp.Diff("1234567890\n1234567890… (10 more bytes)\n\nab\n", b.String()); diff != "" {
			t.Errorf("%d bytes at a time (-want +got):\n%s", size, diff)
		}
	}
}
