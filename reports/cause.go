package reports

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"metalconform/internal/printable"
	"metalconform/metalrun"
	"metalconform/suite"
)

// symptom is what a reader sees of a check: several checks of values are one of them.
type symptom struct {
	name   string
	checks []suite.Check
}

// symptoms are all that there are, the worst first. What is wrong in the source comes before what is wrong in a value:
// it may be why. What is not decided comes after all that is wrong for certain.
var symptoms = []symptom{
	{"fault", []suite.Check{suite.CheckFault}},
	{"race", []suite.Check{suite.CheckRace}},
	{"read of uninitialised memory", []suite.Check{suite.CheckUninitial}},
	{"use of an inactive lane", []suite.Check{suite.CheckInactive}},
	{"undefined value", []suite.Check{suite.CheckUndefined}},
	{"NaN or infinity in fast math", []suite.Check{suite.CheckFastMath}},
	{"write outside a buffer", []suite.Check{suite.CheckGuard}},
	{"index of too few bits", []suite.Check{suite.CheckWidths}},
	{"wrong arguments", []suite.Check{suite.CheckArguments}},
	{"wrong table", []suite.Check{suite.CheckTables}},
	{"wrong", []suite.Check{suite.CheckFormula, suite.CheckNonFinite, suite.CheckExact, suite.CheckBound,
		suite.CheckStatistical, suite.CheckRounding, suite.CheckCosine}},
	{"output not written", []suite.Check{suite.CheckUnwritten}},
	{"input changed", []suite.Check{suite.CheckReadOnly}},
	{"kept element changed", []suite.Check{suite.CheckUntouched}},
	{"different bits from the same inputs", []suite.Check{suite.CheckDeterminism}},
	{"different bits where they must be equal", []suite.Check{suite.CheckEqual}},
	{"forbidden shape accepted", []suite.Check{suite.CheckRefusal}},
	{"function too inaccurate", []suite.Check{suite.CheckFunctions}},
	{"undecided elements", []suite.Check{suite.CheckUndecided}},
	{"no failure, although one is declared", []suite.Check{suite.CheckExpected}},
	{"endless loop", []suite.Check{suite.CheckRunaway}},
	{"failure", nil}, // of a check that only a later version has
}

// symptomOf is the index of the symptom of a check.
func symptomOf(c suite.Check) int {
	i := slices.IndexFunc(symptoms, func(s symptom) bool { return slices.Contains(s.checks, c) })
	if i < 0 {
		return len(symptoms) - 1
	}
	return i
}

