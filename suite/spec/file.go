package spec

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"metalconform/internal/printable"
	"metalconform/internal/regular"
	"metalconform/suite"
)

// What a file may have.
const (
	maxSource = 1 << 20 // bytes
	maxLoads  = 64      // files that it loads, and those
	fileSteps = 4       // times those of a definition: it is evaluated once
)

// Read is the family of the kernels that a file of a directory specifies. Its name is that of the
// file without .star.
func Read(dir fs.FS, name string) (suite.Family, error) {
	return new(Limits).Read(dir, name)
}

func readFamily(r *reader, name string) (suite.Family, error) {
	if _, err := r.load(name); err != nil {
		return suite.Family{}, err
	}
	if len(r.kernels) == 0 {
		return suite.Family{}, fmt.Errorf("%s: no kernel is specified: call kernel(name = …)", name)
	}
	return suite.Family{Name: strings.TrimSuffix(path.Base(name), ".star"), Kernels: r.kernels}, nil
}

// reader evaluates a file and those that it loads.
type reader struct {
	dir     fs.FS
	limits  *Limits
	meter   *meter // of all files
	loaded  map[string]*module
	kernels []suite.Kernel
	names   map[string]bool // of the kernels

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

// load evaluates a file once.
func (r *reader) load(name string) (starlark.StringDict, error) {
	if m, ok := r.loaded[name]; ok {
		if m.globals == nil && m.err == nil {
			return nil, fmt.Errorf("%s loads itself", name)
		}
		return m.globals, m.err
	}
	if !fs.ValidPath(name) {
		return nil, errors.New("a file loads what lies in the directory of the specification and below")
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
		return r.load(path.Join(path.Dir(name), other))
	}
	thread.SetLocal(readerKey, r)
	file, lambdas, err := parse(name, "", text)
	if err != nil {
		return nil, positioned(err)
	}
	r.lambdas[name], r.uses[name] = lambdas, usesOf(file)
	return run(thread, file)
}

// run are the globals that a file makes.
func run(thread *starlark.Thread, file *syntax.File) (starlark.StringDict, error) {
	program, err := starlark.FileProgram(file, predeclared.Has)
	if err != nil {
		return nil, advised(err)
	}
	globals, err := program.Init(thread, predeclared)
	if err != nil {
		return nil, positioned(err)
	}
	globals.Freeze()
	return globals, nil
}

const (
	placeKey  = "place" // where a program calls a function
	readerKey = "reader"
	meterKey  = "meter"
)

// stepWork is how many operations on elements a step of a definition counts for.
const stepWork = 16

// newThread is one evaluation, with limits of its own.
func newThread(name string, m *meter) *starlark.Thread {
	thread := &starlark.Thread{Name: name, Print: func(*starlark.Thread, string) {}}
	stepping(thread, m.limits, 1)
	thread.SetLocal(meterKey, m)
	return thread
}

// stepping gives an evaluation a multiple of the steps of a definition.
func stepping(thread *starlark.Thread, l *Limits, times int64) {
	most := times * l.of(Steps)
	thread.SetMaxExecutionSteps(uint64(most))
	thread.OnMaxSteps = func(thread *starlark.Thread) {
		thread.Cancel(l.beyond(most, Steps, "more than %d steps").Error())
	}
}

// positioned is an error of Starlark in one line that begins where it happened: the innermost
// place in a file.
func positioned(err error) error {
	var failed *starlark.EvalError
	if !errors.As(err, &failed) {
		return err
	}
	message, cancelled := strings.CutPrefix(printable.Message(failed.Msg), "Starlark computation cancelled: ")
	var e excess
	cancelled = cancelled || errors.As(err, &e)
	for i := len(failed.CallStack) - 1; i >= 0; i-- {
		if at := failed.CallStack[i].Pos; at.Line > 0 {
			message = fmt.Sprintf("%s: %s", at, message)
			break
		}
	}
	if cancelled {
		return excess(message)
	}
	return errors.New(message)
}
