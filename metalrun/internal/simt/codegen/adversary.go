package codegen

import (
	"slices"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/fastmath"
	"metalconform/metalrun/internal/simt/machine"
	"metalconform/metalrun/internal/syntax"
)

// adversary is an Adversary of one kernel.
type adversary struct {
	kernel   string
	seed     uint64 // of the pair
	second   bool   // of the pair
	allowed  map[machine.Choice]bool
	deviates bool // from the reference semantics in some choice
	measured func(name string, fast bool) (ulps float64, ok bool)
}

func newAdversary(k *ir.Kernel, a *machine.Adversary) *adversary {
	choices := Choices(k)
	if a.Choices >= 0 {
		choices = choices[:min(a.Choices, len(choices))]
	}
	number := max(a.Number, 1) - 1
	out := &adversary{kernel: k.Name, seed: a.Seed, second: number%2 != 0, allowed: map[machine.Choice]bool{},
		measured: a.Measured}
	if pair := uint64(number / 2); pair > 0 {
		out.seed = machine.Mix(a.Seed + pair)
	}
	for _, c := range choices {
		out.allowed[c] = true
		out.deviates = out.deviates || !out.leaves(c)
	}
	return out
}

// leaves reports whether the adversary does what the reference semantics do.
func (a *adversary) leaves(c machine.Choice) bool {
	draw := a.draw(c.Pos, c.Kind)
	switch {
	case c.Kind == machine.Flushing, c.Kind == machine.Contraction:
		return draw&1 == 0
	case c.Kind == machine.Uninitialised:
		return machine.Hostile(draw, 0) == machine.Poison
	case compiled[c.Kind]:
		return !a.rewrites(c)
	}
	return false
}

// resolve makes the adversary of a kernel and lets it choose what the options
// say of the device as a whole.
func resolve(o *machine.Options, k *ir.Kernel) *adversary {
	if o.Adversary == nil {
		return nil
	}
	a := newAdversary(k, o.Adversary)
	_, ok := a.takes(k.Pos, machine.Flushing)
	o.Contract, o.SumOrder, o.FlushSubnormals = false, machine.Ascending,
		ok && !a.leaves(machine.Choice{Pos: k.Pos, Kind: machine.Flushing})
	o.FlushHalf = o.FlushSubnormals
	return a
}

// compile is what the adversary's compiler makes of a kernel.
func (a *adversary) compile(k *ir.Kernel) *ir.Kernel {
	if !fastmath.Applies(k) {
		return ir.Contract(k, a.contracts)
	}
	v := ir.Values(k)
	fastmath.Rewrite(v, fastmath.Rules, fastmath.Chooser{Takes: func(r *fastmath.Rule, at *ir.Instr) (uint64, bool) {
		draw, ok := a.takes(at.Pos, r.Name)
		return draw >> 3, ok && a.rewrites(machine.Choice{Pos: at.Pos, Kind: r.Name})
	}})
	return ir.Tidy(ir.Contract(v, a.contracts))
}

// compiled are the kinds of choices that are rules of a compiler, or that it makes by what it
// takes for impossible.
var compiled = func() map[string]bool {
	kinds := map[string]bool{machine.NotFinite: true}
	for _, r := range fastmath.Rules {
		kinds[r.Name] = true
	}
	return kinds
}()

// rewrites reports whether the compiler applies a rule at a site: by the draw everywhere,
// nowhere, or here and there, and where one device of a pair does the other does not.
func (a *adversary) rewrites(c machine.Choice) bool {
	everywhere := a.draw(syntax.Pos{}, c.Kind)
	if everywhere>>3&1 != 0 {
		return everywhere&1 != 0
	}
	return a.draw(c.Pos, c.Kind)&1 != 0
}

// contracts reports whether a sum swallows its product.
func (a *adversary) contracts(sum *ir.Instr) bool {
	_, ok := a.takes(sum.Pos, machine.Contraction)
	return ok && !a.leaves(machine.Choice{Pos: sum.Pos, Kind: machine.Contraction})
}

// takes reports whether the adversary takes a choice, and gives a number drawn for it.
func (a *adversary) takes(pos syntax.Pos, kind string) (draw uint64, ok bool) {
	if a == nil || !a.allowed[machine.Choice{Pos: pos, Kind: kind}] {
		return 0, false
	}
	return a.draw(pos, kind), true
}

// opposite are the bits of a draw that say to which side a choice is taken: they are
// the other way round in the two devices of a pair.
const opposite = 7

// draw depends on the seed and, where a compiler chooses and not the device as a
// whole, on the site, by line and column: a copy of the source elsewhere is the same
// program. A function that two kernels call is compiled for each, and may be
// contracted in one and not in the other.
func (a *adversary) draw(pos syntax.Pos, kind string) uint64 {
	byCompiler := kind == machine.Contraction || compiled[kind]
	if !byCompiler && kind != machine.OtherLane && kind != machine.OutOfInteger {
		pos = syntax.Pos{}
	}
	h := machine.Mix(a.seed ^ uint64(pos.Line)<<32 ^ uint64(pos.Col))
	if byCompiler {
		kind += a.kernel
	}
	for _, b := range []byte(kind) {
		h = machine.Mix(h ^ uint64(b))
	}
	if a.second {
		h ^= opposite
	}
	return h
}

// order is a drawn order of summation: pairs i, j, where j is added to i.
func order(draw uint64, n int) [][2]int {
	left := make([]int, n)
	for i := range left {
		left[i] = i
	}
	var pairs [][2]int
	for len(left) > 1 {
		draw = machine.Mix(draw)
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
