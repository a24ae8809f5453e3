package main

import (
	"io"
	"os"
	"path/filepath"
)

// openOutput makes the directory and the file in it, in place of one that an
// earlier run left; without a directory what is written goes nowhere.
func openOutput(dir, name string) (io.WriteCloser, error) {
	if dir == "" {
		return nowhere{}, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, usageError("-o: %v", err)
	}
	file, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return nil, usageError("-o: %v", err)
	}
	return file, nil
}

// coloured reports whether text on w is to have colours.
func coloured(w io.Writer) bool { return isTerminal(w) && os.Getenv("NO_COLOR") == "" }

type nowhere struct{}

func (nowhere) Write(b []byte) (int, error) { return len(b), nil }
func (nowhere) Close() error                { return nil }
