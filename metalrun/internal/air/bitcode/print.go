package bitcode

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Fprint writes a function as LLVM's assembly has it, with opaque pointers and without metadata: one line for the head,
// each label but the first, and each instruction, then a brace and an empty line.
func (f *Func) Fprint(w io.Writer) {
	p := printer{names: map[*Value]string{}, labels: make([]string, len(f.Blocks))}
	p.number(f)
	params := make([]string, len(f.Params))
	for i, v := range f.Params {
		params[i] = v.Type.String() + " " + p.names[v]
	}
	fmt.Fprintf(w, "define %s @%s(%s) {\n", f.Type.Elem, f.Name, strings.Join(params, ", "))
	for i, b := range f.Blocks {
		if i > 0 {
			fmt.Fprintf(w, "%s:\n", p.labels[i][1:])
		}
		for _, in := range b.Instrs {
			fmt.Fprintf(w, "  %s\n", p.instr(in))
		}
	}
	io.WriteString(w, "}\n\n")
}

// printer knows the names of the values of a function.
type printer struct {
	names  map[*Value]string
	labels []string
}

// number names values and blocks: by their names, otherwise by numbers in the order of the function.
func (p *printer) number(f *Func) {
	n := 0
	name := func(given string) string {
		if given != "" {
			return "%" + given
		}
		n++
		return "%" + strconv.Itoa(n-1)
	}
	for _, v := range f.Params {
		p.names[v] = name(v.Name)
	}
	for i, b := range f.Blocks {
		p.labels[i] = name(b.Name)
		for _, in := range b.Instrs {
			if in.Value != nil {
				p.names[in.Value] = name(in.Value.Name)
			}
		}
	}
}

// value is an operand without its type.
func (p *printer) value(v *Value) string {
	switch v.Kind {
	case Argument, Result:
		return p.names[v]
	case GlobalValue:
		return "@" + v.Global.Name
	case FuncValue:
		return "@" + v.Func.Name
	case Bits:
		return number(v.Type, v.Bits)
	case Null:
		if v.Type.Kind == Integer || v.Type.IsFloat() {
			return number(v.Type, 0)
		}
		if v.Type.Kind == Pointer {
			return "null"
		}
		return "zeroinitializer"
	case Undef:
		return "undef"
	case Poison:
		return "poison"
	case Metadata:
		return "metadata"
	}
	return p.compound(v)
}

// compound is a constant that consists of others.
func (p *printer) compound(v *Value) string {
	var parts []string
	switch v.Kind {
	case Data:
		for _, w := range v.Words[:min(len(v.Words), mostPrinted)] {
			parts = append(parts, v.Type.Elem.String()+" "+number(v.Type.Elem, w))
		}
	case Aggregate, Address, Cast:
		for _, e := range v.Elems[:min(len(v.Elems), mostPrinted)] {
			if e.Type == nil || e.Kind == Aggregate {
				parts = append(parts, "…")
				continue
			}
			parts = append(parts, e.Type.String()+" "+p.value(e))
		}
	}
	list := strings.Join(parts, ", ")
	switch v.Kind {
	case Cast:
		return "bitcast (" + list + " to " + v.Type.String() + ")"
	case Address:
		return "getelementptr (" + v.Elem.String() + ", " + list + ")"
	}
	if v.Type.Kind == Vector {
		return "<" + list + ">"
	}
	return "[" + list + "]"
}

// mostPrinted is how many elements of a constant are shown.
const mostPrinted = 64

// number is a scalar: an integer with its sign, or a float.
func number(t *Type, bits uint64) string {
	switch t.Kind {
	case Integer:
		if t.Bits == 1 {
			return strconv.FormatBool(bits != 0)
		}
		shift := 64 - min(t.Bits, 64)
		return strconv.FormatInt(int64(bits<<shift)>>shift, 10)
	case Half:
		return fmt.Sprintf("0xH%04X", bits)
	case BFloat:
		return fmt.Sprintf("0xR%04X", bits)
	case Float:
		x := float64(math.Float32frombits(uint32(bits)))
		if text := strconv.FormatFloat(x, 'e', 6, 64); !math.IsInf(x, 0) && x == x {
			if back, err := strconv.ParseFloat(text, 64); err == nil && back == x {
				return text
			}
		}
		return fmt.Sprintf("0x%X", math.Float64bits(x))
	}
	return fmt.Sprintf("%#x", bits)
}

func (p *printer) typed(v *Value) string { return v.Type.String() + " " + p.value(v) }

func (p *printer) list(values []*Value) string {
	parts := make([]string, len(values))
	for i, v := range values {
		parts[i] = p.typed(v)
	}
	return strings.Join(parts, ", ")
}

var binaryNames = [...][2]string{Add: {"add", "fadd"}, Sub: {"sub", "fsub"}, Mul: {"mul", "fmul"}, UDiv: {"udiv", ""},
	SDiv: {"sdiv", "fdiv"}, URem: {"urem", ""}, SRem: {"srem", "frem"}, Shl: {"shl", ""}, LShr: {"lshr", ""},
	AShr: {"ashr", ""}, And: {"and", ""}, Or: {"or", ""}, Xor: {"xor", ""}}

var castNames = [...]string{Trunc: "trunc", ZExt: "zext", SExt: "sext", FPToUI: "fptoui", FPToSI: "fptosi",
	UIToFP: "uitofp", SIToFP: "sitofp", FPTrunc: "fptrunc", FPExt: "fpext", PtrToInt: "ptrtoint", IntToPtr: "inttoptr",
	BitCast: "bitcast", AddrSpaceCast: "addrspacecast"}

