package adhoc

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"metalconform/metalrun"
)

// A finding may be the fault of a guess: rows that lie on each other because every stride has the value of
// every length, a count beyond what an array of the kernel holds. So what is found is asked for again with
// other guesses.

// Otherwise is a kernel with other guesses.
type Otherwise struct {
	Kernel
	Apart  bool   // strides lie apart; no other integer is changed
	Wider  bool   // of an integer by which indices are multiplied, there is more
	Least  bool   // an integer is so small that little is left to be found
	Filled bool   // integers in buffers are other than zero, and no guess is changed
	Apiece bool   // integers in buffers are other than each other, and no guess is changed
	Counts bool   // an integer says how many simdgroups a threadgroup has
	Alone  bool   // no other integer says where rows lie
	Name   string // of the only integer that is changed, to Value
	Value  float64
	Bounds bool     // it is a length, rather than an index
	Only   bool     // the kernel reads no other integer that nobody has stated
	Stated []string // flags that state the other guesses, or what they are
}

const (
	mostOthers = 120    // guesses of one integer
	few        = 8      // for a count: less than arrays of kernels hold
	many       = 4096   // for a length of rows
	least      = 1      // for what picks one of few
	strides    = 3      // that lie apart
	rowStride  = 5 << 8 // words, more than a row of guessed length has, even of matrices of 64 bytes
	rows       = 1 << 6 // of them that lie together: as many as an index of guessed length tells apart
	planes     = 10     // of these that do: more than the grids of launches have
)

// simdgroupsName are names of the number of simdgroups of a threadgroup.
var simdgroupsName = regexp.MustCompile(`(?i)^(n|num|number|count)?_?(of_)?(sg|simds?|simd_?groups?)(_?(n|num|count))?$`)

// Smaller is the kernel with smaller integers, false if their size is stated or small, or it reads none.
func (k *Kernel) Smaller() (smaller Kernel, flag string, ok bool) {
	if k.spec.Size != 0 || k.spec.size() == few || len(k.unstated()) == 0 {
		return *k, "", false
	}
	o := k.otherwise()
	if o.spec.fewer = defaultSize / 2; k.spec.fewer != 0 {
		o.spec.fewer = few
	}
	return o.Kernel, fmt.Sprintf("-size %d", o.spec.size()), true
}

// strideName are names of strides, and of the strides in bytes of ggml with their axis.
var (
	strideName = regexp.MustCompile(`(?i)stride|pitch|^ld[a-z]?$|_ld[a-z]?$`)
	byteStride = regexp.MustCompile(`^nb\d*([0-3])$`)
)

// Otherwise are other guesses for integers that nobody has stated: first strides that lie apart, then each integer alone.
// of is the size of a threadgroup.
func (k *Kernel) Otherwise(of metalrun.Size) []Otherwise {
	var list []Otherwise
	integers := k.unstated()
	word := k.widest()
	named, all := apart(integers, word, unstated.named), apart(integers, word, func(x unstated) bool { return x.named() || x.stride })
	for i, strides := range [][]guess{named, all} {
		if len(strides) > 0 && (i == 0 || len(all) > len(named)) {
			o := k.otherwise(strides...)
			o.Apart = true
			list = append(list, o)
		}
	}
	for _, x := range integers {
		for _, value := range []float64{few, many, least} {
			if len(list) < mostOthers {
				o := k.otherwise(guess{x.name, value})
				o.Name, o.Value, o.Bounds = x.name, value, x.Bounds
				o.Wider, o.Least = value == many && x.Strides, value == least
				list = append(list, o)
			}
		}
	}
	if slices.ContainsFunc(k.params, func(p parameter) bool { return p.holds(integer) }) {
		filled, apiece := k.otherwise(), k.otherwise()
		filled.spec.filled, filled.Filled, filled.Stated = true, true, []string{"no zero among the integers in buffers"}
		apiece.spec.apiece, apiece.Apiece, apiece.Stated = true, true, []string{"no two equal integers in buffers"}
		list = append(list, filled, apiece)
	}
	for _, x := range integers {
		if simdgroups := (of.Count() + 31) / 32; simdgroupsName.MatchString(last(x.name)) {
			o := k.otherwise(guess{x.name, float64(simdgroups)})
			o.Counts = true
			list = append(list, o)
		}
	}
	return list
}

