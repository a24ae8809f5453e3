package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metalconform/reports"
	"metalconform/suite"
)

// names are the files of the pages, by what they are about.
type names struct {
	family, kernel, source map[string]string
	paged                  map[int]string // cases that have a page, by their indices in Results
}

// A case has a page if it did not pass, up to mostPages of its kernel and about
// pagesEach for each kernel that has one of all, the worst first. So have the worst worstPages that passed.
const (
	mostPages  = 500
	pagesEach  = 10
	worstPages = 3
)

// allot names all pages.
func (s *site) allot() names {
	taken := map[string]bool{}
	n := names{family: map[string]string{}, kernel: map[string]string{}, source: map[string]string{},
		paged: map[int]string{}}
	for _, f := range s.families {
		n.family[f] = unique(taken, "families/", f)
	}
	for _, row := range s.table.Rows {
		n.kernel[row.Kernel] = "cases.html" // unless it has a page
	}
	for _, row := range s.shown {
		n.kernel[row.Kernel] = unique(taken, "kernels/", row.Kernel)
	}
	for _, file := range sorted(s.Shaders) {
		n.source[file] = unique(taken, "sources/", file)
	}
	s.limit = s.pageLimit()
	for _, row := range s.shown {
		for _, i := range s.worthPages(row.Kernel) {
			n.paged[i] = unique(taken, "cases/", s.Results[i].Case)
		}
	}
	return n
}

// pageLimit is the number of cases of a kernel that did not pass and have a page.
func (s *site) pageLimit() int {
	pages, kernels := 0, 0
	for _, row := range s.shown {
		if open := row.Cases() - row.Count[suite.Pass] - row.Count[suite.Skip]; open > 0 {
			pages += min(open, mostPages)
			kernels++
		}
	}
	if most := pagesEach * s.Most; pages > most {
		return max(most/kernels, 1)
	}
	return mostPages
}

// worthPages are the cases of a kernel that have a page.
func (s *site) worthPages(kernel string) []int {
	var open, passed []int
	for _, i := range s.cases[kernel] {
		switch r := s.Results[i]; {
		case r.Status == suite.Pass && len(r.Outputs) > 0:
			passed = append(passed, i)
		case r.Status != suite.Pass && r.Status != suite.Skip:
			open = append(open, i)
		}
	}
	s.worstFirst(open)
	s.worstFirst(passed)
	return append(open[:min(len(open), s.limit)], passed[:min(len(passed), worstPages)]...)
}

// worstFirst sorts cases: those that fail the run first, by their error.
func (s *site) worstFirst(cases []int) {
	slices.SortStableFunc(cases, func(i, j int) int {
		a, b := s.Results[i], s.Results[j]
		if fails(a.Status) != fails(b.Status) {
			return cmp.Compare(rank(a.Status), rank(b.Status))
		}
		return cmp.Compare(b.ErrorRatio, a.ErrorRatio)
	})
}

// rank orders verdicts, the worst first.
func rank(s suite.Status) int {
	return slices.Index([]suite.Status{suite.Error, suite.Fail, reports.Known, suite.Expected, suite.Waived, suite.Skip,
		suite.Pass}, s)
}

// longest is the length of a file's name without its ending, in bytes.
const longest = 120

// unique names a page after what it is about. Names that differ in case alone are
// the same to some file systems.
func unique(taken map[string]bool, dir, about string) string {
	stem := strings.TrimLeft(strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', strings.ContainsRune("_.=-", r):
			return r
		case r == '/':
			return ','
		}
		return '-'
	}, about), ".")
	stem = dir + stem[:min(len(stem), longest)]
	name := stem
	for n := 2; taken[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s-%d", stem, n)
	}
	taken[strings.ToLower(name)] = true
	return name + ".html"
}

// sorted are the keys of a map in order.
func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
