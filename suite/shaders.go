package suite

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"sort"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"metalconform/internal/crash"
	"metalconform/internal/regular"
	"metalconform/metalrun"
)

// Shaders is a directory of .metal files under test. Entry points are found by
// name in all of them. Each file is analysed once, whoever asks, and compiled once
// per runner and class of functions, when it is first needed. What is compiled is
// kept for all runs until Release.
type Shaders struct {
	files map[string]string // every file of the directory, for quoted includes
	units []*unit           // the .metal files in order of their names
	// excluded are those that are declared not to be compiled.
	excluded []*unit
	analyse  Analyse
	// trusted are files that are known to compile and to export no kernel without its name
	// in their text: they are analysed when one of their kernels is asked for.
	trusted bool
	// narrowed says that files are left out which a few cases do not need.
	narrowed bool
	defined  []Case // whose macros some of the files need

	variants map[string]*Shaders // of some of the files, by name
	order    []string            // the names
}

// Analyse is a front end: [metalrun.Analyse], or one that stands before it.
type Analyse func(metalrun.Source, metalrun.CompileOptions) (*metalrun.Program, error)

// ErrAbsent is returned for a kernel that no file of a directory exports.
var ErrAbsent = errors.New("absent")

// ErrNoSources is returned for a directory without .metal files.
var ErrNoSources = errors.New("no .metal files")

// BrokenFile is a file that does not compile: nothing in it can be judged. As an error of
// a kernel it says why that cannot be.
type BrokenFile struct {
	File  string
	Crash *crash.Crash // the front end did not judge it, but panicked; nil otherwise
	// what the front end or the device said: one at least, in the file or in one that it includes; line 0 if it names
	// none
	Diagnostics metalrun.Diagnostics
}

func (b *BrokenFile) Error() string {
	first := b.Diagnostics[0]
	if b.Crash != nil {
		return fmt.Sprintf("%s: %s", b.File, first.Message)
	}
	if first.Line == 0 {
		return fmt.Sprintf("%s does not compile: %s", b.File, first.Message)
	}
	return fmt.Sprintf("%s does not compile: %v", b.File, first)
}

// Unwrap is the panic, if there was one.
func (b *BrokenFile) Unwrap() error {
	if b.Crash == nil {
		return nil
	}
	return b.Crash
}

// brokenFile is the file of a program that is not accepted.
func brokenFile(file string, err error) *BrokenFile {
	var list metalrun.Diagnostics
	if !errors.As(err, &list) || len(list) == 0 {
		list = metalrun.Diagnostics{{Position: metalrun.Position{File: file}, Message: err.Error()}}
	}
	broken := &BrokenFile{File: file, Diagnostics: list}
	errors.As(err, &broken.Crash)
	return broken
}

// uncompiled is the error of a file that a device's compiler does not take: a [BrokenFile],
// unless it is the device that cannot.
func uncompiled(file string, err error) error {
	if errors.Is(err, metalrun.ErrUnusable) || errors.Is(err, metalrun.ErrUnsupported) {
		return fmt.Errorf("%s: %w", file, err)
	}
	return brokenFile(file, err)
}

// OpenShaders reads the .metal files of fsys and everything that they may
// include. A file that the front end refuses is not an error here, but asking for
// its kernels is.
func OpenShaders(fsys fs.FS, analyse Analyse) (*Shaders, error) {
	s, err := readShaders(fsys, analyse)
	if err != nil {
		return nil, err
	}
	var all sync.WaitGroup
	for _, u := range s.units {
		all.Go(func() { u.names() })
	}
	all.Wait()
	return s, nil
}

// OpenFor is OpenShaders for some cases alone: of the .metal files there are those that export their kernels.
func OpenFor(fsys fs.FS, analyse Analyse, cases []Case) (*Shaders, error) {
	s, err := readShaders(fsys, analyse)
	if err != nil {
		return nil, err
	}
	s.narrow(cases)
	return s, nil
}

// OpenTrusted opens files that are known to compile, and to export no kernel without its
// name in their text, such as those that a program carries: only what is asked for is
// analysed.
func OpenTrusted(fsys fs.FS, analyse Analyse) (*Shaders, error) {
	s, err := readShaders(fsys, analyse)
	if err != nil {
		return nil, err
	}
	s.trusted = true
	return s, nil
}

// deepestTree bounds directories in directories: each is opened from the first, so that a thousand cost a million
// calls.
const deepestTree = 100

// isSource reports whether a file is one that kernels may be made of.
func isSource(name string) bool {
	return metalrun.HoldsKernels(name) || slices.Contains([]string{".h", ".metalh", ".hpp"}, path.Ext(name))
}

