package timing

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"

	"github.com/google/go-cmp/cmp"
)

func effort(times int) Effort {
	return Effort{Times: times, Confidence: 0.95, Within: 0.02, Limit: time.Minute}
}

// scripted is a subject whose sample n takes as long as f says, and gives up where f is 0.
func scripted(name byte, order *[]byte, f func(n int) float64) Sample {
	n := 0
	return func() (float64, bool) {
		*order = append(*order, name)
		ns := f(n)
		n++
		return ns, ns != 0
	}
}

// Subjects take turns, there and back, until all are steady and then until all are known.
func TestTake(t *testing.T) {
	var order []byte
	hot := func(n int) float64 { return 1000 + 9000*math.Exp(-float64(n)/5) } // of a clock that rises
	flat := func(int) float64 { return 500 }
	got := Take(effort(2), scripted('a', &order, hot), scripted('b', &order, flat))
	if want := "abbaabba"; string(order[:8]) != want {
		t.Errorf("order %s, want %s", order[:8], want)
	}
	burnIn := 6 * window // of each: medians of 5471, 1902, 1182, 1037, 1007, and 1001
	if n := len(order) - 2*2*7; n != 2*burnIn {
		t.Errorf("%d samples in the burn-in, want %d", n, 2*burnIn)
	}
	for i, want := range []float64{1000, 500} {
		if len(got[i]) != 2 {
			t.Fatalf("%d times", len(got[i]))
		}
		for _, x := range got[i] {
			if math.Abs(x.Median-want) > 0.02*want || x.Samples != 7 || !x.Close || !x.Steady {
				t.Errorf("subject %d: %+v, want %v", i, x, want)
			}
		}
	}
}

// One that gives up has no times, and the others go on.
func TestGivesUp(t *testing.T) {
	for _, last := range []int{0, 3, 20, 25} {
		var order []byte
		got := Take(effort(2), scripted('a', &order, func(n int) float64 {
			if n == last {
				return 0
			}
			return 100
		}), scripted('b', &order, func(int) float64 { return 200 }))
		want := []Time{{Samples: 7, Median: 200, Low: 200, High: 200, Close: true, Steady: true}}
		if diff := cmp.Diff([][]Time{nil, {want[0], want[0]}}, got); diff != "" {
			t.Errorf("after %d samples (-want +got):\n%s", last, diff)
		}
		if slices.Index(order, 'a') < 0 || order[len(order)-1] != 'b' {
			t.Errorf("order %s", order)
		}
	}
}

// What does not become steady says so, and what is 0 or less is not known.
func TestDoubtful(t *testing.T) {
	e := effort(1)
	e.Limit = 20 * time.Millisecond
	var order []byte
	slow := func(ns float64) float64 { time.Sleep(100 * time.Microsecond); return ns }
	rising := Take(e, scripted('a', &order, func(n int) float64 { return slow(math.Pow(1.1, float64(n))) }))[0][0]
	if rising.Steady {
		t.Errorf("a time that rises: %+v", rising)
	}
	nothing := Take(e, scripted('a', &order, func(n int) float64 { return slow(float64(1 - 2*(n%2))) }))[0][0]
	if nothing.Close || nothing.Steady {
		t.Errorf("noise about 0: %+v", nothing)
	}
}

// device launches in its head: overhead and drift are part of every submission.
type device struct {
	overhead, each time.Duration
	drift          time.Duration // that each submission takes longer than the one before
	runs           []int
	clock          func(submission int) metalrun.Clock
	fails          int // the submission that does; 0 for none
}

func (d *device) Run(n int) (metalrun.Outcome, error) {
	d.runs = append(d.runs, n)
	k := len(d.runs)
	o := metalrun.Outcome{Duration: d.overhead + time.Duration(n)*d.each + time.Duration(k)*d.drift}
	if d.clock != nil {
		o.Clock = d.clock(k)
	}
	if k == d.fails {
		return o, errors.New("lost")
	}
	return o, nil
}
func (d *device) Read() error { return nil }
func (d *device) Release()    {}

