package git

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// run runs git in a directory and fails the test if git does.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := Output(t.Context(), dir, args...)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out)
}

// write writes a file.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A directory has the commit of its repository as long as its own files are those of the commit.
func TestHead(t *testing.T) {
	dir := t.TempDir()
	if got := Head(t.Context(), dir); got != "" {
		t.Errorf("outside of a repository: %q", got)
	}
	run(t, dir, "init", "-q", ".")
	if got := Head(t.Context(), dir); got != "" {
		t.Errorf("without a commit: %q", got)
	}
	kernels := filepath.Join(dir, "kernels")
	if err := os.Mkdir(kernels, 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(kernels, "k.metal"), "// one\n")
	run(t, dir, "add", ".")
	run(t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "Begin")
	want := run(t, dir, "rev-parse", "HEAD")
	if diff := cmp.Diff(want, Head(t.Context(), kernels)); diff != "" {
		t.Error(diff)
	}
	write(t, filepath.Join(dir, "notes.txt"), "elsewhere\n")
	if diff := cmp.Diff(want, Head(t.Context(), kernels)); diff != "" {
		t.Errorf("a change elsewhere: %s", diff)
	}
	write(t, filepath.Join(kernels, "k.metal"), "// two\n")
	if got := Head(t.Context(), kernels); got != "" {
		t.Errorf("with a change: %q", got)
	}
}

// What the environment says of another repository does not count.
func TestEnvironment(t *testing.T) {
	got := Environment([]string{"HOME=/h", "GIT_DIR=/other", "GIT_CONFIG_COUNT=1", "GIT_AUTHOR_NAME=a"})
	want := []string{"HOME=/h", "GIT_AUTHOR_NAME=a", "GIT_NO_REPLACE_OBJECTS=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