// readShaders reads the files and analyses none.
func readShaders(fsys fs.FS, analyse Analyse) (*Shaders, error) {
	files := map[string]string{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && strings.Count(name, "/") >= deepestTree {
			return fmt.Errorf("%s: directories lie more than %d deep in each other, and no flag allows more", name,
				deepestTree)
		}
		if err != nil || d.IsDir() || !isSource(name) {
			return err
		}
		text, err := regular.ReadFrom(fsys, name, regular.Source)
		if err != nil {
			return err
		}
		files[name] = string(text)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return NewShaders(files, analyse)
}

// NewShaders is a directory of the files given by name. They are analysed when they are asked for. Compiled libraries
// count where there is no source.
func NewShaders(files map[string]string, analyse Analyse) (*Shaders, error) {
	s := &Shaders{files: maps.Clone(files), analyse: analyse}
	names := withExtension(files, metalrun.SourceExtension)
	if len(names) == 0 {
		names = withExtension(files, metalrun.LibraryExtension)
	}
	if len(names) == 0 {
		return nil, ErrNoSources
	}
	slices.Sort(names)
	for _, name := range names {
		s.units = append(s.units, newUnit(metalrun.Source{Name: name, Files: s.files}, analyse))
	}
	return s, nil
}

// withExtension are the files with an extension.
func withExtension(files map[string]string, ext string) (names []string) {
	for name := range files {
		if path.Ext(name) == ext {
			names = append(names, name)
		}
	}
	return names
}

// naming are the files that may export one of the names.
func (s *Shaders) naming(names ...string) []*unit {
	if !s.trusted {
		return s.units
	}
	var list []*unit
	for _, u := range s.units {
		if slices.ContainsFunc(names, u.mentions) {
			list = append(list, u)
		}
	}
	return list
}

// mentions reports whether a text has a name as a word.
func mentions(text, name string) bool {
	for {
		before, after, found := strings.Cut(text, name)
		if !found {
			return false
		}
		last, _ := utf8.DecodeLastRuneInString(before)
		first, _ := utf8.DecodeRuneInString(after)
		if !inWord(last) && !inWord(first) {
			return true
		}
		text = after
	}
}

func inWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// unit is the .metal file called file.
func (s *Shaders) unit(file string) *unit {
	return s.units[slices.IndexFunc(s.units, func(u *unit) bool { return u.file == file })]
}

// Broken are the files that the front end refuses.
func (s *Shaders) Broken() []*BrokenFile {
	var list []*BrokenFile
	if s.trusted {
		return nil
	}
	s.own(func(variant string, u *unit) {
		if _, err := u.names(); err != nil {
			list = append(list, brokenFile(u.file, err).in(variant))
		}
	})
	return list
}

// AnalyseFor analyses all files that Find looks at for the kernels of some cases, side by side: as many at once
// as there are processors, for each may take what a compilation may.
func (s *Shaders) AnalyseFor(cases []Case) {
	var all sync.WaitGroup
	room := make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))
	for _, u := range s.naming(kernelsOf(cases)...) {
		room <- struct{}{}
		all.Go(func() {
			u.names()
			<-room
		})
	}
	all.Wait()
}

// narrow leaves only the files that export the kernels of some cases, and analyses as few others as it can. Names may
// be put together by macros, so that a text need not have one whole: files are asked first whose text has most of it.
// Where a kernel is nowhere, all files stay, and nothing is said that is not so.
func (s *Shaders) narrow(cases []Case) {
	wanted, left := kernelsOf(cases), slices.Clone(s.units)
	needed := map[*unit]bool{}
	for len(wanted) > 0 {
		likely := map[*unit]bool{}
		for _, name := range wanted {
			if u := likeliest(left, name); u != nil {
				likely[u] = true
			}
		}
		if len(likely) == 0 {
			return
		}
		var all sync.WaitGroup
		for u := range likely {
			all.Go(func() { u.names() })
		}
		all.Wait()
		wanted = slices.DeleteFunc(wanted, func(name string) bool {
			for u := range likely {
				if _, err := u.names(); u.exports(name) || err != nil && u.mentions(name) {
					needed[u] = true
					return true
				}
			}
			return false
		})
		left = slices.DeleteFunc(left, func(u *unit) bool { return likely[u] })
	}
	s.units = slices.DeleteFunc(slices.Clone(s.units), func(u *unit) bool { return !needed[u] })
	s.narrowed = true
}

// Narrowed reports whether files are left out which the cases of the run do not need.
func (s *Shaders) Narrowed() bool { return s.narrowed }

