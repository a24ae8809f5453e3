package covering

import (
	"cmp"
	"slices"
)

// Limits of a search.
const (
	mostWork   = 1 << 24 // visits of tuples
	mostRepair = 48      // questions about one tuple before it counts as refused
	mostValues = 4       // of a class that are tried
	cheap      = 16      // a row is, at such a part of what a row may cost
)

// Search says which rows may be added.
type Search struct {
	Base      []int                // a possible row, which rows are like where nothing else is gained
	Possible  func(row []int) bool // constraints
	Cost      func(row []int) int  // of a possible row
	MostCost  int                  // of a row
	Budget    int                  // of all rows that are added
	Rows      int                  // at most so many are added
	Questions int                  // at most so many rows are asked about
}

// Extend adds rows until each tuple is covered or refused, or a limit is met: the cheapest rows first. It returns the
// rows in the order in which they were added.
func (c *Coverage) Extend(s Search) (rows [][]int) {
	e := &extension{Coverage: c, Search: s, known: map[string]int{}}
	type beginning struct {
		tuple, cost int
		row         []int
	}
	var list []beginning
	for at := range c.tuples {
		if c.tuples[at] != missing || e.exhausted() {
			continue
		}
		row, found := e.begin(c.tuple(at))
		if found == covered {
			list = append(list, beginning{at, e.cost(row), row})
		} else {
			c.tuples[at] = found
		}
	}
	slices.SortStableFunc(list, func(a, b beginning) int { return cmp.Compare(a.cost, b.cost) })
	left := s.Budget
	for _, b := range list {
		switch {
		case c.tuples[b.tuple] != missing || len(rows) >= s.Rows:
			continue
		case b.cost > left:
			c.tuples[b.tuple] = costly
			continue
		}
		e.improve(b.row, c.tuple(b.tuple), left)
		e.tellApart(b.row, left)
		left -= e.cost(b.row)
		c.Add(b.row)
		rows = append(rows, b.row)
	}
	return rows
}

// extension is a search under way.
type extension struct {
	*Coverage
	Search
	known map[string]int // the cost of rows that were asked about, or impossible
	asked int
}

const impossible = -1

// answer is what is known of a row.
type answer uint8

const (
	never answer = iota
	expensive
	allowed
)

func (e *extension) exhausted() bool { return e.work > mostWork || e.asked >= e.Questions }

// cost is what a row costs, or impossible. What the caller says of a row is remembered: a specification computes it.
func (e *extension) cost(row []int) int {
	key := make([]byte, 0, 4*len(row))
	for _, v := range row {
		key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24), byte(v>>32))
	}
	cost, found := e.known[string(key)]
	if !found {
		e.asked++
		if cost = impossible; e.Possible(row) {
			cost = e.Cost(row)
		}
		e.known[string(key)] = cost
	}
	return cost
}

// ask asks about a row.
func (e *extension) ask(row []int) answer {
	switch cost := e.cost(row); {
	case cost == impossible:
		return never
	case cost > e.MostCost:
		return expensive
	}
	return allowed
}

// begin is a row that has a tuple: the base row with values of its classes, or one in which another factor is changed.
func (e *extension) begin(t Tuple) (row []int, found status) {
	found = refused
	left := mostRepair
	try := func() bool {
		left--
		switch e.ask(row) {
		case allowed:
			found = covered
		case expensive:
			found = costly
		}
		return found == covered || left <= 0 || e.exhausted()
	}
	for _, values := range e.values(t) {
		row = slices.Clone(e.Base)
		for i, choice := range t {
			row[choice.Factor] = values[i]
		}
		if try() || e.repair(row, t, try) {
			break
		}
	}
	if found == refused && e.exhausted() {
		found = missing
	}
	return row, found
}

// values are combinations of values of a tuple's classes, the preferred ones first.
func (e *extension) values(t Tuple) [][]int {
	list := [][]int{nil}
	for _, choice := range t {
		values := e.factors[choice.Factor].Classes[choice.Class].Values
		var next [][]int
		for _, before := range list {
			for _, v := range values[:min(len(values), mostValues)] {
				next = append(next, append(slices.Clone(before), v))
			}
		}
		list = next
	}
	return list
}

// repair changes one free factor of a row at a time until a question ends the search. The row is as it was if none
// does.
func (e *extension) repair(row []int, t Tuple, try func() bool) bool {
	for f, factor := range e.factors {
		if inTuple(t, f) {
			continue
		}
		was := row[f]
		for _, class := range factor.Classes {
			if row[f] = class.Values[0]; row[f] != was && try() {
				return true
			}
		}
		row[f] = was
	}
	return false
}

func inTuple(t Tuple, factor int) bool {
	return slices.ContainsFunc(t, func(c Choice) bool { return c.Factor == factor })
}

// improve gives each factor outside of a tuple, in order, the class with which the row has most tuples that are new. A
// row that becomes dearer has to gain as much, and may not cost more than what is left.
func (e *extension) improve(row []int, t Tuple, left int) {
	classes, all := e.classes(row), 0
	for _, s := range e.sets {
		all += e.missingIn(s, classes)
	}
	for f, factor := range e.factors {
		if inTuple(t, f) || len(factor.Classes) < 2 {
			continue
		}
		was, least, cost := row[f], e.gain(f, classes), e.cost(row)
		type candidate struct{ value, gain int }
		var better []candidate
		for i := range factor.Classes {
			value := factor.Classes[i].Values[0]
			classes[f] = factor.index(value)
			if gain := e.gain(f, classes); gain > least {
				better = append(better, candidate{value, gain})
			}
		}
		slices.SortStableFunc(better, func(a, b candidate) int { return b.gain - a.gain })
		for _, b := range better {
			if row[f] = b.value; e.ask(row) == allowed {
				more := all + b.gain - least
				if dearer := e.cost(row); dearer <= left && (dearer <= e.MostCost/cheap || dearer/more <= cost/all) {
					all = more
					break
				}
			}
			row[f] = was
			if e.exhausted() {
				break
			}
		}
		classes[f] = factor.index(row[f])
	}
}

// tellApart has factors whose values are equal take other values of their classes: a row in which they are equal shows
// nothing of code that takes one for the other. Zero and one are special, and stay.
func (e *extension) tellApart(row []int, left int) {
	for f, factor := range e.factors {
		was := row[f]
		if was < 2 || same(row, was) == 1 {
			continue
		}
		classes := factor.index(was)
		for _, v := range factor.Classes[classes[0]].Values {
			if v < 2 || same(row, v) > 0 || !subsetOf(classes, factor.index(v)) {
				continue
			}
			if row[f] = v; e.ask(row) == allowed && e.cost(row) <= left {
				break
			}
			if row[f] = was; e.exhausted() {
				return
			}
		}
	}
}

// same is how many factors have a value.
func same(row []int, value int) (n int) {
	for _, v := range row {
		if v == value {
			n++
		}
	}
	return n
}

// subsetOf reports whether all of some numbers are among others.
func subsetOf(a, b []int) bool {
	return !slices.ContainsFunc(a, func(n int) bool { return !slices.Contains(b, n) })
}

// gain is how many new tuples a row has in which a factor is.
func (e *extension) gain(factor int, classes [][]int) (n int) {
	for _, s := range e.of[factor] {
		n += e.missingIn(e.sets[s], classes)
	}
	return n
}

// missingIn is how many new tuples of a set a row has.
func (e *extension) missingIn(s subset, classes [][]int) (n int) {
	e.each(s, classes, func(at int) {
		e.work++
		if e.tuples[at] == missing {
			n++
		}
	})
	return n
}
