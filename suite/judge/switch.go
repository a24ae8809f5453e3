package judge

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
	mostSwitches = 24      // points at numbers of a source, the smallest first, and of pairs of axes
	mostDerived  = 12      // of sizes that numbers are residues or squares of
	mostNumbers  = 12      // that sizes are made of
	switchBytes  = 1 << 20 // of the buffers of all these points
	mostWider    = 128     // times an axis is longer where inputs have numbers of a source here and there
	wideBytes    = 1 << 15 // of the buffers of such a point
	mostApart    = 64      // times a scalar and a number that decides by it are apart
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
	const what = "passes elsewhere, and fails where a size is one that the source decides by"
	if !t.run(ctx, t.of(k), true, t.as(Switched, what)) {
		return
	}
	k.Sweep.Shapes, k.Sweep.Settings = nil, t.switchInputs(floats)
	if !t.run(ctx, t.of(k), true,
		t.as(Switched, "passes elsewhere, and fails where elements are numbers that the source decides by")) {
		return
	}
	k.Sweep.Settings = t.switchScalars(floats)
	t.run(ctx, t.of(k), true,
		t.as(Switched, "passes elsewhere, and fails where a scalar is near a number that the source decides by"))
}

// switchScalars are settings in which a scalar is a number of the source, or lies behind it as seen from its own.
func (t *trial) switchScalars(numbers []float64) []suite.Setting {
	var list []suite.Setting
	for _, c := range t.constants() {
		for _, n := range numbers {
			if n/c.value < 1.0/mostApart || n/c.value > mostApart || n == c.value {
				continue
			}
			beyond := n * (1 + math.Copysign(0.125, n/c.value-1))
			for _, x := range []float64{n, beyond} {
				if len(list) < mostNumbers {
					list = append(list, suite.Setting{Name: fmt.Sprintf("switch_%s_%v", c.name, x),
						Shape: t.kernel.Sweep.Probes[0], Set: map[string]float64{c.name: x}})
				}
			}
		}
	}
	return list
}

// switchPoints are base with one axis at and behind each number, or as many steps of the axis; with one where residues
// and squares come to numbers; and with two axes at numbers of which one is beyond the sizes of the specification.
func switchPoints(k *suite.Kernel, numbers []float64) []suite.Shape {
	whole := positive(numbers)
	d := &decided{kernel: k, own: slices.Concat(k.Sweep.Probes, k.Sweep.Shapes)}
	axes := slices.DeleteFunc(axesOf(k), func(a axis) bool { return a.fixed || a.step == 0 })
	for _, a := range axes {
		for _, n := range whole {
			for _, value := range []int{n, n + 1, n + 2, n / a.step * a.step, n/a.step*a.step + a.step, n * a.step,
				(n + 1) * a.step, 1 << bits.Len(uint(n))} {
				d.enter(suite.Shape{a.name: value})
			}
		}
	}
	direct := d.least(mostSwitches, switchBytes)
	for _, a := range axes {
		for _, value := range derived(whole) {
			d.enter(suite.Shape{a.name: value})
		}
	}
	further := d.spaced(mostDerived)
	pairs := d.pairs(axes, whole, axis.behind)
	return slices.Concat(direct, further, pairs, d.pairs(axes, whole, func(_ axis, n int) int { return n }))
}

// pairs are points with one axis behind a number and another at one or behind it; one of them is beyond the sizes of
// the specification.
func (d *decided) pairs(axes []axis, numbers []int, second func(axis, int) int) []suite.Shape {
	for i, a := range axes {
		for j, b := range axes {
			for _, m := range numbers {
				for _, n := range numbers {
					if i != j && (m >= a.high || n > b.high) {
						d.enter(suite.Shape{a.name: a.behind(m), b.name: second(b, n)})
					}
				}
			}
		}
	}
	return d.spaced(mostSwitches)
}

// behind is the least value of an axis beyond a number.
func (a axis) behind(n int) int {
	if a.powers {
		return 1 << bits.Len(uint(n))
	}
	return n/a.step*a.step + a.step
}

// positive are the numbers that may be sizes, the first few of them.
func positive(numbers []float64) []int {
	var list []int
	for _, x := range numbers {
		if n := int(x); float64(n) == x && n > 0 && n <= mostBytes && !slices.Contains(list, n) &&
			len(list) < mostNumbers {
			list = append(list, n)
		}
	}
	return list
}

