package suite

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"metalconform/metalrun"
)

// TestFilesAreAnalysedSideBySide has a front end that waits for another file.
func TestFilesAreAnalysedSideBySide(t *testing.T) {
	var both sync.WaitGroup
	both.Add(2)
	met := make(chan struct{})
	go func() { both.Wait(); close(met) }()
	shaders, err := NewShaders(map[string]string{
		"a.metal": "kernel void first(device float *x) { x[0] = 1; }",
		"b.metal": "kernel void second(device float *x) { x[0] = 2; }",
	}, func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
		both.Done()
		select {
		case <-met:
		case <-time.After(time.Minute):
			t.Errorf("%s is analysed alone", src.Name)
		}
		return metalrun.Analyse(src, opts)
	})
	if err != nil {
		t.Fatal(err)
	}
	shaders.AnalyseFor([]Case{{Kernel: &Kernel{Name: "first"}}, {Kernel: &Kernel{Name: "second"}}})
}

// TestOpenFor: a run of a few kernels analyses the files that they are in, though a macro puts their names together,
// and a file that does not compile and has nothing to do with them fails nothing.
func TestOpenFor(t *testing.T) {
	texts := map[string]string{
		"macros.metal": "#define make(type) kernel void norm_ ## type(device float* y) {}\n" +
			"make(float) make(half)",
		"whole.metal":          "kernel void softmax_rows(device float* y) {}",
		"broken.metal":         "oops",
		"broken_softmax.metal": "oops softmax_columns",
		"other.metal":          "kernel void unrelated(device float* y) {}",
	}
	for _, test := range []struct {
		kernels  []string
		analysed []string
		broken   int
	}{
		{[]string{"norm_float"}, []string{"macros.metal"}, 0},
		{[]string{"norm_half", "softmax_rows"}, []string{"macros.metal", "whole.metal"}, 0},
		{[]string{"softmax_columns"}, []string{"broken_softmax.metal"}, 1},
		{[]string{"nowhere"}, slices.Sorted(maps.Keys(texts)), 2},
	} {
		var mu sync.Mutex
		var analysed []string
		var cases []Case
		for _, k := range test.kernels {
			cases = append(cases, Case{Kernel: &Kernel{Name: k}})
		}
		front := func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
			mu.Lock()
			defer mu.Unlock()
			analysed = append(analysed, src.Name)
			return metalrun.Analyse(src, opts)
		}
		s, err := OpenFor(files(texts), front, cases)
		if err != nil {
			t.Fatal(err)
		}
		broken := s.Broken()
		if slices.Sort(analysed); !slices.Equal(analysed, test.analysed) || len(broken) != test.broken {
			t.Errorf("%v: analysed %v, %d broken; want %v, %d", test.kernels, analysed, len(broken), test.analysed,
				test.broken)
		}
	}
}
