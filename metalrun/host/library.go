package host

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"metalconform/metalrun"
)

// Library is a translation unit that the program has compiled.
type Library struct {
	host    *Host
	program *metalrun.Program
	lines   []string // of the source

	mu   sync.Mutex
	made map[string]*Function
}

// LibraryOptions are those of MTLCompileOptions.
type LibraryOptions struct {
	Version metalrun.Version // 0: the newest
	Math    metalrun.Math
	Macros  map[string]string
}

// newestVersion is the language of libraries whose options name none.
const newestVersion metalrun.Version = 320

// Compile translates a source. The error is what Metal puts into the NSError.
func (h *Host) Compile(source string, o LibraryOptions) (*Library, error) {
	if o.Version == 0 {
		o.Version = newestVersion
	}
	if h.math != nil {
		o.Math = *h.math
	}
	h.mu.Lock()
	h.libraries++
	name := "program_source"
	if h.libraries > 1 {
		name += fmt.Sprintf("_%d", h.libraries)
	}
	h.mu.Unlock()
	p, err := metalrun.Analyse(metalrun.SourceText(name, source), metalrun.CompileOptions{
		LanguageVersion: o.Version, MathMode: o.Math.Mode, FastFunctions: o.Math.FastFunctions, Macros: o.Macros,
		Budget: compileBudget, Lowering: compileBudget})
	l := &Library{host: h, program: p, lines: strings.Split(source, "\n"), made: map[string]*Function{}}
	if err != nil {
		l.refused("library "+name, err)
		return nil, err
	}
	return l, nil
}

// refused reports that the compiler refuses something. A program may try a compilation to learn what a device has:
// it is a note.
func (l *Library) refused(what string, err error) {
	f := Finding{Check: CheckCompile, Grade: metalrun.GradeNote, Message: fmt.Sprintf("%s is refused: %v", what, err)}
	var list metalrun.Diagnostics
	if errors.As(err, &list) && len(list) > 0 {
		f.Position, f.Message = list[0].Position, fmt.Sprintf("%s is refused: %s", what, list[0].Message)
		f.Text = l.line(f.Position)
	}
	l.host.found(f)
}

// line is the text of a line of the source.
func (l *Library) line(p metalrun.Position) string {
	if p.Line < 1 || p.Line > len(l.lines) {
		return ""
	}
	return strings.TrimSpace(l.lines[p.Line-1])
}

// Names lists the kernels.
func (l *Library) Names() []string {
	var names []string
	for _, s := range l.program.Signatures() {
		names = append(names, s.Name)
	}
	return names
}

// FunctionConstants lists the constants of the library.
func (l *Library) FunctionConstants() []metalrun.FunctionConstant {
	return l.program.FunctionConstants()
}

// Function is a kernel with the values of its constants.
type Function struct {
	library *Library
	Name    string
	program *metalrun.Program
	info    metalrun.KernelInfo
}

// Function specialises a kernel. It does so once for each set of values.
func (l *Library) Function(name string, constants map[int]any) (*Function, error) {
	if !l.program.Exports(name) {
		return nil, fmt.Errorf("no function named '%s' was found in the library", name)
	}
	key := fmt.Sprint(name, constants) // maps are printed in the order of their keys
	l.mu.Lock()
	defer l.mu.Unlock()
	if f := l.made[key]; f != nil {
		return f, nil
	}
	p, err := l.program.Specialise(l.program.Options().Math(), constants, name)
	var info metalrun.KernelInfo
	if err == nil {
		info, err = p.Kernel(name)
	}
	if err != nil {
		l.refused("function "+name, err)
		return nil, err
	}
	f := &Function{library: l, Name: name, program: p, info: info}
	l.made[key] = f
	return f, nil
}

// Pipeline is a kernel that can be launched.
type Pipeline struct {
	Function *Function
	Label    string
	kernel   metalrun.Kernel
	most     int // threads of a threadgroup
	checked  checked
}

// Pipeline compiles a function. most is maxTotalThreadsPerThreadgroup of its descriptor, or 0.
func (f *Function) Pipeline(most int) (*Pipeline, error) {
	h := f.library.host
	l, err := h.runner.Compile(f.program)
	var k metalrun.Kernel
	if err == nil {
		k, err = l.Kernel(f.Name)
	}
	if err != nil {
		f.library.refused("pipeline of "+f.Name, err)
		return nil, err
	}
	p := &Pipeline{Function: f, kernel: k, most: min(k.MaxThreads(), h.device.Threads)}
	if most > 0 {
		p.most = min(p.most, most)
	}
	return p, nil
}

// MaxThreads is maxTotalThreadsPerThreadgroup.
func (p *Pipeline) MaxThreads() int { return p.most }

// StaticMemory is staticThreadgroupMemoryLength.
func (p *Pipeline) StaticMemory() int { return p.Function.info.StaticThreadgroupMemory }
