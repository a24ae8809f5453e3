package fastmath

import (
	"fmt"
	"math"
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/syntax"
)

// finite are the flags that assume that every number is finite.
const finite = ir.NoNaNs | ir.NoInfs

// Guard says what becomes of the results of an operation that its fast-math flags leave unspecified,
// because it meets a NaN or an infinity.
type Guard struct {
	Note    bool   // the caller's operation follows, with the condition and the values
	Replace bool   // by Value
	Value   uint32 // as bits of a float; as a bool, whether it is not 0
	Open    bool   // the caller's operation replaces them, from the condition and the value
}

// GuardFinite puts guards next to the operations of k that may be the first to meet a NaN or an
// infinity that their fast-math flags take for impossible, as at says, which is asked once for
// each. k has the form of [ir.Values] and changes. hit is an operation of the caller, which notes or replaces values:
// the first operand says whether some value is a NaN or an infinity.
//
// Sums, differences, products and negations hand on what they meet, so that only those
// are guarded that an infinite literal may reach; what the others make is looked for where
// it is read: by a comparison, a selection, a function, a conversion or a store.
func GuardFinite(k *ir.Kernel, hit ir.Op, at func(in *ir.Instr) Guard) {
	g := &guarder{k: k, hit: hit, at: at, origin: make([]origin, len(k.Regs)), source: map[ir.Reg]syntax.Pos{}}
	fixpoint.Iterate(g.trace)
	k.Body = g.list(k.Body)
}

// AssumesFinite reports whether an operation of a kernel takes NaN or infinity for
// impossible.
func AssumesFinite(k *ir.Kernel) bool {
	for in := range ir.Instrs(k.Body...) {
		if in.Allow&finite != 0 {
			return true
		}
	}
	return false
}

// origin says where a NaN or an infinity in a register may come from that no guard has met.
type origin uint8

const (
	nowhere origin = iota
	memory
	arithmetic // with fast-math flags
	infinite   // literal
)

type guarder struct {
	k      *ir.Kernel
	hit    ir.Op
	at     func(in *ir.Instr) Guard
	origin []origin              // per register that instructions set
	source map[ir.Reg]syntax.Pos // of an infinite literal that it may hold
	out    []ir.Node
}

// of is the origin of what a register holds.
func (g *guarder) of(r ir.Reg) origin {
	info := &g.k.Regs[r]
	switch {
	case !info.Type.IsFloat():
		return nowhere
	case info.Kind != ir.Literal:
		return g.origin[r]
	}
	if x := float64(info.Type.Format().FromBits(uint32(info.Bits))); math.IsInf(x, 0) || x != x {
		return infinite
	}
	return nowhere
}

// trace is one pass over instructions that finds origins. An origin only rises.
func (g *guarder) trace(p *fixpoint.Pass) {
	for in := range ir.Instrs(g.k.Body...) {
		o := g.made(in)
		for _, d := range in.Dst {
			if g.k.Regs[d].Type.IsFloat() && o > g.origin[d] {
				fixpoint.Move(p, &g.origin[d], o)
				if o == infinite {
					g.source[d] = g.sourceOf(in)
				}
			}
		}
	}
}

// sourceOf is the position of an infinite literal that an instruction reads.
func (g *guarder) sourceOf(in *ir.Instr) syntax.Pos {
	for _, a := range in.Args {
		if g.of(a) == infinite && g.k.Regs[a].Kind != ir.Literal {
			return g.source[a]
		}
	}
	return in.Pos
}

// made is the origin of the results of an instruction.
func (g *guarder) made(in *ir.Instr) origin {
	most := nowhere
	for _, a := range in.Args {
		most = max(most, g.of(a))
	}
	switch {
	case in.Op == ir.Load || in.Op == ir.Atomic || in.Op == ir.Bitcast:
		return memory
	case in.Op == ir.Poison:
		return nowhere
	case in.Allow&finite == 0:
		if in.Op == ir.Convert && in.To != ir.R32 { // may overflow
			return max(most, memory)
		}
		return most
	case g.propagates(in) && most < infinite:
		return arithmetic
	case moves(in), in.Op == ir.Select && most < infinite:
		return most
	}
	return nowhere // its guard has met it
}

