package kernels

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// BenchmarkRulesCorrect judges our kernels by the suite and by the rules in use
// elsewhere, on the quick sweep of every kernel, with the inputs of another seed
// in each iteration. It prints how much of the bounds their errors use, and how
// many cases each rule rejects: false alarms.
func BenchmarkRulesCorrect(b *testing.B) {
	runner := sim.New(sim.Semantics{})
	b.Cleanup(func() { runner.Close() })
	study := newCorrectStudy()
	e := experiment{Runner: &keeper{Runner: runner}, shaders: ours(b)}
	cases := valued(quickCases())
	for b.Loop() {
		e.seed++
		study.seeds++
		inParallel(len(cases), func(i int) { study.add(cases[i], e.run(cases[i])) })
	}
	if err := study.write(os.Stdout); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRulesFaulty judges all seeded faults by the same rules, each in the
// cases of the quick sweep that it names, on the inputs of another seed in each
// iteration. It prints how many each rule catches, and names what the suite
// misses and a common rule does not.
func BenchmarkRulesFaulty(b *testing.B) {
	study := &faultStudy{faults: seeded(b, faults())}
	for b.Loop() {
		study.nextSeed(b)
	}
	if err := study.write(os.Stdout, "Seeded faults"); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRulesMutants judges small edits that nobody chose in the same way.
// Unlike the seeded faults, which are there because the suite catches them, some
// do no harm and some may slip through.
func BenchmarkRulesMutants(b *testing.B) {
	study := &faultStudy{faults: mutants(b)}
	for b.Loop() {
		study.nextSeed(b)
	}
	if err := study.write(os.Stdout, "Small edits of the kernels' sources"); err != nil {
		b.Fatal(err)
	}
}

// TestRules holds what those tables say on a sample of the faults, with the first
// of each classic, and of their cases, the light ones: the suite catches every fault
// that a common rule catches, the classic ones in any case, and rejects no kernel
// without a fault.
func TestRules(t *testing.T) {
	if testing.Short() || raceDetector {
		t.Skip("a comparison with other rules: TestFaults seeds the same faults")
	}
	var sample []fault
	drawn := map[string]bool{"": true}
	for i, f := range faults() {
		if i%128 == 0 || !drawn[f.classic()] {
			sample = append(sample, f)
			drawn[f.classic()] = true
		}
	}
	study := &faultStudy{faults: seeded(t, sample)}
	for _, f := range study.faults {
		f.listed = slices.DeleteFunc(f.listed, func(c suite.Case) bool { return !isLight(c) })
	}
	study.nextSeed(t)
	for _, name := range study.missed() {
		t.Errorf("the suite misses %s, which a common rule catches", name)
	}
	caught := map[string]bool{}
	for _, f := range study.faults {
		caught[f.classic()] = caught[f.classic()] || f.found[conformance] > 0
		if c := f.classic(); c != "" && f.found[conformance] == 0 {
			t.Errorf("the suite misses %s, which is a classic: %s", f, c)
		}
	}
	for _, c := range classics() {
		if !caught[c.name] {
			t.Errorf("no seeded fault is a classic %q", c.name)
		}
	}
	for name, r := range study.without {
		if r[conformance] {
			t.Errorf("false alarm: the suite rejects %s without a fault", name)
		}
	}
}

// experiment judges cases of kernels by every rule.
type experiment struct {
	metalrun.Runner
	shaders *suite.Shaders
	seed    uint64
}

// outcome is what a case comes to.
type outcome struct {
	result     suite.Result
	outputs    []tensor // none if a launch ended in a fault
	rejections rejections
}

// run runs a case. A common rule rejects it if it rejects one of its outputs.
func (e experiment) run(c suite.Case) outcome {
	w := &outputRecorder{Runner: e.Runner}
	var o outcome
	err := suite.Run(context.Background(), w, suite.Options{Shaders: e.shaders, Seed: e.seed, Parallel: 1}.Within(nil),
		[]suite.Case{w.attend(c)}, func(r suite.Result) { o.result = r })
	if s := o.result.Status; err != nil || s != suite.Pass && s != suite.Fail {
		panic(fmt.Sprintf("%s was not judged: %v, %s", c.Name, err, o.result.Text()))
	}
	o.outputs = w.outputs()
	for _, t := range o.outputs {
		p := t.pairs()
		for i, g := range commonRules() {
			o.rejections[i] = o.rejections[i] || !g.accepts(p)
		}
	}
	o.rejections[conformance] = o.result.Status == suite.Fail
	o.rejections[rigorous] = slices.ContainsFunc(o.result.Failures,
		func(f suite.Failure) bool { return f.Check != suite.CheckStatistical })
	return o
}

// valued are the cases of kernels that are launched. The stages of pipelines are
// kernels of other families, and no common rule knows the invariants between them.
func valued(cases []suite.Case) []suite.Case {
	return slices.DeleteFunc(slices.Clone(cases), func(c suite.Case) bool {
		return c.Pipeline != nil || !launched(c)
	})
}

// inParallel calls f for 0 to n − 1 on all processors.
func inParallel(n int, f func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
}

// String is the fault's name behind its kernel's.
func (f fault) String() string { return f.kernel + "/" + strings.ReplaceAll(f.name, " ", "_") }
