package judge

import (
	"maps"
	"math/bits"
	"math/rand/v2"
	"slices"

	"metalconform/suite"
)

const (
	heldOut   = 10      // points that the seed draws between those of the specification
	reach     = 4       // times the longest of an axis, beyond them
	tries     = 8       // for a point that a host may launch
	outreach  = 8       // times it, once, where buffers stay small
	mostBytes = 8 << 20 // of the buffers of a point that is drawn
	farBytes  = 1 << 17 // of those of a point far out

	smallUsual = 24      // draws of small points
	smallMost  = 512     // where there is code that nothing has reached
	smallSteps = 256     // of an axis beyond base
	smallBytes = 1 << 16 // of the buffers of such a point
)

// generator is what points are drawn from.
func generator(seed uint64) *rand.Rand { return suite.Generator("points", "", seed) }

// axis is what the points of a specification have of an axis.
type axis struct {
	name      suite.Axis
	low, high int
	step      int  // that divides all values
	powers    bool // of two, all of them
	fixed     bool // one value: nothing is known of others
}

// axesOf are those of a kernel's points.
func axesOf(k *suite.Kernel) []axis {
	points := slices.Concat(k.Sweep.Probes, k.Sweep.Shapes)
	var list []axis
	for _, name := range k.Axes {
		a := axis{name: name, powers: true}
		for i, p := range points {
			n := p[name]
			if i == 0 {
				a.low, a.high = n, n
			}
			a.low, a.high, a.step = min(a.low, n), max(a.high, n), divisor(a.step, n)
			a.powers = a.powers && bits.OnesCount(uint(max(n, 0))) == 1
		}
		a.fixed = a.low == a.high
		list = append(list, a)
	}
	return list
}

// divisor is the greatest that both have.
func divisor(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// draw is a value of the axis from a range, as those of the specification are made.
func (a axis) draw(r *rand.Rand, low, high int) int {
	if a.powers {
		first, last := bits.Len(uint(low-1)), bits.Len(uint(high))-1
		return 1 << (first + r.IntN(last-first+1))
	}
	first, last := (low+a.step-1)/a.step, high/a.step
	if last < first {
		return high
	}
	return a.step * (first + r.IntN(last-first+1))
}

// points are drawn by the seed: within what the specification's own reach, or beyond. There each axis in turn is up
// to four times as long as any of its own, once anywhere and once near the end, and once far beyond, and then all are
// longer at once.
func points(k *suite.Kernel, r *rand.Rand, far bool) []suite.Shape {
	axes := slices.DeleteFunc(axesOf(k), func(a axis) bool { return a.fixed || a.step == 0 })
	own := slices.Concat(k.Sweep.Probes, k.Sweep.Shapes)
	draws := slices.Repeat([]func(suite.Shape){func(p suite.Shape) {
		for _, a := range axes {
			if r.IntN(4) > 0 {
				p[a.name] = a.draw(r, a.low, a.high)
			}
		}
	}}, heldOut)
	if far {
		draws = nil
		for _, a := range axes {
			draws = append(draws,
				func(p suite.Shape) { p[a.name] = a.draw(r, a.high+a.step, reach*a.high) },
				func(p suite.Shape) { p[a.name] = a.draw(r, max(a.high+a.step, reach*a.high-a.high/8), reach*a.high) },
				func(p suite.Shape) {
					far := p.With(suite.Shape{a.name: a.draw(r, reach*a.high, outreach*a.high)})
					if possible(k, far) && size(k, far) <= farBytes {
						p[a.name] = far[a.name]
					}
				})
		}
		if len(axes) > 1 {
			draws = append(draws, func(p suite.Shape) {
				for _, a := range axes {
					p[a.name] = a.draw(r, a.high+a.step, max(a.high+a.step, 2*a.high))
				}
			})
		}
	}
	var list []suite.Shape
	for _, draw := range draws {
		for range tries {
			p := maps.Clone(own[0])
			draw(p)
			known := func(q suite.Shape) bool { return maps.Equal(p, q) }
			if !slices.ContainsFunc(own, known) && !slices.ContainsFunc(list, known) && possible(k, p) {
				list = append(list, p)
				break
			}
		}
	}
	return list
}

// small are more points between those of the specification, whose buffers are small: as many as are not known yet of
// some draws.
func small(k *suite.Kernel, r *rand.Rand, draws int, known []suite.Shape) []suite.Shape {
	axes := slices.DeleteFunc(axesOf(k), func(a axis) bool { return a.fixed || a.step == 0 })
	known = slices.Concat(k.Sweep.Probes, k.Sweep.Shapes, known)
	base, first := known[0], len(known)
	for range draws {
		p := maps.Clone(base)
		for _, a := range axes {
			p[a.name] = a.draw(r, a.low, min(a.high, max(a.low, base[a.name])+smallSteps*a.step))
		}
		if !slices.ContainsFunc(known, func(q suite.Shape) bool { return maps.Equal(p, q) }) && possible(k, p) &&
			size(k, p) <= smallBytes {
			known = append(known, p)
		}
	}
	return known[first:]
}

// possible reports whether a host may launch the kernel there, with buffers that are not too large.
func possible(k *suite.Kernel, p suite.Shape) (ok bool) {
	defer func() {
		if mistake := recover(); mistake != nil {
			ok = false // what the specification computes of the point makes no sense
		}
	}()
	return (k.Check == nil || k.Check(p) == nil) && size(k, p) <= mostBytes
}

// size is that of the buffers at a point.
func size(k *suite.Kernel, p suite.Shape) int {
	n := 0
	for _, a := range k.Args {
		if a.Buffer() {
			n += a.Count(p) * a.Type.Bytes()
		}
	}
	return n
}
