package simt

import (
	"errors"
	"iter"
	"slices"

	"metalconform/metalrun/internal/ir"
)

// A schedule runs the simdgroups of a threadgroup, or its threads, one after the other
// from barrier to barrier, in an order drawn anew each time. It makes no difference to
// a program without races, and shows what a race does to the results.
//
// Each strand, a simdgroup or a thread, has a machine of its own and they share the
// threadgroup's memory.

// manner is how a schedule runs strands.
type manner struct {
	seed     uint64
	single   bool // a strand is a thread
	backward bool // in the opposite of the drawn orders
}

// schedule is the strands of one threadgroup at a time.
type schedule struct {
	manner
	*crew
	p    *program
	late storeBuffer
}

// crew is the machines of a schedule. Once all its threadgroups have ended well, it serves another.
type crew struct {
	machines []*machine // of the strands
	whole    []*machine // of the simdgroups, where a strand is a thread
}

func newCrew(p *program, l *dispatch, buffers []memory, single bool) *crew {
	c := &crew{}
	grain := Simdgroup
	if single {
		grain = 1
	}
	threads := l.PerGroup.count()
	add := func(lead, most int) *machine {
		var shared []memory
		if len(c.machines) > 0 {
			shared = c.machines[0].objects
		}
		m := newPart(p, l, buffers, shared, min(most, threads-lead))
		m.lead, m.wait = lead, func(*ir.Instr) {}
		return m
	}
	for lead := 0; lead < threads; lead += grain {
		c.machines = append(c.machines, add(lead, grain))
	}
	for lead := 0; single && lead < threads; lead += Simdgroup {
		c.whole = append(c.whole, add(lead, Simdgroup))
	}
	return c
}

// storeBuffer delays when strands see the stores of others.
type storeBuffer interface {
	// Enter begins a threadgroup, and Leave ends it.
	Enter()
	Leave()
	// Merge is a barrier of the threadgroup, MergeSimdgroup what the threads of a simdgroup do together.
	Merge(barrier *ir.Instr)
	MergeSimdgroup(i int, in *ir.Instr)
}

// atOnce shows stores at once.
type atOnce struct{}

func (atOnce) Enter()                        {}
func (atOnce) Leave()                        {}
func (atOnce) Merge(*ir.Instr)               {}
func (atOnce) MergeSimdgroup(int, *ir.Instr) {}

// newSchedule is a schedule of a launch with the crew. Nil says that everyone sees a store at once.
func newSchedule(p *program, l *dispatch, c *crew, how manner, delay storeBuffer) *schedule {
	s := &schedule{manner: how, p: p, crew: c, late: delay}
	if delay == nil {
		s.late = atOnce{}
	}
	for _, m := range slices.Concat(c.machines, c.whole) {
		m.launch = l
	}
	return s
}

// strand is a part of a threadgroup under way, and what it waits for.
type strand struct {
	*machine
	next  func() (stop, bool)
	stop  func()
	at    stop
	waits bool
	ended bool
	fault *Fault
}

// stop is where a strand waits for others: at a barrier of the threadgroup, or before
// what the threads of a simdgroup do together.
type stop struct {
	barrier  *ir.Instr
	together *collective
}

// collective is compiled code that the threads of a simdgroup run together.
type collective struct {
	in            *ir.Instr
	code          straight
	reads, writes []slot
}

// abandoned ends a strand whose threadgroup has faulted.
type abandoned struct{}

// errApart says that threads of a simdgroup come to different places where they act
// together: one by one it cannot be known which of them take part.
var errApart = errors.New("threads of a simdgroup part before they act together")

// run executes one threadgroup.
func (s *schedule) run(group, size Size) error {
	n := (size.count() + Simdgroup - 1) / Simdgroup
	if s.single {
		n = size.count()
	}
	if err := s.machines[0].arrive(group, size); err != nil {
		return err
	}
	strands := make([]*strand, n)
	for i := range strands {
		strands[i] = s.machines[i].strand(group, size)
		defer strands[i].stop()
	}
	for i, m := range s.whole {
		if i*Simdgroup < n {
			m.enter(group, size)
		}
	}
	s.machines[0].forgetShared()
	s.late.Enter()
	defer s.late.Leave()
	draw := mix(s.seed ^ uint64(group[0])<<40 ^ uint64(group[1])<<20 ^ uint64(group[2]))
	for {
		if err := s.advance(strands, &draw); err != nil {
			return err
		}
		acted, err := s.act(strands)
		if err != nil {
			return err
		}
		if acted {
			continue
		}
		barrier, err := s.meet(strands)
		if barrier == nil || err != nil {
			return err
		}
		s.late.Merge(barrier)
		for _, t := range strands {
			t.waits = false
		}
	}
}

