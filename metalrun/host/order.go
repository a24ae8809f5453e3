package host

import "slices"

// ordering says what would order two commands that access the same bytes, or "" if something does. The host is not
// locked.
func ordering(h *Host, a, b *command, x, y access, at span) string {
	p, q := a.pass, b.pass
	tracked := !x.buffer.options.Untracked && !y.buffer.options.Untracked
	switch {
	case p == q:
		return within(p, a, b, at)
	case observedBefore(h, p.buffer, q.buffer), q.before[p]:
		return ""
	case p.buffer.queue != q.buffer.queue:
		return "signal an event after the first command and wait for it before the second: nothing else orders two " +
			"queues"
	case tracked:
		return ""
	}
	return "update a fence in the encoder of the first command and wait for it in that of the second: Metal does not " +
		"track the memory of this buffer"
}

// within is ordering in one encoder.
func within(p *Pass, a, b *command, at span) string {
	if p.kind != ConcurrentCompute || a.barriers != b.barriers {
		return ""
	}
	if a.number > b.number {
		a, b = b, a
	}
	for _, r := range p.partial {
		if a.number < r.after && r.after <= b.number &&
			slices.ContainsFunc(r.spans, func(s span) bool { return s.lo <= at.lo && at.hi <= s.hi }) {
			return ""
		}
	}
	return "put memoryBarrierWithScope:MTLBarrierScopeBuffers between them, or use a serial encoder"
}

// observedBefore reports whether the program had seen that one command buffer is complete when it committed another.
func observedBefore(h *Host, a, b *CommandBuffer) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return a.observed != 0 && a.observed < b.commit
}
