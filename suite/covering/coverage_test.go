package covering

import (
	"fmt"
	"slices"
	"testing"
)

// factors have so many classes of one value each, 0 and up.
func factors(sizes ...int) (list []Factor) {
	for i, n := range sizes {
		f := Factor{Name: fmt.Sprint("f", i)}
		for v := range n {
			f.Classes = append(f.Classes, Single(v))
		}
		list = append(list, f)
	}
	return list
}

// open is a search that nothing limits.
func open(n int) Search {
	return Search{Base: make([]int, n), Possible: func([]int) bool { return true }, Cost: func([]int) int { return 1 },
		MostCost: 1, Budget: 1 << 20, Rows: 1 << 20, Questions: 1 << 20}
}

// TestExtend makes arrays and counts their tuples again, by another way.
func TestExtend(t *testing.T) {
	for _, test := range []struct {
		sizes          []int
		strength, most int
	}{
		{[]int{2, 2, 2}, 2, 6},
		{[]int{3, 3, 3, 3}, 2, 15},
		{[]int{5, 4, 3, 2, 2}, 2, 24},
		{[]int{3, 3, 3}, 3, 27},
		{[]int{4, 3, 2, 2}, 3, 30},
		{[]int{7, 1, 3}, 2, 21},
	} {
		c := New(factors(test.sizes...), test.strength)
		rows := c.Extend(open(len(test.sizes)))
		if len(rows) > test.most {
			t.Errorf("%v of strength %d: %d rows, want at most %d", test.sizes, test.strength, len(rows), test.most)
		}
		if left := c.Missing(); len(left) > 0 {
			t.Errorf("%v of strength %d: %s is missing", test.sizes, test.strength, c.Describe(left[0]))
		}
		for _, want := range tuplesOf(test.sizes, test.strength) {
			if !slices.ContainsFunc(rows, func(row []int) bool {
				return !slices.ContainsFunc(want, func(x [2]int) bool { return row[x[0]] != x[1] })
			}) {
				t.Errorf("%v of strength %d: no row has %v", test.sizes, test.strength, want)
			}
		}
	}
}

// tuplesOf are all choices of values for so many factors, those with one value left out.
func tuplesOf(sizes []int, strength int) (list [][][2]int) {
	var add func(from int, chosen [][2]int)
	add = func(from int, chosen [][2]int) {
		if len(chosen) == strength {
			list = append(list, slices.Clone(chosen))
			return
		}
		for f := from; f < len(sizes); f++ {
			if sizes[f] < 2 {
				continue
			}
			for v := range sizes[f] {
				add(f+1, append(slices.Clone(chosen), [2]int{f, v}))
			}
		}
	}
	add(0, nil)
	return list
}

// TestConstraints has rows whose values depend on each other.
func TestConstraints(t *testing.T) {
	sizes := []int{4, 4, 3}
	s := open(3)
	s.Possible = func(row []int) bool { return row[0] <= row[1] && (row[2] != 2 || row[0] == 0) }
	c := New(factors(sizes...), 2)
	for _, row := range c.Extend(s) {
		if !s.Possible(row) {
			t.Errorf("%v is not possible", row)
		}
	}
	if left := c.Missing(); len(left) > 0 {
		t.Errorf("%s is missing", c.Describe(left[0]))
	}
	// of 16 + 12 + 12 pairs, f0 > f1 takes six and f2 = 2 with f0 > 0 takes three
	if have, of := c.Count(); have != 31 || of != 31 {
		t.Errorf("%d of %d pairs, want 31 of 31", have, of)
	}
}

// TestCosts leaves out what costs too much, and says so.
func TestCosts(t *testing.T) {
	s := open(2)
	s.Cost = func(row []int) int { return 1 + 10*row[0]*row[1] }
	s.MostCost = 25
	c := New(factors(3, 3), 2)
	c.Extend(s)
	left := c.Missing()
	if len(left) != 1 || c.Describe(left[0]) != "f0 2 with f1 2" {
		t.Errorf("missing: %v", left)
	}
	if c.Has([]int{2, 2}) || !c.Has([]int{2, 1}) {
		t.Error("Has does not follow what is covered")
	}
	s.MostCost, s.Budget = 100, 9
	c = New(factors(3, 3), 2)
	total := 0
	for _, row := range c.Extend(s) {
		total += s.Cost(row)
	}
	if total > 9 {
		t.Errorf("rows cost %d, want at most 9", total)
	}
}

// TestTellApart has a row's values differ where the classes allow it.
func TestTellApart(t *testing.T) {
	f := []Factor{{"heads", []Class{Single(1), {"2…4", []int{2, 4}}}}, {"groups", []Class{Single(1), Single(2)}}}
	s := open(2)
	s.Base = []int{1, 1}
	c := New(f, 2)
	if rows := c.Extend(s); !slices.ContainsFunc(rows, func(r []int) bool { return slices.Equal(r, []int{4, 2}) }) {
		t.Errorf("%v, want 4 heads in 2 groups", rows)
	}
}

// TestRequire has rows for some tuples alone.
func TestRequire(t *testing.T) {
	c := New(factors(3, 3, 3), 2)
	c.Require(func(t Tuple) bool { return t[0].Factor == 0 && t[0].Class == 2 })
	for _, row := range c.Extend(open(3)) {
		if row[0] != 2 {
			t.Errorf("%v is for nothing that is required", row)
		}
	}
	if have, of := c.Count(); have != 6 || of != 6 {
		t.Errorf("%d of %d, want 6 of 6", have, of)
	}
}

// TestHostileFactors bounds the work for factors that make very many tuples.
func TestHostileFactors(t *testing.T) {
	sizes := make([]int, 64)
	for i := range sizes {
		sizes[i] = 12
	}
	s := open(64)
	s.Rows, s.Questions = 20, 2000
	c := New(factors(sizes...), 3)
	if c.strength != 1 {
		t.Errorf("strength %d, want 1: pairs make more than %d tuples", c.strength, MostTuples)
	}
	c = New(factors(sizes[:32]...), 3)
	if c.strength != 2 {
		t.Errorf("strength %d, want 2", c.strength)
	}
	s.Base = s.Base[:32]
	if rows := c.Extend(s); len(rows) > 20 {
		t.Errorf("%d rows, want at most 20", len(rows))
	}
	if c := New(nil, 2); len(c.Extend(open(0))) > 0 || c.strength != 0 {
		t.Error("no factors have rows")
	}
}

// TestGroup puts values together that stand for each other.
func TestGroup(t *testing.T) {
	for _, test := range []struct {
		values []int
		base   int
		want   string
	}{
		{[]int{1, 0}, 0, "[{0 [0]} {1 [1]}]"},
		{[]int{64, 1, 3, 3}, 3, "[{1 [1]} {3 [3]} {64 [64]}]"},
		{[]int{1, 2, 17, 31, 32, 33, 64, 127, 257, 1009}, 33,
			"[{1 [1]} {2…31 [2 17 31]} {32…64 in steps of 32 [32 64]} {33…127 [33 127]} {257…1009 [257 1009]}]"},
		{[]int{1, 2, 3, 5, 17}, 5, "[{1 [1]} {2…17 [5 2 3 17]}]"},
	} {
		if got := fmt.Sprint(Group(test.values, test.base)); got != test.want {
			t.Errorf("%v: %s, want %s", test.values, got, test.want)
		}
	}
	f := Factor{Classes: Group([]int{1, 2, 17, 64, 257}, 2)}
	if got := fmt.Sprint(f.From(33)); got != "{33 and more [33 64 257]}" {
		t.Error(got)
	}
}
