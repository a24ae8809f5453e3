package bench

import (
	"errors"
	"math"
	"metalconform/metalrun/runnertest"
	"metalconform/suite"
	"metalconform/suite/suitetest"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/timing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// clockRunner runs a Go function in place of the kernel; its clock says what
// took returns for each run from 0.
type clockRunner struct {
	runnertest.Runner
	run  func(n int, d metalrun.Dispatch) error
	took func(n int) time.Duration
	runs int
}

func (r *clockRunner) Compile(*metalrun.Program) (metalrun.Library, error) {
	return clockLibrary{r}, nil
}

type clockLibrary struct{ *clockRunner }

func (l clockLibrary) Release()                               {}
func (l clockLibrary) MaxThreads() int                        { return 1024 }
func (l clockLibrary) Kernel(string) (metalrun.Kernel, error) { return l, nil }
func (l clockLibrary) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	n := l.runs
	l.runs++
	return metalrun.Outcome{Duration: l.took(n)}, l.run(n, d)
}

// effort is that of most tests.
func effort(times int, limit time.Duration) Effort {
	return Effort{Effort: timing.Effort{Times: times, Confidence: 0.95, Within: 0.02, Limit: limit}}
}

// benched is the product with one case and its work.
func benched() suite.Kernel {
	k := suitetest.Only(suitetest.Product(), "normal")
	k.Work = suite.Work{Operations: suite.Product(suitetest.Rows, suitetest.Wide)}
	return k
}

func TestMeasure(t *testing.T) {
	right := func(_ int, d metalrun.Dispatch) error { return suitetest.RunProduct(d) }
	steady := func(int) time.Duration { return time.Microsecond }
	// six are the fewest with an interval, 4 and 7 are looked at
	exact := timing.Time{Samples: 7, Median: 1000, Low: 1000, High: 1000, Close: true, Steady: true}
	cold, sure := effort(1, time.Minute), effort(1, time.Minute)
	cold.Cold, sure.Confidence = true, 0.99
	twice := func(k *suite.Kernel) { k.Launches = func(suite.Shape) []suite.Launch { return []suite.Launch{{}, {}} } }
	tests := []struct {
		name   string
		effort Effort
		kernel func(*suite.Kernel)
		run    func(n int, d metalrun.Dispatch) error
		took   func(n int) time.Duration
		want   []timing.Time
		status suite.Status
	}{
		{name: "steady", effort: effort(2, time.Minute), run: right, took: steady, want: []timing.Time{exact, exact},
			status: suite.Pass},
		{name: "cold", effort: cold, run: right, took: steady, want: []timing.Time{exact}, status: suite.Pass},
		{
			name: "more confidence", effort: sure, run: right, took: steady,
			want:   []timing.Time{{Samples: 11, Median: 1000, Low: 1000, High: 1000, Close: true, Steady: true}},
			status: suite.Pass,
		},
		{
			name: "all launches are one sample", effort: effort(1, time.Minute),
			run: func(n int, d metalrun.Dispatch) error {
				if n%2 == 0 {
					return nil
				}
				return suitetest.RunProduct(d)
			}, kernel: twice, took: steady,
			want:   []timing.Time{{Samples: 7, Median: 2000, Low: 2000, High: 2000, Close: true, Steady: true}},
			status: suite.Pass,
		},
		{
			name: "never close", effort: effort(1, time.Minute), run: right,
			took:   func(n int) time.Duration { return time.Duration(1+n%2) * time.Microsecond },
			want:   []timing.Time{{Samples: 10_000, Median: 1500, Low: 1000, High: 2000, Steady: true}},
			status: suite.Pass,
		},
		{
			name: "out of time", effort: effort(1, time.Nanosecond), run: right, took: steady,
			want: []timing.Time{{Samples: 1, Median: 1000, Low: math.Inf(-1), High: math.Inf(1)}}, status: suite.Pass,
		},
		{
			name: "wrong", effort: effort(1, time.Minute), run: func(_ int, d metalrun.Dispatch) error {
				err := suitetest.RunProduct(d)
				runnertest.Memory{Dispatch: d}.Set(suitetest.ArgY, 0, 1e9)
				return err
			}, took: steady, status: suite.Fail,
		},
		{
			name: "wrong later", effort: effort(1, time.Minute), run: func(n int, d metalrun.Dispatch) error {
				err := suitetest.RunProduct(d)
				if n > 0 {
					runnertest.Memory{Dispatch: d}.Set(suitetest.ArgY, 0, 1e9)
				}
				return err
			}, took: steady, status: suite.Fail,
		},
		{
			name: "faulty later", effort: effort(1, time.Minute), run: func(n int, d metalrun.Dispatch) error {
				if n > 1 {
					return &metalrun.Fault{Message: "out of range"}
				}
				return suitetest.RunProduct(d)
			}, took: steady, status: suite.Fail,
		},
		{
			name: "broken device", effort: effort(1, time.Minute), run: func(n int, d metalrun.Dispatch) error {
				if n > 1 {
					return errors.New("lost")
				}
				return suitetest.RunProduct(d)
			}, took: steady, status: suite.Error,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			k := benched()
			if test.kernel != nil {
				test.kernel(&k)
			}
			runner := &clockRunner{run: test.run, took: test.took}
			c := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{k}}}, suite.Quick)[0]
			meter := NewMeter(runner, suite.Options{Shaders: suitetest.Shaders(t, nil)}, test.effort)
			defer meter.Close()
			m := meter.Measure(c)[0]
			if m.Status != test.status {
				t.Errorf("%s: %s, want %s", m.Status, m.Text(), test.status)
			}
			if diff := cmp.Diff(test.want, m.Times, cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("times (-want +got):\n%s", diff)
			}
		})
	}
}

