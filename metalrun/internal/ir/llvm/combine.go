package llvm

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fixpoint"
)

// combine simplifies expressions until nothing is left to do.
func (f *function) combine() {
	fixpoint.Iterate(func(p *fixpoint.Pass) {
		for _, in := range f.order() {
			if _, there := f.in[in]; !there {
				continue
			}
			if f.dead(in) {
				f.erase(in)
				continue
			}
			if f.simplifyWhole(in) {
				p.Change()
			}
		}
	})
	f.sweep()
}

// simplifyWhole simplifies an operation, and what that has made, before anything that reads it is looked at.
func (f *function) simplifyWhole(in *ir.Instr) (changed bool) {
	for {
		_, there := f.in[in]
		if !there || len(in.Dst) != 1 || f.k.Regs[in.Dst[0]].Kind != ir.Temp || !f.typ(in.Dst[0]).IsFloat() ||
			f.dead(in) {
			return changed
		}
		f.made = f.made[:0]
		if !f.simplify(in) {
			return changed
		}
		changed = true
		for _, made := range slices.Clone(f.made) {
			f.simplifyWhole(made)
		}
	}
}

// as replaces what in computes by a register.
func (f *function) as(in *ir.Instr, r ir.Reg) bool {
	f.replace(in.Dst[0], r)
	return true
}

// to makes in another operation.
func (f *function) to(in *ir.Instr, op ir.Op, args ...ir.Reg) bool {
	f.become(in, op, args...)
	return true
}

// any is the operation that sets r, if it is of this kind and has the fast-math flags.
func (f *function) any(r ir.Reg, op ir.Op) *ir.Instr {
	if in := f.def[r]; in != nil && in.Op == op && allows(in, anyOrder) {
		return in
	}
	return nil
}

func (f *function) simplify(in *ir.Instr) bool {
	if !allows(in, anyOrder) {
		return false
	}
	switch in.Op {
	case ir.Neg:
		return f.simplifyNegation(in)
	case ir.Add:
		return f.simplifySum(in)
	case ir.Sub:
		return f.simplifyDifference(in)
	case ir.Mul:
		return f.simplifyProduct(in)
	case ir.Div:
		return f.simplifyQuotient(in)
	}
	return false
}

func (f *function) simplifyNegation(in *ir.Instr) bool {
	r := in.Args[0]
	if x, ok := f.value(r); ok {
		return f.as(in, f.literal(f.typ(r), -x))
	}
	if d := f.any(r, ir.Neg); d != nil {
		return f.as(in, d.Args[0])
	}
	if d := f.inner(r, ir.Sub); d != nil {
		return f.to(in, ir.Sub, d.Args[1], d.Args[0])
	}
	if d := f.inner(r, ir.Mul, ir.Div); d != nil {
		for i, a := range d.Args {
			if x, ok := f.value(a); ok {
				args := []ir.Reg{d.Args[0], d.Args[1]}
				args[i] = f.literal(f.typ(r), -x)
				return f.to(in, d.Op, args...)
			}
		}
		return f.to(in, d.Op, f.emit(in, ir.Neg, d.Args[0]), d.Args[1])
	}
	if d := f.inner(r, ir.Add); d != nil {
		for i, a := range d.Args {
			if x, ok := f.value(a); ok {
				return f.to(in, ir.Sub, f.literal(f.typ(r), -x), d.Args[1-i])
			}
		}
	}
	return false
}

// positive is r without its sign, if it is a product or quotient with a negated part.
func (f *function) positive(in *ir.Instr, r ir.Reg) (ir.Reg, bool) {
	d := f.inner(r, ir.Mul, ir.Div)
	if d == nil {
		return 0, false
	}
	for i, a := range d.Args {
		if n := f.any(a, ir.Neg); n != nil {
			args := []ir.Reg{d.Args[0], d.Args[1]}
			args[i] = n.Args[0]
			return f.emit(in, d.Op, args...), true
		}
	}
	return 0, false
}

