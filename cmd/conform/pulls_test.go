package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// pull is a pull request, made from a file of testdata/pulls. Its comment says what the request does, and in lines of
// the form key: value
//
//	base: COMMAND    is run in the repository before the base is committed; so are the commands of head: later
//	args: FLAGS      of conform gate beside -base and -backend
//	dir: DIRECTORY   where conform gate runs
//	status: N        is its exit status: 1 of attacks and 0 of honest requests if there is none
//	want: REGEXP     matches what it prints, or the comment that it writes; unwanted: REGEXP does not
//
// Its files are base/NAME and head/NAME: what they say of the repository's files before and after.
type pull struct {
	commands       map[string][]string
	args           []string
	dir            string
	status         int
	want, unwanted []string
	files          map[string][]txtar.File
}

// readPull reads the file of a pull request.
func readPull(t *testing.T, name string, status int) pull {
	t.Helper()
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	p := pull{commands: map[string][]string{}, dir: ".", status: status, files: map[string][]txtar.File{}}
	for line := range strings.Lines(string(archive.Comment)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "base", "head":
			p.commands[key] = append(p.commands[key], value)
		case "args":
			p.args = append(p.args, strings.Fields(value)...)
		case "dir":
			p.dir = value
		case "status":
			if p.status, err = strconv.Atoi(value); err != nil {
				t.Fatal(err)
			}
		case "want":
			p.want = append(p.want, value)
		case "unwanted":
			p.unwanted = append(p.unwanted, value)
		}
	}
	for _, f := range archive.Files {
		side, file, ok := strings.Cut(f.Name, "/")
		if !ok || side != "base" && side != "head" {
			t.Fatalf("%s: %s: want base/NAME or head/NAME", name, f.Name)
		}
		p.files[side] = append(p.files[side], txtar.File{Name: file, Data: f.Data})
	}
	return p
}

// commit writes files, runs commands and commits what there is then.
func (p pull) commit(t *testing.T, dir, side string, files []txtar.File) {
	t.Helper()
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	script := strings.Join(append(p.commands[side], "git add -A", "git commit -q --allow-empty -m "+side), "\n")
	cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=a",
		"GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b", "GIT_CONFIG_COUNT=1",
		"GIT_CONFIG_KEY_0=protocol.file.allow", "GIT_CONFIG_VALUE_0=always")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", side, err, out)
	}
}

var onlyPull = flag.String("pull", "", "of the pull requests, only those whose names match the regular expression")

// TestPulls makes pull requests in a repository. The gate stays closed to attacks, for the right reason, and open to
// honest changes, with nothing to explain.
func TestPulls(t *testing.T) {
	if testing.Short() {
		t.Skip("a commit each")
	}
	repository, err := txtar.ParseFile("testdata/pulls/repository.txtar")
	if err != nil {
		t.Fatal(err)
	}
	only := regexp.MustCompile(*onlyPull)
	for kind, status := range map[string]int{"attacks": 1, "honest": 0} {
		files, err := filepath.Glob("testdata/pulls/" + kind + "/*.txtar")
		if err != nil || len(files) == 0 {
			t.Fatalf("%d %s, %v", len(files), kind, err)
		}
		for _, file := range files {
			p := readPull(t, file, status)
			if name := kind + "/" + strings.TrimSuffix(filepath.Base(file), ".txtar"); only.MatchString(name) {
				t.Run(name, func(t *testing.T) { p.run(t, repository.Files) })
			}
		}
	}
}

// run makes the pull request and has the gate judge it.
func (p pull) run(t *testing.T, repository []txtar.File) {
	dir := filepath.Join(t.TempDir(), "repository")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	p.commands["base"] = append([]string{"git init -q -b main ."}, p.commands["base"]...)
	p.commit(t, dir, "base", append(append([]txtar.File{}, repository...), p.files["base"]...))
	p.commit(t, dir, "head", p.files["head"])
	t.Chdir(filepath.Join(dir, filepath.FromSlash(p.dir)))
	comment := filepath.Join(dir, "..", "comment.md")
	var out bytes.Buffer
	args := append([]string{"gate", "-base", "HEAD~1", "-backend", "simulator", "-edits", "0", "-comment", comment},
		p.args...)
	if status := conform(t.Context(), args, &out, &out); status != p.status {
		t.Errorf("status %d, want %d", status, p.status)
	}
	text, _ := os.ReadFile(comment)
	said := out.String() + string(text)
	for _, want := range p.want {
		if !regexp.MustCompile("(?m)" + want).MatchString(said) {
			t.Errorf("nothing matches %s", want)
		}
	}
	for _, unwanted := range p.unwanted {
		if found := regexp.MustCompile("(?m)" + unwanted).FindString(said); found != "" {
			t.Errorf("%s matches %q", unwanted, found)
		}
	}
	if p.status == 0 && strings.Contains(said, "FAIL") {
		t.Error("an honest change is told that something fails")
	}
	if t.Failed() {
		t.Log(out.String())
	}
}
