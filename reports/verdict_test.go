package reports

import (
	"fmt"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"
)

// judged are cases of a kernel with a status, each with the same failures.
func judged(kernel string, n int, s suite.Status, failures ...suite.Failure) (list []suite.Result) {
	for i := range n {
		r := suite.Result{Case: fmt.Sprintf("%s/n=%d", kernel, len(list)+1), Kernel: kernel, Status: s, Elements: 1}
		if s == suite.Fail {
			r.Failures = failures
			r.Case = fmt.Sprintf("%s/m=%d", kernel, i+1)
		}
		if s == suite.Error {
			r.Reason, r.Case = "no answer\nat all", fmt.Sprintf("%s/e=%d", kernel, i+1)
		}
		list = append(list, r)
	}
	return list
}

// raceAt is a race between two lines at some bytes.
func raceAt(line, with, first int) suite.Failure {
	return suite.Failure{Check: suite.CheckRace, Kernel: "k", Grade: metalrun.GradeUndefined,
		Text:  fmt.Sprintf("write and read of bytes %d to %d of part are not ordered", first, first+3),
		At:    &metalrun.Party{Position: metalrun.Position{File: "k.metal", Line: line, Col: first + 1}, Does: "write"},
		Other: &metalrun.Party{Position: metalrun.Position{File: "k.metal", Line: with, Col: 7}, Does: "read"}}
}

