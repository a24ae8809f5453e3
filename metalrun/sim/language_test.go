package sim_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
)

// TestLanguage launches the kernels of testdata/language, one thread each, and compares what they
// write with the values above them. README.md there defines the format.
func TestLanguage(t *testing.T) {
	paths, err := filepath.Glob("testdata/language/*.metal")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs: ", err)
	}
	for i, path := range paths {
		if testing.Short() && i%4 != 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".metal"), func(t *testing.T) {
			f, text := readFeature(t, path)
			f.run(t, metalrun.SourceText(filepath.Base(path), text))
		})
	}
}

// feature is a parsed file of testdata/language.
type feature struct {
	options metalrun.CompileOptions
	names   []string // kernels, in order
	wants   map[string]want
}

// parseFeature reads the directives of a file: "// want TYPE VALUES…" above each kernel.
func parseFeature(text string) (*feature, error) {
	f := &feature{wants: map[string]want{}}
	var next *want
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) > 2 && words[0] == "//" && words[1] == "version":
			v, err := strconv.Atoi(words[2])
			if err != nil {
				return nil, err
			}
			f.options.LanguageVersion = metalrun.Version(v)
		case len(words) > 3 && words[0] == "//" && words[1] == "want":
			data, err := encode(words[2], words[3:])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			next = &want{0, words[2], data}
		case strings.HasPrefix(line, "kernel void "):
			name, _, _ := strings.Cut(words[2], "(")
			if next == nil {
				return nil, fmt.Errorf("line %d: nothing is wanted of %s", n+1, name)
			}
			f.names, f.wants[name], next = append(f.names, name), *next, nil
		}
	}
	if next != nil || len(f.names) == 0 {
		return nil, errors.New("want without kernel")
	}
	return f, nil
}

func (f *feature) run(t *testing.T, source metalrun.Source) {
	analysed, err := metalrun.Analyse(source, f.options)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := sim.New(sim.Semantics{}).Compile(analysed)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range f.names {
		p := program{wants: []want{f.wants[name]}}
		if err := p.complete(); err != nil {
			t.Fatal(err)
		}
		k, err := lib.Kernel(name)
		if err == nil {
			_, err = k.Run(p.dispatch)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		t.Run(name, p.checkWants)
	}
}

// readFeature reads a file of small programs.
func readFeature(t *testing.T, path string) (f *feature, text string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if f, err = parseFeature(string(data)); err != nil {
		t.Fatal(err)
	}
	return f, string(data)
}
