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
	Apart  bool   // strides lie apart; no other integer is changed, but for Small
	Small  bool   // integers are small, so that what lies apart takes less memory
	Wider  bool   // of an integer by which indices are multiplied, there is more
	Least  bool   // an integer is so small that little is left to be found
	Few    bool   // an integer is small
	Parts  bool   // indices are divided by that integer
	Filled bool   // integers in buffers are other than zero, and no guess is changed
	Ranged bool   // floats are drawn from elsewhere, and no guess of an integer is changed
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
	mostOthers = 120     // guesses of one integer
	few        = 8       // for a count: less than arrays of kernels hold
	many       = 4096    // for a length of rows
	several    = 4       // times the guess, for all lengths by which indices are multiplied
	beyond     = 1 << 22 // for an offset: bytes behind what indices of guessed lengths reach
	least      = 1       // for what picks one of few
	strides    = 3       // of a table of which nobody knows how many it has
	rowWords   = 20      // words for each element of a row, which may be a matrix of 64 bytes, and more
	leastRow   = 320     // words of a row: an index of threads may not be bounded by a length
	rows       = 1 << 6  // of them that lie together: as many as an index of guessed length tells apart
	planes     = 5       // of these that do: more than the grids of launches have
	nearRow    = 64      // words of a row, where little memory has to do
	nearAxes   = 4       // axes there
	nearBeyond = 1 << 20 // bytes before an offset there
)

// simdgroupsName are names of the number of simdgroups of a threadgroup.
var simdgroupsName = regexp.MustCompile(`(?i)(^|_)(n|num|number|count)?_?(of_)?` +
	`(sg|simds?|simd_?groups?)(_?(n|num|count))?$`)

// ranges are where floats are drawn from otherwise: decays and gates in logarithms are below zero, so that what is
// computed with them from token to token stays finite, and products of small numbers do, too.
func ranges() []Interval { return []Interval{{-1, -0.5}, {0x1p-8, 0x1p-7}, {-0x1p-6, 0x1p-6}} }

// Smaller is the kernel with smaller integers, false if their size is stated or small, or it reads none.
func (k *Kernel) Smaller() (smaller Kernel, flag string, ok bool) {
	if k.spec.Size != 0 || k.spec.size() == few || len(k.unstated()) == 0 {
		return *k, "", false
	}
	o := k.otherwise()
	if o.spec.fewer = defaultSize / 2; k.spec.fewer != 0 {
		o.spec.fewer = few
	}
	return o.Kernel, o.sizeFlag(), true
}

// strideName are names of strides, and of the strides in bytes of ggml with their axis.
var (
	strideName = regexp.MustCompile(`(?i)stride|pitch|^ld[a-z]?$|_ld[a-z]?$`)
	byteStride = regexp.MustCompile(`^nb_?[a-z]?\d*([0-3])$`)
)

