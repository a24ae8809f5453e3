package llvm

import (
	"slices"

	"metalconform/metalrun/internal/ir"
)

// addend is a coefficient times a value, or alone.
type addend struct {
	coefficient float64
	of          ir.Reg // None: 1
}

// addends adds up multiples of one value in a sum or difference and in what that adds up, if no more operations are
// left than are saved: 2·x + (y − x) is x + y. LLVM calls it FAddCombine.
func (f *function) addends(in *ir.Instr) bool {
	own := f.split(in)
	if len(own) == 0 {
		return false
	}
	first := f.drill(own[0])
	var second []addend
	if len(own) == 2 {
		second = f.drill(own[1])
	}
	if len(first) > 0 && len(second) > 0 {
		all := []addend{first[0], second[0]}
		quota := 1
		if f.mayGo(in.Args[0]) && f.mayGo(in.Args[1]) {
			quota = 2
		}
		if f.gather(in, append(append(all, first[1:]...), second[1:]...), quota) {
			return true
		}
	}
	if len(own) != 2 {
		return false
	}
	return len(second) > 0 && f.gather(in, append([]addend{own[0]}, second...), 1) ||
		len(first) > 0 && f.gather(in, append([]addend{own[1]}, first...), 1)
}

// mayGo reports whether only one reads what r is, and it is no literal.
func (f *function) mayGo(r ir.Reg) bool { return !f.isLiteral(r) && f.once(r) }

// split is what an operation adds up: one or two addends, none if it does not add or multiply by a literal.
func (f *function) split(in *ir.Instr) []addend {
	if in == nil || len(in.Args) != 2 {
		return nil
	}
	switch in.Op {
	case ir.Add, ir.Sub:
		var list []addend
		for i, r := range in.Args {
			a := addend{1, r}
			if x, ok := f.value(r); ok {
				a = addend{x, ir.None}
			}
			if i == 1 && in.Op == ir.Sub {
				a.coefficient = -a.coefficient
			}
			if a.coefficient != 0 {
				list = append(list, a)
			}
		}
		return list
	case ir.Mul:
		for i, r := range in.Args {
			if x, ok := f.value(r); ok {
				return []addend{{x, in.Args[1-i]}}
			}
		}
	}
	return nil
}

// drill is what an addend consists of.
func (f *function) drill(a addend) []addend {
	if a.of == ir.None {
		return nil
	}
	in := f.def[a.of]
	if in == nil || !allows(in, anyOrder) || !f.typ(a.of).IsFloat() {
		return nil
	}
	list := f.split(in)
	format := f.typ(a.of).Format()
	for i := range list {
		list[i].coefficient = float64(format.Round(float64(list[i].coefficient * a.coefficient)))
	}
	return list
}

// gather makes in the sum of addends, if it saves operations.
func (f *function) gather(in *ir.Instr, list []addend, quota int) bool {
	t := f.typ(in.Dst[0])
	format := t.Format()
	n := len(list)
	var left []addend
	for i := 0; i < len(list); i++ {
		a := list[i]
		same := false
		for j := i + 1; j < len(list); j++ {
			if list[j].of == a.of {
				a.coefficient, same = float64(format.Round(a.coefficient+list[j].coefficient)), true
				list = slices.Delete(list, j, j+1)
				j--
			}
		}
		if !same || a.coefficient != 0 {
			left = append(left, a)
		}
	}
	if len(left) == n {
		return false
	}
	needed := len(left) - 1
	for _, a := range left {
		if a.of != ir.None && abs(a.coefficient) != 1 {
			needed++
		}
	}
	switch {
	case needed > quota:
		return false
	case len(left) == 0:
		return f.as(in, f.literal(t, 0))
	}
	sum, minus := f.addend(in, left[0])
	for _, a := range left[1:] {
		r, negative := f.addend(in, a)
		switch {
		case minus == negative:
			sum = f.emit(in, ir.Add, sum, r)
		case minus:
			sum, minus = f.emit(in, ir.Sub, r, sum), false
		default:
			sum = f.emit(in, ir.Sub, sum, r)
		}
	}
	if minus {
		return f.to(in, ir.Neg, sum)
	}
	return f.as(in, sum)
}

// addend computes an addend, but for its sign.
func (f *function) addend(in *ir.Instr, a addend) (r ir.Reg, minus bool) {
	switch t := f.typ(in.Dst[0]); {
	case a.of == ir.None:
		return f.literal(t, a.coefficient), false
	case abs(a.coefficient) == 1:
		return a.of, a.coefficient < 0
	case abs(a.coefficient) == 2:
		return f.emit(in, ir.Add, a.of, a.of), a.coefficient < 0
	default:
		return f.emit(in, ir.Mul, a.of, f.literal(t, a.coefficient)), false
	}
}
