package mutation

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun/internal/ir"
)

// values is the state of one digest.
type values struct {
	k     *ir.Kernel
	rules rules
	text  strings.Builder // effects so far

	of         []string          // by temporary: its value
	product    []int32           // by temporary: the group in which a sum may swallow it, 0 for none
	number     []int             // by variable: its number among variables
	held       map[ir.Reg]string // by variable: its value, if this run of code has set it
	effects    int               // so far
	runs       int               // of straight code so far
	reads      []string          // since the last effect: each may fault
	constructs map[any]int
}

// rules say which differences a digest does not see.
type rules struct {
	commute  bool // the order of a commutative operation's operands
	unsigned bool // by which operator an unsigned number is compared with 0
	roomier  bool // the sizes of arrays
}

// digest tells kernels apart by what they do: which effects they have, in which
// order, on which values. A value is named by the operation that makes it and by
// the values that this takes, whatever the register; positions, names of
// registers and the order of pure computations between two effects do not count.
//
// Effects are writes of memory, barriers and control flow. Reads of memory are pure
// between two effects: after the next effect the same read is another value. The
// same holds of what lanes tell each other within a straight run of code, where all
// are active or none. Variables belong to their thread: within a straight run one
// stands for the value that it was given last, and where control flow begins or ends
// the run, what they hold is part of the effect. So two kernels of one digest do the
// same.
func digest(k *ir.Kernel, r rules) string {
	v := &values{k: k, rules: r, of: make([]string, len(k.Regs)), product: make([]int32, len(k.Regs)),
		number: make([]int, len(k.Regs)), held: map[ir.Reg]string{}, constructs: map[any]int{}}
	variables := 0
	for r, info := range k.Regs {
		v.number[r] = variables
		if info.Kind == ir.Variable {
			variables++
		}
	}
	v.head()
	v.list(k.Body)
	v.control("end")
	return short(v.text.String())
}

// short names a text.
func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

func (v *values) head() {
	fmt.Fprintln(&v.text, v.k.Name, v.k.MaxThreads)
	for _, a := range v.k.Args {
		fmt.Fprintln(&v.text, a.Threadgroup, a.Index, a.Size, a.Align, a.Const, a.Space)
	}
	for _, o := range v.k.Objects {
		size := o.Size
		if v.rules.roomier && o.Data == nil {
			size = 0
		}
		fmt.Fprintln(&v.text, o.Space, size, o.Align, o.Elem, o.Data)
	}
}

// effect notes an effect with the reads before it.
func (v *values) effect(format string, args ...any) {
	slices.Sort(v.reads)
	for _, read := range v.reads {
		v.text.WriteString(read + "\n")
	}
	v.reads = v.reads[:0]
	fmt.Fprintf(&v.text, format+"\n", args...)
	v.effects++
}

// control ends a straight run of code.
func (v *values) control(format string, args ...any) {
	condition := fmt.Sprintf(format, args...) // reads variables as they are
	var held []string
	for r, value := range v.held {
		held = append(held, fmt.Sprintf("variable %d = %s", v.number[r], value))
	}
	slices.Sort(held)
	clear(v.held)
	v.effect("%s with %q", condition, held)
	v.runs++
}

func (v *values) list(nodes []ir.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
			v.instr(n)
		case *ir.If:
			v.control("if %s", v.value(n.Cond))
			v.list(n.Then)
			v.control("else")
			v.list(n.Else)
			v.control("end")
		case *ir.Loop:
			v.control("loop %d", v.construct(n))
			v.list(n.Head)
			if n.Cond != ir.None {
				v.control("while %s", v.value(n.Cond))
			}
			v.control("body")
			v.list(n.Body)
			v.control("post")
			v.list(n.Post)
			v.control("end")
		case *ir.Block:
			v.control("block %d", v.construct(n))
			v.list(n.Body)
			v.control("end")
		case *ir.Exit:
			switch n.Kind {
			case ir.Leave:
				v.control("leave %d", v.construct(n.Block))
			default:
				v.control("exit %d %d", n.Kind, v.construct(n.Loop))
			}
		}
	}
}

// construct numbers loops and blocks in the order of the program.
func (v *values) construct(n any) int {
	i, ok := v.constructs[n]
	if !ok {
		i = len(v.constructs)
		v.constructs[n] = i
	}
	return i
}

