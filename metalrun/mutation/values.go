package mutation

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"metalconform/metalrun/internal/ir"
)

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
// Effects are writes of memory and of variables, communication and control flow.
// Reads are pure, but of what there is between two effects: the same read behind
// the next effect is another value. So two kernels of one digest do the same.
func digest(k *ir.Kernel, r rules) string {
	v := &values{k: k, rules: r, groups: map[int32]int{}, constructs: map[any]int{}}
	v.of, v.variable = make([]string, len(k.Regs)), make([]int, len(k.Regs))
	variables := 0
	for r, info := range k.Regs {
		v.variable[r] = variables
		if info.Kind == ir.Variable {
			variables++
		}
	}
	v.head()
	v.list(k.Body)
	v.effect("end")
	return short(v.text.String())
}

// short names a text.
func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// values is the state of one digest.
type values struct {
	k     *ir.Kernel
	rules rules
	text  strings.Builder // effects so far

	of         []string // by temporary: its value
	variable   []int    // by variable: its number among variables
	effects    int      // so far
	reads      []string // since the last effect: each may fault
	groups     map[int32]int
	constructs map[any]int
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

func (v *values) list(nodes []ir.Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *ir.Instr:
			v.instr(n)
		case *ir.If:
			v.effect("if %s", v.value(n.Cond))
			v.list(n.Then)
			v.effect("else")
			v.list(n.Else)
			v.effect("end")
		case *ir.Loop:
			v.effect("loop %d", v.construct(n))
			v.list(n.Head)
			if n.Cond != ir.None {
				v.effect("while %s", v.value(n.Cond))
			}
			v.effect("body")
			v.list(n.Body)
			v.effect("post")
			v.list(n.Post)
			v.effect("end")
		case *ir.Block:
			v.effect("block %d", v.construct(n))
			v.list(n.Body)
			v.effect("end")
		case *ir.Exit:
			switch n.Kind {
			case ir.Leave:
				v.effect("leave %d", v.construct(n.Block))
			default:
				v.effect("exit %d %d", n.Kind, v.construct(n.Loop))
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
	text := v.operation(in)
	if v.pure(in) {
		if in.Op == ir.Load {
			text = fmt.Sprintf("%s after %d", text, v.effects)
			v.reads = append(v.reads, text)
		}
		text = short(text)
	} else {
		targets := ""
		for _, d := range in.Dst {
			if v.k.Regs[d].Kind == ir.Variable {
				targets += fmt.Sprintf(" %d", v.variable[d])
			}
		}
		v.effect("%s to%s", text, targets)
		text = fmt.Sprintf("effect %d", v.effects)
	}
	for i, d := range in.Dst {
		v.of[d] = fmt.Sprintf("%s.%d", text, i)
	}
}

// pure reports whether an instruction only makes values, or reads.
func (v *values) pure(in *ir.Instr) bool {
	for _, d := range in.Dst {
		if v.k.Regs[d].Kind == ir.Variable {
			return false
		}
	}
	switch in.Op {
	case ir.Store, ir.Atomic, ir.Simd, ir.Barrier, ir.Fence, ir.MatMul, ir.Poison:
		return false
	case ir.Load:
		return !in.Mem.Volatile
	}
	return true
}

// operation spells an instruction with the values that it takes.
func (v *values) operation(in *ir.Instr) string {
	op, args := in.Op, make([]string, len(in.Args))
	for i, a := range in.Args {
		args[i] = v.value(a)
	}
	if v.rules.unsigned {
		op, args = v.withZero(in, args)
	}
	if v.rules.commute {
		switch op {
		case ir.Add, ir.Mul, ir.And, ir.Or, ir.Xor, ir.Eq, ir.Ne:
			slices.Sort(args)
		case ir.FMA:
			slices.Sort(args[:2])
		}
	}
	var b strings.Builder
	fmt.Fprint(&b, op, " ", in.Fn, in.Fast, in.From, in.To, v.group(in.Group), args)
	for _, d := range in.Dst {
		fmt.Fprint(&b, " ", v.k.Regs[d].Type)
	}
	if m := in.Mem; m != nil {
		fmt.Fprint(&b, " ", m.Space, v.value(m.Base), v.value(m.Index), m.IndexSigned, m.Scale, m.Disp, m.Align, m.Volatile)
	}
	return b.String()
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

// group numbers the expressions that may be contracted, in the order of the
// program.
func (v *values) group(g int32) int {
	if g == 0 {
		return 0
	}
	if v.groups[g] == 0 {
		v.groups[g] = len(v.groups) + 1
	}
	return v.groups[g]
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
		return fmt.Sprintf("variable %d after %d", v.variable[r], v.effects)
	}
	return v.of[r]
}
