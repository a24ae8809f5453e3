package oracles

import (
	"os"
	"os/exec"
	"regexp"
	"testing"
)

// TestNothingFuses compiles the package for arm64 and looks for fused
// instructions, which would change wants and bounds there and nowhere else. A
// product that a sum takes is converted to float64, which rounds it.
func TestNothingFuses(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the package for arm64")
	}
	cmd := exec.Command("go", "build", "-gcflags=-S", ".")
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	listing, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, listing)
	}
	if !regexp.MustCompile(`\tFMULD\t`).Match(listing) {
		t.Fatal("the listing shows no multiplication")
	}
	for _, line := range regexp.MustCompile(`.*\tFN?M(ADD|SUB)[SD]\t.*`).FindAll(listing, 10) {
		t.Errorf("fused: %s", line)
	}
}
