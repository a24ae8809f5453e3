package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTrialBudget has kernels with thousands of places whose values Metal leaves unspecified. Trials of all their
// launches together take what they may, one line says that the others are not tried, and -launch-budget lets them take
// more.
func TestTrialBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("tries thousands of values")
	}
	const places = 800
	for name, c := range map[string]struct{ before, each, after string }{
		"divisions": {"int x = c[i], s = 0;", "s += x / (c[%d] - c[%[1]d]);", "a[i] = s;"},
		"roundings": {"int s = 0;", "s += int(1e30f * c[i + %d]);", "a[i] = s;"},
		"shuffles":  {"float x = c[i]; int s = 0;", "s += int(simd_shuffle(x, i + %d));", "a[i] = s;"},
		"arrays":    {"", "float x%d[4]; a[i] += x%[1]d[c[i] & 3] > 0 ? 1 : 0;", ""},
	} {
		var body strings.Builder
		for n := range places {
			fmt.Fprintf(&body, c.each+"\n", n)
		}
		file := filepath.Join(t.TempDir(), "k.metal")
		source := "#include <metal_stdlib>\nusing namespace metal;\nkernel void k(device int *a, device const int " +
			"*c, uint i [[thread_position_in_grid]]) {\n" + c.before + "\n" + body.String() + c.after + " }\n"
		if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		found := map[int]int{}
		for _, log := range []int{35, 37} {
			var out bytes.Buffer
			conform(t.Context(), []string{"check", "-exec", "-launch-budget", fmt.Sprint(int64(1) << log), file}, &out,
				&out)
			text := out.String()
			if n := strings.Count(text, "-launch-budget lets trials take more"); n != 1 ||
				!strings.Contains(text, "k.metal:3:1: undefined: values that Metal leaves unspecified at ") {
				t.Errorf("%s, 2^%d steps: %d lines say what is not tried:\n%s", name, log, n, text)
			}
			if strings.Contains(text, "with guessed integers") ||
				strings.Contains(text, "and nothing is found in those") {
				t.Errorf("%s, 2^%d steps: what was not tried again is a note:\n%s", name, log, text)
			}
			found[log] = strings.Count(text, "k.metal:") // at least a line each
		}
		if found[37] < found[35] || found[35] < 2 {
			t.Errorf("%s: %d lines with 2^35 steps, %d with 2^37", name, found[35], found[37])
		}
	}
}
