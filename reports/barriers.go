package reports

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"metalconform/metalrun"
	"metalconform/suite"
)

// Races that one barrier would order are one finding: what is wrong is the barrier that is missing. A barrier orders
// two lines if it stands between them, so that a set of pairs of lines needs one barrier if some place lies between the
// lines of each. The fewest barriers for all pairs are found as the fewest points that stab intervals: by their ends in
// order, each point as late as the first interval without one allows.

// barriers name the missing barrier of races by their kernels and lines.
type barriers map[string]string

// advised finds the barrier that a race asks for, with the memory that it has to order.
var advised = regexp.MustCompile(`threadgroup_barrier with mem_flags::(\w+) between them would order them`)

// unordered are two lines of a race that a barrier between them would order.
type unordered struct {
	key         string
	first, last int
}

// unorderedLines are those of a failure; ok is false of any other.
func unorderedLines(f suite.Failure) (u unordered, at string, ok bool) {
	flags := advised.FindStringSubmatch(f.Text)
	if f.Check != suite.CheckRace || flags == nil || f.At == nil || f.Other == nil || f.At.File != f.Other.File ||
		f.At.Line == f.Other.Line || min(f.At.Line, f.Other.Line) < 1 {
		return u, "", false
	}
	u.first, u.last = min(f.At.Line, f.Other.Line), max(f.At.Line, f.Other.Line)
	at = fmt.Sprintln(f.Kernel, f.Stage, f.At.File, flags[1])
	u.key = fmt.Sprintln(at, u.first, u.last)
	return u, at, true
}

// barriersOf are the barriers that the races of some results miss.
func barriersOf(results ...suite.Result) barriers {
	pairs := map[string][]unordered{} // by kernel, file and memory
	for _, r := range results {
		for _, f := range r.Failures {
			if u, at, ok := unorderedLines(f); ok && !slices.Contains(pairs[at], u) {
				pairs[at] = append(pairs[at], u)
			}
		}
	}
	names := barriers{}
	for at, list := range pairs {
		slices.SortFunc(list, func(a, b unordered) int {
			return cmp.Or(cmp.Compare(a.last, b.last), cmp.Compare(a.first, b.first))
		})
		point := 0 // a barrier before this line
		for _, u := range list {
			if u.first >= point {
				point = u.last
			}
			names[u.key] = fmt.Sprintln("barrier", at, point)
		}
	}
	return names
}

// cause is the name of the cause of a failure: that of [causeOf], or of the barrier that it misses.
func (b barriers) cause(f suite.Failure) string {
	if u, _, ok := unorderedLines(f); ok && b[u.key] != "" {
		return b[u.key]
	}
	return causeOf(f)
}

// mostPairs is how many pairs of lines a finding names.
const mostPairs = 12

// ofOneBarrier is the gravest of races that one barrier orders, with the lines of the others.
func ofOneBarrier(list []suite.Failure) suite.Failure {
	one := slices.MaxFunc(list, func(a, b suite.Failure) int { return cmp.Compare(gravity(a), gravity(b)) })
	own, _, _ := unorderedLines(one)
	one.Pairs = nil
	for _, f := range list {
		u, _, _ := unorderedLines(f)
		if pair := [2]int{u.first, u.last}; u != own && !slices.Contains(one.Pairs, pair) {
			one.Pairs = append(one.Pairs, pair)
		}
	}
	slices.SortFunc(one.Pairs, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
	one.Pairs = one.Pairs[:min(len(one.Pairs), mostPairs)]
	return one
}

// gravity orders failures by what trials have shown of them.
func gravity(f suite.Failure) int {
	return slices.Index([]metalrun.Grade{metalrun.GradeNote, metalrun.GradeUndefined, metalrun.GradeWrong}, f.Grade)
}