// advance runs each strand that does not wait up to where it does.
func (s *schedule) advance(strands []*strand, draw *uint64) error {
	order := drawnOrder(draw, len(strands))
	for k := range order {
		i := order[k]
		if s.backward {
			i = order[len(order)-1-k]
		}
		t := strands[i]
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

// act lets the threads of simdgroups that wait for each other do what they do together.
func (s *schedule) act(strands []*strand) (acted bool, err error) {
	for i := range s.whole {
		lo := i * Simdgroup
		if lo >= len(strands) {
			break
		}
		members := strands[lo:min(lo+Simdgroup, len(strands))]
		var what *collective
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
			return false, errApart
		}
		if err := s.whole[i].act(what, members); err != nil {
			return false, err
		}
		s.late.MergeSimdgroup(i, what.in)
		for _, t := range members {
			t.waits = false
		}
		acted = true
	}
	return acted, nil
}

// act runs code on a simdgroup whose threads are strands.
func (m *machine) act(what *collective, members []*strand) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Fault:
			err = r
		default:
			panic(r)
		}
	}()
	m.live = 0
	for i, t := range members {
		m.mask[i], m.ended[i] = ^uint32(0), 0
		if t.ended {
			m.mask[i], m.ended[i] = 0, ^uint32(0)
			continue
		}
		if m.live++; m.live == 1 {
			copy(m.uni32, t.uni32)
			copy(m.uni64, t.uni64)
		}
	}
	m.counted(m.live)
	for i, t := range members {
		if !t.ended {
			m.gather(what.reads, i, t.machine)
		}
	}
	what.code.run(m)
	for i, t := range members {
		if !t.ended {
			m.scatter(what.writes, i, t.machine)
		}
	}
	return nil
}

// gather takes the thread's part of registers from the thread's own machine, and scatter
// gives it back.
func (m *machine) gather(regs []slot, thread int, own *machine) {
	for _, r := range regs {
		if r.wide {
			m.wide(r.index)[thread] = own.wide(r.index)[0]
		} else {
			m.slots[r.index][thread] = own.slots[r.index][0]
		}
	}
}

func (m *machine) scatter(regs []slot, thread int, own *machine) {
	for _, r := range regs {
		if r.wide {
			own.wide(r.index)[0] = m.wide(r.index)[thread]
		} else {
			own.slots[r.index][0] = m.slots[r.index][thread]
		}
	}
}

// meet checks that all strands that have not ended wait at the same barrier, and gives
// that; nil if all have ended.
func (s *schedule) meet(strands []*strand) (*ir.Instr, error) {
	var first *strand
	for _, t := range strands {
		switch {
		case t.ended:
		case first == nil:
			first = t
		case t.at.barrier.Pos != first.at.barrier.Pos:
			return nil, t.machine.fault(Divergent, t.at.barrier.Pos, 0, "threadgroup_barrier reached by a simdgroup while another waits at the one at %s", first.at.barrier.Pos)
		}
	}
	if first == nil {
		return nil, nil
	}
	return first.at.barrier, nil
}

// strand starts the machine's part of a threadgroup. It runs when its next stop is
// asked for.
func (m *machine) strand(group, size Size) *strand {
	t := &strand{machine: m}
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
		m.wait = func(in *ir.Instr) { wait(stop{barrier: in}) }
		m.join = func(what *collective) { wait(stop{together: what}) }
		m.enter(group, size)
		m.p.body.run(m)
	})
	return t
}

// together compiles what the threads of a simdgroup do together. In a program whose
// threads run one by one they wait for each other there.
func (c *compiler) together(in *ir.Instr, compile func(in *ir.Instr)) {
	if !c.p.options.single {
		compile(in)
		return
	}
	c.flush(func(*deferred) bool { return true })
	what := &collective{in: in, reads: c.varying(in.Args)}
	first := len(c.code)
	compile(in)
	what.code, what.writes = slices.Clone(c.code[first:]), c.varying(in.Dst)
	c.code = append(c.code[:first], instr{do: func(m *machine) { m.join(what) }})
}

// varying is where those registers are that every thread has its own of.
func (c *compiler) varying(regs []ir.Reg) []slot {
	var list []slot
	for _, r := range regs {
		if at := c.p.slots[r]; at.varying {
			list = append(list, at)
		}
	}
	return list
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
