package gate

import (
	"testing"

	"metalconform/metalrun"
)

// TestTouched: edits of lines that a change has not touched are none of it. A change of a comment touches a line that
// has nothing to edit.
func TestTouched(t *testing.T) {
	const diff = `+++ k.metal
@@ -3 +3 @@
-// sums rows
+// sums the rows of x
@@ -8,0 +9,2 @@
+    s += 1;
+    s += 2;
@@ -20 +21,0 @@
-    s = 0;
`
	hunks, err := parseHunks(diff, func(file string) (string, bool) { return file, true })
	if err != nil {
		t.Fatal(err)
	}
	of := touched{lines: linesIn(hunks), had: map[string]string{"k.metal": "", "other.h": ""},
		whole: map[string]bool{"respecified": true}}
	for _, test := range []struct {
		kernel, file string
		line         int
		want         bool
	}{
		{"k", "k.metal", 4, false}, {"k", "k.metal", 3, true}, {"k", "k.metal", 9, true}, {"k", "k.metal", 10, true},
		{"k", "k.metal", 11, false}, {"k", "k.metal", 22, true}, {"k", "other.h", 3, false},
		{"k", "new.metal", 5, true},
		{"respecified", "k.metal", 4, true},
	} {
		got := of.has([]string{test.kernel}, metalrun.Position{File: test.file, Line: test.line})
		if got != test.want {
			t.Errorf("line %d of %s in %s: %v", test.line, test.file, test.kernel, got)
		}
	}
}
