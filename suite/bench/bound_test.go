package bench

import (
	"errors"
	"metalconform/metalrun/runnertest"
	"metalconform/suite"
	"metalconform/suite/suitetest"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/timing"

	"github.com/google/go-cmp/cmp"
)

// keeper is a device that keeps buffers, and takes a microsecond for each launch and a
// millisecond for each submission. wrong are the launches that compute something else.
type keeper struct {
	runnertest.Runner
	bound       []*kept
	launches    int
	wrong       func(launch int) bool
	fails       int // the submission that does; 0 for none
	submissions int
	hot         []metalrun.Thermal // of each question
}

func (r *keeper) Compile(p *metalrun.Program) (metalrun.Library, error) {
	return keeperLibrary{r, p.Source().Name}, nil
}

func (r *keeper) Condition() (metalrun.Condition, error) {
	if len(r.hot) == 0 {
		return metalrun.Condition{}, errors.New("no answer")
	}
	t := r.hot[0]
	r.hot = r.hot[1:]
	return metalrun.Condition{Thermal: t}, nil
}

type keeperLibrary struct {
	*keeper
	file string
}

func (l keeperLibrary) Release()                               {}
func (l keeperLibrary) Kernel(string) (metalrun.Kernel, error) { return keeperKernel{l}, nil }

type keeperKernel struct{ keeperLibrary }

func (k keeperKernel) MaxThreads() int { return 1024 }

func (k keeperKernel) launch(d metalrun.Dispatch) {
	if k.file == "roof.metal" {
		return
	}
	k.launches++
	suitetest.RunProduct(d)
	if k.wrong != nil && k.wrong(k.launches) {
		runnertest.Memory{Dispatch: d}.Set(suitetest.ArgY, 0, 1e9)
	}
}

func (k keeperKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	k.launch(d)
	return metalrun.Outcome{Duration: time.Hour}, nil // not what a sample is made of
}

func (k keeperKernel) Bind(sequence ...metalrun.Dispatch) (metalrun.Bound, error) {
	b := &kept{keeperKernel: k, sequence: sequence, own: copied(sequence)}
	k.bound = append(k.bound, b)
	return b, nil
}

// kept is a sequence on buffers of its own.
type kept struct {
	keeperKernel
	sequence, own []metalrun.Dispatch
	released      bool
	cold          bool // evicted since it was run
	coldRuns      int
	warmRuns      int
}

func (b *kept) Run(n int) (metalrun.Outcome, error) {
	if b.submissions++; b.submissions == b.fails {
		return metalrun.Outcome{}, &metalrun.Fault{Message: "page fault"}
	}
	if b.file == "roof.metal" {
		for _, other := range b.bound {
			other.cold = true
		}
	}
	if b.cold && n == 1 {
		b.coldRuns++
	} else {
		b.warmRuns++
	}
	b.cold = false
	for range n {
		for _, d := range b.own {
			b.launch(d)
		}
	}
	return metalrun.Outcome{Duration: time.Millisecond + time.Duration(n*len(b.own))*time.Microsecond}, nil
}

func (b *kept) Read() error {
	from, _ := metalrun.Memory(b.own)
	to, _ := metalrun.Memory(b.sequence)
	for i := range to {
		copy(to[i], from[i])
	}
	return nil
}

func (b *kept) Release() { b.released = true }

