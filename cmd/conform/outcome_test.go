package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"metalconform/internal/exit"
	"metalconform/internal/gate"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/mutate"
)

// caseKinds are kernels with a case each. Those that are old fail at the base as well.
var caseKinds = []struct {
	kernel string
	status suite.Status
	old    bool
}{
	{"fail", suite.Fail, false}, {"failed", suite.Fail, true}, {"error", suite.Error, false},
	{"errored", suite.Error, true}, {"skip", suite.Skip, true}, {"waive", suite.Waived, true},
	{"expect", suite.Expected, true}, {"panicked", suite.Error, true},
}

// runCondition is what else there is to know of a run. It fails says whether it does so by itself, hidden whether a
// baseline hides that, and lacks whether something is not known.
type runCondition struct {
	name                 string
	set                  func(v *reports.View, base *reports.Run)
	fails, hidden, lacks bool
	kept                 bool // of a change even what is hidden otherwise fails
}

// runConditions are all problems, those of declarations and files at the head alone and at both, and all that may be
// missing.
func runConditions() []runCondition {
	list := []runCondition{{name: "nothing", set: func(*reports.View, *reports.Run) {}}}
	for _, kind := range []reports.ProblemKind{reports.ProblemNothing, reports.ProblemKernel,
		reports.ProblemRegression, reports.ProblemDeclaration, reports.ProblemEdits, reports.ProblemUndecided,
		reports.ProblemUnexecuted, reports.ProblemLoosened} {
		atBoth := kind == reports.ProblemKernel // the base did not judge it either
		list = append(list, runCondition{name: string(kind), fails: true, hidden: atBoth, kept: atBoth,
			set: func(v *reports.View, _ *reports.Run) {
				v.More = append(v.More, reports.Problem{Kind: kind, Name: "x", Text: "is wrong"})
			}})
	}
	stale := []suite.Outdated{{Position: suite.Position{File: "conform.toml", Line: 3}, Text: "expired"}}
	said := metalrun.Diagnostics{{Message: "no"}}
	broken := map[string]reports.Shader{"x.metal": {Diagnostics: said}}
	panicked := map[string]reports.Shader{"x.metal": {Diagnostics: said, Panicked: true}}
	return append(list,
		runCondition{name: "stale", fails: true,
			set: func(v *reports.View, _ *reports.Run) { v.Ending.Stale = stale }},
		runCondition{name: "stale at both", fails: true, hidden: true,
			set: func(v *reports.View, base *reports.Run) { v.Ending.Stale, base.Ending.Stale = stale, stale }},
		runCondition{name: "a file", fails: true,
			set: func(v *reports.View, _ *reports.Run) { v.Shaders = broken }},
		runCondition{name: "a file at both", fails: true, hidden: true, kept: true,
			set: func(v *reports.View, base *reports.Run) { v.Shaders, base.Shaders = broken, broken }},
		runCondition{name: "a panic over a file at both", lacks: true,
			set: func(v *reports.View, base *reports.Run) { v.Shaders, base.Shaders = panicked, panicked }},
		runCondition{name: "interrupted", lacks: true,
			set: func(v *reports.View, _ *reports.Run) { v.Ending, v.Planned = nil, v.Planned+1 }},
		runCondition{name: "cut", lacks: true, set: func(v *reports.View, _ *reports.Run) {
			v.Flaws = []reports.Flaw{{File: "a", Line: 3, Message: "damaged"}}
		}},
		runCondition{name: "crashed", lacks: true,
			set: func(v *reports.View, _ *reports.Run) { v.Crashed = errors.New("x/n=1: internal error: y\nmore") }},
		runCondition{name: "crashed, and a problem", fails: true, lacks: true,
			set: func(v *reports.View, _ *reports.Run) {
				v.Crashed, v.Ending.Stale = errors.New("x/n=1: internal error: y"), stale
			}},
	)
}

// All that says whether a run passes says the same, whatever its cases, its problems, what it lacks, what it is held
// against and how many small edits are asked for. All sets of cases are tried, and with each condition all pairs.
func TestOutcomes(t *testing.T) {
	runs := 0
	for _, how := range []struct{ against, onlyNew, change bool }{{}, {against: true}, {against: true, onlyNew: true},
		{against: true, onlyNew: true, change: true}} {
		for _, with := range runConditions() {
			for set := range 1 << len(caseKinds) {
				if bits.OnesCount(uint(set)) > 2 && with.name != "nothing" {
					continue // pairs of what cases come to show what a condition adds
				}
				for _, least := range []float64{0, 50, 51} {
					if least > 0 && (!how.change || bits.OnesCount(uint(set)) > 1) {
						continue // gates alone judge edits
					}
					head, base, want := outcomeRun(set, how.onlyNew, how.change)
					v := &gate.Verdict{View: reports.View{Run: head, New: how.onlyNew, Change: how.change}}
					with.set(&v.View, &base)
					if how.against {
						policy := reports.DefaultPolicy()
						policy.Compared = how.change
						v.Against = reports.Compare(reports.Set{Run: base}, reports.Set{Run: v.View.Run}, policy)
					}
					if least > 0 {
						table := reports.NewMutationTable([]mutate.Mutant{{Fate: mutate.Killed},
							{Fate: mutate.Survived}})
						v.Mutants = &table
						v.Ask(least)
					}
					hidden := with.hidden && how.onlyNew && !(with.kept && how.change)
					switch {
					case with.fails && !hidden || least > 50:
						want = reports.Failed
					case with.lacks && want == reports.Passed:
						want = reports.NotJudged
					}
					name := fmt.Sprintf("%+v, %s, cases %07b, -min %g", how, with.name, set, least)
					checkOutcome(t, name, v, want)
					runs++
				}
			}
		}
	}
	if want := 4<<len(caseKinds) + 4*len(runConditions()); runs < want {
		t.Errorf("%d runs, want at least %d", runs, want)
	}
}

