package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/analysis"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// filler is that of a site, nil for the reference semantics.
func (c *Compiler) filler(pos syntax.Pos, kind string) *machine.Filler {
	draw, hostile := c.adversary.takes(pos, kind)
	if !hostile && !c.P.Options.Open {
		return nil
	}
	return &machine.Filler{Choice: machine.Choice{Pos: pos, Kind: kind}, Draw: draw, Hostile: hostile}
}

// convertUnspecified compiles a conversion to integers, of which floats outside the
// range of the integer type have an unspecified value.
func (c *Compiler) convertUnspecified(in *ir.Instr, plain func()) {
	f, fits := machine.Conversion(in.From, in.To), representable(in.To)
	if draw, ok := c.adversary.takes(in.Pos, machine.OutOfInteger); ok {
		f = unspecified(in.From, in.To, draw)
	}
	of, _ := machine.IntOf(in.To)
	c.replaced(in, machine.Choice{Pos: in.Pos, Kind: machine.OutOfInteger}, nil, plain,
		func(v []machine.Element) (machine.Element, bool) { return f(v[0]), fits(v[0]) },
		func(value uint32) machine.Element { return of.Canonical(machine.Element(value)) })
}

// tryDivideUnspecified compiles a division some of whose quotients may have to be
// replaced, and reports whether in is one.
func (c *Compiler) tryDivideUnspecified(in *ir.Instr, plain func()) bool {
	if !c.P.Options.Open || unspecifiedKind(c.P.Kernel, in) != machine.ZeroDivisor {
		return false
	}
	of, divide := divided(c.Typ(in.Dst[0]), in), machine.Quotient64(in)
	var harmless func(m *machine.Machine) bool
	if divisor := c.P.Slots[in.Args[1]]; !divisor.Varying {
		harmless = func(m *machine.Machine) bool {
			var d machine.Element
			if divisor.Wide {
				d = m.Uni64[divisor.Index]
			} else {
				d = machine.Element(m.Uni32[divisor.Index])
			}
			d = of.Canonical(d)
			return d != 0 && int64(d) != -1
		}
	}
	c.replaced(in, machine.Choice{Pos: in.Pos, Kind: machine.ZeroDivisor}, harmless, plain,
		func(v []machine.Element) (machine.Element, bool) {
			return divide(of.Canonical(v[0]), of.Canonical(v[1])), exists(of, v[0], v[1])
		}, func(value uint32) machine.Element { return of.Canonical(machine.Element(value)) })
	return true
}

// replaced compiles an instruction twice: as it is, by plain, and lane by lane for the trials that take other values at
// the site. There, lanes whose value does not exist get the alternative, as the type of the result has it, unless the
// operands are seen to be harmless: then all values exist. harmless may be nil.
func (c *Compiler) replaced(in *ir.Instr, site machine.Choice, harmless func(m *machine.Machine) bool, plain func(),
	f func(v []machine.Element) (value machine.Element, exists bool), as func(value uint32) machine.Element) {
	c.flush(func(*machine.Pending) bool { return true })
	for _, r := range in.Args { // each is read twice
		c.Left[r]++
	}
	usual := c.apart(plain)
	other := c.apart(func() { c.byLanes(in, f, as) })
	c.Do(func(m *machine.Machine) {
		if m.Alternative.Takes(site.Pos, site.Kind) && (harmless == nil || !harmless(m)) {
			other.Run(m)
		} else {
			usual.Run(m)
		}
	})
}

// apart is the code that compile emits, which is not yet part of the run.
func (c *Compiler) apart(compile func()) machine.Straight {
	first := len(c.code)
	compile()
	code := slices.Clone(c.code[first:])
	c.code = c.code[:first]
	return code
}

// byLanes compiles an instruction whose values may not exist.
func (c *Compiler) byLanes(in *ir.Instr, f func(v []machine.Element) (value machine.Element, exists bool),
	as func(value uint32) machine.Element) {
	uniform := c.Uniform(in.Dst[0])
	var args []func(m *machine.Machine) machine.Elements
	for _, r := range in.Args {
		args = append(args, c.Values(r, uniform, nil))
	}
	c.setElements(in.Dst[0], func(m *machine.Machine, d machine.Elements, n int) {
		var room [2]machine.Elements
		for i, a := range args {
			room[i] = a(m)
		}
		m.Executed += machine.Lanewise
		var v [2]machine.Element
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
				m.Took(lane)
			}
			d.Set(l, value)
		}
	})
}

// unspecifiedSites are where a thread of a kernel can get an unspecified value,
// except reads of memory that threads share, which are observed.
func unspecifiedSites(k *ir.Kernel) []machine.Choice {
	var out []machine.Choice
	whole := analysis.FullyInitialised(k)
	for i, o := range k.Objects {
		if o.Space == syntax.Thread && !whole[i] {
			out = append(out, machine.Choice{Pos: o.Pos, Kind: machine.Uninitialised})
		}
	}
	seen, reach := map[machine.Choice]bool{}, analysis.MaybeUninitialised(k)
	for in := range ir.Instrs(k.Body...) {
		if in.Op == ir.Poison && !reach[in] {
			continue
		}
		if c := (machine.Choice{Pos: in.Pos, Kind: unspecifiedKind(k, in)}); c.Kind != "" && !seen[c] {
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
		return machine.Uninitialised
	case ir.ZeroDivisor:
		if by := k.Regs[in.Args[1]]; by.Kind != ir.Literal || by.Bits == 0 {
			return machine.ZeroDivisor
		}
	}
	switch kind := choiceOf(k, in); kind {
	case machine.OtherLane, machine.OutOfInteger:
		return kind
	}
	return ""
}

// representable reports whether the conversion of a float to an integer type has a
// value, as that of NaN has: 0.
func representable(to ir.Scalar) func(v machine.Element) bool {
	low, high := Limits(to)
	return func(v machine.Element) bool {
		x := float64(machine.F32frombits(uint32(v)))
		return !(x <= low-1 || x >= high)
	}
}

// unspecified converts floats to integers, those that are no number of the
// integer type to whatever is drawn.
func unspecified(from, to ir.Scalar, draw uint64) func(v machine.Element) machine.Element {
	f, fits := machine.Conversion(from, to), representable(to)
	of, _ := machine.IntOf(to)
	return func(v machine.Element) machine.Element {
		if fits(v) {
			return f(v)
		}
		return of.Canonical(machine.Element(machine.Hostile(draw, v)))
	}
}
