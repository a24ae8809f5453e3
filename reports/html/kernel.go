package html

import (
	"path"
	"slices"

	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// mostRows is the number of cases that a kernel's page lists, and rowsEach that of all pages together for each
// kernel that may have one.
const (
	mostRows = 5000
	rowsEach = 100
)

// kernelBody is the page of a kernel or a pipeline.
type kernelBody struct {
	reports.Kernel
	Row       matrixRow
	Worst     []metricCell
	Launches  []link // kernels that a pipeline launches
	Pipelines []link // that launch the kernel
	Failures  []failureRow
	Findings  []failureBody
	Lines     []sourceLine
	Source    link
	Elsewhere []excerptOf // functions with a part in the errors that were blamed, or in the time that is forecast
	Blamed    bool        // some errors were
	Cases     []caseRow
	Rest      int // cases that have no row
	Paged     int // cases with a page
	Figures   *gallery
	Forecast  *forecastBody // nil if there is none
}

// caseRow is a case in a list.
type caseRow struct {
	Index        int
	Name, Page   string // its page is empty if it has none
	Verdict      verdict
	Cells        []metricCell
	Elements     int
	NS           int64
	What, Replay string
	Whole        bool // What is all that there is to say, of a case without a page
}

func (s *site) kernelPages(w writer) error {
	for _, row := range s.shown {
		name, trail := s.names.kernel[row.Kernel], []link{{Text: row.Family, To: s.names.family[row.Family]}}
		if err := s.apart(name, func() error {
			return s.render(w, name, "kernel", row.Kernel, trail, s.kernelBody(row))
		}); err != nil {
			return err
		}
	}
	return nil
}

func (s *site) kernelBody(row reports.Row) kernelBody {
	k := s.kernels[row.Kernel]
	k.Name = row.Kernel
	b := kernelBody{Kernel: k, Row: s.matrixRow(row), Figures: s.pictures(row.Kernel, false)}
	for _, c := range b.Row.Cells {
		if c.Metric.Shown == metrics.InTables && c.Text != none {
			b.Worst = append(b.Worst, c)
		}
	}
	for _, name := range k.Pipeline {
		b.Launches = append(b.Launches, link{Text: name, To: s.names.kernel[name]})
	}
	for _, pipeline := range s.Kernels {
		if slices.Contains(pipeline.Pipeline, k.Name) && s.names.kernel[pipeline.Name] != "" {
			b.Pipelines = append(b.Pipelines, link{Text: pipeline.Name, To: s.names.kernel[pipeline.Name]})
		}
	}
	s.kernelFailures(&b)
	if k.File != "" {
		first, last := entryPoint(s.lines(k.File), k.Line)
		b.Lines = s.source(k.File, first, last, true)
		b.Source = link{Text: path.Join(s.Root, k.File), To: s.lineAnchor(k.File, k.Line)}
	}
	heats, costs := s.heats(row.Kernel), map[string]map[int]*heat(nil)
	if b.Forecast = s.forecast(row.Kernel); b.Forecast != nil {
		costs = b.Forecast.costs()
		b.Forecast.list(s, costs)
	}
	b.Blamed = len(heats) > 0
	b.Elsewhere = s.elsewhere(k.File, b.Lines, heats, costs)
	rows := s.rows[row.Kernel]
	b.Rest = len(s.cases[row.Kernel]) - len(rows)
	for _, index := range rows {
		b.Cases = append(b.Cases, s.caseRow(index))
		if s.names.paged[index] != "" {
			b.Paged++
		}
	}
	return b
}

// kernelFailures enters the kinds of failures of a kernel. Findings at the same
// positions are of one kind, whatever they say, and are shown with their source.
func (s *site) kernelFailures(b *kernelBody) {
	indices := map[string]int{}
	for _, i := range s.cases[b.Name] {
		indices[s.Results[i].Case] = i
	}
	for _, f := range s.table.Failures {
		if f.Kernel != b.Name || len(b.Failures) == mostFailures {
			continue
		}
		b.Failures = append(b.Failures, s.failureRow(indices[f.Case], f.Also))
		for _, x := range f.Failures {
			if x.At != nil {
				b.Findings = append(b.Findings,
					failureBody{Failure: x, Means: x.Check.Info().Means, Excerpts: s.excerpts(x)})
			}
		}
	}
}

// listRows chooses the cases that the pages of kernels list: all of a kernel in the order of the sweep, or the worst if
// there are too many. Those of a kernel without a page are in the list of all cases.
func (s *site) listRows() {
	for i := range s.Results {
		s.unlisted[i] = true
	}
	most, all := mostRows, 0
	for _, row := range s.shown {
		all += min(len(s.cases[row.Kernel]), mostRows)
	}
	if all > rowsEach*s.Most {
		most = rowsEach * s.Most / len(s.shown)
	}
	for _, row := range s.shown {
		list := s.cases[row.Kernel]
		if len(list) > most {
			list = slices.Clone(list)
			s.worstFirst(list)
			list = slices.Sorted(slices.Values(list[:most]))
		}
		for _, index := range list {
			delete(s.unlisted, index)
		}
		s.rows[row.Kernel] = list
	}
}

// worst finds the worst values of a case.
func worst(r suite.Result) func(metrics.Metric) (float64, bool) {
	outputs := reports.Meaningful(r)
	return func(m metrics.Metric) (float64, bool) {
		x, ok := m.Of(outputs)
		return x, ok && r.Elements > 0
	}
}

func (s *site) caseRow(index int) caseRow {
	r := s.Results[index]
	row := caseRow{
		Index: index, Name: axesOf(r), Page: s.names.paged[index], Verdict: newVerdict(r.Status),
		Cells: cells(s.columns(metrics.InTables), worst(r)), Elements: r.Elements, NS: r.NS, Replay: r.Replay,
	}
	switch {
	case r.Status == suite.Pass:
	case row.Page == "" && r.Status != suite.Skip:
		row.What, row.Whole = r.Text(), true
	default:
		row.What = r.Headline()
	}
	return row
}
