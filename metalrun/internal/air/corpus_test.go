package air

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// libraries are the files of the folder that CONFORM_METALLIBS names: libraries of other projects.
func libraries(t testing.TB) []*Library {
	dir := os.Getenv("CONFORM_METALLIBS")
	if dir == "" {
		t.Skip("CONFORM_METALLIBS names no folder of libraries")
	}
	paths, err := filepath.Glob(filepath.Join(dir, "*.metallib"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%s has no libraries: %v", dir, err)
	}
	var list []*Library
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		l, err := Read(filepath.Base(path), data)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, l)
	}
	return list
}

// TestDisassembly compares modules with what llvm-dis prints, up to the spelling of types, constants and metadata.
func TestDisassembly(t *testing.T) {
	tool, err := exec.LookPath("llvm-dis")
	if err != nil {
		t.Skip("there is no llvm-dis")
	}
	for _, l := range libraries(t) {
		for _, k := range l.Kernels {
			c := exec.Command(tool, "-")
			c.Stdin = bytes.NewReader(k.data)
			want, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			if got, want := skeleton(k.Listing()), skeleton(string(want)); got != want {
				t.Fatalf("%s: %s: %s", l.Name, k.Name, difference(got, want))
			}
		}
	}
}

// operands are what skeletons keep: results, operations, flags, and operands that have a name or a number.
var (
	operands  = regexp.MustCompile(`%"?[A-Za-z0-9_.]+"?|@[A-Za-z0-9_.$]+|align \d+| -?\d+\b|fast|volatile`)
	alignment = regexp.MustCompile(`align \d+`)
	ignored   = regexp.MustCompile(`, ?![a-z].*| #\d+|\b(tail|fastcc|inbounds|nuw|nsw|exact|noundef) ?|` +
		`addrspace\(\d+\)|(<|\[)\d+ x |%"[^"]*"|%(struct|class|union)[A-Za-z0-9_.]*|; preds.*|"[^"]*"|` +
		`dereferenceable\(\d+\)|\(.*\)\*+ @.*`)
)

// skeleton is what is compared of each instruction.
func skeleton(text string) string {
	var b strings.Builder
	inside := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "define"):
			inside = true
			continue
		case strings.HasPrefix(line, "}"):
			inside = false
		}
		if !inside || !strings.HasPrefix(line, "  ") {
			continue
		}
		if strings.Contains(line, "bitcast (") || strings.Contains(line, "getelementptr (") ||
			strings.Contains(line, "getelementptr inbounds (") {
			b.WriteString("\nan expression of constants")
			continue
		}
		if line = ignored.ReplaceAllString(line, ""); strings.Contains(line, "call ") {
			line = alignment.ReplaceAllString(line, "")
		}
		if !strings.HasPrefix(line, "    ") && !strings.HasPrefix(line, "  ]") { // the cases of a switch belong to it
			b.WriteString("\n")
		}
		for _, part := range operands.FindAllString(line, -1) {
			b.WriteString(strings.TrimSpace(part) + " ")
		}
	}
	return b.String()
}

func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got " + g[i] + ", want " + w[i]
		}
	}
	return "one is longer"
}
