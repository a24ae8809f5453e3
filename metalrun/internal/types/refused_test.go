package types

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"metalconform/metalrun/internal/syntax"
)

// TestRefused checks the programs of testdata/refused.txt, whose first line defines the format.
func TestRefused(t *testing.T) {
	text, err := os.ReadFile("testdata/refused.txt")
	if err != nil {
		t.Fatal(err)
	}
	programs := 0
	for n, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		programs++
		var col int32
		want, program, ok := strings.Cut(line, ": ")
		var code string
		if _, err := fmt.Sscanf(want, "%d %s", &col, &code); err != nil || !ok {
			t.Errorf("line %d is not COLUMN CODE: PROGRAM", n+1)
			continue
		}
		if first := firstError(program); first == nil || first.Pos.Line != 1 || first.Pos.Col != col ||
			first.Code != code {
			t.Errorf("%s\ngot %v, want column %d, %s", program, first, col, code)
		}
	}
	if programs < 100 {
		t.Errorf("%d programs", programs)
	}
}

// firstError is the first error of a program, nil if there is none.
func firstError(program string) *syntax.Error {
	const name = "k.metal"
	cfg := syntax.Config{Version: 310}
	f, errs := syntax.Parse(name, map[string]string{name: program + "\n"}, cfg)
	if len(errs) > 0 {
		errs = Recovered(f, errs, Config{Version: 310})
	} else {
		_, errs = Check(f, Config{Version: 310})
	}
	if len(errs) == 0 {
		return nil
	}
	return errs[0]
}
