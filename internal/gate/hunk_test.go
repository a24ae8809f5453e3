package gate

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestHunks reads a diff, and takes its parts back one by one and all together.
func TestHunks(t *testing.T) {
	const diff = `diff --git k/a.metal k/a.metal
index 1..2 100644
--- k/a.metal
+++ k/a.metal
@@ -1,2 +1,2 @@
-one
--- two
+ONE
+++ TWO
@@ -4,2 +3,0 @@ kernel void f()
-four
-five
@@ -7,0 +6,2 @@
+six and a half
+seven
@@ -9 +9,2 @@
-nine
\ No newline at end of file
+nine
+ten
diff --git o/b.h o/b.h
--- o/b.h
+++ o/b.h
@@ -1 +1 @@
-x
+y
`
	const was, is = "one\n-- two\nthree\nfour\nfive\nsix\nsix\neight\nnine",
		"ONE\n++ TWO\nthree\nsix\nsix\nsix and a half\nseven\neight\nnine\nten\n"
	hunks, err := parseHunks(diff, func(name string) (string, bool) { return strings.CutPrefix(name, "k/") })
	if err != nil {
		t.Fatal(err)
	}
	want := []Hunk{
		{"a.metal", 1, []string{"one"}, []string{"ONE"}},
		{"a.metal", 2, []string{"-- two"}, []string{"++ TWO"}},
		{"a.metal", 4, []string{"four", "five"}, nil},
		{"a.metal", 6, nil, []string{"six and a half", "seven"}},
		{"a.metal", 9, []string{"nine"}, []string{"nine", "ten"}},
		{"o/b.h", 1, []string{"x"}, []string{"y"}},
	}
	if diff := cmp.Diff(want, hunks, cmp.AllowUnexported(Hunk{})); diff != "" {
		t.Fatalf("hunks (-want +got):\n%s", diff)
	}
	texts := map[string]string{"a.metal": is}
	for i, want := range []string{
		strings.Replace(is, "ONE", "one", 1), strings.Replace(is, "++ TWO", "-- two", 1),
		strings.Replace(is, "three\n", "three\nfour\nfive\n", 1),
		strings.Replace(is, "six and a half\nseven\n", "", 1), strings.Replace(is, "ten\n", "", 1),
	} {
		if got := undone(texts, hunks[i:i+1])["a.metal"]; got != want {
			t.Errorf("without %+v:\n%s\nwant\n%s", hunks[i], got, want)
		}
	}
	if got := strings.TrimSuffix(undone(texts, hunks[:5])["a.metal"], "\n"); got != was {
		t.Errorf("without any:\n%s\nwant\n%s", got, was)
	}
	if _, err := parseHunks("+++ a\n@@ -1 +1,2 @@\n-x\n+y\n",
		func(name string) (string, bool) { return name, true }); err == nil {
		t.Error("a hunk that lacks a line is read")
	}
}

// What a change says of its files in .gitattributes hides no line of it, and runs nothing.
func TestHunksAreNotHidden(t *testing.T) {
	was := map[string]string{"k.metal": "one\ntwo\n", "../lib/same.h": "x\n"}
	is := map[string]string{"k.metal": "one\nTWO\n", "../lib/same.h": "x\n", "new.metal": "three\n"}
	list, err := hunksOf(t.Context(), was, is)
	if err != nil {
		t.Fatal(err)
	}
	want := []Hunk{{file: "k.metal", line: 2, was: []string{"two"}, is: []string{"TWO"}},
		{file: "new.metal", line: 1, is: []string{"three"}}}
	if diff := cmp.Diff(want, list, cmp.AllowUnexported(Hunk{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

// A diff is taken apart, or refused, and its parts are taken back from any text.
func FuzzHunks(f *testing.F) {
	f.Add("--- a\n+++ k\n@@ -1,2 +1 @@\n-one\n-two\n+ONE\n\\ No newline\n@@ -4 +3,0 @@ void f()\n-x\n",
		"ONE\ntwo\nthree")
	f.Add("+++ k\n@@ -0,0 +0,1 @@\n+x\n@@ -9 +99999999999999999999 @@\n-a\n+b\n", "")
	f.Fuzz(func(t *testing.T, diff, text string) {
		hunks, err := parseHunks(diff, func(name string) (string, bool) { return name, true })
		if err != nil {
			return
		}
		texts := map[string]string{}
		for _, h := range hunks {
			texts[h.file] = text
		}
		undone(texts, hunks)
		linesIn(hunks)
	})
}
