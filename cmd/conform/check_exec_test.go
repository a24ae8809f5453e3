package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/suite/adhoc"
)

// Nothing is found in our own kernels, each in cases of the catalogue.
func TestCheckShaders(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	t.Chdir(filepath.Join("..", "..", "shaders"))
	names, err := filepath.Glob("*.metal")
	if err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if status := conform(context.Background(), append([]string{"check", "-exec", "-v"}, names...), &stdout, &stderr); status != exitConforms {
		t.Errorf("status %d: %s", status, stderr.String())
	}
	for line := range strings.Lines(stdout.String()) {
		if strings.Contains(line, "guessed") || strings.Contains(line, "note: ") {
			t.Errorf("not a case of the catalogue: %s", line)
		}
	}
	if n := strings.Count(stdout.String(), ": ok, "); n != len(names) {
		t.Errorf("%d of %d files are without findings:\n%s", n, len(names), stdout.String())
	}
}

// A row may have as many threads as elements, so that threads which leave before a barrier are at fault only if the
// length leaves none over.
func TestBarriersOfShortRows(t *testing.T) {
	for length, want := range map[float64]verdict{13: undecided, 63: undecided, 64: decided, 1100: decided} {
		var o observation
		o.Check, o.fault = "fault", &metalrun.Fault{Kind: metalrun.Divergent}
		if got := o.ofLength(adhoc.Otherwise{Value: length}, 64); got != want {
			t.Errorf("%v elements: verdict %d, want %d", length, got, want)
		}
	}
}