// derived are sizes that come to numbers in another way: their squares do, or what is left of a division; the least
// beyond each number.
func derived(numbers []int) []int {
	var list []int
	for _, n := range numbers {
		if root := int(math.Sqrt(float64(n))); root > 4 {
			list = append(list, root+1)
		}
		for _, rest := range numbers {
			for _, least := range numbers {
				if rest < n {
					list = append(list, rest+(max(least-rest, 0)/n+1)*n)
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// decided collects points that a host may launch and that nobody has asked for.
type decided struct {
	kernel    *suite.Kernel
	own, list []suite.Shape
}

// enter adds base with values of some axes.
func (d *decided) enter(values suite.Shape) {
	for _, a := range axesOf(d.kernel) {
		n, given := values[a.name]
		if given && (n < a.low || n%a.step != 0 || a.powers && bits.OnesCount(uint(n)) != 1) {
			return
		}
	}
	p := maps.Clone(d.own[0])
	maps.Copy(p, values)
	known := func(q suite.Shape) bool { return maps.Equal(p, q) }
	if !slices.ContainsFunc(d.own, known) && !slices.ContainsFunc(d.list, known) && possible(d.kernel, p) {
		d.list = append(d.list, p)
	}
}

// least are the smallest of the points that are collected, of some number and bytes, which count as asked for then.
func (d *decided) least(most, bytes int) []suite.Shape {
	list := d.sorted()
	for i, p := range list {
		if bytes -= size(d.kernel, p); i == most || bytes < 0 {
			list = list[:i]
			break
		}
	}
	d.own = append(d.own, list...)
	return list
}

// spaced are some of the points that are not too large, from all over.
func (d *decided) spaced(most int) []suite.Shape {
	list := slices.DeleteFunc(d.sorted(), func(p suite.Shape) bool { return size(d.kernel, p) > 2*switchBytes/most })
	if n := len(list); n > most {
		for i := range most {
			list[i] = list[i*n/most]
		}
		list = list[:most]
	}
	d.own = append(d.own, list...)
	return list
}

// sorted takes out what is collected, the smallest first.
func (d *decided) sorted() []suite.Shape {
	list := d.list
	d.list = nil
	slices.SortStableFunc(list, func(p, q suite.Shape) int { return cmp.Compare(size(d.kernel, p), size(d.kernel, q)) })
	return list
}

// switchInputs are inputs with numbers of the source here and there, or with one in most places of one argument. They
// go into the arguments that the specification gives integers, too.
func (t *trial) switchInputs(numbers []float64) []suite.Setting {
	i := slices.IndexFunc(t.kernel.Sweep.Inputs, func(in suite.Input) bool { return in.Name == "integers" })
	if i < 0 {
		return nil
	}
	all, single := suite.Fills{}, []suite.Fills{} // numbers of the source and 1 together, and one of them alone
	for _, name := range slices.Sorted(maps.Keys(t.kernel.Sweep.Inputs[i].Fills)) {
		fill := t.kernel.Sweep.Inputs[0].Fills[name]
		a, _ := t.kernel.Args.Find(name)
		format, float := a.Type.Format()
		held := slices.DeleteFunc(slices.Clone(numbers), func(x float64) bool { return math.Abs(x) > format.Max() })
		if !float {
			continue
		}
		if fill == nil {
			fill = suite.Normal
		}
		some := held
		if !slices.Contains(held, 1) {
			some = append(slices.Clip(held), 1)
		}
		all[name] = scattered(some, fill)
		for _, x := range held {
			single = append(single, suite.Fills{name: repeated(x, fill)})
		}
	}
	if len(all) == 0 {
		return nil
	}
	var list []suite.Setting
	enter := func(p suite.Shape, fills suite.Fills) {
		list = append(list, suite.Setting{Name: fmt.Sprintf("switch_%d", len(list)+1), Shape: p, Fills: fills})
	}
	for _, p := range t.wider() {
		enter(p, all)
	}
	for _, fills := range slices.Repeat(single, 2)[:min(2*len(single), mostRepeated)] {
		enter(t.kernel.Sweep.Probes[0], fills)
	}
	return list
}

// wider are base and points with one axis much longer: where rows are many, some begin with whatever a source asks for.
func (t *trial) wider() []suite.Shape {
	base := t.kernel.Sweep.Probes[0]
	list := []suite.Shape{base}
	for _, a := range axesOf(t.kernel) {
		for by := mostWider; by > 1 && !a.fixed; by /= 2 {
			p := base.With(suite.Shape{a.name: by * base[a.name]})
			if size(t.kernel, p) <= wideBytes && possible(t.kernel, p) {
				list = append(list, p)
				break
			}
		}
	}
	return list
}

// scattered is a fill with most elements numbers out of some, often one behind the other as a source names them, and
// now and then with the other sign: where rows are many, some elements are equal or opposite.
func scattered(numbers []float64, fill suite.Fill) suite.Fill {
	return func(r *rand.Rand, s suite.Shape, x []float64) {
		fill(r, s, x)
		at := 0
		for i := range x {
			if at = (at + 1) % len(numbers); r.IntN(4) == 0 {
				at = r.IntN(len(numbers))
			}
			if r.IntN(8) > 0 {
				x[i] = numbers[at]
				if r.IntN(8) == 0 {
					x[i] = -x[i]
				}
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
