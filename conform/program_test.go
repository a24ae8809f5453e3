package conform

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"metalconform/tensorfile"
)

// strided adds one to every third element: an output that is a view, with bounds of its own.
func strided() Kernel {
	return Kernel{
		Name:    "strided",
		Args:    []Arg{In("x", I32, "n").Strides(2).Fill(Integers), InOut("y", F32, "n").Strides(3).First(1)},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: Sizes{32},
		Base: Shape{"n": 5}, Vary: Points{"n": {1}},
		Oracle: func(p *Problem) Answers {
			b, y := p.Contract.Bounds(), p.Values("y")
			if len(y) != p.Shape["n"] || len(p.Words("x")) != p.Shape["n"] || len(p.Integers("x")) != p.Shape["n"] {
				panic("a view has other elements too")
			}
			sums := make([]Bounded, len(y))
			for i := range y {
				sums[i] = b.Add(Exactly(y[i]), Exactly(float64(int32(p.Words("x")[i]))))
			}
			return Answers{"y": b.Answer(sums...)}
		},
	}
}

func TestViews(t *testing.T) {
	source := func(x, add string) string {
		return `kernel void strided(device const int *x [[buffer(0)]], device float *y [[buffer(1)]], uint i [[thread_position_in_grid]])
{ y[3 * i + 1] += x[` + x + `]` + add + `; }`
	}
	for _, test := range []struct {
		source string
		want   []string
	}{
		{source("2 * i", ""), []string{}},
		{source("2 * i", " + (i == 4 ? 1e-3f : 0.0f)"), []string{"values"}},
	} {
		got := checks(t, test.source, strided())
		if len(test.want) > 0 && len(got) > 0 {
			got = test.want // more than one tells
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: checks (-want +got):\n%s", test.source, diff)
		}
	}
}

// floats are an array in a file.
func floats(name string, x ...float32) tensorfile.Named {
	var data []byte
	for _, v := range x {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return tensorfile.Named{Name: name, Array: tensorfile.Array{Type: tensorfile.F32, Shape: []int{len(x)}, Data: data}}
}

// What a program has of files is judged as it is, with a definition and without one.
func TestFiles(t *testing.T) {
	files := fstest.MapFS{
		"case.safetensors": {Data: tensorfile.Safetensors(nil,
			[]tensorfile.Named{floats("x", 1, -2, 3), floats("y", 2, -4, 6)})},
		"x.safetensors": {Data: tensorfile.Safetensors(nil,
			[]tensorfile.Named{floats("a", 5, 6), floats("b", 10, 12)})},
	}
	k := Kernel{
		Name:    "double_it",
		Args:    []Arg{In("x", F32, "n"), Out("y", F32, "n")},
		Threads: Sizes{"n"}, ThreadsPerThreadgroup: Sizes{32}, Base: Shape{"n": 4},
		Files: files,
		Recordings: []Recording{
			{File: "case.safetensors"},
			{Name: "parts", Arrays: map[string][]string{"x": {"x.safetensors", "a"}, "y": {"x.safetensors", "b"}},
				At: Shape{"n": 2}},
		},
	}
	const source = `kernel void double_it(device const float *x [[buffer(0)]], device float *y [[buffer(1)]], uint i ` +
		`[[thread_position_in_grid]]) { y[i] = FACTOR * x[i]; }`
	for factor, want := range map[string]int{"2": 0, "3": 1} {
		if got := checks(t, strings.Replace(source, "FACTOR", factor, 1), k); min(len(got), 1) != want {
			t.Errorf("times %s: fails by %v", factor, got)
		}
	}
	made, err := k.kernel()
	if err != nil {
		t.Fatal(err)
	}
	if got := []any{made.Sweep.Settings[0].Shape["n"], made.Sweep.Settings[1].Name,
		made.Sweep.Settings[1].Shape["n"]}; !cmp.Equal(got, []any{3, "parts", 2}) {
		t.Errorf("recordings: %v", got)
	}
	a, err := Data(files, "x.safetensors", "b")
	if diff := cmp.Diff([]float64{10, 12}, a); diff != "" || err != nil {
		t.Errorf("data %v (-want +got):\n%s", err, diff)
	}
	if _, err := Data(files, "none.npy", ""); err == nil || err.Error() != "none.npy: file does not exist" {
		t.Error(err)
	}
}

// Blocks, and numbers in them.
func TestBlocks(t *testing.T) {
	fill, x := Blocks(4, map[int]Fill{2: Every(1)}, map[int]Fill{0: Values(7, 5)}), make([]float64, 8)
	fill(rand.New(rand.NewPCG(1, 2)), nil, x)
	if got := []float64{x[0], x[2], x[3], x[4], x[6], x[7]}; !cmp.Equal(got, []float64{7, 0, 0x3c, 5, 0, 0x3c}) {
		t.Errorf("blocks: %v", x)
	}
}

// What is wrong with what a program says is told with where it says it.
func TestPlacesOfMistakes(t *testing.T) {
	formula := func(text string) func(*Kernel) {
		return func(k *Kernel) { k.Oracle, k.Formula = nil, text }
	}
	for want, change := range map[string]func(*Kernel){
		`: extent 0 of scores: "m": undefined: m (axes are rows, n)`: func(k *Kernel) {
			k.Args[0] = In("scores", F32, "m")
		},
		"kernel softmax_rows: args: program_test.go:": func(k *Kernel) {
			k.Args[0] = In("scores", F32, "n").Strides(1, 2)
		},
		"kernel softmax_rows: threads_per_threadgroup: got struct {}": func(k *Kernel) {
			k.ThreadsPerThreadgroup = Sizes{struct{}{}}
		},
		"kernel softmax_rows: oracle: Formula:2:12: got '*', want":    formula("scores +\n  scores * * n"),
		"Formula:1:10: undefined: z":                                  formula("scores + z"),
		"Formula: want an expression, or functions of which the last": formula("def f(x): return x\nx = 1"),
		"the oracle's parameter z is neither an input, nor a scalar, nor an axis": formula(
			"\t\tdef f(z):\n\t\t\treturn z"),
		`settings: no scalar is called "x"`: func(k *Kernel) {
			k.Settings = map[string][]float64{"x": {1}}
		},
		"launches: window of scores: want": func(k *Kernel) {
			k.Launches = func(Shape) []Launch {
				return []Launch{{Windows: map[string]Range{"scores": {First: -1, End: 2}}}}
			}
		},
		"recordings: none.npy: file does not exist": func(k *Kernel) {
			k.Files, k.Recordings = fstest.MapFS{}, []Recording{{File: "none.npy"}}
		},
	} {
		k := softmax()
		change(&k)
		if _, err := k.kernel(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// Of a definition in Go the case says it.
	for want, oracle := range map[string]func(*Problem) Answers{
		"returns nothing for weights":  func(*Problem) Answers { return nil },
		"gives 1 elements for weights": func(*Problem) Answers { return Answers{"weights": Definition(1)} },
		`returns "w", which is no output`: func(p *Problem) Answers {
			return Answers{"weights": Definition(p.Values("scores")...), "w": Equal()}
		},
		`has no floating-point input "score"`: func(p *Problem) Answers {
			return Answers{"weights": Definition(p.Values("score")...)}
		},
	} {
		k := softmax()
		k.Oracle = oracle
		judge, err := NewJudge(os.DirFS("../examples/gotest/shaders"), []Kernel{k}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer judge.Close()
		if r, err := judge.Case(t.Context(), judge.Cases()[0]); err != nil || !strings.Contains(r.Reason, want) {
			t.Errorf("%s %v, want %q", r.Reason, err, want)
		}
	}
}
