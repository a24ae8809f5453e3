package suite

import (
	"context"
	"fmt"
	"testing"

	"metalconform/internal/crash"
	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
)

// planted opens shaders whose kernel of a name the front end panics on when it is lowered.
func planted(t *testing.T, texts map[string]string, kernel string) *Shaders {
	t.Helper()
	s, err := OpenShaders(files(texts),
		func(src metalrun.Source, opts metalrun.CompileOptions) (*metalrun.Program, error) {
			opts.Trace = func(pass, of string) {
				if pass == "ir" && of == kernel {
					panic("planted")
				}
			}
			return analyseNames(src, opts)
		})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A panic while a kernel is lowered, compiled or launched is an error of its cases, with the calls
// that led to it: the kernel is not at fault, and neither is its file.
func TestCrashOfAKernel(t *testing.T) {
	broken := fmt.Errorf("device: %w", crash.New("planted"))
	texts := map[string]string{"all.metal": "kernel product\nkernel twin"}
	second := product()
	second.Name = "twin"
	kernels := Cases([]Family{{Name: "test", Kernels: []Kernel{product(), second}}}, Quick)
	for _, test := range []struct {
		name    string
		lowered string // panics
		runner  *runnertest.Runner
		cases   []Case
		reason  string
	}{
		{"lowered", "twin", twinRunner(runProduct), kernels, "all.metal: twin: internal error: planted"},
		{"lowered for a pipeline", "twin", twinRunner(runProduct), pipelineCases(twins(pair)),
			"all.metal: twin: internal error: planted"},
		{"compiled", "", &runnertest.Runner{Refuse: broken}, kernels[:1], "all.metal: device: internal error: planted"},
		{"launched", "", twinRunner(func(metalrun.Dispatch) error { return broken }), kernels,
			"device: internal error: planted"},
		{"launched by a pipeline", "", twinRunner(func(metalrun.Dispatch) error { return broken }),
			pipelineCases(twins(pair)), "device: internal error: planted"},
	} {
		crashed := 0
		err := Run(context.Background(), test.runner, Options{Shaders: planted(t, texts, test.lowered)}, test.cases,
			func(r Result) {
				refused := r.Status == Pass && r.Elements == 0 // by the host: nothing is launched
				switch {
				case r.Kernel == "product" && test.runner.Refuse == nil || refused && test.lowered == "":
					if r.Status != Pass {
						t.Errorf("%s: %s: %s %s", test.name, r.Case, r.Status, r.Text())
					}
				case r.Status != Error || !r.Panicked || r.Crash == nil || r.Crash.Value != "planted" ||
					r.Uncompiled != "" || r.Reason != test.reason:
					t.Errorf("%s: %s: %s %q, crash %v, uncompiled %q", test.name, r.Case, r.Status, r.Reason, r.Crash,
						r.Uncompiled)
				default:
					crashed++
				}
			})
		if err != nil || crashed == 0 {
			t.Errorf("%s: %d cases crashed, %v", test.name, crashed, err)
		}
	}
}
