package machine

import (
	"errors"
	"iter"
	"slices"

	"metalconform/metalrun/internal/ir"
)

// A schedule runs the simdgroups or the threads of a threadgroup one after the other from barrier to barrier, each time
// in another random order. This does not change the results of a program without races, and shows what a race does to
// results.
//
// A fiber is a simdgroup or a thread. Each fiber has its own machine; all share the memory of the threadgroup.

// Policy is how a schedule runs fibers.
type Policy struct {
	Seed     uint64
	Single   bool // a fiber is a thread
	Backward bool // each drawn order is reversed
}

// schedule runs the fibers of one threadgroup at a time.
type schedule struct {
	Policy
	*Pool
	p    *Program
	late StoreBuffer
}

// Pool is the machines of a schedule. Another schedule can use it once all threadgroups have ended without a fault.
type Pool struct {
	Machines []*Machine // of the fibers
	whole    []*Machine // of the simdgroups, if a fiber is a thread
}

// NewPool makes the machines of a schedule: of single threads, or of simdgroups.
func NewPool(p *Program, l *Dispatch, buffers []Memory, single bool) *Pool {
	c := &Pool{}
	grain := Simdgroup
	if single {
		grain = 1
	}
	threads := l.PerGroup.Count()
	add := func(lead, most int) *Machine {
		var shared []Memory
		if len(c.Machines) > 0 {
			shared = c.Machines[0].Objects
		}
		m := NewPart(p, l, buffers, shared, min(most, threads-lead))
		m.lead, m.Wait = lead, func(*ir.Instr) {}
		return m
	}
	for lead := 0; lead < threads; lead += grain {
		c.Machines = append(c.Machines, add(lead, grain))
	}
	for lead := 0; single && lead < threads; lead += Simdgroup {
		c.whole = append(c.whole, add(lead, Simdgroup))
	}
	return c
}

// StoreBuffer delays when fibers see the stores of others.
type StoreBuffer interface {
	// Enter begins a threadgroup, and Leave ends it.
	Enter()
	Leave()
	// Merge is called at a barrier of the threadgroup, MergeSimdgroup where the threads of a simdgroup act together.
	Merge(barrier *ir.Instr)
	MergeSimdgroup(i int, in *ir.Instr)
}

// atOnce shows stores at once.
type atOnce struct{}

// Enter does nothing: stores are seen at once.
func (atOnce) Enter() {}

// Leave does nothing: stores are seen at once.
func (atOnce) Leave() {}

// Merge does nothing: stores are seen at once.
func (atOnce) Merge(*ir.Instr) {}

// MergeSimdgroup does nothing: stores are seen at once.
func (atOnce) MergeSimdgroup(int, *ir.Instr) {}

// NewSchedule is a schedule of a launch with the machines of the pool. A nil buffer makes stores visible at once.
func NewSchedule(p *Program, l *Dispatch, c *Pool, how Policy, delay StoreBuffer) *schedule {
	s := &schedule{Policy: how, p: p, Pool: c, late: delay}
	if delay == nil {
		s.late = atOnce{}
	}
	for _, m := range slices.Concat(c.Machines, c.whole) {
		m.Launch = l
	}
	return s
}

// fiber is a running part of a threadgroup, and what it waits for.
type fiber struct {
	*Machine
	next  func() (stop, bool)
	stop  func()
	at    stop
	waits bool
	ended bool
	fault *Fault
}

// stop is where a fiber waits for others: at a barrier of the threadgroup, or where the threads of a simdgroup act
// together.
type stop struct {
	barrier  *ir.Instr
	together *Collective
}

// Collective is compiled code that the threads of a simdgroup run together.
type Collective struct {
	In            *ir.Instr
	Code          Straight
	Reads, Writes []Slot
}

// abandoned ends a fiber whose threadgroup has faulted.
type abandoned struct{}

// ErrApart says that the threads of a simdgroup wait at different instructions at which they act together. If threads
// run one after the other, it is not known which of them take part.
var ErrApart = errors.New("threads of a simdgroup part before they act together")

// Run executes one threadgroup.
func (s *schedule) Run(group, size Size) error {
	n := (size.Count() + Simdgroup - 1) / Simdgroup
	if s.Single {
		n = size.Count()
	}
	if err := s.Machines[0].arrive(group, size); err != nil {
		return err
	}
	fibers := make([]*fiber, n)
	for i := range fibers {
		fibers[i] = s.Machines[i].fiber(group, size)
		defer fibers[i].stop()
	}
	for i, m := range s.whole {
		if i*Simdgroup < n {
			m.enter(group, size)
		}
	}
	s.Machines[0].forgetShared()
	s.late.Enter()
	defer s.late.Leave()
	draw := Mix(s.Seed ^ uint64(group[0])<<40 ^ uint64(group[1])<<20 ^ uint64(group[2]))
	for {
		if err := s.advance(fibers, &draw); err != nil {
			return err
		}
		acted, err := s.act(fibers)
		if err != nil {
			return err
		}
		if acted {
			continue
		}
		barrier, err := s.meet(fibers)
		if barrier == nil || err != nil {
			return err
		}
		s.late.Merge(barrier)
		for _, t := range fibers {
			t.waits = false
		}
	}
}

