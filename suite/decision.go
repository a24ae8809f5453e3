package suite

import (
	"math"
	"math/rand/v2"
	"slices"
)

// A definition that decides, by a comparison, a rounding to an integer, an order, is constant almost everywhere: a
// kernel that decides otherwise only near the limit, by < for <= or by a limit that is 1 % off, agrees with it at
// nearly all inputs. So some families lead there. Between two draws of the inputs, A at t = 0 and B at t = 1, the
// definition is asked on the line that joins them, and halves of it are taken in which results change most: where they
// are continuous, the change is halved as well, and where they jump it stays. What is left are two neighbours with a
// jump between them, and the inputs are put beside it, on either side, at several distances: nobody but the definition
// knows where it decides, and what rounding may decide is open, as ever.
//
// Results of which each depends on a part of the inputs, rows or elements, have lines of their own, all of which one
// question to the definition takes a step on.

// distances are how far from a jump inputs are put, as parts of the line.
var distances = []float64{0, 0, 0x1p-20, 0x1p-16, 0x1p-12, 0x1p-8}

// lines are the lines of a case.
type lines struct {
	t       *CaseRun
	r       *rand.Rand
	moved   []*movedBuffer
	outputs []string
	scales  []float64 // of the outputs
	plain   bool      // the definition bounds no errors
	groups  int       // parts of the outputs that depend on parts of the inputs
	work    int64     // that the definition has taken so far
}

// movedBuffer is an input on its way from one draw to another.
type movedBuffer struct {
	*buffer
	from, to []float64
	fixed    bool  // it is no part of the groups
	signed   bool  // it has numbers of both signs
	ordered  bool  // they ascend, which a kernel may count on
	one      []int // by group, the element of it that moves; -1: none; nil: all
}

// toDecisions leads the inputs there, if the family does.
func (t *CaseRun) toDecisions() {
	if t.Input.approach == unmoved {
		return
	}
	l := &lines{t: t, r: Generator(t.Drawn(), "decisions", t.seed)}
	for i, b := range t.buffers {
		if b == nil || b.arg.Role == RoleOut {
			continue
		}
		if _, float := b.arg.Type.Format(); !float {
			continue
		}
		other := t.Case
		other.inputs = t.Drawn() + ":other"
		if end, err := newBuffer(other, t.Kernel.Args[i], t.seed); err == nil {
			m := &movedBuffer{buffer: b, from: b.values(), to: end.values()}
			m.signed = len(m.from) > 0 && slices.Min(m.from) < 0 && slices.Max(m.from) > 0
			m.ordered = len(m.from) > 2 && slices.IsSorted(m.from)
			if continuous(slices.Concat(m.from, m.to)) {
				l.moved = append(l.moved, m)
			}
		}
	}
	defer func() {
		mistake := recover()
		if _, ok := mistake.(Mistake); ok { // of inputs in between the definition makes no sense
			for _, b := range l.moved {
				b.put(b.from)
			}
		} else if mistake != nil {
			panic(mistake)
		}
		for _, b := range l.moved {
			b.remember()
		}
	}()
	if len(l.moved) > 0 && l.divide() {
		drawn := make([][]float64, len(l.moved))
		for i, b := range l.moved {
			drawn[i] = b.from
		}
		l.lead(t.Input.approach)
		for i, b := range l.moved {
			b.part(drawn[i], l.groups)
		}
		t.near = l.beside()
	}
}

// continuous reports whether numbers are finite and as good as all different: of a buffer that has few, or integers,
// what lies between them is none that a host gives.
func continuous(numbers []float64) bool {
	all := slices.Sorted(slices.Values(numbers))
	whole := !slices.ContainsFunc(all, func(x float64) bool { return math.Trunc(x) != x })
	finite := !slices.ContainsFunc(all, func(x float64) bool { return !isFinite(x) })
	return finite && !whole && 4*len(slices.Compact(all)) >= len(numbers)
}

// put sets all elements.
func (b *buffer) put(values []float64) {
	p := b.payload()[:0]
	for _, x := range values {
		p = b.arg.Type.append(p, x)
	}
}

// answered are the results of the outputs.
type answered [][]float64

// ask asks the definition about what the buffers hold.
func (l *lines) ask() answered {
	answers := l.passing()
	l.plain = true
	list := make(answered, len(l.outputs))
	for i, name := range l.outputs {
		list[i] = slices.Clone(answers[name].Want)
		l.plain = l.plain && answers[name].Plain
	}
	return list
}

// passing are the definition's answers to what nobody asks again.
func (l *lines) passing() Answers {
	p := l.t.problem()
	p.Passing = true
	defer func() { l.work += p.Work }()
	return l.t.Kernel.Oracle(p)
}

// exhausted reports whether the questions so far have taken what all of them may.
func (l *lines) exhausted() bool { return l.work > mostAsked }

