// Package widths finds integers that are too narrow for the addresses of a large launch, without its memory.
//
// A few threads of the launch are evaluated: those at the corners and in the middle of the grid. Each integer is
// evaluated twice: as the machine has it, which wraps, and as an unbounded integer. Branches follow the machine. An
// access whose two addresses differ is a [Wrap], and so is a branch on a comparison that an integer beyond its type
// decides otherwise. A value that wraps on the way and gives the right address is none.
//
// Loads from memory that the launch does not give count as 0. Comparisons of such guesses are unknown, and both arms of
// a branch on one are evaluated. A loop is evaluated a few times. Then its variables move on by their differences to
// its last iteration, which is evaluated again.
//
// The caller evaluates a small launch first, in which no size can be the reason: what differs there is meant to wrap,
// such as a hash.
//
// The rule of the layer: widths imports ir and nothing of an executor.
package widths

import (
	"cmp"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// mostSteps is how many instructions the threads of a launch may take together.
const mostSteps = 1 << 17

// Launch is a dispatch without memory.
type Launch struct {
	Grid     [3]int         // threadgroups
	Threads  [3]int         // of the grid, where threadgroups at the edge are smaller; zero if all are whole
	PerGroup [3]int         // threads of a threadgroup
	Inline   map[int][]byte // contents of buffers that are known, by index
	Shared   []int          // bytes at [[threadgroup(i)]]
	Steps    *int           // that all launches may take together; nil for no limit
	NoBranch bool           // branches go as they should, and are no finding
}

// Wrap is an integer that is too narrow.
type Wrap struct {
	At     *ir.Instr  // what computed it
	Name   string     // of the variable that it is stored in, if there is one
	Use    syntax.Pos // the access or the branch
	Branch bool       // Use is a branch
	Exact  int64      // the integer that would have been right
	Got    int64      // what it is
}

// Find evaluates a few threads of the launch, and gives what wraps, each instruction once. It reports false where a
// thread goes beyond an array that the kernel declares, or has a position of more than 32 bits: no host makes such a
// launch.
func Find(k *ir.Kernel, l Launch) (found []Wrap, possible bool) {
	s := &search{k: k, launch: l, needed: neededBy(k), seen: map[*ir.Instr]bool{},
		carried: map[*ir.Loop][]carried{}, sets: map[*ir.Node][]ir.Reg{}}
	groups := corners(l.Grid)
	slices.Reverse(groups) // the largest positions come first
	for _, group := range groups {
		s.left = mostSteps / len(groups)
		if l.Steps != nil {
			s.left = min(s.left, *l.Steps)
			*l.Steps -= s.left
		}
		s.group(group)
		if l.Steps != nil {
			*l.Steps += max(s.left, 0)
		}
	}
	names := map[ir.Reg]string{}
	for in := range ir.Instrs(k.Body...) {
		if (in.Op == ir.Copy || in.Op == ir.Convert) && k.Regs[in.Dst[0]].Name != "" && names[in.Args[0]] == "" {
			names[in.Args[0]] = k.Regs[in.Dst[0]].Name
		}
	}
	for i := range s.found {
		if w := &s.found[i]; len(w.At.Dst) > 0 {
			w.Name = cmp.Or(k.Regs[w.At.Dst[0]].Name, names[w.At.Dst[0]])
		}
	}
	return s.found, !s.beyond
}

// search is what is found of a launch so far.
type search struct {
	k       *ir.Kernel
	launch  Launch
	needed  []bool // by register: an address or a branch depends on it
	seen    map[*ir.Instr]bool
	carried map[*ir.Loop][]carried
	sets    map[*ir.Node][]ir.Reg
	found   []Wrap
	left    int  // steps
	beyond  bool // the launch goes beyond what is possible
}

// corners are the first and the last position along each axis, and the middle of all.
func corners(n [3]int) (list [][3]int) {
	for z := range min(n[2], 2) {
		for y := range min(n[1], 2) {
			for x := range min(n[0], 2) {
				list = append(list, [3]int{x * (n[0] - 1), y * (n[1] - 1), z * (n[2] - 1)})
			}
		}
	}
	if max(n[0], n[1], n[2]) > 2 {
		list = append(list, [3]int{n[0] / 2, n[1] / 2, n[2] / 2})
	}
	return list
}

// group evaluates threads of one threadgroup. They share its memory: the first thread, which often writes it, is first.
func (s *search) group(at [3]int) {
	size := s.launch.PerGroup
	for i := range size {
		if n := s.launch.Threads[i]; n > 0 {
			size[i] = min(size[i], n-at[i]*size[i])
		}
	}
	shared := map[uint64]cell{}
	for _, local := range corners(size) {
		t := &thread{search: s, group: at, local: local, size: size, shared: shared, own: map[uint64]cell{},
			regs: make([]value, len(s.k.Regs))}
		for r := range t.regs {
			if s.needed[r] {
				t.regs[r] = t.initial(s.k.Regs[r])
			}
		}
		t.list(s.k.Body)
	}
}

// neededBy marks registers that an address, a branch or what is stored in memory of the kernel depends on.
func neededBy(k *ir.Kernel) []bool {
	needed := make([]bool, len(k.Regs))
	want := func(r ir.Reg) bool {
		if r == ir.None || needed[r] || k.Regs[r].Type.IsFloat() {
			return false
		}
		needed[r] = true
		return true
	}
	conditions(k.Body, want)
	for more := true; more; {
		more = false
		for in := range ir.Instrs(k.Body...) {
			wanted := in.Mem != nil
			if in.Mem != nil {
				more = want(in.Mem.Base) || want(in.Mem.Index) || more
				wanted = in.Op == ir.Store && in.Mem.Space != syntax.Device
			}
			for _, d := range in.Dst {
				wanted = wanted || needed[d]
			}
			for _, a := range in.Args {
				more = wanted && want(a) || more
			}
		}
	}
	return needed
}

// conditions calls f for the conditions of nodes.
func conditions(nodes []ir.Node, f func(ir.Reg) bool) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.If:
			f(n.Cond)
		case *ir.Loop:
			f(n.Cond)
		}
		for _, part := range ir.Parts(n) {
			conditions(*part, f)
		}
	}
}
