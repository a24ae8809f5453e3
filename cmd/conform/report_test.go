package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"metalconform/internal/exit"

	"github.com/google/go-cmp/cmp"
)

// Two runs of the same thing write the same bytes but for the times of a clock.
func TestResultsRepeat(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	clock := regexp.MustCompile(`"(started":"[^"]*"|((elapsed|cost)_)?ns":\d+)`)
	var texts [2]string
	for i := range texts {
		dir := t.TempDir()
		var stderr bytes.Buffer
		args := []string{"run", "-q", "-backend", "simulator", "-run", "^(rms_norm_qk|mla_tiled_is_folded)/", "-o", dir}
		if status := conform(context.Background(), args, &bytes.Buffer{}, &stderr); status != exit.Conforms {
			t.Fatalf("status %d: %s", status, stderr.String())
		}
		text, err := os.ReadFile(filepath.Join(dir, "results.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = clock.ReplaceAllString(string(text), "")
	}
	if texts[0] != texts[1] {
		t.Errorf("results (-first +second):\n%s", cmp.Diff(texts[0], texts[1]))
	}
}
