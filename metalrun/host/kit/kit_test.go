package kit

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/metalrun/host"
	"metalconform/metalrun/host/abi"
)

// variable says whether programs have to be tested: "required" where nothing may be left out, and "later" where another
// step tests them.
const variable = "CONFORM_PROGRAMS"

// built is the library in a folder.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() || os.Getenv(variable) == "later" {
		t.Skip("compiles a library; " + variable + "=required go test ./metalrun/host/kit does")
	}
	if _, err := findTools(""); err != nil {
		if os.Getenv(variable) == "required" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	dir := t.TempDir()
	if err := Build(context.Background(), dir, ""); err != nil {
		t.Fatal(err)
	}
	return dir
}

// compiled is a program of testdata.
func compiled(t *testing.T, dir, file string, more ...string) string {
	t.Helper()
	f, err := ReadFlags(dir)
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, strings.TrimSuffix(file, filepath.Ext(file)))
	args := append(append(f.Compile, more...), filepath.Join("testdata", file), "-o", program)
	if err := execute(exec.Command(f.Clang, append(args, f.Link...)...)); err != nil {
		t.Fatal(err)
	}
	return program
}

// found runs a program and lists the checks that find something.
func found(t *testing.T, program string, args ...string) []string {
	t.Helper()
	report := filepath.Join(t.TempDir(), "report.jsonl")
	c := exec.Command(program, args...)
	c.Env = append(os.Environ(), abi.Variable+"="+abi.Settings(host.Options{}, report))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	file, err := os.Open(report)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var checks []string
	whole := false
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var l host.Line
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		if l.Finding != nil {
			checks = append(checks, l.Finding.Check)
			t.Log(l.Finding)
		}
		whole = whole || l.Summary != nil
	}
	if !whole {
		t.Error("the report has no end")
	}
	return checks
}

// TestPrograms runs the programs of testdata: what is planted is found, and nothing else.
func TestPrograms(t *testing.T) {
	dir := built(t)
	for file, flags := range map[string][]string{"arc.m": {"-fobjc-arc"}, "cpp.mm": {"-std=c++17", "-lstdc++"},
		"messages.cpp": {"-std=c++17", "-lstdc++"}} {
		t.Run(file, func(t *testing.T) {
			if checks := found(t, compiled(t, dir, file, flags...)); checks != nil {
				t.Errorf("found %v in a correct program", checks)
			}
		})
	}
	programs := compiled(t, dir, "programs.m")
	list, err := exec.Command(programs).Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		name, want, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(found(t, programs, name), " "); got != want {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}

// TestMissing tests that a build without tools names Debian's packages.
func TestMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := findTools("")
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "apt-get install clang-16") {
		t.Errorf("without a compiler: %v", err)
	}
}