// Otherwise are other guesses for integers that nobody has stated: first strides that lie apart, then each integer
// alone. of is the size of a threadgroup.
func (k *Kernel) Otherwise(of metalrun.Size) []Otherwise {
	integers := k.unstated()
	list := k.apart(integers, of)
	if wide := k.wide(integers); len(wide) > 1 {
		o := k.otherwise(wide...)
		o.Wider = true
		list = append(list, o)
	}
	for _, x := range integers {
		values := []float64{few, many, least}
		if _, is := x.Choice(); is {
			values = x.otherCases()
		}
		for _, value := range values {
			if len(list) < mostOthers {
				o := k.otherwise(guess{x.name, value})
				o.Name, o.Value, o.Bounds = x.name, value, x.Bounds
				o.Wider, o.Least, o.Parts = value == many && x.Strides, value == least, x.Divides
				o.Few = value == few || value == least
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
	holds := func(p parameter) bool { return p.holds(floating, brain) }
	if k.spec.Floats == nil && slices.ContainsFunc(k.params, holds) {
		for _, in := range ranges() {
			o := k.otherwise()
			o.spec.Floats, o.Ranged = &in, true
			o.Stated = []string{"-range " + spelt(in.Low) + "," + spelt(in.High)}
			list = append(list, o)
		}
	}
	for _, x := range integers {
		if n := (of.Count() + 31) / 32; simdgroupsName.MatchString(last(x.name)) {
			o := k.otherwise(guess{x.name, float64(n)})
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

// Lengths are other guesses for lengths, one at a time: any length is as good as the guess. So are the other cases of
// an integer that chooses between several.
func (k *Kernel) Lengths() []Otherwise {
	var list []Otherwise
	integers := k.unstated()
	for _, x := range integers {
		if _, is := x.Choice(); is {
			for _, value := range x.otherCases() {
				o := k.otherwise(guess{x.name, value})
				o.Name, o.Value, o.Only = x.name, value, len(integers) == 1
				list = append(list, o)
			}
		}
	}
	for _, x := range integers {
		if x.stride || !x.Bounds || len(list) >= 3*mostLengths {
			continue
		}
		for _, value := range []int{shortLength, oddLength, longLength} {
			value = roundUp(value, max(x.Multiple, 1))
			o := k.otherwise(k.shorter(integers, guess{x.name, float64(value)})...)
			o.Name, o.Value, o.Bounds, o.Only = x.name, float64(value), true, len(integers) == 1
			o.Alone = !slices.ContainsFunc(integers,
				func(y unstated) bool { return y.name != x.name && (y.Strides || y.stride) })
			list = append(list, o)
		}
	}
	return list
}

// shorter is a guess for a length, and others for what is added to indices, which have to stay within one that is
// short.
func (k *Kernel) shorter(integers []unstated, length guess) []guess {
	list := []guess{length}
	for _, x := range integers {
		if x.offset() && int(length.x) < k.spec.size() {
			list = append(list, guess{x.name, float64(int(length.x) / 2)})
		}
	}
	return list
}

// Alike is the kernel with one length for all.
func (o Otherwise) Alike() Kernel {
	var guesses []guess
	for _, x := range o.unstated() {
		if !x.stride && x.Bounds {
			guesses = append(guesses, guess{x.name, float64(roundUp(int(o.Value), max(x.Multiple, 1)))})
		}
	}
	return o.otherwise(guesses...).Kernel
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
	spec.guesses = maps.Clone(k.spec.guesses)
	if spec.guesses == nil {
		spec.guesses = map[string]float64{}
	}
	o := Otherwise{Kernel: *k}
	for _, g := range guesses {
		spec.guesses[g.name] = g.x
		o.Stated = append(o.Stated, stated(g.name, g.x, false).flag)
	}
	o.spec, o.grown = &spec, maps.Clone(k.grown)
	return o
}

// apart are guesses by which no two places fall together: of integers whose names say that they are strides, of those
// whose use does, and of offsets. If they take too much memory, smaller integers may do. of is the size of a
// threadgroup.
func (k *Kernel) apart(integers []unstated, of metalrun.Size) []Otherwise {
	offsets := func(x unstated) bool { return x.named() || x.stride || x.offset() }
	kinds := []func(unstated) bool{unstated.named, func(x unstated) bool { return x.named() || x.stride }, offsets}
	far := k.far()
	var list []Otherwise
	last := 0
	for _, kind := range kinds {
		if guesses := far.strides(integers, kind); len(guesses) > last {
			o := k.otherwise(guesses...)
			o.Apart, last = true, len(guesses)
			list = append(list, o)
		}
	}
	if bytes := slices.ContainsFunc(integers, func(x unstated) bool { return x.axis == 0 }); bytes && k.stored > 0 &&
		k.stored != k.widest {
		elements := far
		elements.element = k.stored
		o := k.otherwise(elements.strides(integers, offsets)...)
		o.Apart = true
		list = append(list, o)
	}
	if guesses := far.outside().strides(integers, offsets); len(guesses) > 0 &&
		!slices.Equal(guesses, far.strides(integers, offsets)) {
		o := k.otherwise(guesses...)
		o.Apart = true
		list = append(list, o)
	}
	small := k.small()
	if small == nil {
		return list
	}
	near := func(guesses []guess) {
		o := small.otherwise(guesses...)
		o.Apart, o.Small = true, true
		o.Stated = append(o.Stated, small.sizeFlag())
		list = append(list, o)
	}
	last = 0
	for _, kind := range kinds[1:] {
		if guesses := small.far().strides(integers, kind); len(guesses) > last {
			last = len(guesses)
			near(guesses)
		}
	}
	if last == 0 {
		return list
	}
	byThreads := small.near(of).strides(integers, offsets)
	near(byThreads)
	byUse := small.near(of)
	byUse.threads = 0
	if guesses := byUse.strides(integers, offsets); !slices.Equal(guesses, byThreads) {
		near(guesses)
	}
	return list
}

// small is the kernel with small integers, nil if it has them, or somebody states their size.
func (k *Kernel) small() *Kernel {
	if k.spec.Size != 0 || k.spec.size() == few {
		return nil
	}
	o := k.otherwise()
	o.spec.fewer = few
	return &o.Kernel
}

// Smallest is the kernel with small integers: what [Otherwise.Small] has, but for the strides.
func (k *Kernel) Smallest() Kernel { return *k.small() }

func (k *Kernel) sizeFlag() string { return fmt.Sprintf("-size %d", k.spec.size()) }

// wide are guesses for all lengths by which indices are multiplied: more than a grid has threadgroups, even if each has
// as many elements as the guess of one says.
func (k *Kernel) wide(integers []unstated) []guess {
	var list []guess
	for _, x := range integers {
		if x.Strides && !x.named() {
			list = append(list, guess{x.name, float64(several * k.spec.size())})
		}
	}
	return list
}

// distances are what strides and offsets are guessed to be.
type distances struct {
	element int       // bytes between elements
	words   []float64 // along an axis, counted from the innermost that has one
	first   int       // axis of the first stride whose name tells none
	threads float64   // of what indices are multiplied by and no name calls a stride; 0: as strides
	beyond  float64   // an offset
}

// far are distances that lie apart for any indices of guessed lengths.
func (k *Kernel) far() distances {
	row := float64(max(rowWords*k.spec.size(), leastRow))
	return distances{element: k.widest, words: []float64{row, row * rows, row * rows * planes}, beyond: beyond}
}

// outside are distances of which strides without an axis have the large ones first: rows of a batch may be in one.
func (d distances) outside() distances {
	d.first = len(d.words) - 1
	return d
}

// near are distances of which several and their products take little memory: rows begin apart for some elements of
// each thread, there are as many rows as a small length says, and what a position of a thread is added to is as long
// as there are threads.
func (k *Kernel) near(of metalrun.Size) distances {
	d := distances{element: k.widest, threads: float64(of.Count()), beyond: nearBeyond}
	row := max(nearRow, 2*d.threads)
	for range nearAxes {
		d.words = append(d.words, row)
		row *= few
	}
	return d
}

// strides are those integers, as strides that are so far from each other that no two places fall together: the
// order does not matter then.
func (d distances) strides(integers []unstated, of func(unstated) bool) []guess {
	var list []guess
	next, axes := d.first, len(d.words)
	for _, x := range integers {
		switch {
		case !of(x):
		case x.offset():
			list = append(list, guess{x.name, d.beyond})
		case x.axis == 0:
			list = append(list, guess{x.name, float64(d.element)})
		case x.axis > 0:
			list = append(list, guess{x.name, 4 * d.words[x.axis-1]})
		case d.threads > 0 && !x.named():
			list = append(list, guess{x.name, d.threads})
		case x.length > 1:
			list = append(list, guess{x.name, d.words[min(x.length, axes)-1-min(x.at, axes-1)%min(x.length, axes)]})
		case x.batches:
			list = append(list, guess{x.name, d.words[axes-1]})
		case x.leading:
			list = append(list, guess{x.name, d.words[0]})
		default:
			list = append(list, guess{x.name, d.words[next%axes]})
			next++
		}
	}
	return list
}
