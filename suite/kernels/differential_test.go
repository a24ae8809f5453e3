package kernels

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"sync"
	"testing"

	"metalconform/metalrun"
	clang "metalconform/metalrun/differential"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// question is a kernel with everything that its results depend on.
type question [sha256.Size]byte

func questionOf(kernel string, d metalrun.Dispatch) question {
	h := sha256.New()
	fmt.Fprintln(h, kernel, d.Threadgroups, d.Threads, d.ThreadsPerThreadgroup, d.ThreadgroupMemory)
	for _, b := range d.Bindings {
		fmt.Fprintln(h, b.Index, b.Length)
		h.Write(b.Data[b.Offset : b.Offset+b.Length])
	}
	return question(h.Sum(nil))
}

// listener is a device that runs launches on the simulator and keeps what was asked;
// once there are answers, it gives these instead.
type listener struct {
	metalrun.Runner
	mu       sync.Mutex
	launches []clang.Launch
	of       map[question]int
	answers  []clang.Answer
}

func (l *listener) Compile(p *metalrun.Program) (metalrun.Library, error) {
	lib, err := l.Runner.Compile(p)
	return listenedLibrary{lib, l, p}, err
}

type listenedLibrary struct {
	metalrun.Library
	l *listener
	p *metalrun.Program
}

func (b listenedLibrary) Kernel(name string) (metalrun.Kernel, error) {
	k, err := b.Library.Kernel(name)
	return listenedKernel{k, name, b}, err
}

type listenedKernel struct {
	metalrun.Kernel
	name string
	of   listenedLibrary
}

func (k listenedKernel) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	l := k.of.l
	l.mu.Lock()
	defer l.mu.Unlock()
	q := questionOf(k.name, d)
	i, known := l.of[q]
	if l.answers != nil && known && l.answers[i].Refused == "" {
		for j, b := range d.Bindings {
			if !b.Inline {
				copy(b.Data[b.Offset:b.Offset+b.Length], l.answers[i].Buffers[j])
			}
		}
		return metalrun.Outcome{}, nil
	}
	if l.answers == nil && !known {
		asked := d
		asked.Bindings = slices.Clone(d.Bindings)
		for j, b := range asked.Bindings {
			asked.Bindings[j].Data = slices.Clone(b.Data)
		}
		l.of[q] = len(l.launches)
		l.launches = append(l.launches, clang.Launch{Source: k.of.p.Source(), Options: k.of.p.Options(), Kernel: k.name,
			Dispatch: asked})
	}
	return k.Kernel.Run(d)
}

// leastCompared is how many of our kernels clang can be asked about.
const leastCompared = 75

// TestDifferentialKernels has clang compute what our kernels compute, and judges that.
func TestDifferentialKernels(t *testing.T) {
	if os.Getenv("CONFORM_WITNESS") == "" {
		t.Skip("CONFORM_WITNESS=1 asks clang")
	}
	path := clang.Clang()
	if path == "" {
		t.Fatal("there is no clang to ask")
	}
	cases := casesWhere(func(c suite.Case) bool { return isFirst(c) && c.Pipeline == nil && launched(c) })
	l := &listener{Runner: sim.New(sim.Semantics{}), of: map[question]int{}}
	opts := suite.Options{Shaders: ours(t), Seed: 1, Parallel: 1}
	judge := func(got func(suite.Result)) {
		if err := suite.Run(context.Background(), l, opts, cases, got); err != nil {
			t.Fatal(err)
		}
	}
	judge(func(suite.Result) {})
	answers, err := clang.Ask(path, t.TempDir(), l.launches)
	if err != nil {
		t.Fatal(err)
	}
	l.answers = answers
	asked := 0
	for i, a := range answers {
		if a.Refused != "" {
			t.Logf("%s is not asked about: %s", l.launches[i].Kernel, a.Refused)
			continue
		}
		asked++
	}
	judge(func(r suite.Result) {
		if r.Status != suite.Pass {
			t.Errorf("%s, computed by clang: %s %v", r.Case, r.Reason, r.Failures)
		}
	})
	t.Logf("clang was asked about %d launches of %d", asked, len(answers))
	if asked < leastCompared {
		t.Errorf("clang was asked about %d launches, want %d at least", asked, leastCompared)
	}
}
