package html

import (
	"fmt"
	"strings"

	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/suite"
	"metalconform/suite/metrics"
)

// caseBody is the page of a case.
type caseBody struct {
	suite.Result
	Verdict    verdict
	KernelPage string
	Doc        string
	Contract   string
	Alone      bool // the kernel has a definition and no contract
	Axes       []suite.AxisValue
	Explain    string // command that gives the account of its worst element
	Text       string // why it was not judged
	Failures   []failureBody
	Outputs    []outputBody
	Previous   *link // the case of the same kernel that is worse
	Next       *link
}

// failureBody is a check that failed.
type failureBody struct {
	suite.Failure
	Means    string
	Element  *element
	Excerpts []excerpt
}

// excerpt is the source around a party of a finding.
type excerpt struct {
	Party party
	Lines []sourceLine
	At    int // the line
}

// outputBody is how far an output is off.
type outputBody struct {
	metrics.Output
	Readings  []reading
	Heads     metrics.Table // of the slices
	Parts     []sliceRow
	Histogram *histogram
	HeatMap   *heatMap
}

func (s *site) casePages(w writer) error {
	for _, row := range s.shown {
		list := s.worthPages(row.Kernel)
		for at, index := range list {
			if err := s.apart(s.names.paged[index], func() error { return s.writeCase(w, row, list, at) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// writeCase writes the page of one of the cases of a kernel that have one.
func (s *site) writeCase(w writer, row reports.Row, list []int, at int) error {
	b := s.caseBody(list[at])
	if at > 0 {
		b.Previous = &link{Text: axesOf(s.Results[list[at-1]]), To: s.names.paged[list[at-1]]}
	}
	if at+1 < len(list) {
		b.Next = &link{Text: axesOf(s.Results[list[at+1]]), To: s.names.paged[list[at+1]]}
	}
	trail := []link{{Text: row.Family, To: s.names.family[row.Family]},
		{Text: row.Kernel, To: s.names.kernel[row.Kernel]}}
	return s.render(w, s.names.paged[list[at]], "case", b.Case, trail, b)
}

// axesOf is the name of a case without that of its kernel.
func axesOf(r suite.Result) string { return strings.TrimPrefix(r.Case, r.Kernel+"/") }

func (s *site) caseBody(index int) caseBody {
	r := s.Results[index]
	k := s.kernels[r.Kernel]
	b := caseBody{
		Result: r, Verdict: newVerdict(r.Status), KernelPage: s.names.kernel[r.Kernel], Explain: s.explain(r),
		Doc: k.Doc, Contract: k.Contract, Alone: k.Name != "" && k.Contract == "" && len(k.Pipeline) == 0,
		Text: r.Text(),
	}
	if len(r.Contracts) > 0 {
		words := make([]string, len(r.Contracts))
		for i, c := range r.Contracts {
			words[i] = c.String()
		}
		b.Contract = strings.Join(words, "; ")
	}
	b.Axes = suite.NameAxes(r.Case)
	accounted := map[string]bool{}
	for _, f := range r.Failures {
		e := s.element(r, f)
		if e != nil { // checks that the same element fails share its account
			name := f.Element().String()
			if accounted[name] {
				e.Account, e.Explain, e.ExplainFirst = "", "", ""
			}
			accounted[name] = true
		}
		b.Failures = append(b.Failures, failureBody{Failure: f, Means: f.Check.Info().Means, Element: e,
			Excerpts: s.excerpts(f)})
	}
	shown := s.columns(metrics.InDetails)
	for _, o := range reports.Meaningful(r) {
		body := outputBody{
			Output: o, Readings: readings(o, shown), Histogram: newHistogram(o.Histogram),
			HeatMap: newHeatMap(o.Map, o.Extents, s.axisNames(r.Kernel, o)),
		}
		body.Heads, body.Parts = sliceRows(o, shown)
		b.Outputs = append(b.Outputs, body)
	}
	return b
}

// around is how many lines an excerpt has before and after its own.
const around = 3

// excerpts are the source around the parties of a finding, one for each.
func (s *site) excerpts(f suite.Failure) []excerpt {
	var list []excerpt
	for _, p := range []*metalrun.Party{f.At, f.Other} {
		if p == nil {
			continue
		}
		list = append(list, excerpt{*s.party(p), s.source(p.File, p.Line-around, p.Line+around, false), p.Line})
	}
	return list
}

// axisNames names the axes of an output as its binding does, each with its extent.
func (s *site) axisNames(kernel string, m metrics.Output) []string {
	names := make([]string, len(m.Extents))
	for i, n := range m.Extents {
		names[i] = fmt.Sprintf("axis %d (%d)", i, n)
	}
	for _, b := range s.kernels[kernel].Bindings {
		if b.Name != m.Output || len(b.Extents) != len(m.Extents) {
			continue
		}
		for i, e := range b.Extents {
			if e != "…" && e != fmt.Sprint(m.Extents[i]) {
				names[i] = fmt.Sprintf("%s (%d)", e, m.Extents[i])
			}
		}
	}
	return names
}
