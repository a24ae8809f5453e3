package ir

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

var sourceNames = [...]string{
	"buffer", "threadgroup",
	"thread_position_in_grid.x", "thread_position_in_grid.y", "thread_position_in_grid.z",
	"thread_position_in_threadgroup.x", "thread_position_in_threadgroup.y", "thread_position_in_threadgroup.z",
	"threadgroup_position_in_grid.x", "threadgroup_position_in_grid.y", "threadgroup_position_in_grid.z",
	"threads_per_grid.x", "threads_per_grid.y", "threads_per_grid.z",
	"threads_per_threadgroup.x", "threads_per_threadgroup.y", "threads_per_threadgroup.z",
	"dispatch_threads_per_threadgroup.x", "dispatch_threads_per_threadgroup.y", "dispatch_threads_per_threadgroup.z",
	"threadgroups_per_grid.x", "threadgroups_per_grid.y", "threadgroups_per_grid.z",
	"thread_index_in_threadgroup", "thread_index_in_simdgroup", "thread_index_in_quadgroup",
	"simdgroup_index_in_threadgroup", "quadgroup_index_in_threadgroup",
	"simdgroups_per_threadgroup", "quadgroups_per_threadgroup", "threads_per_simdgroup",
	"dispatch_simdgroups_per_threadgroup", "dispatch_quadgroups_per_threadgroup",
}

func (s Source) String() string {
	if int(s) < len(sourceNames) {
		return sourceNames[s]
	}
	return fmt.Sprintf("source(%d)", uint8(s))
}

// Fprint writes k as text, one instruction on a line with its position in the
// source. Temporaries are %n, variables %n.name, inputs @source, addresses of
// objects &name; n counts registers of the kernel.
func Fprint(w io.Writer, k *Kernel) error {
	p := &printer{k: k}
	p.line(0, k.Pos, "kernel %s", k.Name)
	for _, a := range k.Args {
		p.line(1, a.Pos, "%s", argText(a))
	}
	for i, o := range k.Objects {
		text := fmt.Sprintf("object %d %s: %s, %d bytes aligned %d, %s", i, o.Name, o.Space, o.Size, o.Align, o.Elem)
		if o.Data != nil {
			text += fmt.Sprintf(" = %x", o.Data)
		}
		p.line(1, o.Pos, "%s", text)
	}
	p.list(1, k.Body)
	return p.flush(w)
}

// InstrText is an instruction as [Fprint] writes it.
func (k *Kernel) InstrText(in *Instr) string { return (&printer{k: k}).instr(in) }

// String is the text of Fprint.
func (k *Kernel) String() string {
	var b strings.Builder
	Fprint(&b, k) // a Builder does not fail
	return b.String()
}

func argText(a Arg) string {
	table, access := "buffer", ""
	if a.Threadgroup {
		table = "threadgroup"
	}
	if a.Const {
		access = "const "
	}
	return fmt.Sprintf("%s %d %s: %s %s%s, %d bytes aligned %d", table, a.Index, a.Name, a.Space, access, a.Type,
		a.Size, a.Align)
}

// printer collects lines, so that positions can be aligned.
type printer struct {
	k     *Kernel
	lines []printedLine
}

type printedLine struct{ text, pos string }

// column is where positions begin, unless the text before them is longer.
const column = 64

func (p *printer) line(depth int, pos syntax.Pos, format string, args ...any) {
	l := printedLine{text: strings.Repeat("  ", depth) + fmt.Sprintf(format, args...)}
	if pos.IsValid() {
		l.pos = pos.String()
	}
	p.lines = append(p.lines, l)
}