// divide finds the groups: as fine as the leading extents that outputs and inputs have in common, if moving one group
// changes the results of no other.
func (l *lines) divide() bool {
	for _, b := range l.t.buffers {
		if b != nil && b.arg.Writable() {
			l.outputs = append(l.outputs, b.arg.Name)
		}
	}
	l.groups = 1
	before := l.ask()
	if !l.plain || l.exhausted() {
		return false
	}
	l.at([]float64{1})
	after := l.ask()
	for _, b := range l.moved {
		b.put(b.vanishing())
	}
	none := l.ask()
	for i, of := range before {
		l.scales = append(l.scales, l.scale(l.outputs[i], slices.Concat(of, after[i], none[i])))
	}
	if l.change(before, after, 0)+l.change(before, none, 0) == 0 {
		l.at([]float64{0})
		return false
	}
	for depth := l.depth(); depth > 0 && !l.exhausted(); depth-- {
		if l.group(depth) && l.apart(before) {
			return true
		}
	}
	l.group(0)
	return true
}

// scale is what counts as 1 of an output: the largest result, and of integers no more than 1.
func (l *lines) scale(output string, values []float64) float64 {
	scale := 0.0
	for _, x := range values {
		if isFinite(x) {
			scale = math.Max(scale, math.Abs(x))
		}
	}
	a, _ := l.t.Kernel.Args.Find(output)
	if _, float := a.Type.Format(); !float || scale == 0 {
		return 1
	}
	return scale
}

// depth is how many leading extents all outputs have in common.
func (l *lines) depth() int {
	first, _ := l.t.Kernel.Args.Find(l.outputs[0])
	depth := len(first.Extents)
	for _, name := range l.outputs[1:] {
		a, _ := l.t.Kernel.Args.Find(name)
		depth = min(depth, l.common(first, a))
	}
	return depth
}

// common is how many leading extents two arguments have in common.
func (l *lines) common(a, b Arg) int {
	n := 0
	for n < min(len(a.Extents), len(b.Extents)) && a.Extents[n].Size(l.t.Shape) == b.Extents[n].Size(l.t.Shape) {
		n++
	}
	return n
}

// group makes groups of so many extents, false if no input has them.
func (l *lines) group(depth int) bool {
	first, _ := l.t.Kernel.Args.Find(l.outputs[0])
	l.groups = Product(first.Extents[:depth]...)(l.t.Shape)
	any := false
	for _, b := range l.moved {
		b.fixed = l.common(first, b.arg) < depth
		any = any || !b.fixed
	}
	return any && l.groups > 0
}

// apart reports whether moving a group changes no other's results, as far as two of them show.
func (l *lines) apart(before answered) bool {
	for range 2 {
		moved, at := l.r.IntN(l.groups), make([]float64, l.groups)
		at[moved] = 1
		l.at(at)
		after := l.ask()
		for g := range l.groups {
			if g != moved && l.change(before, after, g) > 0 {
				return false
			}
		}
	}
	return true
}

// at puts the elements of each group that move where it stands on its line.
func (l *lines) at(t []float64) {
	for _, b := range l.moved {
		values := slices.Clone(b.from)
		per := len(values) / l.groups
		for g := range t {
			for i := range per {
				if b.fixed || b.one != nil && b.one[g] != i {
					continue
				}
				if i += g * per; t[g] == 1 {
					values[i] = b.to[i]
				} else if t[g] > 0 {
					values[i] += float64(t[g] * (b.to[i] - b.from[i]))
				}
			}
		}
		b.put(values)
	}
}

// change is how much the results of a group differ, as a part of the largest.
func (l *lines) change(x, y answered, group int) float64 {
	sum := 0.0
	for o := range x {
		per := len(x[o]) / l.groups
		for i := group * per; i < (group+1)*per; i++ {
			switch off := math.Abs(x[o][i] - y[o][i]); {
			case off == 0 || x[o][i] != x[o][i] && y[o][i] != y[o][i]:
			case isFinite(off): // others are beyond what is looked for
				sum += off / l.scales[o]
			}
		}
	}
	return sum
}

// lead takes the lines, and leaves the inputs beside the jumps.
func (l *lines) lead(by approach) {
	if by == allAtOnce {
		l.vanish()
		l.bisect()
		return
	}
	for range min(mostLines, max(leastLines, questions/bisections/max(l.t.Kernel.elements(l.t.Shape), 1))) {
		if l.exhausted() {
			break
		}
		l.choose()
		l.bisect()
		for _, b := range l.moved {
			b.from = b.values()
		}
	}
}

// vanish has some lines end near zero.
func (l *lines) vanish() {
	chosen := make([]bool, l.groups)
	for g := range chosen {
		chosen[g] = l.r.IntN(toZero) == 0
	}
	for _, b := range l.moved {
		near, per := b.vanishing(), len(b.to)/l.groups
		for g := range chosen {
			if chosen[g] && !b.fixed {
				copy(b.to[g*per:(g+1)*per], near[g*per:])
			}
		}
	}
}

