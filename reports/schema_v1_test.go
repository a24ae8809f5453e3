package reports

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"metalconform/metalrun"
	"metalconform/suite"
	"metalconform/suite/metrics"

	"github.com/google/go-cmp/cmp"
)

// A file that an earlier conform wrote says the same: facts that it has as such or in
// a known form of words are facts, and every other sentence is kept.
func TestReadVersion1(t *testing.T) {
	name := filepath.Join("testdata", "version1.jsonl")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	run := read(t, string(text))
	if !run.Complete() || run.Version != Version {
		t.Errorf("version %d, complete %v, flaws %v", run.Version, run.Complete(), run.Flaws)
	}
	if k := run.Kernel("bf16_matmul_n_tokens_token_by_token"); k.Family != "pipelines" || len(k.Pipeline) != 2 {
		t.Errorf("the pipeline is %+v", k)
	}
	if h := run.Header; h.Host.String() != "linux/amd64, CPU A and CPU B" || len(h.Host.CPUs) != 2 ||
		h.Options.Flags != "-shaders k" || h.Options.Repeat != 3 {
		t.Errorf("host %s, options %+v", h.Host, h.Options)
	}
	if diff := cmp.Diff([]suite.JudgedContract{{Position: suite.Position{File: "k/conform.toml", Line: 4},
		Kernel: "rms_norm_sum_sq", Contract: "f32, square: sequential"}}, run.Results[1].Contracts); diff != "" {
		t.Errorf("contracts (-want +got):\n%s", diff)
	}
	value := func(x float64) *suite.Value { return new(suite.Value(x)) }
	want := []suite.Result{
		{Status: suite.Skip, Reason: "absent: no file exports a kernel of that name"},
		{Status: suite.Fail, ErrorRatio: 0.036440897383284425, Worst: &suite.Element{Arg: "sum_sq", Index: []int{0}},
			Failures: []suite.Failure{{
				Check: suite.CheckRace, Text: messageV1(t, string(text), 1),
				At: &metalrun.Party{Position: metalrun.Position{File: "k.metal", Line: 33, Col: 46}, Does: "read",
					Thread: [3]int{255, 0, 0}},
				Other: &metalrun.Party{Position: metalrun.Position{File: "k.metal", Line: 31, Col: 37}, Does: "write"},
			}}},
		{Status: suite.Fail, ErrorRatio: 1.7976931348623157e308, Worst: &suite.Element{Arg: "out", Index: []int{130}},
			Failures: []suite.Failure{{
				Check: suite.CheckExact, Arg: "out", Index: []int{130}, First: []int{130}, Got: value(4.5),
				Want:       value(4),
				ErrorRatio: 1.7976931348623157e308, Error: 0.5, Count: 1, Of: 260,
			}}},
		{Status: suite.Fail, ErrorRatio: 66.72442953545364, Worst: &suite.Element{Arg: "output", Index: []int{4}},
			Failures: []suite.Failure{{
				Check: suite.CheckBound, Arg: "output", Index: []int{4}, First: []int{0}, Got: value(9.43953705),
				Want: value(9.43859089), ErrorRatio: 66.72442953545364,
				Error: 0.0009461590598220937, Bound: &suite.Bound{Value: 1.418009964880041e-05}, Count: 5, Of: 5,
			}}},
		{Status: suite.Fail, Family: "pipelines", ErrorRatio: 25.299924852475296,
			Worst: &suite.Element{Stage: "stage 2, bf16_matvec", Arg: "output", Index: []int{0}},
			Failures: []suite.Failure{{
				Check: suite.CheckBound, Stage: "stage 2, bf16_matvec", Arg: "output", Index: []int{0}, First: []int{0},
				Got: value(3.46864367), Want: value(3.46829753),
				ErrorRatio: 25.299924852475296, Error: 0.00034613119532878045,
				Bound: &suite.Bound{Value: 1.36811155506225e-05}, Count: 3, Of: 3,
			}}},
	}
	for i, w := range want {
		got := run.Results[i]
		got = suite.Result{Status: got.Status, ErrorRatio: got.ErrorRatio, Worst: got.Worst, Failures: got.Failures,
			Reason: got.Reason}
		w.Family = ""
		if diff := cmp.Diff(w, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", run.Results[i].Case, diff)
		}
	}
	if got := run.Results[5].Relies; got == nil ||
		*got != (suite.Reliance{Position: metalrun.Position{File: "k.metal", Line: 6, Col: 36},
			Kind: "integer of a float out of its range"}) {
		t.Errorf("relies on %v", got)
	}
	if got := run.Results[4]; got.Family != "pipelines" || len(got.Outputs) != 2 ||
		ratioOf(got.Outputs[1]) != 25.299924852475296 {
		t.Errorf("%s with the figures %+v", got.Family, got.Outputs)
	}
	for i, r := range run.Results {
		said := messageV1(t, string(text), i)
		what, _, _ := strings.Cut(said, ";") // behind it is how many elements
		if len(r.Failures) > 0 && r.Failures[0].Check == suite.CheckBound {
			what, _, _ = strings.Cut(what, " = 1.4e-05") // the terms of the bound, which are lost
		}
		if !strings.HasPrefix(r.Text(), what) {
			t.Errorf("%s says %q, and said %q", r.Case, r.Text(), said)
		}
	}
}

