package hir

import (
	"fmt"
	"math"
	"strings"

	"metalconform/metalrun/internal/syntax"
)

// Print writes the typed tree in a notation close to MSL that spells out what
// the source leaves implicit: load(x) reads an object, T(e) converts, decay(a)
// is a pointer to the first element. Every function that an entry point reaches
// is printed once, before its first caller.
func Print(p *Program) string {
	w := &treePrinter{done: map[*Func]bool{}}
	for _, f := range p.FunctionConstants {
		given := "undefined"
		if f.Defined {
			given = fmt.Sprint(constText(BitsOf(f.Var.Data, f.Type), f.Type))
		}
		w.line("function constant %s %s [%d] = %s", f.Type, f.Name, f.Index, given)
	}
	for _, k := range p.Kernels {
		w.function(k)
	}
	return w.String()
}

type treePrinter struct {
	strings.Builder
	depth int
	done  map[*Func]bool
}

func (w *treePrinter) line(format string, args ...any) {
	w.WriteString(strings.Repeat("\t", w.depth))
	fmt.Fprintf(w, format, args...)
	w.WriteByte('\n')
}

func (w *treePrinter) function(f *Func) {
	if w.done[f] {
		return
	}
	w.done[f] = true
	if f.Body != nil {
		WalkCalls(f.Body, func(c *Call) { w.function(c.Func) })
	}
	head := f.Result.String() + " " + f.Name
	if k := f.Kernel; k != nil {
		head = "kernel " + head
		if k.MaxThreads > 0 {
			head += fmt.Sprintf(" max_threads %d", k.MaxThreads)
		}
	}
	w.line("%s(%s)", head, strings.Join(paramTexts(f), ", "))
	if f.Body == nil {
		w.line("undefined")
		return
	}
	w.block(f.Body)
}

func paramTexts(f *Func) []string {
	texts := make([]string, len(f.Params))
	for i, v := range f.Params {
		texts[i] = varText(v)
		if f.Kernel == nil {
			continue
		}
		switch a := f.Kernel.Args[i]; a.Kind {
		case BufferArg:
			texts[i] += fmt.Sprintf(" buffer %d", a.Index)
		case ThreadgroupArg:
			texts[i] += fmt.Sprintf(" threadgroup %d", a.Index)
		case InputArg:
			texts[i] += " " + a.Input
		case ValueArg:
			texts[i] += fmt.Sprintf(" value %d", a.Index)
		case TextureArg:
			texts[i] += fmt.Sprintf(" texture %d", a.Index)
		case TableArg:
			texts[i] += fmt.Sprintf(" table %d", a.Index)
		case SamplerArg:
			texts[i] += fmt.Sprintf(" sampler %d", a.Index)
		case AbsentArg:
			texts[i] += " absent"
		}
	}
	return texts
}

func varText(v *Var) string {
	space := v.Space
	if space == syntax.Thread && !v.Ref {
		space = syntax.NoSpace
	}
	text := QualifiedString(v.Type, space, v.Const, false)
	if v.Ref {
		text += " &"
	}
	return text + " " + v.Name
}

func (w *treePrinter) block(b *Block) {
	w.line("{")
	w.depth++
	for _, s := range b.List {
		w.stmt(s)
	}
	w.depth--
	w.line("}")
}

func (w *treePrinter) stmt(s Stmt) {
	switch s := s.(type) {
	case *Block:
		w.block(s)
	case *VarStmt:
		if s.Init == nil {
			w.line("%s", varText(s.Var))
			return
		}
		w.line("%s = %s", varText(s.Var), ExprString(s.Init))
	case *Cover:
		w.line("cover %d", s.Of.Number)
	case *ExprStmt:
		w.line("%s", ExprString(s.X))
	case *If:
		w.line("if %s", ExprString(s.Cond))
		w.block(s.Then)
		if s.Else != nil {
			w.line("else")
			w.block(s.Else)
		}
	case *Loop:
		w.loop(s)
	case *Switch:
		w.line("switch %s", ExprString(s.X))
		for _, c := range s.Cases {
			label := strings.Trim(fmt.Sprint(c.Values), "[]")
			if c.Default {
				label = strings.TrimSpace(label + " default")
			}
			w.line("case %s", label)
			w.block(&Block{List: c.Body})
		}
	case *Break:
		w.line("break")
	case *Continue:
		w.line("continue")
	case *Return:
		if s.X == nil {
			w.line("return")
			return
		}
		w.line("return %s", ExprString(s.X))
	}
}

func (w *treePrinter) loop(s *Loop) {
	head := "loop"
	if s.Cond != nil {
		head += " while " + ExprString(s.Cond)
	}
	if s.TestLast {
		head += " test last"
	}
	if s.Post != nil {
		head += " post " + ExprString(s.Post)
	}
	w.line("%s", head)
	w.block(s.Body)
}

