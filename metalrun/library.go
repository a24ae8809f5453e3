package metalrun

import (
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"

	"metalconform/metalrun/internal/air"
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
	"metalconform/metalrun/internal/types"
)

// Extensions of files that hold kernels: source, and compiled libraries.
const (
	SourceExtension  = ".metal"
	LibraryExtension = ".metallib"
)

// HoldsKernels reports whether a file holds kernels, by its name.
func HoldsKernels(name string) bool {
	ext := path.Ext(name)
	return ext == SourceExtension || ext == LibraryExtension
}

// LibraryFacts are what a compiled library says of itself.
type LibraryFacts struct {
	Compiler    string // as it names itself
	AIR         string // version of Apple's intermediate representation
	Language    string // version
	Platform    string // and version of the operating system that it is for
	Math        Math
	Denorms     bool     // subnormal numbers are kept
	Lines       bool     // it has line information
	OtherStages []string // functions that are no kernels, with what they are
	Slices      []string // of a fat file: the platforms
}

// library is what a program of a compiled library has instead of a tree.
type library struct {
	*air.Library
	facts LibraryFacts
	edit  *LibraryEdit // nil if it is as it was read
	funcs map[string]*air.Kernel
}

// Library is what is known of the compiled library that the program is; false for source.
func (p *Program) Library() (LibraryFacts, bool) {
	if p.library == nil {
		return LibraryFacts{}, false
	}
	return p.library.facts, true
}

// FunctionDigest is the SHA-256 of the module of a kernel of a compiled library; "" for source.
func (p *Program) FunctionDigest(name string) string {
	if p.library == nil || p.library.funcs[name] == nil {
		return ""
	}
	digest := p.library.funcs[name].Digest
	return hex.EncodeToString(digest[:])
}

// analyseLibrary makes a program of a compiled library. Its arithmetic and its language are those that the library was
// compiled for, whatever the options say.
func analyseLibrary(src Source, opts CompileOptions) (*Program, error) {
	opts.trace("library", src.Name)
	switch {
	case src.Before != "" || src.After != "":
		return nil, refusedLibrary(src.Name, "text cannot be put around a compiled library")
	case len(opts.Macros) > 0:
		return nil, refusedLibrary(src.Name, "macros cannot be defined in a compiled library")
	}
	text, edit := editedLibrary(src.Files[src.Name])
	lib, err := air.Read(src.Name, []byte(text))
	if err != nil {
		return nil, refusedLibrary(src.Name, err.Error())
	}
	l := &library{Library: lib, edit: edit, funcs: map[string]*air.Kernel{}}
	for _, k := range lib.Kernels {
		l.funcs[k.Name] = k
	}
	if err := l.describe(&opts); err != nil {
		return nil, refusedLibrary(src.Name, err.Error())
	}
	src.listing = l.listing
	return newLibraryProgram(src, opts, l)
}

// refusedLibrary is a diagnostic of a library as a whole.
func refusedLibrary(name, why string) Diagnostics {
	return Diagnostics{{Position: Position{File: name, Line: 1, Col: 1}, Code: "library", Message: why}}
}

// describe collects the facts of the library and has the options follow them.
func (l *library) describe(opts *CompileOptions) error {
	l.facts = LibraryFacts{Platform: l.Platform, Slices: l.Slices, Math: Math{Mode: MathSafe}}
	for _, o := range l.Others {
		l.facts.OtherStages = append(l.facts.OtherStages, o.Name+" ("+o.Kind+")")
	}
	if len(l.Kernels) == 0 {
		return nil
	}
	f, err := l.Kernels[0].Facts()
	if err != nil {
		return err
	}
	l.facts.Compiler, l.facts.AIR, l.facts.Language = f.Compiler, f.AIR, f.Language
	l.facts.Denorms, l.facts.Lines = f.Denorms, f.Lines
	if f.FastMath {
		l.facts.Math = Math{MathFast, true}
	}
	*opts = opts.With(l.facts.Math)
	major, minor, _ := strings.Cut(f.Language, ".")
	x, err1 := strconv.Atoi(major)
	y, err2 := strconv.Atoi(minor)
	if err := errors.Join(err1, err2); err != nil {
		return fmt.Errorf("the version of the language is %s", f.Language)
	}
	opts.LanguageVersion = Version(100*x + 10*y)
	return nil
}

