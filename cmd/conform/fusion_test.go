package main

import (
	"os"
	"os/exec"
	"regexp"
	"runtime"
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
	{pkg: "metalrun/internal/ball", meant: "productOf"},
	{pkg: "metalrun/internal/simt/lanes"},
	{pkg: "oracles"},
	{pkg: "oracles/internal/loops"},
	{pkg: "fixtures"},
	{pkg: "fixtures/metalsci"},
	{pkg: "metalrun/forecast"},
	{pkg: "suite"},
	{pkg: "suite/metrics"},
	{pkg: "suite/adhoc"},
	{pkg: "suite/kernels"},
	{pkg: "reports/statistics"},
	{pkg: "reports/trend"},
}

// TestNothingFuses looks for fused instructions in what these packages compile
// to for arm64. Elsewhere that compiles all they need a second time, so that it takes
// a minute: .ci/run asks for it.
func TestNothingFuses(t *testing.T) {
	if os.Getenv("CONFORM_ARM64_LISTING") == "" && (runtime.GOARCH != "arm64" || testing.Short()) {
		t.Skip("compiles packages for arm64: CONFORM_ARM64_LISTING=1 asks for it")
	}
	args := []string{"build", "-gcflags=-S"}
	for _, u := range unfused {
		args = append(args, "metalconform/"+u.pkg)
	}
	cmd := exec.Command("go", args...)
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "CGO_ENABLED=0")
	output, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go build: %v\n%s", err, output)
	}
	listings := listingsOf(string(output))
	for _, u := range unfused {
		listing := listings["metalconform/"+u.pkg]
		if !regexp.MustCompile(`\tF(MUL|DIV)[SD]\t`).MatchString(listing) {
			t.Errorf("%s: the listing shows no product", u.pkg)
		}
		function, meant := "", 0
		for line := range strings.Lines(listing) {
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
			t.Errorf("%s: %s is not fused", u.pkg, u.meant)
		}
	}
}

var fused = regexp.MustCompile(`\tFN?M(ADD|SUB)[SD]\t`)

// listingsOf are the listings that go build prints of several packages, each behind a
// line with a # and its path.
func listingsOf(output string) map[string]string {
	listings := map[string]string{}
	for part := range strings.SplitSeq("\n"+output, "\n# ") {
		pkg, listing, _ := strings.Cut(part, "\n")
		listings[pkg] += listing
	}
	return listings
}
