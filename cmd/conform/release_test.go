package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The bill of materials names the modules of all programs of a release once, those that one system alone needs among
// them. A go that builds nothing says what each program is made of.
func TestBillOfMaterials(t *testing.T) {
	for _, tool := range []string{"bash", "awk", "sha256sum"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s, which releases are made with", tool)
		}
	}
	dir := t.TempDir()
	const fake = `#!/usr/bin/env bash
case $1 in
build)
	while [ "$1" != -o ]; do shift; done
	echo program >"$2"
	;;
version)
	shift 2
	for name in "$@"; do
		printf '%s: go1.99.1\n\tpath\tm/cmd\n\tmod\tm\tv1.2.3\t\n\tdep\texample.com/all\tv1.0.0\th1:x=\n' "$name"
		case $name in *darwin*) printf '\tdep\texample.com/mac\tv2.0.0\th1:y=\n' ;; esac
	done
	;;
esac
`
	for name, text := range map[string]string{"go": fake, "root/.github/release": releaseScript(t)} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("bash", filepath.Join(dir, "root/.github/release"), "dist")
	cmd.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"))
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	text, err := os.ReadFile(filepath.Join(dir, "root/dist/bom.cdx.json"))
	if err != nil {
		t.Fatal(err)
	}
	type component struct{ Type, Name, Version, PURL string }
	var got struct {
		BOMFormat, SpecVersion string
		Metadata               struct{ Component component }
		Components             []component
	}
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	slices.SortFunc(got.Components, func(a, b component) int { return strings.Compare(a.Name, b.Name) })
	want := []component{
		{"library", "example.com/all", "v1.0.0", "pkg:golang/example.com/all@v1.0.0"},
		{"library", "example.com/mac", "v2.0.0", "pkg:golang/example.com/mac@v2.0.0"},
		{"platform", "stdlib", "go1.99.1", "pkg:golang/stdlib@go1.99.1"},
	}
	if diff := cmp.Diff(want, got.Components); diff != "" || got.BOMFormat != "CycloneDX" || got.SpecVersion != "1.5" ||
		got.Metadata.Component.Version != "v1.2.3" {
		t.Errorf("%s\n(-want +got):\n%s", text, diff)
	}
}

func releaseScript(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../.github/release")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