// pairOf are the factors of two products (or the parts of two quotients) of which one is
// common: x·z and y·z.
func (f *function) pairOf(a, b ir.Reg) (op ir.Op, x, y, z ir.Reg, ok bool) {
	p, q := f.inner(a, ir.Mul, ir.Div), f.inner(b, ir.Mul, ir.Div)
	if p == nil || q == nil || p == q || p.Op != q.Op {
		return 0, 0, 0, 0, false
	}
	if p.Op == ir.Div {
		return ir.Div, p.Args[0], q.Args[0], p.Args[1], p.Args[1] == q.Args[1]
	}
	for i := range 2 {
		for j := range 2 {
			if p.Args[i] == q.Args[j] {
				return ir.Mul, p.Args[1-i], q.Args[1-j], p.Args[i], true
			}
		}
	}
	return 0, 0, 0, 0, false
}

func (f *function) simplifySum(in *ir.Instr) bool {
	for i, r := range in.Args {
		other := in.Args[1-i]
		if d := f.any(r, ir.Neg); d != nil {
			return f.to(in, ir.Sub, other, d.Args[0])
		}
		if p, ok := f.positive(in, r); ok {
			return f.to(in, ir.Sub, other, p)
		}
		if f.is(r, 0) {
			return f.as(in, other)
		}
		if d := f.any(r, ir.Sub); d != nil && d.Args[1] == other {
			return f.as(in, d.Args[0])
		}
	}
	if a, b := in.Args[0], in.Args[1]; a == b {
		return f.to(in, ir.Mul, a, f.literal(f.typ(a), 2))
	}
	if f.multiples(in, 1) {
		return true
	}
	if lerp, ok := f.lerp(in); ok {
		return lerp
	}
	if op, x, y, z, ok := f.pairOf(in.Args[0], in.Args[1]); ok {
		return f.to(in, op, f.emit(in, ir.Add, x, y), z)
	}
	return f.addends(in)
}

// multiples makes x·c ± x a product with another literal.
func (f *function) multiples(in *ir.Instr, sign float64) bool {
	for i, r := range in.Args {
		d := f.any(r, ir.Mul)
		if d == nil {
			continue
		}
		for j, a := range d.Args {
			c, ok := f.value(a)
			if !ok || d.Args[1-j] != in.Args[1-i] {
				continue
			}
			if i == 0 {
				c += sign
			} else {
				c = 1 + sign*c
			}
			return f.to(in, ir.Mul, d.Args[1-j], f.literal(f.typ(r), c))
		}
	}
	return false
}

// lerp makes x·(1 − z) + y·z of one product: x + z·(y − x).
func (f *function) lerp(in *ir.Instr) (changed, ok bool) {
	for i := range 2 {
		p, q := f.inner(in.Args[i], ir.Mul), f.inner(in.Args[1-i], ir.Mul)
		if p == nil || q == nil {
			return false, false
		}
		for a := range 2 {
			rest := f.inner(p.Args[a], ir.Sub)
			if rest == nil || !f.is(rest.Args[0], 1) {
				continue
			}
			for b := range 2 {
				if q.Args[b] == rest.Args[1] {
					x, y, z := p.Args[1-a], q.Args[1-b], q.Args[b]
					return f.to(in, ir.Add, x, f.emit(in, ir.Mul, z, f.emit(in, ir.Sub, y, x))), true
				}
			}
		}
	}
	return false, false
}

