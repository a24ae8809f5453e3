package covering

import (
	"slices"
	"strings"
)

// MostTuples is how many tuples of classes a coverage counts. Of factors that make more, only pairs or nothing counts.
const MostTuples = 1 << 18

// Choice is a class of a factor, by their numbers.
type Choice struct{ Factor, Class int }

// Tuple is a class for each of some factors, in their order.
type Tuple []Choice

// status is what is known of a tuple.
type status uint8

const (
	missing status = iota
	costly         // missing, and every row that was found with it costs too much
	refused        // no possible row was found that has it
	covered
)

// Coverage counts which tuples of classes some rows have. A row has a value for each factor.
type Coverage struct {
	factors  []Factor
	strength int // how many factors a tuple has
	sets     []subset
	of       [][]int  // by factor: the numbers of the sets that have it
	tuples   []status // by subset.first and the classes
	work     int      // steps of the search so far
}

// subset is some factors, whose tuples lie together.
type subset struct {
	factors []int
	first   int
}

// New counts tuples of so many factors, two or three. It counts fewer where there are too few factors, or more tuples
// than MostTuples. Factors with one class make no tuple that is worth a row.
func New(factors []Factor, strength int) *Coverage {
	c := &Coverage{factors: factors, of: make([][]int, len(factors))}
	var several []int
	for i, f := range factors {
		if len(f.Classes) > 1 {
			several = append(several, i)
		}
	}
	for c.strength = min(strength, 3, len(several)); c.strength > 0; c.strength-- {
		if c.choose(several, nil, 0) {
			break
		}
		c.sets = nil
	}
	for i, s := range c.sets {
		for _, f := range s.factors {
			c.of[f] = append(c.of[f], i)
		}
	}
	n := 0
	if len(c.sets) > 0 {
		last := c.sets[len(c.sets)-1]
		n = last.first + c.size(last.factors)
	}
	c.tuples = make([]status, n)
	return c
}

// choose adds all subsets that begin with some factors. It reports false if they have too many tuples.
func (c *Coverage) choose(from, chosen []int, first int) bool {
	if len(chosen) == c.strength {
		if n := len(c.sets); n > 0 {
			first = c.sets[n-1].first + c.size(c.sets[n-1].factors)
		}
		c.sets = append(c.sets, subset{slices.Clone(chosen), first})
		return first+c.size(chosen) <= MostTuples
	}
	for i, f := range from {
		if !c.choose(from[i+1:], append(chosen, f), 0) {
			return false
		}
	}
	return true
}

// size is how many tuples some factors have.
func (c *Coverage) size(factors []int) int {
	n := 1
	for _, f := range factors {
		n *= len(c.factors[f].Classes)
	}
	return n
}

// Require has only those tuples count that are needed.
func (c *Coverage) Require(needed func(Tuple) bool) {
	for i := range c.tuples {
		if !needed(c.tuple(i)) {
			c.tuples[i] = refused
		}
	}
}

// Add counts the tuples of a row.
func (c *Coverage) Add(row []int) {
	classes := c.classes(row)
	for _, s := range c.sets {
		c.each(s, classes, func(at int) {
			if c.tuples[at] != refused {
				c.tuples[at] = covered
			}
		})
	}
}

// Has reports whether rows that were added have all tuples that a row has, but for those that are refused.
func (c *Coverage) Has(row []int) bool {
	classes, has := c.classes(row), true
	for _, s := range c.sets {
		c.each(s, classes, func(at int) { has = has && c.tuples[at] >= refused })
	}
	return has
}

// classes are the classes of a row's values, by factor.
func (c *Coverage) classes(row []int) [][]int {
	list := make([][]int, len(row))
	for i, v := range row {
		list[i] = c.factors[i].index(v)
	}
	return list
}

// each visits the tuples of a set that a row with these classes has.
func (c *Coverage) each(s subset, classes [][]int, visit func(at int)) {
	var from func(i, at int)
	from = func(i, at int) {
		if i == len(s.factors) {
			visit(s.first + at)
			return
		}
		f := s.factors[i]
		for _, class := range classes[f] {
			from(i+1, at*len(c.factors[f].Classes)+class)
		}
	}
	from(0, 0)
}

// tuple is the one of that number.
func (c *Coverage) tuple(number int) Tuple {
	i, found := slices.BinarySearchFunc(c.sets, number, func(s subset, n int) int { return s.first - n })
	if !found {
		i--
	}
	s := c.sets[i]
	t, at := make(Tuple, len(s.factors)), number-s.first
	for j := len(s.factors) - 1; j >= 0; j-- {
		f := s.factors[j]
		n := len(c.factors[f].Classes)
		t[j] = Choice{f, at % n}
		at /= n
	}
	return t
}

// Missing are the tuples that no row has, in order, without those for which no possible row was found.
func (c *Coverage) Missing() (list []Tuple) {
	for i, s := range c.tuples {
		if s == missing || s == costly {
			list = append(list, c.tuple(i))
		}
	}
	return list
}

// Count is how many tuples rows have, and how many they could have.
func (c *Coverage) Count() (have, of int) {
	for _, s := range c.tuples {
		if s != refused {
			of++
		}
		if s == covered {
			have++
		}
	}
	return have, of
}

// Describe says which classes a tuple has, such as "D 64 with causal 1".
func (c *Coverage) Describe(t Tuple) string {
	var parts []string
	for _, choice := range t {
		f := c.factors[choice.Factor]
		parts = append(parts, f.Name+" "+f.Classes[choice.Class].Name)
	}
	return strings.Join(parts, " with ")
}
