package suite

import (
	"sync"

	"metalconform/crash"
	"metalconform/metalrun"
)

// unit is one .metal file as the front end sees it. It is analysed when it is first
// needed, checked again for fast functions if they are, and compiled once for each
// runner and class of functions.
type unit struct {
	file          string
	kernels       func() ([]metalrun.KernelInfo, error) // the error says why the file has none
	precise, fast func() (*metalrun.Program, error)
	constants     func() ([]metalrun.Constant, error)
	build         func(Build, bool) (*metalrun.Program, error) // that chooses something

	mu        sync.Mutex
	libraries map[libraryKey]*library
	programs  map[programKey]*program
}

// programKey is what a program depends on.
type programKey struct {
	build string
	fast  bool
}

// program is a build of a file that is analysed when it is first needed.
type program struct {
	once    sync.Once
	program *metalrun.Program
	err     error
}

// libraryKey is what a compiled file depends on.
type libraryKey struct {
	runner metalrun.Runner
	programKey
}

// library is a file that is compiled when it is first needed.
type library struct {
	once    sync.Once
	library metalrun.Library
	err     error
}

func newUnit(src metalrun.Source, front Analyse) *unit {
	analyse := func(src metalrun.Source, opts metalrun.CompileOptions) (p *metalrun.Program, err error) {
		defer crash.Catch(&err)
		return front(src, opts)
	}
	u := &unit{file: src.Name, libraries: map[libraryKey]*library{}, programs: map[programKey]*program{}}
	u.precise = sync.OnceValues(func() (*metalrun.Program, error) { return analyse(src, compileOptions()) })
	u.kernels = sync.OnceValues(func() ([]metalrun.KernelInfo, error) {
		p, err := u.precise()
		if err != nil {
			return nil, err
		}
		return p.Kernels()
	})
	u.fast = sync.OnceValues(func() (*metalrun.Program, error) {
		p, err := u.precise()
		if err != nil {
			return nil, err
		}
		return p.Specialise(true, p.Options().FunctionConstants)
	})
	u.build = func(b Build, fast bool) (*metalrun.Program, error) {
		p, err := u.precise()
		if len(b.Macros) > 0 || err != nil {
			p, err = analyse(src, b.options(compileOptions()))
		}
		if err != nil {
			return nil, err
		}
		return b.specialise(p, fast)
	}
	u.constants = sync.OnceValues(func() ([]metalrun.Constant, error) {
		p, err := u.precise()
		if err != nil {
			return nil, err
		}
		return p.Constants(), nil
	})
	return u
}

// compileOptions are the host's choices: nothing is left to the defaults of a
// platform, and no transformation may change a value.
func compileOptions() metalrun.CompileOptions {
	return metalrun.CompileOptions{LanguageVersion: metalrun.DefaultVersion, MathMode: metalrun.MathSafe}
}

// program is a build of the file with one class of functions.
func (u *unit) program(b Build, fast bool) (*metalrun.Program, error) {
	key := programKey{b.key(), fast}
	switch {
	case key.build != "":
	case fast:
		return u.fast()
	default:
		return u.precise()
	}
	u.mu.Lock()
	p := u.programs[key]
	if p == nil {
		p = &program{}
		u.programs[key] = p
	}
	u.mu.Unlock()
	p.once.Do(func() { p.program, p.err = u.build(b, fast) })
	return p.program, p.err
}

// library compiles a build of the file for a runner, once.
func (u *unit) library(r metalrun.Runner, b Build, fast bool) (metalrun.Library, error) {
	key := libraryKey{r, programKey{b.key(), fast}}
	u.mu.Lock()
	l := u.libraries[key]
	if l == nil {
		l = &library{}
		u.libraries[key] = l
	}
	u.mu.Unlock()
	l.once.Do(func() {
		var p *metalrun.Program
		if p, l.err = u.program(b, fast); l.err == nil {
			l.library, l.err = r.Compile(p)
		}
	})
	return l.library, l.err
}

// release frees what was compiled.
func (u *unit) release() {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, l := range u.libraries {
		if l.library != nil {
			l.library.Release()
		}
	}
	clear(u.libraries)
}
