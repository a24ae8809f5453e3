package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"go.starlark.net/starlark"

	"metalconform/internal/regular"
	"metalconform/suite"
)

// What a file may have.
const (
	maxSource = 1 << 20 // bytes
	maxLoads  = 64      // files that it loads, and those
	fileSteps = 4       // times those of a definition: it is evaluated once
)

// Read is the family of the kernels that a file of a directory specifies, within these limits. Its name is that of the
// file without .star.
func (l *Limits) Read(dir fs.FS, name string) (suite.Family, error) {
	return readFamily(newReader(dir, l), name)
}

// ReadLaunches is [Limits.Read] for a file that says how kernels are launched, and need not say what they
// compute: the oracle of one without is not to be asked.
func (l *Limits) ReadLaunches(dir fs.FS, name string) (suite.Family, error) {
	r := newReader(dir, l)
	r.unjudged = true
	return readFamily(r, name)
}

// ReadNamed is [Limits.Read] within the usual limits for the kernels with wanted names. names has those of all kernels
// that the file specifies. Mistakes in the others are not found.
func ReadNamed(dir fs.FS, name string, wanted func(kernel string) bool) (f suite.Family, names []string, err error) {
	r := newReader(dir, new(Limits))
	r.wanted = wanted
	f, err = readFamily(r, name)
	return f, r.listed, err
}

func readFamily(r *reader, name string) (suite.Family, error) {
	if _, err := r.load(name); err != nil {
		return suite.Family{}, err
	}
	if len(r.listed) == 0 {
		return suite.Family{}, fmt.Errorf("%s: no kernel is specified: call kernel(name = …)", name)
	}
	return suite.Family{Name: strings.TrimSuffix(path.Base(name), ".star"), Kernels: r.kernels}, nil
}

// load evaluates a file once.
func (r *reader) load(name string) (starlark.StringDict, error) {
	if m, ok := r.loaded[name]; ok {
		if m.globals == nil && m.err == nil {
			return nil, fmt.Errorf("%s loads itself", name)
		}
		return m.globals, m.err
	}
	if !fs.ValidPath(name) {
		return nil, errors.New("a file loads what lies in the directory of the specification and below, or a file of " +
			`a pack, such as "@ggml//rows.star"`)
	}
	if len(r.loaded) == maxLoads {
		return nil, fmt.Errorf("more than %d files", maxLoads)
	}
	m := &module{}
	r.loaded[name] = m
	m.globals, m.err = r.evaluate(name)
	return m.globals, m.err
}

func (r *reader) evaluate(name string) (starlark.StringDict, error) {
	text, err := regular.ReadFrom(r.dir, name, maxSource)
	if err != nil {
		return nil, err
	}
	thread := newThread(name, r.meter)
	stepping(thread, r.limits, fileSteps)
	thread.Load = func(_ *starlark.Thread, other string) (starlark.StringDict, error) {
		return r.load(loaded(name, other))
	}
	thread.SetLocal(readerKey, r)
	file, lambdas, err := parse(name, "", text)
	if err != nil {
		return nil, positioned(err)
	}
	r.lambdas[name], r.uses[name] = lambdas, usesOf(file)
	return run(thread, file)
}
