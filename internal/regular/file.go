// Package regular is how files of others are read: regular ones only, since a pipe or a device may block or never end,
// and none that is larger than what it may be; and how files are written beside those of others.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Sizes that files of a kind may have.
const (
	Source  = 16 << 20  // of programs and headers
	Text    = 4 << 20   // of lists
	Config  = 256 << 10 // of declarations
	Results = 4 << 30   // of a run
)

// Open opens a regular file of at most that many bytes. It never blocks.
func Open(name string, most int64) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	return judged(file, most)
}

// judged is an open file that is regular and has at most that many bytes; others are closed.
func judged(file *os.File, most int64) (*os.File, error) {
	info, err := file.Stat()
	if err == nil {
		err = judge(file.Name(), info, most)
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// OpenIn is Open for a file of a directory that somebody else may have filled: a link out of it is refused.
func OpenIn(dir, name string, most int64) (*os.File, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, named(filepath.Join(dir, name), err)
	}
	return judged(file, most)
}

// Read reads a regular file of at most that many bytes.
func Read(name string, most int64) ([]byte, error) {
	file, err := Open(name, most)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return whole(file, name, most)
}

// ReadFrom is Read in a file system.
func ReadFrom(fsys fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(fsys, name) // opening a pipe would block
	if err == nil {
		err = judge(name, info, most)
	}
	if err != nil {
		return nil, named(name, err)
	}
	file, err := fsys.Open(name)
	if err != nil {
		return nil, named(name, err)
	}
	defer file.Close()
	return whole(file, name, most)
}

// named is an error of a file system without the name of the call, such as statat.
func named(name string, err error) error {
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", name, failed.Err)
	}
	return err
}

func judge(name string, info fs.FileInfo, most int64) error {
	switch {
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a regular file", name)
	case info.Size() > most:
		return fmt.Errorf("%s: %d bytes, want at most %d", name, info.Size(), most)
	}
	return nil
}

// whole reads to the end of a file, which may have grown since it was judged.
func whole(r io.Reader, name string, most int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(text)) > most {
		err = fmt.Errorf("%s: more than %d bytes", name, most)
	}
	return text, err
}

// Trees are directories that files may come from, wherever links lead.
type Trees []string

// NewTrees are the directories; those that are not there hold nothing.
func NewTrees(dirs ...string) Trees {
	var t Trees
	for _, dir := range dirs {
		if real, err := resolve(dir); err == nil {
			t = append(t, real)
		}
	}
	return t
}

func resolve(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", err
	}
	return filepath.Abs(real)
}

// Has reports whether the file called name, which has to exist, lies in one of the
// directories or below.
func (t Trees) Has(name string) (bool, error) {
	if _, err := os.Stat(name); err != nil {
		return false, err
	}
	real, err := resolve(name)
	if err != nil {
		return false, err
	}
	for _, dir := range t {
		if rel, err := filepath.Rel(dir, real); err == nil && rel != ".." &&
			!strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return true, nil
		}
	}
	return false, nil
}