// Lengths that are shorter than grids, no multiple of a simdgroup, and more than threads of a threadgroup. What a
// kernel divides by a number without asking for the rest is a multiple of that.
const (
	shortLength = 13
	oddLength   = 77
	longLength  = 1100
	mostLengths = 4 // integers that get such
)

// Lengths are other guesses for lengths, one at a time: any length is as good as the guess.
func (k *Kernel) Lengths() []Otherwise {
	var list []Otherwise
	integers := k.unstated()
	for _, x := range integers {
		if x.stride || !x.Bounds || len(list) == 3*mostLengths {
			continue
		}
		for _, value := range []int{shortLength, oddLength, longLength} {
			value = roundUp(value, max(x.Multiple, 1))
			o := k.otherwise(guess{x.name, float64(value)})
			o.Name, o.Value, o.Bounds, o.Only = x.name, float64(value), true, len(integers) == 1
			o.Alone = !slices.ContainsFunc(integers, func(y unstated) bool { return y.name != x.name && (y.Strides || y.stride) })
			list = append(list, o)
		}
	}
	return list
}

// Distinct is the kernel with no two equal integers in buffers.
func (o Otherwise) Distinct() Kernel {
	spec := *o.spec
	spec.apiece = true
	o.spec = &spec
	return o.Kernel
}

// With is the kernel with another guess for an integer.
func (k *Kernel) With(name string, n int) Kernel { return k.otherwise(guess{name, float64(n)}).Kernel }

// Size is the guess for integers.
func (k *Kernel) Size() int { return k.spec.size() }

// guess is a value for a scalar or an element, as [Spec.Args] has them.
type guess struct {
	name string
	x    float64
}

func (k *Kernel) otherwise(guesses ...guess) Otherwise {
	spec := *k.spec
	spec.guesses = map[string]float64{}
	o := Otherwise{Kernel: *k}
	for _, g := range guesses {
		spec.guesses[g.name] = g.x
		o.Stated = append(o.Stated, stated(g.name, g.x, false).flag)
	}
	o.spec, o.grown = &spec, maps.Clone(k.grown)
	return o
}

// apart are those integers, as strides that are so far from each other that no two places fall together: the
// order does not matter then. word is the stride in bytes of what lies closest.
func apart(integers []unstated, word int, of func(unstated) bool) []guess {
	var list []guess
	next := 0
	for _, x := range integers {
		switch {
		case !of(x):
		case x.axis == 0:
			list = append(list, guess{x.name, float64(word)})
		case x.axis > 0:
			list = append(list, guess{x.name, 4 * far(x.axis-1)})
		case x.length > 1:
			list = append(list, guess{x.name, far(min(x.length, strides) - 1 - min(x.at, strides-1))})
		case x.batches:
			list = append(list, guess{x.name, far(strides - 1)})
		case x.leading:
			list = append(list, guess{x.name, far(0)})
		default:
			list = append(list, guess{x.name, far(next % strides)})
			next++
		}
	}
	return list
}

// widest is the size of the widest scalar that the kernel's buffers hold, a word at least.
func (k *Kernel) widest() int {
	n := 4
	for _, p := range k.params {
		if p.Kind != metalrun.BufferArg || p.scalar() {
			continue
		}
		if p.read != nil {
			n = max(n, p.read.Size)
		}
		for _, m := range p.scalars {
			n = max(n, m.Size)
		}
	}
	return n
}

// far is the stride of an axis, counted from the innermost that has one.
func far(axis int) float64 {
	return [strides]float64{rowStride, rowStride * rows, rowStride * rows * planes}[axis]
}
