package host

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"metalconform/metalrun"
)

// PassKind is the kind of an encoder.
type PassKind uint8

// Kinds of encoders.
const (
	SerialCompute PassKind = iota
	ConcurrentCompute
	Blit
)

// Pass is what one encoder records. It is for one goroutine until it has ended.
type Pass struct {
	buffer   *CommandBuffer
	kind     PassKind
	label    string
	groups   []string // debug groups that are open
	commands []*command
	ended    bool
	waits    []*Fence // before the first command
	updates  []*Fence // after the last command

	pipeline *Pipeline
	table    map[int]binding
	shared   map[int]int // lengths of threadgroup memory
	barriers int         // of all buffers, so far
	partial  []partial   // barriers of some buffers
	used     map[*Buffer]bool

	before clock // the passes that happen before this one, when it executes
}

// binding is what lies at an index of the buffer table.
type binding struct {
	buffer *Buffer // nil: bytes
	bytes  []byte
	offset int
}

// partial is a barrier of some buffers.
type partial struct {
	after int // number of commands before it
	spans []span
}

// method names a call for messages of the debug layer.
func (p *Pass) method(name string) string {
	if p.kind == Blit {
		return "-[MTLDebugBlitCommandEncoder " + name + "]"
	}
	return "-[MTLDebugComputeCommandEncoder " + name + "]"
}

// encoding reports whether the pass takes commands, and asserts that it does.
func (p *Pass) encoding(name string) bool {
	if p.ended {
		p.host().assert(p.method(name), "encoding after endEncoding has been called")
	}
	return !p.ended
}

func (p *Pass) host() *Host { return p.buffer.queue.host }

// SetLabel names the pass in findings.
func (p *Pass) SetLabel(s string) { p.label = s }

// PushGroup opens a debug group.
func (p *Pass) PushGroup(s string) { p.groups = append(p.groups, s) }

// PopGroup closes the innermost debug group.
func (p *Pass) PopGroup() {
	if len(p.groups) == 0 {
		p.host().assert(p.method("popDebugGroup"), "popDebugGroup without a matching pushDebugGroup")
		return
	}
	p.groups = p.groups[:len(p.groups)-1]
}

// SetPipeline sets what the following dispatches launch.
func (p *Pass) SetPipeline(s *Pipeline) {
	switch {
	case !p.encoding("setComputePipelineState:"):
	case s == nil:
		p.host().assert(p.method("setComputePipelineState:"), "computePipelineState must not be nil.")
	default:
		p.pipeline = s
	}
}

const tableEntries = 31 // of the table of buffers, and of that of threadgroup memory

// inTable reports whether there is an index, and asserts that there is.
func (p *Pass) inTable(name string, index int) bool {
	if index < 0 || index >= tableEntries {
		p.host().assert(p.method(name), "index(%d) must be < %d.", index, tableEntries)
		return false
	}
	return true
}

// SetBuffer binds a buffer, or nothing.
func (p *Pass) SetBuffer(b *Buffer, offset, index int) {
	const name = "setBuffer:offset:atIndex:"
	if !p.encoding(name) || !p.inTable(name, index) {
		return
	}
	if b == nil {
		delete(p.table, index)
		return
	}
	if offset < 0 || offset >= len(b.bytes) {
		p.host().assert(p.method(name), "offset(%d) must be < [buffer length](%d).", offset, len(b.bytes))
	}
	p.table[index] = binding{buffer: b, offset: min(max(offset, 0), len(b.bytes))}
	p.use(b)
}

// SetOffset moves what is bound.
func (p *Pass) SetOffset(offset, index int) {
	const name = "setBufferOffset:atIndex:"
	if !p.encoding(name) || !p.inTable(name, index) {
		return
	}
	b := p.table[index].buffer
	if b == nil {
		p.host().assert(p.method(name), "no buffer is set at index %d.", index)
		return
	}
	p.SetBuffer(b, offset, index)
}

const mostInline = 4096 // bytes that setBytes takes

// SetBytes binds a copy of bytes.
func (p *Pass) SetBytes(bytes []byte, index int) {
	const name = "setBytes:length:atIndex:"
	if !p.encoding(name) || !p.inTable(name, index) {
		return
	}
	if len(bytes) == 0 || len(bytes) > mostInline {
		p.host().assert(p.method(name), "length(%d) must be between 1 and %d.", len(bytes), mostInline)
	}
	p.table[index] = binding{bytes: slices.Clone(bytes)}
}

