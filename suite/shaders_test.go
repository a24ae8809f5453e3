package suite

import (
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
