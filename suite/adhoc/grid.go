package adhoc

import (
	"slices"
	"strconv"
	"strings"

	"metalconform/metalrun"
)

// grids are the geometries.
func (k *Kernel) grids(of metalrun.Size) []metalrun.Dispatch {
	spec := k.spec
	if spec.Threadgroups != (metalrun.Size{}) || spec.Threads != (metalrun.Size{}) {
		return []metalrun.Dispatch{{Threadgroups: spec.Threadgroups, Threads: spec.Threads, ThreadsPerThreadgroup: of}}
	}
	list := []metalrun.Dispatch{{Threadgroups: metalrun.Size{X: 1, Y: 1, Z: 1}, ThreadsPerThreadgroup: of}}
	several := k.threadgroups()
	if several.Count() == 1 {
		return list
	}
	list = append(list, metalrun.Dispatch{Threadgroups: several, ThreadsPerThreadgroup: of})
	if k.independent() {
		list = append(list, metalrun.Dispatch{Threads: ragged(several, of), ThreadsPerThreadgroup: of})
	}
	return list
}

// independent reports whether threads know only their positions in the grid and share
// no threadgroup memory, so that a host may launch any number of them.
func (k *Kernel) independent() bool {
	return k.Info.StaticThreadgroupMemory == 0 && len(k.memory()) == 0 && !k.Info.Collective &&
		k.readsOnly("thread_position_in_grid", "threads_per_grid")
}

// reads reports whether the kernel reads one of the inputs, or of their components.
func (k *Kernel) reads(inputs ...string) bool {
	return slices.ContainsFunc(inputs, func(input string) bool { return slices.Contains(k.Info.Inputs, input) })
}

// readsOnly reports whether the kernel reads no other inputs along any axis.
func (k *Kernel) readsOnly(inputs ...string) bool {
	return !slices.ContainsFunc(k.Info.Inputs, func(read string) bool {
		input, _, _ := strings.Cut(read, ".")
		return !slices.Contains(inputs, input)
	})
}

// axes are the axes along which the kernel reads one of the inputs.
func (k *Kernel) axes(inputs ...string) []int {
	var list []int
	for axis, component := range []string{".x", ".y", ".z"} {
		if slices.ContainsFunc(inputs, func(input string) bool { return k.reads(input + component) }) {
			list = append(list, axis)
		}
	}
	return list
}

// ragged is a grid of whole threadgroups short of a third of the last along each
// axis.
func ragged(groups, of metalrun.Size) metalrun.Size {
	return metalrun.Size{X: groups.X*of.X - of.X/3, Y: groups.Y*of.Y - of.Y/3, Z: groups.Z*of.Z - of.Z/3}
}

// Threadgroups are the threadgroup sizes that the kernel may be made for, the likeliest first: what is stated, or what
// the source says, or 256 threads, followed by smaller powers of two down to a simdgroup if the number can matter, and
// as many as there may be. Loops that step by a number of threads leave no more than that. They extend along the axes
// on which the kernel reads positions: threads that differ along another, or one where the kernel only asks for the
// first, do the same work. maxThreads is the kernel's limit on the device.
func (k *Kernel) Threadgroups(maxThreads int) []metalrun.Size {
	if of := k.spec.ThreadsPerThreadgroup; of != (metalrun.Size{}) {
		return []metalrun.Size{of}
	}
	if of := k.Info.Required; of != (metalrun.Size{}) {
		return []metalrun.Size{of}
	}
	counts := []int{256, 128, 64, 32}
	axes := slices.DeleteFunc(k.axes("thread_position_in_grid", "thread_position_in_threadgroup"),
		func(axis int) bool { return axis > 0 && k.first[axis] })
	switch {
	case k.Info.MaxThreads > 0:
		counts = []int{maxThreads}
	case k.independent() && len(axes) > 0:
		counts = counts[:1]
	case len(axes) > 0 ||
		k.reads("thread_index_in_threadgroup", "simdgroup_index_in_threadgroup", "quadgroup_index_in_threadgroup"):
		if maxThreads > counts[0] { // made for a number of threads that is no parameter
			counts = append(counts, maxThreads)
		}
	case k.Info.Collective || k.reads("thread_index_in_simdgroup", "thread_index_in_quadgroup"):
		counts = []int{32}
	default:
		counts = []int{1}
	}
	counts = k.said(counts, maxThreads)
	var sizes []metalrun.Size
	if k.rowsOfSimdgroups() {
		for _, n := range counts {
			sizes = append(sizes, metalrun.Size{X: 32, Y: max(n/32, 1), Z: 1})
		}
	}
	for _, n := range counts {
		if size := spread(n, axes); !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
	}
	for _, n := range counts { // tiles are often as wide as a simdgroup, and of fewer rows of threads
		if size := (metalrun.Size{X: 32, Y: n / 32, Z: 1}); slices.Equal(axes, []int{0, 1}) && k.tiled() &&
			size.Y > 1 && !slices.Contains(sizes, size) {
			sizes = append(sizes, size)
		}
	}
	return sizes
}