// SetThreadgroupMemory sets the length of threadgroup memory.
func (p *Pass) SetThreadgroupMemory(length, index int) {
	const name = "setThreadgroupMemoryLength:atIndex:"
	if !p.encoding(name) || !p.inTable(name, index) {
		return
	}
	if length%16 != 0 {
		p.host().assert(p.method(name), "length(%d) must be a multiple of 16 bytes.", length)
	}
	p.shared[index] = length
}

// use keeps a buffer until the command buffer has completed, if the command buffer retains what it uses.
func (p *Pass) use(b *Buffer) {
	if !p.used[b] {
		p.used[b] = true
		p.buffer.use(b)
	}
}

// Use makes a buffer resident that kernels reach by a pointer.
func (p *Pass) Use(b *Buffer) {
	if b != nil && p.encoding("useResource:usage:") {
		p.use(b)
	}
}

// Barrier orders the following commands after those before it.
func (p *Pass) Barrier() {
	if p.encoding("memoryBarrierWithScope:") {
		p.barriers++
	}
}

// BarrierOf orders accesses to some buffers.
func (p *Pass) BarrierOf(buffers []*Buffer) {
	if !p.encoding("memoryBarrierWithResources:count:") {
		return
	}
	b := partial{after: len(p.commands)}
	for _, x := range buffers {
		b.spans = append(b.spans, x.span(0, len(x.bytes)))
	}
	p.partial = append(p.partial, b)
}

// Wait has the pass wait for the passes that have updated a fence.
func (p *Pass) Wait(f *Fence) {
	if f == nil || !p.encoding("waitForFence:") {
		return
	}
	if len(p.commands) > 0 && p.kind != Blit {
		p.host().found(Finding{Check: CheckAssertion, Grade: metalrun.GradeNote,
			Message: p.method("waitForFence:") + ": the fence orders all of the pass, also commands before this call"})
	}
	p.waits = append(p.waits, f)
}

// Update has a fence stand for the pass.
func (p *Pass) Update(f *Fence) {
	if f != nil && p.encoding("updateFence:") {
		p.updates = append(p.updates, f)
	}
}

// End ends the pass.
func (p *Pass) End() {
	if p.ended {
		p.host().assert(p.method("endEncoding"), "endEncoding has already been called.")
		return
	}
	if len(p.groups) > 0 {
		p.host().assert(p.method("endEncoding"), "missing popDebugGroup: '%s' is open.", p.groups[len(p.groups)-1])
	}
	p.ended = true
	p.buffer.open = nil
}

// add records a command.
func (p *Pass) add(c *command) {
	c.pass, c.number, c.barriers = p, len(p.commands), p.barriers
	c.groups = strings.Join(p.groups, "/")
	p.commands = append(p.commands, c)
}

// Dispatch launches threadgroups.
func (p *Pass) Dispatch(groups, perGroup metalrun.Size) {
	p.dispatch("dispatchThreadgroups:threadsPerThreadgroup:", launch{groups: groups, perGroup: perGroup})
}

// DispatchThreads launches threads.
func (p *Pass) DispatchThreads(threads, perGroup metalrun.Size) {
	p.dispatch("dispatchThreads:threadsPerThreadgroup:", launch{threads: threads, perGroup: perGroup, exact: true})
}

const indirectBytes = 12 // three 32-bit numbers of threadgroups

// DispatchIndirect launches as many threadgroups as a buffer says when the command executes.
func (p *Pass) DispatchIndirect(b *Buffer, offset int, perGroup metalrun.Size) {
	const name = "dispatchThreadgroupsWithIndirectBuffer:indirectBufferOffset:threadsPerThreadgroup:"
	if b == nil {
		p.host().assert(p.method(name), "indirectBuffer must not be nil.")
		return
	}
	if offset%4 != 0 || offset < 0 || offset+indirectBytes > len(b.bytes) {
		p.host().assert(p.method(name), "indirectBufferOffset(%d) + 12 must be <= [buffer length](%d), and a "+
			"multiple of 4.",
			offset, len(b.bytes))
		return
	}
	p.use(b)
	p.dispatch(name, launch{perGroup: perGroup, indirect: b, indirectOffset: offset})
}

func (p *Pass) dispatch(name string, l launch) {
	if !p.encoding(name) {
		return
	}
	h := p.host()
	switch t := l.perGroup; {
	case p.kind == Blit:
		h.assert(p.method(name), "a blit encoder has no dispatches")
		return
	case p.pipeline == nil:
		h.assert(p.method(name), "a compute pipeline state must be set before a dispatch.")
		return
	case t.X <= 0 || t.Y <= 0 || t.Z <= 0:
		h.assert(p.method(name), "threadsPerThreadgroup(%d, %d, %d) must not be 0.", t.X, t.Y, t.Z)
		return
	case t.Count() > p.pipeline.most:
		h.assert(p.method(name), "(threadsPerThreadgroup.width(%d) * threadsPerThreadgroup.height(%d) * "+
			"threadsPerThreadgroup.depth(%d)) must be <= %d. (kernel threadgroup size limit)", t.X, t.Y, t.Z,
			p.pipeline.most)
	}
	l.pipeline, l.table, l.shared = p.pipeline, maps.Clone(p.table), maps.Clone(p.shared)
	p.validate(l)
	p.add(&command{launch: &l})
}

// validate asserts what the debug layer says about the arguments of a dispatch.
func (p *Pass) validate(l launch) {
	const where = "validateComputeFunctionArguments"
	h, k := p.host(), l.pipeline.Function
	total := k.info.StaticThreadgroupMemory
	for _, n := range l.shared {
		total += n
	}
	if most := h.device.Threadgroup; total > most {
		h.assert(where, "Compute Function(%s): total threadgroup memory length (%d) must be <= %d.", k.Name, total,
			most)
	}
	for _, a := range k.info.Args {
		b, bound := l.table[a.Index]
		if a.Kind != metalrun.BufferArg || !bound {
			continue
		}
		align := max(a.Align, 1)
		if a.Constant {
			align = max(align, 4)
		}
		if b.offset%align != 0 {
			h.assert(where, "Compute Function(%s): the offset into the buffer %s that is bound at buffer index %d "+
				"must be "+
				"a multiple of %d but was set to %d.", k.Name, a.Name, a.Index, align, b.offset)
		}
		if n := b.length(); a.Reference && n < a.Size {
			h.assert(where, "Compute Function(%s): argument %s[0] from Buffer(%d) with offset(%d) and length(%d) "+
				"has space "+
				"for %d bytes, but argument has a length(%d).", k.Name, a.Name, a.Index, b.offset, n+b.offset, n,
				a.Size)
		}
	}
}

// length is the number of bytes from the beginning of the binding.
func (b binding) length() int {
	if b.buffer == nil {
		return len(b.bytes)
	}
	return len(b.buffer.bytes) - b.offset
}

// inside reports whether a range lies in a buffer, and asserts that it does.
func (p *Pass) inside(name, what string, b *Buffer, offset, length int) bool {
	h := p.host()
	switch {
	case b == nil:
		h.assert(p.method(name), "%s must not be nil.", what)
	case offset < 0 || length < 0 || offset+length > len(b.bytes):
		h.assert(p.method(name), "(%sOffset(%d) + size(%d)) must be <= [%s length](%d).", what, offset, length, what,
			len(b.bytes))
	default:
		return true
	}
	return false
}

// Copy copies bytes from a buffer to a buffer. A range that is too long is cut off.
func (p *Pass) Copy(from *Buffer, fromOffset int, to *Buffer, toOffset, length int) {
	const name = "copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:"
	if !p.encoding(name) {
		return
	}
	if !p.inside(name, "source", from, fromOffset, length) || !p.inside(name, "destination", to, toOffset, length) {
		return
	}
	if from == to && fromOffset < toOffset+length && toOffset < fromOffset+length {
		p.host().assert(p.method(name), "source and destination ranges of one buffer must not overlap.")
	}
	p.use(from)
	p.use(to)
	p.add(&command{copy: &transfer{from: from, fromOffset: fromOffset, to: to, toOffset: toOffset, length: length}})
}

// Fill sets the bytes of a range.
func (p *Pass) Fill(b *Buffer, offset, length int, value byte) {
	const name = "fillBuffer:range:value:"
	if !p.encoding(name) {
		return
	}
	if b != nil && length == 0 {
		p.host().assert(p.method(name), "range.length must be > 0.")
		return
	}
	if !p.inside(name, "range", b, offset, length) {
		if b == nil || offset < 0 || offset >= len(b.bytes) {
			return
		}
		length = len(b.bytes) - offset
	}
	p.use(b)
	p.add(&command{copy: &transfer{to: b, toOffset: offset, length: length, value: value}})
}

// Name is what findings call a pass: its label, and its place.
func (p *Pass) name() string {
	s := fmt.Sprintf("encoder %d", slices.Index(p.buffer.passes, p)+1)
	if p.label != "" {
		s += " '" + p.label + "'"
	}
	return s + " of " + p.buffer.name()
}