// outcomeRun is a run with a case that passes and those of a set of kinds, what it is held against, and what the cases
// come to.
func outcomeRun(set int, onlyNew, change bool) (head, base reports.Run, want reports.Outcome) {
	want = reports.Passed
	results := []suite.Result{{Case: "good/n=1", Kernel: "good", Status: suite.Pass, Elements: 1}}
	before := slices.Clone(results)
	for i, k := range caseKinds {
		if set>>i&1 == 0 {
			continue
		}
		r := suite.Result{Case: k.kernel + "/n=1", Kernel: k.kernel, Status: k.status, Elements: 1}
		hidden := k.old && onlyNew
		switch k.status {
		case suite.Fail:
			r.Failures = []suite.Failure{{Check: suite.CheckBound, Arg: "y", Index: []int{0}, Count: 1, Of: 1}}
			if !hidden {
				want = reports.Failed
			}
		case suite.Error:
			r.Reason, r.Elements, r.Panicked = "no answer", 0, k.kernel == "panicked"
			if (!hidden || change || r.Panicked) && want == reports.Passed {
				want = reports.NotJudged
			}
		case suite.Skip:
			r.Reason, r.Elements = "too large", 0
		}
		results = append(results, r)
		if k.old {
			before = append(before, r)
		}
	}
	of := func(list []suite.Result) reports.Run {
		indices := make([]int, len(list))
		for i := range indices {
			indices[i] = i
		}
		return reports.NewRun(reports.Header{Planned: len(list)}, list, indices, &reports.Ending{Ended: len(list)})
	}
	return of(results), of(before), want
}

// checkOutcome holds every output of a verdict against the outcome that there should be.
func checkOutcome(t *testing.T, name string, v *gate.Verdict, want reports.Outcome) {
	t.Helper()
	line := v.View.Verdict().String()
	if got := v.View.Verdict().Outcome; got != want {
		t.Fatalf("%s: %s, want %s", name, line, want)
	}
	status := exit.Conforms
	var e *exit.Error
	if errors.As(verdictStatus(v.View.Verdict(), v.Crashed), &e) {
		status = e.Status
	}
	if expected := map[reports.Outcome]int{reports.Failed: 1, reports.NotJudged: 3}[want]; status != expected {
		t.Errorf("%s: status %d, want %d", name, status, expected)
	}
	if !strings.HasPrefix(v.Closing(), string(want)+": ") || (v.Safe()) != (want == reports.Passed) {
		t.Errorf("%s: closing line %q, safe %t, want %s", name, v.Closing(), v.Safe(), want)
	}
	title := "## Conform: " + reports.Inline(line)
	for _, f := range reports.Formats() {
		var b strings.Builder
		if err := f.Write(&b, v.View); err != nil {
			t.Fatalf("%s: %s: %v", name, f.Name, err)
		}
		text := b.String()
		first, _, _ := strings.Cut(text, "\n")
		switch f.Name {
		case "text":
			checkFirstLine(t, name, f.Name, first, line)
		case "markdown":
			checkFirstLine(t, name, f.Name, first, title)
		case "github":
			errs := strings.Count("\n"+text, "\n::error ")
			if (errs == 0) != (want == reports.Passed) || !strings.Contains(text, "::notice title="+string(want)) {
				t.Errorf("%s: %s, and %d annotations of errors:\n%s", name, want, errs, text)
			}
		case "junit":
			checkJUnit(t, name, text, want)
		case "json":
			checkEnding(t, name, text, v, want)
		}
	}
	var quiet, comment strings.Builder
	if err := reports.QuietText(&quiet, v.View); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(quiet.String(), "\n")
	checkFirstLine(t, name, "-q", first, line)
	if v.Against == nil {
		return
	}
	if err := v.Markdown(&comment); err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitN(comment.String(), "\n", 3)
	checkFirstLine(t, name, "comment", lines[1], title)
}

// checkFirstLine compares lines.
func checkFirstLine(t *testing.T, name, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s begins %q, want %q", name, what, got, want)
	}
}

// checkJUnit counts what fails for readers of the format.
func checkJUnit(t *testing.T, name, text string, want reports.Outcome) {
	t.Helper()
	var all struct {
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
	}
	if err := xml.Unmarshal([]byte(text), &all); err != nil {
		t.Fatal(err)
	}
	if (all.Failures > 0) != (want == reports.Failed) || want == reports.NotJudged && all.Errors == 0 ||
		want == reports.Passed && all.Errors > 0 {
		t.Errorf("%s: %d failures and %d errors, want those of %s", name, all.Failures, all.Errors, want)
	}
}

// checkEnding reads the last line of results.
func checkEnding(t *testing.T, name, text string, v *gate.Verdict, want reports.Outcome) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var ending reports.Ending
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &ending); err != nil {
		t.Fatal(err)
	}
	if v.Ending != nil && (ending.Verdict != want || ending.Reason != v.View.Verdict().Reason) {
		t.Errorf("%s: the results end with %s %s, want %s", name, ending.Verdict, ending.Reason,
			v.View.Verdict())
	}
}
