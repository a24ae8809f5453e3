package suite

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"metalconform/metalrun"
	"metalconform/metalrun/runnertest"
	"metalconform/oracles"
)

// twins is a pipeline of the product and a second kernel of the same
// specification.
func twins(run func(*PipelineRun)) Pipeline {
	args := product().Args
	return Pipeline{
		Name:    "twins",
		Doc:     "Two kernels of one mathematics.",
		Axes:    []Axis{rows, wide},
		Kernels: []string{"product", "twin"},
		Buffers: Args{args[argX], args[argW], InOut("hits", F32, wide), Out("half", F32, rows, wide)},
		Check:   positive,
		Sweep: Sweep{
			Shapes:  []Shape{{rows: 3, wide: 8}},
			Refused: []Shape{{rows: 0, wide: 8}},
			Inputs:  []Input{{Name: "normal", Fills: Fills{"hits": Integers}}},
		},
		Run: run,
	}
}

// pair launches both on the same inputs.
func pair(c *PipelineRun) {
	c.Launch(Step{Kernel: "product", Buffers: map[string]string{"y": "one"}})
	c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"y": "two", "copy": "copy_two"}})
}

// runOne judges the cases of a pipeline with twin in the place of its second
// kernel.
func runOne(t *testing.T, ch Pipeline, twin func(metalrun.Dispatch) error, texts map[string]string) []Result {
	t.Helper()
	if texts == nil {
		texts = map[string]string{"product.metal": "kernel product\nkernel twin"}
	}
	var got []Result
	opts := Options{Shaders: shadersOf(t, texts)}
	if err := Run(context.Background(), twinRunner(twin), opts, pipelineCases(ch),
		func(r Result) { got = append(got, r) }); err != nil {
		t.Fatal(err)
	}
	return got
}

// twinRunner runs the product, and twin in the place of its twin.
func twinRunner(twin func(metalrun.Dispatch) error) *runnertest.Runner {
	return &runnertest.Runner{Kernels: runnertest.Functions{"product": runProduct, "twin": twin}}
}

// pipelineCases are the cases of a pipeline of the product and its twin.
func pipelineCases(ch Pipeline) []Case {
	second := product()
	second.Name = "twin"
	second.Args = slices.Clone(second.Args)
	second.Args[argHits].Unread = second.Args[argHits].Untouched
	second.Oracle = func(p *Problem) Answers { // twice the bound: another last bit is within it
		answers := productOracle(p)
		y := answers["y"]
		y.Budget = append(y.Budget, y.Budget...)
		answers["y"] = y
		return answers
	}
	families := []Family{{Name: "test", Kernels: []Kernel{product(), second}},
		{Name: "pipelines", Pipelines: []Pipeline{ch}}}
	return slices.DeleteFunc(Cases(families, Quick), func(c Case) bool { return c.Pipeline == nil })
}

func TestPipelineCases(t *testing.T) {
	var names, kernels []string
	ch := twins(pair)
	for _, c := range Cases([]Family{{Name: "pipelines", Pipelines: []Pipeline{ch}}}, Quick) {
		names = append(names, c.Name)
		kernels = append(kernels, c.Kernels()...)
	}
	if diff := cmp.Diff([]string{"twins/rows=3/n=8/input=normal", "twins/rows=0/n=8/input=refused"}, names); diff !=
		"" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"product", "twin", "product", "twin"}, kernels); diff != "" {
		t.Error(diff)
	}
}

func TestPipelinePasses(t *testing.T) {
	launched := 0
	run := func(c *PipelineRun) {
		pair(c)
		c.Equal("one", "two")
		c.Close("one", "two")
		c.Notef("all of it")
	}
	for _, r := range runOne(t, twins(run), func(d metalrun.Dispatch) error { launched++; return runProduct(d) }, nil) {
		if r.Status != Pass || r.Family != "pipelines" || r.Kernel != "twins" {
			t.Errorf("%s: %s of %s: %s\n%s", r.Case, r.Kernel, r.Family, r.Status, r.Text())
		}
		if strings.HasSuffix(r.Case, "refused") {
			continue
		}
		// y, copy and half of hits of both stages, and y in both invariants.
		if want := 2*(24+24+4) + 2*24; r.Elements != want || r.Open != 0 {
			t.Errorf("%d elements are judged, want %d, and %d open", r.Elements, want, r.Open)
		}
		if r.ErrorRatio <= 0 || r.ErrorRatio > 1 || !strings.HasPrefix(r.Worst.Stage, "stage ") || r.NS != 2000 {
			t.Errorf("error ratio %g at %s in %d ns", r.ErrorRatio, r.Worst, r.NS)
		}
		if diff := cmp.Diff([]string{"all of it"}, r.Notes); diff != "" {
			t.Error(diff)
		}
	}
	if launched != 1 {
		t.Errorf("the second kernel was launched %d times, want once", launched)
	}
}

