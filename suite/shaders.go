package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"sync"

	"metalconform/metalrun"
)

// Shaders is a directory of .metal files under test. Entry points are found by
// name in all of them; each file is translated once per runner and class of
// functions, when it is first needed, and kept for all runs until Release.
type Shaders struct {
	files map[string]string // every file of the directory, for quoted includes
	units []unit            // the .metal files in order of their names

	mu        sync.Mutex
	libraries map[libraryKey]*library
	data      map[string]*constants // by file
}

// unit is one .metal file as the front end sees it.
type unit struct {
	file    string
	kernels []metalrun.KernelInfo
	err     error // why the file has no kernels
}

// Inspect lists the entry points of a source without running anything, such as
// metalrun.Inspect.
type Inspect func(metalrun.Source, metalrun.CompileOptions) ([]metalrun.KernelInfo, error)

// ErrAbsent is returned for a kernel that no file of a directory exports.
var ErrAbsent = errors.New("absent")

// OpenShaders reads the .metal files of fsys and everything that they may
// include. A file that the front end refuses is no error here: its kernels
// are, when they are asked for.
func OpenShaders(fsys fs.FS, inspect Inspect) (*Shaders, error) {
	s := &Shaders{files: map[string]string{}, libraries: map[libraryKey]*library{}, data: map[string]*constants{}}
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".metal", ".h", ".metalh", ".hpp"}, path.Ext(name)) {
			return err
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		s.files[name] = string(text)
		if path.Ext(name) == ".metal" {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, errors.New("no .metal files")
	}
	slices.Sort(names)
	for _, name := range names {
		kernels, err := inspect(s.source(name), compileOptions(false))
		s.units = append(s.units, unit{file: name, kernels: kernels, err: err})
	}
	return s, nil
}

// source is the translation unit of one file.
func (s *Shaders) source(file string) metalrun.Source {
	return metalrun.Source{Name: file, Files: s.files}
}

// compileOptions are the host's choices: nothing is left to the defaults of a
// platform, and no transformation may change a value.
func compileOptions(fast bool) metalrun.CompileOptions {
	return metalrun.CompileOptions{
		LanguageVersion: metalrun.DefaultVersion,
		MathMode:        metalrun.MathSafe,
		FastFunctions:   fast,
	}
}

// Find is the file that exports the entry point called name, and what the
// front end knows of it. The error wraps [ErrAbsent] where no file does, and is
// that of the front end where a refused file mentions the name.
func (s *Shaders) Find(name string) (file string, info metalrun.KernelInfo, err error) {
	for _, u := range s.units {
		for _, k := range u.kernels {
			if k.Name != name {
				continue
			}
			if file != "" {
				return "", info, fmt.Errorf("%s is exported by both %s and %s", name, file, u.file)
			}
			file, info = u.file, k
		}
	}
	if file != "" {
		return file, info, nil
	}
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	for _, u := range s.units {
		if u.err != nil && word.MatchString(s.files[u.file]) {
			return "", info, u.err
		}
	}
	return "", info, fmt.Errorf("%w: no file exports a kernel of that name", ErrAbsent)
}

// Names are the entry points of all files in order.
func (s *Shaders) Names() []string {
	var names []string
	for _, u := range s.units {
		for _, k := range u.kernels {
			names = append(names, k.Name)
		}
	}
	slices.Sort(names)
	return names
}

// libraryKey is what a translated file depends on.
type libraryKey struct {
	runner metalrun.Runner
	file   string
	fast   bool
}

// library is a file that is translated when it is first needed.
type library struct {
	once    sync.Once
	library metalrun.Library
	err     error
}

// library translates a file for a runner, once.
func (s *Shaders) library(r metalrun.Runner, file string, fast bool) (metalrun.Library, error) {
	key := libraryKey{r, file, fast}
	s.mu.Lock()
	l := s.libraries[key]
	if l == nil {
		l = &library{}
		s.libraries[key] = l
	}
	s.mu.Unlock()
	l.once.Do(func() { l.library, l.err = r.Compile(s.source(file), compileOptions(fast)) })
	return l.library, l.err
}

// Release frees what runs have translated. No run may be under way, and their
// runners must still be open.
func (s *Shaders) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.libraries {
		if l.library != nil {
			l.library.Release()
		}
	}
	clear(s.libraries)
}

// Covers reports the file that exports kernel k, or why nothing there can be
// judged as k: no file exports the name ([ErrAbsent]), its file is refused by
// the front end, or its argument table is another.
func (s *Shaders) Covers(k *Kernel) (file string, err error) {
	file, info, err := s.Find(k.Name)
	if err != nil {
		return "", err
	}
	return file, k.Takes(info)
}

// conformsTo compares an entry point's argument table with the specification:
// every argument at its index, writable where the kernel has to write, and
// nothing besides. Types are not compared: a kernel may read the same bytes as
// a wider type.
func (k *Kernel) conformsTo(info metalrun.KernelInfo) (wrong []string) {
	note := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	buffers := map[int]metalrun.ArgInfo{}
	memory := 0
	for _, a := range info.Args {
		switch {
		case a.Kind == metalrun.ThreadgroupArg:
			memory = max(memory, a.Index+1)
		case a.Index >= len(k.Args):
			note("[[buffer(%d)]] is %s, the catalogue has %d arguments", a.Index, a.Name, len(k.Args))
		default:
			buffers[a.Index] = a
		}
	}
	for i, a := range k.Args {
		got, ok := buffers[i]
		switch {
		case !ok:
			note("no argument at [[buffer(%d)]], want %s", i, a.Name)
		case a.Role == RoleOut && !got.Writable:
			note("[[buffer(%d)]] is %s and cannot be written, want the output %s", i, got.Name, a.Name)
		}
	}
	if memory > len(k.ThreadgroupMemory) {
		note("%d arguments in threadgroup memory, want %d", memory, len(k.ThreadgroupMemory))
	}
	return wrong
}
