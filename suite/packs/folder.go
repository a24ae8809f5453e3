package packs

import (
	"io/fs"
	"strings"

	"metalconform/suite/spec"
)

// Beside is a directory that shows the files of the packs in [spec.PacksFolder], so that the specifications there may
// load them.
func Beside(dir fs.FS) fs.FS { return beside{dir} }

type beside struct{ fs.FS }

// inPacks is the name in the packs of a file that the directory shows.
func inPacks(name string) (string, bool) { return strings.CutPrefix(name, spec.PacksFolder+"/") }

// Open is that of [fs.FS].
func (b beside) Open(name string) (fs.File, error) {
	if own, is := inPacks(name); is {
		return files.Open(own)
	}
	return b.FS.Open(name)
}

// Stat opens nothing of the directory.
func (b beside) Stat(name string) (fs.FileInfo, error) {
	if own, is := inPacks(name); is {
		return fs.Stat(files, own)
	}
	return fs.Stat(b.FS, name)
}
