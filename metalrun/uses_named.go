package metalrun

import (
	"encoding/binary"
	"regexp"
	"slices"

	"metalconform/metalrun/internal/syntax"
)

// A source that is made for some number of threads mostly has a constant of that name. Which one a kernel is made for
// is seen from what its function mentions, or the functions that it calls: a file may have one for each phase.

// NamedThreads are numbers of threads of a threadgroup by constants of the source.
type NamedThreads struct {
	Numbers []int // those that are mentioned most often first
	Calls   int   // how deep in calls the functions are that mention them: 0 is the kernel's own
}

// Names of numbers of threads, and of numbers of simdgroups, of a threadgroup.
var (
	threadsName = regexp.MustCompile(
		`(?i)^(\w+_)?(n|k|num_?|total_?|block_?)?threads(_?(per|in)_?(tg|threadgroup|group|block|tb)\w*)?(_[a-z]\w*)?$`)
	simdgroupsName = regexp.MustCompile(
		`(?i)^(\w+_)?((n|k|num_?)(simd_?groups?|sgs?)|simd_?groups|sgs)` +
			`(_?(per|in)_?(tg|threadgroup|group|block|tb)\w*)?(_[a-z]\w*)?$`)
	notAllThreads = regexp.MustCompile(`(?i)threads?_?(per|in)_?` +
		`(?:row|col|head|expert|token|simd|warp|quad|vec|elem|channel|key|query|tile|batch|pos)|` +
		`(?:per|max|min|load|loader|needed|active|extra)\w*_?(?:threads|simd_?groups|sgs)|` +
		`(?:threads?|simd_?groups?|sgs?)\w*_` +
		`(?:size|width|lanes|max|min|needed|row|col|x|y|z|m|n|k|rows|cols|mask|log2?|shift|id|idx|index)$`)
)

const (
	threadsOfSimdgroup = 32
	mostNamedThreads   = 1024
	mostNamedCalls     = 3
)

// NamedThreads are those that the functions say, by the places of [KernelInfo.Declared].
func (p *Program) NamedThreads() map[Position]NamedThreads {
	n := naming{values: map[string]int{}, functions: map[string][]*mentions{}}
	for _, c := range p.Constants() {
		if v, ok := c.integer(); ok {
			n.values[c.Name] = v
		}
	}
	list := map[Position]NamedThreads{}
	p.Tree(func(f *syntax.File) {
		for _, d := range f.Decls {
			n.declared(d)
		}
		for _, all := range n.functions {
			for _, m := range all {
				if named := n.threads(m); len(named.Numbers) > 0 {
					list[m.at] = named
				}
			}
		}
	})
	return list
}

// integer is the value of a constant that is one.
func (c Constant) integer() (int, bool) {
	if c.Count != 1 || !slices.Contains([]string{"uint", "int", "ushort", "short", "ulong", "long"}, c.Elem) {
		return 0, false
	}
	switch len(c.Data) {
	case 2:
		return int(binary.LittleEndian.Uint16(c.Data)), true
	case 4:
		return int(binary.LittleEndian.Uint32(c.Data)), true
	case 8:
		return int(binary.LittleEndian.Uint64(c.Data)), true
	}
	return 0, false
}

// naming finds what functions mention.
type naming struct {
	values    map[string]int // of constants
	functions map[string][]*mentions
}

// mentions is what a function mentions.
type mentions struct {
	at     Position
	names  []string       // in the order of the text, as often as it has them
	values map[string]int // of its own constants
}

// declared takes over the functions of a declaration.
func (n *naming) declared(d syntax.Decl) {
	switch d := d.(type) {
	case *syntax.NamespaceDecl:
		for _, inner := range d.Decls {
			n.declared(inner)
		}
	case *syntax.FuncDecl:
		if d.Body == nil || d.Name == nil {
			return
		}
		m := &mentions{at: position(d.Pos()), values: map[string]int{}}
		syntax.Inspect(d.Body, func(node syntax.Node) bool {
			switch x := node.(type) {
			case *syntax.Name:
				m.names = append(m.names, last(x))
			case *syntax.VarDecl:
				if lit, is := x.Init.(*syntax.IntLit); is {
					m.values[x.Name] = int(lit.Value)
					m.names = append(m.names, x.Name)
				}
			}
			return true
		})
		name := last(d.Name)
		n.functions[name] = append(n.functions[name], m)
	}
}

// last is a name without its namespaces.
func last(n *syntax.Name) string { return n.Parts[len(n.Parts)-1].Ident }

// threads are the numbers of threads that a function says, or the nearest that it calls.
func (n *naming) threads(m *mentions) NamedThreads {
	seen, some := map[*mentions]bool{m: true}, []*mentions{m}
	for calls := range mostNamedCalls + 1 {
		var next []*mentions
		threads, simdgroups := counter{}, counter{}
		for _, f := range some {
			for _, name := range f.names {
				v, own := f.values[name]
				if !own {
					v = n.values[name]
				}
				switch {
				case v < 1 || notAllThreads.MatchString(name):
				case threadsName.MatchString(name):
					threads.add(v)
				case simdgroupsName.MatchString(name):
					simdgroups.add(v * threadsOfSimdgroup)
				}
				for _, called := range n.functions[name] {
					if !seen[called] {
						seen[called], next = true, append(next, called)
					}
				}
			}
		}
		for _, c := range []counter{threads, simdgroups} {
			if len(c) > 0 {
				return NamedThreads{c.mostOften(), calls}
			}
		}
		some = next
	}
	return NamedThreads{}
}

// counter counts numbers of threads.
type counter map[int]int

func (c counter) add(threads int) {
	if threads > 1 && threads <= mostNamedThreads {
		c[threads]++
	}
}

// mostOften are the numbers, those that were counted most often first.
func (c counter) mostOften() (list []int) {
	for n := range c {
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b int) int {
		if c[a] != c[b] {
			return c[b] - c[a]
		}
		return b - a
	})
	return list
}
