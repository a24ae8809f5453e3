package trend

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"metalconform/reports"
)

// A curve compares like with like: it covers the shapes that were measured, in the same passing cases, on all of its
// nights. A shape that is missing on some night is left out of all nights. Two rules keep a curve from losing all its
// shapes so. A night that lacks most of what nights before and after it have is left out: the device was not there. And
// a curve begins only after the last night that has nothing in common with the newest: the sweep is new, or a case of
// the only shape has failed since.

// set identifies what a night measured of a shape: its cases, and which of them did not pass.
type set struct{ prefix, inputs, notPassed string }

// sets gives numbers to sets.
type sets struct {
	number map[set]int
	whole  map[*Sweep][]int   // of the shapes of a sweep where all cases pass
	joined map[*string]string // inputs, by the first of a list, which many shapes share
}

func newSets() *sets { return &sets{map[set]int{}, map[*Sweep][]int{}, map[*string]string{}} }

// measured returns the numbers of the sets that a night measured, each with its shape.
func (s *sets) measured(k *Kernel, values []float32) map[int]int {
	found := map[int]int{}
	if k == nil || len(values) == 0 {
		return found
	}
	numbers := s.of(k)
	for shape, value := range values {
		if value > 0 {
			found[numbers[shape]] = shape
		}
	}
	return found
}

// of returns the number of the set of each shape.
func (s *sets) of(k *Kernel) []int {
	numbers, ok := s.whole[k.Sweep]
	if !ok {
		for _, shape := range k.Shapes {
			numbers = append(numbers, s.add(set{prefix: shape.Prefix, inputs: s.join(shape.Inputs)}))
		}
		s.whole[k.Sweep] = numbers
	}
	if len(k.NotPassed) == 0 {
		return numbers
	}
	numbers = slices.Clone(numbers)
	failing := map[int][]byte{}
	for _, v := range k.NotPassed {
		i := k.shape(v.Case)
		failing[i] = append(strconv.AppendInt(failing[i], int64(v.Case-k.Shapes[i].First), 10), ' ')
	}
	for i, list := range failing {
		shape := k.Shapes[i]
		numbers[i] = s.add(set{shape.Prefix, s.join(shape.Inputs), string(list)})
	}
	return numbers
}

func (s *sets) join(inputs []string) string {
	if len(inputs) == 0 {
		return ""
	}
	text, ok := s.joined[&inputs[0]]
	if !ok {
		text = strings.Join(inputs, "\n")
		s.joined[&inputs[0]] = text
	}
	return text
}

func (s *sets) add(x set) int {
	n, ok := s.number[x]
	if !ok {
		n = len(s.number)
		s.number[x] = n
	}
	return n
}

// comparable is what nights of a kernel can be compared by.
type comparable struct {
	nights []int   // by number
	shapes [][]int // of each night, in the same order
}

// compare finds the nights and the shapes that a curve of the kernel covers, among the given nights. Column is the
// quantity that must be known.
func (l lineage) compare(nights []int, column func(*Kernel) []float32) comparable {
	s := newSets()
	measured := make([]map[int]int, len(nights))
	for i, n := range nights {
		var values []float32
		if k := l.nights[n]; k != nil {
			values = column(k)
		}
		measured[i] = s.measured(l.nights[n], values)
	}
	var c comparable
	var kept []map[int]int
	for i, gap := range gaps(measured) {
		if !gap {
			c.nights, kept = append(c.nights, nights[i]), append(kept, measured[i])
		}
	}
	newest := kept[len(kept)-1]
	common := slices.Collect(maps.Keys(newest))
	first := len(kept)
	for first > 0 {
		still := slices.DeleteFunc(slices.Clone(common), func(n int) bool { _, ok := kept[first-1][n]; return !ok })
		if len(still) == 0 {
			break
		}
		first, common = first-1, still
	}
	slices.SortFunc(common, func(a, b int) int { return cmp.Compare(newest[a], newest[b]) })
	c.nights = c.nights[first:]
	for _, m := range kept[first:] {
		list := make([]int, len(common))
		for i, number := range common {
			list[i] = m[number]
		}
		c.shapes = append(c.shapes, list)
	}
	return c
}