// propagates reports whether what an operation makes of NaN or infinity is that again.
func (g *guarder) propagates(in *ir.Instr) bool {
	switch in.Op {
	case ir.Add, ir.Sub, ir.Mul, ir.Neg, ir.FMA, ir.MatMul:
		return true
	case ir.Simd:
		return in.Freedom() == ir.SumOrder
	case ir.Math:
		return slices.Contains([]string{"abs", "floor", "ceil", "trunc", "rint", "round", "sqrt"}, in.Fn)
	}
	return false
}

// moves reports whether an operation gives a value to other threads, and does not compute.
func moves(in *ir.Instr) bool {
	return in.Op == ir.Simd && (in.Freedom() == ir.InactiveLane || in.Simd().Name == "broadcast_first")
}

// guards are the operands and the results of an instruction whose NaNs and infinities
// leave it unspecified and have not been met before.
func (g *guarder) guards(in *ir.Instr) (args, results []ir.Reg) {
	least := memory
	switch {
	case in.Op == ir.Store, in.Op == ir.Convert && !in.To.Type().IsFloat(), in.Op == ir.Bitcast, in.Op == ir.Atomic:
		least = arithmetic
	case in.Allow&finite == 0 || moves(in):
		return nil, nil
	case in.Op == ir.Select: // what it does not select does not matter
		if max(g.of(in.Args[1]), g.of(in.Args[2])) == infinite {
			results = in.Dst
		}
		return nil, results
	case g.propagates(in):
		least = infinite
	case in.Op == ir.Div || in.Op == ir.Math && overflows(in.Fn):
		results = in.Dst
	}
	for _, a := range in.Args {
		if o := g.of(a); o >= least && !(least == arithmetic && o != arithmetic) && !slices.Contains(args, a) {
			args = append(args, a)
		}
	}
	return args, slices.DeleteFunc(slices.Clone(results), func(d ir.Reg) bool { return !g.k.Regs[d].Type.IsFloat() })
}

// overflows reports whether a function of finite numbers may be infinite or NaN.
func overflows(name string) bool {
	f := scalar.Float(name)
	return f != nil && f.Value() != nil &&
		!slices.Contains([]string{"sin", "cos", "sinpi", "cospi", "atan", "tanh"}, name)
}

func (g *guarder) list(nodes []ir.Node) []ir.Node {
	outer := g.out
	g.out = make([]ir.Node, 0, len(nodes))
	for _, n := range nodes {
		if in, ok := n.(*ir.Instr); ok {
			g.instr(in)
			continue
		}
		for _, part := range ir.Parts(n) {
			*part = g.list(*part)
		}
		g.out = append(g.out, n)
	}
	out := g.out
	g.out = outer
	return out
}

// instr puts guards next to an instruction.
func (g *guarder) instr(in *ir.Instr) {
	args, results := g.guards(in)
	guard := Guard{}
	if len(args)+len(results) > 0 {
		guard = g.at(in)
	}
	if guard == (Guard{}) {
		g.out = append(g.out, in)
		return
	}
	need := in.Allow & finite
	if need == 0 {
		need = finite // of what made the value
	}
	if len(in.Dst) == 0 || in.Allow&finite == 0 {
		g.operands(in, args, need, guard)
		return
	}
	dst := slices.Clone(in.Dst)
	if guard.replaces() {
		for i, d := range dst {
			in.Dst[i] = g.k.Temporary(g.k.Regs[d].Type)
			if at := slices.Index(results, d); at >= 0 {
				results[at] = in.Dst[i]
			}
		}
	}
	g.out = append(g.out, in)
	bad := g.note(in, append(args, results...), need, guard)
	for i, d := range dst {
		if guard.replaces() {
			g.replace(in, d, bad, in.Dst[i], guard)
		}
	}
}

// replaces reports whether values are replaced.
func (g Guard) replaces() bool { return g.Replace || g.Open }

// replace sets d to x, or where it is bad to what stands in for it.
func (g *guarder) replace(in *ir.Instr, d, bad, x ir.Reg, guard Guard) {
	t := g.k.Regs[d].Type
	switch {
	case !guard.Open:
		g.out = append(g.out, &ir.Instr{Op: ir.Select, Pos: in.Pos, Dst: []ir.Reg{d},
			Args: []ir.Reg{bad, g.literal(t, guard.Value), x}})
		return
	case guard.Replace:
		x = g.emit(in, ir.Select, t, bad, g.literal(t, guard.Value), x)
	}
	g.out = append(g.out, &ir.Instr{Op: g.hit, Pos: in.Pos, Dst: []ir.Reg{d}, Args: []ir.Reg{bad, x}})
}

