package adhoc

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// Kernel is an entry point that no specification describes. What its launches need
// besides the source is taken from a [Spec], and guessed where that is silent. A
// wrong guess may be why a launch shows something undefined, so each launch says
// what was guessed.
type Kernel struct {
	Info      metalrun.KernelInfo
	params    []parameter
	constants []functionConstant
	spec      *Spec
	uses      map[place]metalrun.IntegerUse
	split     [3]bool // axes of the grid, each several of the data
	guarded   [3]bool // axes along which it compares positions with something
	widest    int     // bytes that it accesses at once, a word at least
	stored    int     // bytes of the smallest element that it stores, 0 if it stores none
	first     [3]bool // axes along which it only asks for some one thread
	threads   int     // of a threadgroup, that its loops step by; 0 if they say nothing
	named     metalrun.NamedThreads
	ends      bool           // each of its loops counts
	grown     map[string]int // elements of buffers for which the first guess was too few
	store     *Store         // of its launches; nil: they have one of their own
}

// Ends reports whether the kernel ends, however long that takes, because all of its loops count.
func (k *Kernel) Ends() bool { return k.ends }

// place is an offset in a buffer.
type place struct{ buffer, offset int }

// fact is something that a launch takes for granted, as the flag that states it.
type fact struct {
	flag  string
	given bool
}

// parameter is an argument as launches see it.
type parameter struct {
	metalrun.ArgInfo
	scalars []scalars
	output  bool                // what it holds before a launch means nothing
	listed  bool                // it is a list of integers: the kernel reads fixed places of it
	record  bool                // it leads to one struct of which the kernel reads members
	counts  bool                // it is a list of floats some of which the kernel takes for integers
	behind  int                 // bytes of the struct that it follows in its buffer, which is the parameter before
	rises   bool                // it says where rows begin and end: no element is less than the one before
	read    *metalrun.FieldInfo // what bytes, or words of void, are read as; nil: as what they are
}

// Kernels describes the entry points of a program, in order, and completes it:
// function constants without a value get one, except those that the source itself
// asks about.
func Kernels(p *metalrun.Program, given *Spec) ([]Kernel, *metalrun.Program, error) {
	p, constants, err := given.complete(p)
	if err != nil {
		return nil, nil, err
	}
	infos, err := p.Kernels()
	if err != nil {
		return nil, nil, err
	}
	uses, err := p.Uses()
	if err != nil {
		return nil, nil, err
	}
	named := p.NamedThreads()
	list := make([]Kernel, len(infos))
	for i, info := range infos {
		list[i] = Kernel{Info: info, constants: constants, spec: given, split: uses[i].Split, guarded: uses[i].Guarded,
			first: uses[i].First, threads: uses[i].Threads, named: named[info.Declared], ends: uses[i].Ends,
			widest: max(uses[i].Widest, 4), stored: uses[i].Stored,
			grown: map[string]int{}, uses: map[place]metalrun.IntegerUse{}}
		for _, x := range uses[i].Integers {
			list[i].uses[place{x.Buffer, x.Offset}] = x
		}
		for _, a := range info.Args {
			list[i].params = append(list[i].params, given.parameters(a, uses[i])...)
		}
		for _, p := range list[i].params {
			if at := (place{p.Index, 0}); p.alone() && list[i].uses[at].Measures {
				use := list[i].uses[at]
				use.Measures = false
				list[i].uses[at] = use
			}
		}
	}
	return list, p, nil
}

// Unfilled is what keeps the kernel from being launched: an argument with pointers in it, which only its host can fill,
// or arguments so large that one element of each is more than a guess may take; "" if nothing does.
func (k *Kernel) Unfilled() string {
	if n := k.bytes(false); n > mostTogether {
		return fmt.Sprintf("its buffers take %d bytes together, and those whose size is guessed may take %d: -arg "+
			"NAME=N, or a launch file, states a size", n, mostTogether)
	}
	for _, p := range k.params {
		for _, f := range p.Fields {
			if p.Kind == metalrun.BufferArg && strings.HasSuffix(f.Type, "*") {
				return fmt.Sprintf("%s holds pointers (%s), which only a host can fill", p.Name, f.Type)
			}
		}
	}
	return ""
}

// parameters interprets an argument: a struct with an array of any length behind it is two of them, in one buffer.
func (s *Spec) parameters(a metalrun.ArgInfo, uses metalrun.Uses) []parameter {
	if a.Tail == nil || a.Tail.Size == 0 || a.Tail.Offset == 0 {
		return []parameter{s.parameter(a, uses)}
	}
	tail, head := a, a
	head.Size = a.Tail.Offset
	head.Fields = slices.DeleteFunc(slices.Clone(a.Fields),
		func(f metalrun.FieldInfo) bool { return f.Offset >= head.Size })
	for i, f := range head.Fields { // words stand for all of a large struct
		head.Fields[i].Count = min(f.Count, (head.Size-f.Offset)/f.Size)
	}
	tail.Name, tail.Type, tail.Size = a.Name+"."+a.Tail.Name, a.Tail.Type, a.Tail.Size
	tail.Reference, tail.Fields = false, a.Tail.Fields
	behind := s.parameter(tail, metalrun.Uses{})
	behind.output, behind.behind = false, head.Size
	return []parameter{s.parameter(head, uses), behind}
}

