package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v4"
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
	for name, text := range map[string]string{"go": fake, "root/.github/release": releaseScript(t),
		"root/examples/mac/run": "echo everything\n"} {
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

// fence matches a block of YAML in Markdown.
var fence = regexp.MustCompile("(?s)```yaml\n(.*?)```")

// The notes of a release have a workflow of five lines, and one for comments, with nothing to be filled in: the action
// of the repository at the commit, and the digest of the list of digests.
func TestReleaseNotes(t *testing.T) {
	for _, tool := range []string{"bash", "sha256sum", "sed"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("there is no %s, which notes are made with", tool)
		}
	}
	dist, sums := t.TempDir(), []byte("aa  conform-linux-amd64\nbb  bom.cdx.json\n")
	if err := os.WriteFile(filepath.Join(dist, "SHA256SUMS"), sums, 0o666); err != nil {
		t.Fatal(err)
	}
	commit := strings.Repeat("0123456789", 4)
	cmd := exec.Command("bash", "../../.github/release-notes", dist)
	cmd.Env = append(os.Environ(), "GITHUB_REPOSITORY=o/r", "GITHUB_SHA="+commit, "GITHUB_REF_NAME=v1.2.3")
	notes, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	blocks := fence.FindAllSubmatch(notes, -1)
	if len(blocks) != 2 || strings.Count(string(blocks[0][1]), "\n") != 5 ||
		!strings.Contains(string(notes), string(sums)) {
		t.Fatalf("want a workflow of five lines, one for comments, and the digests:\n%s", notes)
	}
	if left := regexp.MustCompile(`OWNER|COMMIT|VERSION|DIGEST`).Find(notes); left != nil {
		t.Errorf("%s is left to be filled in", left)
	}
	type job struct {
		Permissions map[string]string
		Steps       []struct {
			Uses string
			With map[string]any
		}
	}
	var judge, comment struct {
		Name        string
		Permissions map[string]string
		On          any
		Jobs        map[string]job
	}
	for i, into := range []any{&judge, &comment} {
		if err := yaml.Unmarshal(blocks[i][1], into); err != nil {
			t.Fatalf("%v\n%s", err, blocks[i][1])
		}
	}
	k, digest := judge.Jobs["kernels"], fmt.Sprintf("%x", sha256.Sum256(sums))
	reads := map[string]string{"contents": "read"}
	events := map[string]any{"pull_request": map[string]any{"types": []any{"opened", "synchronize", "reopened",
		"labeled", "unlabeled"}}} // a label may allow what failed, and its removal forbids it again
	if diff := cmp.Diff(reads, k.Permissions) + cmp.Diff(any(events), judge.On); diff != "" {
		t.Errorf("the job with the files of a pull request may do more than read: %v, on %v", k.Permissions, judge.On)
	}
	if len(k.Steps) != 2 || k.Steps[1].Uses != "o/r@"+commit || k.Steps[1].With["sha256"] != digest ||
		k.Steps[1].With["version"] != "v1.2.3" {
		t.Errorf("%+v, want the action at %s with the digest %s", k.Steps, commit, digest)
	}
	c := comment.Jobs["comment"]
	if len(c.Steps) != 1 || c.Steps[0].Uses != "o/r/.github/comment@"+commit || len(comment.Permissions) != 0 {
		t.Errorf("%+v, want the action for comments, and nothing of the pull request", comment)
	}
	writes := map[string]string{"actions": "read", "pull-requests": "write"}
	if diff := cmp.Diff(writes, c.Permissions); diff != "" {
		t.Errorf("permissions of comments (-want +got):\n%s", diff)
	}
	on, _ := comment.On.(map[string]any)["workflow_run"].(map[string]any)
	if diff := cmp.Diff([]any{judge.Name}, on["workflows"]); diff != "" {
		t.Errorf("comments are those of another workflow (-want +got):\n%s", diff)
	}
}

// The lines in the README of the example are those of its workflow.
func TestActionReadme(t *testing.T) {
	readme, err := os.ReadFile("../../examples/action/README.md")
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile("../../examples/action/kernels.yml")
	if err != nil {
		t.Fatal(err)
	}
	indented := "    " + strings.ReplaceAll(strings.TrimSuffix(string(lines), "\n"), "\n", "\n    ") + "\n"
	if !strings.Contains(string(readme), indented) {
		t.Errorf("examples/action/README.md has not the lines of kernels.yml:\n%s", indented)
	}
}