// The verdict is a word and the reason, whatever fails, could not be judged or is missing.
func TestVerdictLine(t *testing.T) {
	value := func(c suite.Check, arg string) suite.Failure {
		return suite.Failure{Check: c, Arg: arg, Index: []int{0}}
	}
	bound, other := value(suite.CheckBound, "out"), value(suite.CheckExact, "sum")
	fault := suite.Failure{Check: suite.CheckFault, Kernel: "k", Text: "out of range",
		At: &metalrun.Party{Position: metalrun.Position{File: "k.metal", Line: 3}}}
	pass := func(n int) (list []suite.Result) {
		for i := range n {
			list = append(list, judged(fmt.Sprintf("p%d", i), 2, suite.Pass)...)
		}
		return list
	}
	broken := Problem{Kind: ProblemFile, Name: "a.metal", Text: "does not compile\nline 1"}
	absent := Problem{Kind: ProblemKernel, Name: "q", Text: "not judged, and all.toml:2 asks for it: absent"}
	slower := Problem{Kind: ProblemRegression, Name: "q", Text: "slower by counted work: operations × 2.00"}
	stale := Problem{Kind: ProblemDeclaration, Name: "c.toml:3", Text: "expired"}
	nothing := Problem{Kind: ProblemNothing, Name: "the run", Text: "nothing was judged: it has no case"}
	edits := Problem{Kind: ProblemEdits, Name: "small edits", Text: "the tests catch 3 of 4, and -min asks for 80 %"}
	known := stale
	known.Known = true
	for _, test := range []struct {
		name     string
		results  [][]suite.Result
		problems []Problem
		lacks    []string
		want     string
	}{
		{"one kernel", [][]suite.Result{judged("k", 3, suite.Pass)}, nil, nil, "PASS 1 kernel, 3 cases"},
		{"some kernels", [][]suite.Result{pass(3)}, nil, nil, "PASS 3 kernels, 6 cases"},
		{"what else there is", [][]suite.Result{pass(2), judged("s", 4, suite.Skip), judged("e", 1, suite.Expected),
			judged("w", 2, suite.Waived), judged("x", 3, Known)}, []Problem{known}, nil,
			"PASS 2 kernels, 4 cases; 4 skipped, 4 known to fail, 1 expected to fail, 2 waived"},
		{"nothing", nil, nil, nil, "PASS nothing to judge"},
		{"nothing but skips", [][]suite.Result{judged("s", 2, suite.Skip)}, nil, nil,
			"PASS nothing to judge; 2 skipped"},
		{"nothing but expected failures", [][]suite.Result{judged("s", 2, suite.Expected)}, nil, nil,
			"PASS 2 expected to fail"},

		{"a wrong value", [][]suite.Result{judged("k", 2, suite.Pass), judged("k", 1, suite.Fail, bound)}, nil, nil,
			"FAIL k: wrong in 1 of 3 cases"},
		{"several checks of values", [][]suite.Result{judged("k", 2, suite.Fail, bound, other), pass(1)}, nil, nil,
			"FAIL k: wrong in all 2 cases; 1 kernel passes"},
		{"the only case", [][]suite.Result{judged("k", 1, suite.Fail, bound), judged("k", 4, suite.Skip)}, nil, nil,
			"FAIL k: wrong in its only case"},
		{"a race and a wrong value", [][]suite.Result{judged("k", 21, suite.Pass),
			judged("k", 3, suite.Fail, raceAt(41, 7, 0), bound), pass(22)}, nil, nil,
			"FAIL k: race at k.metal:41, wrong in 3 of 24 cases; 22 kernels pass"},
		{"a race at many bytes", [][]suite.Result{judged("k", 3, suite.Fail, raceAt(41, 7, 0), raceAt(41, 7, 4))}, nil,
			nil, "FAIL k: race at k.metal:41"},
		{"races at several lines", [][]suite.Result{judged("k", 3, suite.Fail, raceAt(41, 7, 0), raceAt(43, 7, 0))},
			nil, nil, "FAIL k: race at k.metal:41 and 1 more line"},
		{"many symptoms", [][]suite.Result{judged("k", 3, suite.Fail, raceAt(41, 7, 0), bound, fault,
			value(suite.CheckUnwritten, "out"), value(suite.CheckUntouched, "x"))}, nil, nil,
			"FAIL k: fault at k.metal:3, race at k.metal:41, wrong in all 3 cases, 2 more causes"},
		{"several kernels, the worst first", [][]suite.Result{judged("a", 3, suite.Fail, bound),
			judged("k", 1, suite.Fail, raceAt(4, 7, 0)), judged("z", 1, suite.Fail, bound), pass(1)}, nil, nil,
			"FAIL k: race at k.metal:4, and 2 more kernels; 1 kernel passes"},
		{"two kernels", [][]suite.Result{judged("a", 3, suite.Fail, bound), judged("b", 1, suite.Fail, bound)}, nil,
			nil, "FAIL a: wrong in all 3 cases, and 1 more kernel"},

		{"a file", [][]suite.Result{pass(1)}, []Problem{broken}, nil, "FAIL a.metal does not compile; 1 kernel passes"},
		{"files and a kernel", [][]suite.Result{judged("a", 1, suite.Fail, bound)}, []Problem{broken, broken}, nil,
			"FAIL a.metal does not compile, and 1 more file; 1 kernel fails"},
		{"a kernel and problems", [][]suite.Result{judged("a", 1, suite.Fail, bound)},
			[]Problem{absent, absent, slower, stale}, nil, "FAIL a: wrong in its only case; 1 regression is new; " +
				"2 required kernels were not judged; 1 declaration is out of date"},
		{"a required kernel", [][]suite.Result{pass(1)}, []Problem{absent}, nil,
			"FAIL q: not judged, and all.toml:2 asks for it: absent; 1 kernel passes"},
		{"a regression", [][]suite.Result{pass(1)}, []Problem{slower}, nil,
			"FAIL q: slower by counted work; 1 kernel passes"},
		{"a regression of all", [][]suite.Result{judged("q", 1, suite.Pass)}, []Problem{slower}, nil,
			"FAIL q: slower by counted work"},
		{"a declaration", [][]suite.Result{pass(1)}, []Problem{stale}, nil, "FAIL c.toml:3: expired; 1 kernel passes"},
		{"nothing judged", nil, []Problem{nothing}, nil, "FAIL the run: nothing was judged: it has no case"},
		{"weak tests", [][]suite.Result{pass(1)}, []Problem{edits}, nil,
			"FAIL small edits: the tests catch 3 of 4, and -min asks for 80 %; 1 kernel passes"},

		{"not judged", [][]suite.Result{judged("k", 2, suite.Error), judged("k", 1, suite.Pass), pass(1)}, nil, nil,
			"NOT JUDGED k: no answer, in 2 of 3 cases; 1 kernel passes"},
		{"two not judged", [][]suite.Result{judged("k", 2, suite.Error), judged("l", 1, suite.Error)}, nil, nil,
			"NOT JUDGED k: no answer, in all 2 cases, and 1 more kernel"},
		{"not judged beside a failure", [][]suite.Result{judged("k", 2, suite.Error),
			judged("l", 1, suite.Fail, bound)}, nil, nil, "FAIL l: wrong in its only case; 1 kernel was not judged"},
		{"failing and not judged", [][]suite.Result{judged("k", 2, suite.Error), judged("k", 1, suite.Fail, bound)},
			nil,
			nil, "FAIL k: wrong in 1 of 3 cases"},
		{"missing", [][]suite.Result{pass(1)}, nil, []string{"only 2 of 4 cases were judged"},
			"NOT JUDGED only 2 of 4 cases were judged; 1 kernel passes"},
		{"flaws", [][]suite.Result{pass(1)}, nil, []string{"a:3: damaged", "b:4: damaged"},
			"NOT JUDGED a:3: damaged, and 1 more flaw; 1 kernel passes"},
		{"missing beside a failure", [][]suite.Result{judged("l", 1, suite.Fail, bound)}, nil,
			[]string{"only 1 of 4 cases were judged"}, "FAIL l: wrong in its only case; only 1 of 4 cases were judged"},
	} {
		var all []suite.Result
		for _, list := range test.results {
			all = append(all, list...)
		}
		table := NewTable(all, nil)
		table.Problems, table.Lacks = test.problems, test.lacks
		if got := table.Verdict().String(); got != test.want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, test.want)
		}
	}
}