// likeliest is the file whose text has the longest beginning of a name; nil of no files.
func likeliest(units []*unit, name string) (best *unit) {
	most := -1
	for _, u := range units {
		if u.mentions(name) {
			return u
		}
		n := sort.Search(len(name), func(n int) bool { return !strings.Contains(u.text, name[:n+1]) })
		if n > most {
			best, most = u, n
		}
	}
	return best
}

// kernelsOf are the names of the kernels that cases launch.
func kernelsOf(cases []Case) []string {
	var names []string
	seen := map[*Kernel]bool{}
	for _, c := range cases {
		if seen[c.Kernel] {
			continue
		}
		seen[c.Kernel] = true
		for _, name := range c.Kernels() {
			names = with(names, name)
		}
	}
	return names
}

// Compile compiles every file for a runner in each arithmetic that is judged, whether or
// not a kernel in it is (if the files are trusted, those of the judged kernels), and lists
// those that are refused. What the device has no support for is not, and its kernels are
// skipped; the error wraps ErrUnusable if no compiler answers.
func (s *Shaders) Compile(r metalrun.Runner, judged []Case) ([]*BrokenFile, error) {
	var maths []metalrun.Math
	for _, c := range judged {
		if m := c.Arithmetic(); !slices.Contains(maths, m) {
			maths = append(maths, m)
		}
	}
	units := s.naming(kernelsOf(judged)...)
	variants := make([]string, len(units))
	if len(s.order) > 0 {
		units, variants = nil, nil
		s.own(func(variant string, u *unit) { units, variants = append(units, u), append(variants, variant) })
	}
	failed := make([]error, len(units))
	var all sync.WaitGroup
	for i, u := range units {
		all.Go(func() {
			_, failed[i] = u.names()
			for _, m := range maths {
				if failed[i] == nil && !u.lacks {
					_, failed[i] = u.library(r, Build{}, m, "")
				}
			}
		})
	}
	all.Wait()
	var list []*BrokenFile
	for i, u := range units {
		if failed[i] == nil {
			continue
		}
		err := uncompiled(u.file, failed[i])
		var broken *BrokenFile
		switch {
		case errors.As(err, &broken):
			list = append(list, broken.in(variants[i]))
		case errors.Is(err, metalrun.ErrUnusable):
			return nil, err
		}
	}
	return list, nil
}

// Find is the file that exports the entry point called name, and what the
// front end knows of it. The error wraps [ErrAbsent] where no file does, and is
// a [BrokenFile] where a file mentions the name that the front end does not accept.
func (s *Shaders) Find(name string) (file string, info metalrun.KernelInfo, err error) {
	switch units := s.exporting(name); {
	case len(units) > 1:
		return "", info, fmt.Errorf("%s is exported by both %s and %s", name, units[0].file, units[1].file)
	case len(units) == 1:
		if info, err = units[0].kernel(name); err != nil {
			return "", info, brokenFile(units[0].file, err)
		}
		return units[0].file, info, nil
	}
	for _, u := range s.naming(name) {
		if _, err := u.names(); err != nil && u.mentions(name) {
			return "", info, brokenFile(u.file, err)
		}
	}
	return "", info, fmt.Errorf("%w: no file exports a kernel of that name", ErrAbsent)
}

// exporting are the files that export an entry point: one, unless something is wrong.
func (s *Shaders) exporting(name string) []*unit {
	return slices.DeleteFunc(slices.Clone(s.naming(name)), func(u *unit) bool { return !u.exports(name) })
}

// Reads are the names of the files that a kernel is made of: those that export it, of which
// there should be one, or the one that mentions it and does not compile, and those that they
// include or that stand ahead of them. Files from outside of the directory have the names that options of the compiler
// give them. None if there is no such kernel.
func (s *Shaders) Reads(kernel string) []string { return slices.Sorted(maps.Keys(s.Contents(kernel))) }

// Contents are the texts of the files that a kernel is made of, by the names of [Shaders.Reads].
func (s *Shaders) Contents(kernel string) map[string]string {
	texts := map[string]string{}
	units := s.exporting(kernel)
	for _, name := range s.order {
		units = append(units, s.variants[name].exporting(kernel)...)
	}
	for _, u := range units {
		maps.Copy(texts, u.contentsOf(kernel))
	}
	if len(texts) == 0 {
		_, _, err := s.Find(kernel)
		var broken *BrokenFile
		if errors.As(err, &broken) {
			texts = s.unit(broken.File).contents()
		}
	}
	return texts
}

