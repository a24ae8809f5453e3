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
