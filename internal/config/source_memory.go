package config

import (
	"fmt"
	"io/fs"

	"github.com/spf13/pflag"
)

// sourceMemory is a flag that bounds what the sources of a directory may take of this machine: whoever writes
// them may write any number, and have each include whatever is large.
type sourceMemory struct {
	MiB  int
	used int64
}

const (
	defaultSourceMemory = 128      // MiB
	sourceOverhead      = 32 << 10 // of a file, with what becomes of it, beside its bytes
)

func (m *sourceMemory) add(flags *pflag.FlagSet) {
	flags.IntVar(&m.MiB, "source-memory", defaultSourceMemory,
		"refuse directories whose sources take more than about `MIB` mebibytes of memory, with their includes")
}

// take counts a file, if there is a bound.
func (m *sourceMemory) take(file string, bytes int64) error {
	if m == nil {
		return nil
	}
	m.used += bytes + sourceOverhead
	if m.used > int64(m.MiB)<<20 {
		return fmt.Errorf("%s:1:1: the sources up to this one take more than %d MiB, which -source-memory can raise",
			file, m.MiB)
	}
	return nil
}

// FS is a file system whose files are counted when they are opened, from none.
func (m *sourceMemory) FS(files fs.FS) fs.FS {
	most := &sourceMemory{MiB: defaultSourceMemory}
	if m != nil {
		most.MiB = m.MiB
	}
	return countedFiles{files, most}
}

// countedFiles are files that are counted.
type countedFiles struct {
	fs.FS
	memory *sourceMemory
}

func (c countedFiles) Stat(name string) (fs.FileInfo, error)      { return fs.Stat(c.FS, name) }
func (c countedFiles) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(c.FS, name) }

func (c countedFiles) Open(name string) (fs.File, error) {
	info, err := fs.Stat(c.FS, name)
	if err == nil {
		err = c.memory.take(name, info.Size())
	}
	if err != nil {
		return nil, err
	}
	return c.FS.Open(name)
}
