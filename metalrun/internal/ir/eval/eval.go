// Package eval runs a kernel of package ir as its definition reads: every
// thread on its own, one instruction after the other, each value computed by
// the textbook. It is slow, shares no code with the executor, and serves as its
// oracle in tests.
//
// Threads take turns: one runs until it waits at a barrier or for its
// simdgroup. When no thread can run, those that wait at the same place go on
// together, first those that have come least far; for simd instructions they are
// the active lanes.
//
// The rule of the layer: eval imports ir and nothing of the executor. It
// chooses what Metal leaves open in the plainest way: nothing is contracted or
// flushed to zero, elementary functions are those of package math rounded once,
// reductions go from the lowest lane to the highest.
package eval

import (
	"fmt"

	"metalconform/metalrun/internal/ir"
	"metalconform/metalrun/internal/syntax"
)

// Launch is a dispatch of a kernel.
type Launch struct {
	Threads               [3]int         // of the grid
	ThreadsPerThreadgroup [3]int         // asked for; threadgroups at the edge are smaller
	Buffers               map[int][]byte // by index of the buffer table; written in place
	ThreadgroupMemory     []int          // bytes, by index of the threadgroup table
	Steps                 int            // instructions that one thread may execute, 0 for 1<<20
}

// Run executes every thread of the launch. The error is an access out of
// range, a barrier that not all threads reach, or an exhausted step budget.
func Run(k *ir.Kernel, l Launch) error {
	if l.Steps == 0 {
		l.Steps = 1 << 20
	}
	for z := 0; z < l.Threads[2]; z += l.ThreadsPerThreadgroup[2] {
		for y := 0; y < l.Threads[1]; y += l.ThreadsPerThreadgroup[1] {
			for x := 0; x < l.Threads[0]; x += l.ThreadsPerThreadgroup[0] {
				g := newGroup(k, l, [3]int{x, y, z})
				if err := g.run(); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fault is an error at an instruction.
type fault struct {
	pos syntax.Pos
	msg string
}

func (f *fault) Error() string { return f.pos.String() + ": " + f.msg }

// group is a threadgroup in execution.
type group struct {
	k       *ir.Kernel
	launch  Launch
	origin  [3]int // position in the grid of its first thread
	size    [3]int
	shared  map[int][]byte // threadgroup and constant memory by object number
	threads []*thread
	place   map[*ir.Instr]int // in the order of the source
}

// thread is one thread. Its goroutine runs while the group waits for it.
type thread struct {
	g      *group
	index  int
	regs   []uint64
	memory map[int][]byte // thread memory by object number
	steps  int

	resume, yield chan struct{}
	waits         *ir.Instr // barrier or simd instruction, nil if it can run
	args          []uint64  // of the instruction it waits at
	results       []uint64
	done          bool
	err           error
}

func newGroup(k *ir.Kernel, l Launch, origin [3]int) *group {
	g := &group{k: k, launch: l, origin: origin, shared: map[int][]byte{}}
	for i := range g.size {
		g.size[i] = min(l.ThreadsPerThreadgroup[i], l.Threads[i]-origin[i])
	}
	for i, o := range k.Objects {
		switch o.Space {
		case syntax.Threadgroup:
			g.shared[ir.FirstObject+i] = make([]byte, o.Size)
		case syntax.Constant:
			g.shared[ir.FirstObject+i] = o.Data
		}
	}
	for i, n := range l.ThreadgroupMemory {
		g.shared[ir.FirstArg+i] = make([]byte, n)
	}
	for i := range g.size[0] * g.size[1] * g.size[2] {
		g.threads = append(g.threads, g.newThread(i))
	}
	g.place = map[*ir.Instr]int{}
	for in := range ir.Instrs(k.Body...) {
		g.place[in] = len(g.place)
	}
	return g
}

func (g *group) newThread(index int) *thread {
	t := &thread{g: g, index: index, regs: make([]uint64, len(g.k.Regs)), memory: map[int][]byte{},
		resume: make(chan struct{}), yield: make(chan struct{})}
	for i, o := range g.k.Objects {
		if o.Space == syntax.Thread {
			t.memory[ir.FirstObject+i] = make([]byte, o.Size)
		}
	}
	for i, info := range g.k.Regs {
		switch info.Kind {
		case ir.Literal:
			t.regs[i] = info.Bits
			if info.Type == ir.I32 {
				t.regs[i] &= 1<<32 - 1
			}
		case ir.Address:
			t.regs[i] = uint64(ir.FirstObject+info.Index) << ir.ObjectShift
		case ir.Input:
			t.regs[i] = t.input(info)
		}
	}
	return t
}

// run schedules the threads until all have ended.
func (g *group) run() error {
	for _, t := range g.threads {
		go t.main()
	}
	defer func() {
		for _, t := range g.threads {
			if !t.done {
				close(t.resume)
			}
		}
	}()
	for {
		for _, t := range g.threads {
			for !t.done && t.waits == nil {
				t.resume <- struct{}{}
				<-t.yield
				if t.err != nil {
					return t.err
				}
			}
		}
		live := g.live()
		if len(live) == 0 {
			return nil
		}
		if err := g.release(live); err != nil {
			return err
		}
	}
}

func (g *group) live() []*thread {
	var list []*thread
	for _, t := range g.threads {
		if !t.done {
			list = append(list, t)
		}
	}
	return list
}

// release lets threads that wait together go on: first simd instructions, then
// a barrier that every thread has reached.
func (g *group) release(live []*thread) error {
	var first *thread
	for _, t := range live {
		if t.waits.Op == ir.Simd || t.waits.Op == ir.MatMul || t.waits.Op == ir.Barrier && t.waits.Fn == "simdgroup" {
			if first == nil || t.index/32 == first.index/32 && g.place[t.waits] < g.place[first.waits] {
				first = t
			}
		}
	}
	if first != nil {
		return g.exchange(first.waits, live, first.index/32)
	}
	for _, t := range live {
		if t.waits != live[0].waits {
			return &fault{t.waits.Pos, "threads wait at different barriers"}
		}
	}
	for _, t := range live {
		t.waits = nil
	}
	return nil
}

// exchange performs an instruction of a simdgroup for the lanes that wait at it.
func (g *group) exchange(in *ir.Instr, live []*thread, simdgroup int) error {
	var lanes [32]*thread
	for _, t := range live {
		if t.index/32 == simdgroup && t.waits == in {
			lanes[t.index%32] = t
		}
	}
	if err := exchange(in, lanes[:], g.k); err != nil {
		return &fault{in.Pos, err.Error()}
	}
	for _, t := range lanes {
		if t != nil {
			t.waits = nil
		}
	}
	return nil
}

// stopped ends the goroutine of a thread whose group has failed.
type stopped struct{}

func (t *thread) main() {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stopped:
			return
		case *fault:
			t.err = r
		default:
			t.err = fmt.Errorf("eval: %v", r)
		}
		t.done = true
		t.yield <- struct{}{}
	}()
	t.wake()
	t.list(t.g.k.Body)
}

func (t *thread) wake() {
	if _, ok := <-t.resume; !ok {
		panic(stopped{})
	}
}

// wait stops until the others have come, and gives the instruction's results.
func (t *thread) wait(in *ir.Instr, args []uint64) []uint64 {
	t.waits, t.args = in, args
	t.yield <- struct{}{}
	t.wake()
	return t.results
}

func (t *thread) fail(pos syntax.Pos, format string, args ...any) {
	panic(&fault{pos, fmt.Sprintf(format, args...)})
}

// list runs nodes. It gives the exit that ended them early, or nil.
func (t *thread) list(nodes []ir.Node) *ir.Exit {
	for _, n := range nodes {
		if e := t.node(n); e != nil {
			return e
		}
	}
	return nil
}

func (t *thread) node(n ir.Node) *ir.Exit {
	switch n := n.(type) {
	case *ir.Instr:
		if t.steps++; t.steps > t.g.launch.Steps {
			t.fail(n.Pos, "step budget exhausted")
		}
		t.instr(n)
	case *ir.If:
		if t.regs[n.Cond] != 0 {
			return t.list(n.Then)
		}
		return t.list(n.Else)
	case *ir.Loop:
		return t.loop(n)
	case *ir.Block:
		if e := t.list(n.Body); e != nil && e.Block != n {
			return e
		}
	case *ir.Exit:
		return n
	}
	return nil
}

func (t *thread) loop(n *ir.Loop) *ir.Exit {
	for {
		if t.steps++; t.steps > t.g.launch.Steps {
			t.fail(n.Pos, "step budget exhausted")
		}
		if e := t.list(n.Head); e != nil {
			return leaving(e, n)
		}
		if n.Cond != ir.None && t.regs[n.Cond] == 0 {
			return nil
		}
		if e := t.list(n.Body); e != nil && (e.Loop != n || e.Kind != ir.Continue) {
			return leaving(e, n)
		}
		if e := t.list(n.Post); e != nil {
			return leaving(e, n)
		}
	}
}

// leaving is the exit that a loop passes on: none, if it was a break of itself.
func leaving(e *ir.Exit, n *ir.Loop) *ir.Exit {
	if e.Loop == n {
		return nil
	}
	return e
}
