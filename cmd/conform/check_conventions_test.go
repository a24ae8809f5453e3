package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

var conventions = flag.Bool("conventions", false, "try all kernels of testdata/conventions, not each third")

// Kernels as engines write them, each with its own way to pass sizes, strides, lists and grids. Nothing is found in
// those that are right. FAULT seeds one in each: 1 leaves out a barrier, others take a wrong index.
func TestConventions(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	t.Chdir(filepath.Join("testdata", "conventions"))
	files, err := filepath.Glob("*.metal")
	if err != nil || len(files) == 0 {
		t.Fatal("no kernels", err)
	}
	if !*conventions {
		var third []string
		for i := 0; i < len(files); i += 3 {
			third = append(third, files[i])
		}
		files = third
	}
	told := regexp.MustCompile(`(?m)^(PASS|FAIL) \S+: (?:\d+ findings?, )?(\d+ warnings?, )?`)
	for fault := range 4 {
		seeded := slices.DeleteFunc(slices.Clone(files), func(name string) bool {
			text, err := os.ReadFile(name)
			return err != nil || fault > 0 && !regexp.MustCompile(fmt.Sprintf("FAULT [!=]= %d", fault)).Match(text)
		})
		var stdout, stderr bytes.Buffer
		conform(context.Background(), slices.Concat([]string{"check", "-exec", "-D", fmt.Sprintf("FAULT=%d", fault)},
			seeded), &stdout, &stderr)
		verdicts := told.FindAllStringSubmatch(stdout.String(), -1)
		if len(verdicts) != len(seeded) {
			t.Errorf("FAULT=%d: %d verdicts on %d files:\n%s%s", fault, len(verdicts), len(seeded), stdout.String(),
				stderr.String())
		}
		for _, v := range verdicts {
			if clean := v[1] == "PASS" && v[2] == ""; clean != (fault == 0) {
				t.Errorf("FAULT=%d: %s", fault, v[0])
			}
		}
	}
}
