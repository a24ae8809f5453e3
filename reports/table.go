package reports

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"metalconform/internal/printable"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// Table sums up results by kernel.
type Table struct {
	Metrics metrics.Table // that rows have values of
	Rows    []Row         // in order of first appearance
	// Failures are the cases that failed or could not be judged, the worst of
	// each kernel before the second worst of any. Cases of a kernel that say
	// the same stand together.
	Failures []Failure
	Problems []Problem // beside the cases; of a view
	Skips    []Skip
	// Warnings and Notes are what cases say beside their verdict, in order of first
	// appearance. What cases of several kernels say stands with the first.
	Warnings []Note
	Notes    []Note
	Modes    *Modes // that kernels were built in; nil if that is one
}

// Row is what a kernel's cases have in common.
type Row struct {
	Kernel string
	Family string
	// Pipeline says that it is one, and not a kernel.
	Pipeline bool
	// Count is the number of cases by verdict.
	Count   map[suite.Status]int
	Metrics metrics.Values // the worst of all cases
	Time    time.Duration  // of all launches
	Judged  int            // elements
	Open    int            // elements for which the contract promises nothing
}

// Cases is the number of cases.
func (r Row) Cases() int {
	n := 0
	for _, c := range r.Count {
		n += c
	}
	return n
}

// Subjects counts the kernels and the pipelines that have rows: 77 kernels and 19
// pipelines.
func (t Table) Subjects() string {
	pipelines := 0
	for _, r := range t.Rows {
		if r.Pipeline {
			pipelines++
		}
	}
	kernels := printable.Count(len(t.Rows)-pipelines, "kernel")
	switch pipelines {
	case 0:
		return kernels
	case len(t.Rows):
		return printable.Count(pipelines, "pipeline")
	}
	return kernels + " and " + printable.Count(pipelines, "pipeline")
}

// heads are what stands above the values of rows.
func (t Table) heads() []string {
	var list []string
	for _, m := range t.Metrics.Shown(metrics.InTables) {
		list = append(list, m.Name)
	}
	return list
}

// values are those of a row below the heads, with a dash where it has none.
func (t Table) values(r Row) []string {
	var list []string
	for _, m := range t.Metrics.Shown(metrics.InTables) {
		text := "-"
		if x, ok := r.Metrics.Find(m.Key); ok && r.Judged > 0 {
			text = Value(m, x.Value)
		}
		list = append(list, text)
	}
	return list
}

// time is that of a row, with a dash if nothing was judged.
func (r Row) time() string {
	if r.Judged == 0 {
		return "-"
	}
	return Duration(r.Time)
}

// Status is the worst verdict of the kernel's cases.
func (r Row) Status() suite.Status {
	for _, s := range []suite.Status{suite.Fail, suite.Error, Known, suite.Skip, suite.Expected, suite.Waived} {
		if r.Count[s] > 0 {
			return s
		}
	}
	return suite.Pass
}

// Failure is a case that failed or could not be judged, and how many other
// cases of its kernel say the same.
type Failure struct {
	suite.Result
	Also int
}

// Skip is a reason that cases of a kernel were not judged for.
type Skip struct {
	Kernel string
	Reason string
	Cases  int
}

// Note is what cases say beside their verdict.
type Note struct {
	Kernel string
	Text   string
	Cases  int
}

// NewTable sums up results by the metrics of a table, all of them if it is nil.
func NewTable(results []suite.Result, of metrics.Table) Table {
	t := Table{Metrics: of.Or()}
	index := map[string]int{}
	for _, r := range results {
		i, ok := index[r.Kernel]
		if !ok {
			i = len(t.Rows)
			index[r.Kernel] = i
			t.Rows = append(t.Rows,
				Row{Kernel: r.Kernel, Family: r.Family, Pipeline: r.Pipeline, Count: map[suite.Status]int{}})
		}
		t.Rows[i].add(r, t.Metrics)
	}
	t.Failures = failures(results)
	t.Modes = NewModes(results)
	t.Skips = skips(results)
	t.Warnings = notes(results, func(r suite.Result) []string { return r.Warnings })
	t.Notes = notes(results, func(r suite.Result) []string { return r.Notes })
	return t
}

