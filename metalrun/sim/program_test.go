package sim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMalformedPrograms shows that a file of testdata/run whose directives are
// wrong is an error, so that no program passes because nothing was asked of it.
func TestMalformedPrograms(t *testing.T) {
	cases := []struct{ text, want string }{
		{"// A remark.\nkernel", "nothing is wanted"},
		{"// A remark.\n// wnat 0 int 1\n// want 0 int 1", ""}, // as long as no directive came before, it is a remark
		{"// want 0 int 1\n// wnat 1 int 1", "2: no directive"},
		{"// want 0 int", "1: want takes 3 words at least"},
		{"// want 0 integer 1", `unknown type "integer"`},
		{"// want x int 1", `parsing "x"`},
		{"// want 0 float one", `parsing "one"`},
		{"// want 0 bfloat 1.001", "1.001 is no bfloat"},
		{"// dispatch threads=8 by=4", `unknown word "by=4"`},
		{"// semantics sloppy", `unknown semantics "sloppy"`},
		{"// local 0", "local takes 2 words"},
		{"// want 0 int x3", "nothing stands before x3"},
		{"// version three", `parsing "three"`},
		{"// want 0 int 1 2 x3", ""},
	}
	for _, c := range cases {
		path := filepath.Join(t.TempDir(), "p.metal")
		if err := os.WriteFile(path, []byte(c.text+"\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := parseProgram(path)
		if got := ""; c.want == "" && err != nil ||
			c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			if err != nil {
				got = err.Error()
			}
			t.Errorf("%q: got error %q, want %q", c.text, got, c.want)
		}
	}
}

func TestSplitFiles(t *testing.T) {
	got := splitFiles("main.metal", "a\nb\n// file x/y.h\nc\n// file z.h\nd\n").Files
	want := map[string]string{"main.metal": "a\nb\n", "x/y.h": "c\n", "z.h": "d\n"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}

func TestEncode(t *testing.T) {
	got, err := encode("short", []string{"1", "-2", "x3", "0x7f"})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]byte{1, 0, 0xfe, 0xff, 0xfe, 0xff, 0xfe, 0xff, 0x7f, 0}, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
