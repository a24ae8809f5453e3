package host

import (
	"strings"
	"testing"
	"time"

	"metalconform/metalrun"
)

// TestHazards tests what orders two commands, and what does not.
func TestHazards(t *testing.T) {
	concurrent := func(between func(e *Pass, a *Buffer)) func(p *program) {
		return func(p *program) {
			a, b := p.words(16, BufferOptions{}), p.words(16, BufferOptions{})
			cb := p.Queue().CommandBuffer(false)
			e := cb.Pass(ConcurrentCompute)
			p.set(e, a, 1)
			between(e, a)
			p.dispatch(e, "copy", a, b)
			e.End()
			cb.Commit()
			cb.WaitUntilCompleted()
		}
	}
	encoders := func(o BufferOptions, between func(p *program, first, second *Pass)) func(p *program) {
		return func(p *program) {
			a, b := p.words(16, o), p.words(16, BufferOptions{})
			cb := p.Queue().CommandBuffer(false)
			first := cb.Pass(SerialCompute)
			p.set(first, a, 1)
			first.buffer.open = nil // the other encoder begins before this one ends
			second := cb.Pass(SerialCompute)
			between(p, first, second)
			p.dispatch(second, "copy", a, b)
			second.End()
			first.End()
			cb.Commit()
			cb.WaitUntilCompleted()
		}
	}
	queues := func(order func(p *program, first, second *CommandBuffer, run func(c *CommandBuffer))) func(p *program) {
		return func(p *program) {
			a, b := p.words(16, BufferOptions{}), p.words(16, BufferOptions{})
			first, second := p.Queue().CommandBuffer(false), p.Queue().CommandBuffer(false)
			order(p, first, second, func(c *CommandBuffer) {
				e := c.Pass(SerialCompute)
				if c == first {
					p.set(e, a, 1)
				} else {
					p.dispatch(e, "copy", a, b)
				}
				e.End()
			})
			first.WaitUntilCompleted()
			second.WaitUntilCompleted()
		}
	}
	for name, c := range map[string]struct {
		run  func(p *program)
		want string
	}{
		"concurrent":            {concurrent(func(*Pass, *Buffer) {}), CheckHazard},
		"barrier":               {concurrent(func(e *Pass, _ *Buffer) { e.Barrier() }), ""},
		"barrier of the buffer": {concurrent(func(e *Pass, a *Buffer) { e.BarrierOf([]*Buffer{a}) }), ""},
		"barrier of another": {concurrent(func(e *Pass, a *Buffer) {
			e.BarrierOf([]*Buffer{a.host.Buffer(make([]byte, 64), BufferOptions{})})
		}), CheckHazard},
		"tracked":   {encoders(BufferOptions{}, func(*program, *Pass, *Pass) {}), ""},
		"untracked": {encoders(BufferOptions{Untracked: true}, func(*program, *Pass, *Pass) {}), CheckHazard},
		"fence": {encoders(BufferOptions{Untracked: true}, func(p *program, first, second *Pass) {
			f := p.Fence()
			first.Update(f)
			second.Wait(f)
		}), ""},
		"fence the wrong way": {encoders(BufferOptions{Untracked: true}, func(p *program, first, second *Pass) {
			f := p.Fence()
			second.Update(f)
			first.Wait(f)
		}), CheckAssertion + " note, " + CheckHazard},
		"queues": {queues(func(_ *program, first, second *CommandBuffer, run func(*CommandBuffer)) {
			run(first)
			run(second)
			first.Commit()
			second.Commit()
		}), CheckHazard},
		"queues with an event": {queues(func(p *program, first, second *CommandBuffer, run func(*CommandBuffer)) {
			e := p.Event()
			run(first)
			first.Signal(e, 1)
			second.Wait(e, 1)
			run(second)
			second.Commit()
			first.Commit()
		}), ""},
		"an event too early": {queues(func(p *program, first, second *CommandBuffer, run func(*CommandBuffer)) {
			e := p.Event()
			first.Signal(e, 1)
			run(first)
			first.Signal(e, 2)
			second.Wait(e, 1)
			run(second)
			second.Commit()
			first.Commit()
		}), CheckHazard},
		"queues, and the program waits": {queues(func(_ *program, first, second *CommandBuffer,
			run func(*CommandBuffer)) {
			run(first)
			run(second)
			first.Commit()
			first.WaitUntilCompleted()
			second.Commit()
		}), ""},
		"an event that nobody signals": {func(p *program) {
			cb := p.Queue().CommandBuffer(false)
			cb.Wait(p.Event(), 1)
			cb.Commit()
			cb.WaitUntilCompleted()
			if cb.Status() != Failed || cb.Err() == nil {
				p.Errorf("status %v, error %v", cb.Status(), cb.Err())
			}
		}, CheckEvent},
		"disjoint halves": {func(p *program) {
			a := p.words(32, BufferOptions{})
			cb := p.Queue().CommandBuffer(false)
			e := cb.Pass(ConcurrentCompute)
			p.set(e, a, 1)
			e.SetOffset(64, 0)
			e.DispatchThreads(metalrun.Size{X: 16, Y: 1, Z: 1}, metalrun.Size{X: 16, Y: 1, Z: 1})
			e.End()
			cb.Commit()
			cb.WaitUntilCompleted()
		}, ""},
		"counters": {func(p *program) {
			n := p.words(1, BufferOptions{})
			cb := p.Queue().CommandBuffer(false)
			e := cb.Pass(ConcurrentCompute)
			p.dispatch(e, "count", n)
			p.dispatch(e, "count", n)
			e.End()
			cb.Commit()
			cb.WaitUntilCompleted()
			if word(n, 0) != 32 {
				p.Errorf("%d increments, want 32", word(n, 0))
			}
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t)
			c.run(p)
			p.want(c.want)
		})
	}
}