// Three rows of eight: x, y and copy whole, the weights, half of hits.
func TestMeasureCost(t *testing.T) {
	runner := &clockRunner{run: func(_ int, d metalrun.Dispatch) error { return suitetest.RunProduct(d) },
		took: func(int) time.Duration { return 1 }}
	c := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{benched()}}}, suite.Quick)[0]
	m := NewMeter(runner, suite.Options{Shaders: suitetest.Shaders(t, nil)}, effort(1, time.Nanosecond)).Measure(c)[0]
	want := suite.Cost{Bytes: 3*24*4 + 8*2 + 2*4*4, Operations: 24, Elements: 2*24 + 4}
	if diff := cmp.Diff(want, m.Cost); diff != "" {
		t.Errorf("cost (-want +got):\n%s", diff)
	}
}

func TestDeclaredMoves(t *testing.T) {
	k := suitetest.Product()
	k.Work = suite.Work{
		Operations: suite.Fixed(0),
		Reads:      map[string]suite.Extent{"x": suitetest.Wide, "hits": suite.Fixed(0)},
		Writes:     map[string]suite.Extent{"y": suite.Fixed(5)},
	}
	want := suite.Cost{Bytes: 8*4 + 8*2 + 5*4 + 24*4 + 4*4, Elements: 5 + 24 + 4}
	if diff := cmp.Diff(want, k.Cost(suite.Shape{suitetest.Rows: 3, suitetest.Wide: 8})); diff != "" {
		t.Errorf("cost (-want +got):\n%s", diff)
	}
}

// Of each kernel the case that moves most, the first of equals; none of a
// refused shape, of nothing to launch, or of a pipeline.
func TestLargest(t *testing.T) {
	k := benched()
	k.Sweep = suite.Sweep{Shapes: []suite.Shape{{suitetest.Rows: 1, suitetest.Wide: 8},
		{suitetest.Rows: 3, suitetest.Wide: 8}, {suitetest.Rows: 2, suitetest.Wide: 8}},
		Refused: []suite.Shape{{suitetest.Rows: 0, suitetest.Wide: 8}}, Inputs: suite.Standard(nil)}
	k.Sweep.Probes = k.Sweep.Shapes
	idle := benched()
	idle.Name, idle.Launches = "idle", func(suite.Shape) []suite.Launch { return nil }
	pipeline := suite.Pipeline{Name: "pipeline", Axes: []suite.Axis{suitetest.Rows},
		Sweep: suite.Sweep{Shapes: []suite.Shape{{suitetest.Rows: 1}}}}
	cases := suite.Cases([]suite.Family{{Kernels: []suite.Kernel{k, idle}, Pipelines: []suite.Pipeline{pipeline}}},
		suite.Quick)
	var names []string
	for _, c := range suite.Largest(cases) {
		names = append(names, c.Name)
	}
	if diff := cmp.Diff([]string{"product/rows=3/n=8/input=normal"}, names); diff != "" {
		t.Errorf("largest (-want +got):\n%s", diff)
	}
}
