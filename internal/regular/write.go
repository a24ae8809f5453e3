package regular

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Create opens a file to be written anew. Whoever filled its directory may have put a link there: one that leads out
// of the directory is refused, and so is what is no regular file. Files of the system are what they are.
func Create(name string) (*os.File, error) {
	if strings.HasPrefix(name, "/dev/") {
		return os.Create(name)
	}
	dir, base := filepath.Split(name)
	root, err := os.OpenRoot(cmp.Or(dir, "."))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(base, os.O_RDWR|os.O_CREATE|os.O_TRUNC|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, named(name, err)
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		file.Close()
		return nil, cmp.Or(err, error(&fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}))
	}
	return file, nil
}

// Write writes a file as [Create] opens it.
func Write(name string, text []byte) error {
	file, err := Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(text)
	return errors.Join(err, file.Close())
}
