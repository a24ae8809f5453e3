package reports

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"

	"metalconform/suite"
)

// The elements of JUnit's XML that readers of it agree on.
type (
	junitRun struct {
		XMLName  xml.Name     `xml:"testsuites"`
		Name     string       `xml:"name,attr"`
		Tests    int          `xml:"tests,attr"`
		Failures int          `xml:"failures,attr"`
		Errors   int          `xml:"errors,attr"`
		Skipped  int          `xml:"skipped,attr"`
		Suites   []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string          `xml:"name,attr"`
		Tests      int             `xml:"tests,attr"`
		Failures   int             `xml:"failures,attr"`
		Errors     int             `xml:"errors,attr"`
		Skipped    int             `xml:"skipped,attr"`
		Time       string          `xml:"time,attr"` // seconds
		Timestamp  string          `xml:"timestamp,attr,omitempty"`
		Properties []junitProperty `xml:"properties>property"`
		Cases      []junitCase     `xml:"testcase"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Line    int           `xml:"line,attr,omitempty"`
		Time    string        `xml:"time,attr"`
		Failure *junitOutcome `xml:"failure"`
		Error   *junitOutcome `xml:"error"`
		Skipped *junitOutcome `xml:"skipped"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitOutcome struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr,omitempty"`
		Text    string `xml:",chardata"`
	}
)

// JUnit writes a test suite per kernel with a test per case. What is expected or known
// to fail, or waived, counts as skipped, because the format knows nothing nearer. What
// fails a run apart from its cases, and what results lack, is a suite of its own, so that
// something fails where the run does. Each suite has the verdict on the run among its properties.
func JUnit(w io.Writer, v View) error {
	run := junitRun{Name: "conform"}
	verdict := junitProperty{"verdict", v.Verdict().String()}
	for _, list := range byKernel(v.Judged()) {
		s := v.suite(list)
		s.Properties = append(s.Properties, verdict)
		run.add(s)
	}
	if s := v.otherFailures(); s.Tests > 0 {
		s.Properties = append(s.Properties, verdict)
		run.add(s)
	}
	text, err := xml.MarshalIndent(run, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

// otherFailures is the suite of what fails the run and is no case.
func (v View) otherFailures() junitSuite {
	s := junitSuite{Name: "conform", Time: seconds(0)}
	for _, p := range v.Problems() {
		c := junitCase{Class: "conform." + string(p.Kind), Name: p.Name, File: p.At.File, Line: p.At.Line,
			Time: seconds(0)}
		headline, _, _ := strings.Cut(p.Text, "\n")
		outcome := &junitOutcome{Message: headline, Type: string(p.Kind), Text: p.Whole()}
		if p.Known {
			outcome.Type = string(Known)
			c.Skipped = outcome
		} else {
			c.Failure = outcome
		}
		s.count(c)
	}
	for i, text := range v.lacks() {
		s.count(junitCase{Class: "conform.results", Name: fmt.Sprintf("results %d", i+1), Time: seconds(0),
			Error: &junitOutcome{Message: text}})
	}
	return s
}

// count adds a case.
func (s *junitSuite) count(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func (r *junitRun) add(s junitSuite) {
	r.Suites = append(r.Suites, s)
	r.Tests += s.Tests
	r.Failures += s.Failures
	r.Errors += s.Errors
	r.Skipped += s.Skipped
}

// byKernel are the results of each kernel, in order of first appearance.
func byKernel(results []suite.Result) [][]suite.Result {
	var lists [][]suite.Result
	index := map[string]int{}
	for _, r := range results {
		i, ok := index[r.Kernel]
		if !ok {
			i = len(lists)
			index[r.Kernel] = i
			lists = append(lists, nil)
		}
		lists[i] = append(lists[i], r)
	}
	return lists
}

// suite is that of the cases of a kernel.
func (v View) suite(results []suite.Result) junitSuite {
	s := junitSuite{Name: results[0].Kernel}
	if !v.Started.IsZero() {
		s.Timestamp = v.Started.UTC().Format(time.RFC3339)
	}
	for _, p := range []junitProperty{
		{"backend", v.Device.Backend}, {"device", v.Device.Name}, {"seed", fmt.Sprint(v.Options.Seed)},
		{"sweep", v.Options.Sweep}, {"commit", v.Commit},
	} {
		if p.Value != "" {
			s.Properties = append(s.Properties, p)
		}
	}
	var ns int64
	for _, r := range results {
		ns += r.NS
		s.count(v.junitCase(r))
	}
	s.Time = seconds(ns)
	return s
}

// junitCase is one case.
func (v View) junitCase(r suite.Result) junitCase {
	k := v.Kernel(r.Kernel)
	c := junitCase{Class: r.Family + "." + r.Kernel, Name: r.Case, Line: k.Line, Time: seconds(r.NS)}
	if k.File != "" {
		c.File = v.path(k.File)
	}
	r = Folded(r)
	message := r.Text()
	outcome := &junitOutcome{Message: r.Headline()}
	switch r.Status {
	case suite.Fail:
		if len(r.Failures) > 0 {
			outcome.Type = string(r.Failures[0].Check)
		}
		c.Failure = outcome
	case suite.Error:
		c.Error = outcome
	case suite.Skip, suite.Expected, suite.Waived, Known:
		outcome.Type = string(r.Status)
		c.Skipped = outcome
	}
	if r.Replay != "" {
		message += "\nrepeat: " + r.Replay
	}
	outcome.Text = message
	if len(r.Warnings) > 0 {
		c.Out = "warning: " + strings.Join(r.Warnings, "\nwarning: ")
	}
	return c
}

// seconds is a time as the format has it.
func seconds(ns int64) string { return fmt.Sprintf("%.6f", float64(ns)/1e9) }
