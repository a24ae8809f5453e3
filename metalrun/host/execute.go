package host

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"

	"metalconform/metalrun"
)

// command is a dispatch or a copy that a pass has recorded.
type command struct {
	pass     *Pass
	number   int // in the pass
	barriers int // before it
	groups   string
	launch   *launch
	copy     *transfer

	accesses  []access // what it has really accessed
	untracked bool     // Metal does not track some of it
}

// launch is a dispatch.
type launch struct {
	pipeline                  *Pipeline
	table                     map[int]binding
	shared                    map[int]int
	groups, threads, perGroup metalrun.Size
	exact                     bool    // threads counts threads
	indirect                  *Buffer // has the number of threadgroups
	indirectOffset            int
}

// transfer is a copy, or a fill if it comes from nowhere.
type transfer struct {
	from, to             *Buffer
	fromOffset, toOffset int
	length               int
	value                byte
}

// name is what findings call the command.
func (c *command) name() string {
	what := "fillBuffer"
	switch {
	case c.launch != nil:
		what = "dispatch of " + c.launch.pipeline.Function.Name
	case c.copy.from != nil:
		what = "copyFromBuffer"
	}
	s := fmt.Sprintf("%s (command %d of %s", what, c.number+1, c.pass.name())
	if c.groups != "" {
		s += ", group " + c.groups
	}
	return s + ")"
}

// kernel is the name of the kernel, or "".
func (c *command) kernel() string {
	if c.launch == nil {
		return ""
	}
	return c.launch.pipeline.Function.Name
}

// execute executes the commands of a pass.
func (p *Pass) execute() error {
	h := p.host()
	h.gpu.Lock()
	defer h.gpu.Unlock()
	q := p.buffer.queue
	p.before = clock{}
	p.before.join(q.before)
	for _, f := range p.waits {
		p.before.join(f.after)
	}
	for _, c := range p.commands {
		c.released()
		if c.launch != nil {
			c.run()
		} else {
			c.transfer()
		}
		h.ledger.add(h, c)
	}
	for _, f := range p.updates {
		f.after.join(p.before)
		f.after[p] = true
	}
	h.mu.Lock()
	q.passes.join(p.before)
	q.passes[p] = true
	h.mu.Unlock()
	return nil
}

// released reports buffers of the command that the program has released although nobody keeps them.
func (c *command) released() {
	report := func(b *Buffer, what string) {
		if b == nil || !b.released.Load() || !c.pass.buffer.unretained {
			return
		}
		c.host().found(Finding{Check: CheckReleased, Command: c.name(), Kernel: c.kernel(),
			Message: fmt.Sprintf("%s at %s is released before %s, which does not retain what it uses, has completed",
				b.name(), what, c.pass.buffer.name()),
			Remedy: "keep the buffer until the completed handler, or use commandBuffer instead of " +
				"commandBufferWithUnretainedReferences"})
	}
	if c.launch == nil {
		report(c.copy.from, "the source of a copy")
		report(c.copy.to, "the destination of a copy")
		return
	}
	for i, b := range c.launch.table {
		report(b.buffer, fmt.Sprintf("buffer(%d)", i))
	}
}

func (c *command) host() *Host { return c.pass.host() }

// transfer executes a copy or a fill.
func (c *command) transfer() {
	t := c.copy
	to := t.to.bytes[t.toOffset : t.toOffset+t.length]
	c.accesses = append(c.accesses, access{does: "writes", write: true,
		spans: []span{t.to.span(t.toOffset, t.length)}, buffer: t.to})
	if t.from == nil {
		for i := range to {
			to[i] = t.value
		}
		return
	}
	c.accesses = append(c.accesses, access{does: "reads", spans: []span{t.from.span(t.fromOffset, t.length)},
		buffer: t.from})
	copy(to, t.from.bytes[t.fromOffset:t.fromOffset+t.length])
}

