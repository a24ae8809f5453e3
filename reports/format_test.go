package reports

import (
	"encoding/csv"
	"encoding/xml"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/perf/benchfmt"
)

var update = flag.Bool("update", false, "write what the formats give to testdata")

// view is a run with every verdict, with characters that formats have to escape,
// a finding at a line, and a comparison with a run in which some of it was
// otherwise.
func view() View {
	all := results()
	race := all[5]
	race.Failures = []suite.Failure{{
		Check: suite.CheckRace, Kernel: "scale", Text: "\"part\" & <T> | `x` ```` 100%, two\n\tlines",
		At: &metalrun.Party{Position: metalrun.Position{File: "b.metal", Line: 7, Col: 3}, Does: "write",
			Thread: [3]int{1, 0, 0}},
		Other: &metalrun.Party{Position: metalrun.Position{File: "b.metal", Line: 9, Col: 5}, Does: "read"},
	}}
	all[5] = race
	for _, status := range []suite.Status{suite.Expected, suite.Waived} {
		name := "zip/n=" + string(status[0]) + "/input=wide"
		all = append(all, suite.Result{
			Case: name, Kernel: "zip", Family: "c", Backend: "simulator", Status: status, ErrorRatio: 1.5,
			Outputs: measured(1.5, 3, 0.999), NS: 5000, Seed: 1, Elements: 4,
			Declared: []suite.Position{{File: "conform.toml", Line: 3}}, Notes: []string{"table *gelu* has 64 entries"},
			Failures: []suite.Failure{{Check: suite.CheckBound, Arg: "out", Index: []int{0}, Got: new(suite.Value(1)),
				Want: new(suite.Value(2)), Error: 1, ErrorRatio: 1.5}},
		})
	}
	all[1].Warnings = []string{"CODES: 4 % above the least"}
	h := header(len(all))
	indices := make([]int, len(all))
	for i := range indices {
		indices[i] = i
	}
	run := NewRun(h, all, indices,
		&Ending{Ended: len(all), ElapsedNS: 12345e6,
			Stale: []suite.Outdated{{Position: suite.Position{File: "conform.toml", Line: 9},
				Text: "the waiver is not needed"}}})
	return View{Run: run, Against: Compare(Set{Run: baseline(run)}, Set{Run: run}, DefaultPolicy()),
		Limit: SummaryLimit, Metrics: few()}
}

// baseline is an earlier run than run.
func baseline(run Run) Run {
	run.Commit = "fedcba9"
	run.Results = append([]suite.Result(nil), run.Results...)
	run.Results[1].ErrorRatio = 0.1  // worse since
	run.Results[3].Status = "pass"   // fails since
	run.Results[6].Status = "fail"   // fixed since
	run.Results[8].Status = "pass"   // skipped since
	run.Results[11].ErrorRatio = 4.0 // better since
	run.Results[0].Case = "old/n=1"  // removed since, and another added
	return run
}

