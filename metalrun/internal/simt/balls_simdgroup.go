package simt

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
)

// simd is communication between lanes.
func (b *ballInstr) simd() (before, after op) {
	name, width := simdName(b.in.Fn)
	t := b.c.typ(b.in.Dst[0])
	switch name {
	case "ballot", "active_threads_mask", "all", "any", "is_first":
		return b.vote(width)
	case "sum", "product", "min", "max", "and", "or", "xor":
		if of, integer := intOf(b.in.From); integer && !of.Signed && (name == "min" || name == "max") {
			return b.vote(width)
		}
		if f := b.reducer(name, t); f != nil {
			return b.reduction(width, f, false, false), b.integersAfter(t)
		}
		return b.vote(width)
	case "prefix_inclusive_sum", "prefix_exclusive_sum", "prefix_inclusive_product", "prefix_exclusive_product":
		if f := b.reducer(name[strings.LastIndexByte(name, '_')+1:], t); f != nil {
			return b.reduction(width, f, true, strings.Contains(name, "exclusive")), b.integersAfter(t)
		}
		return b.vote(width)
	}
	return b.permutation(name, width), nil
}

// integersAfter gives integers their values.
func (b *ballInstr) integersAfter(t ir.Type) op {
	if t.IsFloat() {
		return nil
	}
	return b.exactIntegers()
}

// vote has one result for a group, which is certain if the operands of all its active lanes are.
func (b *ballInstr) vote(width int) (before, after op) {
	certain := b.certainArgs()
	return nil, b.settle(func(m *machine, l int) bool {
		lo := l / width * width
		for k := lo; k < min(lo+width, m.n); k++ {
			if m.mask[k] != 0 && !certain(m, k) {
				return false
			}
		}
		return true
	})
}

// reducer is what a reduction makes of the balls of a group's active lanes; nil for those on
// bits.
func (b *ballInstr) reducer(name string, t ir.Type) func(of []ball.Ball) ball.Ball {
	f := narrow(t)
	read := b.c.reader(f)
	fold := func(g func(x, y ball.Ball) ball.Ball) func(of []ball.Ball) ball.Ball {
		return func(of []ball.Ball) ball.Ball {
			acc := read(of[0])
			for _, x := range of[1:] {
				acc = g(acc, read(x))
			}
			return acc
		}
	}
	switch {
	case name == "min":
		return fold(ball.Min)
	case name == "max":
		return fold(ball.Max)
	case name == "sum" && t.IsFloat():
		return b.doubleReducer(func(of []ball.Ball) ball.Ball {
			sum := ball.NewSum()
			for _, x := range of {
				sum.Add(read(x))
			}
			return sum.In(f)
		}, ball.Double{}, ball.AddDouble)
	case name == "product" && t.IsFloat():
		product := b.doubleReducer(func(of []ball.Ball) ball.Ball { return ball.Product(of, f) }, ball.Double{Hi: 1}, ball.MulDouble)
		if f == nil || b.c.p.options.Unanchored {
			return product
		}
		return func(of []ball.Ball) ball.Ball {
			of = slices.Clone(of)
			for i, x := range of {
				of[i] = f.Anchored(x)
			}
			return product(of)
		}
	case name == "sum":
		return fold(integerBalls(ir.Add))
	case name == "product":
		return fold(integerBalls(ir.Mul))
	}
	return nil
}

// reduction gives every lane of a group the result of all active ones, or of those before it.
func (b *ballInstr) reduction(width int, f func(of []ball.Ball) ball.Ball, prefix, exclusive bool) op {
	d, x := b.dst[0], b.args[0]
	neutral := ball.Ball{}
	if strings.HasSuffix(b.in.Fn, "product") {
		neutral.X = 1
	}
	return func(m *machine) {
		p, row := x.row(m, ballsOf(m).scratch), m.row(d.slot)
		m.groups(width, func(lo, hi int) {
			var room [Simdgroup]ball.Ball
			of := room[:0]
			for l := lo; l < hi; l++ {
				if m.mask[l] == 0 {
					continue
				}
				if own := p[min(l, len(p)-1)]; !prefix {
					of = append(of, own)
				} else {
					if !exclusive {
						of = append(of, own)
					}
					row[l] = neutral
					if len(of) > 0 {
						row[l] = f(of)
					}
					if exclusive {
						of = append(of, own)
					}
				}
			}
			if prefix || len(of) == 0 {
				return
			}
			total := f(of)
			for l := lo; l < hi; l++ {
				if m.mask[l] != 0 {
					row[min(l, len(row)-1)] = total
				}
			}
		})
	}
}

// permutation gives every lane the ball of the lane that it reads. What it gets of
// one that is not active is unknown.
func (b *ballInstr) permutation(name string, width int) op {
	d, x := b.dst[0], b.args[0]
	source, rule := lanePicker(b.in, name), ruleOf(name)
	var control, filling, modulo *ballOperand
	switch {
	case strings.HasPrefix(name, "shuffle_and_fill"):
		filling, control, modulo = &b.args[1], &b.args[2], &b.args[3]
	case name != "broadcast_first":
		control = &b.args[1]
	}
	return func(m *machine) {
		p, row, q := x.row(m, ballsOf(m).scratch), m.row(d.slot), []ball.Ball(nil)
		if filling != nil {
			q = filling.row(m, ballsOf(m).spare)
		}
		at := func(l int) int { return int(m.number(control.at, ir.I32, l)) }
		m.groups(width, func(lo, hi int) {
			var old [Simdgroup]ball.Ball
			for l := lo; l < hi; l++ {
				old[l-lo] = p[min(l, len(p)-1)]
			}
			unlike := control != nil && control.at.varying && rule.unlike(m, lo, hi, at)
			for l := lo; l < hi; l++ {
				if m.mask[l] == 0 {
					continue
				}
				from, span := l-lo, width
				if modulo != nil {
					if s := int(m.number(modulo.at, ir.I32, l)); s > 0 && s <= width {
						span = s
					}
				}
				if source == nil {
					from = m.firstIn(lo, hi) - lo
				} else {
					from = source(from, at(l), span)
				}
				k, of, at := min(l, len(row)-1), &x, l
				there := from >= 0 && from < width && lo+from < hi
				switch {
				case b.unsureLane(m, l, control, modulo):
					row[k], of = ball.Unknown(old[l-lo].X), nil
				case there && m.gives(lo+from) && !unlike:
					row[k], at = old[from], lo+from
				case rule.unreadable(m, from, lo, hi, width, unlike) != "":
					row[k], of = ball.Unknown(old[l-lo].X), nil
				case q != nil && (from < 0 || from >= span):
					at, of = fillingLane(m, lo, l-lo, from, span), filling
					row[k] = q[min(at, len(q)-1)]
				default:
					row[k] = old[l-lo]
				}
				if ballsOf(m).recorder != nil {
					ballsOf(m).recorder.Moved(m, l, of, at)
				}
			}
		})
	}
}

// unsureLane reports whether another device may read from another lane.
func (b *ballInstr) unsureLane(m *machine, l int, of ...*ballOperand) bool {
	for _, o := range of {
		if o != nil && o.has {
			if row := m.look(o.at); row[min(l, len(row)-1)].E != 0 {
				return true
			}
		}
	}
	return false
}
