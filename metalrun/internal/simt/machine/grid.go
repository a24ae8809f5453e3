package machine

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"metalconform/internal/crash"
	"metalconform/metalrun/internal/syntax"
)

// Run executes one launch. An error of the kernel is a *Fault, that of the
// first threadgroup in grid order that failed; other errors concern the launch.
// Stores made before a fault stay.
func (p *Program) Run(l Dispatch) error {
	if err := p.Validate(&l); err != nil {
		return err
	}
	buffers, finish := Bind(l.Buffers)
	defer finish()
	p.bind(&l, buffers)
	total := l.Running()
	workers := p.Options.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, max(1, p.Options.ThreadMemory/(l.PerGroup.Count()*p.threadMemory()+1)))
	if workers = min(workers, total); p.InOrder {
		workers = 1
	}
	return p.runGroups(&l, buffers, total, workers)
}

// Take takes the threadgroups [first, end) for one of so many workers. It takes a part of the remaining threadgroups,
// so that the workers finish at about the same time and most threadgroups of a worker are neighbours.
func (c *Counter) Take(total, workers int) (first, end int) {
	for {
		first := c.Load()
		left := int64(total) - first
		if left <= 0 {
			return total, total
		}
		end := first + max(1, left/int64(4*workers))
		if c.CompareAndSwap(first, end) {
			return int(first), int(end)
		}
	}
}

// Counter is padded to whole cache lines and those that a processor fetches with them, because every worker writes it.
type Counter struct {
	_ [128]byte
	atomic.Int64
	_ [128]byte
}

// runGroups hands threadgroups to workers in grid order.
func (p *Program) runGroups(l *Dispatch, buffers []Memory, total, workers int) error {
	var next Counter
	var lock sync.Mutex
	var failed error
	var panicked any
	failedAt := l.Skip + total
	work := func() {
		defer func() {
			if r := recover(); r != nil {
				lock.Lock()
				panicked = crash.New(r)
				lock.Unlock()
				next.Store(int64(total))
			}
		}()
		run, machines := p.executor(l, buffers)
		defer func() {
			for _, m := range machines() {
				m.reportExecuted()
				m.Finish()
			}
		}()
		for {
			first, end := next.Take(total, workers)
			if first == total {
				for _, m := range machines() {
					m.Retire()
				}
				return
			}
			i, err := run(l.Skip+first, l.Skip+end)
			if err == nil {
				continue
			}
			lock.Lock()
			if i < failedAt {
				failed, failedAt = err, i
			}
			lock.Unlock()
			next.Store(int64(total))
			return
		}
	}
	var group sync.WaitGroup
	for range workers - 1 {
		group.Go(work)
	}
	work()
	group.Wait()
	if panicked != nil {
		panic(panicked) // in the goroutine of the launch
	}
	if failed == nil && l.Exhausted() { // whichever worker has taken the last steps
		at := Position(l.Skip+total-1, l.Groups)
		failed = p.Late(l, at)
	}
	return failed
}

// Exhausted reports whether threads have taken more steps than they may.
func (l *Dispatch) Exhausted() bool { return l.Left != nil && l.Left.Load() < 0 }

// GroupRunner runs the threadgroups [first, end) of the grid. If one fails, it is the last one that runs, and i is its
// number.
type GroupRunner func(first, end int) (i int, err error)

// executor gives what runs threadgroups, and its machines so far: one, or those of a schedule.
func (p *Program) executor(l *Dispatch, buffers []Memory) (run GroupRunner, machines func() []*Machine) {
	if p.Options.Schedule == 0 {
		for _, e := range p.Attachments {
			if run, machines, ok := e.Runner(p, l, buffers); ok {
				return run, machines
			}
		}
		m := NewMachine(p, l, buffers, l.PerGroup.Count())
		return m.RunGroups, func() []*Machine { return []*Machine{m} }
	}
	s := NewSchedule(p, l, NewPool(p, l, buffers, false), Policy{Seed: p.Options.Schedule}, nil)
	return func(first, end int) (i int, err error) {
		for i = first; i < end && err == nil; i++ {
			group := Position(i, l.Groups)
			err = s.Run(group, l.Extent(group))
		}
		return i - 1, err
	}, func() []*Machine { return s.Machines }
}

