package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// unfused are the packages whose numbers have to be the same bits on every
// machine. Go may compile x*y + z to one instruction that rounds once, and does so
// on arm64: a product that a sum takes is converted explicitly there, which
// rounds it. meant are functions that ask for a fused operation. What a library does
// is its own affair: no result may hang on its last bits.
var unfused = []struct {
	pkg   string
	meant string
}{
	{pkg: "metalrun/internal/scalar", meant: "log1p64"},
	{pkg: "metalrun/internal/simt/lanes"},
	{pkg: "oracles"},
	{pkg: "fixtures"},
	{pkg: "suite"},
	{pkg: "suite/metrics"},
	{pkg: "suite/adhoc"},
	{pkg: "suite/kernels"},
	{pkg: "reports/statistics"},
	{pkg: "reports/trend"},
}

// TestNothingFuses looks for fused instructions in what these packages compile
// to for arm64.
func TestNothingFuses(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles packages for arm64")
	}
	fused := regexp.MustCompile(`\tFN?M(ADD|SUB)[SD]\t`)
	for _, u := range unfused {
		t.Run(u.pkg, func(t *testing.T) {
			cmd := exec.Command("go", "build", "-gcflags=-S", "metalconform/"+u.pkg)
			cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
			listing, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("go build: %v\n%s", err, listing)
			}
			if !regexp.MustCompile(`\tF(MUL|DIV)[SD]\t`).Match(listing) {
				t.Fatal("the listing shows no product")
			}
			function, meant := "", 0
			for line := range strings.Lines(string(listing)) {
				if name, _, ok := strings.Cut(line, " STEXT"); ok {
					function = name
				}
				switch {
				case !fused.MatchString(line), strings.Contains(line, "@v"): // a library's, inlined
				case u.meant != "" && strings.HasSuffix(function, u.meant):
					meant++
				default:
					t.Errorf("fused in %s: %s", function, line)
				}
			}
			if u.meant != "" && meant == 0 {
				t.Errorf("%s is not fused", u.meant)
			}
		})
	}
}
