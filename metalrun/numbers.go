package metalrun

import (
	"cmp"
	"math"
	"slices"

	"metalconform/internal/crash"
	"metalconform/metalrun/internal/ir"
)

// SizeNumber is a number at which a kernel treats its operands otherwise, and what may reach it.
type SizeNumber struct {
	Number int64
	// Steps says that a loop steps by the number. A number of 0 stands for the threads of a threadgroup.
	Steps bool
	// Equal says that the number is special by itself, and not only where a range of numbers ends.
	Equal bool
	// Integers are those of arguments that a compared operand is computed from, or that bound the loop which it counts.
	Integers []IntegerPlace
	Along    [3]bool // axes of the grid with positions, or numbers of threadgroups, that it is computed from
	Width    bool    // it is computed from positions in a threadgroup, or from the number of its threads
}

// IntegerPlace is an integer in a buffer.
type IntegerPlace struct{ Buffer, Offset int }

// Numbers are the integers at which a comparison of the kernel called name with a constant may turn, in ascending
// order: the constant, and what has to be put into the arithmetic with constants before the comparison to get it there.
// Small tables of constants are among them, and what a narrower type or a mask has no room for.
func (p *Program) Numbers(name string) (list []int64, err error) {
	defer crash.Catch(&err)
	s, err := p.solved(name)
	if err != nil {
		return nil, err
	}
	for n := range s.found {
		list = append(list, n)
	}
	slices.Sort(list)
	return list, nil
}

// SizeNumbers are those of the numbers of a kernel that sizes of its launch may reach, and by how many of something its
// loops and divisions go, in ascending order.
func (p *Program) SizeNumbers(name string) (list []SizeNumber, err error) {
	defer crash.Catch(&err)
	s, err := p.solved(name)
	if err != nil {
		return nil, err
	}
	for at := range s.reached {
		n := SizeNumber{Number: at.number, Steps: at.steps, Equal: at.equal}
		of := s.reached[at]
		for i, place := range s.origin.places {
			if of&(1<<i) != 0 {
				n.Integers = append(n.Integers, IntegerPlace{place.buffer, place.offset})
			}
		}
		for i := range n.Along {
			n.Along[i] = of&(originX<<i) != 0
		}
		n.Width = of&originThreads != 0
		list = append(list, n)
	}
	slices.SortFunc(list, func(a, b SizeNumber) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), compareBool(a.Steps, b.Steps), compareBool(a.Equal, b.Equal))
	})
	return list, nil
}

// compareBool has false come first.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// solved is a kernel with the numbers that its instructions are about.
func (p *Program) solved(name string) (*solving, error) {
	e, err := p.entry(name)
	if err != nil {
		return nil, err
	}
	k, err := e.lower()
	if err != nil {
		return nil, err
	}
	s := &solving{k: k, made: map[ir.Reg]*ir.Instr{}, found: map[int64]bool{}, reached: map[reachedNumber]uint64{},
		origin: newOrigins(k)}
	for in := range ir.Instrs(k.Body...) {
		for _, d := range in.Dst {
			s.made[d] = in
		}
	}
	for in := range ir.Instrs(k.Body...) {
		s.compare(in)
		s.narrow(in)
		s.step(in)
	}
	for _, o := range k.Objects {
		s.table(o)
	}
	return s, nil
}

// solving finds the numbers that the comparisons of a kernel are about.
type solving struct {
	k       *ir.Kernel
	made    map[ir.Reg]*ir.Instr // by what they write: the last one of a variable
	found   map[int64]bool
	equal   bool // the comparison that is looked at is for equality
	origin  *origins
	reached map[reachedNumber]uint64 // origins of what may reach a number
}

// reachedNumber is a number that something may reach.
type reachedNumber struct {
	number       int64
	steps, equal bool
}

// reach notes a number that a register may reach.
func (s *solving) reach(n int64, r ir.Reg, steps bool) {
	if of := s.origin.of[r]; of != 0 && n >= 0 {
		s.reached[reachedNumber{n, steps, s.equal && !steps}] |= of
	}
}

