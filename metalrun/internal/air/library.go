package air

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"metalconform/metalrun/internal/air/bitcode"
	"metalconform/metalrun/internal/air/metallib"
	"metalconform/metalrun/internal/hir"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Library is a compiled library.
type Library struct {
	Name     string // of its file, for positions
	Platform string // and the version of the operating system that it is for
	Slices   []string
	UUID     string
	Kernels  []*Kernel
	Others   []Other // functions that are no kernels
}

// Other is a function of another stage.
type Other struct{ Name, Kind string }

// Kernel is an entry point.
type Kernel struct {
	Name          string
	AIR, Language string
	Digest        [sha256.Size]byte // of its module
	data          []byte
	file          string
	read          func() (*unit, error)
}

// Is reports whether a file is a library, or a module of bitcode.
func Is(data string) bool { return metallib.Is(data) }

// Read reads the table of functions of a library. Modules are read when somebody asks for them. Of several slices it
// takes the one for macOS, or else the first.
func Read(name string, data []byte) (*Library, error) {
	list, err := metallib.Read(data)
	if err != nil {
		return nil, err
	}
	slice := list[max(0, slices.IndexFunc(list, func(l *metallib.Library) bool { return l.Platform == "macOS" }))]
	l := &Library{Name: name, Platform: fmt.Sprintf("%s %s", slice.Platform, slice.OS), UUID: slice.UUID}
	for _, s := range list {
		l.Slices = append(l.Slices, fmt.Sprintf("%s %s", s.Platform, s.OS))
	}
	seen := map[string]bool{}
	for _, f := range slice.Functions {
		if f.Kind != metallib.Kernel {
			l.Others = append(l.Others, Other{f.Name, f.Kind.String()})
			continue
		}
		if seen[f.Name] {
			return nil, fmt.Errorf("the library has two kernels called %s", f.Name)
		}
		seen[f.Name] = true
		k := &Kernel{Name: f.Name, AIR: f.AIR.String(), Language: f.Language.String(), data: f.Module, file: name}
		k.Digest = sha256.Sum256(f.Module)
		k.read = sync.OnceValues(k.unit)
		l.Kernels = append(l.Kernels, k)
	}
	return l, nil
}

// unit is what is known of a kernel's module.
type unit struct {
	module *bitcode.Module
	f      *bitcode.Func
	node   *bitcode.Node // of the list air.kernel
	args   []argument
	fcs    []functionConstant
}

// functionConstant is a constant that the host sets.
type functionConstant struct {
	global     *bitcode.Global
	name, kind string
	index      int
}

func (k *Kernel) unit() (*unit, error) {
	m, err := bitcode.Read(k.data)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", k.file, k.Name, err)
	}
	u := &unit{module: m}
	for _, n := range m.Named["air.kernel"] {
		ops := n.Operands()
		if len(ops) >= 3 && ops[0] != nil && ops[0].Value != nil && ops[0].Value.Func != nil &&
			ops[0].Value.Func.Name == k.Name {
			u.f, u.node = ops[0].Value.Func, n
			u.args = arguments(u.f, ops[2])
		}
	}
	if u.f == nil || len(u.f.Blocks) == 0 || u.f.Type.Elem.Kind != bitcode.Void {
		return nil, fmt.Errorf("%s: %s: %w", k.file, k.Name, errors.New("the module has no such kernel"))
	}
	for _, n := range m.Named["air.function_constants"] {
		ops := n.Operands()
		if len(ops) < 4 || ops[0] == nil || ops[0].Value == nil || ops[0].Value.Global == nil {
			continue
		}
		index, _ := number(ops[3])
		u.fcs = append(u.fcs, functionConstant{ops[0].Value.Global, text(ops[2]), text(ops[1]), index})
	}
	return u, nil
}