func (v *values) instr(in *ir.Instr) {
	if in.Op == ir.Copy {
		v.set(in.Dst[0], v.value(in.Args[0]))
		return
	}
	text := v.operation(in)
	switch {
	case !pure(in):
		v.effect("%s", text)
		text = fmt.Sprintf("effect %d", v.effects)
	case in.Op == ir.Load:
		text = v.read("%s after %d", text, v.effects)
	case in.Op == ir.Simd, in.Op == ir.MatMul:
		text = v.read("%s in %d", text, v.runs) // of the lanes that are active here
	default:
		text = short(text)
	}
	for i, d := range in.Dst {
		v.set(d, fmt.Sprintf("%s.%d", text, i))
		if in.Op == ir.Mul || in.Op == ir.Neg {
			v.product[d] = in.Group
		}
	}
}

// read notes what may fault and names its value.
func (v *values) read(format string, args ...any) string {
	text := fmt.Sprintf(format, args...)
	v.reads = append(v.reads, text)
	return short(text)
}

// set stores a value in a register.
func (v *values) set(d ir.Reg, value string) {
	if v.k.Regs[d].Kind == ir.Variable {
		v.held[d] = value
		return
	}
	v.of[d] = value
}

// pure reports whether an instruction only makes values, or reads.
func pure(in *ir.Instr) bool {
	switch in.Op {
	case ir.Store, ir.Atomic, ir.Barrier, ir.Fence, ir.Poison:
		return false
	case ir.Load:
		return !in.Mem.Volatile
	}
	return true
}

// operation spells an instruction with the values that it takes. An operand that a
// contracting device may swallow is marked.
func (v *values) operation(in *ir.Instr) string {
	op, args := in.Op, make([]string, len(in.Args))
	products := 0
	for i, a := range in.Args {
		args[i] = v.value(a)
		if in.Group != 0 && a != ir.None && v.product[a] == in.Group && v.k.Regs[a].Kind == ir.Temp {
			args[i] += " product"
			products++
		}
	}
	if v.rules.unsigned {
		op, args = v.withZero(in, args)
	}
	if v.rules.commute && products < 2 { // of two products a device may prefer the first
		commute(in, op, args)
	}
	var b strings.Builder
	fmt.Fprint(&b, op, " ", in.Fn, in.Fast, in.From, in.To, in.Group != 0, in.Allow, args)
	for _, d := range in.Dst {
		fmt.Fprint(&b, " ", v.k.Regs[d].Type)
	}
	if m := in.Mem; m != nil {
		fmt.Fprint(&b, " ", m.Space, v.value(m.Base), v.value(m.Index), m.IndexSigned, m.Scale, m.Disp, m.Align,
			m.Volatile)
	}
	return b.String()
}

// commute puts operands that may be exchanged in order.
func commute(in *ir.Instr, op ir.Op, args []string) {
	switch {
	case op.Info().Commutes:
		slices.Sort(args[:2])
	case op == ir.Math && (strings.HasPrefix(in.Fn, "min_") || strings.HasPrefix(in.Fn, "max_")): // of integers
		slices.Sort(args)
	}
}

// withZero spells 0 < x as x ≠ 0 and x ≤ 0 as x = 0, where x is unsigned.
func (v *values) withZero(in *ir.Instr, args []string) (ir.Op, []string) {
	switch {
	case in.Op == ir.ULt && v.zero(in.Args[0]):
		return ir.Ne, []string{args[1], args[0]}
	case in.Op == ir.ULe && v.zero(in.Args[1]):
		return ir.Eq, args
	}
	return in.Op, args
}

func (v *values) zero(r ir.Reg) bool {
	info := v.k.Regs[r]
	return info.Kind == ir.Literal && info.Bits == 0
}

// value names what a register holds at this point.
func (v *values) value(r ir.Reg) string {
	if r == ir.None {
		return "none"
	}
	switch info := v.k.Regs[r]; info.Kind {
	case ir.Literal:
		return fmt.Sprintf("%v %#x", info.Type, info.Bits)
	case ir.Input:
		return fmt.Sprintf("input %d %d", info.Input, info.Index)
	case ir.Address:
		return fmt.Sprintf("object %d", info.Index)
	case ir.Variable:
		if value, ok := v.held[r]; ok {
			return value
		}
		return fmt.Sprintf("variable %d in %d", v.number[r], v.runs)
	}
	return v.of[r]
}