func (p *printer) flush(w io.Writer) error {
	var b bytes.Buffer
	for _, l := range p.lines {
		if l.pos == "" {
			fmt.Fprintln(&b, l.text)
		} else {
			fmt.Fprintf(&b, "%-*s; %s\n", column, l.text+" ", l.pos)
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (p *printer) list(depth int, nodes []Node) {
	for _, n := range nodes {
		switch n := n.(type) {
		case *Instr:
			p.line(depth, n.Pos, "%s", p.instr(n))
		case *If:
			p.line(depth, n.Pos, "if %s", p.reg(n.Cond))
			p.list(depth+1, n.Then)
			if len(n.Else) > 0 {
				p.line(depth, syntax.Pos{}, "else")
				p.list(depth+1, n.Else)
			}
		case *Loop:
			p.loop(depth, n)
		case *Block:
			p.line(depth, n.Pos, "block %s", n.Name)
			p.list(depth+1, n.Body)
		case *Exit:
			p.line(depth, n.Pos, "%s", exitText(n))
		}
	}
}

func (p *printer) loop(depth int, n *Loop) {
	p.line(depth, n.Pos, "loop")
	p.list(depth+1, n.Head)
	if n.Cond != None {
		p.line(depth, syntax.Pos{}, "while %s", p.reg(n.Cond))
	} else if len(n.Head) > 0 {
		p.line(depth, syntax.Pos{}, "body")
	}
	p.list(depth+1, n.Body)
	if len(n.Post) > 0 {
		p.line(depth, syntax.Pos{}, "post")
		p.list(depth+1, n.Post)
	}
}

func exitText(e *Exit) string {
	switch e.Kind {
	case Break:
		return fmt.Sprintf("break %d:%d", e.Loop.Pos.Line, e.Loop.Pos.Col)
	case Continue:
		return fmt.Sprintf("continue %d:%d", e.Loop.Pos.Line, e.Loop.Pos.Col)
	}
	return "leave " + e.Block.Name
}

func (p *printer) instr(in *Instr) string {
	var b strings.Builder
	for i, d := range in.Dst {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s:%s", p.reg(d), p.k.Regs[d].Type)
	}
	if len(in.Dst) > 0 {
		b.WriteString(" = ")
	}
	b.WriteString(in.Op.String())
	if in.Fn != "" {
		b.WriteString(" " + in.Fn)
	}
	if in.Fast {
		b.WriteString(" fast")
	}
	switch in.Op.Info().Prints {
	case ConversionText:
		fmt.Fprintf(&b, " %s to %s", in.From, in.To)
	case AccessText:
		fmt.Fprintf(&b, " %s %s", in.From, p.mem(in.Mem))
	case ElementText:
		fmt.Fprintf(&b, " %s", in.From)
	}
	for i, a := range in.Args {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + p.reg(a))
	}
	if in.Group != 0 {
		fmt.Fprintf(&b, " group %d", in.Group)
	}
	if in.Allow != 0 {
		fmt.Fprintf(&b, " allow %s", in.Allow)
	}
	return b.String()
}

func (p *printer) mem(m *Mem) string {
	var b strings.Builder
	if m.Volatile {
		b.WriteString("volatile ")
	}
	fmt.Fprintf(&b, "%s[%s", m.Space, p.reg(m.Base))
	if m.Index != None {
		sign := "u"
		if m.IndexSigned {
			sign = "s"
		}
		if p.k.Regs[m.Index].Type == I64 {
			sign = ""
		}
		fmt.Fprintf(&b, " + %s%s*%d", sign, p.reg(m.Index), m.Scale)
	}
	if m.Disp != 0 {
		fmt.Fprintf(&b, " %+d", m.Disp)
	}
	fmt.Fprintf(&b, "] align %d", m.Align)
	if m.VectorBytes != 0 {
		fmt.Fprintf(&b, " vector %d", m.VectorBytes)
	}
	return b.String()
}

// reg is a register as operands show it: literals by value.
func (p *printer) reg(r Reg) string {
	if r < 0 || int(r) >= len(p.k.Regs) {
		return fmt.Sprintf("%%%d", r)
	}
	info := &p.k.Regs[r]
	switch info.Kind {
	case Variable:
		if info.Name != "" {
			return fmt.Sprintf("%%%d.%s", r, info.Name)
		}
	case Literal:
		return literalText(info)
	case Input:
		if info.Type == Ptr {
			return "@" + info.Name
		}
		return "@" + info.Input.String()
	case Address:
		return "&" + info.Name
	}
	return fmt.Sprintf("%%%d", r)
}

func literalText(info *RegInfo) string {
	switch info.Type {
	case Bool:
		return strconv.FormatBool(info.Bits != 0)
	case F32:
		return floatText(float64(math.Float32frombits(uint32(info.Bits))), 32, "")
	case F16:
		return fmt.Sprintf("%#04xh", info.Bits)
	case BF16:
		return floatText(float64(math.Float32frombits(uint32(info.Bits)<<16)), 32, "bf")
	case Ptr:
		return fmt.Sprintf("ptr(%#x)", info.Bits)
	}
	return strconv.FormatInt(int64(info.Bits), 10)
}

func floatText(f float64, bits int, suffix string) string {
	s := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(s, ".einN") {
		s += ".0"
	}
	return s + suffix
}
