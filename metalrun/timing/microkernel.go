package timing

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"metalconform/metalrun"

	"github.com/x448/float16"
)

//go:embed microkernel.metal
var microkernelSource string

// Microkernel is a kernel of ours that repeats one thing in a loop. The time of an iteration is the difference between
// two launches, in which what a launch costs cancels.
type Microkernel struct {
	Name    string // of what is repeated
	kernel  string
	element element // of what it writes, and of its operands
	exact   bool    // every device computes the same
	latency bool    // one threadgroup, whose instructions wait for each other; otherwise as many as fill a GPU
	ring    int     // places that loads go through, each of which says where the next one is; 0 if it has operands
	width   int     // threads of a threadgroup
	written int     // elements of a threadgroup; -1: one in all

	constants [2]float64 // of sums, and of products; those of floats keep values as they are, nearly
}

// element is a type that microkernels compute with: its bytes, and how a number becomes these.
type element struct {
	size int
	put  func([]byte, float64) []byte
	get  func([]byte) float64
}

var (
	little = binary.LittleEndian
	f32    = element{4,
		func(b []byte, v float64) []byte { return little.AppendUint32(b, math.Float32bits(float32(v))) },
		func(b []byte) float64 { return float64(math.Float32frombits(little.Uint32(b))) }}
	f16 = element{2, func(b []byte, v float64) []byte {
		return little.AppendUint16(b, float16.Fromfloat32(float32(v)).Bits())
	},
		func(b []byte) float64 { return float64(float16.Frombits(little.Uint16(b)).Float32()) }}
	u32 = element{4, func(b []byte, v float64) []byte { return little.AppendUint32(b, uint32(v)) },
		func(b []byte) float64 { return float64(little.Uint32(b)) }}
	u64 = element{8, func(b []byte, v float64) []byte { return little.AppendUint64(b, uint64(v)) },
		func(b []byte) float64 { return float64(little.Uint64(b)) }}
)

// Microkernels are all of them: those of classes of instructions, in the order of [metalrun.Class] as far as there is
// one of a class, then those of memory and barriers.
func Microkernels() []Microkernel {
	return []Microkernel{
		filling("multiply-adds", "fused", f32, true, 1, 1./32), filling("sums", "add", f32, true, 3, 5),
		filling("products", "multiply", f32, true, 3, 1+1./(1<<20)),
		filling("minima and maxima", "other", f32, true, 3, 100), filling("sums of half", "half", f16, true, 1./64, 5),
		filling("integers", "integer", u32, true, 3, 5),
		filling("conversions", "conversion", f32, true, 3, 5), filling("products of integers", "product", u32, true, 3,
			5), filling("integers of 64 bits", "integer64", u64, true, 3, 5),
		filling("quotients of integers", "quotient", u32, true, 3, 1<<31),
		filling("quotients", "division", f32, false, 3, 5), filling("roots", "root", f32, false, 3, 5),
		filling("exponentials", "exponential", f32, false, 3, -1), filling("cosines", "circular", f32, false, 3, 5),
		filling("arctangents", "function", f32, false, 3, 5),
		filling("shuffles", "shuffle", f32, true, 3, 5), filling("permutations", "permutation", f32, true, 3, 5),
		filling("reductions", "reduction", f32, false, 1, 1./32),
		{Name: "products of matrices", kernel: "rate_matrix", element: f32, width: groupWidth, written: 64,
			constants: [2]float64{1. / 8, 1. / 8}},
		{Name: "atomics at one place", kernel: "rate_atomic", element: u32, exact: true, width: groupWidth,
			written: -1},
		{Name: "atomics of threadgroup memory", kernel: "rate_local", element: u32, exact: true, width: groupWidth,
			written: groupWidth},
		{Name: "multiply-adds that wait", kernel: "wait_arithmetic", element: f32, exact: true, latency: true,
			width: 32, written: 32, constants: [2]float64{1, 1. / 32}},
		{Name: "loads that wait", kernel: "wait_device", element: u32, exact: true, latency: true, ring: 1 << 10,
			width: 32, written: 32},
		{Name: "loads that miss and wait", kernel: "wait_device", element: u32, exact: true, latency: true,
			ring: 1 << 20, width: 32, written: 32},
		{Name: "threadgroup memory that waits", kernel: "wait_shared", element: u32, exact: true, latency: true,
			ring: 1 << 10, width: 32, written: 32},
		{Name: "barriers", kernel: "wait_barrier", element: u32, exact: true, latency: true, width: groupWidth,
			written: groupWidth},
	}
}

// filling is a microkernel of instructions of one class, on all of a GPU.
func filling(name, kernel string, e element, exact bool, sum, product float64) Microkernel {
	return Microkernel{Name: name, kernel: "rate_" + kernel, element: e, exact: exact, width: groupWidth,
		written: groupWidth, constants: [2]float64{sum, product}}
}

// Iteration is the time and the costs of one iteration of the loop of a microkernel.
type Iteration struct {
	Microkernel
	Threadgroups int
	Seconds      float64          // of all threadgroups together, the median
	Profile      metalrun.Profile // what the launch of a single threadgroup asks
	Costs        metalrun.Costs   // what an iteration adds to it
}

// counted is the number of iterations whose costs are counted and checked.
const counted = 4

// MeasureIterations times microkernels, and counts the costs of an iteration on a runner that profiles. Both have to
// compute the same.
func MeasureIterations(r, profiler metalrun.Runner, e Effort, list []Microkernel) ([]Iteration, error) {
	return measureIterations(r, profiler, e, list, sizes{threads: 1 << 15, iterations: 1})
}

