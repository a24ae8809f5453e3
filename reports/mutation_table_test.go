package reports

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/suite"
	"metalconform/suite/mutate"
)

func mutants() []mutate.Mutant {
	return []mutate.Mutant{
		{ID: "a.metal:1:2/constant/1", Key: "k1", Family: "norm", File: "a.metal", Function: "f",
			Kernels: []string{"a"}, Operator: "constant",
			Line: 1, Col: 2, Change: "x = «1 → 2»;", Diff: "-x = 1;\n+x = 2;\n", Fate: mutate.Killed,
			Check: suite.CheckBound, Case: "a/n=3/input=normal", Cases: 4},
		{ID: "a.metal:2:2/cast/1", Key: "k2", Family: "norm", File: "a.metal", Function: "f",
			Kernels: []string{"a", "b"}, Operator: "cast",
			Diff: "-y = float(x);\n+y = x;\n", Fate: mutate.Survived, Cases: 7},
		{ID: "b.metal:1:1/bound/1", Key: "k3", Family: "moe", Function: "g", Kernels: []string{"b"}, Operator: "bound",
			Fate: mutate.Killed, Check: suite.CheckRunaway},
		{ID: "b.metal:1:1/bound/2", Key: "k4", Family: "moe", Function: "g", Kernels: []string{"b"}, Operator: "bound",
			Fate: mutate.Killed, Check: suite.CheckBound},
		{ID: "b.metal:1:1/bound/3", Key: "k5", Family: "moe", Function: "g", Kernels: []string{"b"}, Operator: "bound",
			Fate: mutate.Equivalent, Proof: "identical"},
		{ID: "b.metal:1:1/bound/4", Key: "k6", Family: "moe", Function: "g", Kernels: []string{"b"}, Operator: "bound",
			Fate: mutate.Duplicate},
		{ID: "b.metal:1:1/bound/5", Key: "k7", Family: "moe", Function: "g", Kernels: []string{"b"}, Operator: "bound",
			Fate: mutate.Invalid},
	}
}

func TestMutationText(t *testing.T) {
	var got strings.Builder
	table := NewMutationTable(mutants())
	style := Style{}
	for _, err := range []error{
		style.MutationSummary(&got, table, true), style.MutationRows(&got, table),
		style.Mutant(&got, table.Survivors[0]),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	const want = `score 75.0 %: 3 of 4 mutants killed, 1 survived
	a sample: of all mutants 30.1 % to 95.4 % with a confidence of 95 %
	not counted: 1 equivalent, 1 duplicate, 1 invalid; 7 in all
	killed by bound 2, runaway 1
family  mutants  equivalent  duplicate  invalid  killed  ran away  survived  score
norm          2           0          0        0       1         0         1  50.0 %
moe           5           1          1        1       2         1         0  100.0 %

kernel         mutants  equivalent  duplicate  invalid  killed  ran away  survived  score
a                    1           0          0        0       1         0         0  100.0 %
f (2 kernels)        1           0          0        0       0         0         1  0.0 %
b                    5           1          1        1       2         1         0  100.0 %

operator  mutants  equivalent  duplicate  invalid  killed  ran away  survived  score
constant        1           0          0        0       1         0         0  100.0 %
cast            1           0          0        0       0         0         1  0.0 %
bound           5           1          1        1       2         1         0  100.0 %

survived a.metal:2:2/cast/1, cast in f
	-y = float(x);
	+y = x;
`
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// TestMutationNothing sums up runs in which nothing was judged, or not all could
// be.
func TestMutationNothing(t *testing.T) {
	var got strings.Builder
	broken := []mutate.Mutant{{ID: "a/1", Fate: mutate.Broken, Reason: "panic: x"}, {ID: "a/2", Fate: mutate.Invalid}}
	if err := (Style{}).MutationSummary(&got, NewMutationTable(broken), false); err != nil {
		t.Fatal(err)
	}
	const want = "no mutant was judged\n\tnot counted: 0 equivalent, 0 duplicate, 1 invalid; 2 in all\n" +
		"\t1 could not be judged, the first a/1: panic: x\n"
	if diff := cmp.Diff(want, got.String()); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
}

// TestInterval compares Wilson's interval with values of a table (Newcombe 1998,
// method 3).
func TestInterval(t *testing.T) {
	for _, test := range []struct {
		killed, judged int
		low, high      float64
	}{
		{81, 263, 0.2553, 0.3662}, {15, 148, 0.0624, 0.1605}, {0, 20, 0, 0.1611}, {1, 29, 0.0061, 0.1718},
	} {
		s := Score{Fates: map[mutate.Fate]int{mutate.Killed: test.killed, mutate.Survived: test.judged - test.killed}}
		low, high := s.Interval()
		if math.Abs(low-test.low) > 5e-5 || math.Abs(high-test.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, want %.4f to %.4f", test.killed, test.judged, low, high, test.low,
				test.high)
		}
	}
}

func TestMutationLog(t *testing.T) {
	header := MutationHeader{Schema: MutationSchema, Sources: "ab", Rule: "verdict", Seed: 3, Sweep: "quick",
		Kernels: []string{"a"}, Mutants: 7}
	var log bytes.Buffer
	l := NewMutationLog(&log)
	if err := l.Begin(header); err != nil {
		t.Fatal(err)
	}
	for _, m := range mutants() {
		if err := l.Write(m); err != nil {
			t.Fatal(err)
		}
	}
	whole := log.Len()
	for name, test := range map[string]struct {
		text string
		n    int
		size int
	}{
		"complete":   {log.String(), 7, whole},
		"unfinished": {log.String() + `{"id":"a`, 7, whole},
		"cut":        {log.String()[:whole-1], 6, strings.LastIndex(log.String()[:whole-1], "\n") + 1},
	} {
		h, got, size, err := ReadMutationLog(strings.NewReader(test.text))
		if err != nil || int(size) != test.size {
			t.Errorf("%s: %d bytes, want %d, error %v", name, size, test.size, err)
		}
		if diff := cmp.Diff(header, h); diff != "" {
			t.Errorf("%s: header %s", name, diff)
		}
		if diff := cmp.Diff(mutants()[:test.n], got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	for text, want := range map[string]string{
		"": "no header",
		"{\"schema\":7}\n": "line 1: schema 7, want 2: another conform wrote it; judge the " +
			"mutants again",
		"{\"schema\":2}\n{\"id\":\"\"}\n": "line 2: not a mutant: it " +
			"has no id or no fate",
		"{\"schema\":2}\n" + strings.Repeat("{\"id\":\"a\",\"fate\":\"killed\"}\n", 2): "" +
			"line 3: a second verdict on \"a\"",
	} {
		if _, _, _, err := ReadMutationLog(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
	other := header
	other.Seed, other.Kernels = 4, nil
	if diff := cmp.Diff([]string{"seed 3 and not 4", "kernels [a] and not []"}, header.Differences(other)); diff != "" {
		t.Error(diff)
	}
	if d := header.Differences(header); d != nil {
		t.Errorf("a header differs from itself: %v", d)
	}
}
