package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"metalconform/internal/exit"
	"metalconform/internal/session"
	"metalconform/metalrun"
	"metalconform/reports"
	"metalconform/reports/html"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// outcome is what becomes of the one case of a kernel in a run.
type outcome string

const (
	passes    outcome = "passes"
	warns     outcome = "passes with a warning"
	fails     outcome = "fails"
	failsElse outcome = "fails by another check"
	breaks    outcome = "could not be judged"
	expected  outcome = "fails as is declared"
	waived    outcome = "fails by less than is waived"
	unasked   outcome = "is declared not to be launched"
	absent    outcome = "absent"
	broken    outcome = "in a file that does not compile"
	missing   outcome = "not in the run" // nothing of it is
	noRun     outcome = "no run"         // no baseline
)

// judgedAs are the outcomes of a kernel that was judged.
var judgedAs = []outcome{passes, warns, fails, failsElse, breaks, expected, waived}

// situation is a run of one kernel, perhaps with others, and what it is held to.
type situation struct {
	is, was  outcome
	new      bool // -new
	required bool
	gone     bool // an [[absent]] declaration
	others   bool // that pass, in both runs
	stale    bool // a declaration, in both runs
	cut      bool // the run was interrupted before its end
}

// String names the situation.
func (s situation) String() string {
	return strings.ReplaceAll(fmt.Sprintf("%s; was: %s; new=%t required=%t gone=%t others=%t stale=%t cut=%t", s.is,
		s.was, s.new, s.required, s.gone, s.others, s.stale, s.cut), "/", "_")
}

// situations are all that differ in what matters: what is required, declared to be absent
// or judged beside it decides nothing where a kernel is judged.
func situations() []situation {
	var list []situation
	unjudged := []outcome{unasked, absent, broken, missing}
	both := []bool{false, true}
	for _, was := range slices.Concat(judgedAs, unjudged, []outcome{noRun}) {
		for _, new := range both {
			if new && was == noRun {
				continue
			}
			for _, is := range judgedAs {
				list = append(list, situation{is: is, was: was, new: new, others: true})
				list = append(list, situation{is: is, was: was, new: new, required: true})
			}
			for _, is := range unjudged {
				for bits := range 8 {
					list = append(list, situation{is: is, was: was, new: new, required: bits&1 > 0, gone: bits&2 > 0,
						others: bits&4 > 0})
				}
			}
			for _, is := range []outcome{passes, fails} {
				list = append(list, situation{is: is, was: was, new: new, others: true, stale: true})
				list = append(list, situation{is: is, was: was, new: new, others: true, cut: true})
			}
		}
	}
	return list
}

// status is what the exit status has to be, by the rules of the manual alone.
func (s situation) status() int {
	judged := func(o outcome) bool { return slices.Contains(judgedAs, o) }
	known := s.new && s.was != noRun
	bad, open := s.stale && !known, s.cut
	switch s.is {
	case breaks:
		open = open || !(known && s.was == breaks)
	case fails, failsElse:
		bad = bad || !(known && (s.was == s.is || s.was == failsElse && s.is == fails)) // what failed by more
	case broken:
		bad = bad || !(known && s.was == broken)
	case absent, unasked, missing:
		lost := judged(s.was) && s.is != unasked
		if (lost || s.required && !(known && !judged(s.was))) && !s.gone {
			bad = true
		}
		nothing := !s.others
		nothingBefore := s.was == absent || s.was == unasked || s.was == missing
		if nothing && !(known && nothingBefore) {
			bad = true
		}
	}
	switch {
	case bad:
		return exit.Fails
	case open:
		return exit.Device
	}
	return exit.Conforms
}

