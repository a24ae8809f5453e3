package reports

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"testing"

	"metalconform/suite"

	"github.com/google/go-cmp/cmp"
)

// results are a run of four kernels: one conforms, one fails in three cases of
// which two say the same, one could not be judged, one is absent.
func results() []suite.Result {
	failure := func(name string, over float64, message string) suite.Result {
		return suite.Result{
			Case: name, Kernel: "scale", Family: "b", Backend: "simulator", Status: suite.Fail, Over: over, Ulp: 9, Cosine: 0.5, NS: 1000,
			Seed: 1, Elements: 10, Message: name + ": " + message, Replay: "conform run -run '^" + name + "$' -seed 1",
			Failures: []suite.Failure{{Check: suite.CheckBound, Arg: "out", Index: []int{3}, Over: over, Message: message}},
		}
	}
	return []suite.Result{
		{Case: "copy/n=1/input=normal", Kernel: "copy", Family: "a", Backend: "simulator", Status: suite.Pass, Cosine: 1, NS: 1500, Seed: 1, Elements: 1},
		{Case: "copy/n=2/input=normal", Kernel: "copy", Family: "a", Backend: "simulator", Status: suite.Pass, Over: 0.25, Ulp: 0.5, Cosine: 0.9999999999, NS: 2e6, Seed: 1, Elements: 2, Open: 1},
		{Case: "copy/n=0/input=refused", Kernel: "copy", Family: "a", Backend: "simulator", Status: suite.Pass, Cosine: 1, Seed: 1},
		failure("scale/n=1/input=normal", 2, "out[3] = 1, want 2: error 2 x bound\n\t|got-want| = 1"),
		failure("scale/n=2/input=normal", math.MaxFloat64, "out[0] was never written"),
		failure("scale/n=3/input=normal", math.MaxFloat64, "out[0] was never written"),
		{Case: "scale/n=4/input=normal", Kernel: "scale", Family: "b", Backend: "simulator", Status: suite.Pass, Cosine: 1, Seed: 1, Elements: 10},
		{
			Case: "sum/n=1/input=normal", Kernel: "sum", Family: "b", Backend: "simulator", Status: suite.Error, Cosine: 1, Seed: 1,
			Message: "sum/n=1/input=normal: sum.metal:3:1: got x, want y", Replay: "conform run -run '^sum$' -seed 1",
		},
		{Case: "zip/n=1/input=normal", Kernel: "zip", Family: "c", Backend: "simulator", Status: suite.Skip, Cosine: 1, Seed: 1, Message: "zip/n=1/input=normal: absent"},
		{Case: "zip/n=2/input=normal", Kernel: "zip", Family: "c", Backend: "simulator", Status: suite.Skip, Cosine: 1, Seed: 1, Message: "zip/n=2/input=normal: absent"},
	}
}

func written(t *testing.T, results []suite.Result) string {
	t.Helper()
	var b bytes.Buffer
	log := NewLog(&b)
	for _, r := range results {
		if err := log.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	return b.String()
}

func TestLogRoundTrip(t *testing.T) {
	want := results()
	text := written(t, want)
	if n := strings.Count(text, "\n"); n != len(want) {
		t.Errorf("%d lines for %d results", n, len(want))
	}
	got, err := ReadLog(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("results (-want +got):\n%s", diff)
	}
	for _, field := range []string{"case", "kernel", "family", "backend", "status", "over", "ulp", "cosine", "ns"} {
		first, _, _ := strings.Cut(text, "\n")
		if !strings.Contains(first, `"`+field+`":`) {
			t.Errorf("a line lacks %q: %s", field, first)
		}
	}
}

// Wherever a run is killed, every line that was finished is read back.
func TestLogOfKilledRun(t *testing.T) {
	want := results()[:2]
	text := written(t, want)
	end := strings.Index(text, "\n") + 1
	for cut := range len(text) + 1 {
		got, err := ReadLog(strings.NewReader(text[:cut]))
		if err != nil {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		n := 0
		switch {
		case cut >= len(text)-1: // the brace that closes the line is there
			n = 2
		case cut >= end-1:
			n = 1
		}
		if diff := cmp.Diff(want[:n], got[:len(got):len(got)]); n != len(got) || n > 0 && diff != "" {
			t.Fatalf("cut at %d of %d: %d results, want %d\n%s", cut, len(text), len(got), n, diff)
		}
	}
}

func TestLogErrors(t *testing.T) {
	good := written(t, results()[:1])
	for text, want := range map[string]string{
		good + "{\n" + good:                "line 2: ",
		"\n":                               "line 1: ",
		good + good + "{\"case\":\"x\"}\n": "line 3: not a result",
		"[]\n":                             "line 1: ",
	} {
		if _, err := ReadLog(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("reading %q: %v, want an error with %q", text, err, want)
		}
	}
	full := errors.New("disk full")
	if err := NewLog(failing{full}).Write(results()[0]); !errors.Is(err, full) {
		t.Errorf("Write: %v, want %v", err, full)
	}
}

// failing is a writer that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
