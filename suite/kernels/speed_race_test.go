package kernels

import (
	"io/fs"
	"math"
	"runtime"
	"testing"
	"time"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/shaders"
)

// contestant is one way to run a kernel.
type contestant int

const (
	cLane        contestant = iota // in C, lane by lane: vector instructions
	cScalar                        // in C, thread by thread
	simulator                      // from source, on one thread of the processor
	simulatorTwo                   // on two
	portable                       // on one, without the processor's vector instructions
	pocl                           // in OpenCL, on one
	contestants  int        = iota
)

func (c contestant) String() string {
	return [...]string{"C lane", "C scalar", "simulator", "two threads", "portable", "OpenCL"}[c]
}

// race is a kernel and its baseline, ready to run in turns.
type race struct {
	runs [contestants]func() (ns float64, hash uint64, err error) // nil for what this machine lacks
	best [contestants]float64                                     // in nanoseconds; NaN before the first round
}

func newRace(tb testing.TB, c speedCase) *race {
	tb.Helper()
	l := recordLaunch(tb, c)
	r := &race{}
	for i := range r.best {
		r.best[i] = math.NaN()
	}
	if y := startBaseline(tb, c, l.inputs()); y != nil {
		r.runs[cLane] = func() (float64, uint64, error) { return y.run("lane") }
		r.runs[cScalar] = func() (float64, uint64, error) { return y.run("scalar") }
	}
	if _, benchmark := tb.(*testing.B); benchmark { // it takes seconds to compile
		if y := startOpenCL(tb, c, l.inputs()); y != nil {
			r.runs[pocl] = func() (float64, uint64, error) { return y.run("any") }
		}
	}
	vector := speedKernel(tb, c, sim.Semantics{})
	r.runs[simulator] = l.timed(vector, 1)
	if runtime.NumCPU() > 1 {
		r.runs[simulatorTwo] = l.timed(vector, 2)
	}
	r.runs[portable] = l.timed(speedKernel(tb, c, sim.Semantics{Portable: true}), 1)
	return r
}

// round runs every contestant, each of which launches twice in a row: by the second time, which counts, caches and
// processors are its own. All have to compute the same bits.
func (r *race) round(tb testing.TB) {
	tb.Helper()
	var want uint64
	first := contestant(-1)
	for i, run := range r.runs {
		if run == nil {
			continue
		}
		ns, hash, err := run()
		if err != nil {
			tb.Fatalf("%v: %v", contestant(i), err)
		}
		if first < 0 {
			want, first = hash, contestant(i)
		}
		if hash != want {
			tb.Fatalf("%v computes other bits than %v: hash %016x, want %016x", contestant(i), first, hash, want)
		}
		if !(r.best[i] <= ns) {
			r.best[i] = ns
		}
	}
}

// timed runs a kernel on so many threads of the processor, twice, and gives the time of the second launch.
func (l launch) timed(k metalrun.Kernel, threads int) func() (float64, uint64, error) {
	return func() (float64, uint64, error) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(threads))
		var ns float64
		for range 2 {
			begin := time.Now()
			if _, err := k.Run(l.dispatch); err != nil {
				return 0, 0, err
			}
			ns = float64(time.Since(begin).Nanoseconds())
		}
		return ns, l.hash(), nil
	}
}

// speedKernel compiles the case's kernel for the simulator.
func speedKernel(tb testing.TB, c speedCase, s sim.Semantics) metalrun.Kernel {
	tb.Helper()
	file, _, err := ours(tb).Find(c.kernel)
	if err != nil {
		tb.Fatal(err)
	}
	text, err := fs.ReadFile(shaders.FS, file)
	if err != nil {
		tb.Fatal(err)
	}
	p, err := metalrun.Analyse(metalrun.SourceText(file, string(text)), metalrun.CompileOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	library, err := sim.New(s).Compile(p)
	if err != nil {
		tb.Fatal(err)
	}
	k, err := library.Kernel(c.kernel)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}
