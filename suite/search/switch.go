package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"metalconform/suite"
)

// A source may do something else where a size or an element is one that nobody tries. What it compares with
// gives it away: points and inputs are made of these numbers.

const (
	mostSwitches = 24      // points at numbers of a source, the smallest first
	switchBytes  = 1 << 20 // of the buffers of all these points
	switchTrials = 2       // of inputs with numbers of a source here and there
	mostRepeated = 12      // of those with one number in most places of an argument
)

// switches judges the kernel on both sides of the numbers that its decisions hang on, as sizes and as elements.
func (t *trial) switches(ctx context.Context) {
	if len(t.kernel.Sweep.Probes) == 0 {
		return
	}
	integers, floats, err := t.opts.Shaders.Decisions(t.kernel, t.kernel.Sweep.Probes[0])
	if err != nil {
		return // a build of another point
	}
	k := *t.kernel
	k.Sweep = suite.Sweep{Shapes: switchPoints(&k, slices.Concat(integers, floats)), Inputs: t.kernel.Sweep.Inputs}
	const what = "conforms elsewhere, and not where a size is one that the source decides by"
	if !t.run(ctx, of(k), true, t.as(Switched, what)) {
		return
	}
	k.Sweep.Shapes, k.Sweep.Settings = nil, t.switchInputs(floats)
	t.run(ctx, of(k), true, t.as(Switched, "conforms elsewhere, and not where elements are numbers that the source decides by"))
}

// switchPoints are base with one axis at and behind each number, or as many steps of the axis.
func switchPoints(k *suite.Kernel, numbers []float64) []suite.Shape {
	own := slices.Concat(k.Sweep.Probes, k.Sweep.Shapes)
	var list []suite.Shape
	for _, a := range axesOf(k) {
		if a.fixed || a.step == 0 {
			continue
		}
		for _, x := range numbers {
			if x != math.Trunc(x) || x < 1 || x > mostBytes {
				continue
			}
			n := int(x)
			for _, value := range []int{n, n + 1, n + 2, n / a.step * a.step, n/a.step*a.step + a.step, n * a.step, (n + 1) * a.step, 1 << bits.Len(uint(n))} {
				if value < a.low || value%a.step != 0 || a.powers && bits.OnesCount(uint(value)) != 1 {
					continue
				}
				p := maps.Clone(own[0])
				p[a.name] = value
				known := func(q suite.Shape) bool { return maps.Equal(p, q) }
				if !slices.ContainsFunc(own, known) && !slices.ContainsFunc(list, known) && possible(k, p) {
					list = append(list, p)
				}
			}
		}
	}
	slices.SortStableFunc(list, func(p, q suite.Shape) int { return cmp.Compare(size(k, p), size(k, q)) })
	bytes := 0
	for i, p := range list {
		if bytes += size(k, p); i == mostSwitches || bytes > switchBytes {
			return list[:i]
		}
	}
	return list
}

// switchInputs are inputs with numbers of the source here and there, or with one in most places of one argument. They
// go into the arguments that the specification gives integers, too.
func (t *trial) switchInputs(numbers []float64) []suite.Setting {
	i := slices.IndexFunc(t.kernel.Sweep.Inputs, func(in suite.Input) bool { return in.Name == "integers" })
	if i < 0 {
		return nil
	}
	all, single := suite.Fills{}, []suite.Fills{}
	for _, name := range slices.Sorted(maps.Keys(t.kernel.Sweep.Inputs[i].Fills)) {
		fill := t.kernel.Sweep.Inputs[0].Fills[name]
		a, _ := t.kernel.Args.Find(name)
		format, float := a.Type.Format()
		held := slices.DeleteFunc(slices.Clone(numbers), func(x float64) bool { return math.Abs(x) > format.Max() })
		if !float || len(held) == 0 {
			continue
		}
		if fill == nil {
			fill = suite.Normal
		}
		all[name] = scattered(held, fill)
		for _, x := range held {
			single = append(single, suite.Fills{name: repeated(x, fill)})
		}
	}
	if len(all) == 0 {
		return nil
	}
	var list []suite.Setting
	for n, fills := range slices.Concat(slices.Repeat([]suite.Fills{all}, switchTrials), slices.Repeat(single, 2)[:min(2*len(single), mostRepeated)]) {
		list = append(list, suite.Setting{Name: fmt.Sprintf("switch_%d", n+1), Shape: t.kernel.Sweep.Probes[0], Fills: fills})
	}
	return list
}

// scattered is a fill with every other element one of the numbers, in no order.
func scattered(numbers []float64, fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		for i := range x {
			if r.IntN(2) == 0 {
				x[i] = numbers[r.IntN(len(numbers))]
			}
		}
	}
}

// repeated is a fill with most elements the same number.
func repeated(number float64, fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		for i := range x {
			if r.IntN(16) > 0 {
				x[i] = number
			}
		}
	}
}