// FileContents are the texts of a .metal file and of those that it includes, or that stand ahead of it; nil if there is
// no such file.
func (s *Shaders) FileContents(file string) map[string]string {
	i := slices.IndexFunc(s.units, func(u *unit) bool { return u.file == file })
	if i < 0 {
		return nil
	}
	return s.units[i].contents()
}

// Names are the entry points of all files in order.
func (s *Shaders) Names() []string {
	var names []string
	for _, u := range s.units {
		own, _ := u.names()
		names = append(names, own...)
	}
	slices.Sort(names)
	return names
}

// Release frees what runs have compiled. No run may be under way, and their
// runners must still be open.
func (s *Shaders) Release() {
	for _, u := range s.excluded {
		u.release()
	}
	s.own(func(_ string, u *unit) { u.release() })
}

// Covers reports the file that exports kernel k, or why nothing there can be
// judged as k: no file exports the name ([ErrAbsent]), its file is refused by
// the front end, or its argument table differs.
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
		if a.Kind == metalrun.ThreadgroupArg {
			memory = max(memory, a.Index+1)
			continue
		}
		if a.Kind != metalrun.BufferArg {
			note("%s is a %s, which no specification has", a.Name, a.Type)
			continue
		}
		if _, ok := k.Args.At(a.Index); !ok {
			note("[[buffer(%d)]] is %s, the specification has %d arguments", a.Index, a.Name, len(k.Args))
			continue
		}
		buffers[a.Index] = a
	}
	for n, a := range k.Args {
		i := k.Args.Binding(n)
		got, ok := buffers[i]
		if !ok {
			if k.Build != nil && a.Role != RoleOut {
				continue // a function constant may leave it out
			}
			note("no argument at [[buffer(%d)]], want %s", i, a.Name)
			continue
		}
		if a.Role == RoleOut && !got.Writable {
			note("[[buffer(%d)]] is %s and cannot be written, want the output %s", i, got.Name, a.Name)
		}
		if a.Struct != "" && got.Type != a.Struct && !strings.HasSuffix(got.Type, "::"+a.Struct) {
			note("[[buffer(%d)]] is %s of type %s, want a struct %s", i, got.Name, got.Type, a.Struct)
		}
		if size := a.size(); !a.Buffer() && got.Reference && size < got.Size {
			note("[[buffer(%d)]] is %s of %d bytes, and %s has %d", i, got.Name, got.Size, a.Name, size)
		}
	}
	if memory > len(k.ThreadgroupMemory) {
		note("%d arguments in threadgroup memory, want %d", memory, len(k.ThreadgroupMemory))
	}
	return wrong
}

// built is what the front end knows of an entry point in the build of a case.
func (s *Shaders) built(c Case, file string, info metalrun.KernelInfo) (metalrun.KernelInfo, error) {
	b, math := c.Build(), c.Arithmetic()
	if b.Key() == "" && math == (metalrun.Math{}) {
		return info, nil
	}
	program, err := s.unit(file).program(b, math, info.Name)
	if err != nil {
		return info, brokenFile(file, err)
	}
	if !program.Exports(info.Name) {
		return info, fmt.Errorf("%s has no %s when it is built in %s math with %s", file, info.Name, math, b.Key())
	}
	if info, err = program.Kernel(info.Name); err != nil {
		return info, brokenFile(file, err)
	}
	return info, nil
}

// takes says below a sentence what an entry point of the kernel's name has to take.
func (k *Kernel) takes() string {
	list := make([]string, len(k.Args))
	for n, a := range k.Args {
		list[n] = fmt.Sprintf("%d %s", k.Args.Binding(n), a.Name)
	}
	return fmt.Sprintf("\n\twhat is called %s takes %s; an entry point that is something else needs another name",
		k.Name, strings.Join(list, ", "))
}

// Define makes kernels known that files export only with the macros that the hosts of some cases define. A host that
// compiles a text while it runs has names and types in such macros, so that the text alone does not compile.
func (s *Shaders) Define(cases []Case) {
	seen := map[*Kernel]bool{}
	for _, c := range cases {
		if seen[c.Kernel] || c.Pipeline != nil {
			continue
		}
		seen[c.Kernel] = true
		b := c.Build()
		if len(b.Macros) == 0 || len(s.exporting(c.Kernel.Name)) > 0 {
			continue
		}
		for _, u := range s.units {
			if u.define(c.Kernel.Name, b) {
				s.defined = append(s.defined, c)
				break
			}
		}
	}
}

