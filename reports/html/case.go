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

// means says what each check is, for somebody who sees it the first time.
func means(c suite.Check) string {
	return map[suite.Check]string{
		suite.CheckBound: "an element is further from its exact value than rounding can take it in the " +
			"arithmetic that the kernel promises, or has where it promises none",
		suite.CheckStatistical: "inputs are random, and an element is further from its exact value than 8.3 standard " +
			"deviations of independent roundings",
		suite.CheckExact:     "an element is not the one value that it can be",
		suite.CheckNonFinite: "NaN or infinity where a number has to be, or the reverse",
		suite.CheckFormula:   "in exact arithmetic the kernel computes something else than its definition",
		suite.CheckRounding: "an element is further from what the kernel computes in exact arithmetic than " +
			"rounding can take it on any device",
		suite.CheckUnwritten:   "an element of an output was never written",
		suite.CheckDeterminism: "the same launches from the same inputs gave other bits",
		suite.CheckUntouched:   "an element that has to stay as it is has changed",
		suite.CheckReadOnly:    "an input has changed",
		suite.CheckGuard:       "something was written outside of a buffer",
		suite.CheckFault:       "the launch ended in a fault of the kernel",
		suite.CheckArguments:   "the arguments are not those of the catalogue",
		suite.CheckFunctions:   "a function is less accurate than the contract says",
		suite.CheckTables:      "a table holds other numbers than it should",
		suite.CheckEqual:       "two buffers that must have the same bits differ",
		suite.CheckRefusal:     "a shape that the host has to refuse was accepted",
		suite.CheckRace:        "two threads access the same memory in no order, one of them to write",
		suite.CheckUninitial:   "memory that nobody has written reaches an output or a branch",
		suite.CheckInactive:    "the value of a lane that is not active reaches an output or a branch",
		suite.CheckUndefined:   "a division by zero or an impossible conversion reaches an output or a branch",
		suite.CheckFastMath:    "what fast math makes of a NaN or an infinity reaches an output or a branch",
		suite.CheckExpected:    "the case did not fail as it is declared to",
	}[c]
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
		if e != nil && e.Account != "" { // checks that the same element fails share its account
			if accounted[e.Account] {
				e.Account = ""
			} else {
				accounted[e.Account] = true
			}
		}
		b.Failures = append(b.Failures, failureBody{Failure: f, Means: means(f.Check), Element: e,
			Excerpts: s.excerpts(f)})
	}
	shown := s.columns(metrics.InDetails)
	for _, o := range r.Outputs {
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
