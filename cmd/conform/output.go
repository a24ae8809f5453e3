package main

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

// openOutput makes the directory and the file in it, which no other process may write
// meanwhile; what an earlier run left there is kept under another name, unless force is
// set. Without a directory what is written goes nowhere.
func openOutput(dir, name string, force bool) (io.WriteCloser, error) {
	if dir == "" {
		return nowhere{}, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, usageError("-o: %v", err)
	}
	file, err := claim(filepath.Join(dir, name), force)
	if err != nil {
		return nil, usageError("-o: %v", err)
	}
	return file, nil
}

// claim opens a file that is empty, and locked until it is closed.
func claim(name string, force bool) (*os.File, error) {
	for {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|syscall.O_NONBLOCK, 0o666)
		if err != nil {
			return nil, err
		}
		info, err := lock(file)
		if err == nil {
			switch now, gone := os.Stat(name); {
			case gone != nil || !os.SameFile(now, info): // another process has put it aside
			case info.Size() == 0:
				return file, nil
			case force:
				return file, file.Truncate(0)
			default:
				err = setAside(name)
			}
		}
		file.Close()
		if err != nil {
			return nil, err
		}
	}
}

// lock keeps other processes that ask from a regular file.
func lock(file *os.File) (os.FileInfo, error) {
	info, err := file.Stat()
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s: not a regular file", file.Name())
	}
	switch err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return nil, fmt.Errorf("%s: another conform is writing it", file.Name())
	case err != nil && !errors.Is(err, errors.ErrUnsupported): // some network file systems have no locks
		return nil, fmt.Errorf("%s: %w", file.Name(), err)
	}
	return info, nil
}

// setAside gives a file the first free one of the names results-1.jsonl, results-2.jsonl, …
func setAside(name string) error {
	ext := filepath.Ext(name)
	for i := 1; ; i++ {
		old := fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), i, ext)
		switch err := os.Link(name, old); {
		case err == nil:
			return os.Remove(name)
		case !errors.Is(err, fs.ErrExist):
			return err
		}
	}
}

// coloured reports whether text on w has colours: on a terminal it does unless
// NO_COLOR is set, and elsewhere if CLICOLOR_FORCE is.
func coloured(w io.Writer) bool {
	if os.Getenv("NO_COLOR") != "" {
		return false
	}
	return isTerminal(w) || os.Getenv("CLICOLOR_FORCE") != ""
}

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }
