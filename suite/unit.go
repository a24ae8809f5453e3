package suite

import (
	"slices"
	"sync"

	"metalconform/internal/crash"
	"metalconform/metalrun"
)

// unit is one .metal file as the front end sees it. It is analysed when it is first
// needed, checked again for other arithmetic, and compiled once for each runner and
// arithmetic.
type unit struct {
	file string
	text string
	// of its entry points; the error says why the file has none
	names     func() ([]string, error)
	kernel    func(name string) (metalrun.KernelInfo, error) // one that it exports
	plain     func() (*metalrun.Program, error)              // of safe arithmetic, of which nothing is chosen
	constants func() ([]metalrun.Constant, error)
	contents  func() map[string]string                           // of what it may be made of, not to be written to
	build     func(programKey, Build) (*metalrun.Program, error) // of any other

	lacks bool // macros without which it does not compile

	mu        sync.Mutex
	libraries map[libraryKey]*library
	programs  map[programKey]*program

	mentioned sync.Map // whether the text has a name, by those that were asked for
}

// programKey is what a program depends on.
type programKey struct {
	build string
	entry string // "" means all
	math  metalrun.Math
}

// program is the key of the program that an entry point is taken from. What is not built for it
// alone serves all.
func (b Build) program(entry string, math metalrun.Math) programKey {
	if len(b.Macros) > 0 || len(b.Constants) == 0 {
		entry = ""
	}
	return programKey{b.Key(), entry, math}
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

func newUnit(src metalrun.Source, front Analyse) *unit {
	analyse := func(src metalrun.Source, opts metalrun.CompileOptions) (p *metalrun.Program, err error) {
		defer crash.Catch(&err)
		return front(src, opts)
	}
	u := &unit{file: src.Name, text: src.Files[src.Name], libraries: map[libraryKey]*library{},
		programs: map[programKey]*program{}}
	u.plain = sync.OnceValues(func() (*metalrun.Program, error) { return analyse(src, compileOptions()) })
	u.contents = sync.OnceValue(func() map[string]string {
		made := src
		if p, err := u.plain(); err == nil {
			made = p.Source()
		}
		return made.Reachable()
	})
	u.names = sync.OnceValues(func() ([]string, error) {
		p, err := u.plain()
		if err != nil {
			return nil, err
		}
		return p.Names()
	})
	u.kernel = func(name string) (metalrun.KernelInfo, error) {
		p, err := u.plain()
		if err != nil {
			return metalrun.KernelInfo{}, err
		}
		return p.Kernel(name)
	}
	u.build = func(key programKey, b Build) (*metalrun.Program, error) {
		p, err := u.plain()
		if len(b.Macros) > 0 || err != nil {
			p, err = analyse(src, b.options(compileOptions().With(key.math)))
		}
		switch {
		case err != nil:
			return nil, err
		case key.build == "":
			return p.Specialise(key.math, p.Options().FunctionConstants)
		}
		return b.specialise(p, key.math, key.entries()...)
	}
	u.constants = sync.OnceValues(func() ([]metalrun.Constant, error) {
		p, err := u.plain()
		if err != nil {
			return nil, err
		}
		return p.Constants(), nil
	})
	return u
}

// contentsOf are the texts that an entry point is made of. Of a compiled library that is its own module, by its digest:
// a library is written anew as a whole, and most of its kernels stay what they were.
func (u *unit) contentsOf(kernel string) map[string]string {
	if p, err := u.plain(); err == nil {
		if digest := p.FunctionDigest(kernel); digest != "" {
			return map[string]string{u.file: "module " + digest + "\n"}
		}
	}
	return u.contents()
}

// define makes an entry point known that the file exports with macros of a build, and reports whether it does.
func (u *unit) define(name string, b Build) bool {
	p, err := u.program(b, metalrun.Math{}, "")
	if err != nil || !p.Exports(name) {
		return false
	}
	names, err := u.names()
	u.lacks, names = u.lacks || err != nil, append(slices.Clone(names), name)
	kernel := u.kernel
	u.names = func() ([]string, error) { return names, nil }
	u.kernel = func(other string) (metalrun.KernelInfo, error) {
		if other == name {
			return p.Kernel(name)
		}
		return kernel(other)
	}
	return true
}

// compileOptions are the host's choices before anybody says otherwise: nothing is left to
// the defaults of a platform, and no transformation may change a value.
func compileOptions() metalrun.CompileOptions {
	return metalrun.CompileOptions{LanguageVersion: metalrun.DefaultVersion, MathMode: metalrun.MathSafe}
}

// mentions reports whether the text has a name as a word. Every case asks for that of its
// kernel.
func (u *unit) mentions(name string) bool {
	if has, known := u.mentioned.Load(name); known {
		return has.(bool)
	}
	has := mentions(u.text, name)
	u.mentioned.Store(name, has)
	return has
}

// exports reports whether the file compiles and has an entry point called name.
func (u *unit) exports(name string) bool {
	names, _ := u.names()
	return slices.Contains(names, name)
}

// signatures are those of the entry points: none if the file does not compile.
func (u *unit) signatures() []metalrun.Signature {
	p, err := u.plain()
	if err == nil {
		_, err = u.names()
	}
	if err != nil {
		return nil
	}
	return p.Signatures()
}

// program is a build of the file with some arithmetic. What a host chooses for an entry point makes
// a program of that alone, if it is named: a file may have hundreds.
func (u *unit) program(b Build, math metalrun.Math, entry string) (*metalrun.Program, error) {
	key := b.program(entry, math)
	if key == (programKey{}) {
		return u.plain()
	}
	u.mu.Lock()
	p := u.programs[key]
	if p == nil {
		p = &program{}
		u.programs[key] = p
	}
	u.mu.Unlock()
	p.once.Do(func() { p.program, p.err = u.build(key, b) })
	return p.program, p.err
}

// library compiles a build of the file for a runner, once.
func (u *unit) library(r metalrun.Runner, b Build, math metalrun.Math, entry string) (metalrun.Library, error) {
	key := libraryKey{r, b.program(entry, math)}
	u.mu.Lock()
	l := u.libraries[key]
	if l == nil {
		l = &library{}
		u.libraries[key] = l
	}
	u.mu.Unlock()
	l.once.Do(func() {
		var p *metalrun.Program
		if p, l.err = u.program(b, math, entry); l.err == nil {
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