var predicateNames = map[uint8]string{0: "false", 1: "oeq", 2: "ogt", 3: "oge", 4: "olt", 5: "ole", 6: "one", 7: "ord",
	8: "uno", 9: "ueq", 10: "ugt", 11: "uge", 12: "ult", 13: "ule", 14: "une", 15: "true", ICmpEQ: "eq", ICmpNE: "ne",
	ICmpUGT: "ugt", ICmpUGE: "uge", ICmpULT: "ult", ICmpULE: "ule", ICmpSGT: "sgt", ICmpSGE: "sge", ICmpSLT: "slt",
	ICmpSLE: "sle"}

// fastNames are the fast-math flags in the order in which LLVM prints them.
var fastNames = []struct {
	bit  uint64
	name string
}{{Reassociate, "reassoc "}, {NoNaNs, "nnan "}, {NoInfs, "ninf "}, {NoSignedZeros, "nsz "}, {Reciprocal, "arcp "},
	{Contract, "contract "}, {Approximate, "afn "}}

const allFast = Reassociate | NoNaNs | NoInfs | NoSignedZeros | Reciprocal | Contract | Approximate

func (in *Instr) fastFlags() string {
	t := in.Type
	if len(in.Args) > 0 && in.Op != Call && in.Op != Select {
		t = in.Args[0].Type
	}
	if !scalarOf(t).IsFloat() {
		return ""
	}
	if in.Flags&allFast == allFast || in.Flags&Fast != 0 {
		return "fast "
	}
	text := ""
	for _, f := range fastNames {
		if in.Flags&f.bit != 0 {
			text += f.name
		}
	}
	return text
}

// instr is an instruction with its result.
func (p *printer) instr(in *Instr) string {
	text := p.operation(in)
	if in.Value != nil {
		return p.names[in.Value] + " = " + text
	}
	return text
}

func (p *printer) operation(in *Instr) string {
	plain := func(name string) string { return name + " " + p.list(in.Args) }
	switch in.Op {
	case Binary:
		name := binaryNames[in.Sub][0]
		if scalarOf(in.Type).IsFloat() {
			name = binaryNames[in.Sub][1]
		}
		return fmt.Sprintf("%s %s%s, %s", name, in.fastFlags(), p.typed(in.Args[0]), p.value(in.Args[1]))
	case Unary:
		return "fneg " + in.fastFlags() + p.list(in.Args)
	case CastOp:
		return fmt.Sprintf("%s %s to %s", castNames[in.Sub], p.list(in.Args), in.Type)
	case Compare:
		name := "icmp "
		if in.Sub <= FCmpTrue {
			name = "fcmp " + in.fastFlags()
		}
		return fmt.Sprintf("%s%s %s, %s", name, predicateNames[in.Sub], p.typed(in.Args[0]), p.value(in.Args[1]))
	case Select:
		return "select " + in.fastFlags() + p.list(in.Args)
	case ExtractElement:
		return plain("extractelement")
	case InsertElement:
		return plain("insertelement")
	case Shuffle:
		return plain("shufflevector")
	case ExtractValue, InsertValue:
		name := plain("extractvalue")
		if in.Op == InsertValue {
			name = plain("insertvalue")
		}
		for _, i := range in.Indices {
			name += ", " + strconv.Itoa(i)
		}
		return name
	case GetElementPtr:
		return fmt.Sprintf("getelementptr %s, %s", in.Elem, p.list(in.Args))
	case Alloca:
		return fmt.Sprintf("alloca %s, align %d", in.Elem, in.Align)
	case Load:
		return fmt.Sprintf("load %s%s, %s, align %d", volatile(in), in.Type, p.list(in.Args), in.Align)
	case Store:
		return fmt.Sprintf("store %s%s, align %d", volatile(in), p.list(in.Args), in.Align)
	case Call:
		return fmt.Sprintf("call %s%s %s(%s)", in.fastFlags(), in.Type, p.value(in.Callee), p.list(in.Args))
	case Freeze:
		return plain("freeze")
	case Fence:
		return "fence"
	}
	return p.flow(in)
}

func volatile(in *Instr) string {
	if in.Volatile {
		return "volatile "
	}
	return ""
}

// flow is a phi or a terminator.
func (p *printer) flow(in *Instr) string {
	var parts []string
	switch in.Op {
	case Phi:
		for i, a := range in.Args {
			parts = append(parts, fmt.Sprintf("[ %s, %s ]", p.value(a), p.labels[in.Targets[i]]))
		}
		return fmt.Sprintf("phi %s%s %s", in.fastFlags(), in.Type, strings.Join(parts, ", "))
	case Return:
		if len(in.Args) == 0 {
			return "ret void"
		}
		return "ret " + p.list(in.Args)
	case Branch:
		if len(in.Args) == 0 {
			return "br label " + p.labels[in.Targets[0]]
		}
		return fmt.Sprintf("br %s, label %s, label %s", p.typed(in.Args[0]), p.labels[in.Targets[0]],
			p.labels[in.Targets[1]])
	case Switch:
		for i, a := range in.Args[1:] {
			parts = append(parts, fmt.Sprintf("%s, label %s", p.typed(a), p.labels[in.Targets[i+1]]))
		}
		return fmt.Sprintf("switch %s, label %s [%s]", p.typed(in.Args[0]), p.labels[in.Targets[0]],
			strings.Join(parts, " "))
	}
	return "unreachable"
}