// What was read of version 1 is written as version 2, and reads the same.
func TestVersion1IsRewritten(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "version1.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	run := read(t, string(text))
	var b strings.Builder
	if err := JSON(&b, run); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(run, read(t, b.String()), cmp.AllowUnexported(Run{})); diff != "" {
		t.Errorf("written and read again (-want +got):\n%s", diff)
	}
}

// What was wrong with declarations was sentences.
func TestEndingV1(t *testing.T) {
	for text, want := range map[string][]suite.Outdated{
		`["k/conform.toml:9: not needed: it is so"]`: {
			{Position: suite.Position{File: "k/conform.toml", Line: 9}, Text: "not needed: it is so"},
		},
		`["no position: at all"]`: {{Text: "no position: at all"}},
		`[{"position":"a:b.toml:3","text":"has expired"}]`: {{Position: suite.Position{File: "a:b.toml", Line: 3},
			Text: "has expired"}},
		`[{"position":"conform.toml","text":"has no line"}]`: {{Position: suite.Position{File: "conform.toml"},
			Text: "has no line"}},
	} {
		got, err := decodeEnding([]byte(`{"ended":2,"elapsed_ns":5,"stale":` + text + `}`))
		if diff := cmp.Diff(Ending{Ended: 2, ElapsedNS: 5, Stale: want}, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", text, err, diff)
		}
	}
	if _, err := decodeEnding([]byte(`{"ended":2,"stale":[1]}`)); err == nil {
		t.Error("a number is taken for a declaration")
	}
}

// Figures and bits stand in the words of version 1.
func TestValueV1(t *testing.T) {
	for text, want := range map[string]string{
		"1.5": "1.5", "NaN (bits 0x7f81)": "NaN (bits 0x7f81)", "+Inf (bits 0x7f80)": "+Inf (bits 0x7f80)",
		"-Inf": "-Inf", "qNaN": "", "": "",
	} {
		f := failureV1{Got: text}.failure()
		if got := f.GotText(); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if f := (failureV1{Want: "qNaN"}).failure(); f.WantText() != "qNaN" {
		t.Errorf("qNaN is %q", f.WantText())
	}
}

// messageV1 is the message of a case without its name.
func messageV1(t *testing.T, text string, index int) string {
	var old struct{ Case, Message string }
	if err := json.Unmarshal([]byte(strings.Split(text, "\n")[index+1]), &old); err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(old.Message, old.Case+": ", "")
}

func ratioOf(o metrics.Output) float64 {
	v, _ := o.Metrics.Find(metrics.ErrorRatio)
	return v.Value
}