// TestPipelineChecks has for each check of a pipeline a fault that no stage shows, or
// that shows in one stage and must be told as that one's.
func TestPipelineChecks(t *testing.T) {
	conforming := func(runnertest.Memory) {}
	tests := []struct {
		name  string
		fault func(runnertest.Memory) // of the second kernel
		run   func(*PipelineRun)
		check Check
		text  string // what the message has to begin with, after the case's name
		tail  string // and what it has to contain
	}{
		{"one bit of a pair", func(m runnertest.Memory) { m.SetBits(argY, 17, m.Bits(argY, 17)^1) },
			func(c *PipelineRun) {
				pair(c)
				c.Equal("one", "two")
			}, CheckEqual, "one = two: two[2, 1] = ", "must have the same bits; 1 of 24 elements differs"},
		{"wrong input of a stage", conforming, func(c *PipelineRun) {
			c.Launch(Step{Kernel: "product"})
			c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"x": "y", "y": "squared", "copy": "again"}})
			c.Close("y", "squared")
		}, CheckBound, "y ~ squared: squared[", "bound of y"},
		{"wrong pipeline", conforming, func(c *PipelineRun) {
			c.Launch(Step{Kernel: "product"})
			c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"x": "y", "y": "out", "copy": "again"}})
			c.Bounded("end to end", "out",
				oracles.Answer{Want: c.Values("y"), Budget: []oracles.Term{{Label: "all", Error: c.Bounds("y")}}})
		}, CheckBound, "end to end: out[", "all; "},
		{"first stage that goes wrong", func(m runnertest.Memory) { m.Set(argY, 3, m.F32(argY, 3)*1.5) },
			func(c *PipelineRun) {
				pair(c)
				c.Launch(Step{Name: "third", Kernel: "twin",
					Buffers: map[string]string{"y": "three", "copy": "copy_three"}})
			}, CheckBound, "stage 2, twin: y[0, 3] = ", "1 of 24 elements over"},
		{"named stage", func(m runnertest.Memory) { m.SetBits(argY, 24, 0) }, func(c *PipelineRun) {
			c.Launch(Step{Name: "the second half", Kernel: "twin"})
		}, CheckGuard, "stage 1, the second half: y was written 0 bytes past its end", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := runOne(t, twins(test.run), func(d metalrun.Dispatch) error {
				err := runProduct(d)
				test.fault(runnertest.Memory{Dispatch: d})
				return err
			}, nil)[0]
			if r.Status != Fail || len(r.Failures) == 0 || r.Failures[0].Check != test.check {
				t.Fatalf("%s: %s %+v", r.Status, r.Text(), r.Failures)
			}
			text := r.Text()
			if !strings.HasPrefix(text, test.text) || !strings.Contains(text, test.tail) {
				t.Errorf("got the message %q, want %q … %q", text, test.text, test.tail)
			}
			if f := r.Failures[0]; !strings.HasPrefix(test.text, f.Stage+": ") {
				t.Errorf("the failure is of %q", f.Stage)
			}
		})
	}
}

// TestPipelineErrors has what a pipeline cannot be judged for: mistakes in it, and
// kernels that the shaders lack.
func TestPipelineErrors(t *testing.T) {
	tests := []struct {
		name   string
		run    func(*PipelineRun)
		status Status
		want   string
	}{
		{"buffer that no stage made", func(c *PipelineRun) {
			c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"x": "z"}})
		}, Error, `no stage has written a buffer "z"`},
		{"buffer that no stage wrote", func(c *PipelineRun) {
			c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"x": "half"}})
		}, Error, "stage 1, twin: it reads half[0, 0] as x[0, 0], which no stage has written"},
		{"part that no stage wrote", func(c *PipelineRun) {
			c.Launch(Step{Kernel: "twin", Shape: Shape{rows: 1}, Buffers: map[string]string{"y": "half"},
				Windows: map[string]Range{"x": {0, 8}, "y": {8, 16}}})
			c.Values("half")
		}, Error, "no stage has written half[0, 0]"},
		{"window outside", func(c *PipelineRun) {
			c.Launch(Step{Kernel: "twin", Windows: map[string]Range{"x": {8, 32}}})
		}, Error, "stage 1, twin: x: window 8:32 of x, which has 24 elements"},
		{"window of another size", func(c *PipelineRun) {
			c.Launch(Step{Kernel: "twin", Windows: map[string]Range{"x": {8, 24}}})
		}, Error, "x: has 24 elements, and 8:24 of x has 16"},
		{"other type", func(c *PipelineRun) {
			c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"x": "w"}})
		}, Error, "x: is f32, and the buffer w is bf16"},
		{"write to an input", func(c *PipelineRun) {
			c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"y": "x"}})
		}, Error, "y: is written, and the pipeline only reads x"},
		{"refused shape", func(c *PipelineRun) { c.Launch(Step{Kernel: "twin", Shape: Shape{rows: 0}}) }, Error,
			"the host refuses its shape: rows must be positive"},
		{"other kernel", func(c *PipelineRun) { c.Launch(Step{Kernel: "triplet"}) }, Error,
			"launches triplet, which is no kernel of its list"},
		{"sizes that differ", func(c *PipelineRun) { pair(c); c.Equal("one", "w") }, Error,
			"one = w: 24 f32 and 8 bf16"},
		{"answer of another size", func(c *PipelineRun) { pair(c); c.Bounded("invariant", "one", oracles.Answer{}) },
			Error, "invariant: 0 elements are wanted of one, which has 24"},
		{"panic", func(*PipelineRun) { panic("of a host") }, Error, "panic: of a host"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := runOne(t, twins(test.run), runProduct, nil)[0]
			if r.Status != test.status || !strings.Contains(r.Text(), test.want) {
				t.Errorf("got %s: %s, want %s: %s", r.Status, r.Text(), test.status, test.want)
			}
		})
	}
	t.Run("absent kernel", func(t *testing.T) {
		r := runOne(t, twins(pair), runProduct, map[string]string{"product.metal": "kernel product"})[0]
		if r.Status != Skip {
			t.Errorf("got %s: %s, want %s", r.Status, r.Text(), Skip)
		}
	})
}

// TestPipelineUnread has a stage see other values than the stages before it left where
// its kernel may read nothing, and those after it see them again.
func TestPipelineUnread(t *testing.T) {
	var before, seen, after []float64
	run := func(c *PipelineRun) {
		before = c.Values("hits")
		pair(c)
		after = c.Values("hits")
	}
	r := runOne(t, twins(run), func(d metalrun.Dispatch) error {
		for i := range 8 {
			seen = append(seen, float64(runnertest.Memory{Dispatch: d}.F32(argHits, i)))
		}
		return runProduct(d)
	}, nil)[0]
	if r.Status != Pass {
		t.Fatal(r.Text())
	}
	for i := range 8 {
		passes := i < 4 // of two stages that each count
		if (seen[i] == before[i]+1) != passes || !passes && (seen[i] == before[i] || after[i] != before[i]) {
			t.Errorf("hits[%d] is %g, the second stage sees %g, and then it is %g", i, before[i], seen[i], after[i])
		}
	}
}

// TestPipelineCarries checks what passes from stage to stage: windows of one
// buffer, the state that a stage changed, and what a host stored between.
func TestPipelineCarries(t *testing.T) {
	var halves, whole, hits, before, doubled, bounds []float64
	run := func(c *PipelineRun) {
		before = c.Values("hits")
		for at := range 3 {
			w := Range{8 * at, 8 * (at + 1)}
			c.Launch(Step{Kernel: "product", Shape: Shape{rows: 1}, Windows: map[string]Range{"x": w, "y": w},
				Buffers: map[string]string{"y": "half", "copy": "row"}})
		}
		c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"hits": "hits"}})
		c.Equal("half", "y")
		halves, whole, hits, bounds = c.Values("half"), c.Values("y"), c.Values("hits"), c.Bounds("half")
		x := c.Values("x")
		for i := range x {
			x[i] *= 2
		}
		c.Store("twice", F32, x)
		c.Launch(Step{Kernel: "twin", Buffers: map[string]string{"x": "twice", "y": "doubled", "copy": "row_twice"}})
		doubled = c.Values("doubled")
	}
	if r := runOne(t, twins(run), runProduct, nil)[0]; r.Status != Pass {
		t.Fatal(r.Text())
	}
	if diff := cmp.Diff(whole, halves); diff != "" {
		t.Error(diff)
	}
	for i := range doubled {
		if doubled[i] != 2*whole[i] {
			t.Errorf("doubled[%d] = %g, want %g", i, doubled[i], 2*whole[i])
		}
		if want := 0x1p-24 * math.Abs(whole[i]); math.Abs(bounds[i]/want-1) > 1e-6 {
			t.Errorf("half[%d] has the bound %g, want %g", i, bounds[i], want)
		}
	}
	for i := range hits {
		want := before[i]
		if i < 4 {
			want += 4 // launches
		}
		if hits[i] != want {
			t.Errorf("hits[%d] = %g, want %g", i, hits[i], want)
		}
	}
}

// TestPipelineScalars checks that a step's scalars reach the kernel.
func TestPipelineScalars(t *testing.T) {
	var gain []float32
	run := func(c *PipelineRun) {
		c.Launch(Step{Kernel: "twin"})
		c.Launch(Step{Kernel: "twin", Set: map[string]float64{"gain": 3}})
	}
	r := runOne(t, twins(run), func(d metalrun.Dispatch) error {
		gain = append(gain, runnertest.Memory{Dispatch: d}.F32(argParams, 2))
		return runProduct(d)
	}, nil)[0]
	if r.Status != Pass {
		t.Fatal(r.Text())
	}
	if diff := cmp.Diff([]float32{1, 3}, gain); diff != "" {
		t.Error(diff)
	}
}
