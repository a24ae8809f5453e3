package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// Whether an unspecified value matters is found out by probing: the launch runs
// again from the same memory, with other values for all that is unspecified. If
// the same threads take the same branches and every output has the same bits, the
// unspecified values were discarded. If not, each site in turn is given another
// value alone, and those that make a difference are reported. One program serves all
// these runs: at each site it asks its machine for the value.

// alternative replaces unspecified values by one of its own: everywhere, at one
// site only, or everywhere else.
type alternative struct {
	value        uint32
	only, except *Choice
}

// alternatives are what is tried. As a float the first is 1e30, an integer far out of
// range, and true; the second is zero and false.
var alternatives = [...]uint32{0x7149f2ca, 0}

func (a *alternative) takes(pos syntax.Pos, kind string) bool {
	c := Choice{pos, kind}
	return a != nil && (a.only == nil || *a.only == c) && (a.except == nil || *a.except != c)
}

// zeroDivisor is a kind of choice that only the checks take.
const zeroDivisor = "quotient of a division by zero"

// unspecifiedSites are where a thread of a kernel can get an unspecified value,
// except reads of memory that threads share, which are observed.
func unspecifiedSites(k *ir.Kernel) []Choice {
	var out []Choice
	whole := analysis.FullyInitialised(k)
	for i, o := range k.Objects {
		if o.Space == syntax.Thread && !whole[i] {
			out = append(out, Choice{o.Pos, uninitialised})
		}
	}
	seen, reach := map[Choice]bool{}, analysis.MaybeUninitialised(k)
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Poison && !reach[in] {
			continue
		}
		if c := (Choice{in.Pos, unspecifiedKind(k, in)}); c.Kind != "" && !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	for _, c := range finiteSites(k) {
		if !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out
}

func unspecifiedKind(k *ir.Kernel, in *ir.Instr) string {
	switch in.Freedom() {
	case ir.Contents:
		return uninitialised
	case ir.ZeroDivisor:
		if by := k.Regs[in.Args[1]]; by.Kind != ir.Literal || by.Bits == 0 {
			return zeroDivisor
		}
	}
	switch kind := choiceOf(k, in); kind {
	case otherLane, outOfRange:
		return kind
	}
	return ""
}

// contents is what memory declared at pos holds before anyone has written it.
func (m *machine) contents(pos syntax.Pos) uint32 {
	if a := m.alternative; a.takes(pos, uninitialised) {
		return a.value
	}
	return m.p.poison
}

// filler gives active lanes their values where Metal specifies none.
type filler struct {
	Choice
	draw    uint64
	hostile bool // where no trial is, by the draw
}

// filler is that of a site, nil for the reference semantics.
func (c *compiler) filler(pos syntax.Pos, kind string) *filler {
	draw, hostile := c.adversary.takes(pos, kind)
	if !hostile && !c.p.options.open {
		return nil
	}
	return &filler{Choice{pos, kind}, draw, hostile}
}

// fills reports whether lanes get other values than those of the reference semantics.
func (f *filler) fills(m *machine) bool {
	return f != nil && (f.hostile || m.alternative.takes(f.Pos, f.Kind))
}

func (f *filler) value(m *machine, lane int) uint32 {
	if a := m.alternative; a.takes(f.Pos, f.Kind) {
		m.took(lane)
		return a.value
	}
	return hostile(f.draw, uint64(lane))
}

// took records the first lane that got another value.
func (m *machine) took(lane int) {
	if m.affected == nil && m.mask[lane] != 0 {
		m.affected = &Party{Thread: m.thread(lane), Group: m.group}
	}
}

// convertUnspecified compiles a conversion to integers, of which floats outside the
// range of the integer type have an unspecified value.
func (c *compiler) convertUnspecified(in *ir.Instr, plain func()) {
	f, fits := conversion(in.From, in.To), representable(in.To)
	if draw, ok := c.adversary.takes(in.Pos, outOfRange); ok {
		f = unspecified(in.From, in.To, draw)
	}
	of, _ := intOf(in.To)
	c.replaced(in, Choice{in.Pos, outOfRange}, nil, plain, func(v []element) (element, bool) { return f(v[0]), fits(v[0]) }, func(value uint32) element { return of.Canonical(element(value)) })
}

// representable reports whether the conversion of a float to an integer type has a
// value, as that of NaN has: 0.
func representable(to ir.Scalar) func(v element) bool {
	low, high := limits(to)
	return func(v element) bool {
		x := float64(f32frombits(uint32(v)))
		return !(x <= low-1 || x >= high)
	}
}

// tryDivideUnspecified compiles a division some of whose quotients may have to be
// replaced, and reports whether in is one.
func (c *compiler) tryDivideUnspecified(in *ir.Instr, plain func()) bool {
	if !c.p.options.open || unspecifiedKind(c.p.kernel, in) != zeroDivisor {
		return false
	}
	of, divide := divided(c.typ(in.Dst[0]), in), quotient64(in)
	var harmless func(m *machine) bool
	if divisor := c.p.slots[in.Args[1]]; !divisor.varying {
		harmless = func(m *machine) bool {
			var d element
			if divisor.wide {
				d = m.uni64[divisor.index]
			} else {
				d = element(m.uni32[divisor.index])
			}
			d = of.Canonical(d)
			return d != 0 && int64(d) != -1
		}
	}
	c.replaced(in, Choice{in.Pos, zeroDivisor}, harmless, plain, func(v []element) (element, bool) {
		return divide(of.Canonical(v[0]), of.Canonical(v[1])), exists(of, v[0], v[1])
	}, func(value uint32) element { return of.Canonical(element(value)) })
	return true
}

// lanewise is how many instructions could be executed for all lanes while one is lane by lane.
const lanewise = 16

// replaced compiles an instruction twice: as it is, by plain, and lane by lane for the trials that take other values at the site.
// There, lanes whose value does not exist get the alternative, as the type of the result has it, unless the operands are
// seen to be harmless: then all values exist. harmless may be nil.
func (c *compiler) replaced(in *ir.Instr, site Choice, harmless func(m *machine) bool, plain func(), f func(v []element) (value element, exists bool), as func(value uint32) element) {
	c.flush(func(*deferred) bool { return true })
	for _, r := range in.Args { // each is read twice
		c.left[r]++
	}
	usual := c.apart(plain)
	other := c.apart(func() { c.byLanes(in, f, as) })
	c.do(func(m *machine) {
		if m.alternative.takes(site.Pos, site.Kind) && (harmless == nil || !harmless(m)) {
			other.run(m)
		} else {
			usual.run(m)
		}
	})
}

// apart is the code that compile emits, which is not yet part of the run.
func (c *compiler) apart(compile func()) straight {
	first := len(c.code)
	compile()
	code := slices.Clone(c.code[first:])
	c.code = c.code[:first]
	return code
}

// byLanes compiles an instruction whose values may not exist.
func (c *compiler) byLanes(in *ir.Instr, f func(v []element) (value element, exists bool), as func(value uint32) element) {
	uniform := c.uniform(in.Dst[0])
	var args []func(m *machine) elements
	for _, r := range in.Args {
		args = append(args, c.values(r, uniform, nil))
	}
	c.setElements(in.Dst[0], func(m *machine, d elements, n int) {
		var room [2]elements
		for i, a := range args {
			room[i] = a(m)
		}
		m.executed += lanewise
		var v [2]element
		for l := range n {
			for i := range args {
				v[i] = room[i].at(l)
			}
			value, exists := f(v[:len(args)])
			if !exists {
				value = as(m.alternative.value)
				lane := l
				if uniform {
					lane = max(m.firstActive(), 0)
				}
				m.took(lane)
			}
			d.set(l, value)
		}
	})
}

// eachPoison visits the names of the variables that are left uninitialised at pos.
func eachPoison(k *ir.Kernel, pos syntax.Pos, visit func(name string)) {
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Poison && in.Pos == pos {
			for _, r := range in.Dst {
				visit(k.Regs[r].Name)
			}
		}
	}
}
