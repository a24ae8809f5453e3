package host

import (
	"cmp"
	"fmt"
	"slices"
	"sync"

	"metalconform/metalrun"
)

// span is bytes by their addresses: from lo up to hi.
type span struct{ lo, hi uintptr }

// access is what one instruction of a command has read or written.
type access struct {
	does   string
	write  bool
	atomic bool
	spans  []span // in ascending order, apart
	buffer *Buffer
	metalrun.Position
}

// accessOf is an access of a kernel by the addresses of the program.
func accessOf(b binding, a metalrun.Accessed) access {
	out := access{does: "reads", write: a.Write, atomic: a.Atomic, buffer: b.buffer, Position: a.Position}
	if a.Write {
		out.does = "writes"
	}
	for _, s := range a.Spans {
		out.spans = append(out.spans, b.buffer.span(b.offset+int(s.From), int(s.To-s.From)))
	}
	return out
}

// bounds is the span from the first byte to the last.
func (a access) bounds() span { return span{a.spans[0].lo, a.spans[len(a.spans)-1].hi} }

func (s span) meets(t span) bool { return s.lo < t.hi && t.lo < s.hi }

// common is the first bytes that two accesses share; ok is false if they share none.
func common(a, b []span) (at span, ok bool) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if lo, hi := max(a[i].lo, b[j].lo), min(a[i].hi, b[j].hi); lo < hi {
			return span{lo, hi}, true
		}
		if a[i].hi < b[j].hi {
			i++
		} else {
			j++
		}
	}
	return span{}, false
}

// ledger is what executed commands have accessed, and which memory nothing has written.
type ledger struct {
	mu        sync.Mutex
	commands  []*command // that later ones may conflict with
	unwritten []span     // in ascending order, apart
}

// mostCommands bounds the commands that are remembered: the program has most likely seen the completion of older ones.
const mostCommands = 1 << 14

// allocate notes new memory. That of a heap holds anything; Metal clears other buffers.
func (l *ledger) allocate(b *Buffer) {
	all := b.span(0, len(b.bytes))
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unwritten = without(l.unwritten, all)
	if b.options.Heap && !b.options.Written {
		l.unwritten = append(l.unwritten, all)
		slices.SortFunc(l.unwritten, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	}
}

// written notes that the program may have written bytes.
func (l *ledger) written(s span) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unwritten = without(l.unwritten, s)
}

// forget notes that memory is gone: the addresses may come again.
func (l *ledger) forget(s span) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.unwritten = without(l.unwritten, s)
	for _, c := range l.commands {
		c.accesses = slices.DeleteFunc(c.accesses, func(a access) bool {
			return a.bounds().meets(s) &&
				!a.buffer.options.Heap
		})
	}
}

// without removes bytes from spans.
func without(spans []span, s span) []span {
	var out []span
	for _, x := range spans {
		if !x.meets(s) {
			out = append(out, x)
			continue
		}
		if x.lo < s.lo {
			out = append(out, span{x.lo, s.lo})
		}
		if s.hi < x.hi {
			out = append(out, span{s.hi, x.hi})
		}
	}
	return out
}

// add checks a command that has executed against those before it, and remembers it.
func (l *ledger) add(h *Host, c *command) {
	for _, a := range c.accesses {
		c.untracked = c.untracked || a.buffer.options.Untracked
	}
	l.mu.Lock()
	l.uninitialised(h, c)
	h.mu.Lock()
	l.commands = slices.DeleteFunc(l.commands, func(old *command) bool { return old.retired(h) })
	h.mu.Unlock()
	if n := len(l.commands); n > mostCommands {
		l.commands = slices.Delete(l.commands, 0, n-mostCommands)
	}
	for _, old := range l.commands {
		l.compare(h, old, c)
	}
	l.commands = append(l.commands, c)
	l.mu.Unlock()
}

// retired reports whether every command that is still to execute comes after this one, as the program has seen its
// completion before it committed them. The host is locked.
func (c *command) retired(h *Host) bool {
	seen := c.pass.buffer.observed
	if seen == 0 {
		return false
	}
	for p := range h.pending {
		if p.commit < seen {
			return false
		}
	}
	return true
}

// compare reports a hazard of two commands, the first of which was executed earlier.
func (l *ledger) compare(h *Host, a, b *command) {
	switch p, q := a.pass, b.pass; { // what is known without a look at the accesses
	case p == q && (p.kind != ConcurrentCompute || a.barriers != b.barriers),
		p != q && p.buffer.queue == q.buffer.queue && !a.untracked && !b.untracked:
		return
	}
	for _, x := range a.accesses {
		for _, y := range b.accesses {
			if !x.write && !y.write || x.atomic && y.atomic || !x.bounds().meets(y.bounds()) {
				continue
			}
			at, ok := common(x.spans, y.spans)
			if !ok {
				continue
			}
			missing := ordering(h, a, b, x, y, at)
			if missing == "" {
				continue
			}
			h.found(hazard(a, b, x, y, at, missing))
			return
		}
	}
}

// hazard is the finding.
func hazard(a, b *command, x, y access, at span, missing string) Finding {
	n := int(at.lo - y.buffer.base())
	f := Finding{Check: CheckHazard, Grade: metalrun.GradeUndefined, Command: b.name(), Kernel: b.kernel(),
		Position: y.Position, Text: b.line(y.Position), Remedy: missing,
		Other: &Side{Command: a.name(), Kernel: a.kernel(), Does: x.does, Position: x.Position,
			Text: a.line(x.Position)},
		Message: fmt.Sprintf("%s %s bytes %d to %d of %s, which %s %s; nothing orders them", b.what(), y.does, n,
			n+int(at.hi-at.lo)-1, y.buffer.name(), a.what(), x.does)}
	return f
}

// what is a short name of the command.
func (c *command) what() string {
	if k := c.kernel(); k != "" {
		return k
	}
	return "a copy"
}

// line is the text of a line of the kernel's source.
func (c *command) line(p metalrun.Position) string {
	if c.launch == nil {
		return ""
	}
	return c.launch.pipeline.Function.library.line(p)
}

// uninitialised reports reads of memory that nothing has written, and notes what the command writes.
func (l *ledger) uninitialised(h *Host, c *command) {
	var writes []span
	for _, a := range c.accesses {
		if a.write {
			writes = append(writes, a.spans...)
		}
	}
	if len(l.unwritten) == 0 {
		return
	}
	slices.SortFunc(writes, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	for _, w := range writes {
		l.unwritten = without(l.unwritten, w)
	}
	if c.launch == nil {
		return // a copy moves what it does not look at
	}
	for _, a := range c.accesses {
		if a.write {
			continue
		}
		at, ok := common(a.spans, l.unwritten)
		if !ok {
			continue
		}
		n := int(at.lo - a.buffer.base())
		h.found(Finding{Check: CheckUnwritten, Command: c.name(), Kernel: c.kernel(), Position: a.Position,
			Text: c.line(a.Position),
			Message: fmt.Sprintf("%s reads bytes %d to %d of %s, which is part of a heap and which nothing has written",
				c.kernel(), n, n+int(at.hi-at.lo)-1, a.buffer.name()),
			Remedy: "write the memory first, as with fillBuffer: that of a heap holds anything"})
	}
}
