package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math"
	"slices"

	"metalconform/internal/config"
	"metalconform/internal/exit"
	"metalconform/internal/regular"
	"metalconform/suite"
)

// RulesDigest is a digest of what decides verdicts beside sources and options: the declarations, and
// the specifications and accuracies with all that they read. It is empty if there are none.
func (s Selection) RulesDigest(declared *suite.Declarations) (string, error) {
	digest, some := sha256.New(), false
	file, text, err := config.Read(s.Rules, s.Config, s.Shaders)
	if err != nil {
		return "", err
	}
	if file != "" {
		some = true
		fmt.Fprintf(digest, "%s %d\n%s", config.Name, len(text), text)
	}
	if declared != nil {
		for _, a := range declared.Accuracies {
			if err := json.NewEncoder(digest).Encode(a.Measured); err != nil {
				return "", err
			}
		}
	}
	files := slices.Concat(s.Spec.reads...)
	if s.Accuracies.File != "" {
		files = append(files, s.Accuracies.File)
	}
	for _, name := range files {
		some = true
		real, err := s.Rules.Path(name)
		if err == nil {
			err = enter(digest, real)
		}
		if err != nil {
			return "", exit.Usagef("%v", err)
		}
	}
	if !some {
		return "", nil
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

// enter hashes a file, with its size in front.
func enter(digest hash.Hash, name string) error {
	file, err := regular.Open(name, math.MaxInt64)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	fmt.Fprintln(digest, info.Size())
	_, err = io.Copy(digest, file)
	return err
}

// recordingFS is a directory that notes which of its files are opened.
type recordingFS struct {
	fs.FS
	note func(name string)
}

func (n recordingFS) Open(name string) (fs.File, error) {
	n.note(name)
	return n.FS.Open(name)
}

// Stat opens nothing: a pipe would block.
func (n recordingFS) Stat(name string) (fs.FileInfo, error) { return fs.Stat(n.FS, name) }