// step notes by how many a loop steps, and by what something is divided.
func (s *solving) step(in *ir.Instr) {
	if len(in.Args) != 2 {
		return
	}
	n, ok := s.constant(in.Args[1])
	switch in.Op {
	case ir.UDiv, ir.SDiv, ir.URem, ir.SRem:
	case ir.LShr, ir.AShr:
		n = 1 << (n & 31)
	case ir.And:
		n++
		ok = ok && n&(n-1) == 0
	case ir.Add:
		v := in.Args[0]
		if s.k.Regs[v].Kind != ir.Variable || in.Dst[0] != v && !s.origin.sets(v, in.Dst[0]) {
			return
		}
		if !ok && s.origin.of[in.Args[1]] == originThreads {
			n, ok = 0, true
		}
		if ok {
			s.reach(n, v, true)
		}
		return
	default:
		return
	}
	if ok && n > 1 {
		s.equal = false
		s.reach(n, in.Args[0], false)
	}
}

const (
	mostSolved = 8  // operations before a comparison
	mostTable  = 64 // words of a table
)

// constant is the value of a literal that is an integer.
func (s *solving) constant(r ir.Reg) (n int64, ok bool) {
	info := s.k.Regs[r]
	if info.Kind != ir.Literal {
		return 0, false
	}
	switch info.Type {
	case ir.F32:
		x := float64(math.Float32frombits(uint32(info.Bits)))
		return int64(x), x == math.Trunc(x) && math.Abs(x) < 1<<53
	case ir.I32, ir.I64:
		return int64(info.Bits), true
	}
	return 0, false
}

// compare notes what a comparison, a minimum or a maximum is about.
func (s *solving) compare(in *ir.Instr) {
	if in.Op != ir.Math && (in.Op < ir.Eq || in.Op > ir.FLe) {
		return
	}
	s.equal = in.Op == ir.Eq || in.Op == ir.Ne
	for i, r := range in.Args {
		n, ok := s.constant(r)
		if !ok {
			continue
		}
		for j, other := range in.Args {
			if j != i {
				s.solve(other, n, mostSolved)
			}
		}
	}
}

// narrow notes from which integer on an instruction loses bits.
func (s *solving) narrow(in *ir.Instr) {
	switch in.Op {
	case ir.Convert:
		switch in.To {
		case ir.S8:
			s.found[1<<7] = true
		case ir.U8:
			s.found[1<<8] = true
		case ir.S16:
			s.found[1<<15] = true
		case ir.U16:
			s.found[1<<16] = true
		case ir.H16:
			s.found[1<<11+1] = true
		case ir.T16:
			s.found[1<<8+1] = true
		}
	case ir.And, ir.Shl:
		if k, ok := s.constant(in.Args[1]); ok && in.Op == ir.And {
			s.found[k+1] = true
		} else if ok && k < 32 {
			s.found[1<<(32-k)] = true
		}
	}
}

// solve notes n, and for what operands the instruction gives n that writes r.
func (s *solving) solve(r ir.Reg, n int64, depth int) {
	s.found[n] = true
	s.reach(n, r, false)
	in := s.made[r]
	if in == nil || depth == 0 || in.Mem != nil {
		return
	}
	if len(in.Args) == 1 {
		s.solve(in.Args[0], n, depth-1)
		return
	}
	if len(in.Args) != 2 {
		return
	}
	a, b := in.Args[0], in.Args[1]
	if a == b && in.Op == ir.Mul {
		s.solve(a, int64(math.Sqrt(math.Abs(float64(n)))), depth-1)
		return
	}
	left, isLeft := s.constant(a)
	right, isRight := s.constant(b)
	switch {
	case isRight:
		s.solve(a, before(in.Op, n, right, false), depth-1)
	case isLeft:
		s.solve(b, before(in.Op, n, left, true), depth-1)
	default:
		s.solve(a, n, depth-1)
		s.solve(b, n, depth-1)
	}
}

// before is what an operation makes n of, together with the constant k on its right or left.
func before(op ir.Op, n, k int64, left bool) int64 {
	switch op {
	case ir.Add:
		return n - k
	case ir.Sub:
		if left {
			return k - n
		}
		return n + k
	case ir.Mul:
		if k != 0 {
			return n / k
		}
	case ir.SDiv, ir.UDiv:
		return n * k
	case ir.Shl:
		return n >> (uint64(k) & 63)
	case ir.LShr, ir.AShr:
		return n << (uint64(k) & 63)
	case ir.Xor:
		return n ^ k
	}
	return n
}

// table notes the words of a small table of constants.
func (s *solving) table(o ir.Object) {
	if len(o.Data) > 4*mostTable {
		return
	}
	for data := o.Data; len(data) >= 4; data = data[4:] {
		s.found[int64(uint32(data[0])|uint32(data[1])<<8|uint32(data[2])<<16|uint32(data[3])<<24)] = true
	}
}
