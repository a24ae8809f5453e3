package analysis

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// RegisterPressure is how many registers of 32 bits a thread needs at once, if a compiler keeps the order of the
// source: everything that is loaded or differs between threads, from where it is set to where it is last read, and all
// through loops that it enters or crosses. Where bodies of a loop stand in a row, what they load is there for all of
// them at once. Narrow floats take half a register. What follows from arguments alone is kept once for all threads.
// Arrays of a thread of up to [PromotedArray] bytes are registers too.
func RegisterPressure(k *ir.Kernel) int {
	l := &liveness{k: k, held: InThreadgroup(k).VaryingRegisters(), span: make([][2]int, len(k.Regs))}
	for in := range ir.Instrs(k.Body...) {
		loaded := in.Op == ir.Load && in.Mem.Space != syntax.Constant
		if loaded || slices.ContainsFunc(in.Args, func(r ir.Reg) bool { return l.held[r] }) {
			for _, d := range in.Dst {
				l.held[d] = true
			}
		}
	}
	for r := range l.span {
		l.span[r] = [2]int{-1, -1}
	}
	l.scan(k.Body)
	l.extend()
	arrays := 0
	for _, o := range k.Objects {
		if o.Space == syntax.Thread && o.Size <= PromotedArray {
			arrays += (o.Size + 3) / 4
		}
	}
	return l.most() + arrays
}

// PromotedArray is the size in bytes up to which arrays of a thread are assumed to be kept in registers.
const PromotedArray = 256

// liveness numbers instructions in the order of the source.
type liveness struct {
	k     *ir.Kernel
	held  []bool   // registers that threads hold
	span  [][2]int // per register: first and last mention
	loops [][2]int // inner ones first
	more  [][3]int // first and last instruction, and halves of registers for other bodies of a loop
	at    int
}

func (l *liveness) mention(r ir.Reg) {
	if r == ir.None || !l.held[r] {
		return
	}
	if s := &l.span[r]; s[0] < 0 {
		*s = [2]int{l.at, l.at}
	} else {
		s[1] = l.at
	}
}

// halves is the size of a register.
func (l *liveness) halves(r ir.Reg) int {
	switch l.k.Regs[r].Type {
	case ir.I64, ir.Ptr:
		return 4
	case ir.F16, ir.BF16, ir.Bool:
		return 1
	}
	return 2
}

// ahead is what other bodies of a loop load before this one is done.
func (l *liveness) ahead(n *ir.Loop, first int) {
	bodies := UnrolledBodies(l.k, n)
	if bodies < 2 || !IndependentIterations(l.k, n) {
		return
	}
	loaded := 0
	ir.Walk(n.Body, func(n ir.Node) bool {
		in, ok := n.(*ir.Instr)
		if ok && in.Op == ir.Load && in.Mem.Space != syntax.Constant && in.Mem.Space != syntax.Thread {
			for _, d := range in.Dst {
				loaded += l.halves(d)
			}
		}
		_, inner := n.(*ir.Loop)
		return !inner
	})
	l.more = append(l.more, [3]int{first, l.at, (bodies - 1) * loaded})
}

func (l *liveness) scan(nodes []ir.Node) {
	for _, n := range nodes {
		l.at++
		switch n := n.(type) {
		case *ir.Instr:
			for _, r := range n.Reads() {
				l.mention(r)
			}
			for _, r := range n.Dst {
				l.mention(r)
			}
		case *ir.If:
			l.mention(n.Cond)
		case *ir.Loop:
			first := l.at
			l.scan(n.Head)
			l.mention(n.Cond)
			l.scan(n.Body)
			l.scan(n.Post)
			l.at++
			l.loops = append(l.loops, [2]int{first, l.at})
			l.ahead(n, first)
			continue
		}
		for _, part := range ir.Parts(n) {
			l.scan(*part)
		}
	}
}

// extend makes what enters a loop, and variables that leave it, live all through it.
func (l *liveness) extend() {
	for _, loop := range l.loops {
		for r := range l.span {
			s := &l.span[r]
			enters := s[0] >= 0 && s[0] < loop[0] && s[1] >= loop[0] && s[1] <= loop[1]
			leaves := l.k.Regs[r].Kind == ir.Variable && s[0] >= loop[0] && s[0] <= loop[1] && s[1] > loop[1]
			if enters {
				s[1] = loop[1]
			}
			if leaves {
				s[0] = loop[0]
			}
		}
	}
}

// most is the largest number of registers live at one place.
func (l *liveness) most() int {
	change := make([]int, l.at+2)
	for r, s := range l.span {
		if s[0] < 0 {
			continue
		}
		halves := l.halves(ir.Reg(r))
		change[s[0]] += halves
		change[s[1]] -= halves
	}
	for _, m := range l.more {
		change[m[0]] += m[2]
		change[m[1]] -= m[2]
	}
	most, now := 0, 0
	for _, c := range change {
		now += c
		most = max(most, now)
	}
	return (most + 1) / 2
}