// grid completes the sizes of a launch, which a buffer may have.
func (c *command) grid() {
	l := c.launch
	if l.indirect == nil {
		return
	}
	at := l.indirect.bytes[l.indirectOffset:]
	word := func(i int) int { return int(binary.LittleEndian.Uint32(at[4*i:])) }
	l.groups = metalrun.Size{X: word(0), Y: word(1), Z: word(2)}
	c.accesses = append(c.accesses, access{does: "reads", spans: []span{l.indirect.span(l.indirectOffset,
		indirectBytes)},
		buffer: l.indirect})
}

// run launches the kernel.
func (c *command) run() {
	c.grid()
	h, l := c.host(), c.launch
	if n := cmp.Or(l.groups, l.threads).Count(); n == 0 {
		h.found(Finding{Check: CheckEmpty, Grade: metalrun.GradeNote, Command: c.name(), Kernel: c.kernel(),
			Message: "the grid is empty: the kernel does not run"})
		return
	}
	if l.perGroup.Count() > l.pipeline.kernel.MaxThreads() {
		return // as is asserted
	}
	d := c.dispatch()
	c.check(d)
	outcome, err := l.pipeline.kernel.Run(d)
	h.report.ran(c.kernel(), d.Grid().Count())
	c.guarded(outcome)
	for i, a := range outcome.Accesses {
		b := l.table[a.Index]
		if b.buffer == nil || len(a.Spans) == 0 {
			continue
		}
		c.accesses = append(c.accesses, accessOf(b, outcome.Accesses[i]))
	}
	c.inRegions()
	if err != nil {
		c.fault(err)
	}
}

// dispatch is the launch as a runner takes it.
func (c *command) dispatch() metalrun.Dispatch {
	l := c.launch
	d := metalrun.Dispatch{ThreadsPerThreadgroup: l.perGroup}
	if l.exact {
		d.Threads = l.threads
	} else {
		d.Threadgroups = l.groups
	}
	for i := range tableEntries {
		b, ok := l.table[i]
		if !ok {
			continue
		}
		if b.buffer == nil {
			d.Bindings = append(d.Bindings, metalrun.Binding{Index: i, Data: b.bytes, Length: len(b.bytes),
				Inline: true})
			continue
		}
		d.Bindings = append(d.Bindings, metalrun.Binding{Index: i, Data: b.buffer.bytes, Offset: b.offset,
			Length: b.length()})
	}
	for _, a := range l.pipeline.Function.info.Args {
		switch _, bound := l.table[a.Index]; {
		case a.Kind == metalrun.BufferArg && !bound:
			d.Bindings = append(d.Bindings, metalrun.Binding{Index: a.Index, Data: []byte{}})
		case a.Kind == metalrun.ThreadgroupArg:
			for len(d.ThreadgroupMemory) <= a.Index {
				d.ThreadgroupMemory = append(d.ThreadgroupMemory, 0)
			}
			d.ThreadgroupMemory[a.Index] = max(l.shared[a.Index], leastShared)
		}
	}
	return d
}

// leastShared is the threadgroup memory of an argument that has no length: a host leaves the length out where a variant
// of the kernel does not use the memory.
const leastShared = 16

// fault reports what has ended a launch.
func (c *command) fault(err error) {
	f := Finding{Check: "launch", Grade: metalrun.GradeWrong, Command: c.name(), Kernel: c.kernel(),
		Message: err.Error()}
	var fault *metalrun.Fault
	if errors.As(err, &fault) {
		f.Check, f.Position, f.Message = string(fault.Kind), fault.Position, fault.Message
		f.Text = c.launch.pipeline.Function.library.line(fault.Position)
	}
	c.host().found(f)
}

// guarded reports accesses that the device has tolerated.
func (c *command) guarded(o metalrun.Outcome) {
	for _, g := range o.Guarded {
		f := Finding{Check: string(g.Kind), Command: c.name(), Kernel: c.kernel(), Position: g.Position,
			Message: g.Message, Text: c.launch.pipeline.Function.library.line(g.Position), Grade: metalrun.GradeWrong}
		switch g.Kind {
		case metalrun.Misaligned:
			f.Grade = metalrun.GradeUndefined
		case metalrun.OutOfRange:
			f.Remedy = "the access is dropped: a load gives 0"
		}
		c.host().found(f)
	}
}
