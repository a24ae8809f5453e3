package metalrun_test

import (
	"errors"
	"io"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/mutation"
	"metalconform/metalrun/sim"
)

const twoKernels = stdlib + `constant uint WIDTH [[function_constant(0)]];
kernel void first(device float* x, uint i [[thread_position_in_grid]]) { x[i * WIDTH] = sqrt(x[i]); }
kernel void second(device float* x, uint i [[thread_position_in_grid]]) { x[i] = 1; }
`

// passes counts the passes of the front end.
type passes struct {
	mu sync.Mutex
	of map[string]int
}

func (p *passes) trace(pass, of string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.of == nil {
		p.of = map[string]int{}
	}
	p.of[pass+" "+of]++
}

func (p *passes) clear() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	of := maps.Clone(p.of)
	clear(p.of)
	return of
}

// TestPassesRunOnce has everybody ask a program at once: each pass has run once
// over the file and over the kernels that somebody wants.
func TestPassesRunOnce(t *testing.T) {
	var ran passes
	p := analysed(t, metalrun.SourceText("a.metal", twoKernels),
		metalrun.CompileOptions{Trace: ran.trace, FunctionConstants: map[int]any{0: 2}})
	if diff := cmp.Diff(map[string]int{"tree a.metal": 1, "types a.metal": 1}, ran.clear()); diff != "" {
		t.Errorf("analysed (-want +got):\n%s", diff)
	}
	var all sync.WaitGroup
	for _, s := range []sim.Semantics{{}, {Check: true}, sim.Apple(),
		{Adversary: &sim.Adversary{Seed: 1, Choices: -1}}} {
		all.Go(func() {
			if library, err := sim.New(s).Compile(p); err != nil {
				t.Error(err)
			} else if _, err := library.Kernel("first"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff(map[string]int{"ir first": 1}, ran.clear()); diff != "" {
		t.Errorf("one kernel compiled (-want +got):\n%s", diff)
	}
	for range 2 {
		all.Go(func() {
			if _, err := p.Kernels(); err != nil {
				t.Error(err)
			}
		})
		all.Go(func() { p.Constants() })
		all.Go(func() { p.FunctionConstants() })
		all.Go(func() {
			for _, m := range mutation.Open(p).Mutants([]string{"first", "second"}, mutation.Operators()) {
				if _, err := m.Compare(); err != nil {
					t.Error(err)
				}
			}
		})
		all.Go(func() {
			for _, pass := range []string{"tree", "types", "ir"} {
				if err := p.Dump(io.Discard, pass); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff(map[string]int{"ir second": 1}, ran.clear()); diff != "" {
		t.Errorf("all the rest (-want +got):\n%s", diff)
	}
	if _, err := p.Specialise(metalrun.Math{FastFunctions: true}, map[int]any{0: 3}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(map[string]int{"types a.metal": 1}, ran.clear()); diff != "" {
		t.Errorf("specialised (-want +got):\n%s", diff)
	}
}

// TestSpecialise gives one source two meanings.
// TestFor looks at an entry point beside one that is ill-formed.
func TestFor(t *testing.T) {
	src := metalrun.SourceText("k.metal", `
kernel void good(device float* out [[buffer(0)]]) { out[0] = 1.0f; }
kernel void bad(device float* out [[buffer(0)]]) { out[0] = missing; }
`)
	var options metalrun.CompileOptions
	if _, err := metalrun.Analyse(src, options); err == nil {
		t.Error("a name that nothing declares is accepted")
	}
	p, err := metalrun.Analyse(src, options.For("good"))
	if err != nil {
		t.Fatal(err)
	}
	if !p.Exports("good") || p.Exports("bad") {
		t.Error("entry points: want good alone")
	}
}

func TestSpecialise(t *testing.T) {
	p := analysed(t, metalrun.SourceText("a.metal", twoKernels),
		metalrun.CompileOptions{FunctionConstants: map[int]any{0: 2}})
	before := dumped(t, p, "ir")
	q, err := p.Specialise(metalrun.Math{FastFunctions: true}, map[int]any{0: 5})
	if err != nil {
		t.Fatal(err)
	}
	after := analysed(t, p.Source(), metalrun.CompileOptions{FastFunctions: true, FunctionConstants: map[int]any{0: 5}})
	if diff := cmp.Diff(dumped(t, after, "ir"), dumped(t, q, "ir")); diff != "" {
		t.Errorf("it differs from one that is analysed so (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(before, dumped(t, p, "ir")); diff != "" {
		t.Errorf("the first is another (-before +after):\n%s", diff)
	}
	if before == dumped(t, q, "ir") {
		t.Error("both are the same")
	}
}

// dumped is what a pass made of a program.
func dumped(t *testing.T, p *metalrun.Program, pass string) string {
	t.Helper()
	var b strings.Builder
	if err := p.Dump(&b, pass); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestIllFormed refuses what cannot be parsed or checked, and says where.
func TestIllFormed(t *testing.T) {
	for _, test := range []struct {
		text string
		at   metalrun.Position
	}{
		{"constant float x = ;", metalrun.Position{File: "bad.metal", Line: 1, Col: 20}},
		{"kernel void f() {\n  undeclared = 1;\n}\n", metalrun.Position{File: "bad.metal", Line: 2, Col: 3}},
	} {
		_, err := metalrun.Analyse(metalrun.SourceText("bad.metal", test.text), metalrun.CompileOptions{})
		var list metalrun.Diagnostics
		if !errors.As(err, &list) || list[0].Position != test.at {
			t.Errorf("%q: %v, want a diagnostic at %s", test.text, err, test.at)
		}
	}
	if _, err := metalrun.Analyse(metalrun.Source{Name: "gone.metal"}, metalrun.CompileOptions{}); !failsWith(err,
		`source "gone.metal" is not among its files`) {
		t.Errorf("no main file: %v", err)
	}
}
