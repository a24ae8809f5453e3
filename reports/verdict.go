package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"metalconform/internal/printable"
	"metalconform/suite"
)

// Outcome is what a run comes to, in a word.
type Outcome string

// Outcomes, each with its status of the command.
const (
	Passed    Outcome = "PASS"       // status 0
	Failed    Outcome = "FAIL"       // status 1
	NotJudged Outcome = "NOT JUDGED" // status 3: nothing fails, and not all that was asked for is known
)

// Verdict is the outcome of a run with the reason for it. It is the first line of every report.
type Verdict struct {
	Outcome Outcome
	Reason  string // in a line
}

// String is the verdict in a line: FAIL rms_norm: race at fused.metal:41; 22 kernels pass.
func (v Verdict) String() string { return strings.TrimSpace(string(v.Outcome) + " " + v.Reason) }

// outcome is what the counts of the table come to. Nothing else decides whether a run passes.
func (t Table) outcome() Outcome {
	switch {
	case t.Count(suite.Fail)+len(t.failing()) > 0:
		return Failed
	case t.Count(suite.Error)+len(t.Lacks) > 0:
		return NotJudged
	}
	return Passed
}

// Verdict is the verdict on all that the table has.
func (t Table) Verdict() Verdict {
	outcome, passing := t.outcome(), t.passing()
	if outcome == Passed {
		return Verdict{outcome, t.passed(passing)}
	}
	failing, unjudged := t.failed(), t.unjudged()
	var clauses []string
	for _, g := range t.groups(failing) {
		clauses = append(clauses, g.clause(len(clauses) == 0))
	}
	if n := len(unjudged); n > 0 {
		clauses = append(clauses, group{unjudged, "kernel", "was", "not judged"}.clause(len(clauses) == 0))
	}
	if len(t.Lacks) > 0 {
		clauses = append(clauses, group{t.Lacks, "flaw", "", ""}.clause(true))
	}
	if len(passing) > 0 {
		verb := "pass"
		if len(passing) == 1 {
			verb = "passes"
		}
		clauses = append(clauses, subjects(passing)+" "+verb)
	}
	return Verdict{outcome, strings.Join(clauses, "; ")}
}

// group are reasons of one kind, the worst first.
type group struct {
	reasons []string
	noun    string
	verb    string // of one
	rest    string
}

// clause says the first reason and counts the others, or counts all.
func (g group) clause(first bool) string {
	n := len(g.reasons)
	switch {
	case first && n > 1:
		return fmt.Sprintf("%s, and %s", g.reasons[0], printable.Count(n-1, "more "+g.noun))
	case first:
		return g.reasons[0]
	}
	verb := g.verb
	if n > 1 {
		verb = map[string]string{"does": "do", "is": "are", "has": "have", "was": "were", "fails": "fail"}[verb]
	}
	return strings.TrimSpace(printable.Count(n, g.noun) + " " + verb + " " + g.rest)
}

// groups are the reasons why a run fails.
func (t Table) groups(failing []string) []group {
	of := map[ProblemKind][]string{}
	for _, p := range t.failing() {
		of[p.Kind] = append(of[p.Kind], p.reason())
	}
	all := []group{
		{of[ProblemFile], "file", "does", "not compile"},
		{failing, "kernel", "fails", ""},
		{of[ProblemRegression], "regression", "is", "new"},
		{of[ProblemKernel], "required kernel", "was", "not judged"},
		{of[ProblemNothing], "kernel", "was", "not judged"},
		{of[ProblemUndecided], "kernel", "has", "too many undecided elements"},
		{of[ProblemDeclaration], "declaration", "is", "out of date"},
		{of[ProblemLoosened], "specification", "was", "loosened"},
		{of[ProblemUnexecuted], "change", "is", "not executed"},
		{of[ProblemEdits], "check", "was", "too weak"},
	}
	return slices.DeleteFunc(all, func(g group) bool { return len(g.reasons) == 0 })
}

// reason is the problem in a clause.
func (p Problem) reason() string {
	headline, _, _ := strings.Cut(p.String(), "\n")
	switch p.Kind {
	case ProblemFile:
		return p.Name + " does not compile"
	case ProblemRegression: // without its figures
		what, _, _ := strings.Cut(p.Text, ": ")
		return p.Name + ": " + what
	}
	return headline
}