// Each format of the run is as it is kept in testdata.
func TestFormats(t *testing.T) {
	for _, format := range Formats() {
		t.Run(format.Name, func(t *testing.T) {
			var b strings.Builder
			if err := format.Write(&b, view()); err != nil {
				t.Fatal(err)
			}
			golden := filepath.Join("testdata", "report."+format.Name)
			if *update {
				if err := os.WriteFile(golden, []byte(b.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), b.String()); diff != "" {
				t.Errorf("%s (-want +got; -update writes it):\n%s", golden, diff)
			}
		})
	}
}

// What is written is read by the readers of each format, with every case.
func TestFormatsAreRead(t *testing.T) {
	v := view()
	written := func(write func(io.Writer, View) error) string {
		var b strings.Builder
		if err := write(&b, v); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}

	var run junitRun
	if err := xml.Unmarshal([]byte(written(JUnit)), &run); err != nil {
		t.Error(err)
	}
	// Beside the cases there are the declaration that is out of date, and the kernel of which a case has vanished.
	if run.Tests != len(v.Results)+2 || run.Failures != 5 || run.Errors != 1 || run.Skipped != 4 {
		t.Errorf("JUnit has %d tests, %d failures, %d errors, %d skipped", run.Tests, run.Failures, run.Errors,
			run.Skipped)
	}
	if got, want := run.Suites[1].Cases[2].Failure.Text, v.Results[5].Text(); !strings.HasPrefix(got, want) {
		t.Errorf("JUnit has the text %q of %q", got, want)
	}

	rows, err := csv.NewReader(strings.NewReader(written(CSV))).ReadAll()
	if err != nil || len(rows) != len(v.Results)+1 {
		t.Errorf("CSV has %d rows, %v", len(rows), err)
	}

	reader := benchfmt.NewReader(strings.NewReader(written(Benchmarks)), "bench")
	n := 0
	for reader.Scan() {
		if bad, ok := reader.Result().(*benchfmt.SyntaxError); ok {
			t.Error(bad)
		} else if _, ok := reader.Result().(*benchfmt.Result); ok {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d rows of benchmarks, want one for each case that conforms and has elements", n)
	}

	again := read(t, written(func(w io.Writer, v View) error { return JSON(w, v.Run) }))
	if diff := cmp.Diff(v.Run, again, cmp.AllowUnexported(Run{})); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}
}

// Colour changes nothing but colour.
func TestTextColour(t *testing.T) {
	v := view()
	var plain, coloured strings.Builder
	if err := Text(&plain, v); err != nil {
		t.Fatal(err)
	}
	v.Colour = true
	if err := Text(&coloured, v); err != nil {
		t.Fatal(err)
	}
	stripped := regexp.MustCompile("\x1b\\[\\d+m").ReplaceAllString(coloured.String(), "")
	if stripped == coloured.String() || stripped != plain.String() {
		t.Errorf("%q\n%q", coloured.String(), plain.String())
	}
}

// A workflow command is one line, whatever the message, and GitHub is given no
// more errors than it shows.
func TestGitHubCommands(t *testing.T) {
	v := view()
	for i := range 20 {
		r := v.Results[3]
		r.Case, r.Status, r.Reason, r.Failures = fmt.Sprintf("scale/n=%d", i), suite.Error,
			strings.Repeat("x\r\n", i+1), nil
		v.Results = append(v.Results, r)
		if v.Blame == nil {
			v.Blame = map[string]metalrun.Position{}
		}
		v.Blame[r.Case] = metalrun.Position{File: "b.metal", Line: i + 10}
	}
	v.Planned = len(v.Results)
	var b strings.Builder
	if err := GitHub(&b, v); err != nil {
		t.Fatal(err)
	}
	form := regexp.MustCompile(`^::(error|warning|notice) (file=[^,:]+,line=\d+,(col=\d+,)?)?title=[^,:]+::[^\r]+$`)
	errors := 0
	for _, line := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if !form.MatchString(line) {
			t.Errorf("no workflow command: %s", line)
		}
		if strings.HasPrefix(line, "::error") {
			errors++
		}
	}
	if errors != 10 || !strings.Contains(b.String(), "::error title=conform::and 16 more\n") {
		t.Errorf("%d errors:\n%s", errors, b.String())
	}
}