// gaps reports for each night whether it lacks most of what some night before it and some night after it have.
func gaps(measured []map[int]int) []bool {
	type span struct{ first, last int }
	spans := map[int]span{}
	for i, m := range measured {
		for number := range m {
			s, ok := spans[number]
			if !ok {
				s.first = i
			}
			s.last = i
			spans[number] = s
		}
	}
	list := make([]bool, len(measured))
	around, lacking := make([]int, len(measured)), make([]int, len(measured))
	for number, s := range spans {
		for i := s.first + 1; i < s.last; i++ {
			around[i]++
			if _, ok := measured[i][number]; !ok {
				lacking[i]++
			}
		}
	}
	for i := range list {
		list[i] = 2*lacking[i] > around[i]
	}
	return list
}

// means returns the mean over the cases of c for each night, of a value that each shape has. It is nil if there are no
// nights.
func (l lineage) means(c comparable, value func(k *Kernel, shape int) float64) []float64 {
	if len(c.nights) == 0 {
		return nil
	}
	var list []float64
	for i, n := range c.nights {
		k := l.nights[n]
		sum, count, passing := 0.0, 0, k.passing()
		for _, shape := range c.shapes[i] {
			sum += float64(value(k, shape) * float64(passing[shape]))
			count += passing[shape]
		}
		list = append(list, sum/float64(count))
	}
	return list
}

// accuracyCurves returns three curves for each kernel: how large its errors are, and how systematic.
func accuracyCurves(kernels []lineage, nights []Night, p reports.Policy) []curve {
	exact := true
	all := make([]int, len(nights))
	for i, n := range nights {
		all[i] = i
		exact = exact && n.Exact && n.Seed == nights[0].Seed
	}
	var list []curve
	for _, l := range kernels {
		c := l.compare(all, func(k *Kernel) []float32 { return k.Error })
		for _, m := range []struct {
			name  string
			least float64
			value func(k *Kernel, shape int) float64
		}{
			{"error", math.Log1p(p.Error), func(k *Kernel, i int) float64 { return math.Log(float64(k.Error[i])) }},
			{"bias", p.Bias, func(k *Kernel, i int) float64 { return float64(k.Bias[i]) }},
			{"inward", p.Bias, func(k *Kernel, i int) float64 { return float64(k.Inward[i]) }},
		} {
			if values := l.means(c, m.value); values != nil {
				list = append(list, curve{
					aspect: reports.Accuracy, name: l.name, measure: m.name, exact: exact, least: m.least,
					nights: c.nights, values: values,
				})
			}
		}
	}
	return list
}

// speedCurves returns a curve for each case that conform bench timed, and one for the launches of each kernel. They
// cover the nights whose settings, or whose processors, are those of the newest night.
func speedCurves(kernels []lineage, nights []Night, p reports.Policy) []curve {
	alike := func(of func(Night) string) (numbers []int) {
		for i, n := range nights {
			if of(n) == of(nights[len(nights)-1]) {
				numbers = append(numbers, i)
			}
		}
		return numbers
	}
	least := func(k *Kernel) float64 { return math.Log1p(cmp.Or(p.Families[k.Family], p.Time)) }
	var list []curve
	timed := alike(func(n Night) string { return n.Bench })
	for _, l := range kernels {
		for _, c := range l.timed(timed) {
			c.least = least(l.nights[len(nights)-1])
			list = append(list, c)
		}
	}
	launched := alike(func(n Night) string { return n.Machine })
	for _, l := range kernels {
		if l.nights[len(nights)-1] == nil {
			continue
		}
		c := l.compare(launched, func(k *Kernel) []float32 { return k.Time })
		values := l.means(c, func(k *Kernel, i int) float64 { return math.Log(float64(k.Time[i]) / 1e9) })
		if values != nil {
			list = append(list, curve{
				aspect: reports.Speed, name: l.name, measure: "time", least: least(l.nights[len(nights)-1]),
				nights: c.nights, values: values,
			})
		}
	}
	return list
}

// timed returns a curve for each case that conform bench timed on all of the given nights.
func (l lineage) timed(nights []int) []curve {
	values := map[string][]float64{}
	for _, n := range nights {
		if l.nights[n] == nil {
			return nil
		}
		for _, t := range l.nights[n].Timed {
			name := l.nights[n].Name(t.Case)
			values[name] = append(values[name], math.Log(t.Seconds))
		}
	}
	var list []curve
	newest := l.nights[nights[len(nights)-1]]
	for _, t := range newest.Timed {
		name := newest.Name(t.Case)
		if len(values[name]) == len(nights) {
			list = append(list, curve{
				aspect: reports.Speed, name: name, measure: "time", nights: nights, values: values[name],
			})
		}
	}
	return list
}