// TestHazardIsExplained tests that a hazard has both sides and a remedy.
func TestHazardIsExplained(t *testing.T) {
	p := newProgram(t)
	a, b := p.words(16, BufferOptions{}), p.words(16, BufferOptions{})
	a.SetLabel("weights")
	cb := p.Queue().CommandBuffer(false)
	cb.Label = "step"
	e := cb.Pass(ConcurrentCompute)
	e.SetLabel("layer")
	e.PushGroup("attention")
	p.set(e, a, 1)
	p.dispatch(e, "copy", a, b)
	e.PopGroup()
	e.End()
	cb.Commit()
	cb.WaitUntilCompleted()
	s := p.Close()
	if len(s.Findings) != 1 || s.Findings[0].Other == nil {
		t.Fatalf("%+v", s.Findings)
	}
	f := s.Findings[0]
	for what, pair := range map[string][2]string{
		"message": {f.Message, "copy reads bytes 0 to 63 of buffer 'weights', which fill writes"},
		"remedy":  {f.Remedy, "memoryBarrierWithScope:MTLBarrierScopeBuffers"},
		"command": {f.Command, "dispatch of copy (command 2 of encoder 1 'layer' of command buffer 1 'step', " +
			"group attention)"},
		"line":          {f.Text, "out[i] = in[i];"},
		"other command": {f.Other.Command, "dispatch of fill (command 1"},
		"other line":    {f.Other.Text, "out[i] = value;"},
	} {
		if !strings.Contains(pair[0], pair[1]) {
			t.Errorf("%s is %q, want it to have %q", what, pair[0], pair[1])
		}
	}
}

// TestUnwritten tests that memory of heaps is followed from its allocation to its first write.
func TestUnwritten(t *testing.T) {
	for name, c := range map[string]struct {
		o     BufferOptions
		write func(p *program, e *Pass, a *Buffer)
		want  string
	}{
		"heap":    {BufferOptions{Heap: true}, func(*program, *Pass, *Buffer) {}, CheckUnwritten},
		"device":  {BufferOptions{}, func(*program, *Pass, *Buffer) {}, ""},
		"kernel":  {BufferOptions{Heap: true}, func(p *program, e *Pass, a *Buffer) { p.set(e, a, 1) }, ""},
		"program": {BufferOptions{Heap: true}, func(_ *program, _ *Pass, a *Buffer) { a.Seen() }, ""},
		"half": {BufferOptions{Heap: true}, func(p *program, e *Pass, a *Buffer) { a.Modified(0, 32) },
			CheckUnwritten},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t)
			a, b := p.words(16, c.o), p.words(16, BufferOptions{})
			cb := p.Queue().CommandBuffer(false)
			e := cb.Pass(SerialCompute)
			c.write(p, e, a)
			p.dispatch(e, "copy", a, b)
			e.End()
			cb.Commit()
			cb.WaitUntilCompleted()
			p.want(c.want)
		})
	}
}

// TestReleased tests that memory outlives its buffer, and that a command buffer without references is reported.
func TestReleased(t *testing.T) {
	for unretained, want := range map[bool]string{false: "", true: CheckReleased} {
		p := newProgram(t)
		a, b := p.words(16, BufferOptions{}), p.words(16, BufferOptions{})
		cb := p.Queue().CommandBuffer(unretained)
		e := cb.Pass(SerialCompute)
		p.dispatch(e, "copy", a, b)
		e.End()
		freed := false
		a.Release(func() { freed = true })
		if freed {
			t.Error("the memory is gone before the command buffer has completed")
		}
		cb.Commit()
		cb.WaitUntilCompleted()
		if !freed {
			t.Error("the memory stays")
		}
		p.want(want)
	}
}

