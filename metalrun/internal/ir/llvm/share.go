package llvm

import (
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// share lets the readers of a floating computation read an equal one that was made before,
// wherever that has been made for certain. Two loads are equal if nothing was written between them.
func (f *function) share() {
	s := sharing{f: f, known: map[computation]ir.Reg{}}
	s.list(f.blocks[0])
	f.sweep()
}

type sharing struct {
	f      *function
	known  map[computation]ir.Reg
	log    []computation
	memory int // how often memory may have been written
}

// computation is what makes a value.
type computation struct {
	op       ir.Op
	fn       string
	typ      ir.Type
	from, to ir.Scalar
	fast     bool
	args     [3]ir.Reg
	mem      ir.Mem
	memory   int
}

func (s *sharing) list(b *block) {
	for e := b.nodes.Front(); e != nil; {
		next := e.Next()
		switch n := e.Value.(ir.Node).(type) {
		case *ir.Instr:
			s.instr(n)
		default:
			if _, loop := n.(*ir.Loop); loop && writes(n) {
				s.memory++
			}
			for _, part := range ir.Parts(n) {
				mark := len(s.log)
				s.list(s.f.blockOf(part))
				for _, c := range s.log[mark:] {
					delete(s.known, c)
				}
				s.log = s.log[:mark]
			}
			if writes(n) {
				s.memory++
			}
		}
		e = next
	}
}

func writes(n ir.Node) bool {
	for in := range ir.Instrs(n) {
		if in.Op.Info().Effects.Has(ir.Writes) || in.Op.Info().Effects.Has(ir.Orders) {
			return true
		}
	}
	return false
}

func (f *function) blockOf(part *[]ir.Node) *block {
	for _, b := range f.blocks {
		if b.into == part {
			return b
		}
	}
	panic("a list of nodes that is none of the kernel's")
}

func (s *sharing) instr(in *ir.Instr) {
	if writes(in) {
		s.memory++
	}
	if len(in.Dst) != 1 || s.f.k.Regs[in.Dst[0]].Kind != ir.Temp || len(in.Args) > 3 {
		return
	}
	c := computation{op: in.Op, fn: in.Fn, typ: s.f.typ(in.Dst[0]), from: in.From, to: in.To, fast: in.Fast,
		args: [3]ir.Reg{ir.None, ir.None, ir.None}}
	for i, r := range in.Args {
		if s.f.k.Regs[r].Kind == ir.Variable {
			return
		}
		c.args[i] = r
	}
	info := in.Op.Info()
	switch {
	case in.Op == ir.Load:
		if in.Mem.Volatile || in.Mem.Index != ir.None && s.f.k.Regs[in.Mem.Index].Kind == ir.Variable {
			return
		}
		c.mem = *in.Mem
		if in.Mem.Space != syntax.Constant {
			c.memory = s.memory
		}
	case info.Effects != 0 || info.Kept || info.Varies || in.Op == ir.Copy || in.Op == ir.Poison:
		return
	}
	if info.Commutes && c.args[0] > c.args[1] {
		c.args[0], c.args[1] = c.args[1], c.args[0]
	}
	if r, ok := s.known[c]; ok {
		s.f.replace(in.Dst[0], r)
		return
	}
	s.known[c] = in.Dst[0]
	s.log = append(s.log, c)
}