// failed says of each kernel that fails why, the worst first.
func (t Table) failed() (list []string) {
	for _, f := range t.Failures { // of which the first of each kernel come first
		i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Kernel == f.Kernel })
		if f.Status == suite.Fail && !slices.ContainsFunc(list, hasPrefix(f.Kernel+": ")) {
			list = append(list, f.Kernel+": "+t.why(t.Rows[i]))
		}
	}
	return list
}

// hasPrefix reports whether a text begins so.
func hasPrefix(begin string) func(string) bool {
	return func(s string) bool { return strings.HasPrefix(s, begin) }
}

// mostSymptoms is how many of a kernel the verdict names.
const mostSymptoms = 3

// why says what a kernel fails by: what has a place in the source with the first of its places, the rest with the
// number of its cases.
func (t Table) why(r Row) string {
	places := map[int][]string{}
	for _, f := range t.Failures {
		if f.Kernel != r.Kernel || f.Status != suite.Fail || len(f.Failures) == 0 {
			continue
		}
		if at := f.Failures[0].At; at != nil && at.Line > 0 {
			places[f.rank] = append(places[f.rank], fmt.Sprintf("%s:%d", at.File, at.Line))
		}
	}
	var parts []string
	ranks := make([]int, 0, len(r.symptoms))
	for rank := range r.symptoms {
		ranks = append(ranks, rank)
	}
	slices.Sort(ranks)
	for i, rank := range ranks {
		if i == mostSymptoms {
			parts = append(parts, printable.Count(len(ranks)-i, "more cause"))
			break
		}
		part := symptoms[rank].name
		switch at := places[rank]; {
		case len(at) > 1:
			part += fmt.Sprintf(" at %s and %s", at[0], printable.Count(len(at)-1, "more line"))
		case len(at) == 1:
			part += " at " + at[0]
		default:
			part += " in " + fraction(r.symptoms[rank], r.Cases()-r.Count[suite.Skip])
		}
		parts = append(parts, part)
	}
	return cmp.Or(strings.Join(parts, ", "), "fails") + t.Modes.alone(r.Kernel)
}

// fraction says how many of the cases.
func fraction(n, of int) string {
	switch {
	case n < of:
		return fmt.Sprintf("%d of %d cases", n, of)
	case n == 1:
		return "its only case"
	}
	return fmt.Sprintf("all %d cases", n)
}

// unjudged says of each kernel that does not fail, and of which some case could not be judged, why.
func (t Table) unjudged() (list []string) {
	for _, f := range t.Failures {
		i := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Kernel == f.Kernel })
		if r := t.Rows[i]; f.Status == suite.Error && r.Count[suite.Fail] == 0 &&
			!slices.ContainsFunc(list, hasPrefix(f.Kernel+": ")) {
			list = append(list, fmt.Sprintf("%s: %s, in %s", f.Kernel, f.Headline(),
				fraction(r.Count[suite.Error], r.Cases()-r.Count[suite.Skip])))
		}
	}
	return list
}

// passing are the rows of kernels that pass, and have no problem of their own.
func (t Table) passing() (list []Row) {
	failing := t.failing()
	for _, r := range t.Rows {
		if r.Count[suite.Pass] > 0 && r.Count[suite.Fail]+r.Count[suite.Error] == 0 &&
			!slices.ContainsFunc(failing, func(p Problem) bool {
				kernel, _, _ := strings.Cut(p.Name, "/") // of a case
				return kernel == r.Kernel
			}) {
			list = append(list, r)
		}
	}
	return list
}

// passed says what passes, and what else there is to know of a run that does.
func (t Table) passed(rows []Row) string {
	var parts []string
	switch {
	case len(rows) > 0:
		parts = []string{fmt.Sprintf("%s, %s%s", subjects(rows), printable.Count(t.Count(suite.Pass), "case"),
			t.Modes.among())}
	case t.Cases() == t.Count(suite.Skip):
		parts = []string{"nothing to judge"}
	}
	var rest []string
	for _, x := range []struct {
		n    int
		what string
	}{
		{t.Count(suite.Skip), "skipped"}, {t.Count(Known) + len(t.Problems) - len(t.failing()), "known to fail"},
		{t.Count(suite.Expected), "expected to fail"}, {t.Count(suite.Waived), "waived"},
	} {
		if x.n > 0 {
			rest = append(rest, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if n := len(t.Warnings); n > 0 {
		rest = append(rest, printable.Count(n, "warning"))
	}
	if len(rest) > 0 {
		parts = append(parts, strings.Join(rest, ", "))
	}
	return strings.Join(parts, "; ")
}