// What fails for one line is said of it once, and a file that does not compile of each line
// that is why.
func TestAnnotations(t *testing.T) {
	v := view()
	v.Against, v.Ending.Stale = nil, nil
	v.Results = v.Results[:0:0]
	for i := range 7 {
		v.Results = append(v.Results, suite.Result{
			Case: fmt.Sprintf("k%d/n=1", i), Kernel: fmt.Sprintf("k%d", i), Status: suite.Error,
			Reason: fmt.Sprintf("%d is wrong\nin detail", i), Replay: "conform run",
		})
	}
	v.Blame = map[string]metalrun.Position{}
	for i := range 6 {
		v.Blame[v.Results[i].Case] = metalrun.Position{File: "sum.h", Line: 3}
	}
	v.Planned = len(v.Results)
	v.Blame["k6"] = metalrun.Position{File: "sum.h", Line: 4}
	diagnostics := metalrun.Diagnostics{
		{Position: metalrun.Position{File: "sum.h", Line: 1, Col: 2}, Message: "what is flot?"},
		{Position: metalrun.Position{File: "sum.h", Line: 2, Col: 1}, Message: "what is x?"},
	}
	v.Shaders = map[string]Shader{"a.metal": {Diagnostics: diagnostics}, "b.metal": {Diagnostics: diagnostics},
		"sum.h": {Text: "a flot\nx\n"}}
	var b strings.Builder
	if err := GitHub(&b, v); err != nil {
		t.Fatal(err)
	}
	var errors []string
	for line := range strings.Lines(b.String()) {
		if rest, ok := strings.CutPrefix(line, "::error "); ok {
			errors = append(errors, strings.TrimSuffix(rest, "\n"))
		}
	}
	want := []string{
		"file=shaders/sum.h,line=1,col=2,title=a.metal::does not compile: what is flot?%0A    a flot%0A     ^%0Aalso " +
			"b.metal: does not compile: what is flot?",
		"file=shaders/sum.h,line=2,col=1,title=a.metal::does not compile: what is x?%0A    x%0A    ^%0Aalso b.metal: " +
			"does not compile: what is x?",
		"file=shaders/sum.h,line=3,title=k0/n=1::0 is wrong%0Ain detail%0Arepeat: conform run%0Aalso k1/n=1: 1 is " +
			"wrong%0Aalso k2/n=1: 2 is wrong%0Aalso k3/n=1: 3 is wrong%0Aalso k4/n=1: 4 is wrong%0Aand 1 more at " +
			"this line",
		"file=shaders/sum.h,line=4,title=k6/n=1::6 is wrong%0Ain detail%0Arepeat: conform run",
	}
	if diff := cmp.Diff(want, errors); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// Markdown keeps to its limit, whatever it is, begins with the verdict, and says
// what was cut.
func TestMarkdownLimit(t *testing.T) {
	v := view()
	for i := range 40 {
		r := v.Results[3]
		r.Kernel += strings.Repeat("x", i+1)
		v.Results = append(v.Results, r)
	}
	v.Limit = 0
	var whole strings.Builder
	if err := Markdown(&whole, v); err != nil {
		t.Fatal(err)
	}
	step := 37
	if testing.Short() {
		step = 511
	}
	for v.Limit = 900; v.Limit < whole.Len()+2*reserve; v.Limit += step {
		var b strings.Builder
		if err := Markdown(&b, v); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		cut := strings.Contains(text, "is cut to keep to")
		switch {
		case len(text) > v.Limit:
			t.Errorf("%d bytes, limit %d", len(text), v.Limit)
		case !strings.HasPrefix(text, "## Conform: FAIL scale"):
			t.Errorf("limit %d: begins with %.40q", v.Limit, text)
		case !cut && text != whole.String():
			t.Errorf("limit %d: %d of %d bytes, and nothing says so", v.Limit, len(text), whole.Len())
		case strings.Count(text, "<details>") != strings.Count(text, "</details>"):
			t.Errorf("limit %d: details are left open", v.Limit)
		}
	}
}

// Verdicts and errors are sorted into what a change did.
func TestCompare(t *testing.T) {
	before := []suite.Result{
		{Case: "a", Status: suite.Pass, ErrorRatio: 0.5}, {Case: "b", Status: suite.Fail, ErrorRatio: 2},
		{Case: "c", Status: suite.Pass, ErrorRatio: 0.5},
		{Case: "d", Status: suite.Pass, ErrorRatio: 0.1}, {Case: "e", Status: suite.Error},
		{Case: "f", Status: suite.Pass}, {Case: "g", Status: suite.Pass},
		{Case: "h", Status: suite.Fail, ErrorRatio: 2}, {Case: "i", Status: suite.Pass, ErrorRatio: 0.5},
		{Case: "j", Status: suite.Pass, ErrorRatio: 1e-4},
	}
	after := []suite.Result{
		{Case: "a", Status: suite.Fail, ErrorRatio: math.MaxFloat64}, {Case: "b", Status: suite.Pass, ErrorRatio: 0.5},
		{Case: "c", Status: suite.Pass, ErrorRatio: 0.75},
		{Case: "d", Status: suite.Pass, ErrorRatio: 0.9}, {Case: "e", Status: suite.Fail, ErrorRatio: 3},
		{Case: "f", Status: suite.Skip}, {Case: "new", Status: suite.Error},
		{Case: "h", Status: suite.Fail, ErrorRatio: 1.5}, {Case: "i", Status: suite.Pass, ErrorRatio: 0.54},
		{Case: "j", Status: suite.Pass, ErrorRatio: 2e-4},
	}
	type lists struct{ New, Fixed, Other, Added, Removed string }
	names := func(list []Change) string {
		var text string
		for _, x := range list {
			text += x.Case + " "
		}
		return text
	}
	sorted := func(before, after []suite.Result) lists {
		c := Compare(Set{Run: Run{Results: before}}, Set{Run: Run{Results: after}}, DefaultPolicy())
		return lists{names(c.New), names(c.Fixed), names(c.Other), strings.Join(c.Added, " "),
			strings.Join(c.Removed, " ")}
	}
	want := lists{New: "a e new ", Fixed: "b ", Other: "f ", Added: "new", Removed: "g"}
	if diff := cmp.Diff(want, sorted(before, after)); diff != "" {
		t.Errorf("changes (-want +got):\n%s", diff)
	}
	want = lists{New: "e b ", Fixed: "a new ", Other: "f ", Added: "g", Removed: "new"}
	want.Fixed = "a " // a failure that is gone with its case is not fixed
	if diff := cmp.Diff(want, sorted(after, before)); diff != "" {
		t.Errorf("changes the other way (-want +got):\n%s", diff)
	}
	if got := sorted(after, after); got != (lists{}) {
		t.Errorf("a run against itself: %v", got)
	}
}