func (r *Row) add(result suite.Result, of metrics.Table) {
	r.Count[result.Status]++
	r.Metrics = of.Join(r.Metrics, result.Outputs)
	r.Time += time.Duration(result.NS)
	r.Judged += result.Elements
	r.Open += result.Open
}

// Count is the number of cases with a verdict.
func (t Table) Count(s suite.Status) int {
	n := 0
	for _, r := range t.Rows {
		n += r.Count[s]
	}
	return n
}

// conforms reports whether nothing in the table fails a run.
func (t Table) conforms() bool {
	return t.Count(suite.Fail)+t.Count(suite.Error)+len(t.failing()) == 0
}

// failing are the problems that fail a run.
func (t Table) failing() []Problem {
	return slices.DeleteFunc(slices.Clone(t.Problems), func(p Problem) bool { return p.Known })
}

// known says in sentences what fails as it did in the baseline, and fails no run.
func (t Table) known() []string {
	var list []string
	for _, p := range t.Problems {
		if first, _, _ := strings.Cut(p.String(), "\n"); p.Known {
			list = append(list, first)
		}
	}
	for _, r := range t.Rows {
		if n := r.Count[Known]; n > 0 {
			verb := "fail"
			if n == 1 {
				verb = "fails"
			}
			list = append(list, fmt.Sprintf("%s: %s %s as in the baseline", r.Kernel, printable.Count(n, "case"), verb))
		}
	}
	return list
}

// Cases is the number of all cases.
func (t Table) Cases() int {
	n := 0
	for _, r := range t.Rows {
		n += r.Cases()
	}
	return n
}

// failures groups and orders the cases that did not pass.
func failures(results []suite.Result) []Failure {
	byKernel := map[string][]Failure{}
	seen := map[[2]string]int{} // kernel and kind to the index in byKernel
	for _, r := range results {
		if r.Status != suite.Fail && r.Status != suite.Error {
			continue
		}
		key := [2]string{r.Kernel, r.Kind()}
		if i, ok := seen[key]; ok {
			f := &byKernel[r.Kernel][i]
			if f.Also++; severity(Failure{Result: r}) > severity(*f) {
				f.Result = r
			}
			continue
		}
		seen[key] = len(byKernel[r.Kernel])
		byKernel[r.Kernel] = append(byKernel[r.Kernel], Failure{Result: r})
	}
	// rank is a failure's number among those of its kernel.
	type ranked struct {
		rank int
		Failure
	}
	var all []ranked
	for _, kernel := range slices.Sorted(maps.Keys(byKernel)) {
		list := byKernel[kernel]
		slices.SortStableFunc(list, func(a, b Failure) int { return cmp.Compare(severity(b), severity(a)) })
		for i, f := range list {
			all = append(all, ranked{i, f})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(severity(b.Failure), severity(a.Failure)))
	})
	list := make([]Failure, len(all))
	for i, f := range all {
		list[i] = f.Failure
	}
	return list
}

// severity orders failures: what could not be judged says the most, then the
// error over its bound.
func severity(f Failure) float64 {
	if f.Status == suite.Error {
		return math.Inf(1)
	}
	return f.ErrorRatio
}

// skips lists the reasons for cases that were not judged.
func skips(results []suite.Result) []Skip {
	var list []Skip
	index := map[[2]string]int{}
	for _, r := range results {
		if r.Status != suite.Skip {
			continue
		}
		key := [2]string{r.Kernel, r.Text()}
		i, ok := index[key]
		if !ok {
			i = len(list)
			index[key] = i
			list = append(list, Skip{Kernel: r.Kernel, Reason: key[1]})
		}
		list[i].Cases++
	}
	return list
}

// notes lists what cases say beside their verdict, each text once.
func notes(results []suite.Result, of func(suite.Result) []string) []Note {
	var list []Note
	index := map[string]int{}
	for _, r := range results {
		for _, text := range of(r) {
			i, ok := index[text]
			if !ok {
				i = len(list)
				index[text] = i
				list = append(list, Note{Kernel: r.Kernel, Text: text})
			}
			list[i].Cases++
		}
	}
	return list
}