// symptomsOf are the indices of the symptoms of a result, in order.
func symptomsOf(r suite.Result) (list []int) {
	if r.Status != suite.Fail {
		return nil
	}
	for _, f := range r.Failures {
		list = append(list, symptomOf(f.Check))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// lines are the source lines of a failure, in order of their names: a race of a write and a read is also one of the
// read and the write. There are none of what has no place in the source.
func lines(f suite.Failure) []string {
	var list []string
	for _, p := range []*metalrun.Party{f.At, f.Other} {
		if p != nil && p.Line > 0 {
			list = append(list, fmt.Sprintf("%s:%d", p.File, p.Line))
		}
	}
	slices.Sort(list)
	return list
}

// causeOf names the cause of a failure. Two failures of a kernel with the same name are one finding: the same symptom
// of the same output, or at the same lines of the source.
func causeOf(f suite.Failure) string {
	name := symptoms[symptomOf(f.Check)].name
	switch at := lines(f); {
	case len(at) > 0:
		return fmt.Sprintln(name, at)
	case f.Arg != "":
		return fmt.Sprintln(name, f.Stage, f.Arg, f.Adversary > 0)
	}
	return fmt.Sprintln(name, f.Stage, f.Text)
}

// causes are the parts of a result that is no pass: one for each cause, with the failures of that alone. What could
// not be judged is one. missing has the barriers that its races miss.
func causes(r suite.Result, missing barriers) (names []string, parts []suite.Result) {
	if r.Status == suite.Error || len(r.Failures) == 0 {
		name := r.Text()
		if r.Unjudged != nil { // the rest is what can be done about the inputs of this case
			name = r.Headline()
		}
		return []string{name}, []suite.Result{r}
	}
	of := map[string][]suite.Failure{}
	for _, f := range r.Failures {
		name := missing.cause(f)
		if of[name] == nil {
			names = append(names, name)
		}
		of[name] = append(of[name], f)
	}
	for _, name := range names {
		part := r
		part.Failures = folded(of[name])
		parts = append(parts, part)
	}
	return names, parts
}

// Folded is a result whose failures of one cause at the same lines are one failure.
func Folded(r suite.Result) suite.Result {
	if len(r.Failures) < 2 {
		return r
	}
	_, parts := causes(r, barriersOf(r))
	r.Failures = nil
	for _, p := range parts {
		r.Failures = append(r.Failures, p.Failures...)
	}
	return r
}

// folded are failures of one cause, of which those at the same lines are one, with the byte ranges of all, and races
// that one barrier orders. It is the gravest of them.
func folded(list []suite.Failure) []suite.Failure {
	if len(list) < 2 || len(lines(list[0])) == 0 {
		return list
	}
	at := map[string][]suite.Failure{}
	var order []string
	for _, f := range list {
		key := fmt.Sprint(lines(f))
		if at[key] == nil {
			order = append(order, key)
		}
		at[key] = append(at[key], f)
	}
	var pairs []suite.Failure
	for _, key := range order {
		pairs = append(pairs, atSameLines(at[key]))
	}
	if len(pairs) == 1 {
		return pairs
	}
	return []suite.Failure{ofOneBarrier(pairs)}
}

// atSameLines is the gravest of failures at the same lines, with the byte ranges of all.
func atSameLines(list []suite.Failure) suite.Failure {
	one := slices.MaxFunc(list, func(a, b suite.Failure) int { return cmp.Compare(gravity(a), gravity(b)) })
	var ranges []byteRange
	for _, f := range list {
		if r, ok := rangeIn(f.Text); ok {
			ranges = append(ranges, r)
		}
	}
	if len(ranges) > 1 {
		one.Text = rangePattern.ReplaceAllLiteralString(one.Text, joined(ranges))
	}
	return one
}

// byteRange are the bytes of an object from first to last.
type byteRange struct{ first, last int }

// rangePattern finds the bytes that a finding names.
var rangePattern = regexp.MustCompile(`bytes? (\d+)(?: to (\d+))?`)

// rangeIn is the first range of bytes that a text names.
func rangeIn(text string) (r byteRange, ok bool) {
	m := rangePattern.FindStringSubmatch(text)
	if m == nil {
		return r, false
	}
	var err error
	if r.first, err = strconv.Atoi(m[1]); err != nil {
		return r, false
	}
	if r.last = r.first; m[2] != "" {
		r.last, err = strconv.Atoi(m[2])
	}
	return r, err == nil
}

// mostRanges is how many ranges of bytes a finding names.
const mostRanges = 3

// joined are ranges in words, those that adjoin as one.
func joined(ranges []byteRange) string {
	slices.SortFunc(ranges, func(a, b byteRange) int { return cmp.Compare(a.first, b.first) })
	list := ranges[:1]
	for _, r := range ranges[1:] {
		if last := &list[len(list)-1]; r.first <= last.last+1 {
			last.last = max(last.last, r.last)
		} else {
			list = append(list, r)
		}
	}
	var words []string
	for i, r := range list {
		if i == mostRanges {
			words = append(words, printable.Count(len(list)-i, "more range"))
			break
		}
		word := strconv.Itoa(r.first)
		if r.last > r.first {
			word += fmt.Sprintf(" to %d", r.last)
		}
		words = append(words, word)
	}
	unit := "bytes"
	if len(list) == 1 && list[0].first == list[0].last {
		unit = "byte"
	}
	return unit + " " + conjunction(words)
}

// conjunction joins words by commas and an and.
func conjunction(words []string) string {
	if n := len(words) - 1; n > 0 {
		return strings.Join(words[:n], ", ") + " and " + words[n]
	}
	return strings.Join(words, "")
}

// Failure is a cause for which cases of a kernel fail or could not be judged. The result is an example: the smallest
// of these cases, with what it fails by for this cause alone.
type Failure struct {
	suite.Result
	Also int // other cases of the kernel

	rank     int     // of its symptom; what could not be judged comes last
	severity float64 // largest error of its cases as a fraction of the bound
}

// failures are the causes for which cases did not pass: the worst of each kernel before the second worst of any.
func failures(results []suite.Result) []Failure {
	var list []Failure
	index := map[[2]string]int{} // kernel and cause
	missing := barriersOf(results...)
	for _, r := range results {
		if r.Status != suite.Fail && r.Status != suite.Error {
			continue
		}
		names, parts := causes(r, missing)
		for n, part := range parts {
			f := Failure{Result: part, rank: len(symptoms), severity: part.ErrorRatio}
			if part.Status == suite.Fail && len(part.Failures) > 0 {
				f.rank = symptomOf(part.Failures[0].Check)
			}
			key := [2]string{r.Kernel, names[n]}
			i, ok := index[key]
			if !ok {
				index[key] = len(list)
				list = append(list, f)
				continue
			}
			list[i].add(f)
		}
	}
	return ordered(list)
}

// add takes in another case with the same cause.
func (f *Failure) add(other Failure) {
	f.Also++
	f.severity = max(f.severity, other.severity)
	if c := cmp.Compare(excused(other.Result), excused(f.Result)); c < 0 ||
		c == 0 && caseSize(other.Case) < caseSize(f.Case) {
		f.Result = other.Result
	}
}

// excused is 1 if a case may fail for what its inputs hold, 0 if not. If others fail for the same cause, it is not the
// inputs.
func excused(r suite.Result) int {
	if slices.ContainsFunc(r.Failures, func(f suite.Failure) bool {
		return f.Subnormal || f.Unasked || f.Family != ""
	}) {
		return 1
	}
	return 0
}

// caseSize is the product of the numbers in the name of a case.
func caseSize(name string) float64 {
	size := 1.0
	for _, a := range suite.NameAxes(name) {
		if n, err := strconv.ParseFloat(a.Value, 64); err == nil && !math.IsNaN(n) {
			size *= max(n, 1)
		}
	}
	return size
}

// ordered puts the worst first, and the worst of each kernel before the second worst of any.
func ordered(list []Failure) []Failure {
	worse := func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.severity, a.severity), cmp.Compare(b.Also, a.Also),
			cmp.Compare(a.Kernel, b.Kernel))
	}
	slices.SortStableFunc(list, worse)
	type turn struct {
		of int // among those of its kernel
		Failure
	}
	turns, seen := make([]turn, len(list)), map[string]int{}
	for i, f := range list {
		turns[i] = turn{seen[f.Kernel], f}
		seen[f.Kernel]++
	}
	slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Compare(a.of, b.of) })
	for i, t := range turns {
		list[i] = t.Failure
	}
	return list
}
