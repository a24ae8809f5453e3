package mutation

import (
	"fmt"
	"math"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
)

// A compiled library has no tree, so its mutants are edits of single instructions of the intermediate representation.
// They have the names of the operators on source that they resemble.

// opposites are the operations that an operator puts in place of others.
var opposites = map[string]map[ir.Op]ir.Op{
	"arithmetic": {ir.Add: ir.Sub, ir.Sub: ir.Add, ir.Mul: ir.Add, ir.Div: ir.Mul, ir.SDiv: ir.Mul, ir.UDiv: ir.Mul},
	"bits":       {ir.And: ir.Or, ir.Or: ir.And, ir.Xor: ir.Or, ir.Shl: ir.LShr, ir.LShr: ir.Shl},
	"comparison": {ir.FLt: ir.FLe, ir.FLe: ir.FLt, ir.SLt: ir.SLe, ir.SLe: ir.SLt, ir.ULt: ir.ULe, ir.ULe: ir.ULt,
		ir.Eq: ir.Ne, ir.Ne: ir.Eq},
}

// related are functions that an operator puts in place of others.
var related = map[string]string{"min": "max", "max": "min", "floor": "ceil", "ceil": "floor", "rint": "trunc",
	"exp": "exp2", "log": "log2", "sin": "cos", "cos": "sin", "sqrt": "rsqrt", "rsqrt": "sqrt",
	"simd_sum": "simd_max", "simd_max": "simd_sum", "simd_min": "simd_max", "simd_shuffle_down": "simd_shuffle_up"}

// libraryMutants are the mutants of the kernels of a compiled library.
func (u *Unit) libraryMutants(kernels []string, operators []Operator) (list []*Mutant) {
	for _, name := range kernels {
		k, err := u.program.Lowered(name)
		if err != nil {
			continue // it cannot be executed
		}
		e := &libraryEdits{unit: u, kernel: k, ids: map[string]int{}}
		n := 0
		for in := range ir.Instrs(k.Body...) {
			for _, o := range operators {
				e.edits(o.Name, in, metalrun.LibraryEdit{Kernel: name, At: n, Operand: -1})
			}
			n++
		}
		list = append(list, e.list...)
	}
	return list
}

// libraryEdits collects the mutants of one kernel.
type libraryEdits struct {
	unit   *Unit
	kernel *ir.Kernel
	ids    map[string]int
	list   []*Mutant
}

// edits adds what an operator makes of an instruction.
func (e *libraryEdits) edits(operator string, in *ir.Instr, at metalrun.LibraryEdit) {
	if to, ok := opposites[operator][in.Op]; ok && e.fits(in, to) {
		at.Op = to
		e.add(operator, in, at, in.Op.String()+" → "+to.String())
	}
	switch operator {
	case "constant":
		e.constants(in, at)
	case "statement":
		if in.Op == ir.Store {
			at.Remove = true
			e.add(operator, in, at, "no store")
		}
	case "barrier":
		if in.Op == ir.Barrier || in.Op == ir.Fence {
			at.Remove = true
			e.add(operator, in, at, "no "+in.Op.String())
		}
	case "function":
		if to := related[in.Fn]; to != "" && (in.Op == ir.Math || in.Op == ir.Simd) {
			at.Fn = to
			e.add(operator, in, at, in.Fn+" → "+to)
		}
	}
}

// fits reports whether an instruction may become another operation.
func (e *libraryEdits) fits(in *ir.Instr, to ir.Op) bool {
	t := e.kernel.Regs[in.Args[0]].Type
	switch to {
	case ir.Ne, ir.Eq:
		return true
	case ir.ULt, ir.ULe:
		return t != ir.Bool
	}
	return t != ir.Ptr && t != ir.Bool
}

// constants puts other numbers in place of literals of arithmetic and of comparisons.
func (e *libraryEdits) constants(in *ir.Instr, at metalrun.LibraryEdit) {
	switch in.Op {
	case ir.Add, ir.Sub, ir.Mul, ir.Div, ir.FMA, ir.FLt, ir.FLe, ir.SLt, ir.SLe, ir.ULt, ir.ULe, ir.Eq, ir.Ne, ir.Math:
	default:
		return
	}
	for i, a := range in.Args {
		r := e.kernel.Regs[a]
		if r.Kind != ir.Literal || r.Type == ir.Ptr || r.Type == ir.Bool {
			continue
		}
		at.Operand, at.Bits = i, r.Bits+1
		if r.Type.IsFloat() {
			f := r.Type.Format()
			x := float64(f.FromBits(uint32(r.Bits)))
			if math.IsInf(x, 0) || math.IsNaN(x) {
				continue
			}
			at.Bits = uint64(f.Bits(f.Round(x + max(math.Abs(x)/2, 1))))
			e.add("constant", in, at, fmt.Sprintf("%g → %g", x, f.FromBits(uint32(at.Bits))))
			continue
		}
		e.add("constant", in, at, fmt.Sprintf("%d → %d", int64(r.Bits), int64(at.Bits)))
	}
}

func (e *libraryEdits) add(operator string, in *ir.Instr, edit metalrun.LibraryEdit, change string) {
	pos := metalrun.Position{File: in.Pos.File, Line: int(in.Pos.Line), Col: int(in.Pos.Col)}
	id := fmt.Sprintf("%s/%s/%s", edit.Kernel, pos, operator)
	e.ids[id]++
	before := e.kernel.InstrText(in)
	e.list = append(e.list, &Mutant{ID: fmt.Sprintf("%s/%d", id, e.ids[id]),
		Key:  fmt.Sprintf("%s %s %s: %d %s", e.unit.name, edit.Kernel, operator, edit.At, change),
		File: e.unit.name, Function: edit.Kernel, Operator: operator, Position: pos, Kernels: []string{edit.Kernel},
		Change: "«" + change + "» in " + before, Diff: "-" + before + "\n+" + change + "\n",
		unit: e.unit, edit: &edit})
}

// isLibrary reports whether the unit is a compiled library.
func (u *Unit) isLibrary() bool {
	_, ok := u.program.Library()
	return ok
}
