package simt

import "metalconform/metalrun/internal/ir"

// Registers is how many registers of 32 bits a thread needs at once, if a compiler keeps
// the order of the source: what varies between threads, from where it is set to where it
// is last read, and all through loops that it enters or crosses. Narrow floats take half a
// register; what all threads share is kept once for all of them, and arrays apart.
func (p *Program) Registers() int {
	l := &liveness{k: p.source, varying: analyseUniformity(p.source).varying, span: make([][2]int, len(p.source.Regs))}
	for r := range l.span {
		l.span[r] = [2]int{-1, -1}
	}
	l.scan(p.source.Body)
	l.extend()
	return l.most()
}

// liveness numbers instructions in the order of the source.
type liveness struct {
	k       *ir.Kernel
	varying []bool
	span    [][2]int // per register: first and last mention
	loops   [][2]int // inner ones first
	at      int
}

func (l *liveness) mention(r ir.Reg) {
	if r == ir.None || !l.varying[r] {
		return
	}
	if s := &l.span[r]; s[0] < 0 {
		*s = [2]int{l.at, l.at}
	} else {
		s[1] = l.at
	}
}

func (l *liveness) scan(nodes []ir.Node) {
	for _, n := range nodes {
		l.at++
		switch n := n.(type) {
		case *ir.Instr:
			for _, r := range reads(n) {
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
		halves := 2
		switch l.k.Regs[r].Type {
		case ir.I64, ir.Ptr:
			halves = 4
		case ir.F16, ir.BF16, ir.Bool:
			halves = 1
		}
		change[s[0]] += halves
		change[s[1]] -= halves
	}
	most, now := 0, 0
	for _, c := range change {
		now += c
		most = max(most, now)
	}
	return (most + 1) / 2
}
