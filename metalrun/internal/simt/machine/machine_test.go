package machine_test

import (
	"testing"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/simt/lanes"
	"metalconform/metalrun/internal/simt/machine"
)

// increment adds one to the word of each active thread of a row of threadgroups.
type increment struct{}

func (increment) Run(m *machine.Machine) bool {
	for l, on := range m.Mask {
		if on != 0 {
			m.Objects[0].Words[m.Group[0]*m.Launch.PerGroup[0]+l]++
		}
	}
	return true
}

// groups sees which threadgroups begin and end.
type groups struct {
	machine.NoObserver
	begun, ended []int
}

func (g *groups) Begin(_ *machine.Machine, number int) { g.begun = append(g.begun, number) }
func (g *groups) End(*machine.Machine)                 { g.ended = append(g.ended, len(g.ended)) }

// watching attaches an observer to the machines of a program.
type watching struct{ *groups }

func (watching) Bind(*machine.Program, *machine.Dispatch, []machine.Memory) {}
func (w watching) Attach(m *machine.Machine)                                { m.Observe(w.groups, 0) }
func (watching) Runner(*machine.Program, *machine.Dispatch, []machine.Memory) (machine.GroupRunner,
	func() []*machine.Machine, bool) {
	return nil, nil, false
}

// TestRun executes a node of its own, which no compiler has made, in a grid whose last threadgroup is smaller.
func TestRun(t *testing.T) {
	const threads = 50
	seen := &groups{}
	p := &machine.Program{Kernel: &ir.Kernel{}, Table: lanes.Portable, Body: machine.List{increment{}}}
	p.Options = machine.Options{Workers: 1, Steps: 1, ThreadMemory: 1 << 20, Threadgroups: 10}
	p.Attachments = []machine.Attachment{watching{seen}}
	b := make([]byte, 4*64)
	err := p.Run(machine.Dispatch{Threads: machine.Size{threads, 1, 1}, PerGroup: machine.Size{32, 1, 1},
		Buffers: []machine.Buffer{{Index: 0, Bytes: b}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 64 {
		if want := byte(max(0, min(1, threads-i))); b[4*i] != want {
			t.Errorf("thread %d has run %d times, want %d", i, b[4*i], want)
		}
	}
	if len(seen.begun) != 2 || seen.begun[1] != 1 || len(seen.ended) != 2 {
		t.Errorf("threadgroups %v have begun and %v ended, want two each", seen.begun, seen.ended)
	}
}