func (f *function) simplifyDifference(in *ir.Instr) bool {
	x, y := in.Args[0], in.Args[1]
	switch {
	case x == y:
		return f.as(in, f.literal(f.typ(x), 0))
	case f.is(y, 0):
		return f.as(in, x)
	case f.is(x, 0):
		return f.to(in, ir.Neg, y)
	}
	if c, ok := f.value(y); ok {
		return f.to(in, ir.Add, x, f.literal(f.typ(x), -c))
	}
	if d := f.any(y, ir.Neg); d != nil {
		return f.to(in, ir.Add, x, d.Args[0])
	}
	if d := f.any(x, ir.Add); d != nil && (d.Args[0] == y || d.Args[1] == y) {
		return f.as(in, d.Args[0]+d.Args[1]-y)
	}
	if d := f.any(x, ir.Sub); d != nil && d.Args[0] == y {
		return f.to(in, ir.Neg, d.Args[1])
	}
	if d := f.any(y, ir.Add); d != nil && (d.Args[0] == x || d.Args[1] == x) {
		return f.to(in, ir.Neg, d.Args[0]+d.Args[1]-x)
	}
	if d := f.any(y, ir.Sub); d != nil && d.Args[0] == x {
		return f.as(in, d.Args[1])
	}
	if d := f.inner(x, ir.Neg); d != nil {
		return f.to(in, ir.Neg, f.emit(in, ir.Add, d.Args[0], y))
	}
	if d := f.inner(y, ir.Sub); d != nil {
		return f.to(in, ir.Add, x, f.emit(in, ir.Sub, d.Args[1], d.Args[0]))
	}
	if p, ok := f.positive(in, y); ok {
		return f.to(in, ir.Add, x, p)
	}
	if f.multiples(in, -1) || f.gatherMinus(in) {
		return true
	}
	if op, a, b, z, ok := f.pairOf(x, y); ok {
		return f.to(in, op, f.emit(in, ir.Sub, a, b), z)
	}
	if f.addends(in) {
		return true
	}
	if d := f.inner(x, ir.Sub); d != nil { // (a − b) − c is a − (b + c)
		return f.to(in, ir.Sub, d.Args[0], f.emit(in, ir.Add, d.Args[1], y))
	}
	return false
}

// gatherMinus adds up what is subtracted: ((a − b) + z) − c is (a + z) − (b + c).
func (f *function) gatherMinus(in *ir.Instr) bool {
	x, c := in.Args[0], in.Args[1]
	sum := f.inner(x, ir.Add)
	if sum == nil {
		return false
	}
	for i, r := range sum.Args {
		if d := f.inner(r, ir.Sub); d != nil {
			return f.to(in, ir.Sub, f.emit(in, ir.Add, d.Args[0], sum.Args[1-i]), f.emit(in, ir.Add, d.Args[1], c))
		}
	}
	return false
}

func (f *function) simplifyProduct(in *ir.Instr) bool {
	t := f.typ(in.Dst[0])
	for i, r := range in.Args {
		other := in.Args[1-i]
		switch {
		case f.is(r, 1):
			return f.as(in, other)
		case f.is(r, -1):
			return f.to(in, ir.Neg, other)
		case f.is(r, 0):
			return f.as(in, f.literal(t, 0))
		}
		if c, ok := f.value(r); ok {
			if f.timesLiteral(in, other, c) {
				return true
			}
			continue
		}
		if d := f.inner(r, ir.Neg); d != nil {
			if n := f.any(other, ir.Neg); n != nil {
				return f.to(in, ir.Mul, d.Args[0], n.Args[0])
			}
		}
		if d := f.inner(r, ir.Div); d != nil {
			return f.to(in, ir.Div, f.emit(in, ir.Mul, d.Args[0], other), d.Args[1])
		}
		if d := f.inner(r, ir.Mul); d != nil {
			for j, a := range d.Args {
				if a == other && d.Args[1-j] != other && !f.isLiteral(d.Args[1-j]) {
					return f.to(in, ir.Mul, f.emit(in, ir.Mul, other, other), d.Args[1-j])
				}
			}
		}
	}
	return false
}

