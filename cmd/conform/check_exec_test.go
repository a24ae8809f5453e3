package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
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