// Lower translates the kernel. The function tells the values of function constants by index. The error is a
// *[syntax.Error] if the kernel has something that is not supported.
func (k *Kernel) Lower(values func(index int) (bits uint64, ok bool)) (*ir.Kernel, error) {
	u, err := k.read()
	if err != nil {
		return nil, err
	}
	l := &lowerer{module: u.module, values: values, listing: k.listingName(),
		k:        &ir.Kernel{Name: k.Name, Pos: k.position(u), MaxThreads: u.maxThreads()},
		literals: map[literal]ir.Reg{}, inputs: map[input]ir.Reg{}, objects: map[*bitcode.Global]ir.Reg{},
		indices: map[*bitcode.Global]int{}}
	for _, c := range u.fcs {
		l.indices[c.global] = c.index
	}
	return l.lower(u.f, u.args)
}

// listingName is the file of positions in the listing of the kernel.
func (k *Kernel) listingName() string { return k.file + ":" + k.Name }

// position is where the kernel is declared: in its source, or in the listing.
func (k *Kernel) position(u *unit) syntax.Pos {
	if file, _ := u.f.Node.File(); file != "" && u.f.Node.Line() > 0 {
		return syntax.Pos{File: file, Line: int32(u.f.Node.Line()), Col: 1}
	}
	line := int32(1)
	for _, f := range u.module.Functions {
		if f == u.f {
			break
		}
		if len(f.Blocks) > 0 {
			line += 2
			for i, b := range f.Blocks {
				line += int32(len(b.Instrs))
				if i > 0 {
					line++
				}
			}
		}
	}
	return syntax.Pos{File: k.listingName(), Line: line, Col: 1}
}

// maxThreads is the attribute max_total_threads_per_threadgroup, 0 if absent.
func (u *unit) maxThreads() int {
	for _, n := range u.node.Operands()[3:] {
		if ops := n.Operands(); len(ops) == 2 && text(ops[0]) == "air.max_work_group_size" {
			v, _ := number(ops[1])
			return v
		}
	}
	return 0
}

// Facts are what a library says of how it was compiled.
type Facts struct {
	Compiler string // Apple metal version 32023.883 (metalfe-32023.883)
	AIR      string
	Language string
	FastMath bool
	Denorms  bool // subnormals are kept
	Lines    bool // it has line information
}

// Facts are those of a kernel's module.
func (k *Kernel) Facts() (Facts, error) {
	u, err := k.read()
	if err != nil {
		return Facts{}, err
	}
	f := Facts{AIR: k.AIR, Language: k.Language, Lines: u.f.Node != nil, Denorms: true, FastMath: false}
	for _, n := range u.module.Named["llvm.ident"] {
		if ops := n.Operands(); len(ops) > 0 {
			f.Compiler = text(ops[0])
		}
	}
	for _, n := range u.module.Named["air.compile_options"] {
		for _, o := range n.Operands() {
			switch text(o) {
			case "air.compile.fast_math_enable":
				f.FastMath = true
			case "air.compile.denorms_disable":
				f.Denorms = false
			}
		}
	}
	return f, nil
}

// FunctionConstants are those that the kernel's module has.
func (k *Kernel) FunctionConstants() ([]*hir.FunctionConstant, error) {
	u, err := k.read()
	if err != nil {
		return nil, err
	}
	var list []*hir.FunctionConstant
	for _, c := range u.fcs {
		t, ok := typeNamed(c.kind)
		if !ok {
			t = hir.UInt
		}
		list = append(list, &hir.FunctionConstant{Name: c.name, Index: c.index, Type: t, Pos: k.position(u)})
	}
	return list, nil
}

func text(n *bitcode.Node) string {
	if n == nil {
		return ""
	}
	return strings.ToValidUTF8(n.Text, "?")
}

// number is an integer of metadata.
func number(n *bitcode.Node) (v int, ok bool) {
	if n == nil || n.Value == nil || n.Value.Type == nil {
		return 0, false
	}
	bits, ok := n.Value.Constant()
	return int(int32(bits)), ok
}

// Listing is the kernel's module as LLVM's assembly has it. Positions without line information refer to it.
func (k *Kernel) Listing() string {
	u, err := k.read()
	if err != nil {
		return ""
	}
	var b strings.Builder
	for _, f := range u.module.Functions {
		if len(f.Blocks) > 0 {
			f.Fprint(&b)
		}
	}
	return b.String()
}
