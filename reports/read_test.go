package reports

import (
	"fmt"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// TestReadDevice derives what earlier headers do not say of their devices.
func TestReadDevice(t *testing.T) {
	text := file(t, nil, nil)
	said := `,"clock":"host","observes":true`
	if !strings.Contains(text, said) {
		t.Fatalf("no %s in %s", said, text)
	}
	for _, test := range []struct {
		name, old, new string
		clock          metalrun.Clock
		observes       bool
	}{
		{"as it says", "", "", metalrun.HostClock, true},
		{"a GPU that says so", `"clock":"host","observes":true`, `"clock":"gpu","observes":false`, metalrun.GPUClock,
			false},
		{"an earlier simulator", said, "", metalrun.HostClock, true},
		{"an earlier simulator without checks", said + `%"checks":true`, `%"checks":false`, metalrun.HostClock, false},
		{"an earlier GPU", said + `%"backend":"simulator"`, `%"backend":"metal"`, metalrun.GPUClock, false},
	} {
		edited := text
		news := strings.Split(test.new, "%")
		for i, old := range strings.Split(test.old, "%") {
			edited = strings.Replace(edited, old, news[i], 1)
		}
		run, ok, err := Read(strings.NewReader(edited), "f")
		if !ok || err != nil {
			t.Fatal(run.Flaws, err)
		}
		if d := run.Device; d.Clock != test.clock || d.Observes != test.observes {
			t.Errorf("%s: clock %q, observes %v, want %q and %v", test.name, d.Clock, d.Observes, test.clock,
				test.observes)
		}
	}
}

// Each line that is not sound is named with what is wrong, and the others are
// kept.
func TestReadFlaws(t *testing.T) {
	lines := strings.SplitAfter(file(t, results()[:3], nil), "\n")
	head, first, second, third, end := lines[0], lines[1], lines[2], lines[3], lines[4]
	type flaws []string
	for _, test := range []struct {
		name string
		text string
		kept int
		want flaws
	}{
		{"whole", head + first + second + third + end, 3, nil},
		{"in another order", head + third + first + second + end, 3, nil},
		{"damaged line", head + first + second[:20] + "\n" + third + end, 2, flaws{
			"f:3: damaged: no JSON: invalid character '\\n' in string literal, at byte 21",
			"f:5: the run ended with 3 cases, and the file has 2",
		}},
		{"other type", head + strings.Replace(first, `"scaled":0`, `"scaled":"x"`, 1) + second + third, 2,
			flaws{"f:2: damaged: outputs.metrics.scaled is of the type string"}},
		{"no case", head + "{\"status\":\"pass\"}\n", 0,
			flaws{"f:2: neither a result nor the end of the run: there is no case or no kernel"}},
		{"no JSON object", head + "[]\n", 0, flaws{"f:2: damaged: the type is array, want object"}},
		{"no verdict", head + strings.Replace(first, `"pass"`, `"fine"`, 1), 0,
			flaws{`f:2: no result: "fine" is no verdict`}},
		{"twice", head + first + first, 1, flaws{"f:3: a second result of index 0"}},
		{"a name that fills a log", head + strings.Replace(first, `"case":"`, `"case":"`+strings.Repeat("n", 9000), 1),
			0, flaws{fmt.Sprintf("f:2: no result: a name of %d bytes, want at most 8192", 9000+len(caseOf(first)))}},
		{"one case twice", head + first + strings.Replace(first, `"index":0`, `"index":1`, 1), 1,
			flaws{"f:3: a second result of " + caseOf(first)}},
		{"member twice", head + strings.Replace(first, `"status":"pass"`, `"status":"fail","status":"pass"`, 1), 0,
			flaws{`f:2: damaged: an object has the member "status" twice, or two that differ in case alone`}},
		{"member in another case",
			head + strings.Replace(first, `"status":"pass"`, `"status":"fail","\u0053TATUS":"pass"`, 1), 0,
			flaws{`f:2: damaged: an object has the member "\u0053TATUS" twice, or two that differ in case alone`}},
		{"passes beyond its bound",
			head + strings.Replace(first, `"error_ratio":0,"ns"`, `"error_ratio":1e300,"ns"`, 1), 0,
			flaws{"f:2: no result: " + caseOf(first) + " passes with an error of 1.00e+300 of its bound"}},
		{"passes with a failure",
			head + strings.Replace(first, `"elements":`, `"failures":[{"check":"bound"}],"elements":`, 1), 0,
			flaws{"f:2: no result: " + caseOf(first) + " passes with 1 failure"}},
		{"passes unjudged", head + strings.Replace(first, `"elements":`, `"reason":"x","elements":`, 1), 0,
			flaws{"f:2: no result: " + caseOf(first) + " passes with a reason why it was not judged"}},
		{"output beyond its bound",
			head + strings.Replace(first, `"error_ratio":0,"scaled"`, `"error_ratio":2,"scaled"`, 1), 0,
			flaws{"f:2: no result: " + caseOf(first) + " passes with an error of 2.00 of its bound"}},
		{"zeros at the end", head + first + second + third + end + "\x00\x00\x00", 3,
			flaws{"f:6: 3 bytes after the end of the run"}},
		{"negative", head + strings.Replace(first, `"elements":`, `"elements":-`, 1), 0,
			flaws{"f:2: no result: a number is below 0"}},
		{"other run", head + strings.Replace(first, `"index":0`, `"index":3`, 1), 0,
			flaws{"f:2: no result of this run: index 3 of 3 cases"}},
		{"no index", head + strings.Replace(first, `,"index":0`, "", 1), 0,
			flaws{"f:2: no result of this run: index -1 of 3 cases"}},
		{"joined files", head + first + second + third + end + head + first, 3, flaws{
			"f:6: a line after the end of the run; files of several runs are to be given one by one",
			"f:7: a line after the end of the run; files of several runs are to be given one by one",
		}},
		{"second header", head + head, 0,
			flaws{"f:2: a second header; files of several runs are to be given one by one"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run, ok, err := Read(strings.NewReader(test.text), "f")
			if !ok || err != nil {
				t.Fatal(ok, err)
			}
			var got flaws
			for _, f := range run.Flaws {
				got = append(got, f.Error())
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("flaws (-want +got):\n%s", diff)
			}
			if len(run.Results) != test.kept {
				t.Errorf("%d results are kept, want %d", len(run.Results), test.kept)
			}
			for i, r := range run.Results {
				if r.Case != results()[run.indices[i]].Case {
					t.Errorf("%s has the index %d", r.Case, run.indices[i])
				}
			}
		})
	}
}

// A file whose header is not sound says nothing.
func TestReadForeign(t *testing.T) {
	head, rest, _ := strings.Cut(file(t, results()[:1], nil), "\n")
	for text, want := range map[string]string{
		"": "f:1: empty: conform run had not begun",
		"\x00\x01": "f:1: no header: no JSON: invalid character '\\x00' looking for " +
			"beginning of value, at byte 1; the file is damaged, or no results of conform run",
		rest: "f:1: no header: the beginning of the file is missing, or a version " +
			"of conform without headers wrote it; run conform run -o again",
		"{\"schema\":1,\"rule\":\"verdict\"}\n": `f:1: not results of conform run: the first line has no ` +
			`"schema":"conform.results"`,
		"{}\n": `f:1: not results of conform run: the first line has no ` +
			`"schema":"conform.results"`,
		strings.Replace(head, `"version":2`, `"version":3`, 1): "f:1: version 3 of the " +
			"results, and this program reads up to 2; report them with the conform that wrote them, v1.0.0, or a " +
			"later one",
		strings.Replace(head, `"version":2`, `"version":0`, 1): "f:1: version 0 of the " +
			"results, want 1 to 2",
		strings.Replace(head, `"planned":1`, `"planned":-1`, 1): "f:1: the header is " +
			"damaged: -1 cases are planned",
		strings.Replace(head, `"planned":1`, `"planned":"many"`, 1): "f:1: the header is " +
			"damaged: planned is of the type string",
		strings.Replace(head, `"planned":1`, `"planned":1,"shard":{"index":3,"of":2}`, 1): "f:1: the header is " +
			"damaged: there is no shard 3 of 2",
	} {
		run, ok, err := Read(strings.NewReader(text), "f")
		if ok || err != nil || len(run.Flaws) != 1 {
			t.Errorf("%q: ok %v, %v, flaws %v; want one", text, ok, err, run.Flaws)
			continue
		}
		if got := run.Flaws[0].Error(); got != want {
			t.Errorf("%q:\n got %s\nwant %s", text, got, want)
		}
	}
}

// Whatever a file holds, Read says of each line why it is left out or keeps it
// within the run's order, and what was read can be written and read again.
func FuzzRead(f *testing.F) {
	whole := file(&testing.T{}, results()[:2], nil) // short: the fuzzer spends its time on making inputs shorter
	f.Add(whole)
	f.Add(file(&testing.T{}, results()[:4], &Shard{Index: 2, Of: 3, Cases: 1}))
	f.Add(whole[:len(whole)/2])
	f.Add(strings.Replace(whole, "copy", "\xff\xfe", 3))
	f.Fuzz(func(t *testing.T, text string) {
		run, ok, err := Read(strings.NewReader(text), "f")
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			if len(run.Flaws) == 0 || len(run.Results) > 0 {
				t.Fatalf("not sound, with %d flaws and %d results", len(run.Flaws), len(run.Results))
			}
			return
		}
		for i, index := range run.indices {
			if index < 0 || index >= run.Planned || i > 0 && index <= run.indices[i-1] {
				t.Fatalf("indices %v of %d", run.indices, run.Planned)
			}
		}
		merged, err := Merge([]Run{run})
		if err != nil {
			t.Fatal(err)
		}
		if merged.Complete() && len(merged.Results) != merged.Planned {
			t.Fatalf("complete with %d of %d cases", len(merged.Results), merged.Planned)
		}
		var b strings.Builder
		if err := JSON(&b, merged); err != nil {
			t.Fatal(err)
		}
		again, ok, err := Read(strings.NewReader(b.String()), "f")
		if err != nil || !ok {
			t.Fatal(err, again.Flaws)
		}
		if diff := cmp.Diff(statuses(merged.Results), statuses(again.Results)); diff != "" {
			t.Fatalf("read again (-want +got):\n%s", diff)
		}
	})
}

// statuses are the verdicts of results.
func statuses(results []suite.Result) []suite.Status {
	list := make([]suite.Status, len(results))
	for i, r := range results {
		list[i] = r.Status
	}
	return list
}

// Names that could pass for more than a line are spelt out.
func TestNamesAreLines(t *testing.T) {
	r := suite.Result{Kernel: "a\n\x1b[31mb", Case: "a/x=1"}
	spelt(&r)
	if r.Kernel != `a\n\x1b[31mb` || r.Case != "a/x=1" {
		t.Errorf("got %q, %q", r.Kernel, r.Case)
	}
}

// caseOf is the case of a line of results.
func caseOf(line string) string {
	_, rest, _ := strings.Cut(line, `"case":"`)
	name, _, _ := strings.Cut(rest, `"`)
	return name
}
