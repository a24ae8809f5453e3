package lanes

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestGenerated runs the generator of the assembly for x86-64 where it writes
// nothing that is committed.
func TestGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a generator")
	}
	dir := t.TempDir()
	generator := filepath.Join(dir, "avx2")
	if out, err := exec.Command("go", "build", "-o", generator, "./avx2").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for kind, wide := range map[string][]string{"avx2": nil, "avx512": {"-wide"}} {
		files := []string{kind + "_amd64.s", kind + "_amd64.go"}
		run := exec.Command(generator, append(wide, "-pkg", "lanes", "-out", files[0], "-stubs", files[1])...)
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", kind, err, out)
		}
		for _, file := range files {
			want, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s is not what the generator writes (%v): go generate mends it", file, err)
			}
		}
	}
}
