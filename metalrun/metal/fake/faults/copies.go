package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// target is the package that gets faults, as a directory of the module.
const target = "metalrun/metal"

func (f fault) String() string { return fmt.Sprintf("%s: %q for %q", f.file, f.new, f.old) }

// build makes the test program, with a copy of the package for each fault.
func build(ctx context.Context, dir string, chosen []fault) (program string, err error) {
	module, err := exec.CommandContext(ctx, "go", "list", "-m").Output()
	if err != nil {
		return "", fmt.Errorf("go list -m: %w", err)
	}
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(target), "*.go"))
	if err != nil {
		return "", err
	}
	o := overlay{}
	for i, f := range chosen {
		if err := o.addCopy(dir, i, f, files); err != nil {
			return "", fmt.Errorf("%v: %w", f, err)
		}
	}
	if err := o.write(dir, "choice_test.go", filepath.Join(target, "choice_test.go"),
		choice(strings.TrimSpace(string(module)), len(chosen))); err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]overlay{"Replace": o})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, text, 0o666); err != nil {
		return "", err
	}
	program = filepath.Join(dir, "test")
	cmd := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-tags", "metaldouble", "-ldflags", "-s -w",
		"-overlay", list, "-o", program, "./"+target)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("a fault does not build: %w\n%s", err, out)
	}
	return program, nil
}

// overlay has the files that go reads instead of those that are there, by absolute path.
type overlay map[string]string

// write has go find a text at a path of the module.
func (o overlay) write(dir, name, path, text string) error {
	at, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	o[at] = filepath.Join(dir, name)
	return os.WriteFile(o[at], []byte(text), 0o666)
}

// copyName is the package with the fault of a number, in a directory of the target.
func copyName(i int) string { return fmt.Sprintf("fault%d", i) }

// addCopy adds a copy of the package: its own files, but for that with the fault.
func (o overlay) addCopy(dir string, i int, f fault, files []string) error {
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		at := filepath.Join(filepath.Dir(file), copyName(i), name)
		if name != f.file {
			original, err := filepath.Abs(file)
			if err != nil {
				return err
			}
			if at, err = filepath.Abs(at); err != nil {
				return err
			}
			o[at] = original
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if n := strings.Count(string(text), f.old); n != 1 {
			return fmt.Errorf("the text stands there %d times, want once", n)
		}
		if err := o.write(dir, copyName(i)+name, at, strings.Replace(string(text), f.old, f.new, 1)); err != nil {
			return err
		}
	}
	return nil
}

// choice is a file for the tests that has them open the copy that the environment names.
func choice(module string, copies int) string {
	var imports, functions strings.Builder
	for i := range copies {
		fmt.Fprintf(&imports, "\t%s %q\n", copyName(i), module+"/"+target+"/"+copyName(i))
		fmt.Fprintf(&functions, "\t\t%s.New,\n", copyName(i))
	}
	return fmt.Sprintf(`package metal_test

import (
	"os"
	"strconv"

	"%s/metalrun"
%s)

func init() {
	i, err := strconv.Atoi(os.Getenv("METAL_FAULT"))
	if err != nil {
		panic(err)
	}
	newRunner = []func() (metalrun.Runner, error){
%s	}[i]
}
`, module, imports.String(), functions.String())
}
