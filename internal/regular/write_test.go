package regular

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// What is written stays in its directory, whatever links lie there, and nothing waits for a pipe.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	for _, made := range []error{
		os.Mkdir(filepath.Join(dir, "own"), 0o777),
		os.WriteFile(filepath.Join(dir, "secret"), []byte("secret"), 0o666),
		os.Symlink("../secret", filepath.Join(dir, "own/out")),
		os.Symlink(filepath.Join(dir, "secret"), filepath.Join(dir, "own/absolute")),
		os.Symlink("../absent", filepath.Join(dir, "own/dangling")),
		os.Symlink("plain", filepath.Join(dir, "own/inside")),
		os.Symlink("/dev/full", filepath.Join(dir, "own/device")),
		syscall.Mkfifo(filepath.Join(dir, "own/pipe"), 0o666),
	} {
		if made != nil {
			t.Fatal(made)
		}
	}
	for name, want := range map[string]string{
		"plain": "", "inside": "", "out": "escapes", "absolute": "escapes", "dangling": "escapes", "device": "escapes",
		"pipe": "not a regular file", "absent/x": "no such file", "": "",
	} {
		err := Write(filepath.Join(dir, "own", name), []byte("text"))
		if name == "" {
			if err == nil {
				t.Error("a directory was written")
			}
			continue
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
	if text, err := os.ReadFile(filepath.Join(dir, "secret")); err != nil || string(text) != "secret" {
		t.Errorf("got %q, %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "own/plain")); err != nil || string(text) != "text" {
		t.Errorf("got %q, %v", text, err)
	}
	if err := Write("/dev/null", []byte("text")); err != nil {
		t.Error(err)
	}
	t.Chdir(filepath.Join(dir, "own"))
	if err := Write("plain", []byte("again")); err != nil {
		t.Error(err)
	}
}
