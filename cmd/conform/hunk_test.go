package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	const was, is = "one\n-- two\nthree\nfour\nfive\nsix\nsix\neight\nnine", "ONE\n++ TWO\nthree\nsix\nsix\nsix and a half\nseven\neight\nnine\nten\n"
	hunks, err := parseHunks(diff, func(name string) (string, bool) { return strings.CutPrefix(name, "k/") })
	if err != nil {
		t.Fatal(err)
	}
	want := []hunk{
		{"a.metal", 1, []string{"one"}, []string{"ONE"}},
		{"a.metal", 2, []string{"-- two"}, []string{"++ TWO"}},
		{"a.metal", 4, []string{"four", "five"}, nil},
		{"a.metal", 6, nil, []string{"six and a half", "seven"}},
		{"a.metal", 9, []string{"nine"}, []string{"nine", "ten"}},
		{"o/b.h", 1, []string{"x"}, []string{"y"}},
	}
	if diff := cmp.Diff(want, hunks, cmp.AllowUnexported(hunk{})); diff != "" {
		t.Fatalf("hunks (-want +got):\n%s", diff)
	}
	texts := map[string]string{"a.metal": is}
	for i, want := range []string{
		strings.Replace(is, "ONE", "one", 1), strings.Replace(is, "++ TWO", "-- two", 1), strings.Replace(is, "three\n", "three\nfour\nfive\n", 1),
		strings.Replace(is, "six and a half\nseven\n", "", 1), strings.Replace(is, "ten\n", "", 1),
	} {
		if got := undone(texts, hunks[i:i+1])["a.metal"]; got != want {
			t.Errorf("without %+v:\n%s\nwant\n%s", hunks[i], got, want)
		}
	}
	if got := strings.TrimSuffix(undone(texts, hunks[:5])["a.metal"], "\n"); got != was {
		t.Errorf("without any:\n%s\nwant\n%s", got, was)
	}
	if _, err := parseHunks("+++ a\n@@ -1 +1,2 @@\n-x\n+y\n", func(name string) (string, bool) { return name, true }); err == nil {
		t.Error("a hunk that lacks a line is read")
	}
}
