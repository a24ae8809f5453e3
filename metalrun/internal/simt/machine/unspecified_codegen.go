package machine

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/syntax"
)

// filler is that of a site, nil for the reference semantics.
func (c *Compiler) filler(pos syntax.Pos, kind string) *filler {
	draw, hostile := c.adversary.takes(pos, kind)
	if !hostile && !c.P.Options.Open {
		return nil
	}
	return &filler{Choice{pos, kind}, draw, hostile}
}

// convertUnspecified compiles a conversion to integers, of which floats outside the
// range of the integer type have an unspecified value.
func (c *Compiler) convertUnspecified(in *ir.Instr, plain func()) {
	f, fits := conversion(in.From, in.To), representable(in.To)
	if draw, ok := c.adversary.takes(in.Pos, outOfInteger); ok {
		f = unspecified(in.From, in.To, draw)
	}
	of, _ := IntOf(in.To)
	c.replaced(in, Choice{in.Pos, outOfInteger}, nil, plain, func(v []Element) (Element, bool) { return f(v[0]), fits(v[0]) }, func(value uint32) Element { return of.Canonical(Element(value)) })
}

// tryDivideUnspecified compiles a division some of whose quotients may have to be
// replaced, and reports whether in is one.
func (c *Compiler) tryDivideUnspecified(in *ir.Instr, plain func()) bool {
	if !c.P.Options.Open || unspecifiedKind(c.P.Kernel, in) != zeroDivisor {
		return false
	}
	of, divide := divided(c.Typ(in.Dst[0]), in), quotient64(in)
	var harmless func(m *Machine) bool
	if divisor := c.P.Slots[in.Args[1]]; !divisor.Varying {
		harmless = func(m *Machine) bool {
			var d Element
			if divisor.Wide {
				d = m.Uni64[divisor.Index]
			} else {
				d = Element(m.Uni32[divisor.Index])
			}
			d = of.Canonical(d)
			return d != 0 && int64(d) != -1
		}
	}
	c.replaced(in, Choice{in.Pos, zeroDivisor}, harmless, plain, func(v []Element) (Element, bool) {
		return divide(of.Canonical(v[0]), of.Canonical(v[1])), exists(of, v[0], v[1])
	}, func(value uint32) Element { return of.Canonical(Element(value)) })
	return true
}

// replaced compiles an instruction twice: as it is, by plain, and lane by lane for the trials that take other values at the site.
// There, lanes whose value does not exist get the alternative, as the type of the result has it, unless the operands are
// seen to be harmless: then all values exist. harmless may be nil.
func (c *Compiler) replaced(in *ir.Instr, site Choice, harmless func(m *Machine) bool, plain func(), f func(v []Element) (value Element, exists bool), as func(value uint32) Element) {
	c.flush(func(*deferred) bool { return true })
	for _, r := range in.Args { // each is read twice
		c.Left[r]++
	}
	usual := c.apart(plain)
	other := c.apart(func() { c.byLanes(in, f, as) })
	c.Do(func(m *Machine) {
		if m.Alternative.Takes(site.Pos, site.Kind) && (harmless == nil || !harmless(m)) {
			other.Run(m)
		} else {
			usual.Run(m)
		}
	})
}

// apart is the code that compile emits, which is not yet part of the run.
func (c *Compiler) apart(compile func()) Straight {
	first := len(c.code)
	compile()
	code := slices.Clone(c.code[first:])
	c.code = c.code[:first]
	return code
}

// byLanes compiles an instruction whose values may not exist.
func (c *Compiler) byLanes(in *ir.Instr, f func(v []Element) (value Element, exists bool), as func(value uint32) Element) {
	uniform := c.Uniform(in.Dst[0])
	var args []func(m *Machine) Elements
	for _, r := range in.Args {
		args = append(args, c.Values(r, uniform, nil))
	}
	c.setElements(in.Dst[0], func(m *Machine, d Elements, n int) {
		var room [2]Elements
		for i, a := range args {
			room[i] = a(m)
		}
		m.Executed += Lanewise
		var v [2]Element
		for l := range n {
			for i := range args {
				v[i] = room[i].At(l)
			}
			value, exists := f(v[:len(args)])
			if !exists {
				value = as(m.Alternative.Value)
				lane := l
				if uniform {
					lane = max(m.FirstActive(), 0)
				}
				m.took(lane)
			}
			d.set(l, value)
		}
	})
}

// unspecifiedSites are where a thread of a kernel can get an unspecified value,
// except reads of memory that threads share, which are observed.
func unspecifiedSites(k *ir.Kernel) []Choice {
	var out []Choice
	whole := analysis.FullyInitialised(k)
	for i, o := range k.Objects {
		if o.Space == syntax.Thread && !whole[i] {
			out = append(out, Choice{o.Pos, Uninitialised})
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
		return Uninitialised
	case ir.ZeroDivisor:
		if by := k.Regs[in.Args[1]]; by.Kind != ir.Literal || by.Bits == 0 {
			return zeroDivisor
		}
	}
	switch kind := choiceOf(k, in); kind {
	case otherLane, outOfInteger:
		return kind
	}
	return ""
}

// representable reports whether the conversion of a float to an integer type has a
// value, as that of NaN has: 0.
func representable(to ir.Scalar) func(v Element) bool {
	low, high := Limits(to)
	return func(v Element) bool {
		x := float64(F32frombits(uint32(v)))
		return !(x <= low-1 || x >= high)
	}
}