// parameter interprets an argument. Void counts as words.
func (s *Spec) parameter(a metalrun.ArgInfo, uses metalrun.Uses) parameter {
	anything := a.Size == 0
	if anything {
		a.Size, a.Fields = 4, []metalrun.FieldInfo{{Type: "uint", Size: 4, Count: 1}}
	}
	p := parameter{ArgInfo: a, output: a.Writable && slices.Contains(s.Outputs, a.Name)}
	for _, f := range a.Fields {
		p.scalars = append(p.scalars, scalars{f, scalarKindOf(f.Type), strings.TrimSuffix(a.Name+"."+f.Name, ".")})
	}
	if a.Kind == metalrun.BufferArg && !a.Reference && !a.Writable && uses.Fixed[a.Index] {
		within := !slices.ContainsFunc(uses.Integers,
			func(x metalrun.IntegerUse) bool { return x.Buffer == a.Index && x.Offset >= a.Size })
		p.record = within && p.scalars[0].Name != "" && p.holds(integer)
		p.listed = len(p.scalars) == 1 && p.scalars[0].kind == integer
		p.counts = len(p.scalars) == 1 && p.scalars[0].kind == floating &&
			slices.ContainsFunc(uses.Integers, func(x metalrun.IntegerUse) bool { return x.Buffer == a.Index })
	}
	if read := uses.Reads[a.Index]; a.Kind == metalrun.BufferArg && (anything || a.Size == 1) && !a.Writable &&
		widths[read] > 1 {
		p.read = &metalrun.FieldInfo{Type: read, Size: widths[read], Count: 1}
	}
	p.rises = a.Kind == metalrun.BufferArg && !a.Writable && uses.Successive[a.Index]
	return p
}

// widths are the bytes of scalars that bytes may be read as.
var widths = map[string]int{"short": 2, "ushort": 2, "int": 4, "uint": 4, "long": 8, "ulong": 8, "half": 2, "bfloat": 2,
	"float": 4}

// scalar reports whether the argument passes values that can be stated, rather than
// memory to work on.
func (p parameter) scalar() bool {
	return p.Kind == metalrun.BufferArg && (p.Reference || p.record) && !p.Writable
}

// Names are what Spec.Args can state about the kernel.
func (k *Kernel) Names() []string {
	var names []string
	for _, p := range k.params {
		switch {
		case p.Kind != metalrun.BufferArg:
		case p.scalar():
			for _, m := range p.scalars {
				names = append(names, m.path)
			}
			if p.record {
				names = append(names, p.Name)
			}
		case !p.Reference:
			names = append(names, p.Name)
		}
	}
	return slices.Compact(names)
}

// Constants are the names and indices of the function constants of its file.
func (k *Kernel) Constants() []string {
	var names []string
	for _, c := range k.constants {
		names = append(names, c.Name, strconv.Itoa(c.Index))
	}
	return names
}

// Constant is a function constant that launches need a value of.
type Constant struct {
	Name  string
	Value string // that they have
	Bool  bool
}

// Valued are the function constants that have a value here.
func (k *Kernel) Valued() []Constant {
	var list []Constant
	for _, c := range k.constants {
		if c.value != "" {
			list = append(list, Constant{c.Name, c.value, scalarKindOf(c.Type) == boolean})
		}
	}
	return list
}

// Memory are the indices of the kernel's arguments in threadgroup memory.
func (k *Kernel) Memory() []string {
	var indices []string
	for _, p := range k.params {
		if p.Kind == metalrun.ThreadgroupArg {
			indices = append(indices, strconv.Itoa(p.Index))
		}
	}
	return indices
}

// Outputs are the names of the buffers that the kernel can write.
func (k *Kernel) Outputs() []string {
	var names []string
	for _, p := range k.params {
		if p.Kind == metalrun.BufferArg && p.Writable && p.behind == 0 {
			names = append(names, p.Name)
		}
	}
	return names
}

// table reports whether the argument is a table in constant memory, or a list of scalars, whose integers
// are mostly shapes and strides.
func (p parameter) table() bool {
	return p.Kind == metalrun.BufferArg && (p.Constant || p.listed) && !p.Reference && !p.record
}