// listing is the text of a module, by the file of its positions.
func (l *library) listing(file string) (string, bool) {
	name, ok := strings.CutPrefix(file, l.Name+":")
	if k := l.funcs[name]; ok && k != nil {
		return k.Listing(), true
	}
	return "", false
}

// newLibraryProgram makes a program of the entry points that are wanted. The tree is empty.
func newLibraryProgram(src Source, opts CompileOptions, l *library) (*Program, error) {
	t := &tree{budget: syntax.Budget{All: opts.Budget, Limits: opts.Limits}}
	file, errs := syntax.Parse(src.Name, map[string]string{src.Name: ""}, opts.syntax(Source{}, &t.budget))
	if len(errs) > 0 {
		return nil, diagnostics(src, nil, errs)
	}
	t.file = file
	typed := &hir.Program{}
	bits := map[int]uint64{}
	declared := map[int]bool{}
	var list syntax.ErrorList
	for _, k := range l.Kernels {
		if opts.entries != nil && !slices.Contains(opts.entries, k.Name) {
			continue
		}
		f, err := k.Signature()
		if err != nil {
			list = append(list, &syntax.Error{Pos: syntax.Pos{File: src.Name, Line: 1, Col: 1}, Code: "library",
				Msg: err.Error()})
			continue
		}
		typed.Kernels = append(typed.Kernels, f)
		constants, err := k.FunctionConstants()
		if err != nil {
			return nil, err
		}
		for _, c := range constants {
			if declared[c.Index] {
				continue
			}
			declared[c.Index] = true
			given, ok := opts.FunctionConstants[c.Index]
			if ok {
				if bits[c.Index], c.Defined = types.HostBits(given, c.Type); !c.Defined {
					list = append(list, &syntax.Error{Pos: c.Pos, Code: "function-constant-value", Msg: fmt.Sprintf(
						"function constant %s of type %s cannot take the value %v", c.Name, c.Type, given)})
				}
			}
			typed.FunctionConstants = append(typed.FunctionConstants, c)
		}
	}
	if len(list) > 0 {
		return nil, diagnostics(src, nil, list)
	}
	slices.SortFunc(typed.FunctionConstants, func(a, b *hir.FunctionConstant) int { return a.Index - b.Index })
	p := &Program{source: src, options: opts, tree: t, typed: typed, library: l}
	p.usable = sync.OnceValues(p.lowerAll)
	p.enter(func(f *hir.Func) (*ir.Kernel, error) {
		opts.trace("ir", f.Name)
		k, err := l.funcs[f.Name].Lower(func(index int) (uint64, bool) { v, ok := bits[index]; return v, ok })
		if err != nil {
			return nil, refused(err, src, t)
		}
		if l.edit != nil && l.edit.Kernel == f.Name {
			return k, l.edit.apply(k)
		}
		return k, nil
	})
	return p, nil
}

// lowerAll lowers the kernels of a library, and says as warnings which cannot be.
func (p *Program) lowerAll() (list []*entry, unsupported Diagnostics) {
	errs := make([]error, len(p.entries))
	_ = p.each(p.entries, func() func(*entry, int) error {
		return func(e *entry, i int) error {
			_, errs[i] = e.lower()
			return nil
		}
	})
	for i, e := range p.entries {
		var why Diagnostics
		switch {
		case errs[i] == nil:
			list = append(list, e)
		case errors.As(errs[i], &why):
			for _, d := range why {
				d.Warning, d.Message = true, "the kernel "+e.Name+" cannot be executed: "+d.Message
				unsupported = append(unsupported, d)
			}
		default:
			list = append(list, e) // whoever asks for it gets the error
		}
	}
	return list, unsupported
}
