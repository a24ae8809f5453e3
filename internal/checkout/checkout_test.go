package checkout

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A name in the repository leads to what the commit had, through links of the commit, and never back to the work tree.
func TestPath(t *testing.T) {
	top := t.TempDir()
	root, into := filepath.Join(top, "work"), filepath.Join(top, "base")
	for _, dir := range []string{root, into} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	shell := func(script string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	shell(`git init -q . && mkdir good && echo then >good/h && echo '*.o' >.gitignore
ln -s good lib && ln -s "$PWD/good" back && git add -A && git commit -q -m base
echo now >good/h && mkdir bad && echo bad >bad/h && rm lib && ln -s bad lib && echo built >good/x.o`)
	c, err := Export(t.Context(), root, "HEAD", into)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Lend(t.Context(), ".o"); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	outside := filepath.Join(top, "elsewhere")
	if err := os.WriteFile(outside, []byte("outside\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, name := range []string{"good/h", "lib/h", filepath.Join(root, "lib/h"), "bad/h", "back/h", "good/x.o",
		"../elsewhere"} {
		path, err := c.Path(name)
		var text []byte
		if err == nil {
			text, err = os.ReadFile(path)
		}
		switch {
		case err == nil:
			got[name] = strings.TrimSpace(string(text))
		case os.IsNotExist(err):
			got[name] = "absent"
		default:
			got[name] = "refused"
		}
	}
	want := map[string]string{"good/h": "then", "lib/h": "then",
		filepath.Join(root, "lib/h"): "then", "bad/h": "absent",
		"back/h": "refused", "good/x.o": "built", "../elsewhere": "outside"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"good/x.o"}, c.Lent()); diff != "" {
		t.Error(diff)
	}
}
