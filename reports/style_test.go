package reports

import (
	"strings"
	"testing"
	"time"

	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

func TestText(t *testing.T) {
	table := NewTable(results(), few())
	var b strings.Builder
	s := Style{MaxFailures: 10}
	for _, err := range []error{s.Verdict(&b, table), s.Scope(&b, table, 10, 12345*time.Millisecond),
		s.Failures(&b, table), s.Rows(&b, table)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := `FAIL scale: wrong in 1 of 4 cases, output not written in 2 of 4 cases; 1 kernel was not judged; 1 kernel passes
10 cases of 4 kernels, 42 elements (1 not decided, 2.3 %), 12.3 s: 4 pass, 3 fail, 1 not judged, 2 skipped
FAIL scale/n=1/input=normal: out[3] = 1, want 2: error 2 x bound
	|got-want| = 1, bound = 0.5 = 0.3 sum + 0.2 rounding to f32
	repeat: conform run -run '^scale/n=1/input=normal$' -seed 1

ERROR sum/n=1/input=normal: sum.metal:3:1: got x, want y
	repeat: conform run -run '^sum$' -seed 1

FAIL scale/n=2/input=normal: out[0] was never written
	and in 1 more case of scale
	repeat: conform run -run '^scale/n=2/input=normal$' -seed 1

kernel  cases  error/bound  u·Σ|terms|       cosine     time  verdict
copy        3        0.250              0.999999999  2.00 ms  pass
scale       4            -        9.00  0.500000000  3.00 µs  FAIL (3)
sum         1            -           -            -        -  ERROR
zip         2            -           -            -        -  skip

skip zip: absent (2 cases)
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

func TestNotes(t *testing.T) {
	all := []suite.Result{
		{Kernel: "copy", Case: "copy/n=1", Status: suite.Pass, Notes: []string{"A: ascending"}},
		{Kernel: "copy", Case: "copy/n=2", Status: suite.Pass, Notes: []string{"B: not ascending", "A: ascending"}},
		{Kernel: "copy", Case: "copy/n=3", Status: suite.Pass, Notes: []string{"C", "D"}},
		{Kernel: "zip", Case: "zip/n=1", Status: suite.Fail, Notes: []string{"A: ascending", "E"}},
		{Kernel: "zap", Case: "zap/n=1", Status: suite.Pass},
	}
	var b strings.Builder
	if err := (Style{MaxNotes: 2}).Rows(&b, NewTable(all, nil)); err != nil {
		t.Fatal(err)
	}
	_, got, _ := strings.Cut(b.String(), "\n\n")
	want := `note copy: A: ascending (3 cases)
note copy: B: not ascending (1 case)
note copy: and 2 more notes
note zip: E (1 case)
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}
}

// Warnings are counted in the verdict, and each text stands once.
func TestWarnings(t *testing.T) {
	all := []suite.Result{
		{Kernel: "copy", Case: "copy/n=1", Status: suite.Pass, Elements: 1, Warnings: []string{"A"}},
		{Kernel: "copy", Case: "copy/n=2", Status: suite.Pass, Elements: 1, Warnings: []string{"B", "A"}},
		{Kernel: "zip", Case: "zip/n=1", Status: suite.Fail, Elements: 1, Warnings: []string{"C", "D"}},
	}
	var b strings.Builder
	s, table := Style{MaxFailures: 2}, NewTable(all, nil)
	for _, err := range []error{s.Warnings(&b, table), s.Verdict(&b, table), s.Scope(&b, table, 3, 0)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := `warning copy: A (2 cases)
warning copy: B (1 case)
and 2 more warnings

FAIL zip: fails; 1 kernel passes
3 cases of 2 kernels, 3 elements: 2 pass, 1 fail
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

func TestScope(t *testing.T) {
	all := results()
	declared := []suite.Result{all[1], all[3], all[6]}
	declared[1].Status, declared[2].Status = suite.Expected, suite.Waived
	tests := []struct {
		results []suite.Result
		planned int
		want    string
	}{
		{all[:3], 3, "3 cases of 1 kernel, 2 elements (1 not decided, 33 %), 1.00 s: 3 pass"},
		{all[:3], 4, "3 of 4 cases of 1 kernel, 2 elements (1 not decided, 33 %), 1.00 s: 3 pass"},
		{all[3:4], 1, "1 case of 1 kernel, 10 elements, 1.00 s: 1 fail"},
		{declared, 3,
			"3 cases of 2 kernels, 21 elements (1 not decided, 4.5 %), 1.00 s: 1 pass, 1 expected to fail, 1 waived"},
		{all[8:], 2, "2 cases of 1 kernel, 0 elements, 1.00 s: 2 skipped"},
		{nil, 0, "0 cases of 0 kernels, 0 elements, 1.00 s"},
		{nil, 1, "0 of 1 case of 0 kernels, 0 elements, 1.00 s"},
	}
	for _, test := range tests {
		var b strings.Builder
		if err := DefaultStyle.Scope(&b, NewTable(test.results, nil), test.planned, time.Second); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want+"\n", b.String()); diff != "" {
			t.Errorf("scope (-want +got):\n%s", diff)
		}
	}
}

// A kernel is as good as its worst case, and failures that are declared are not
// among those shown.
func TestDeclaredVerdicts(t *testing.T) {
	for _, test := range []struct {
		statuses []suite.Status
		want     suite.Status
	}{
		{[]suite.Status{suite.Pass, suite.Waived}, suite.Waived},
		{[]suite.Status{suite.Waived, suite.Expected, suite.Pass}, suite.Expected},
		{[]suite.Status{suite.Expected, suite.Skip}, suite.Expected},
		{[]suite.Status{suite.Skip}, suite.Skip},
		{[]suite.Status{suite.Expected, suite.Fail, suite.Waived}, suite.Fail},
	} {
		var all []suite.Result
		for _, s := range test.statuses {
			all = append(all, suite.Result{Kernel: "scale", Status: s, Reason: string(s)})
		}
		table := NewTable(all, nil)
		if got := table.Rows[0].Status(); got != test.want {
			t.Errorf("%v: verdict %s, want %s", test.statuses, got, test.want)
		}
		if n := len(table.Failures); n != table.Count(suite.Fail) {
			t.Errorf("%v: %d failures are shown", test.statuses, n)
		}
	}
}

// The worst of each kernel comes before the second worst of any, and what is
// beyond the limit is counted.
func TestFailuresAreBounded(t *testing.T) {
	var b strings.Builder
	if err := (Style{MaxFailures: 1}).Failures(&b, NewTable(results(), few())); err != nil {
		t.Fatal(err)
	}
	want := `FAIL scale/n=1/input=normal: out[3] = 1, want 2: error 2 x bound
	|got-want| = 1, bound = 0.5 = 0.3 sum + 0.2 rounding to f32
	repeat: conform run -run '^scale/n=1/input=normal$' -seed 1

and 2 more causes

`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}

func TestColour(t *testing.T) {
	table := NewTable(results(), few())
	var plain, coloured strings.Builder
	for w, s := range map[*strings.Builder]Style{&plain: {MaxFailures: 9}, &coloured: {MaxFailures: 9, Colour: true}} {
		s.Failures(w, table)
		s.Rows(w, table)
		s.Verdict(w, table)
	}
	if strings.Contains(plain.String(), "\x1b") {
		t.Error("plain text has escape sequences")
	}
	stripped := strings.NewReplacer("\x1b[31m", "", "\x1b[32m", "", "\x1b[33m", "", "\x1b[0m",
		"").Replace(coloured.String())
	if stripped == coloured.String() || stripped != plain.String() {
		t.Errorf("colour changes more than colour:\n%q\n%q", coloured.String(), plain.String())
	}
}

func TestLine(t *testing.T) {
	all := results()
	for want, r := range map[string]suite.Result{
		"pass copy/n=2/input=normal 0.250 of bound, 2.00 ms":      all[1],
		"pass copy/n=0/input=refused":                             all[2],
		"FAIL scale/n=2/input=normal out[0] was never written":    all[4],
		"ERROR sum/n=1/input=normal sum.metal:3:1: got x, want y": all[7],
		"skip zip/n=1/input=normal absent":                        all[8],
		"waived scale/n=4/input=normal 0 of bound, 0 ns": {Case: "scale/n=4/input=normal",
			Status: suite.Waived, Elements: 1},
	} {
		var b strings.Builder
		if err := DefaultStyle.Line(&b, r); err != nil {
			t.Fatal(err)
		}
		if b.String() != want+"\n" {
			t.Errorf("line %q, want %q", b.String(), want)
		}
	}
}

// Failures for one cause are one row, which shows an example and counts the others.
func TestFailuresForOneCause(t *testing.T) {
	at := func(name, place string, ratio float64) suite.Result {
		return suite.Result{Case: "k/" + name, Kernel: "k", Status: suite.Fail, ErrorRatio: ratio,
			Failures: []suite.Failure{{Check: suite.CheckBound, Arg: "out", Index: []int{3}, ErrorRatio: ratio,
				Place: place}}}
	}
	other := at("c", "the tail", 3)
	other.Failures[0].Arg = "sum"
	table := NewTable([]suite.Result{at("a", "lane 31", 2), at("b", "the tail", 7), other, at("d", "lane 31", 5)}, nil)
	type row struct {
		Case string
		Also int
	}
	var got []row
	for _, f := range table.Failures {
		got = append(got, row{f.Case, f.Also})
	}
	if diff := cmp.Diff([]row{{"k/a", 2}, {"k/c", 0}}, got); diff != "" {
		t.Errorf("failures (-want +got):\n%s", diff)
	}
}
