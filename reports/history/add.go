package history

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Add adds runs, and says which were new. A run that is there already changes nothing. A run with the same key that
// measured something else is an error, or with replace takes the other's place. All runs are checked and written beside
// their places before the first is added.
func (s *Store) Add(runs []Run, replace bool) (added []bool, err error) {
	if err := os.MkdirAll(s.dir, 0o777); err != nil {
		return nil, err
	}
	var written []string // in turn a file beside its place, and the place
	defer func() {
		for i := 0; i < len(written); i += 2 {
			os.Remove(written[i]) // is there after an error
		}
	}()
	digests := map[string]string{} // of the runs before
	for _, r := range runs {
		name := fileName(r.Key)
		fresh, err := s.fresh(r, name, digests, replace)
		if err != nil {
			return nil, err
		}
		added = append(added, fresh)
		if !fresh {
			continue
		}
		digests[name] = r.Digest
		beside, err := s.write(r)
		if err != nil {
			return nil, err
		}
		written = append(written, beside, filepath.Join(s.dir, name))
	}
	for i := 0; i < len(written); i += 2 {
		if err := os.Rename(written[i], written[i+1]); err != nil {
			return nil, err
		}
	}
	return added, nil
}

// fresh reports whether a run has to be written.
func (s *Store) fresh(r Run, name string, digests map[string]string, replace bool) (bool, error) {
	there, ok := digests[name]
	if !ok {
		switch h, err := s.header(name); {
		case errors.Is(err, os.ErrNotExist):
			return true, nil
		case err != nil:
			return false, err
		default:
			there = h.Digest
		}
	}
	switch {
	case there == r.Digest:
		return false, nil
	case replace:
		return true, nil
	}
	return false, fmt.Errorf("%s: a run of commit %s that started at %s is there and measured something else; "+
		"the results have been changed since, or times were added: conform history add -replace takes these",
		s.dir, r.Key.Commit, r.Key.Started.Format(time.RFC3339Nano))
}

// write writes a run beside its place.
func (s *Store) write(r Run) (string, error) {
	text, err := encode(r)
	if err != nil {
		return "", err
	}
	if len(text) > mostFile {
		return "", fmt.Errorf("%s: the run of commit %s takes more than %d bytes", s.dir, r.Key.Commit, mostFile)
	}
	file, err := os.CreateTemp(s.dir, ".adding-*")
	if err != nil {
		return "", err
	}
	_, err = file.Write(text)
	if err == nil {
		err = file.Chmod(0o644)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		os.Remove(file.Name())
		return "", err
	}
	return file.Name(), nil
}