// Grow makes a buffer whose length is guessed as long as an access beyond its end needs, and several times that. It
// reports false for other faults, and where the length is stated, or as much memory as a guess may take is not enough.
func (k *Kernel) Grow(f *metalrun.Fault) bool {
	if f.Kind != metalrun.OutOfRange || f.Access.Table != "buffer" || f.Access.Offset <= 0 {
		return false
	}
	for _, p := range k.params {
		if p.Kind != metalrun.BufferArg || p.Index != f.Access.Index || p.Reference {
			continue
		}
		need := f.Access.Offset + f.Access.Bytes - int64(p.behind)
		n, given := k.count(p)
		most := min(mostBytes, mostTogether-k.bytes(false)+int64(n*p.Size))
		if given || need > most || n >= int(most)/p.Size {
			return false
		}
		by := growth
		if need > muchBytes {
			by = muchGrowth
		}
		k.grown[p.Name] = min(by*int(need)/p.Size+1, int(most)/p.Size)
		return true
	}
	return false
}

// Outgrown reports whether a fault is an access beyond the end of a buffer that is as long as a guess may be, or has to
// be longer: with smaller integers it may not be one.
func (k *Kernel) Outgrown(f *metalrun.Fault) bool {
	return f.Kind == metalrun.OutOfRange && f.Access.Table == "buffer" && f.Access.Offset > 0 &&
		slices.ContainsFunc(k.params, func(p parameter) bool {
			_, given := k.count(p)
			return p.Kind == metalrun.BufferArg && p.Index == f.Access.Index && !p.Reference && !given
		})
}

// bytes are what the buffers whose size is stated have together, or the others.
func (k *Kernel) bytes(stated bool) int64 {
	sum := int64(0)
	for _, p := range k.params {
		if p.Kind == metalrun.BufferArg {
			if n, given := k.count(p); given == stated {
				sum += int64(n) * int64(p.Size)
			}
		}
	}
	return sum
}

// Learn takes over what another kernel, instantiated from the same source, has found out about the lengths of
// buffers.
func (k *Kernel) Learn(other map[string]int) { maps.Copy(k.grown, other) }

// Learnt is what launches have shown of the lengths of buffers.
func (k *Kernel) Learnt() map[string]int { return k.grown }

// holds reports whether the argument is memory to work on that has scalars of one of
// the kinds.
func (p parameter) holds(kinds ...scalarKind) bool {
	if p.read != nil {
		return slices.Contains(kinds, scalarKindOf(p.read.Type))
	}
	return p.Kind == metalrun.BufferArg && !p.scalar() &&
		slices.ContainsFunc(p.scalars, func(m scalars) bool { return slices.Contains(kinds, m.kind) })
}

// Knows reports whether a name in Spec.Args is about the kernel.
func (k *Kernel) Knows(name string) bool {
	if slices.Contains(k.Names(), name) {
		return true
	}
	base, index, _ := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	i, err := strconv.Atoi(index)
	return err == nil && i >= 0 && slices.ContainsFunc(k.params, func(p parameter) bool { return p.has(base, i) })
}

// has reports whether the argument has an element i under a name.
func (p parameter) has(name string, i int) bool {
	if p.table() || p.counts {
		return p.Name == name
	}
	return p.scalar() && slices.ContainsFunc(p.scalars,
		func(m scalars) bool { return m.path == name && i < m.Count && m.Count > 1 })
}

// count is the number of elements of a buffer. A guess is small, and grows with what a launch accesses.
func (k *Kernel) count(p parameter) (n int, given bool) {
	if n, ok := k.spec.Args[p.Name]; ok && !p.Reference {
		return int(n), true
	}
	if p.Reference {
		return 1, false
	}
	if k.spec.Elements != 0 {
		return k.spec.Elements, true
	}
	if n, ok := k.grown[p.Name]; ok {
		return n, false
	}
	if p.record {
		return 1, false
	}
	return max(1, min(defaultElements, firstBytes/len(k.params)/p.Size)), false
}

// Mistake says what is stated of an argument that its type cannot have.
func (k *Kernel) Mistake() error {
	for _, p := range k.params {
		if p.Kind != metalrun.BufferArg {
			continue
		}
		x, given := k.spec.Args[p.Name]
		if given && !p.Reference && (x != math.Trunc(x) || x < 0 || x > mostBytes) {
			return &InvalidSpec{fmt.Sprintf("%s is a buffer of %s: %v is no number of elements", p.Name, p.Type, x)}
		}
		for _, m := range p.scalars {
			x, given := k.spec.Args[m.path]
			if given && p.scalar() && m.kind == integer && (x != math.Trunc(x) || math.Abs(x) > 1<<53) {
				return &InvalidSpec{fmt.Sprintf("%s is an integer and cannot be %v", m.path, x)}
			}
		}
	}
	if n := k.bytes(true); n > mostStated {
		return &InvalidSpec{
			fmt.Sprintf("the buffers of %s whose sizes are stated take %d bytes together, want at most %d", k.Info.Name,
				n, mostStated),
		}
	}
	return nil
}
