package main

import (
	"fmt"
	"slices"
	"strings"
)

// Registers of a loop. Vector operand i has R(1+i) as its pointer and V(4i) to
// V(4i+3) for one block; d has R0 and V12 to V15.
const (
	result      = 12
	temporary   = 16 // and up to 19, free for bodies
	scalar      = 20 // and up to 23: scalar operands, repeated
	constant    = 24 // and up to 30: constants, repeated
	accumulator = 31
)

// An operand is a vector of lanes or a scalar, of 32 or 64 bits. prepare changes
// a scalar, in R9, before it is repeated in a vector.
type operand struct {
	name    string
	bits    int
	scalar  bool
	prepare []string
}

// outcome is what a loop returns.
type outcome int

const (
	nothing outcome = iota
	count           // of lanes: minus the sum of the 32-bit elements of the accumulator
	done            // lanes before the first block whose body set bits in the accumulator
)

// A loop sets the lanes of d from its operands: blocks of four registers first,
// then single registers, then single lanes, so that it touches nothing beyond.
// The body computes one register; x holds the registers of the operands, then of
// the constants. It writes to d and temporaries only, or also to the accumulator,
// which starts as zero.
type loop struct {
	name      string
	bits      int // of d
	operands  []operand
	constants []uint64
	outcome   outcome
	body      func(s *assembly, d int, x []int)
}

// perRegister is the number of lanes that fit a register of the widest operand.
// Narrower operands of the same loop fill half a register.
func (l loop) perRegister() int {
	if l.bits == 64 || slices.ContainsFunc(l.operands, func(o operand) bool { return o.bits == 64 }) {
		return 2
	}
	return 4
}

func (l loop) function() function {
	f := function{name: l.name, parameters: []parameter{{"d", fmt.Sprintf("[]uint%d", l.bits)}}, body: l.write}
	for _, o := range l.operands {
		typ := fmt.Sprintf("uint%d", o.bits)
		if !o.scalar {
			typ = "[]" + typ
		}
		f.parameters = append(f.parameters, parameter{o.name, typ})
	}
	if l.outcome != nothing {
		f.result = "int"
	}
	return f
}

func (l loop) write(s *assembly, at frame) {
	l.load(s, at)
	s.line("MOVD %s, R8", at.word("d", "len", 8))
	lanes := l.perRegister()
	l.level(s, "block", "register", 4*lanes, func(bits, r int) (load, store string) {
		regs := registers(r, 4, lanes, bits)
		return fmt.Sprintf("VLD1.P %d(%%s), %s", 4*lanes*bits/8, regs),
			fmt.Sprintf("VST1.P %s, %d(R0)", regs, 4*lanes*bits/8)
	})
	l.level(s, "register", "lane", lanes, func(bits, r int) (load, store string) {
		regs := registers(r, 1, lanes, bits)
		return fmt.Sprintf("VLD1.P %d(%%s), %s", lanes*bits/8, regs),
			fmt.Sprintf("VST1.P %s, %d(R0)", regs, lanes*bits/8)
	})
	l.level(s, "lane", "end", 1, func(bits, r int) (load, store string) {
		move := map[int]string{32: "FMOVS", 64: "FMOVD"}[bits]
		return fmt.Sprintf("%s.P %d(%%s), F%d", move, bits/8, r), fmt.Sprintf("%s.P F%d, %d(R0)", move, r, bits/8)
	})
	s.label("end")
	switch l.outcome {
	case count:
		s.op("addv.s.4s", accumulator, accumulator)
		s.line("FMOVS F%d, R9", accumulator)
		s.line("NEGW R9, R9")
		s.line("MOVD R9, %s", at.word("ret", "", 0))
	case done:
		s.line("MOVD %s, R9", at.word("d", "base", 0))
		s.line("SUB R9, R0, R9")
		s.line("LSR $%d, R9, R9", l.bits/32+1)
		s.line("MOVD R9, %s", at.word("ret", "", 0))
	}
}

// load puts operands, constants and the accumulator into their registers.
func (l loop) load(s *assembly, at frame) {
	s.line("MOVD %s, R0", at.word("d", "base", 0))
	arrangement := map[int]string{2: "D2", 4: "S4"}[l.perRegister()]
	vectors, scalars := 0, 0
	for _, o := range l.operands {
		if !o.scalar {
			vectors++
			s.line("MOVD %s, R%d", at.word(o.name, "base", 0), vectors)
			continue
		}
		s.line("%s %s, R9", map[int]string{32: "MOVWU", 64: "MOVD"}[o.bits], at.word(o.name, "", 0))
		for _, p := range o.prepare {
			s.line("%s", p)
		}
		s.line("VDUP R9, V%d.%s", scalar+scalars, arrangement)
		scalars++
	}
	for i, c := range l.constants {
		s.line("MOVD $%#x, R9", c)
		s.line("VDUP R9, V%d.%s", constant+i, arrangement)
	}
	if l.outcome != nothing {
		s.op("eor.16b", accumulator, accumulator, accumulator)
	}
}

// level writes the loop over steps of some lanes. move gives the instructions
// that load and store register r of such a step; of blocks, the first register.
func (l loop) level(s *assembly, name, next string, lanes int, move func(bits, r int) (load, store string)) {
	s.label(name)
	s.line("CMP $%d, R8", lanes)
	s.line("BLT %s", next)
	s.label(name + "s")
	vectors := 0
	for _, o := range l.operands {
		if !o.scalar {
			load, _ := move(o.bits, 4*vectors)
			vectors++
			s.line(load, fmt.Sprintf("R%d", vectors))
		}
	}
	for unit := range max(1, lanes/l.perRegister()) {
		l.body(s, result+unit, l.inputs(unit))
	}
	if l.outcome == done {
		s.op("umaxv.s.4s", temporary, accumulator)
		s.line("FMOVS F%d, R9", temporary)
		s.line("CBNZW R9, end")
	}
	_, store := move(l.bits, result)
	s.line("%s", store)
	s.line("SUB $%d, R8", lanes)
	s.line("CMP $%d, R8", lanes)
	s.line("BGE %ss", name)
}

// inputs are the registers that the body of a unit of a block reads.
func (l loop) inputs(unit int) []int {
	var x []int
	vectors, scalars := 0, 0
	for _, o := range l.operands {
		if o.scalar {
			x = append(x, scalar+scalars)
			scalars++
		} else {
			x = append(x, 4*vectors+unit)
			vectors++
		}
	}
	for i := range l.constants {
		x = append(x, constant+i)
	}
	return x
}

// registers is a list of n registers from r on that hold some lanes each.
func registers(r, n, lanes, bits int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("V%d.%s%d", r+i, map[int]string{32: "S", 64: "D"}[bits], lanes)
	}
	return "[" + strings.Join(list, ", ") + "]"
}