// said are the numbers of threads that the source says, before those of counts that are less than the first. A constant
// that the kernel itself mentions, or a function that it calls, leaves no others.
func (k *Kernel) said(counts []int, maxThreads int) []int {
	if len(counts) < 2 {
		return counts
	}
	numbers := slices.DeleteFunc(slices.Clone(k.named.Numbers), func(n int) bool { return n > maxThreads })
	if n := k.threads; 1 < n && n <= maxThreads && !slices.Contains(numbers, n) {
		numbers = append([]int{n}, numbers...)
	} else if len(numbers) > 0 && k.named.Calls <= 1 {
		return numbers
	}
	if len(numbers) == 0 {
		return counts
	}
	return append(numbers, slices.DeleteFunc(counts, func(n int) bool {
		return n >= numbers[0] || slices.Contains(numbers, n)
	})...)
}

// tiled reports whether threads share memory at places along two axes.
func (k *Kernel) tiled() bool {
	return k.reads("thread_position_in_threadgroup.x") && k.reads("thread_position_in_threadgroup.y") &&
		k.Info.StaticThreadgroupMemory+len(k.memory()) > 0
}

// rowsOfSimdgroups reports whether a simdgroup is likely to be a row of the threadgroup: the kernel knows
// lanes or simdgroups, or lanes work together, and it knows rows.
func (k *Kernel) rowsOfSimdgroups() bool {
	return (k.Info.Collective || k.reads("thread_index_in_simdgroup", "simdgroup_index_in_threadgroup")) &&
		k.reads("thread_position_in_threadgroup.y", "threads_per_threadgroup.y", "dispatch_threads_per_threadgroup.y")
}

// Several reports whether the kernel is made for threadgroups of more than one simdgroup, or of any number.
func (k *Kernel) Several() bool {
	return k.reads("simdgroup_index_in_threadgroup", "simdgroups_per_threadgroup", "threads_per_threadgroup.x",
		"dispatch_threads_per_threadgroup.x")
}

// Counted is how many simdgroups a threadgroup has by what function constants say, 0 if none says it.
func (k *Kernel) Counted() int {
	for _, c := range k.constants {
		if simdgroupsName.MatchString(c.Name) {
			n, _ := strconv.Atoi(c.value)
			return n
		}
	}
	return 0
}

// spread is n threads along one axis (x if there is none), or the largest power of
// two up to n along several.
func spread(n int, axes []int) metalrun.Size {
	size := [3]int{1, 1, 1}
	switch len(axes) {
	case 0:
		size[0] = n
	case 1:
		size[axes[0]] = n
	default:
		for i := 0; 2*size[0]*size[1]*size[2] <= n; i++ {
			size[axes[i%len(axes)]] *= 2
		}
	}
	return metalrun.Size{X: size[0], Y: size[1], Z: size[2]}
}

// threadgroups is a grid of several threadgroups along the axes on which the kernel
// can tell them apart.
func (k *Kernel) threadgroups() metalrun.Size {
	axes := k.axes("thread_position_in_grid", "threadgroup_position_in_grid")
	counts := [][]int{{}, {4}, {3, 2}, {2, 2, 2}}[len(axes)]
	size := [3]int{1, 1, 1}
	for i, axis := range axes {
		size[axis] = counts[i]
	}
	return metalrun.Size{X: size[0], Y: size[1], Z: size[2]}
}

// allMemory is how much threadgroup memory a threadgroup can have, in bytes.
const allMemory = 32 << 10

// memory is the lengths of the threadgroup arguments: as stated, and equal parts of
// what is left for the others.
func (k *Kernel) memory() []int {
	var lengths []int
	unknown := 0
	left := allMemory - roundUp(k.Info.StaticThreadgroupMemory, 16)
	for _, p := range k.params {
		if p.Kind != metalrun.ThreadgroupArg {
			continue
		}
		for len(lengths) <= p.Index {
			lengths = append(lengths, 0)
		}
		if n, ok := k.spec.Memory[p.Index]; ok {
			lengths[p.Index] = n
			left -= roundUp(n, 16)
		} else {
			unknown++
		}
	}
	for _, p := range k.params {
		if _, ok := k.spec.Memory[p.Index]; p.Kind == metalrun.ThreadgroupArg && !ok {
			lengths[p.Index] = max(left/unknown/16*16, 0)
		}
	}
	return lengths
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }
