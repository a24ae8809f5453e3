package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
	"metalconform/suite/metrics"
)

// shadersOf opens a directory that exports the product, or what texts say.
func shadersOf(t testing.TB, texts map[string]string) *Shaders {
	t.Helper()
	if texts == nil {
		texts = map[string]string{"product.metal": "kernel product"}
	}
	s, err := OpenShaders(files(texts), analyseNames)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// results runs the cases of one kernel with run in its place.
func results(t testing.TB, k Kernel, run func(metalrun.Dispatch) error, opts Options) []Result {
	t.Helper()
	if opts.Shaders == nil {
		opts.Shaders = shadersOf(t, nil)
	}
	r := &runnertest.Runner{Kernels: runnertest.Functions{"product": run}}
	var got []Result
	cases := Cases([]Family{{Name: "test", Kernels: []Kernel{k}}}, Quick)
	if err := Run(context.Background(), r, opts, cases, func(r Result) { got = append(got, r) }); err != nil {
		t.Fatal(err)
	}
	return got
}

// only keeps one case of a kernel.
func only(k Kernel, input string) Kernel {
	k.Sweep.Refused = nil
	k.Sweep.Probes = k.Sweep.Shapes
	k.Sweep.Shapes = nil
	for i := range k.Sweep.Inputs {
		k.Sweep.Inputs[i].Only = func(Shape) bool { return k.Sweep.Inputs[i].Name == input }
	}
	return k
}

func TestConformingKernelPasses(t *testing.T) {
	k := product()
	k.Sweep.Probes = k.Sweep.Shapes
	for _, r := range results(t, k, runProduct, Options{}) {
		if r.Status != Pass {
			t.Errorf("%s: %s\n%s", r.Case, r.Status, r.Text())
		}
		if r.ErrorRatio > 1 {
			t.Errorf("%s: passes with %g x its bound", r.Case, r.ErrorRatio)
		}
	}
}

// TestChecks has for each check a fault that only it catches.
func TestChecks(t *testing.T) {
	const last = 3*8 - 1
	var before [last + 1]uint32 // what y held
	tests := []struct {
		name  string
		input string
		fault func(runnertest.Memory)
		want  Check
		text  string // what the message has to say
	}{
		{"error beyond the bound", "normal", func(m runnertest.Memory) { m.Set(argY, 17, m.F32(argY, 17)*(1+0x1p-21)) },
			CheckBound, "y[2, 1] = "},
		{"wrong bit of a copy", "zeros", func(m runnertest.Memory) { m.SetBits(argCopy, 5, m.Bits(argCopy, 5)^1<<31) },
			CheckExact,
			"copy[0, 5] = "},
		{"element without a bound", "normal",
			func(m runnertest.Memory) { m.Set(argHits, 2, m.F32(argHits, 2)+0x1p-20) },
			CheckExact, "hits[2] = "},
		{"NaN for a number", "normal", func(m runnertest.Memory) { m.Set(argY, 0, float32(math.NaN())) },
			CheckNonFinite,
			"y[0, 0] = NaN"},
		{"infinity for a number", "normal", func(m runnertest.Memory) { m.Set(argY, 9, float32(math.Inf(1))) },
			CheckNonFinite,
			"y[1, 1] = +Inf"},
		{"number for NaN", "nan_x", func(m runnertest.Memory) {
			for i := range last + 1 {
				if math.IsNaN(float64(m.F32(argY, i))) {
					m.Set(argY, i, 1)
				}
			}
		}, CheckNonFinite, "want NaN"},
		{"wrong infinity", "inf_x", func(m runnertest.Memory) {
			for i := range last + 1 {
				if math.IsInf(float64(m.F32(argY, i)), 0) {
					m.Set(argY, i, -m.F32(argY, i))
				}
			}
		}, CheckNonFinite, "Inf"},
		{"element never written", "normal", func(m runnertest.Memory) { m.SetBits(argY, last, before[last]) },
			CheckUnwritten,
			"y[2, 7] was never written; 1 of 24"},
		{"element never written where NaN is due", "nan_x", func(m runnertest.Memory) {
			for i := range last + 1 {
				if math.IsNaN(float64(m.F32(argY, i))) {
					m.SetBits(argY, i, before[i])
				}
			}
		}, CheckUnwritten, "was never written"},
		{"the pattern for a number", "normal", func(m runnertest.Memory) { m.SetBits(argY, last, pattern) },
			CheckNonFinite, "y[2, 7] = NaN"},
		{"untouched element", "zeros", func(m runnertest.Memory) { m.SetBits(argHits, 6, m.Bits(argHits, 6)^1<<31) },
			CheckUntouched, "hits[6] must stay unchanged"},
		{"read-only input", "zeros", func(m runnertest.Memory) { m.SetBits(argX, 1, m.Bits(argX, 1)^1<<31) },
			CheckReadOnly,
			"x[0, 1] is an input"},
		{"write past the end", "normal", func(m runnertest.Memory) { m.SetBits(argY, last+1, 0) }, CheckGuard,
			"y was written 0 bytes past its end"},
		{"write far past the end", "normal",
			func(m runnertest.Memory) { m.Bindings[argY].Data[len(m.Bindings[argY].Data)-1] = 1 },
			CheckGuard, "1023 bytes past its end"},
		{"write before the start", "normal", func(m runnertest.Memory) { m.SetBits(argX, -1, 7) }, CheckGuard,
			"x was written 1 byte before its start"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := results(t, only(product(), test.input), func(d metalrun.Dispatch) error {
				m := runnertest.Memory{Dispatch: d}
				for i := range before {
					before[i] = m.Bits(argY, i)
				}
				err := runProduct(d)
				test.fault(m)
				return err
			}, Options{Seed: 7})
			if len(got) != 1 {
				t.Fatalf("%d results, want 1", len(got))
			}
			r := got[0]
			var checks []Check
			for _, f := range r.Failures {
				checks = append(checks, f.Check)
			}
			if r.Status != Fail || !slices.Equal(checks, []Check{test.want}) {
				t.Errorf("got %s %v, want fail of %s only\n%s", r.Status, checks, test.want, r.Text())
			}
			if !strings.Contains(r.Text(), test.text) {
				t.Errorf("message %q does not say %q", r.Text(), test.text)
			}
			if want := "conform run -run '^" + r.Case + "$' -seed 7"; r.Replay != want {
				t.Errorf("replay %q, want %q", r.Replay, want)
			}
		})
	}
}

func TestMessageOfABound(t *testing.T) {
	k := only(product(), "positive")
	k.Sweep.Inputs[3].Fills = Fills{"x": Every(1), "w": Every(1)}
	r := results(t, k, func(d metalrun.Dispatch) error {
		err := runProduct(d)
		runnertest.Memory{Dispatch: d}.Set(argY, 3, 1+0x1p-22)
		runnertest.Memory{Dispatch: d}.Set(argY, 17, 1-0x1p-21)
		return err
	}, Options{})[0]
	const want = "y[2, 1] = 0.999999523, want 1: error 8 x bound\n" +
		"\t|got-want| = 4.77e-07, bound = 5.96e-08 = 6e-08 u|y|; 2 of 24 elements over, the first y[0, 3]"
	if r.Text() != want {
		t.Errorf("got\n%s\nwant\n%s", r.Text(), want)
	}
	if ulp := value(r, 0, metrics.Ulp); r.ErrorRatio != 8 || r.Worst.String() != "y[2, 1]" || ulp != 8 {
		t.Errorf("error ratio %g at %s, %g ulp, want 8 at y[2, 1], 8 ulp", r.ErrorRatio, r.Worst, ulp)
	}
}

// TestVerdicts covers the ways in which a case ends without a comparison.
func TestVerdicts(t *testing.T) {
	change := func(f func(*Kernel)) Kernel {
		k := only(product(), "normal")
		f(&k)
		return k
	}
	same := func(*Kernel) {}
	refusing := change(func(k *Kernel) { k.Sweep = Sweep{Refused: []Shape{{rows: 0, wide: 1}}} })
	fault := &metalrun.Fault{Position: metalrun.Position{File: "product.metal", Line: 3, Col: 4}, Kernel: "product",
		Message: "index out of range"}
	tests := []struct {
		name   string
		kernel Kernel
		texts  map[string]string
		run    func(metalrun.Dispatch) error
		want   Status
		text   string
	}{
		{"fault", change(same), nil, func(metalrun.Dispatch) error { return fault }, Fail,
			"product.metal:3:4: index out of range"},
		{"device error", change(same), nil, func(metalrun.Dispatch) error { return errors.New("device lost") }, Error,
			"device lost"},
		{"absent", change(same), map[string]string{"a.metal": "kernel other"}, runProduct, Skip, "absent"},
		{"refused file without the kernel", change(same),
			map[string]string{"a.metal": "kernel other", "b.metal": "nonsense"}, runProduct, Skip, "absent"},
		{"refused file", change(same), map[string]string{"a.metal": "\nnonsense product"}, runProduct, Skip,
			"a.metal does not compile: a.metal:2:1: unknown type name 'nonsense'"},
		{"absent, and a shape that the host refuses", refusing, map[string]string{"a.metal": "kernel other"},
			runProduct, Skip, "absent"},
		{"refused file, and a shape that the host refuses", refusing,
			map[string]string{"a.metal": "\nnonsense product"}, runProduct, Skip, "a.metal does not compile"},
		{"a shape that the host refuses", refusing, nil, runProduct, Pass, ""},
		{"two files", change(same), map[string]string{"a.metal": "kernel product", "b.metal": "kernel product"},
			runProduct, Error, "both a.metal and b.metal"},
		{"more arguments", change(func(k *Kernel) { k.Args = k.Args[:argParams] }), nil, runProduct, Fail,
			"[[buffer(6)]] is params, the specification has 6 arguments"},
		{"fewer arguments", change(func(k *Kernel) { k.Args = append(k.Args, Const("more", U32, Fixed(1))) }), nil,
			runProduct, Fail, "no argument at [[buffer(7)]], want more"},
		{"output that cannot be written", change(func(k *Kernel) { k.Args[argX].Role = RoleOut }), nil, runProduct,
			Fail, "want the output x"},
		{"shape that the host refuses", change(func(k *Kernel) { k.Sweep.Probes = []Shape{{rows: 0, wide: 1}} }), nil,
			runProduct, Error, "rows must be positive"},
		{"oracle that panics",
			change(func(k *Kernel) { k.Oracle = func(p *Problem) Answers { p.Values("z"); return nil } }), nil,
			runProduct, Error, `no floating-point input "z"`},
		{"scalar out of range", change(func(k *Kernel) { k.Args[argParams].Fields[0].Value = Number(1 << 40) }), nil,
			runProduct, Error, " is 1099511627776, which does not fit u32"},
		{"scalar that float64 has not", change(func(k *Kernel) {
			k.Args[argParams].Fields[0].Type, k.Args[argParams].Fields[0].Value = U64, Number(1<<60)
		}), nil, runProduct, Error, "two scalars of u32 in a struct, the low one first"},
		{"oracle without an answer", change(func(k *Kernel) { k.Oracle = func(*Problem) Answers { return nil } }), nil,
			runProduct, Error, "no answer for y"},
		{"oracle of another size", change(func(k *Kernel) {
			k.Oracle = func(*Problem) Answers { return Answers{"y": {Want: []float64{1}}} }
		}), nil, runProduct, Error, "1 elements for y, want 24"},
		{"bound that is NaN", change(func(k *Kernel) {
			k.Oracle = func(p *Problem) Answers {
				a := productOracle(p)
				a["y"].Budget[0].Error[3] = math.NaN()
				return a
			}
		}), nil, runProduct, Error, "bound of y[0, 3] is NaN"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := results(t, test.kernel, test.run, Options{Shaders: shadersOf(t, orProduct(test.texts))})[0]
			if r.Status != test.want || !strings.Contains(r.Text(), test.text) {
				t.Errorf("got %s: %s\nwant %s: ... %s", r.Status, r.Text(), test.want, test.text)
			}
		})
	}
}