// reportExecuted tells the launch what the machine has executed.
func (m *Machine) reportExecuted() {
	if e := m.Launch.Executed; e != nil {
		e.Add(m.Executed)
		m.Executed = 0
	}
	if c := m.Launch.Costly; c != nil {
		c.Add(m.Costly)
		m.Costly = 0
	}
}

// RunGroup runs threadgroup i of the grid and tells the launch what that took.
func (m *Machine) RunGroup(i int) error {
	defer m.reportExecuted()
	_, err := m.RunGroups(i, i+1)
	return err
}

// RunGroups is a [GroupRunner].
func (m *Machine) RunGroups(first, end int) (i int, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Fault:
			err = r
		default:
			panic(r)
		}
	}()
	for i = first; i < end && err == nil; i++ {
		err = m.execute(i)
	}
	return i - 1, err
}

// execute runs threadgroup i, or panics with its fault.
func (m *Machine) execute(i int) error {
	m.moveTo(i)
	if l := m.Launch; l.even && m.sized[0] > 0 {
		if m.tired(m.arrival) {
			return m.P.Late(l, m.Group)
		}
		m.enterAgain()
	} else {
		size := l.Extent(m.Group)
		if err := m.arrive(m.Group, size); err != nil {
			return err
		}
		m.enter(m.Group, size)
	}
	for _, o := range m.observers {
		o.Begin(m, i)
	}
	m.specialise()
	before := m.Executed
	m.Body.Run(m)
	m.taken += 1 + m.Executed - before
	for _, o := range m.observers {
		o.End(m)
	}
	return nil
}

// Number is the number of a threadgroup in the grid.
func (l *Dispatch) Number(group Size) int {
	return group[0] + l.Groups[0]*(group[1]+l.Groups[1]*group[2])
}

// Running is the number of threadgroups that are not skipped.
func (l *Dispatch) Running() int { return l.Groups.Count() - l.Skip }

// Position is number i of an extent, counted along x first.
func Position(i int, of Size) Size {
	return Size{i % of[0], i / of[0] % of[1], i / (of[0] * of[1])}
}

// moveTo makes Group the position of threadgroup i. It needs no divisions if i follows the last threadgroup of the
// machine, as it mostly does.
func (m *Machine) moveTo(i int) {
	at, of := &m.Group, &m.Launch.Groups
	if i != m.latest+1 {
		*at = Position(i, *of)
	} else if at[0]++; at[0] == of[0] {
		at[0] = 0
		if at[1]++; at[1] == of[1] {
			at[1] = 0
			at[2]++
		}
	}
	m.latest = i
}

// Extent is the actual size of a threadgroup, smaller at the edge.
func (l *Dispatch) Extent(group Size) (size Size) {
	for a := range size {
		size[a] = min(l.PerGroup[a], l.Threads[a]-group[a]*l.PerGroup[a])
	}
	return size
}

// Validate validates the launch and completes its grid.
func (p *Program) Validate(l *Dispatch) error {
	for a := range 3 {
		if l.PerGroup[a] <= 0 {
			return fmt.Errorf("threads per threadgroup %v: every extent must be positive", l.PerGroup)
		}
		if l.Groups[a] < 0 || l.Threads[a] < 0 {
			return fmt.Errorf("negative grid")
		}
	}
	n := l.PerGroup.Count()
	if most := p.MaxThreads(); n > most {
		return fmt.Errorf("%d threads per threadgroup exceed the limit of %d", n, most)
	}
	if l.Groups != (Size{}) {
		for a := range 3 {
			l.Threads[a] = l.Groups[a] * l.PerGroup[a]
		}
	} else {
		for a := range 3 {
			l.Groups[a] = (l.Threads[a] + l.PerGroup[a] - 1) / l.PerGroup[a]
		}
	}
	l.even = l.Threads == Size{l.Groups[0] * l.PerGroup[0], l.Groups[1] * l.PerGroup[1], l.Groups[2] * l.PerGroup[2]}
	if l.Skip < 0 || l.Skip > l.Groups.Count() {
		return fmt.Errorf("%d of %d threadgroups skipped", l.Skip, l.Groups.Count())
	}
	if n, most := l.Running(), p.Options.Threadgroups; n > most {
		return &Fault{Kind: TooLarge, Pos: p.Kernel.Pos,
			Msg: fmt.Sprintf("%d threadgroups are more than the %d that a launch may run, which -launch-threadgroups "+
				"can raise", n, most)}
	}
	bytes := p.staticMemory
	for i, b := range l.Threadgroup {
		if b < 0 {
			return fmt.Errorf("threadgroup(%d): negative length %d", i, b)
		}
		bytes += min((b+15)&^15, MaxThreadgroupMemory+1)
		if b > MaxThreadgroupMemory {
			bytes = b
			break
		}
	}
	if bytes > MaxThreadgroupMemory {
		return fmt.Errorf("%d bytes of threadgroup memory exceed the limit of %d", bytes, MaxThreadgroupMemory)
	}
	if err := p.checkThreadMemory(n); err != nil {
		return err
	}
	if l.Left == nil {
		p.Allow(l)
	}
	return p.checkTable(l)
}

