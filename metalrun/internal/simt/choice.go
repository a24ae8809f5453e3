package simt

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/scalar"
	"metalconform/metalrun/internal/syntax"
)

// A Choice is a site where Metal leaves the result to the device: the adversary
// takes it against the kernel.
type Choice struct {
	Pos  syntax.Pos
	Kind string
}

// Kinds of choices.
const (
	flushing      = "subnormals as zero"
	uninitialised = "contents of memory that nobody has written"
	contraction   = "fusing of product and sum"
	simdOrder     = "order of a simdgroup sum"
	tileOrder     = "order and fusing of a matrix product"
	accuracy      = "accuracy of "
	outOfRange    = "integer of a float out of its range"
	inactive      = "value of a lane that is not active"
)

// Adversary draws what Metal leaves unspecified, by a seed: which of a device's choices
// it is, and then the same every time.
type Adversary struct {
	Seed uint64
	// Choices is how many of the kernel's choices, in the order of [Choices], it
	// may take; the others are those of the reference semantics. Negative: all.
	Choices int
}

// Choices are the sites of a kernel where the adversary has a choice, those of
// the device as a whole first, then in the order of the program.
func Choices(k *ir.Kernel) []Choice {
	out := []Choice{{k.Pos, flushing}, {k.Pos, uninitialised}}
	seen := map[Choice]bool{}
	for in := range ir.Instrs(k.Body...) {
		if c := (Choice{in.Pos, choiceOf(k, in)}); c.Kind != "" && !seen[c] {
			seen[c] = true
			out = append(out, c)
		}
	}
	return out
}

// choiceOf is the kind of choice that an instruction leaves, if any.
func choiceOf(k *ir.Kernel, in *ir.Instr) string {
	switch in.Freedom() {
	case ir.Contraction:
		if in.Group != 0 {
			return contraction
		}
	case ir.Accuracy:
		format := formatOf(k.Regs[in.Dst[0]].Type)
		if in.Op == ir.Div {
			if scalar.Quotients(format, in.Fast).Open() {
				return accuracy + quotient
			}
		} else if f := scalar.Float(in.Fn); f != nil && f.Limit(format, in.Fast).Open() {
			return accuracy + in.Fn
		}
	case ir.SumOrder:
		if k.Regs[in.Dst[0]].Type.IsFloat() {
			return simdOrder
		}
	case ir.InactiveLane:
		return inactive
	case ir.TileOrder:
		return tileOrder
	case ir.OutOfRange:
		if _, integer := intOf(in.To); integer && in.From.Type().IsFloat() {
			return outOfRange
		}
	}
	return ""
}

// adversary is an Adversary of one kernel.
type adversary struct {
	kernel  string
	seed    uint64
	allowed map[Choice]bool
}

func newAdversary(k *ir.Kernel, a *Adversary) *adversary {
	choices := Choices(k)
	if a.Choices >= 0 {
		choices = choices[:min(a.Choices, len(choices))]
	}
	out := &adversary{kernel: k.Name, seed: a.Seed, allowed: map[Choice]bool{}}
	for _, c := range choices {
		out.allowed[c] = true
	}
	return out
}

// resolve makes the adversary of a kernel and lets it choose what the options
// say of the device as a whole.
func (o *Options) resolve(k *ir.Kernel) *adversary {
	if o.Adversary == nil {
		return nil
	}
	a := newAdversary(k, o.Adversary)
	draw, ok := a.takes(k.Pos, flushing)
	o.Contract, o.SumOrder = false, Ascending
	o.FlushSubnormals, o.flushHalf = ok && draw&1 != 0, ok && draw&2 != 0
	return a
}

// contracts reports whether a sum swallows its product.
func (a *adversary) contracts(sum *ir.Instr) bool {
	draw, ok := a.takes(sum.Pos, contraction)
	return ok && draw&1 != 0
}

// takes reports whether the adversary takes a choice, and gives a number drawn for it.
func (a *adversary) takes(pos syntax.Pos, kind string) (draw uint64, ok bool) {
	if a == nil || !a.allowed[Choice{pos, kind}] {
		return 0, false
	}
	return a.draw(pos, kind), true
}

// draw depends on the seed and, where a compiler chooses and not the device as a
// whole, on the site, by line and column: a copy of the source elsewhere is the same
// program. A function that two kernels call is compiled for each, and may be
// contracted in one and not in the other.
func (a *adversary) draw(pos syntax.Pos, kind string) uint64 {
	if kind != contraction && kind != inactive && kind != outOfRange {
		pos = syntax.Pos{}
	}
	h := mix(a.seed ^ uint64(pos.Line)<<32 ^ uint64(pos.Col))
	if kind == contraction {
		kind += a.kernel
	}
	for _, b := range []byte(kind) {
		h = mix(h ^ uint64(b))
	}
	return h
}

// mix is the finaliser of SplitMix64: a bijection that spreads every bit.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hostile is an unspecified value that spoils sums, indices and comparisons.
func hostile(draw uint64) uint32 {
	values := [...]uint32{poison, 0, ^uint32(0), 1, 0x7f7fffff, 0xff800000, 0x80000000, uint32(draw >> 32)}
	return values[draw%uint64(len(values))]
}

// order is a drawn order of summation: pairs i, j, where j is added to i.
func order(draw uint64, n int) [][2]int {
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	var pairs [][2]int
	for len(left) > 1 {
		draw = mix(draw)
		i := int(draw % uint64(len(left)))
		j := int(draw >> 32 % uint64(len(left)-1))
		if j >= i {
			j++
		}
		pairs = append(pairs, [2]int{left[min(i, j)], left[max(i, j)]})
		left = slices.Delete(left, max(i, j), max(i, j)+1)
	}
	return pairs
}
