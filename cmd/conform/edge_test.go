package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// What text of others can try on a terminal or on the log of a CI system.
func TestEdge(t *testing.T) {
	for in, want := range map[string]string{
		"plain: a::b\n\t1 µs\n":             "plain: a::b\n\t1 µs\n",
		"a\n::error::pwned\n":               "a\n:\\:error::pwned\n",
		"\t ::set-output name=x::y":         "\t :\\:set-output name=x::y",
		"\x1b[31mred\x1b[0m\x1b[K":          "\x1b[31mred\x1b[0m\x1b[K",
		"\x1b]0;title\x07":                  `\u001b]0;title\u0007`,
		"\x1b[2Jcleared\x1bc":               `\u001b[2Jcleared\u001bc`,
		"over\rwritten\b\x7f":               `over\u000dwritten\u0008\u007f`,
		"\u202etxt.exe\u2066":               `\u202etxt.exe\u2066`,
		"line\u2028::error::x\u0085":        `line\u2028::error::x\u0085`,
		"not UTF-8: \xff\xc3(":              `not UTF-8: \xff\xc3(`,
		"null \x00, 8-bit CSI \u009b31mred": `null \u0000, 8-bit CSI \u009b31mred`,
	} {
		var b strings.Builder
		e := &edge{w: &b}
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

// Output files are locked while they are written, and an older one is put aside.
func TestClaim(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.jsonl")
	for i, text := range []string{"first", "second"} {
		file, err := claim(name, false)
		if err != nil {
			t.Fatal(err)
		}
		if other, err := claim(name, true); err == nil || other != nil {
			t.Errorf("claimed twice: %v", err)
		}
		file.WriteString(text)
		file.Close()
		if old, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "results-1.jsonl")); i == 1 && string(old) != "first" {
			t.Errorf("put aside: %q", old)
		}
	}
	file, err := claim(name, true)
	if err != nil {
		t.Fatal(err)
	}
	file.Close()
	if list, _ := filepath.Glob(filepath.Join(filepath.Dir(name), "*")); len(list) != 2 {
		t.Errorf("files %v", list)
	}
}