// vanishing are numbers near zero on a line that leads there, and those at its end where the buffer has numbers of one
// sign.
func (b *movedBuffer) vanishing() []float64 {
	if !b.signed {
		return b.to
	}
	values := slices.Clone(b.from)
	for i := range values {
		values[i] *= nearZero
	}
	return values
}

// asides are by how much inputs are moved for what rounding may decide: as much as one rounding, or the sum of many,
// may come to.
var asides = []float64{0x1p-22, 0x1p-18, 0x1p-14}

// beside are the definition's answers beside the inputs, which stay where they are. Each move has its opposite: one
// of the two crosses a limit that is nearer than they go.
func (l *lines) beside() []Answers {
	var all []Answers
	for _, b := range l.moved {
		b.from = b.values()
	}
	for _, far := range asides {
		moves := make([][]float64, len(l.moved))
		for i, b := range l.moved {
			moves[i] = make([]float64, len(b.from))
			for j, x := range b.from {
				part := float64(2*float64(l.r.Float64())) - 1
				moves[i][j] = float64(far*x) * math.Copysign((1+math.Abs(part))/2, part) // none stays where it is
			}
		}
		for _, sign := range []float64{1, -1} {
			for i, b := range l.moved {
				values := slices.Clone(b.from)
				for j := range values {
					values[j] += float64(sign * moves[i][j])
				}
				b.put(values)
			}
			all = append(all, l.passing())
		}
	}
	for _, b := range l.moved {
		b.put(b.from)
	}
	return all
}

// choose has one element of each group move.
func (l *lines) choose() {
	for _, b := range l.moved {
		b.one = make([]int, l.groups)
	}
	for g := range l.groups {
		elements := 0
		for _, b := range l.moved {
			if b.one[g] = -1; !b.still() {
				elements += len(b.from) / l.groups
			}
		}
		chosen := l.r.IntN(max(elements, 1))
		for _, b := range l.moved {
			per := len(b.from) / l.groups
			if b.still() {
				continue
			}
			if chosen < per {
				b.one[g] = chosen
				b.aim(g*per+chosen, l.r)
				break
			}
			chosen -= per
		}
	}
}

// part takes back what has made elements of a group equal of which none were as they were drawn: what becomes of such
// is open where the inputs never have them, as in a sort that is not stable.
func (b *movedBuffer) part(drawn []float64, groups int) {
	values, per := b.values(), len(drawn)/groups
	if b.fixed {
		groups, per = 1, len(drawn)
	}
	for g := range groups {
		was, is := drawn[g*per:(g+1)*per], values[g*per:(g+1)*per]
		if len(slices.Compact(slices.Sorted(slices.Values(was)))) < per {
			continue
		}
		for i := range is {
			if is[i] != was[i] && (slices.Contains(is[:i], is[i]) || slices.Contains(is[i+1:], is[i])) {
				is[i] = was[i]
			}
		}
	}
	b.put(values)
}

// still reports whether no element of the buffer moves alone.
func (b *movedBuffer) still() bool { return b.fixed || b.ordered }

// aim has a line of one element end at another number of the buffer: any, or the largest or the least, which alone
// meets those that are largest or least of theirs.
func (b *movedBuffer) aim(i int, r *rand.Rand) {
	switch r.IntN(3) {
	case 0:
		b.to[i] = slices.Max(b.from)
	case 1:
		b.to[i] = slices.Min(b.from)
	}
}

// bisect halves the line of each group round what changes most, and puts the inputs beside it, if it is a jump.
func (l *lines) bisect() {
	low, high, mid := make([]float64, l.groups), make([]float64, l.groups), make([]float64, l.groups)
	for g := range high {
		high[g] = 1
	}
	l.at(low)
	before := l.ask()
	l.at(high)
	after := l.ask()
	for range bisections {
		jumps := false
		for g := range mid {
			mid[g] = (low[g] + high[g]) / 2
			jumps = jumps || l.change(before, after, g) > smallestJump
		}
		if !jumps || l.exhausted() {
			break
		}
		l.at(mid)
		between := l.ask()
		for g := range mid {
			if l.change(before, between, g) >= l.change(between, after, g) {
				high[g] = mid[g]
				l.take(after, between, g)
			} else {
				low[g] = mid[g]
				l.take(before, between, g)
			}
		}
	}
	for g := range mid {
		away := distances[l.r.IntN(len(distances))]
		switch upper := l.r.IntN(2) == 1; {
		case l.change(before, after, g) <= smallestJump:
			mid[g] = 0
		case upper:
			mid[g] = math.Min(1, high[g]+away)
		default:
			mid[g] = math.Max(0, low[g]-away)
		}
	}
	l.at(mid)
}

// take puts the results of a group in place of others.
func (l *lines) take(into, from answered, group int) {
	for o := range into {
		per := len(into[o]) / l.groups
		copy(into[o][group*per:(group+1)*per], from[o][group*per:])
	}
}