// Allow gives a launch the steps that its threads may take together, from now on.
func (p *Program) Allow(l *Dispatch) {
	if n := p.Options.TotalSteps; n > 0 {
		l.Left = new(atomic.Int64)
		l.Left.Store(n)
	}
}

// threadMemory is the number of bytes of the variables of a thread, and of its masks at branches and loops.
func (p *Program) threadMemory() int {
	return 4*p.PrivateWords + 4*p.Slots32 + 8*p.Slots64 + 8*p.Constructs
}

// checkThreadMemory refuses threadgroups of n threads whose variables exceed the limit.
func (p *Program) checkThreadMemory(n int) error {
	each := p.threadMemory()
	if n*each <= p.Options.ThreadMemory {
		return nil
	}
	at := p.Kernel.Pos
	largest := 0
	for _, o := range p.Kernel.Objects {
		if o.Space == syntax.Thread && o.Size > largest {
			at, largest = o.Pos, o.Size
		}
	}
	return &Fault{Kind: TooLarge, Pos: at,
		Msg: fmt.Sprintf("the variables and branches of a thread take %d bytes, and %d threads have %d bytes: launch "+
			"smaller threadgroups, keep this in device memory, or raise -thread-memory", each, n,
			p.Options.ThreadMemory)}
}

// checkTable compares the bindings with the kernel's arguments.
func (p *Program) checkTable(l *Dispatch) error {
	bound := map[int]bool{}
	for _, b := range l.Buffers {
		if b.Index < 0 || b.Index > 30 {
			return fmt.Errorf("buffer(%d): index out of the range 0 to 30", b.Index)
		}
		if bound[b.Index] {
			return fmt.Errorf("buffer(%d) is bound twice", b.Index)
		}
		bound[b.Index] = true
	}
	for _, a := range p.Kernel.Args {
		switch {
		case a.Threadgroup && a.Index >= len(l.Threadgroup):
			return fmt.Errorf("threadgroup(%d) %q has no length", a.Index, a.Name)
		case !a.Threadgroup && !bound[a.Index]:
			return fmt.Errorf("buffer(%d) %q is not bound", a.Index, a.Name)
		}
	}
	return nil
}

// MaxThreads is the largest threadgroup that the kernel may be launched with.
func (p *Program) MaxThreads() int {
	if p.Kernel.MaxThreads > 0 {
		return min(p.Kernel.MaxThreads, MaxThreads)
	}
	return MaxThreads
}

// Bind views the buffers as memory. A buffer that is not aligned to 4 bytes is
// copied; finish copies it back.
func Bind(buffers []Buffer) (table []Memory, finish func()) {
	table = make([]Memory, 31)
	var back []func()
	for _, b := range buffers {
		var mem Memory
		if aligned(b.Bytes) {
			mem = newMemory(b.Bytes)
		} else {
			mem = CopyMemory(b.Bytes)
			if !b.ReadOnly {
				back = append(back, func() { copy(b.Bytes, mem.Bytes) })
			}
		}
		mem.ReadOnly, mem.Before = b.ReadOnly, b.Before
		table[b.Index] = mem
	}
	return table, func() {
		for _, f := range back {
			f()
		}
	}
}
