package llvm

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// terms counts equal terms, lets x and −x cancel, and takes out the factor that most products
// have.
func (f *function) terms(in *ir.Instr, ops []operand) (left []operand, whole ir.Reg, done bool) {
	for i := 0; i < len(ops); i++ {
		r := ops[i].reg
		if i+1 < len(ops) && ops[i+1].reg == r {
			n := 0
			for i < len(ops) && ops[i].reg == r {
				ops = slices.Delete(ops, i, i+1)
				n++
			}
			product := f.emit(in, ir.Mul, r, f.literal(f.typ(r), float64(n)))
			f.again(f.def[product])
			if len(ops) == 0 {
				return nil, product, true
			}
			ops = slices.Insert(ops, 0, operand{product, f.rank(product)})
			i--
			continue
		}
		minus := f.def[r]
		if minus == nil || minus.Op != ir.Neg {
			continue
		}
		j := slices.IndexFunc(ops, func(o operand) bool { return o.reg == minus.Args[0] && o.rank == ops[i].rank })
		if j < 0 {
			continue
		}
		if len(ops) == 2 {
			return nil, f.literal(f.typ(r), 0), true
		}
		ops = slices.Delete(ops, max(i, j), max(i, j)+1)
		ops = slices.Delete(ops, min(i, j), min(i, j)+1)
		i = max(min(i, j)-1, -1)
	}
	factor, n := f.commonFactor(ops)
	if n < 2 {
		return ops, 0, false
	}
	return f.takeOut(in, ops, factor)
}

// commonFactor is the factor of most products among the terms, and of how many.
func (f *function) commonFactor(ops []operand) (factor ir.Reg, most int) {
	count := map[ir.Reg]int{}
	for _, o := range ops {
		in := f.inner(o.reg, ir.Mul)
		if in == nil {
			continue
		}
		met := map[ir.Reg]bool{}
		note := func(r ir.Reg) {
			if met[r] {
				return
			}
			met[r] = true
			if count[r]++; count[r] > most {
				factor, most = r, count[r]
			}
		}
		for _, r := range f.ownFactors(o.reg) {
			if met[r] {
				continue
			}
			note(r)
			if x, ok := f.value(r); ok && x < 0 {
				note(f.literal(f.typ(r), -x))
			}
		}
	}
	return factor, most
}

// ownFactors are the factors of a product that is read once, the right ones first.
func (f *function) ownFactors(r ir.Reg) []ir.Reg {
	in := f.inner(r, ir.Mul)
	if in == nil {
		return []ir.Reg{r}
	}
	return append(f.ownFactors(in.Args[1]), f.ownFactors(in.Args[0])...)
}

// takeOut makes x·a + x·b + c of terms x·(a + b) + c.
func (f *function) takeOut(in *ir.Instr, ops []operand, factor ir.Reg) (left []operand, whole ir.Reg, done bool) {
	f.users[factor] = append(f.users[factor], nil, nil) // it stays a leaf
	var rest []ir.Reg
	for i := 0; i < len(ops); i++ {
		r := ops[i].reg
		if f.inner(r, ir.Mul) == nil {
			continue
		}
		without, ok := f.without(in, r, factor)
		if !ok {
			continue
		}
		for j := len(ops) - 1; j >= i; j-- {
			if ops[j].reg == r {
				rest = append(rest, without)
				ops = slices.Delete(ops, j, j+1)
			}
		}
		i--
	}
	f.drop(factor, nil)
	f.drop(factor, nil)
	sum := rest[0]
	for _, r := range rest[1:] {
		sum = f.emit(in, ir.Add, sum, r)
	}
	f.again(f.def[sum])
	product := f.emit(in, ir.Mul, sum, factor)
	f.again(f.def[product])
	if len(ops) == 0 {
		return nil, product, true
	}
	return slices.Insert(ops, 0, operand{product, f.rank(product)}), 0, false
}

// without is a product without one of its factors.
func (f *function) without(before *ir.Instr, r, factor ir.Reg) (left ir.Reg, ok bool) {
	in := f.def[r]
	ops := f.leaves(in)
	minus := false
	at := slices.IndexFunc(ops, func(o operand) bool { return o.reg == factor })
	if x, literal := f.value(factor); at < 0 && literal {
		at = slices.IndexFunc(ops, func(o operand) bool { return f.is(o.reg, -x) })
		minus = at >= 0
	}
	if at < 0 {
		f.rewrite(in, ops)
		return 0, false
	}
	ops = slices.Delete(ops, at, at+1)
	if len(ops) == 1 {
		f.again(in)
		left = ops[0].reg
	} else {
		f.rewrite(in, ops)
		left = r
	}
	if minus {
		left = f.emit(before, ir.Neg, left)
	}
	return left, true
}

// factors makes powers of factors that occur often: of four and more, squares are shared.
func (f *function) factors(in *ir.Instr, ops []operand) (left []operand, whole ir.Reg, done bool) {
	if len(ops) < 4 {
		return ops, 0, false
	}
	repeated := 0
	for i := 0; i < len(ops); {
		n := run(ops, i)
		if n > 1 {
			repeated += n
		}
		i += n
	}
	if repeated < 4 {
		return ops, 0, false
	}
	var powers []power
	for i := 0; i < len(ops); {
		n := run(ops, i)
		if even := n &^ 1; even > 0 {
			powers = append(powers, power{ops[i].reg, even})
			ops = slices.Delete(ops, i, i+even)
			n -= even
		}
		i += n
	}
	slices.SortStableFunc(powers, func(a, b power) int { return b.n - a.n })
	product := f.minimal(in, powers)
	if len(ops) == 0 {
		return nil, product, true
	}
	o := operand{product, f.rank(product)}
	at := slices.IndexFunc(ops, func(x operand) bool { return x.rank <= o.rank })
	if at < 0 {
		at = len(ops)
	}
	return slices.Insert(ops, at, o), 0, false
}

// run is how many operands from i on are the same.
func run(ops []operand, i int) int {
	n := 1
	for i+n < len(ops) && ops[i+n].reg == ops[i].reg {
		n++
	}
	return n
}

// power is a factor that occurs so often.
type power struct {
	base ir.Reg
	n    int
}

// minimal is the product of powers, the highest first, by repeated squares.
func (f *function) minimal(in *ir.Instr, powers []power) ir.Reg {
	var joined []power
	for _, p := range powers {
		if p.n == 0 {
			continue
		}
		if n := len(joined); n > 0 && joined[n-1].n == p.n {
			joined[n-1].base = f.emit(in, ir.Mul, p.base, joined[n-1].base)
			f.again(f.def[joined[n-1].base])
			continue
		}
		joined = append(joined, p)
	}
	var outer []ir.Reg
	for i := range joined {
		if joined[i].n&1 != 0 {
			outer = append(outer, joined[i].base)
		}
		joined[i].n >>= 1
	}
	if joined[0].n > 0 {
		root := f.minimal(in, joined)
		outer = append(outer, root, root)
	}
	product := outer[len(outer)-1]
	for _, r := range slices.Backward(outer[:len(outer)-1]) {
		product = f.emit(in, ir.Mul, product, r)
	}
	return product
}