// ExprString is an expression as [Print] writes it.
func ExprString(e Expr) string {
	switch e := e.(type) {
	case nil:
		return "none"
	case *Const:
		return constText(e.Bits, e.typ)
	case *VarExpr:
		return e.Var.Name
	case *Load:
		return "load(" + ExprString(e.X) + ")"
	case *Deref:
		return "*" + ExprString(e.X)
	case *Index:
		return ExprString(e.X) + "[" + ExprString(e.I) + "]"
	case *FieldExpr:
		return ExprString(e.X) + "." + fieldText(e)
	case *Swizzle:
		text := ExprString(e.X) + "."
		for _, k := range e.Comps {
			text += "xyzw"[k : k+1]
		}
		return text
	case *ThreadElements:
		return ExprString(e.X) + ".thread_elements()"
	case *Temporary:
		return "temporary(" + ExprString(e.X) + ")"
	case *AddrOf:
		return "&" + ExprString(e.X)
	case *Decay:
		return "decay(" + ExprString(e.X) + ")"
	case *Unary:
		return e.Op.String() + ExprString(e.X)
	case *Binary:
		return "(" + ExprString(e.X) + " " + opText(e.Op, e.Math, e.typ) + " " + ExprString(e.Y) + ")"
	case *PtrAdd:
		return "(" + ExprString(e.P) + map[bool]string{false: " + ", true: " - "}[e.Neg] + ExprString(e.I) + ")"
	case *PtrDiff:
		return "(" + ExprString(e.X) + " - " + ExprString(e.Y) + ")"
	case *Convert:
		return callText("("+e.typ.String()+")", e.X)
	case *Construct:
		return e.typ.String() + "{" + exprTexts(e.Args) + "}"
	case *AsType:
		return callText("as_type<"+e.typ.String()+">", e.X)
	}
	return effectString(e)
}

// effectString prints expressions that do something.
func effectString(e Expr) string {
	switch e := e.(type) {
	case *Assign:
		return "(" + ExprString(e.L) + " = " + ExprString(e.R) + ")"
	case *OpAssign:
		op := opText(e.Op, e.Math, e.Comp) + "="
		if !Identical(e.Comp, e.L.Type()) {
			op += " as " + e.Comp.String()
		}
		return "(" + ExprString(e.L) + " " + op + " " + ExprString(e.R) + ")"
	case *IncDec:
		op := map[bool]string{false: "++", true: "--"}[e.Dec]
		if e.Postfix {
			return ExprString(e.L) + op
		}
		return op + ExprString(e.L)
	case *Call:
		return callText(e.Func.Name, e.Args...)
	case *PointerCall:
		return callText("(*"+ExprString(e.Fun)+")", e.Args...)
	case *BuiltinCall:
		name := e.Name
		if e.Precision != "" {
			name = e.Precision + "::" + name
		}
		return callText(name, e.Args...)
	case *Cond:
		return "(" + ExprString(e.C) + " ? " + ExprString(e.X) + " : " + ExprString(e.Y) + ")"
	case *Comma:
		return "(" + ExprString(e.X) + ", " + ExprString(e.Y) + ")"
	}
	return fmt.Sprintf("%T", e)
}

// opText marks operations on floats that must not be contracted.
func opText(op Op, math FastMathFlags, t Type) string {
	if op == MatMul {
		return map[bool]string{true: "matrix*", false: "matrix* exact"}[math&ContractOn != 0]
	}
	if math&ContractOn == 0 && ElemOf(t).IsFloat() && (op == Add || op == Sub || op == Mul) {
		return op.String() + " exact"
	}
	return op.String()
}

func callText(name string, args ...Expr) string { return name + "(" + exprTexts(args) + ")" }

func exprTexts(list []Expr) string {
	texts := make([]string, len(list))
	for i, e := range list {
		texts[i] = ExprString(e)
	}
	return strings.Join(texts, ", ")
}

func fieldText(e *FieldExpr) string {
	if s, ok := e.X.Type().(*Struct); ok && s.Fields[e.Field].Name != "" {
		return s.Fields[e.Field].Name
	}
	return fmt.Sprintf("(%d)", e.Field)
}

// constText is a constant as a literal of its type.
func constText(bits uint64, t Type) string {
	k, ok := t.(Kind)
	switch {
	case !ok && ScalarKind(t) == Void:
		return "null"
	case !ok:
		return fmt.Sprintf("%s(%d)", t, int64(bits))
	case k == Bool:
		return fmt.Sprint(bits != 0)
	case k.IsFloat():
		v := FloatValue(k, bits)
		text := fmt.Sprint(v)
		if v == math.Trunc(v) && !strings.ContainsAny(text, "eIN") {
			text += ".0"
		}
		return text + map[Kind]string{Float: "f", Half: "h", BFloat: "bf"}[k]
	case k.IsSigned():
		return fmt.Sprint(int64(bits)) + map[Kind]string{Long: "l"}[k]
	}
	return fmt.Sprint(bits) + map[Kind]string{ULong: "ul"}[k] + map[bool]string{true: "u"}[k != ULong]
}