// Every check that a case can fail has a symptom that the verdict names, and no two.
func TestSymptoms(t *testing.T) {
	seen := map[suite.Check]bool{}
	for _, s := range symptoms {
		for _, c := range s.checks {
			if seen[c] {
				t.Errorf("%s has two symptoms", c)
			}
			seen[c] = true
		}
	}
	for _, c := range append(suite.Checks(), suite.CheckFunctions, suite.CheckExpected, suite.CheckRunaway,
		suite.CheckCosine) {
		if !seen[c] {
			t.Errorf("%s has no symptom", c)
		}
	}
}

// A race is one finding for a pair of lines, whichever access is named first, with all its bytes; results keep each.
func TestRacesAreFolded(t *testing.T) {
	back := raceAt(7, 41, 40)
	back.Grade = metalrun.GradeWrong
	many := suite.Result{Case: "k/n=1", Kernel: "k", Status: suite.Fail, Failures: []suite.Failure{raceAt(41, 7, 0),
		raceAt(41, 7, 4), raceAt(41, 7, 8), raceAt(41, 7, 20), raceAt(41, 9, 0), back, raceAt(41, 7, 16)}}
	table := NewTable([]suite.Result{many}, nil)
	if len(table.Failures) != 2 || len(many.Failures) != 7 {
		t.Fatalf("%d causes of %d findings", len(table.Failures), len(many.Failures))
	}
	one := table.Failures[0].Failures
	if len(one) != 1 || one[0].Grade != metalrun.GradeWrong ||
		!strings.Contains(one[0].Text, "of bytes 0 to 11, 16 to 23 and 40 to 43 of part") {
		t.Errorf("folded to %d: %s", len(one), one[0])
	}
	if got := Folded(many); len(got.Failures) != 2 {
		t.Errorf("folded to %d failures", len(got.Failures))
	}
	for _, test := range []struct {
		ranges []byteRange
		want   string
	}{
		{[]byteRange{{4, 4}, {4, 4}}, "byte 4"}, {[]byteRange{{8, 11}, {4, 7}}, "bytes 4 to 11"},
		{[]byteRange{{0, 3}, {8, 8}}, "bytes 0 to 3 and 8"},
		{[]byteRange{{0, 3}, {8, 8}, {10, 10}, {12, 12}, {14, 14}}, "bytes 0 to 3, 8, 10 and 2 more ranges"},
	} {
		if got := joined(test.ranges); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

// The example of a cause is the smallest case, and none that its inputs may excuse while others fail too.
func TestExamples(t *testing.T) {
	fail := func(name string, f suite.Failure) suite.Result {
		f.Check, f.Arg = suite.CheckBound, "out"
		return suite.Result{Case: name, Kernel: "k", Status: suite.Fail, Failures: []suite.Failure{f}}
	}
	for _, test := range []struct {
		name    string
		results []suite.Result
		want    string
	}{
		{"the smallest", []suite.Result{fail("k/n=9/m=2", suite.Failure{}), fail("k/n=3/m=4", suite.Failure{}),
			fail("k/n=4/m=3", suite.Failure{})}, "k/n=3/m=4"},
		{"ordinary inputs", []suite.Result{fail("k/n=1", suite.Failure{Subnormal: true}),
			fail("k/n=2", suite.Failure{Family: "wide"}), fail("k/n=8", suite.Failure{}),
			fail("k/n=3", suite.Failure{Unasked: true})}, "k/n=8"},
		{"no others", []suite.Result{fail("k/n=2", suite.Failure{Subnormal: true}),
			fail("k/n=1", suite.Failure{Subnormal: true})}, "k/n=1"},
	} {
		list := NewTable(test.results, nil).Failures
		if len(list) != 1 || list[0].Case != test.want || list[0].Also != len(test.results)-1 {
			t.Errorf("%s: %d causes, the first in %s and %d more cases; want %s", test.name, len(list), list[0].Case,
				list[0].Also, test.want)
		}
	}
}
