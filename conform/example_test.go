package conform_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"
	"testing/fstest"

	"metalconform/conform"
)

// double is a kernel with a definition.
var double = conform.Kernel{
	Name:                  "double_it",
	Args:                  []conform.Arg{conform.In("x", conform.F32, "n"), conform.Out("y", conform.F32, "n")},
	Threads:               conform.Sizes{"n"},
	ThreadsPerThreadgroup: conform.Sizes{32},
	Base:                  conform.Shape{"n": 33},
	Oracle: func(p *conform.Problem) conform.Answers {
		y := p.Values("x")
		for i := range y {
			y[i] *= 2
		}
		return conform.Answers{"y": conform.Definition(y...)}
	},
}

// Kernels judged by a program: the first element of a row is another's.
func ExampleJudge() {
	shaders :=
		fstest.MapFS{"double.metal": {Data: []byte(`kernel void double_it(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
    uint i [[thread_position_in_grid]]) { y[i] = i == 7 ? x[6] + x[7] : x[i] + x[i]; }`)}}
	judge, err := conform.NewJudge(shaders, []conform.Kernel{double}, conform.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer judge.Close()
	result, err := judge.Case(context.Background(), "double_it/n=33/input=integers")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status)
	sentence, _, _ := strings.Cut(result.Failures[0].String(), ":")
	fmt.Println(sentence)
	// Output:
	// fail
	// y[7] = 2, want -2
}

// A kernel that a file in Starlark specifies.
func ExampleStarlark() {
	dir := os.DirFS("../examples/starlark")
	kernels, err := conform.Starlark(dir, "softmax.star")
	if err != nil {
		log.Fatal(err)
	}
	judge, err := conform.NewJudge(dir, kernels, conform.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer judge.Close()
	result, err := judge.Case(context.Background(), "softmax_rows/rows=3/n=77/input=normal")
	fmt.Println(result.Status, err)
	// Output: pass <nil>
}

// A definition with a bound of its own: a kernel that promises to add from the first element to the last.
func ExampleBounds() {
	b := conform.Contract{Sums: map[string]conform.Schedule{"total": conform.Sequential()}}.Bounds()
	var terms []conform.Bounded
	for i := range 4 {
		terms = append(terms, b.Mul(conform.Exactly(1.1), conform.Exactly(float64(i))))
	}
	total := b.Sum("total", terms...)
	fmt.Printf("%.4g, at most %.2g off\n", total.Value(), total.Error())
	answer := b.Answer(b.Stored(conform.Half, total))
	fmt.Printf("%.2g in half precision\n", answer.Bound(0))
	// Output:
	// 6.6, at most 1e-06 off
	// 0.0032 in half precision
}
