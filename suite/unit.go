package suite

import (
	"sync"

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
	build         func(Build, bool, []string) (*metalrun.Program, error) // that chooses something

	mu        sync.Mutex
	libraries map[libraryKey]*library
	programs  map[programKey]*program
}

// programKey is what a program depends on.
type programKey struct {
	build string
	entry string // "" means all
	fast  bool
}

// program is the key of the program that an entry point is taken from. What is not built for it
// alone serves all.
func (b Build) program(entry string, fast bool) programKey {
	if len(b.Macros) > 0 || len(b.Constants) == 0 {
		entry = ""
	}
	return programKey{b.key(), entry, fast}
}

func (k programKey) entries() []string {
	if k.entry == "" {
		return nil
	}
	return []string{k.entry}
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

func newUnit(src metalrun.Source, analyse Analyse) *unit {
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
	u.build = func(b Build, fast bool, entries []string) (*metalrun.Program, error) {
		p, err := u.precise()
		if len(b.Macros) > 0 || err != nil {
			p, err = analyse(src, b.options(compileOptions()))
		}
		if err != nil {
			return nil, err
		}
		return b.specialise(p, fast, entries...)
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

// program is a build of the file with one class of functions. What a host chooses for an entry point
// makes a program of that alone, if it is named: a file may have hundreds.
func (u *unit) program(b Build, fast bool, entry string) (*metalrun.Program, error) {
	key := b.program(entry, fast)
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
	p.once.Do(func() { p.program, p.err = u.build(b, fast, key.entries()) })
	return p.program, p.err
}

// library compiles a build of the file for a runner, once.
func (u *unit) library(r metalrun.Runner, b Build, fast bool, entry string) (metalrun.Library, error) {
	key := libraryKey{r, b.program(entry, fast)}
	u.mu.Lock()
	l := u.libraries[key]
	if l == nil {
		l = &library{}
		u.libraries[key] = l
	}
	u.mu.Unlock()
	l.once.Do(func() {
		var p *metalrun.Program
		if p, l.err = u.program(b, fast, entry); l.err == nil {
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