// timesLiteral joins c with a literal in what it multiplies.
func (f *function) timesLiteral(in *ir.Instr, r ir.Reg, c float64) bool {
	t := f.typ(r)
	format := t.Format()
	rounded := func(x float64) (ir.Reg, bool) {
		v := float64(format.Round(x))
		return f.literal(t, x), v != 0 && v == v && abs(v) >= 0x1p-126 && abs(v) < 0x1p128
	}
	d := f.def[r]
	if x, ok := f.value(r); ok {
		return f.as(in, f.literal(t, float64(x*c)))
	}
	if d == nil || !allows(d, anyOrder) {
		return false
	}
	if d.Op == ir.Mul { // whoever else reads it
		for i, a := range d.Args {
			if x, ok := f.value(a); ok {
				return f.to(in, ir.Mul, d.Args[1-i], f.literal(t, float64(x*c)))
			}
		}
	}
	if !f.once(r) {
		return false
	}
	switch d.Op {
	case ir.Neg:
		return f.to(in, ir.Mul, d.Args[0], f.literal(t, -c))
	case ir.Div:
		if x, ok := f.value(d.Args[0]); ok {
			if l, ok := rounded(float64(x * c)); ok {
				return f.to(in, ir.Div, l, d.Args[1])
			}
		}
	case ir.Add, ir.Sub:
		for i, a := range d.Args {
			if x, ok := f.value(a); ok {
				if l, ok := rounded(float64(x * c)); ok {
					product := f.emit(in, ir.Mul, d.Args[1-i], f.literal(t, c))
					args := []ir.Reg{product, product}
					args[i] = l
					return f.to(in, d.Op, args...)
				}
			}
		}
	}
	return false
}

func abs(x float64) float64 {
	if x < 0 {
		return -x
	}
	return x
}

func (f *function) simplifyQuotient(in *ir.Instr) bool {
	if !allows(in, ir.Reciprocal) {
		return false
	}
	x, y := in.Args[0], in.Args[1]
	t := f.typ(x)
	format := t.Format()
	if c, ok := f.value(y); ok {
		inverse := float64(format.Round(1 / c))
		if c != 0 && abs(c) >= 0x1p-126 && abs(inverse) >= 0x1p-126 {
			return f.to(in, ir.Mul, x, f.literal(t, inverse))
		}
	}
	if f.is(x, 0) {
		return f.as(in, f.literal(t, 0))
	}
	if d, n := f.any(x, ir.Neg), f.any(y, ir.Neg); d != nil && n != nil {
		return f.to(in, ir.Div, d.Args[0], n.Args[0])
	}
	if c, ok := f.value(x); ok {
		if d := f.any(y, ir.Mul); d != nil {
			for i, a := range d.Args {
				if v, ok := f.value(a); ok {
					return f.to(in, ir.Div, f.literal(t, float64(format.Round(c/v))), d.Args[1-i])
				}
			}
		}
		if d := f.any(y, ir.Div); d != nil {
			if v, ok := f.value(d.Args[1]); ok {
				return f.to(in, ir.Div, f.literal(t, float64(c*v)), d.Args[0])
			}
		}
	}
	if d := f.inner(x, ir.Div); d != nil && !(f.isLiteral(d.Args[1]) && f.isLiteral(y)) {
		return f.to(in, ir.Div, d.Args[0], f.emit(in, ir.Mul, d.Args[1], y))
	}
	if d := f.any(y, ir.Div); d != nil && f.is(d.Args[0], 1) {
		return f.to(in, ir.Mul, d.Args[1], x)
	}
	if d := f.inner(y, ir.Div); d != nil && !(f.isLiteral(d.Args[0]) && f.isLiteral(x)) {
		return f.to(in, ir.Div, f.emit(in, ir.Mul, d.Args[1], x), d.Args[0])
	}
	if d := f.any(x, ir.Mul); d != nil {
		for i, a := range d.Args {
			if a == y {
				return f.as(in, d.Args[1-i])
			}
		}
	}
	if d := f.any(y, ir.Mul); d != nil {
		for i, a := range d.Args {
			if a == x {
				return f.to(in, ir.Div, f.literal(t, 1), d.Args[1-i])
			}
		}
	}
	if x == y {
		return f.as(in, f.literal(t, 1))
	}
	return false
}