// advance runs each fiber to its next stop.
func (s *schedule) advance(fibers []*fiber, draw *uint64) error {
	order := DrawnOrder(draw, len(fibers))
	for k := range order {
		i := order[k]
		if s.Backward {
			i = order[len(order)-1-k]
		}
		t := fibers[i]
		if t.ended || t.waits {
			continue
		}
		at, more := t.next()
		if t.fault != nil {
			return t.fault
		}
		t.at, t.waits, t.ended = at, more, !more
	}
	return nil
}

// act runs the collective operations of the simdgroups whose threads all wait for them.
func (s *schedule) act(fibers []*fiber) (acted bool, err error) {
	for i := range s.whole {
		lo := i * Simdgroup
		if lo >= len(fibers) {
			break
		}
		members := fibers[lo:min(lo+Simdgroup, len(fibers))]
		var what *Collective
		waiting, live := 0, 0
		for _, t := range members {
			switch {
			case t.ended:
				continue
			case t.at.together != nil && (what == nil || what == t.at.together):
				what = t.at.together
				waiting++
			}
			live++
		}
		switch {
		case what == nil:
			continue
		case waiting < live:
			return false, ErrApart
		}
		if err := s.whole[i].act(what, members); err != nil {
			return false, err
		}
		s.late.MergeSimdgroup(i, what.In)
		for _, t := range members {
			t.waits = false
		}
		acted = true
	}
	return acted, nil
}

// act runs a collective operation on a simdgroup whose threads are fibers.
func (m *Machine) act(what *Collective, members []*fiber) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Fault:
			err = r
		default:
			panic(r)
		}
	}()
	m.Live = 0
	for i, t := range members {
		m.Mask[i], m.Ended[i] = ^uint32(0), 0
		if t.ended {
			m.Mask[i], m.Ended[i] = 0, ^uint32(0)
			continue
		}
		if m.Live++; m.Live == 1 {
			copy(m.Uni32, t.Uni32)
			copy(m.Uni64, t.Uni64)
		}
	}
	m.Counted(m.Live)
	for i, t := range members {
		if !t.ended {
			m.gather(what.Reads, i, t.Machine)
		}
	}
	what.Code.Run(m)
	for i, t := range members {
		if !t.ended {
			m.scatter(what.Writes, i, t.Machine)
		}
	}
	return nil
}

// gather copies registers from the machine of a thread to its lane of the simdgroup, and scatter copies them back.
func (m *Machine) gather(regs []Slot, thread int, own *Machine) {
	for _, r := range regs {
		if r.Wide {
			m.Wide(r.Index)[thread] = own.Wide(r.Index)[0]
		} else {
			m.slots[r.Index][thread] = own.slots[r.Index][0]
		}
	}
}

func (m *Machine) scatter(regs []Slot, thread int, own *Machine) {
	for _, r := range regs {
		if r.Wide {
			own.Wide(r.Index)[0] = m.Wide(r.Index)[thread]
		} else {
			own.slots[r.Index][0] = m.slots[r.Index][thread]
		}
	}
}

// meet checks that all fibers that have not ended wait at the same barrier, and gives the barrier; nil if all have
// ended.
func (s *schedule) meet(fibers []*fiber) (*ir.Instr, error) {
	var first *fiber
	for _, t := range fibers {
		switch {
		case t.ended:
		case first == nil:
			first = t
		case t.at.barrier.Pos != first.at.barrier.Pos:
			return nil,
				t.Machine.Fault(Divergent, t.at.barrier.Pos, 0,
					"threadgroup_barrier reached by a simdgroup while another waits at the one at %s",
					first.at.barrier.Pos)
		}
	}
	if first == nil {
		return nil, nil
	}
	return first.at.barrier, nil
}

// fiber starts the part of a threadgroup that a machine runs. It runs when its next stop is requested.
func (m *Machine) fiber(group, size Size) *fiber {
	t := &fiber{Machine: m}
	t.next, t.stop = iter.Pull(func(yield func(stop) bool) {
		defer func() {
			switch r := recover().(type) {
			case nil, abandoned:
			case *Fault:
				t.fault = r
			default:
				panic(r)
			}
		}()
		wait := func(at stop) {
			if !yield(at) {
				panic(abandoned{})
			}
		}
		m.Wait = func(in *ir.Instr) { wait(stop{barrier: in}) }
		m.Join = func(what *Collective) { wait(stop{together: what}) }
		m.enter(group, size)
		m.P.Body.Run(m)
	})
	return t
}

// DrawnOrder is a permutation of 0 to n-1.
func DrawnOrder(draw *uint64, n int) []int {
	order := make([]int, n)
	for i := range order {
		*draw = Mix(*draw)
		j := int(*draw % uint64(i+1))
		order[i], order[j] = order[j], i
	}
	return order
}

// Mix is the finaliser of SplitMix64: a bijection that spreads every bit.
func Mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
