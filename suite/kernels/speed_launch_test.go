package kernels

import (
	"errors"
	"hash/fnv"
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/sim"
	"metalconform/suite"
)

// launch is a dispatch with the inputs of a case.
type launch struct {
	args     suite.Args
	dispatch metalrun.Dispatch
}

// recordLaunch is the launch that the suite makes of a case of the kernel's
// specification, with the first family of its inputs.
func recordLaunch(tb testing.TB, c speedCase) launch {
	tb.Helper()
	k := specification(tb, c.kernel)
	k.Oracle = func(*suite.Problem) suite.Answers { return nil } // nothing is judged
	r := &recorder{Runner: sim.New(sim.Semantics{})}
	result := verdicts(tb, r, suite.Options{Shaders: ours(tb), Parallel: 1},
		suite.Case{Name: c.kernel, Kernel: &k, Shape: c.shape})[0]
	if len(r.dispatches) != 1 {
		tb.Fatalf("%d launches instead of one: %s", len(r.dispatches), result.Text())
	}
	return launch{args: k.Args, dispatch: r.dispatches[0]}
}

// specification is a copy of the catalogue's entry.
func specification(tb testing.TB, name string) suite.Kernel {
	tb.Helper()
	for _, f := range All() {
		for _, k := range f.Kernels {
			if k.Name == name {
				return k
			}
		}
	}
	tb.Fatalf("no family has a kernel %s", name)
	return suite.Kernel{}
}

// inputs are the buffers that the kernel only reads, in order.
func (l launch) inputs() []byte {
	var all []byte
	for _, b := range l.dispatch.Bindings {
		if l.args[b.Index].Role == suite.RoleIn {
			all = append(all, window(b)...)
		}
	}
	return all
}

// hash is the 64-bit FNV-1a hash of the buffers that the kernel writes, in
// order.
func (l launch) hash() uint64 {
	h := fnv.New64a()
	for _, b := range l.dispatch.Bindings {
		if l.args[b.Index].Writable() {
			h.Write(window(b))
		}
	}
	return h.Sum64()
}

func window(b metalrun.Binding) []byte { return b.Data[b.Offset : b.Offset+b.Length] }

// recorder is a runner, its only library and its only kernel. It keeps the
// dispatches that it is asked for and executes none.
type recorder struct {
	metalrun.Runner
	dispatches []metalrun.Dispatch
}

func (r *recorder) Compile(*metalrun.Program) (metalrun.Library, error) {
	return r, nil
}
func (r *recorder) Kernel(string) (metalrun.Kernel, error) { return r, nil }
func (r *recorder) Release()                               {}
func (r *recorder) MaxThreads() int                        { return maxThreads }

func (r *recorder) Run(d metalrun.Dispatch) (metalrun.Outcome, error) {
	r.dispatches = append(r.dispatches, d)
	return metalrun.Outcome{}, errors.New("recorded, not executed")
}
