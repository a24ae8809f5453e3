package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// beyond are names of what a processor with AVX2 lacks: sixteen more registers, wider ones and masks. An allocator
// of registers takes them silently where sixteen do not do, and instructions on them are illegal there.
var beyond = regexp.MustCompile(`\b([XY](1[6-9]|2[0-9]|3[01])|Z[0-9]+|K[0-7]|AVX512\w*)\b`)

// TestAssembly looks for them in the assembly for x86-64, which no processor with AVX-512 would tell. Files that are
// called after AVX-512 are for such processors alone.
func TestAssembly(t *testing.T) {
	for line, bad := range map[string]bool{
		"VANDPD Y3, Y0, Y16": true, "VMOVD (BX), X31": true, "VADDPD Z1, Z2, Z3": true, "VPCMPD Y1, Y2, K1": true,
		"// Requires: AVX, AVX512F": true,
		"VMULPS Y15, Y9, Y0":        false, "VMOVUPD 160(AX), X1": false, "// Requires: AVX, AVX2": false,
	} {
		if beyond.MatchString(line) != bad {
			t.Errorf("%q: refused is %t", line, !bad)
		}
	}
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_amd64.s") || strings.HasPrefix(d.Name(), "avx512") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for i, line := range strings.Split(string(text), "\n") {
			if beyond.MatchString(line) {
				t.Errorf("%s:%d: %s", path, i+1, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil || files == 0 {
		t.Errorf("%d files: %v", files, err)
	}
}