// operands guards what an instruction reads that has no fast-math flags itself.
func (g *guarder) operands(in *ir.Instr, args []ir.Reg, need ir.FastMathFlags, guard Guard) {
	for _, a := range args {
		bad := g.note(in, []ir.Reg{a}, need, guard)
		if !guard.replaces() {
			continue
		}
		v := g.k.Temporary(g.k.Regs[a].Type)
		g.replace(in, v, bad, a, guard)
		for i, r := range in.Args {
			if r == a {
				in.Args[i] = v
			}
		}
	}
	g.out = append(g.out, in)
}

// note computes whether one of the registers holds what must not be, and puts a note
// if one is wanted.
func (g *guarder) note(in *ir.Instr, list []ir.Reg, need ir.FastMathFlags, guard Guard) (bad ir.Reg) {
	for i, r := range list {
		if b := g.test(in, r, need); i == 0 {
			bad = b
		} else {
			bad = g.emit(in, ir.Or, ir.Bool, bad, b)
		}
	}
	if guard.Note {
		g.out = append(g.out,
			&ir.Instr{Op: g.hit, Pos: in.Pos, Fn: g.operation(in, list), Args: append([]ir.Reg{bad}, list...)})
	}
	return bad
}

// test computes whether x is a NaN or an infinity, as the fast-math flags have it.
func (g *guarder) test(in *ir.Instr, x ir.Reg, need ir.FastMathFlags) ir.Reg {
	t := g.k.Regs[x].Type
	switch need {
	case ir.NoNaNs:
		return g.emit(in, ir.Ne, ir.Bool, x, x)
	case ir.NoInfs:
		size := g.emit(in, ir.Math, t, x)
		g.out[len(g.out)-1].(*ir.Instr).Fn = "abs"
		return g.emit(in, ir.Eq, ir.Bool, size, g.literal(t, math.Float32bits(float32(math.Inf(1)))))
	}
	return g.emit(in, ir.Ne, ir.Bool, g.emit(in, ir.Sub, t, x, x), g.literal(t, 0))
}

// emit computes an operation next to an instruction.
func (g *guarder) emit(in *ir.Instr, op ir.Op, t ir.Type, args ...ir.Reg) ir.Reg {
	d := g.k.Temporary(t)
	g.out = append(g.out, &ir.Instr{Op: op, Pos: in.Pos, Dst: []ir.Reg{d}, Args: args})
	return d
}

// literal is a value that stands in for another: the float of these bits, rounded, or whether
// they are not 0.
func (g *guarder) literal(t ir.Type, bits uint32) ir.Reg {
	info := ir.RegInfo{Kind: ir.Literal, Type: t, Bits: uint64(t.Format().Bits(math.Float32frombits(bits)))}
	switch {
	case t == ir.Bool && bits != 0:
		info.Bits = 1
	case !t.IsFloat():
		info.Bits = 0
	}
	g.k.Regs = append(g.k.Regs, info)
	return ir.Reg(len(g.k.Regs) - 1)
}

// operation names an instruction as its author might, and where an infinite literal among
// its operands is written, if that is elsewhere.
func (g *guarder) operation(in *ir.Instr, list []ir.Reg) string {
	name := names[in.Op]
	if name == "" {
		name = in.Fn
	}
	for _, r := range list {
		if pos, ok := g.source[r]; ok && g.of(r) == infinite && pos.Line != in.Pos.Line {
			name += fmt.Sprintf(" (it comes from %s)", pos)
		}
	}
	return name
}

// names of operations; that of a function is its own.
var names = map[ir.Op]string{
	ir.Add: "a sum", ir.Sub: "a difference", ir.Neg: "a negation", ir.Mul: "a product", ir.FMA: "a product",
	ir.Div: "a quotient", ir.MatMul: "a matrix product",
	ir.Eq: "a comparison", ir.Ne: "a comparison", ir.FLt: "a comparison", ir.FLe: "a comparison",
	ir.Select: "a selection",
	ir.Store:  "a store", ir.Atomic: "a store", ir.Convert: "a conversion", ir.Bitcast: "a conversion",
}