func TestWarm(t *testing.T) {
	for _, test := range []struct {
		name string
		device
		runs  int
		ns    float64
		clock metalrun.Clock
	}{
		{"long", device{each: 2 * time.Millisecond}, 1, 2e6, ""},
		{"short", device{each: 3 * time.Microsecond, overhead: time.Millisecond}, 512, 3000, ""},
		{"drift", device{each: time.Microsecond, overhead: time.Millisecond, drift: 50 * time.Microsecond}, 1024,
			1000, ""},
		{"nothing", device{overhead: time.Millisecond}, mostRuns, 0, ""},
		{"host", device{each: time.Millisecond, clock: func(int) metalrun.Clock { return metalrun.HostClock }}, 1, 1e6,
			metalrun.HostClock},
		{"one clock at last", device{each: time.Millisecond, clock: func(k int) metalrun.Clock {
			return [...]metalrun.Clock{"", metalrun.HostClock}[min(k/7, 1)]
		}}, 1, 1e6, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := Warm(&test.device)
			if err != nil {
				t.Fatal(err)
			}
			before := len(test.device.runs)
			ns, clock, err := p.Sample()
			if err != nil || ns != test.ns || p.Runs != test.runs ||
				test.name != "one clock at last" && clock != test.clock {
				t.Errorf("%v ns of %d runs by %q, %v, want %v of %d", ns, p.Runs, clock, err, test.ns, test.runs)
			}
			n := test.runs
			if diff := cmp.Diff([]int{n, 2 * n, 2 * n, n}, test.device.runs[before:before+4]); diff != "" {
				t.Errorf("submissions (-want +got):\n%s", diff)
			}
		})
	}
	for _, d := range []*device{{fails: 3}, {each: time.Second, clock: func(k int) metalrun.Clock {
		return [...]metalrun.Clock{"", metalrun.HostClock}[k%2]
	}}} {
		if _, err := Warm(d); err == nil {
			t.Errorf("%+v: no error", d)
		}
	}
}

// The kernels of the roof compute what they should, and their rates are above 0.
func TestRoof(t *testing.T) {
	e := effort(1)
	e.Limit = time.Nanosecond
	roof, err := measureRoof(sim.New(sim.Semantics{}), e, sizes{copied: 1 << 16, threads: 1 << 10, iterations: 3})
	if err != nil {
		t.Fatal(err)
	}
	if r := roof.Copy; r.Clock != metalrun.HostClock || r.Amount != 2<<16 || len(r.Times) != 1 ||
		!(r.PerSecond(r.Times[0]) > 0) {
		t.Errorf("copy: %+v", r)
	}
	if r := roof.FMA; math.Mod(r.Amount, 2*32*3*1024) != 0 || len(r.Times) != 1 {
		t.Errorf("multiply-adds: %+v", r)
	}
	if got := (Rate{Amount: 100}).PerSecond(Time{Median: 50}); got != 2e9 {
		t.Errorf("100 in 50 ns are %v in a second", got)
	}
}

// altered is a device whose launches end in something else.
type altered struct {
	metalrun.Runner
	end func(d metalrun.Dispatch, o *metalrun.Outcome)
}
type alteredLibrary struct {
	metalrun.Library
	end func(d metalrun.Dispatch, o *metalrun.Outcome)
}
type alteredKernel struct {
	metalrun.Kernel
	end func(d metalrun.Dispatch, o *metalrun.Outcome)
}

func (r altered) Compile(p *metalrun.Program) (metalrun.Library, error) {
	l, err := r.Runner.Compile(p)
	return alteredLibrary{l, r.end}, err
}
func (l alteredLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := l.Library.Kernel(name)
	return alteredKernel{k, l.end}, err
}
func (k alteredKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	o, err := k.Kernel.Run(d)
	k.end(d, &o)
	return o, err
}

// wrong adds to what kernels write.
func wrong(d metalrun.Dispatch, _ *metalrun.Outcome) { d.Bindings[min(1, len(d.Bindings)%3)].Data[3]++ }

func TestWrongRoof(t *testing.T) {
	r := altered{sim.New(sim.Semantics{}), wrong}
	small := sizes{copied: 1 << 12, threads: 1 << 8, iterations: 1}
	if _, err := measureRoof(r, effort(1), small); !errors.Is(err, metalrun.ErrUnusable) {
		t.Errorf("a copy that is wrong: %v", err)
	}
	l, err := roofLibrary(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := measureFMA(l, effort(1), small); !errors.Is(err, metalrun.ErrUnusable) {
		t.Errorf("multiply-adds that are wrong: %v", err)
	}
}

// Rounds have one sample of each subject, in orders that the same seed draws again.
func TestInterleave(t *testing.T) {
	take := func(seed uint64) (string, [][]float64) {
		var order []byte
		got := Interleave(effort(20), rand.New(rand.NewPCG(seed, 0)),
			scripted('a', &order, func(int) float64 { return 100 }),
			scripted('b', &order, func(int) float64 { return 200 }),
			scripted('c', &order, func(n int) float64 { return float64(3*window - n) }))
		return string(order[len(order)-3*window:]), got
	}
	order, got := take(1)
	if again, _ := take(1); again != order {
		t.Errorf("one seed, two orders: %s and %s", order, again)
	}
	if other, _ := take(2); other == order {
		t.Errorf("two seeds, one order: %s", order)
	}
	if diff := cmp.Diff([][]float64{slices.Repeat([]float64{100}, 20), slices.Repeat([]float64{200}, 20), nil},
		got); diff != "" {
		t.Errorf("samples (-want +got):\n%s", diff)
	}
}