// A device that keeps buffers is timed by differences: a submission's own time is no part
// of them, nor is a launch that Run makes.
func TestMeasureBound(t *testing.T) {
	if testing.Short() {
		t.Skip("a longer test run tries it")
	}
	twice := func(k *suite.Kernel) {
		k.Launches = func(suite.Shape) []suite.Launch { return []suite.Launch{{}, {}} }
		k.Oracle = func(p *suite.Problem) suite.Answers {
			answers := suitetest.ProductOracle(p)
			for i := range answers["hits"].Want {
				answers["hits"].Want[i]++
			}
			return answers
		}
	}
	for _, test := range []struct {
		name   string
		wrong  func(launch int) bool
		fails  int
		kernel func(*suite.Kernel)
		cold   bool
		want   float64 // median
		status suite.Status
	}{
		{name: "warm", want: 1000, status: suite.Pass},
		{name: "cold", cold: true, want: 1000, status: suite.Pass},
		{name: "all launches are one run", kernel: twice, want: 2000, status: suite.Pass},
		{name: "wrong at first", wrong: func(n int) bool { return n == 1 }, status: suite.Fail},
		{name: "wrong from the second launch on", wrong: func(n int) bool { return n > 1 }, status: suite.Fail},
		{name: "faulty as it is timed", fails: 30, status: suite.Fail},
	} {
		t.Run(test.name, func(t *testing.T) {
			k := benched()
			if test.kernel != nil {
				test.kernel(&k)
			}
			e := effort(1, time.Minute)
			e.Cold = test.cold
			runner := &keeper{wrong: test.wrong, fails: test.fails,
				hot: []metalrun.Thermal{metalrun.ThermalFair, metalrun.ThermalNominal}}
			meter := NewMeter(runner, suite.Options{Shaders: suitetest.Shaders(t, nil)}, e)
			m := meter.Measure(suite.Cases([]suite.Family{{Kernels: []suite.Kernel{k}}}, suite.Quick)[0])[0]
			meter.Close()
			if m.Status != test.status {
				t.Fatalf("%s: %s, want %s", m.Status, m.Text(), test.status)
			}
			for i, b := range runner.bound {
				if !b.released {
					t.Errorf("bound %d is not released", i)
				}
			}
			if test.status != suite.Pass {
				if m.Times != nil {
					t.Errorf("a kernel that does not conform has times %+v", m.Times)
				}
				return
			}
			want := []timing.Time{{Samples: 7, Median: test.want, Low: test.want, High: test.want, Close: true,
				Steady: true}}
			if diff := cmp.Diff(want, m.Times); diff != "" {
				t.Errorf("times (-want +got):\n%s", diff)
			}
			if m.Condition == nil || m.Condition.Thermal != metalrun.ThermalFair {
				t.Errorf("condition %+v", m.Condition)
			}
			if test.cold {
				checkCold(t, runner.bound)
			}
		})
	}
}

// checkCold wants n and 2n sets that share nothing, and no sample without an eviction.
func checkCold(t *testing.T, bound []*kept) {
	var sets []int
	for _, b := range bound {
		if b.file == "roof.metal" {
			continue
		}
		memory, _ := metalrun.Memory(b.sequence)
		one, _ := metalrun.Memory(b.sequence[:1])
		if len(memory) != len(one)*len(b.sequence) {
			t.Errorf("%d launches on %d buffers", len(b.sequence), len(memory))
		}
		sets = append(sets, len(b.sequence))
		if len(b.sequence) > 1 && b.warmRuns > 0 {
			t.Errorf("%d of %d runs are warm", b.warmRuns, b.warmRuns+b.coldRuns)
		}
	}
	if diff := cmp.Diff([]int{mostSets, 2 * mostSets, 1}, sets); diff != "" {
		t.Errorf("sets (-want +got):\n%s", diff)
	}
}

// Cases that are measured together have a verdict each, whatever becomes of the others.
func TestMeasureTogether(t *testing.T) {
	k := benched()
	k.Sweep.Shapes = []suite.Shape{{suitetest.Rows: 1, suitetest.Wide: 8}, {suitetest.Rows: 2, suitetest.Wide: 8},
		{suitetest.Rows: 3, suitetest.Wide: 8}}
	k.Sweep.Probes = k.Sweep.Shapes
	k.Oracle = func(p *suite.Problem) suite.Answers {
		if p.Shape[suitetest.Rows] == 2 {
			panic("an oracle that fails")
		}
		return suitetest.ProductOracle(p)
	}
	cases := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{k}}}, suite.Quick)[:3]
	runner := &clockRunner{run: func(_ int, d metalrun.Dispatch) error { return suitetest.RunProduct(d) },
		took: func(int) time.Duration { return time.Microsecond }}
	list := NewMeter(runner, suite.Options{Shaders: suitetest.Shaders(t, nil)},
		effort(1, time.Minute)).Measure(cases...)
	for i, m := range list {
		if want := [...]suite.Status{suite.Pass, suite.Error, suite.Pass}[i]; m.Case != cases[i].Name ||
			m.Status != want || len(m.Times) != 1-i%2 {
			t.Errorf("%s: %s with %d times, want %s", m.Case, m.Status, len(m.Times), want)
		}
	}
}
