package sim_test

import (
	"testing"

	"metalconform/metalrun"
	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/ir/eval"
	"metalconform/metalrun/sim"
)

// TestRunByDefinition executes the programs of testdata/run thread by thread,
// as the definition of the intermediate representation reads. The results are
// to be the same bits as the simulator's, so that a wrong one is either a
// mistake of the front end or of one of two executors that share no code.
func TestRunByDefinition(t *testing.T) {
	forPrograms(t, func(t *testing.T, path string) {
		p, err := parseProgram(path)
		if err != nil {
			t.Fatal(err)
		}
		if p.semantics != (sim.Semantics{}) || p.fault != "" || p.found != nil || p.open {
			t.Skip("the definition has the reference semantics and not all checks of the simulator, and knows no " +
				"value for what Metal leaves open")
		}
		program, err := metalrun.Analyse(p.source, p.options)
		if err != nil {
			t.Fatal(err)
		}
		names, err := p.kernelNames(program)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			k, err := program.Lowered(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := eval.Run(k, p.evalLaunch(k)); err != nil {
				t.Fatal(err)
			}
		}
		p.checkWants(t)
	})
}

// evalLaunch is the program's dispatch in the terms of package eval.
func (p *program) evalLaunch(k *ir.Kernel) eval.Launch {
	d := p.dispatch
	threads, per := d.Threads, d.ThreadsPerThreadgroup
	if g := d.Threadgroups; g != (metalrun.Size{}) {
		threads = metalrun.Size{X: g.X * per.X, Y: g.Y * per.Y, Z: g.Z * per.Z}
	}
	l := eval.Launch{
		Threads: [3]int{threads.X, threads.Y, threads.Z}, ThreadsPerThreadgroup: [3]int{per.X, per.Y, per.Z},
		Buffers: map[int][]byte{}, ThreadgroupMemory: d.ThreadgroupMemory,
	}
	for _, b := range d.Bindings {
		l.Buffers[b.Index] = b.Data
	}
	for _, t := range d.Textures {
		for _, a := range k.Args {
			if a.Texture && a.Entry == t.Index {
				l.Buffers[a.Index] = t.Data
			}
		}
	}
	return l
}