func measureIterations(r, profiler metalrun.Runner, e Effort, list []Microkernel, s sizes) ([]Iteration, error) {
	p, err := metalrun.Analyse(metalrun.SourceText("microkernel.metal", microkernelSource), metalrun.CompileOptions{})
	if err != nil {
		return nil, err
	}
	timed, err := r.Compile(p)
	if err != nil {
		return nil, err
	}
	defer timed.Release()
	counting, err := profiler.Compile(p)
	if err != nil {
		return nil, err
	}
	defer counting.Release()
	var iterations []Iteration
	for _, m := range list {
		t := Iteration{Microkernel: m, Threadgroups: 1}
		if !m.latency {
			t.Threadgroups = s.threads / m.width
		}
		if err := t.count(timed, counting); err != nil {
			return nil, err
		}
		if err := t.time(timed, e, s.iterations); err != nil {
			return nil, err
		}
		iterations = append(iterations, t)
	}
	return iterations, nil
}

// count finds the costs of an iteration, and whether the device computes what the profiler does.
func (t *Iteration) count(timed, counting metalrun.Library) error {
	var before *metalrun.Profile
	for _, n := range []int{counted, 2 * counted} {
		want, o, err := t.run(counting, t.dispatch(1, n))
		if err != nil {
			return err
		}
		got, _, err := t.run(timed, t.dispatch(1, n))
		if err != nil {
			return err
		}
		if at := t.differs(got, want); at >= 0 {
			return fmt.Errorf("%w: %s writes %v at %d, want %v", metalrun.ErrUnusable, t.kernel, t.value(got, at), at,
				t.value(want, at))
		}
		if n > counted {
			t.Profile = *o.Profile
			t.Costs.AddTimes(o.Profile.Total(), 1./counted)
			t.Costs.AddTimes(before.Total(), -1./counted)
		}
		before = o.Profile
	}
	return nil
}

// run runs a microkernel once and returns what it has written.
func (t *Iteration) run(l metalrun.Library, d metalrun.Dispatch) ([]byte, metalrun.Outcome, error) {
	k, err := l.Kernel(t.kernel)
	if err != nil {
		return nil, metalrun.Outcome{}, err
	}
	o, err := k.Run(d)
	return d.Bindings[0].Data, o, err
}

// differs is the first element that is not what it should be, and -1 if there is none. Functions are at least this
// good.
func (t *Iteration) differs(got, want []byte) int {
	const function = 1e-2
	for i := range len(want) / t.element.size {
		g, w := t.value(got, i), t.value(want, i)
		if t.exact && g != w || !(math.Abs(g-w) <= function*math.Abs(w)) {
			return i
		}
	}
	return -1
}

func (t *Iteration) value(b []byte, i int) float64 { return t.element.get(b[t.element.size*i:]) }

// time finds a number of iterations that takes long enough, and how much longer twice as many take.
func (t *Iteration) time(l metalrun.Library, e Effort, iterations int) error {
	k, err := l.Kernel(t.kernel)
	if err != nil {
		return err
	}
	for {
		o, err := k.Run(t.dispatch(t.Threadgroups, iterations))
		if err != nil {
			return err
		}
		if o.Duration >= longEnough || iterations >= maxIterations {
			break
		}
		iterations *= 2
	}
	var once, twice Rate
	a, releaseA, failedA := once.sampler(k, t.dispatch(t.Threadgroups, iterations))
	defer releaseA()
	b, releaseB, failedB := twice.sampler(k, t.dispatch(t.Threadgroups, 2*iterations))
	defer releaseB()
	times := Take(e, a, b)
	for _, failed := range []error{*failedA, *failedB} {
		if failed != nil {
			return failed
		}
	}
	t.Seconds = (times[1][0].Median - times[0][0].Median) / float64(iterations) / float64(time.Second)
	return nil
}

// dispatch launches so many threadgroups for so many iterations.
func (t *Iteration) dispatch(threadgroups, iterations int) metalrun.Dispatch {
	elements := t.written * threadgroups
	if t.written < 0 {
		elements = 1
	}
	out := make([]byte, t.element.size*elements)
	n := metalrun.Binding{Index: 2, Data: little.AppendUint32(nil, uint32(iterations)), Length: 4, Inline: true}
	return metalrun.Dispatch{
		Bindings:              []metalrun.Binding{{Index: 0, Data: out, Length: len(out)}, t.operands(), n},
		Threadgroups:          metalrun.Size{X: threadgroups, Y: 1, Z: 1},
		ThreadsPerThreadgroup: metalrun.Size{X: t.width, Y: 1, Z: 1},
	}
}

// operands are a sum's and a product's, and where chains begin; or the ring of loads.
func (t *Iteration) operands() metalrun.Binding {
	if t.ring > 0 {
		b := t.path()
		return metalrun.Binding{Index: 1, Data: b, Length: len(b)}
	}
	var b []byte
	for _, v := range append(t.constants[:], 1, 2, 3, 4, 5, 6, 7, 8) {
		b = t.element.put(b, v)
	}
	return metalrun.Binding{Index: 1, Data: b, Length: len(b), Inline: true}
}

// path is the ring: lines of 32 places in an order in which none is near the one before. A step of all lines by an odd
// number of them comes to each.
func (t *Iteration) path() []byte {
	const line = metalrun.CacheLine / 4
	lines := t.ring / line
	step := lines*5/8 | 1
	b := make([]byte, 0, 4*t.ring)
	for i := range t.ring {
		b = little.AppendUint32(b, uint32((i/line+step)%lines*line+i%line))
	}
	return b
}