func orProduct(texts map[string]string) map[string]string {
	if texts == nil {
		return map[string]string{"product.metal": "kernel product"}
	}
	return texts
}

func TestRefusedShapes(t *testing.T) {
	k := product()
	k.Sweep.Shapes = nil
	if r := results(t, k, runProduct, Options{})[0]; r.Status != Pass || r.Case != "product/rows=0/n=8/input=refused" {
		t.Errorf("%s: %s %s, want a pass", r.Case, r.Status, r.Text())
	}
	k.Check = nil
	if r := results(t, k, runProduct, Options{})[0]; r.Status != Fail || r.Failures[0].Check != CheckRefusal {
		t.Errorf("%s: %s, want a fail of %s", r.Case, r.Status, CheckRefusal)
	}
}

func TestOpenElements(t *testing.T) {
	k := only(product(), "normal")
	k.Oracle = func(p *Problem) Answers {
		a := productOracle(p)
		a["y"].Budget[0].Error[3] = math.Inf(1)
		a["y"].Want[4], a["y"].Budget[0].Error[4] = math.Inf(1), math.NaN()
		return a
	}
	run := func(open, loose float32) Result {
		return results(t, k, func(d metalrun.Dispatch) error {
			err := runProduct(d)
			runnertest.Memory{Dispatch: d}.Set(argY, 3, open)
			runnertest.Memory{Dispatch: d}.Set(argY, 4, loose)
			return err
		}, Options{})[0]
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, x := range [][2]float32{{nan, nan}, {1e30, inf}} {
		if r := run(x[0], x[1]); r.Status != Pass || r.Open != 1 {
			t.Errorf("%v: %s with %d open elements, want a pass with 1\n%s", x, r.Status, r.Open, r.Text())
		}
	}
	if r := run(0, 1); r.Status != Fail {
		t.Error("a number passes where NaN or Inf is due")
	}
}

// TestResultsAreInOrder runs cases whose ends come in another order than their
// starts, with any number of them at once.
func TestResultsAreInOrder(t *testing.T) {
	k := product()
	k.Sweep.Shapes = Cross(Shape{}, Vary(rows, 1, 2, 3, 4, 5, 6, 7, 8), Vary(wide, 1, 5))
	slow := func(d metalrun.Dispatch) error {
		time.Sleep(time.Duration(rand.IntN(2000)) * time.Microsecond)
		return runProduct(d)
	}
	var want []Result
	for i, parallel := range []int{1, 3, 16} {
		got := results(t, k, slow, Options{Parallel: parallel, Memory: 2000})
		if i == 0 {
			want = got
		}
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Result{}, "CostNS")); diff != "" {
			t.Errorf("%d at once (-one +many):\n%s", parallel, diff)
		}
	}
}