// TestAssertions tests what Metal's debug layer says.
func TestAssertions(t *testing.T) {
	one := metalrun.Size{X: 1, Y: 1, Z: 1}
	for name, c := range map[string]struct {
		run  func(p *program, cb *CommandBuffer, e *Pass, b *Buffer)
		want string
	}{
		"offset": {func(_ *program, _ *CommandBuffer, e *Pass, b *Buffer) { e.SetBuffer(b, 64, 0) },
			"offset(64) must be < [buffer length](64)."},
		"index": {func(_ *program, _ *CommandBuffer, e *Pass, b *Buffer) { e.SetBuffer(b, 0, 31) },
			"index(31) must be < 31."},
		"bytes": {func(_ *program, _ *CommandBuffer, e *Pass, b *Buffer) { e.SetBytes(make([]byte, 4097), 0) },
			"length(4097)"},
		"memory": {func(_ *program, _ *CommandBuffer, e *Pass, b *Buffer) { e.SetThreadgroupMemory(136, 0) },
			"length(136) must be a multiple of 16 bytes."},
		"pipeline": {func(_ *program, _ *CommandBuffer, e *Pass, b *Buffer) { e.Dispatch(one, one) },
			"pipeline state must be set"},
		"ended": {func(_ *program, _ *CommandBuffer, e *Pass, b *Buffer) {
			e.End()
			e.SetBuffer(b, 0, 0)
		}, "after endEncoding"},
		"threads": {func(p *program, _ *CommandBuffer, e *Pass, b *Buffer) {
			p.dispatch(e, "count", b)
			e.Dispatch(one, metalrun.Size{X: 1025, Y: 1, Z: 1})
		}, "must be <= 1024. (kernel threadgroup size limit)"},
		"length": {func(p *program, _ *CommandBuffer, e *Pass, b *Buffer) {
			e.SetBytes([]byte{1, 2}, 1)
			p.dispatch(e, "fill", b)
		}, "has space for 2 bytes, but argument has a length(4)."},
		"alignment": {func(p *program, _ *CommandBuffer, e *Pass, b *Buffer) {
			p.dispatch(e, "count", b)
			e.SetOffset(2, 0)
			e.Dispatch(one, one)
		}, "must be a multiple of 4 but was set to 2."},
		"group": {func(_ *program, _ *CommandBuffer, e *Pass, _ *Buffer) { e.PopGroup() }, "popDebugGroup without"},
		"commit": {func(_ *program, cb *CommandBuffer, e *Pass, _ *Buffer) {
			e.End()
			cb.Commit()
			cb.Commit()
		}, "commit an already committed command buffer"},
		"open": {func(_ *program, cb *CommandBuffer, _ *Pass, _ *Buffer) { cb.Commit() }, "uncommitted encoder"},
		"copy": {func(_ *program, cb *CommandBuffer, e *Pass, b *Buffer) {
			e.End()
			cb.Pass(Blit).Copy(b, 32, b, 0, 64)
		}, "(sourceOffset(32) + size(64)) must be <= [source length](64)."},
		"indirect": {func(p *program, _ *CommandBuffer, e *Pass, b *Buffer) { e.DispatchIndirect(b, 56, one) },
			"indirectBufferOffset(56)"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t)
			cb := p.Queue().CommandBuffer(false)
			c.run(p, cb, cb.Pass(SerialCompute), p.words(16, BufferOptions{}))
			if cb.Status() >= Committed {
				cb.WaitUntilCompleted()
			}
			for _, f := range p.Close().Findings {
				if f.Check == CheckAssertion && strings.Contains(f.Message, c.want) {
					return
				}
			}
			t.Errorf("nothing says %q: %+v", c.want, p.report.order)
		})
	}
}

// TestOrder tests that command buffers execute in the order in which they are enqueued.
func TestOrder(t *testing.T) {
	p := newProgram(t)
	a, b := p.words(16, BufferOptions{}), p.words(16, BufferOptions{})
	q := p.Queue()
	first, second := q.CommandBuffer(false), q.CommandBuffer(false)
	first.Enqueue()
	e := second.Pass(SerialCompute)
	p.dispatch(e, "copy", a, b)
	e.End()
	second.Commit()
	time.Sleep(time.Millisecond)
	e = first.Pass(SerialCompute)
	p.set(e, a, 5)
	e.End()
	first.Commit()
	second.WaitUntilCompleted()
	if word(b, 3) != 5 {
		t.Errorf("the second command buffer has read %d", word(b, 3))
	}
	p.want("")
}
