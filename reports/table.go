package reports

import (
	"fmt"
	"regexp"
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
	// Failures are the causes for which cases failed or could not be judged, the worst of each kernel before the
	// second worst of any.
	Failures []Failure
	Problems []Problem // in addition to the cases; of a view
	Skips    []Skip
	// Warnings and Notes are what cases say in addition to their verdict, in order of first
	// appearance. What cases of several kernels say stands with the first.
	Warnings []Note
	Notes    []Note
	Modes    *Modes   // that kernels were built in; nil if that is one
	Lacks    []string // what is missing of the run, in sentences; of a view
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

	symptoms map[int]int // cases by what they fail by
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
	return subjects(t.Rows)
}

// subjects counts the kernels and the pipelines among rows.
func subjects(rows []Row) string {
	pipelines := 0
	for _, r := range rows {
		if r.Pipeline {
			pipelines++
		}
	}
	kernels := printable.Count(len(rows)-pipelines, "kernel")
	switch pipelines {
	case 0:
		return kernels
	case len(rows):
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
		if x, ok := r.Metrics.Find(m.Key); ok && r.Judged > 0 && !Unbounded(x.Value) {
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

// Status is the worst verdict of the kernel's cases that were judged.
func (r Row) Status() suite.Status {
	for _, s := range []suite.Status{suite.Fail, suite.Error, Known, suite.Expected, suite.Waived, suite.Pass} {
		if r.Count[s] > 0 {
			return s
		}
	}
	return suite.Skip
}

// share says of how many cases the verdict is, if not of all that were judged, and how many were not judged.
func (r Row) share() string {
	status, skipped := r.Status(), r.Count[suite.Skip]
	share := ""
	if n := r.Count[status]; status != suite.Skip && n < r.Cases()-skipped {
		share = fmt.Sprintf(" (%d)", n)
	}
	if status != suite.Skip && skipped > 0 {
		share += fmt.Sprintf(", %d skipped", skipped)
	}
	return share
}

// Skip is a reason that cases of a kernel were not judged for.
type Skip struct {
	Kernel string
	Reason string
	Cases  int
}

// Note is what cases say in addition to their verdict.
type Note struct {
	Kernel string // the first
	Text   string // of the first place
	Cases  int

	Lines, Kernels int // of a warning: at how many lines and in how many kernels its cause is found
}

// Extent says how often a warning was found: 22 cases, 3 lines in 2 kernels.
func (n Note) Extent() string {
	text := printable.Count(n.Cases, "case")
	if n.Lines > 1 {
		text += ", " + printable.Count(n.Lines, "line")
		if n.Kernels > 1 {
			text += " in " + printable.Count(n.Kernels, "kernel")
		}
	} else if n.Kernels > 1 {
		text += " of " + printable.Count(n.Kernels, "kernel")
	}
	return text
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
				Row{Kernel: r.Kernel, Family: r.Family, Pipeline: r.Pipeline, Count: map[suite.Status]int{},
					symptoms: map[int]int{}})
		}
		t.Rows[i].add(r, t.Metrics)
	}
	t.Failures = failures(results)
	t.Modes = NewModes(results)
	t.Skips = skips(results)
	t.Warnings = warnings(results)
	t.Notes = notes(results)
	return t
}

func (r *Row) add(result suite.Result, of metrics.Table) {
	r.Count[result.Status]++
	r.Metrics = of.Join(r.Metrics, Meaningful(result))
	r.Time += time.Duration(result.NS)
	r.Judged += result.Elements
	r.Open += result.Open
	for _, s := range symptomsOf(result) {
		r.symptoms[s]++
	}
}

// Meaningful are the outputs of a result without values that say nothing: the cosine of integers, and one of 0 although
// the case passes, which stands for a vector that is zero or whose squares are.
func Meaningful(r suite.Result) []metrics.Output {
	outputs := slices.Clone(r.Outputs)
	for i, o := range outputs {
		outputs[i].Metrics = without(o.Metrics, func(v metrics.Value) bool {
			return v.Key == metrics.Cosine && (!floating(o) || r.Status == suite.Pass && v.Value == 0)
		})
		if !floating(o) {
			outputs[i].Slices = slices.Clone(o.Slices)
			for j, part := range o.Slices {
				outputs[i].Slices[j].Metrics = without(part.Metrics, func(v metrics.Value) bool {
					return v.Key == metrics.Cosine
				})
			}
		}
	}
	return outputs
}

// without are the values that are not of some kind.
func without(values metrics.Values, drop func(metrics.Value) bool) metrics.Values {
	return slices.DeleteFunc(slices.Clone(values), drop)
}

// floating reports whether the elements of an output are floating-point numbers.
func floating(o metrics.Output) bool {
	return o.Type == "" || slices.Contains([]string{"f32", "f16", "bf16"}, o.Type)
}

// Count is the number of cases with a verdict.
func (t Table) Count(s suite.Status) int {
	n := 0
	for _, r := range t.Rows {
		n += r.Count[s]
	}
	return n
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

// notes lists what cases say in addition to their verdict, each text once.
func notes(results []suite.Result) []Note {
	var list []Note
	index := map[string]int{}
	for _, r := range results {
		for _, text := range r.Notes {
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

// warningPlace is a position in the source at the beginning of a warning.
var warningPlace = regexp.MustCompile(`^([^\s:]+:\d+)(?::\d+)?: `)

// warnings lists the warnings of cases, each cause once: what one says without its place and its bytes.
func warnings(results []suite.Result) []Note {
	var list []Note
	index := map[string]int{}
	seen := map[string]bool{} // of a cause: cases, lines and kernels
	first := func(cause int, what, name string) int {
		key := fmt.Sprintln(cause, what, name)
		if seen[key] {
			return 0
		}
		seen[key] = true
		return 1
	}
	for _, r := range results {
		for _, text := range r.Warnings {
			headline, _, _ := strings.Cut(text, "\n")
			place := warningPlace.FindStringSubmatch(headline)
			if place == nil {
				place = []string{"", ""}
			}
			cause := rangePattern.ReplaceAllString(strings.TrimPrefix(headline, place[0]), "bytes")
			i, ok := index[cause]
			if !ok {
				i = len(list)
				index[cause] = i
				list = append(list, Note{Kernel: r.Kernel, Text: text})
			}
			list[i].Cases += first(i, "case", r.Case)
			list[i].Lines += first(i, "line", place[1])
			list[i].Kernels += first(i, "kernel", r.Kernel)
		}
	}
	return list
}
