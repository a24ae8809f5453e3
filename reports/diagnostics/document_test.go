package diagnostics

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"metalconform/metalrun"
)

// Lines and characters are those that counting from the start finds.
func TestDocument(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var b strings.Builder
		for range r.IntN(40_000) {
			b.WriteString([]string{"a", "é", "\n", "\r\n", "漢", "\xff"}[r.IntN(6)])
		}
		text := b.String()
		d := &document{text: text}
		for range 50 {
			offset := r.IntN(len(text) + 1)
			if got, want := d.characters(offset), utf8.RuneCountInString(text[:offset]); got != want &&
				utf8.ValidString(text[:offset]) {
				t.Fatalf("%d characters before byte %d, want %d", got, offset, want)
			}
		}
		lines := strings.Split(text, "\n")
		for i, want := range lines {
			if got, start, ok := d.line(i + 1); !ok || got != strings.TrimRight(want, "\r") ||
				!strings.HasPrefix(text[start:], want) {
				t.Fatalf("line %d: got %q at %d, want %q", i+1, got, start, want)
			}
		}
		for _, n := range []int{0, len(lines) + 1} {
			if got, _, ok := d.line(n); ok {
				t.Errorf("there is a line %d of %d: %q", n, len(lines), got)
			}
		}
	}
}

// A text is read once for all that is said of it.
func TestManyDiagnosticsOfALongText(t *testing.T) {
	text := "/*" + strings.Repeat("x", 1<<16) + "*/ " + strings.Repeat("y[0] = undefined;", 1000)
	list := make([]Diagnostic, 1000)
	for i := range list {
		list[i] = Diagnostic{Diagnostic: metalrun.Diagnostic{Position: metalrun.Position{File: "k.metal", Line: 1,
			Col: 1<<16 + 13 + 17*i}, Code: "undeclared", Message: "use of undeclared identifier"}}
	}
	for _, style := range []Style{{Format: Text}, {Format: SARIF}} {
		reads := 0
		w := NewWriter(new(strings.Builder), style)
		err := w.Write(list, func(string) (string, bool) { reads++; return text, true })
		if err == nil {
			err = w.Close()
		}
		if err != nil || reads != 1 {
			t.Errorf("%v: read %d times, want once: %v", style.Format, reads, err)
		}
	}
}
