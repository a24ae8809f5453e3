package conform

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// softmax is a kernel of another project, specified in Go: examples/gotest has the same in one place.
func softmax() Kernel {
	const rows, n = Axis("rows"), Axis("n")
	return Kernel{
		Name: "softmax_rows",
		Args: []Arg{In("scores", F32, "rows", "n"), Out("weights", F32, "rows", "n"),
			Const("n", U32, "n")},
		Threadgroups:          Sizes{"rows"},
		ThreadsPerThreadgroup: Sizes{32},
		Base:                  Shape{rows: 3, n: 77},
		Vary:                  Points{"rows": {1}, "n": {1, 33}},
		Oracle: func(p *Problem) Answers {
			y := p.Values("scores")
			for first := 0; first < len(y); first += p.Shape[n] {
				row, largest, sum := y[first:first+p.Shape[n]], math.Inf(-1), 0.0
				for _, v := range row {
					largest = math.Max(largest, v)
				}
				for i, v := range row {
					row[i] = math.Exp(v - largest)
					sum += row[i]
				}
				for i := range row {
					row[i] /= sum
				}
			}
			return Answers{"weights": Definition(y...)}
		},
	}
}

// checks are those that a kernel fails by.
func checks(t *testing.T, source string, k Kernel) []string {
	t.Helper()
	judge, err := NewJudge(fstest.MapFS{"k.metal": {Data: []byte(source)}}, []Kernel{k}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer judge.Close()
	found := []string{}
	for _, name := range judge.Cases() {
		r, err := judge.Case(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Failures {
			if !strings.Contains(strings.Join(found, " "), string(f.Check)) {
				found = append(found, string(f.Check))
			}
		}
		if r.Status == Error {
			t.Errorf("%s: %s", name, r.Reason)
		}
	}
	return found
}

// A specification in Go catches what one in Starlark does.
func TestFaults(t *testing.T) {
	text, err := os.ReadFile("../examples/gotest/shaders/softmax.metal")
	if err != nil {
		t.Fatal(err)
	}
	source := string(text)
	if got := checks(t, source, softmax()); len(got) > 0 {
		t.Errorf("as it is: %v", got)
	}
	for _, fault := range []struct{ old, new, check string }{
		{"sum = simd_sum(sum);", "sum = simd_sum(sum) + 1e-6f;", "formula"},
		{"largest = simd_max(largest);", "", "formula"},
		{"float largest = -INFINITY", "float largest = 200.0f", "nonfinite"},
		{"row * n + i]", "i]", "race"},
		{"weights[row * n + i] =", "if (i != n - 1) weights[row * n + i] =", "unwritten"},
		{"i < n; i += 32) {\n        sum", "i <= n; i += 32) {\n        sum", "fault"},
	} {
		if !strings.Contains(source, fault.old) {
			t.Fatalf("no %q", fault.old)
		}
		if got := checks(t, strings.Replace(source, fault.old, fault.new, 1),
			softmax()); !strings.Contains(strings.Join(got, " "), fault.check) {
			t.Errorf("%s: %v, want %s", fault.new, got, fault.check)
		}
	}
}

// Mistakes are errors before anything is launched.
func TestMistakes(t *testing.T) {
	shaders := fstest.MapFS{"k.metal": {Data: []byte("kernel void softmax_rows() {}")}}
	for want, change := range map[string]func(*Kernel){
		"a kernel has no name":                func(k *Kernel) { k.Name = "" },
		"kernel softmax_rows: want an oracle": func(k *Kernel) { k.Oracle = nil },
		"want threads_per_threadgroup":        func(k *Kernel) { k.Threads = k.Threadgroups },
		"kernel softmax_rows: no output":      func(k *Kernel) { k.Args = k.Args[:1] },
		"\"rows2\" is not an axis":            func(k *Kernel) { k.Vary = Points{"rows2": {1}} },
		"\"m\" is not an axis":                func(k *Kernel) { k.Shapes = []Shape{{"m": 1}} },
	} {
		k := softmax()
		change(&k)
		if _, err := NewJudge(shaders, []Kernel{k}, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	judge, err := NewJudge(shaders, []Kernel{softmax()}, Options{Full: true})
	if err != nil {
		t.Fatal(err)
	}
	defer judge.Close()
	if _, err := judge.Case(context.Background(), "none"); err == nil {
		t.Error("a case that there is not is judged")
	}
	r, err := judge.Case(context.Background(), judge.Cases()[0])
	if err != nil || r.Status != Fail || r.Failures[0].Check != "arguments" {
		t.Errorf("a kernel without arguments: %v %v %v", r.Status, r.Failures, err)
	}
}

// Everything that a kernel can say comes into the sweep.
func TestSweep(t *testing.T) {
	k := softmax()
	k.Cross = Points{"rows": {2, 4}, "n": {5, 6}}
	k.Shapes, k.Refused, k.Full = []Shape{{"n": 9}}, []Shape{{"n": 0}}, Points{"n": {4096}}
	k.Inputs = []Input{Family("small", Fills{"scores": Scaled(Normal, 0.1)})}
	made, err := k.kernel()
	if err != nil {
		t.Fatal(err)
	}
	s := made.Sweep
	want := []Shape{{"rows": 1, "n": 77}, {"rows": 3, "n": 1}, {"rows": 3, "n": 33}, {"rows": 2, "n": 5},
		{"rows": 2, "n": 6}, {"rows": 4, "n": 5}, {"rows": 4, "n": 6}, {"rows": 3, "n": 9}}
	if diff := cmp.Diff([]any{want, []Shape{{"rows": 3, "n": 0}}, []Shape{{"rows": 3, "n": 4096}}, []Axis{"rows", "n"},
		"small"},
		[]any{s.Shapes, s.Refused, s.Full, made.Axes, s.Inputs[0].Name}); diff != "" {
		t.Errorf("sweep (-want +got):\n%s", diff)
	}
}
