package exact

import (
	"slices"
	"strings"

	"metalconform/metalrun/internal/ball"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/machine"
)

// simd is communication between lanes.
func (b *BallInstr) simd() (before, after machine.Op) {
	name, width := machine.SimdName(b.In.Fn)
	t := b.C.Typ(b.In.Dst[0])
	switch name {
	case "ballot", "active_threads_mask", "all", "any", "is_first":
		return b.vote(width)
	case "sum", "product", "min", "max", "and", "or", "xor":
		if of, integer := machine.IntOf(b.In.From); integer && !of.Signed && (name == "min" || name == "max") {
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
func (b *BallInstr) integersAfter(t ir.Type) machine.Op {
	if t.IsFloat() {
		return nil
	}
	return b.exactIntegers()
}

// vote has one result for a group, which is certain if the operands of all its active lanes are.
func (b *BallInstr) vote(width int) (before, after machine.Op) {
	certain := b.certainArgs()
	return nil, b.settle(func(m *machine.Machine, l int) bool {
		lo := l / width * width
		for k := lo; k < min(lo+width, m.N); k++ {
			if m.Mask[k] != 0 && !certain(m, k) {
				return false
			}
		}
		return true
	})
}

// reducer is what a reduction makes of the balls of a group's active lanes; nil for those on
// bits.
func (b *BallInstr) reducer(name string, t ir.Type) func(of []ball.Ball) ball.Ball {
	f := narrow(t)
	read := reader(b.C, f)
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
		product := b.doubleReducer(func(of []ball.Ball) ball.Ball { return ball.Product(of, f) }, ball.Double{Hi: 1},
			ball.MulDouble)
		if f == nil || b.C.P.Options.Unanchored {
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
func (b *BallInstr) reduction(width int, f func(of []ball.Ball) ball.Ball, prefix, exclusive bool) machine.Op {
	d, x := b.Dst[0], b.Args[0]
	neutral := ball.Ball{}
	if strings.HasSuffix(b.In.Fn, "product") {
		neutral.X = 1
	}
	return func(m *machine.Machine) {
		p, row := x.row(m, BallsOf(m).scratch), writableRow(m, d.Slot)
		m.Groups(width, func(lo, hi int) {
			var room [machine.Simdgroup]ball.Ball
			of := room[:0]
			for l := lo; l < hi; l++ {
				if m.Mask[l] == 0 {
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
				if m.Mask[l] != 0 {
					row[min(l, len(row)-1)] = total
				}
			}
		})
	}
}

// permutation gives every lane the ball of the lane that it reads. What it gets of
// one that is not active is unknown.
func (b *BallInstr) permutation(name string, width int) machine.Op {
	d, x := b.Dst[0], b.Args[0]
	source, rule := machine.LanePicker(b.In, name), machine.RuleOf(name)
	var control, filling, modulo *BallOperand
	switch {
	case strings.HasPrefix(name, "shuffle_and_fill"):
		filling, control, modulo = &b.Args[1], &b.Args[2], &b.Args[3]
	case name != "broadcast_first":
		control = &b.Args[1]
	}
	return func(m *machine.Machine) {
		p, row, q := x.row(m, BallsOf(m).scratch), writableRow(m, d.Slot), []ball.Ball(nil)
		if filling != nil {
			q = filling.row(m, BallsOf(m).spare)
		}
		at := func(l int) int { return int(Number(m, control.At, ir.I32, l)) }
		m.Groups(width, func(lo, hi int) {
			var old [machine.Simdgroup]ball.Ball
			for l := lo; l < hi; l++ {
				old[l-lo] = p[min(l, len(p)-1)]
			}
			unlike := control != nil && control.At.Varying && rule.Unlike(m, lo, hi, at)
			for l := lo; l < hi; l++ {
				if m.Mask[l] == 0 {
					continue
				}
				from, span := l-lo, width
				if modulo != nil {
					if s := int(Number(m, modulo.At, ir.I32, l)); s > 0 && s <= width {
						span = s
					}
				}
				if source == nil {
					from = m.FirstIn(lo, hi) - lo
				} else {
					from = source(from, at(l), span)
				}
				k, of, at := min(l, len(row)-1), &x, l
				there := from >= 0 && from < width && lo+from < hi
				switch {
				case b.unsureLane(m, l, control, modulo):
					row[k], of = ball.Unknown(old[l-lo].X), nil
				case there && m.Gives(lo+from) && !unlike:
					row[k], at = old[from], lo+from
				case rule.Unreadable(m, from, lo, hi, width, unlike) != "":
					row[k], of = ball.Unknown(old[l-lo].X), nil
				case q != nil && (from < 0 || from >= span):
					at, of = machine.FillingLane(m, lo, l-lo, from, span), filling
					row[k] = q[min(at, len(q)-1)]
				default:
					row[k] = old[l-lo]
				}
				if BallsOf(m).Recorder != nil {
					BallsOf(m).Recorder.Moved(m, l, of, at)
				}
			}
		})
	}
}

// unsureLane reports whether another device may read from another lane.
func (b *BallInstr) unsureLane(m *machine.Machine, l int, of ...*BallOperand) bool {
	for _, o := range of {
		if o != nil && o.Has {
			if row := ReadRow(m, o.At); row[min(l, len(row)-1)].E != 0 {
				return true
			}
		}
	}
	return false
}
