package spec

import (
	"io/fs"

	"go.starlark.net/starlark"

	"metalconform/suite"
)

// reader evaluates a file and those that it loads.
type reader struct {
	dir     fs.FS
	limits  *Limits
	meter   *meter // of all files
	loaded  map[string]*module
	kernels []suite.Kernel
	names   map[string]bool // of the kernels
	listed  []string        // the names in order

	wanted func(kernel string) bool // other kernels are listed and not read; nil: all are wanted

	lambdas map[string]map[spot]string // what they compute, by file
	uses    map[string]uses            // by file

	unjudged bool // no oracle is needed
}

func newReader(dir fs.FS, l *Limits) *reader {
	m := newMeter(l)
	m.nested = true
	return &reader{dir: dir, limits: l, meter: m, loaded: map[string]*module{}, names: map[string]bool{},
		lambdas: map[string]map[spot]string{}, uses: map[string]uses{}}
}

// module is a file that has been loaded, or is being: then it has no globals.
type module struct {
	globals starlark.StringDict
	err     error
}

// spot is a position in a file.
type spot struct{ line, col int32 }

// uses are the names that parts of a file use.
type uses struct {
	functions map[spot][]string   // by where they stand
	globals   map[string][]string // in what gives them their values
	loaded    map[string]string   // the files of those that are loaded
}
