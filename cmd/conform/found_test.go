package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/suite"
)

// packSources are the flags for the sources of a project, in its checkout.
var packSources = map[string][]string{
	"candle":     {"-shaders", "candle-metal-kernels/src/metal_src"},
	"ggml":       {"-I", "src", "-D", "GGML_METAL_HAS_BF16", "-shaders", "src/ggml-metal"},
	"mlx":        {"-I", ".", "-shaders", "mlx/backend/metal/kernels"},
	"mlx-native": {"-shaders", "src"},
}

// finding is a row of the table in examples/found: kernels of a pack, and the checks that they fail by.
type finding struct {
	pack            string
	kernels, checks []string
	met             bool
}

// findings reads the table.
func findings(t *testing.T) (list []*finding) {
	t.Helper()
	text, err := os.ReadFile("../../examples/found/README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "| pack | kernels | checks |\n")
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 3 || strings.Contains(line, "---") {
			continue
		}
		f := &finding{pack: strings.TrimSpace(cells[0]), kernels: strings.Fields(strings.ReplaceAll(cells[1], "`", "")),
			checks: strings.Fields(cells[2])}
		if packSources[f.pack] == nil {
			t.Errorf("no pack is called %q", f.pack)
		}
		list = append(list, f)
	}
	return list
}

// names reports whether the row has the kernel and the check.
func (f *finding) names(pack, kernel string, check suite.Check) bool {
	return f.pack == pack && slices.Contains(f.checks, string(check)) &&
		slices.ContainsFunc(f.kernels, func(pattern string) bool {
			ok, err := path.Match(pattern, kernel)
			return ok && err == nil
		})
}

// TestFound runs the packs on the projects' sources in CONFORM_PACKS: what fails is in the table of examples/found,
// and what is there fails.
func TestFound(t *testing.T) {
	list := findings(t)
	if len(list) == 0 {
		t.Fatal("examples/found has no table of what fails")
	}
	root := os.Getenv("CONFORM_PACKS")
	if root == "" {
		t.Skip("CONFORM_PACKS names no directory of checkouts")
	}
	only := os.Getenv("CONFORM_PACKS_RUN")
	for pack, flags := range packSources {
		dir := filepath.Join(root, pack)
		if _, err := os.Stat(dir); err != nil {
			continue
		}
		t.Run(pack, func(t *testing.T) {
			found, err := foundIn(t, dir, pack, flags, only)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range found {
				if r.Status == suite.Error {
					t.Errorf("%s: %s", r.Case, r.Text())
				}
				for _, f := range r.Failures {
					at := slices.IndexFunc(list, func(row *finding) bool { return row.names(pack, r.Kernel, f.Check) })
					if r.Status == suite.Fail && at < 0 {
						t.Errorf("%s fails by %s, and examples/found says nothing of it", r.Case, f.Check)
					} else if at >= 0 {
						list[at].met = true
					}
				}
			}
			for _, row := range list {
				if row.pack == pack && !row.met && only == "" {
					t.Errorf("no kernel of %v fails by %v any more", row.kernels, row.checks)
				}
			}
		})
	}
}

// foundIn are the results of a pack on a checkout.
func foundIn(t *testing.T, dir, pack string, flags []string, only string) ([]suite.Result, error) {
	t.Chdir(dir)
	out := t.TempDir()
	args := slices.Concat([]string{"run", "-q", "-backend", "simulator", "-pack", pack, "-o", out}, flags)
	if only != "" {
		if _, err := regexp.Compile(only); err != nil {
			return nil, err
		}
		args = append(args, "-run", only)
	}
	var text bytes.Buffer
	if status := conform(context.Background(), args, &text, &text); status != exit.Fails && status != exit.Conforms {
		return nil, fmt.Errorf("exit status %d\n%s", status, text.String())
	}
	run, err := session.ReadWhole(filepath.Join(out, session.ResultsName))
	if err != nil {
		return nil, err
	}
	return run.Results, nil
}