// With are the shaders with another text for one file, which has the same entry
// points. They share the other files, and what is compiled of them, with s.
func (s *Shaders) With(src metalrun.Source) *Shaders {
	e := &Shaders{files: maps.Clone(s.files), units: slices.Clone(s.units), analyse: s.analyse, trusted: s.trusted}
	maps.Copy(e.files, src.Files)
	for i, u := range s.units {
		if u.file == src.Name {
			e.units[i] = newUnit(metalrun.Source{Name: src.Name, Files: e.files}, s.analyse)
			e.units[i].names, e.units[i].kernel, e.units[i].lacks = u.names, u.kernel, u.lacks
		}
	}
	for _, name := range s.order {
		if e.variants == nil {
			e.variants = map[string]*Shaders{}
		}
		e.variants[name] = s.variants[name].With(src)
	}
	e.order = s.order
	return e
}

// Edited are the shaders with other texts for some files. They share nothing with s that is
// compiled.
func (s *Shaders) Edited(texts map[string]string) *Shaders {
	e := &Shaders{files: maps.Clone(s.files), analyse: s.analyse, trusted: s.trusted, order: s.order,
		variants: map[string]*Shaders{}}
	maps.Copy(e.files, texts)
	for name, v := range s.variants {
		e.variants[name] = v.Edited(texts)
	}
	for _, u := range s.units {
		e.units = append(e.units, newUnit(metalrun.Source{Name: u.file, Files: e.files}, s.analyse))
	}
	e.Define(s.defined)
	return e
}

// Texts are the texts of all files by name: the .metal files and what they may
// include.
func (s *Shaders) Texts() map[string]string { return maps.Clone(s.files) }

// Text is the text of a file of the directory.
func (s *Shaders) Text(file string) (text string, ok bool) {
	text, ok = s.files[file]
	return text, ok
}

// Compiled are the texts that compiling the .metal files reads: theirs, and those of files of the directory that they
// include. Of each, shown says whether a reader of the cases' results is shown it: one of their kernels is made of it,
// or it does not compile.
func (s *Shaders) Compiled(judged []Case) (texts map[string]string, shown map[string]bool) {
	kernels := kernelsOf(judged)
	texts, shown = map[string]string{}, map[string]bool{}
	s.own(func(_ string, u *unit) {
		names, concerned := s.reads(u), s.concerns(u, kernels)
		for _, name := range names {
			if text, ok := s.files[name]; ok {
				texts[name] = text
				shown[name] = shown[name] || concerned
			}
		}
	})
	return texts, shown
}

// concerns reports whether a file exports one of some kernels, or does not compile.
func (s *Shaders) concerns(u *unit, kernels []string) bool {
	if s.trusted {
		return slices.ContainsFunc(kernels, u.mentions)
	}
	names, err := u.names()
	return err != nil || slices.ContainsFunc(names, func(name string) bool { return slices.Contains(kernels, name) })
}

// reads are the names of what compiling a file reads.
func (s *Shaders) reads(u *unit) []string {
	src := metalrun.Source{Name: u.file, Files: s.files}
	var named metalrun.Diagnostics
	if !s.trusted {
		if p, err := u.plain(); err == nil {
			src = p.Source()
		} else {
			errors.As(err, &named) // of files that only the options of the compiler lead to
		}
	}
	read, err := src.Read(func(name string) ([]byte, error) {
		if text, ok := src.Files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	})
	if err != nil {
		return nil // the file is among its own
	}
	names := slices.Collect(maps.Keys(read.Files))
	for _, d := range named {
		names = append(names, d.File)
	}
	return names
}

// Decisions are the numbers that decisions of a kernel's entry point hang on, in the build of a point.
func (s *Shaders) Decisions(k *Kernel, at Shape) (integers, floats []float64, err error) {
	program, err := s.programAt(k, at)
	if err != nil {
		return nil, nil, err
	}
	return program.Decisions(k.Name)
}

// ComparedConstants are the floating-point constants that a kernel's entry point compares with values that it computes,
// in the build of a point.
func (s *Shaders) ComparedConstants(k *Kernel, at Shape) ([]float64, error) {
	program, err := s.programAt(k, at)
	if err != nil {
		return nil, err
	}
	return program.ComparedConstants(k.Name)
}

// programAt is the program with a kernel's entry point in the build of a point.
func (s *Shaders) programAt(k *Kernel, at Shape) (*metalrun.Program, error) {
	file, _, err := s.Find(k.Name)
	if err != nil {
		return nil, err
	}
	b := Build{}
	if k.Build != nil {
		b = k.Build(at)
	}
	return s.unit(file).program(b, metalrun.Math{}, k.Name)
}
