package simt

import (
	"iter"

	"metalconform/metalrun/internal/ir"
)

// A schedule runs the simdgroups of a threadgroup one after the other from barrier
// to barrier, in an order drawn anew each time. It makes no difference to a program
// without races, and shows what a race does to the results.
//
// Each simdgroup has a machine of its own and they share the threadgroup's memory.

// schedule is the simdgroups of one threadgroup at a time.
type schedule struct {
	seed   uint64
	groups []*machine
}

func newSchedule(p *Program, l *Launch, buffers []memory) *schedule {
	s := &schedule{seed: p.options.Schedule}
	for lead := 0; lead < l.PerGroup.count(); lead += Simdgroup {
		m := newMachine(p, l, buffers, min(Simdgroup, l.PerGroup.count()-lead))
		m.lead = lead
		if len(s.groups) > 0 {
			copy(m.objects, s.groups[0].objects)
		}
		s.groups = append(s.groups, m)
	}
	return s
}

// strand is a simdgroup under way: where its next barrier is.
type strand struct {
	next    func() (*ir.Instr, bool)
	stop    func()
	barrier *ir.Instr // that it waits at; nil: none
	ended   bool
	fault   *Fault
}

// abandoned ends a simdgroup whose threadgroup has faulted.
type abandoned struct{}

// run executes one threadgroup.
func (s *schedule) run(group, size Size) error {
	strands := make([]*strand, (size.count()+Simdgroup-1)/Simdgroup)
	for i := range strands {
		strands[i] = s.groups[i].strand(group, size)
		defer strands[i].stop()
	}
	s.groups[0].forgetShared()
	draw := mix(s.seed ^ uint64(group[0])<<40 ^ uint64(group[1])<<20 ^ uint64(group[2]))
	for {
		waiting := 0
		for _, i := range drawnOrder(&draw, len(strands)) {
			t := strands[i]
			if t.ended {
				continue
			}
			barrier, more := t.next()
			if t.fault != nil {
				return t.fault
			}
			if t.barrier, t.ended = barrier, !more; more {
				waiting++
			}
		}
		if waiting == 0 {
			return nil
		}
		if err := s.meet(strands); err != nil {
			return err
		}
	}
}

// meet checks that all simdgroups wait at the same barrier.
func (s *schedule) meet(strands []*strand) error {
	var first *strand
	for i, t := range strands {
		switch {
		case t.ended:
		case first == nil:
			first = t
		case t.barrier.Pos != first.barrier.Pos:
			m := s.groups[i]
			return m.fault(t.barrier.Pos, 0, "threadgroup_barrier reached by a simdgroup while another waits at the one at %s", first.barrier.Pos)
		}
	}
	return nil
}

// strand starts the machine's simdgroup. It runs when its next barrier is asked for.
func (m *machine) strand(group, size Size) *strand {
	t := &strand{}
	t.next, t.stop = iter.Pull(func(yield func(*ir.Instr) bool) {
		defer func() {
			switch r := recover().(type) {
			case nil, abandoned:
			case *Fault:
				t.fault = r
			default:
				panic(r)
			}
		}()
		m.wait = func(in *ir.Instr) {
			if !yield(in) {
				panic(abandoned{})
			}
		}
		m.enter(group, size)
		m.p.body.run(m)
	})
	return t
}

// drawnOrder is a permutation of 0 to n-1.
func drawnOrder(draw *uint64, n int) []int {
	order := make([]int, n)
	for i := range order {
		*draw = mix(*draw)
		j := int(*draw % uint64(i+1))
		order[i], order[j] = order[j], i
	}
	return order
}