// write makes the results of one of the two runs.
func (s situation) write(t *testing.T, dir string, o outcome, current bool) string {
	t.Helper()
	h := reports.Header{
		Started: time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), Device: reports.Device{Backend: "simulator"},
		Options: reports.Options{Sweep: "quick"},
		Root:    "k", Shaders: map[string]reports.Shader{"k.metal": {}},
	}
	var results []suite.Result
	r := suite.Result{Case: "residual_add/dim=1/input=normal", Kernel: "residual_add", Family: "norm",
		Status: suite.Pass, Elements: 1, Replay: "conform run"}
	k := reports.Kernel{Name: "residual_add", Family: "norm"}
	bound := suite.Failure{Check: suite.CheckBound, Arg: "out", Index: []int{0}, Got: new(suite.Value(1)),
		Want: new(suite.Value(2)), ErrorRatio: 2}
	switch o {
	case warns:
		r.Warnings = []string{"4 % above the least"}
	case fails:
		r.Status, r.Failures = suite.Fail, []suite.Failure{bound}
	case failsElse:
		r.Status, r.Failures = suite.Fail,
			[]suite.Failure{bound, {Check: suite.CheckUnwritten, Arg: "out", Index: []int{0}}}
	case breaks:
		r.Status, r.Reason, r.Elements = suite.Error, "the device was lost", 0
	case expected:
		r.Status, r.Failures = suite.Expected, []suite.Failure{bound}
	case waived:
		r.Status, r.Failures = suite.Waived, []suite.Failure{bound}
	case unasked:
		r.Status, r.Waiver, r.Elements = suite.Waived,
			&suite.Entry{Position: suite.Position{File: "conform.toml", Line: 1}}, 0
	case absent:
		r.Status, r.Reason, r.Elements = suite.Skip, "absent: no file exports a kernel of that name", 0
		k.Lack = &suite.Lack{Reason: r.Reason, Near: []string{"residual_ad (k.metal:3)"}}
	case broken:
		r.Status, r.Reason, r.Uncompiled, r.Elements = suite.Skip, "k.metal does not compile", "k.metal", 0
		h.Shaders["k.metal"] = reports.Shader{Diagnostics: metalrun.Diagnostics{
			{Position: metalrun.Position{File: "k.metal", Line: 5, Col: 3}, Message: "x is not declared"},
		}}
	}
	if o != missing {
		results, h.Kernels = append(results, r), append(h.Kernels, k)
	}
	if s.others {
		results = append(results, suite.Result{Case: "sigmoid_gate/dim=1/input=normal", Kernel: "sigmoid_gate",
			Family: "attention", Status: suite.Pass, Elements: 1})
		h.Kernels = append(h.Kernels, reports.Kernel{Name: "sigmoid_gate", Family: "attention"})
	}
	if current && s.required {
		h.Required = []reports.Requirement{{Kernel: "residual_add", By: "-require all"}}
	}
	if current && s.gone {
		h.Absent = []reports.Absence{{Entry: suite.Entry{Position: suite.Position{File: "conform.toml", Line: 9}},
			Kernels: []string{"residual_add"}}}
	}
	h.Planned = len(results)
	ending := reports.Ending{Ended: len(results)}
	if s.stale {
		ending.Stale = []suite.Outdated{{Position: suite.Position{File: "conform.toml",
			Line: map[bool]int{false: 3, true: 7}[current]}, Text: "no longer needed: it is so"}}
	}
	if current && s.cut {
		h.Planned++
	}
	var text bytes.Buffer
	log := reports.NewLog(&text)
	if err := log.Begin(h); err != nil {
		t.Fatal(err)
	}
	for i, r := range results {
		if err := log.Write(i, r); err != nil {
			t.Fatal(err)
		}
	}
	if !(current && s.cut) {
		if err := log.End(ending); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(dir, map[bool]string{false: "was.jsonl", true: "is.jsonl"}[current])
	if err := os.WriteFile(name, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return name
}

// Whatever the verdicts, the exit status is what the manual says, and no report says
// otherwise: a text, a summary in Markdown and pages name a failure where there is one,
// JUnit has one and so have annotations.
func TestReportsAgree(t *testing.T) {
	dir := t.TempDir()
	for i, s := range situations() {
		if testing.Short() && i%21 != 0 { // no divisor of the 50 that share a baseline: each is met
			continue
		}
		is, was, want := s.write(t, dir, s.is, true), s.write(t, dir, s.was, false), s.status()
		for _, format := range []string{"text", "markdown", "junit", "github"} {
			f := reportFlags{reports: session.ReportFlag{Given: []session.Report{{Format: format}}}, partial: true}
			f.New = s.new
			if s.was != noRun {
				f.BaselineFiles = []string{was}
			}
			var out, errs bytes.Buffer
			if got := statusOf(report(f, []string{is}, &out, &errs)); got != want {
				t.Errorf("%s: %s exits with %d, want %d\n%s%s", s, format, got, want, out.String(), errs.String())
				break
			}
			if says := saysFailure[format](t, out.String()); says != (want != exit.Conforms) {
				t.Errorf("%s: exit status %d, and %s says a failure: %t\n%s", s, want, format, says, out.String())
			}
		}
		if i%48 == 0 {
			s.page(t, dir, is, was)
		}
	}
}

// page checks the first page of a report, whose verdict is red if the run fails.
func (s situation) page(t *testing.T, dir, is, was string) {
	t.Helper()
	run, err := session.ReadRun([]string{is}, true, session.ResultsMemory{}.Room())
	if err != nil {
		t.Fatal(err)
	}
	g := session.VerdictFlags{New: s.new}
	var baseline *reports.Run
	if s.was != noRun {
		g.BaselineFiles = []string{was}
		if baseline, err = g.Baseline(true); err != nil {
			t.Fatal(err)
		}
	}
	view, err := g.View(run, baseline, "")
	if err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(dir, "site")
	if err := html.Write(site, html.Site{View: view}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(site, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	if red, want := strings.Contains(string(text), `class="banner fail"`), s.status() == exit.Fails; red != want {
		t.Errorf("%s: the page is red: %t, want %t", s, red, want)
	}
}

// statusOf is the exit status that an error of a command makes.
func statusOf(err error) int {
	var e *exit.Error
	switch {
	case err == nil:
		return exit.Conforms
	case errors.As(err, &e):
		return e.Status
	}
	return exit.Usage
}

// failing is a verdict that fails a run, or says that not all was judged.
var failing = regexp.MustCompile(`^(## Conform: )?(FAIL|NOT JUDGED) `)

// saysFailure finds out whether a report says that the run fails.
var saysFailure = map[string]func(t *testing.T, text string) bool{
	"text": func(_ *testing.T, text string) bool {
		verdict, _, _ := strings.Cut(text, "\n")
		return failing.MatchString(verdict)
	},
	"markdown": func(_ *testing.T, text string) bool {
		verdict, _, _ := strings.Cut(text, "\n")
		return failing.MatchString(verdict)
	},
	"junit": func(t *testing.T, text string) bool {
		var all struct {
			Failures int `xml:"failures,attr"`
			Errors   int `xml:"errors,attr"`
			Suites   []struct {
				Cases []struct {
					Failure, Error *struct{} `xml:",omitempty"`
				} `xml:"testcase"`
			} `xml:"testsuite"`
		}
		text = strings.NewReplacer("<failure", "<Failure", "</failure", "</Failure", "<error", "<Error", "</error",
			"</Error").Replace(text)
		if err := xml.Unmarshal([]byte(text), &all); err != nil {
			t.Fatal(err)
		}
		counted := 0
		for _, s := range all.Suites {
			for _, c := range s.Cases {
				if c.Failure != nil || c.Error != nil {
					counted++
				}
			}
		}
		if counted != all.Failures+all.Errors {
			t.Errorf("JUnit counts %d failures and %d errors, and has %d", all.Failures, all.Errors, counted)
		}
		return counted > 0
	},
	"github": func(_ *testing.T, text string) bool { return strings.Contains("\n"+text, "\n::error ") },
}

// What -require names is in the catalogue, or a mistake.
func TestRequired(t *testing.T) {
	catalogue := []string{"norm", "norm_qk", "softmax"}
	dir := t.TempDir()
	for _, test := range []struct {
		flag, file string // its contents
		want       []string
		wrong      string
	}{
		{flag: "all", want: catalogue},
		{flag: "norm", want: catalogue[:1]},
		{flag: "norm.*", want: catalogue[:2]},
		{flag: "^softmax$|norm", want: []string{"norm", "softmax"}},
		{file: "# mine\nsoftmax # the last\n\n norm\n", want: []string{"softmax", "norm"}},
		{file: "# none\n", wrong: "FILE names no kernel"},
		{file: "norm\nsoftmaks\nnrm\n",
			wrong: "-require: FILE:2: no kernel or pipeline is called \"softmaks\"; did you mean softmax?\n" +
				"-require: FILE:3: no kernel or pipeline is called \"nrm\"; did you mean norm?"},
		{flag: "nor", wrong: "-require \"nor\": there is no such file, and no kernel or pipeline has such a name " +
			"(the whole of it has to match); did you mean norm?"},
		{flag: "", wrong: "-require \"\": there is no such file"},
		{flag: "(", wrong: "-require (: there is no such file, and error parsing regexp"},
	} {
		flag := test.flag
		if test.file != "" {
			flag = filepath.Join(dir, "names")
			if err := os.WriteFile(flag, []byte(test.file), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		var r session.Required
		if err := r.Set(flag); err != nil {
			t.Fatal(err)
		}
		got, err := r.Names(func() []string { return catalogue })
		switch {
		case test.wrong == "" && err != nil:
			t.Errorf("%q: %v", flag, err)
		case test.wrong != "" &&
			(err == nil ||
				!strings.Contains(strings.ReplaceAll(err.Error(), flag,
					map[bool]string{true: "FILE", false: flag}[test.file != ""]), test.wrong)):
			t.Errorf("%q: error %v, want %s", flag, err, test.wrong)
		default:
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("%q (-want +got):\n%s", flag, diff)
			}
		}
	}
}