// TestSpread has the cases of pipelines, which come last, begin among the others, and none of them at the end.
func TestSpread(t *testing.T) {
	for _, n := range [][2]int{{0, 0}, {0, 3}, {5, 0}, {1, 7}, {1000, 90}, {90, 1000}} {
		cases := slices.Concat(make([]Case, n[0]), slices.Repeat([]Case{{Pipeline: &Pipeline{}}}, n[1]))
		order := spread(cases)
		last := slices.Max(append(order, 0))
		if sorted := slices.Sorted(slices.Values(order)); len(order) != n[0]+n[1] ||
			len(slices.Compact(sorted)) != len(order) || last >= max(1, len(cases)) {
			t.Errorf("%v: %v is no order of the cases", n, order)
		}
		for i, at := range order {
			if n[0] >= 10 && at >= n[0] && i >= len(order)-n[0]/11 {
				t.Errorf("%v: the case of a pipeline begins at place %d", n, i)
			}
		}
	}
}

func TestCancelledRun(t *testing.T) {
	k := product()
	k.Sweep.Shapes = Cross(Shape{wide: 4}, Vary(rows, 1, 2, 3, 4, 5, 6, 7, 8))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var runs atomic.Int32
	r := &runnertest.Runner{Kernels: runnertest.Functions{"product": func(d metalrun.Dispatch) error {
		if runs.Add(1) > 4 {
			<-ctx.Done()
		}
		return runProduct(d)
	}}}
	cases := Cases([]Family{{Kernels: []Kernel{k}}}, Quick)
	var got []string
	err := Run(ctx, r, Options{Shaders: shadersOf(t, nil), Parallel: 1}, cases, func(r Result) {
		got = append(got, r.Case)
		if len(got) == 3 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || len(got) < 3 || len(got) == len(cases) {
		t.Errorf("%d of %d results and %v, want a part and %v", len(got), len(cases), err, context.Canceled)
	}
	for i, name := range got {
		if name != cases[i].Name {
			t.Errorf("result %d is %s, want %s", i, name, cases[i].Name)
		}
	}
}

func TestFilesAreTranslatedOnce(t *testing.T) {
	k := product()
	k.Sweep.Shapes = Cross(Shape{wide: 4}, Vary(rows, 1, 2, 3, 4))
	r := &runnertest.Runner{Kernels: runnertest.Functions{"product": runProduct}}
	s := shadersOf(t, map[string]string{"a.metal": "kernel product", "b.metal": "kernel unused"})
	run := func() {
		t.Helper()
		if err := Run(context.Background(), r, Options{Shaders: s}, Cases([]Family{{Kernels: []Kernel{k}}}, Quick),
			func(Result) {}); err != nil {
			t.Fatal(err)
		}
	}
	run()
	run()
	if n := r.Compiled.Load(); n != 1 {
		t.Errorf("%d files translated by two runs, want 1", n)
	}
	s.Release()
	run()
	if n := r.Compiled.Load(); n != 2 {
		t.Errorf("%d files translated with a release between, want 2", n)
	}
}

// TestMemoryBudget runs more than fits at once and counts what is under way.
func TestMemoryBudget(t *testing.T) {
	b := newMemoryPool(100)
	if got := b.acquire(1000); got != 100 {
		t.Errorf("a case larger than the budget takes %d, want all 100", got)
	}
	taken := make(chan int64)
	go func() { taken <- b.acquire(60) }()
	select {
	case <-taken:
		t.Error("60 bytes were taken from a spent budget")
	case <-time.After(10 * time.Millisecond):
	}
	b.release(100)
	if got := <-taken; got != 60 {
		t.Errorf("got %d bytes, want 60", got)
	}
}

// TestLaunches has two launches share the rows of a matrix and hand on a
// buffer.
func TestLaunches(t *testing.T) {
	k := only(product(), "normal")
	k.Launches = func(s Shape) []Launch {
		half := s[wide]
		return []Launch{
			{Shape: Shape{rows: 1}, Windows: map[string]Range{"x": {0, half}, "y": {0, half}, "copy": {0, half}},
				Set: map[string]float64{"gain": 3}},
			{Shape: Shape{rows: s[rows] - 1},
				Windows: map[string]Range{"x": {half, 3 * half}, "y": {half, 3 * half}, "copy": {half, 3 * half}},
				Buffers: map[string]string{"w": "x"}},
		}
	}
	var seen []string
	r := results(t, k, func(d metalrun.Dispatch) error {
		m := runnertest.Memory{Dispatch: d}
		seen = append(seen, fmt.Sprintf("x %d, rows %d, gain %g, half %#x, n %d, grid %v of %v, w is x: %v",
			m.Count(argX), m.Bits(argParams, 0), m.F32(argParams, 2), m.Bits(argParams, 1), m.Bits(argN, 0),
			d.Threads, d.ThreadsPerThreadgroup, &d.Bindings[argW].Data[0] == &d.Bindings[argX].Data[0]))
		for i := range m.Count(argX) {
			m.Set(argY, i, 0)
			m.SetBits(argCopy, i, m.Bits(argX, i))
		}
		return nil
	}, Options{})[0]
	want := []string{
		"x 8, rows 1, gain 3, half 0x3800, n 8, grid {8 1 1} of {32 1 1}, w is x: false",
		"x 16, rows 2, gain 1, half 0x3800, n 8, grid {8 2 1} of {32 1 1}, w is x: true",
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("launches (-want +got):\n%s", diff)
	}
	if r.NS != 2000 {
		t.Errorf("%d ns, want the sum of two launches", r.NS)
	}
	k.Launches = func(Shape) []Launch { return []Launch{{Windows: map[string]Range{"x": {0, 25}}}} }
	if r := results(t, k, runProduct, Options{})[0]; r.Status != Error ||
		!strings.Contains(r.Text(), "window 0:25 of x, which has 24") {
		t.Errorf("a window past the end: %s %s", r.Status, r.Text())
	}
}

func TestResultIsOneJSONLine(t *testing.T) {
	for _, r := range results(t, only(product(), "normal"), func(d metalrun.Dispatch) error {
		err := runProduct(d)
		runnertest.Memory{Dispatch: d}.Set(argY, 0, float32(math.Inf(1)))
		runnertest.Memory{Dispatch: d}.Set(argHits, 0, 100)
		return err
	}, Options{Seed: 1 << 63}) {
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back map[string]any
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		for _, key := range []string{"case", "kernel", "family", "backend", "status", "error_ratio", "ns", "seed",
			"failures", "replay"} {
			if _, ok := back[key]; !ok {
				t.Errorf("%s has no %q", text, key)
			}
		}
		if strings.Contains(string(text), "\n") {
			t.Errorf("%q is more than a line", text)
		}
		if back["error_ratio"] != math.MaxFloat64 {
			t.Errorf("error_ratio = %v, want the largest float64 for infinity", back["error_ratio"])
		}
	}
}

func TestIntegerOutputs(t *testing.T) {
	k := Kernel{
		Name: "product", Axes: []Axis{wide},
		Args:   Args{In("a", U32, wide), Out("b", I32, wide), Out("c", U8, wide)},
		Grid:   Flat(wide, 32),
		Sweep:  Sweep{Shapes: []Shape{{wide: 5}}},
		Oracle: func(p *Problem) Answers { return integerAnswers(p.Words("a")) },
	}
	s, err :=
		OpenShaders(files(map[string]string{"a.metal": "kernel void product(device const uint* a, device int* b, " +
			"device uchar* c) {}"}), metalrun.Analyse)
	if err != nil {
		t.Fatal(err)
	}
	run := func(skip int) Result {
		return results(t, k, func(d metalrun.Dispatch) error {
			m := runnertest.Memory{Dispatch: d}
			for i := range 5 {
				if i != skip {
					m.SetBits(1, i, m.Bits(0, i))
					d.Bindings[2].Data[d.Bindings[2].Offset+i] = byte(m.Bits(0, i))
				}
			}
			return nil
		}, Options{Shaders: s})[0]
	}
	if r := run(-1); r.Status != Pass || r.Elements != 10 {
		t.Errorf("%s of %d elements: %s", r.Status, r.Elements, r.Text())
	}
	if r := run(2); r.Status != Fail || r.Failures[0].Check != CheckUnwritten || len(r.Failures) != 2 {
		t.Errorf("a skipped element: %s %s", r.Status, r.Text())
	}
}

func integerAnswers(a []uint32) Answers {
	var b, c []float64
	for _, w := range a {
		b, c = append(b, float64(int32(w))), append(c, float64(w&0xff))
	}
	return Answers{"b": {Want: b, Exact: true}, "c": {Want: c, Exact: true}}
}

func BenchmarkRun(b *testing.B) {
	k := product()
	k.Sweep.Shapes = []Shape{{rows: 256, wide: 1024}}
	k.Sweep.Refused = nil
	shaders := shadersOf(b, nil)
	b.SetBytes(256 * 1024 * 4)
	for b.Loop() {
		if r := results(b, k, runProduct, Options{Shaders: shaders})[0]; r.Status != Pass {
			b.Fatal(r.Text())
		}
	}
}

// TestClock has a device that leaves it to the host to take times.
func TestClock(t *testing.T) {
	runner := &runnertest.Runner{Kernels: runnertest.Functions{"product": runProduct},
		Clock: metalrun.HostClock}
	cases := Cases([]Family{{Name: "a", Kernels: []Kernel{only(product(), "normal")}}}, Quick)
	err := Run(t.Context(), runner, Options{Shaders: shadersOf(t, nil)}, cases, func(r Result) {
		if !slices.Equal(r.Notes, []string{"timed by the host's clock: the device did not say how long it took"}) {
			t.Errorf("%s: %s, notes %q", r.Case, r.Status, r.Notes)
		}
	})
	if err != nil || len(cases) == 0 {
		t.Error(len(cases), err)
	}
}

// TestUnusable ends a run where the device does: what it cannot judge is no verdict, and
// a kernel that it has no means for is skipped.
func TestUnusable(t *testing.T) {
	for _, test := range []struct {
		err    error
		status Status // of the first case; "" if the run ends there
	}{
		{fmt.Errorf("%w: no simd_sum", metalrun.ErrUnsupported), Skip},
		{fmt.Errorf("%w: wedged", metalrun.ErrLost), Error},
		{fmt.Errorf("%w: wedged", metalrun.ErrUnusable), ""},
	} {
		runner :=
			&runnertest.Runner{Kernels: runnertest.Functions{"product": func(metalrun.Dispatch) error {
				return test.err
			}}}
		cases := Cases([]Family{{Name: "a", Kernels: []Kernel{product()}}}, Quick)
		var got []Status
		opts := Options{Shaders: shadersOf(t, map[string]string{"product.metal": "kernel product"}), Parallel: 1}
		err := Run(t.Context(), runner, opts, cases, func(r Result) { got = append(got, r.Status) })
		switch {
		case test.status == "" && (!errors.Is(err, metalrun.ErrUnusable) || len(got) != 0):
			t.Errorf("%v: the run ends with %v after %v", test.err, err, got)
		case test.status != "" && (err != nil || len(got) != len(cases) || got[0] != test.status):
			t.Errorf("%v: %v, %v", test.err, err, got)
		}
	}
}
