package session

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"metalconform/internal/exit"
)

// Output is a file on its way. Until it is finished it has another name, so that what has
// the name of results is whole.
type Output interface {
	io.WriteCloser
	Finish() error // gives the file its name
}

// OpenOutput makes the directory and the file in it, which no other process may write
// meanwhile; what earlier runs left there is kept under other names, unless force is
// set. Without a directory what is written goes nowhere.
func OpenOutput(dir, name string, force bool) (Output, error) {
	if dir == "" {
		return Discard{}, nil
	}
	file, err := claimIn(dir, name)
	if err != nil {
		return nil, err
	}
	if err := file.begin(force); err != nil {
		file.Close()
		return nil, exit.Usagef("-o: %v", err)
	}
	return file, nil
}

// claimIn makes the directory and claims the file in it.
func claimIn(dir, name string) (*claimedFile, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, exit.Usagef("-o: %v", err)
	}
	file, err := claim(filepath.Join(dir, name))
	if err != nil {
		return nil, exit.Usagef("-o: %v", err)
	}
	return file, nil
}

// claimedFile is a file under its name for the time being, locked until it is closed.
type claimedFile struct {
	*os.File
	name string // when it is finished
}

// PartialName is the name of a file that is not finished: results.partial.jsonl.
func PartialName(name string) string {
	ext := filepath.Ext(name)
	return strings.TrimSuffix(name, ext) + ".partial" + ext
}

// claim opens a file that is not finished, with whatever an earlier process has left in it.
func claim(name string) (*claimedFile, error) {
	for {
		file, err := OpenLocked(PartialName(name), os.O_CREATE|syscall.O_NOFOLLOW)
		if errors.Is(err, syscall.ELOOP) {
			return nil, fmt.Errorf("%s: not a regular file", PartialName(name))
		}
		if err != nil {
			return nil, err
		}
		info, err := file.Stat()
		if err != nil {
			file.Close()
			return nil, err
		}
		if now, err := os.Lstat(file.Name()); err == nil && os.SameFile(now, info) {
			return &claimedFile{file, name}, nil
		}
		file.Close() // another process has finished it or put it aside
	}
}

// begin empties the file, and puts aside what earlier runs left in it and under its name.
func (c *claimedFile) begin(force bool) error {
	clear := setAside
	if force {
		clear = os.Remove
	}
	switch info, err := os.Lstat(c.name); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a regular file", c.name)
	default:
		if err := clear(c.name); err != nil {
			return err
		}
	}
	info, err := c.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	if err := clear(c.Name()); err != nil {
		return err
	}
	again, err := claim(c.name)
	if err != nil {
		return err
	}
	c.Close()
	*c = *again
	return nil
}

// Finish gives the file its name once what has been written is on disk.
func (c *claimedFile) Finish() error {
	if err := c.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && !errors.Is(err, syscall.EINVAL) {
		return err
	}
	return os.Rename(c.Name(), c.name)
}

// OpenLocked opens a regular file to be read and written, which other processes that ask are
// kept from until it is closed.
func OpenLocked(name string, flag int) (*os.File, error) {
	file, err := os.OpenFile(name, os.O_RDWR|syscall.O_NONBLOCK|flag, 0o666)
	if err != nil {
		return nil, err
	}
	if err := lock(file); err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// lock keeps other processes that ask from a regular file.
func lock(file *os.File) error {
	switch info, err := file.Stat(); {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: not a regular file", file.Name())
	}
	switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return fmt.Errorf("%s: another conform is writing it", file.Name())
	case err != nil && !errors.Is(err, errors.ErrUnsupported): // some network file systems have no locks
		return fmt.Errorf("%s: %w", file.Name(), err)
	}
	return nil
}

// setAside gives a file the first free one of the names results-1.jsonl, results-2.jsonl, …
// Whoever does it holds the lock of the directory's results.
func setAside(name string) error {
	ext := filepath.Ext(name)
	for i := 1; ; i++ {
		old := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), i, ext)
		switch _, err := os.Lstat(old); {
		case errors.Is(err, fs.ErrNotExist):
			return os.Rename(name, old)
		case err != nil:
			return err
		}
	}
}

// Discard is an output that keeps nothing.
type Discard struct{}

func (Discard) Write(b []byte) (int, error) { return len(b), nil }
func (Discard) Close() error                { return nil }

// Finish gives no file a name.
func (Discard) Finish() error { return nil }
